"""Every violation that the ledger knows is explained, and every explanation has its page."""

from pathlib import Path

import pytest

from tierproof.command_line import findings
from tierproof.model.designs import DESIGNS as REGISTERED
from tierproof.model.designs import kip950
from tierproof.model.language import Design, Finding, PublishedBug
from tierproof.spark_explorer import ledger
from tierproof.spark_explorer.question import Question

PAGES = Path(__file__).parents[2] / "docs" / "findings"
DESIGNS = [Question(design=name).resolve()[0] for name in REGISTERED]


def entries_of(kind):
    """Entries of the register of every design, and what pytest calls each."""
    found = [(design, entry) for design in DESIGNS for entry in getattr(design, kind)]
    return pytest.mark.parametrize(
        ("design", "entry"), found, ids=[f"{design.name}-{entry.name}" for design, entry in found]
    )


def page_of(design: Design, entry: Finding | PublishedBug) -> str:
    return (PAGES / design.name / f"{entry.name}.md").read_text()


def rows_of(page: str) -> list[str]:
    return [line for line in page.splitlines() if line.startswith("| `")]


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_every_known_violation_is_explained_by_a_finding(design):
    assert findings.unexplained(design, ledger.read()[design.name]) == []


def test_what_no_finding_speaks_of_is_named():
    known = {"smoke": {"properties": {"no_such_claim": "VIOLATED", "another": "HOLDS"}}}
    assert findings.unexplained(kip950.DESIGN, known) == ["no_such_claim"]


@entries_of("findings")
def test_a_finding_has_a_page_that_says_what_the_design_says(design, entry):
    page = page_of(design, entry)
    for words in (
        entry.title,
        entry.explanation,
        entry.permitted_by,
        f"VIOLATED {entry.claims[0]}",
    ):
        assert words in page


@entries_of("findings")
def test_a_repair_on_a_page_holds(design, entry):
    rows = rows_of(page_of(design, entry))
    assert len(rows) == len(entry.claims)
    assert all(row.endswith("| HOLDS |" if entry.repair else "| - |") for row in rows)


@entries_of("published_bugs")
def test_a_published_bug_has_a_page_and_holds_with_its_fix(design, entry):
    page = page_of(design, entry)
    for words in (entry.title, entry.explanation, entry.published, entry.variant):
        assert words in page
    assert len(rows_of(page)) == len(entry.claims)
    assert all(row.endswith("| HOLDS |") for row in rows_of(page))


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_the_folder_of_a_design_has_a_page_a_drawing_and_a_trace_of_each_and_no_more(design):
    names = {entry.name for entry in (*design.findings, *design.published_bugs)}
    expected = {f"{name}.{ending}" for name in names for ending in ("md", "svg", "json")}
    assert {path.name for path in (PAGES / design.name).iterdir()} == expected
