"""Producer state: interpreted and compiled, the design and its repairs say the same."""

import pytest

from tests.agreement.test_designs_agree import compared
from tierproof.model.designs.producer_state import DESIGN
from tierproof.model.designs.producer_state.repairs import REPAIRS

SMALL = {"offsets": 3, "sequences": 2}
SCOPES = ("empty", "clean", "in_flight", "truncated", "gone", "emptied", "rebuilt")
BY_DEFAULT = ("in_flight", "truncated", "rebuilt")
"""A batch in flight, a log that goes back, and one that is built anew; the others are slow."""


@pytest.mark.parametrize(
    "scope",
    [pytest.param(it, marks=() if it in BY_DEFAULT else pytest.mark.slow) for it in SCOPES],
)
def test_both_executions_have_the_same_counts_and_violations(scope):
    assert compared(DESIGN, DESIGN.scope(scope))


@pytest.mark.parametrize(
    "bounds",
    [
        {},
        {"offsets": 2, "producers": 2, "plain": 1},
        {"offsets": 2, "transactions": 2, "producer_epochs": 2, "epoch_bumps": 1, "requests": 1},
        {"crashes": 1, "shutdowns": 1, "corrupt_snapshots": 1},
    ],
)
def test_they_do_so_where_everything_holds(bounds):
    scope = DESIGN.scope("in_flight").replace(**SMALL, unanswered=1, retries=1)
    assert compared(DESIGN, scope.replace(**bounds)) == set()


@pytest.mark.parametrize(
    "repair",
    [
        pytest.param(one.name, marks=pytest.mark.slow if number % 4 else ())
        for number, one in enumerate(REPAIRS)
    ],
)
def test_they_do_so_with_each_repair(repair):
    compared(DESIGN.with_variant(repair), DESIGN.scope("gone").replace(empty_snapshots=1))
