"""A Trace may be infinite: its last step leads back to the state where its cycle starts."""

import pytest

from tests.toys.mutex import DESIGN
from tierproof.model.language import DesignError, Step, Trace
from tierproof.model.language.errors import NonDeterministic

WANTS, TAKES, FREES = (
    Step(f"worker_{what}_lock", (("worker", 1),)) for what in ("wants", "takes", "frees")
)
FIRST_WANTS = Step("worker_wants_lock", (("worker", 0),))


def lasso(*steps: Step, cycle_start: int | None) -> Trace:
    return Trace(DESIGN, DESIGN.scope("two"), 0, steps, cycle_start)


@pytest.mark.parametrize("start", [0, 1])
def test_a_cycle_comes_back_to_the_state_where_it_starts(start):
    way = [FIRST_WANTS][:start]
    states = lasso(*way, WANTS, TAKES, FREES, cycle_start=start).states
    assert states[start] == states[-1]


def test_a_trace_comes_to_rest_in_its_last_state():
    assert len(lasso(FIRST_WANTS, cycle_start=1).states) == 2
    assert len(lasso(cycle_start=0).states) == 1


def test_a_trace_that_ends_elsewhere_is_no_cycle():
    with pytest.raises(NonDeterministic, match="does not come back to its state 0"):
        _ = lasso(FIRST_WANTS, WANTS, TAKES, FREES, cycle_start=0).states


@pytest.mark.parametrize("start", [-1, 2])
def test_a_cycle_starts_in_a_state_of_the_trace(start):
    with pytest.raises(DesignError, match=f"starts in state {start} of a trace of 1 steps"):
        _ = lasso(FIRST_WANTS, cycle_start=start).states


def test_a_trace_without_a_cycle_may_end_anywhere():
    assert lasso(FIRST_WANTS, WANTS, cycle_start=None).cycle_start is None
    assert len(lasso(FIRST_WANTS, WANTS, cycle_start=None).states) == 3
