"""Every violation that the ledger knows is explained, and every explanation has its page."""

from pathlib import Path

import pytest

from model.designs.kip950 import DESIGN
from model.language import Finding
from spark_explorer import findings, ledger

PAGES = Path(__file__).parents[2] / "docs" / "findings"


def test_every_known_violation_is_explained_by_a_finding():
    assert findings.unexplained(DESIGN, ledger.read()[DESIGN.name]) == []


def test_what_no_finding_speaks_of_is_named():
    known = {"smoke": {"properties": {"no_such_claim": "VIOLATED", "another": "HOLDS"}}}
    assert findings.unexplained(DESIGN, known) == ["no_such_claim"]


@pytest.mark.parametrize("finding", DESIGN.findings, ids=lambda finding: finding.name)
def test_a_finding_has_a_page_that_says_what_the_design_says(finding: Finding):
    page = (PAGES / f"{finding.name}.md").read_text()
    for words in (finding.title, finding.explanation, finding.permitted_by, "the fewest"):
        assert words in page
    assert (PAGES / f"{finding.name}.svg").exists()


@pytest.mark.parametrize("finding", DESIGN.findings, ids=lambda finding: finding.name)
def test_a_repair_on_a_page_holds(finding: Finding):
    rows = [
        line
        for line in (PAGES / f"{finding.name}.md").read_text().splitlines()
        if line.startswith("| `")
    ]
    assert len(rows) == len(finding.claims)
    assert all(row.endswith("| HOLDS |" if finding.repair else "| - |") for row in rows)
