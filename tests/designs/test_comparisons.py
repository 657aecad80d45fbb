"""What is declared to be compared can be compared."""

import pytest

from tierproof.model.designs.comparisons import COMPARISONS
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.registry import DESIGNS

COMPARED = sorted({name for comparison in COMPARISONS for name in comparison.designs})
RESOLVED = {name: Question(design=name).resolve()[0] for name in COMPARED}


@pytest.mark.parametrize("comparison", COMPARISONS, ids=lambda one: one.name)
def test_a_comparison_names_registered_designs(comparison):
    comparison.check(DESIGNS)


def test_no_two_comparisons_have_one_name():
    assert len({one.name for one in COMPARISONS}) == len(COMPARISONS)
