"""Invariants are asked of states, step properties of steps; a premise says where one bites."""

from typing import Any

import pytest

from model.language import (
    State,
    guard,
    invariant,
    step_property,
)
from tests.language.walk import (
    Lane,
    Walk,
    somewhere,
    walk,
)


@guard
def has_turned(state: Walk) -> bool:
    """The premise: the walker has turned."""
    return state.turned


@invariant()
def stays_at_home(state: Walk) -> bool:
    """The walker is at the first place."""
    return state.at == 0


@invariant(premise=has_turned)
def is_far_once_turned(state: Walk, scope: Lane) -> bool:
    """Who has turned is at the end of the scope."""
    return state.at == scope.places - 1


@step_property()
def never_jumps(before: Walk, after: Walk) -> bool:
    """A step leads to a neighbouring place."""
    return abs(after.at - before.at) <= 1


@step_property()
def never_leaves_the_end(before: Walk, after: Walk, scope: Lane) -> bool:
    """The end is the end."""
    return before.at < scope.places - 1 or after.at == before.at


CHECKED = walk(
    start=(somewhere,),
    properties=(stays_at_home, is_far_once_turned, never_jumps, never_leaves_the_end),
)


def at(place: int, turned: bool) -> State:
    """That state of the walk."""
    return next(s for s in CHECKED.initial_states() if s.leaves == (place, int(turned)))


def names(properties: list[Any]) -> list[str]:
    """Their names."""
    return [entry.name for entry in properties]


@pytest.mark.parametrize(
    ("place", "turned", "violated"),
    [
        (0, False, []),
        (1, False, ["stays_at_home"]),
        (1, True, ["stays_at_home", "is_far_once_turned"]),
        (0, True, ["is_far_once_turned"]),
        (2, True, ["stays_at_home"]),
    ],
)
def test_an_invariant_bites_where_its_premise_holds(place, turned, violated):
    assert names(CHECKED.violated_in(at(place, turned))) == violated


@pytest.mark.parametrize(
    ("before", "after", "violated"),
    [
        (0, 1, []),
        (0, 2, ["never_jumps"]),
        (2, 1, ["never_leaves_the_end"]),
        (2, 0, ["never_jumps", "never_leaves_the_end"]),
        (2, 2, []),
    ],
)
def test_a_step_property_is_asked_of_the_states_before_and_after(before, after, violated):
    assert names(CHECKED.violated_by(at(before, False), at(after, False))) == violated
