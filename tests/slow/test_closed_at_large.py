"""Random walks through closed designs, far beyond what a search ends in, with no property masked.

What they still break is listed with its reason in docs/at_large.md.
"""

import pytest

from tests.slow.at_large import SUBJECTS, Subject
from tierproof.spark_explorer.simulation import simulate


@pytest.mark.slow
@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_walks_through_a_closed_design_break_what_is_listed_and_nothing_else(subject: Subject):
    result = simulate(subject.design, subject.scope, seed=1, walks=20_000)
    broken = {entry.name for entry in result.properties if entry.occurrences}
    assert broken == set(subject.remains)
