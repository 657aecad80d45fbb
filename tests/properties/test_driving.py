"""Driving a design by Hypothesis, on toys."""

import re
import unittest
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings

from tests.properties.toys import CORRIDOR, LAMP, Doors, Evenings, fall
from tests.toys import election, locks
from tests.toys.two_phase_commit import DESIGN, Managers
from tierproof.model.language import (
    Design,
    DesignError,
    Interpreter,
    Scope,
    State,
    Step,
    Trace,
    UnknownName,
)
from tierproof.properties import (
    DRIVING,
    Violation,
    check,
    machine_for,
    reachable_states,
    scopes,
    traces,
)

TWELVE = Managers(resource_managers=12)
STEADY = settings(DRIVING, derandomize=True, database=None)
FEW = settings(STEADY, max_examples=20)
LIGHT_LAW, DARKNESS, DEADLOCK = "Light_lifecycle", "no_light_goes_out", "deadlock_free"


def violation_of(design: Design, scope: Scope, *expected: str) -> Violation:
    with pytest.raises(Violation) as caught:
        check(design, scope, expected_violations=expected, settings=STEADY)
    return caught.value


@cache
def violation_of_haste() -> Violation:
    """Searched and shrunk once."""
    return violation_of(DESIGN.without("all_prepared"), TWELVE, "RmState_lifecycle")


@cache
def violation_of_lamp() -> Violation:
    """The same."""
    return violation_of(LAMP, Evenings(switches=5), LIGHT_LAW)


def test_two_phase_commit_holds_with_twelve_managers():
    driven = check(DESIGN, TWELVE, settings=FEW)
    assert driven.walks >= 20
    assert driven.steps >= driven.distinct_states > 100


def test_a_planted_violation_is_found_and_shrunk_to_the_shortest():
    found = violation_of_haste()
    assert found.name == "no_commit_beside_an_abort"
    assert len(found.trace) == 3


def test_a_deadlock_is_found_where_it_is_claimed_away():
    found = violation_of(locks.DESIGN, locks.Workers(workers=6))
    assert (found.name, len(found.trace)) == (DEADLOCK, 2)
    check(locks.DESIGN.with_only("a_lock_has_one_owner"), locks.Workers(), settings=FEW)


def test_a_violated_lifecycle_names_field_and_edge():
    found = violation_of(LAMP, Evenings(switches=5), DARKNESS, DEADLOCK)
    assert (found.name, len(found.trace)) == (LIGHT_LAW, 2)
    assert "light: ON -> OFF is no edge of Light" in str(found)


def test_a_violated_step_property_ends_with_the_step():
    found = violation_of_lamp()
    assert found.name == DARKNESS
    assert [step.action for step in found.trace.steps] == ["switch_on", "switch_off"]


def test_known_violations_leave_the_other_properties_checked():
    found = violation_of(LAMP, Evenings(switches=2), LIGHT_LAW, DARKNESS)
    assert (found.name, len(found.trace)) == (DEADLOCK, 4)
    check(
        LAMP,
        Evenings(switches=2),
        expected_violations=(LIGHT_LAW, DARKNESS, DEADLOCK),
        settings=FEW,
    )


def test_an_expected_violation_of_an_unknown_property_offers_names():
    with pytest.raises(UnknownName, match="no_light_goes_out"):
        check(LAMP, Evenings(switches=2), expected_violations=("no_light_goes_on",))


def test_the_message_numbers_the_steps_and_can_be_pasted():
    found = violation_of_lamp()
    text = str(found)
    assert "no_light_goes_out (step property) is violated in 'lamp', switches=5" in text
    assert "A light that is on stays on." in text
    assert "   2. switch_off()\n        light: ON -> OFF" in text
    names = {"DESIGN": LAMP, "Evenings": Evenings, "Step": Step, "Trace": Trace}
    exec(text[text.index("trace = ") :], names)
    assert names["trace"] == found.trace


def test_a_found_trace_replays_to_a_state_that_violates():
    found = violation_of_haste()
    interpreter = Interpreter(found.trace.design, TWELVE)
    violated = [len(interpreter.violated_in(state)) for state in found.trace.states]
    assert violated == [0, 0, 0, 1]


@FEW
@given(trace=traces(DESIGN, TWELVE))
def test_no_disabled_step_is_taken(trace: Trace):
    assert len(trace.states) == len(trace) + 1  # replay raises at a step that is not enabled


@FEW
@given(state=reachable_states(DESIGN, Managers(resource_managers=5)))
def test_testing_guards_as_soon_as_they_can_be_loses_no_step(state: State):
    interpreter = Interpreter(DESIGN, Managers(resource_managers=5))
    everything = map(interpreter.steps.step, range(interpreter.steps.count))
    enabled = [step for step in everything if interpreter.is_enabled(state, step)]
    assert interpreter.enabled(state) == enabled


def test_a_spent_budget_disables():
    interpreter = Interpreter(LAMP, Evenings(switches=0))
    assert interpreter.enabled(interpreter.initial_states()[0]) == []


def test_states_outside_the_bounds_are_checked_and_not_left():
    driven = check(CORRIDOR, Doors(doors=1000), settings=FEW)
    assert driven.distinct_states == 4
    assert driven.witnesses == {"third_door_reached"}


def test_actions_that_no_walk_took_are_named():
    driven = check(LAMP.with_only(), Evenings(switches=0), settings=FEW, expected_violations=())
    assert driven.never_taken == ("switch_on", "switch_off")


def test_a_design_at_fault_tells_the_way_to_the_fault():
    faulty = replace(CORRIDOR, system=(fall,), properties=(), bounds=None)
    with pytest.raises(DesignError, match=r"'fall' assigned -1 to place") as caught:
        check(faulty, Doors(doors=10), settings=STEADY)
    assert any(note.count("Step('fall'") == 3 for note in caught.value.__notes__)


@FEW
@given(scope=scopes(Managers))
def test_scopes_stay_within_their_limits(scope: Managers):
    assert 1 <= scope.resource_managers <= 12


def test_a_machine_is_a_test_case_of_its_own():
    machine = machine_for(LAMP, Evenings(switches=3), expected_violations=(LIGHT_LAW,))
    assert machine.__name__ == "LampMachine"
    machine.TestCase.settings = FEW
    result = unittest.TestResult()
    machine.TestCase("runTest").run(result)
    assert len(result.failures) == 1
    assert DARKNESS in result.failures[0][1]


def test_a_violation_shows_a_set_as_a_set():
    found = violation_of(election.DESIGN.without("is_majority"), election.Town())
    assert found.name == "at_most_one_is_elected"
    assert "quorum={" in str(found)
    assert re.search(r"elected: \{[01]\} -> \{0, 1\}", str(found))
