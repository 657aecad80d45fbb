"""What is declared to be compared can be compared."""

import pytest

from tierproof.model.designs.comparisons import COMPARISONS
from tierproof.register import Finding, register_of
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.registry import DESIGNS

COMPARED = sorted({name for comparison in COMPARISONS for name in comparison.designs})
RESOLVED = {name: Question(design=name).resolve()[0] for name in COMPARED}
FINDINGS = [(name, one) for name in COMPARED for one in register_of(RESOLVED[name]).findings]


@pytest.mark.parametrize("comparison", COMPARISONS, ids=lambda one: one.name)
def test_a_comparison_names_registered_designs(comparison):
    comparison.check(DESIGNS)


def test_no_two_comparisons_have_one_name():
    assert len({one.name for one in COMPARISONS}) == len(COMPARISONS)


@pytest.mark.parametrize(
    "finding",
    [pytest.param(one, id=f"{name}-{one.name}") for name, one in FINDINGS if one.repair],
)
def test_a_finding_of_a_compared_design_says_what_its_repair_changes(finding: Finding):
    assert finding.fix.endswith((".", "?"))
