"""Steps taken again, in a design or a changed one: what they break, or why they break nothing."""

import pytest

from tests.properties.toys import LAMP, Evenings, Lamp, switch_off
from tests.toys import mutex
from tierproof.model.language import DesignError, Edit, Step, Trace, UnknownName, guard
from tierproof.model.language.replaying import replay

ON, OFF = Step("switch_on"), Step("switch_off")
TWICE = Evenings(switches=2)


@guard
def is_stuck(state: Lamp) -> bool:
    """The switch does not move back."""
    return False


def test_a_step_that_breaks_a_step_property_breaks_it_again():
    found = replay(LAMP, TWICE, (ON, OFF), "no_light_goes_out")
    assert (found.is_violated, found.stop, found.why_not) == (True, None, "")
    assert found.trace == Trace(LAMP, TWICE, 0, (ON, OFF))


def test_a_law_is_broken_by_name():
    assert replay(LAMP, TWICE, (ON, OFF), "Light_lifecycle").is_violated
    assert not replay(LAMP, TWICE, (ON,), "Light_lifecycle").is_violated


def test_a_deadlock_is_a_state_without_a_step():
    stuck = (ON, OFF, ON, OFF)
    assert replay(LAMP, TWICE, stuck, "deadlock_free").is_violated
    assert not replay(LAMP, TWICE, stuck[:3], "deadlock_free").is_violated


def test_steps_that_break_nothing_say_so():
    found = replay(LAMP, TWICE, (ON,), "no_light_goes_out")
    assert (found.is_violated, found.why_not) == (
        False,
        "the property holds in every state and step",
    )


def test_a_mended_design_names_the_step_that_it_refuses_and_the_guard():
    mended = LAMP.derive(
        name="fixed", title="It stays on", change=Edit(fence={switch_off: is_stuck})
    )
    found = replay(mended, TWICE, (ON, OFF), "no_light_goes_out")
    assert not found.is_violated
    assert found.why_not == "step 2, switch_off(), is refused by is_stuck"
    assert found.trace.steps == (ON,)


@pytest.mark.parametrize(
    ("steps", "name", "initial", "error"),
    [
        ((Step("switch_of"),), "no_light_goes_out", 0, UnknownName),
        ((ON,), "no_light_goes_on", 0, UnknownName),
        ((Step("switch_on", (("lamp", 1),)),), "no_light_goes_out", 0, DesignError),
        ((ON,), "no_light_goes_out", 1, DesignError),
    ],
)
def test_what_the_design_does_not_have_is_an_error(steps, name, initial, error):
    with pytest.raises(error):
        replay(LAMP, TWICE, steps, name, initial=initial)


WANTS = [Step("worker_wants_lock", (("worker", worker),)) for worker in (0, 1)]
PASSED_OVER = (
    *WANTS,
    Step("worker_takes_lock", (("worker", 1),)),
    Step("worker_frees_lock", (("worker", 1),)),
    WANTS[1],
)


def test_a_lasso_breaks_a_liveness_property_unless_a_fair_step_is_put_off():
    two = mutex.DESIGN.scope("two")
    weak = replay(mutex.DESIGN, two, PASSED_OVER, "first_comes_in", cycle_start=2)
    assert weak.is_violated
    name = "first_comes_in_if_taking_is_strongly_fair"
    strong = replay(mutex.DESIGN, two, PASSED_OVER, name, cycle_start=2)
    assert (strong.is_violated, strong.why_not) == (
        False,
        "worker_takes_lock(worker=0) is put off for ever",
    )


def test_without_a_cycle_a_liveness_property_is_not_broken():
    found = replay(mutex.DESIGN, mutex.DESIGN.scope("two"), PASSED_OVER, "first_comes_in")
    assert (found.is_violated, found.why_not) == (False, "it ends")


def test_a_lasso_that_does_not_close_is_no_counterexample():
    two = mutex.DESIGN.scope("two")
    found = replay(mutex.DESIGN, two, PASSED_OVER[:4], "first_comes_in", cycle_start=2)
    assert (found.is_violated, found.why_not) == (
        False,
        "the steps no longer lead back to state 2",
    )
