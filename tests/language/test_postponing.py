"""A counterexample reads better if steps that nobody notices for long come late."""

from tests.toys.mutex import DESIGN
from tierproof.model.language import Step, Trace
from tierproof.model.language.postponing import postponed

WANTS, TAKES, FREES = "worker_wants_lock", "worker_takes_lock", "worker_frees_lock"


def trace(*steps: tuple[str, int], cycle_start: int | None = None) -> Trace:
    taken = (Step(action, (("worker", worker),)) for action, worker in steps)
    return Trace(DESIGN, DESIGN.scope("two"), 0, tuple(taken), cycle_start)


def order(found: Trace) -> list[tuple[str, int]]:
    return [(step.action, int(step.arguments[0][1])) for step in found.steps]


def test_a_step_passes_those_that_do_not_touch_it_but_not_the_last():
    early = trace((WANTS, 1), (WANTS, 0), (TAKES, 1), (FREES, 1))
    late = postponed(early, (WANTS,))
    assert order(late) == [(WANTS, 1), (TAKES, 1), (WANTS, 0), (FREES, 1)]
    assert late.states[-1] == early.states[-1]


def test_a_step_does_not_pass_the_step_that_needs_it():
    early = trace((WANTS, 0), (TAKES, 0), (FREES, 0), (WANTS, 1))
    assert order(postponed(early, (WANTS,))) == order(early)


def test_steps_of_other_actions_stay_where_they_are():
    early = trace((WANTS, 0), (WANTS, 1), (TAKES, 1), (FREES, 1))
    assert postponed(early, (TAKES, FREES)) == early


def test_a_step_does_not_enter_the_steps_that_repeat():
    early = trace((WANTS, 1), (WANTS, 0), (TAKES, 1), (FREES, 1), (WANTS, 1), cycle_start=2)
    assert postponed(early, (WANTS,)) == early


def test_late_steps_keep_their_order():
    early = trace((WANTS, 0), (WANTS, 1), (TAKES, 1), (FREES, 1))
    late = postponed(early, (WANTS, TAKES))
    assert late == early
    again = postponed(early, (WANTS,))
    assert postponed(again, (WANTS,)) == again
