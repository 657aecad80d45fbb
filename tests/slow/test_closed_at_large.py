"""Random walks through closed designs, far beyond what a search ends in, with no property masked.

What they still break is listed with its reason: `at_large.py`, docs/at_large.md.
"""

from pathlib import Path

import pytest

from tests.slow.at_large import REMAINS, SUBJECTS, Subject
from tierproof.spark_explorer.simulation import simulate

PAGE = Path(__file__).parents[2] / "docs" / "at_large.md"


@pytest.mark.slow
@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_walks_through_a_closed_design_break_nothing_but_what_is_listed(subject: Subject):
    result = simulate(subject.closed, subject.scope, seed=1, walks=20_000)
    broken = {entry.name for entry in result.properties if entry.occurrences}
    assert broken <= set(subject.remains)


def test_the_page_lists_what_walks_still_break():
    rows = [line.strip("| ").split(" | ") for line in PAGE.read_text("utf-8").splitlines()]
    head = rows.index(["design", "property", "why"])
    listed = {(row[0], row[1].strip("`")): row[2] for row in rows[head + 2 :] if len(row) == 3}
    assert listed == {
        (name, claim): why for name, claims in REMAINS.items() for claim, why in claims.items()
    }
