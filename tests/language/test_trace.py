"""A Trace is an initial state and steps; replaying it is the only way to its states."""

from enum import IntEnum
from typing import Annotated, Any

import pytest

from tierproof.model.language import (
    Design,
    DesignError,
    Range,
    Scope,
    State,
    Step,
    Trace,
    UnknownName,
    action,
    bound,
    guard,
    initial,
)
from tierproof.model.language.errors import NonDeterministic


class Dial(Scope):
    hours: int = bound(2, 24, default=4)


class Hand(IntEnum):
    SHORT = 0
    LONG = 1


class Clock(State):
    hour: Annotated[int, Range(0, Dial.hours - 1)]
    hand: Hand
    is_set: bool


@initial
def any_hour(state: Clock, hour: Annotated[int, Range(0, Dial.hours - 1)]) -> None:
    """Each hour."""
    state.hour = hour


@guard
def is_set(state: Clock) -> bool:
    """Somebody has set the clock."""
    return state.is_set


@action(guards=[is_set])
def clock_ticks(state: Clock, scope: Dial) -> None:
    """The next hour."""
    state.hour = (state.hour + 1) % scope.hours


@action()
def owner_sets_clock(state: Clock, hand: Hand, whole: bool) -> None:
    """Set a hand."""
    state.hand = hand
    state.is_set = whole


ENTRIES: dict[str, Any] = {
    "name": "clock",
    "title": "A clock",
    "state": Clock,
    "initial": (any_hour,),
    "system": (clock_ticks, owner_sets_clock),
    "scopes": {"four": Dial()},
}
DESIGN = Design(**ENTRIES)

TICK = Step("clock_ticks")
SET = Step("owner_sets_clock", (("hand", Hand.LONG), ("whole", True)))


def trace(*steps: Step, start: int = 0, design: Design = DESIGN) -> Trace:
    """A behaviour of the clock."""
    return Trace(design, Dial(), start, steps)


# -- replay


def test_a_replay_passes_the_initial_state_and_one_state_a_step():
    behaviour = trace(SET, TICK, TICK, start=2)
    assert [state.leaves for state in behaviour.states] == [
        (2, 0, 0),
        (2, 1, 1),
        (3, 1, 1),
        (0, 1, 1),
    ]
    assert len(behaviour) == 3


def test_an_empty_trace_is_its_initial_state():
    assert [state.leaves for state in trace(start=3).states] == [(3, 0, 0)]


def test_moves_are_steps_between_the_states_before_and_after():
    behaviour = trace(SET, TICK)
    assert list(behaviour.moves()) == [
        (SET, behaviour.states[0], behaviour.states[1]),
        (TICK, behaviour.states[1], behaviour.states[2]),
    ]


# -- traces that do not replay


def test_a_step_that_is_not_enabled_is_named_with_its_number_and_the_likely_cause():
    with pytest.raises(NonDeterministic) as raised:
        _ = trace(SET, TICK, Step("owner_sets_clock", (("hand", 0), ("whole", 0))), TICK).states
    text = str(raised.value)
    assert "step 4 of the trace, clock_ticks(), is not enabled on replay" in text
    assert "Likely cause: A guard or an effect depends on something outside the state" in text


IS_WOUND = True


def test_a_design_that_depends_on_something_outside_its_state_is_found_out(monkeypatch):
    @guard
    def is_wound(state: Clock) -> bool:
        """A global that changes."""
        return IS_WOUND

    moody = Design(**{**ENTRIES, "system": (clock_ticks.with_guards([is_wound]),)})
    assert trace(TICK, design=moody).states[1].leaves == (1, 0, 0)
    monkeypatch.setitem(globals(), "IS_WOUND", False)
    with pytest.raises(NonDeterministic, match="step 1 of the trace"):
        _ = trace(TICK, design=moody).states


def test_an_ablated_design_replays_what_the_fenced_one_does_not():
    assert len(trace(TICK, design=DESIGN.without("is_set")).states) == 2
    with pytest.raises(NonDeterministic):
        _ = trace(TICK).states


def test_a_step_of_an_unknown_action_offers_the_closest():
    with pytest.raises(UnknownName, match="unknown action 'clock_tick': did you mean clock_ticks"):
        _ = trace(SET, Step("clock_tick")).states


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "does not give the parameters of 'owner_sets_clock'"),
        ((("hand", 2), ("whole", 0)), "hand is outside Hand"),
    ],
)
def test_a_step_with_other_arguments_is_refused(arguments, message):
    with pytest.raises(DesignError, match=message):
        _ = trace(Step("owner_sets_clock", arguments)).states


@pytest.mark.parametrize("start", [-1, 4])
def test_an_initial_state_that_the_design_has_not_is_refused(start):
    with pytest.raises(DesignError, match=f"initial state {start}, of which 'clock' has 4"):
        _ = trace(start=start).states


# -- as source text


@pytest.mark.parametrize("steps", [(), (SET,), (SET, TICK, TICK)])
def test_the_printed_steps_can_be_pasted_into_a_test(steps):
    behaviour = trace(*steps, start=1)
    pasted = eval(behaviour.as_python(), {"Step": Step})
    assert pasted == behaviour.steps
    assert trace(*pasted, start=1).states == behaviour.states


def test_the_printed_steps_are_one_a_line():
    assert trace(SET, TICK).as_python().splitlines() == [
        "(",
        "    Step('owner_sets_clock', (('hand', 1), ('whole', 1),)),",
        "    Step('clock_ticks', ()),",
        ")",
    ]
