"""A Trace may be infinite: its last step leads back to the state where its cycle starts."""

from dataclasses import replace

import pytest

from tests.toys.mutex import DESIGN, Mutex, Stage
from tierproof.model.language import DesignError, Step, Trace, liveness
from tierproof.model.language.difference import difference
from tierproof.model.language.errors import NonDeterministic
from tierproof.model.language.explaining.never import why_never
from tierproof.model.language.replaying import why_no_lasso

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


# -- a goal that is to stay


@liveness(stays=True)
def lock_is_free_for_good(state: Mutex) -> bool:
    """In the end nobody is inside any more."""
    return all(stage != Stage.INSIDE for stage in state.stage)


STAYING = replace(DESIGN, properties=(*DESIGN.properties, lock_is_free_for_good))


def staying(*steps: Step, cycle_start: int) -> Trace:
    return Trace(STAYING, STAYING.scope("two"), 0, steps, cycle_start)


def test_a_cycle_that_loses_the_goal_violates_one_that_is_to_stay():
    trace = staying(WANTS, TAKES, FREES, cycle_start=0)
    again_and_again = replace(lock_is_free_for_good, stays=False)
    assert why_no_lasso(trace, lock_is_free_for_good) is None
    assert why_no_lasso(trace, again_and_again) == "the goal is not awaited for ever"


def test_a_rest_in_the_goal_violates_neither():
    trace = staying(FIRST_WANTS, cycle_start=1)
    assert why_no_lasso(trace, lock_is_free_for_good) == "the goal is not awaited for ever"


def test_why_a_goal_does_not_stay_are_the_states_of_the_cycle_in_which_it_is_false():
    told = why_never(staying(WANTS, TAKES, FREES, cycle_start=0), "lock_is_free_for_good")
    assert told.value == "not always on the cycle"
    assert [dict(part.bindings)["state"] for part in told.parts] == ["2"]


def test_the_two_forms_are_claims_that_differ():
    again_and_again = replace(lock_is_free_for_good, stays=False)
    assert lock_is_free_for_good.identity != again_and_again.identity
    found = difference(replace(STAYING, properties=(again_and_again,)), STAYING)
    (change,) = (one for one in found.properties if one.name == "lock_is_free_for_good")
    assert change.edits == ("asks that it holds for good",)
