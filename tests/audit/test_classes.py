"""Every class says where it comes from, and the page of the documents has them all."""

from pathlib import Path

import pytest

from tierproof.conformance.audit.classes import CLASSES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "audit.md").read_text("utf-8")


@pytest.mark.parametrize("one", CLASSES, ids=lambda one: one.name)
def test_the_page_says_what_a_class_means_and_what_to_do(one):
    row = f"| `{one.name}` | {one.severity} | {one.title}. {one.cause} | {one.do} | {one.do_not} |"
    assert row in PAGE


def findings_of_the_register():
    """Names of findings: each has a file, or a line in its design's index."""
    folder = ROOT / "register" / "findings"
    names = {path.stem for path in folder.glob("*/*.json")}
    return names | {path.stem for path in folder.glob("*/*.md")}


@pytest.mark.parametrize("one", CLASSES, ids=lambda one: one.name)
def test_a_class_names_findings_that_the_register_has(one):
    assert set(one.findings) <= findings_of_the_register()
