"""A lamp that is switched on and off: each kind of edit of one slot, for the table of pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from tierproof.model.language import (
    Design,
    Range,
    Scope,
    State,
    action,
    bound,
    guard,
    initial,
    invariant,
)


class House(Scope):
    """How bright a lamp may be."""

    brightest: int = bound(1, 3, default=2)


class Lamp(State):
    """How bright it is."""

    light: Annotated[int, Range(0, House.brightest)]


def next_light(state: Lamp) -> int:
    """One more."""
    return state.light + 1


def less_light(state: Lamp) -> int:
    """What is there already."""
    return max(state.light, 1)


@guard
def is_not_brightest(state: Lamp, scope: House) -> bool:
    """It can be brighter."""
    return state.light < scope.brightest


@guard
def is_dim(state: Lamp) -> bool:
    """It is not bright yet."""
    return state.light < 1


@guard
def is_off(state: Lamp) -> bool:
    """It is dark."""
    return state.light == 0


@guard
def is_night(state: Lamp) -> bool:
    """Nobody wants it darker."""
    return state.light >= 0


@initial
def lamp_is_off(state: Lamp) -> None:
    """Dark."""


@action(guards=[is_not_brightest])
def lamp_is_turned(state: Lamp) -> None:
    """Turn it brighter."""
    state.light = next_light(state)


@action(guards=[is_off, is_not_brightest])
def lamp_flickers(state: Lamp) -> None:
    """Go on by itself."""
    state.light = 1


@action(stutters=True)
def lamp_is_switched_off(state: Lamp) -> None:
    """Dark at once."""
    state.light = 0


@invariant()
def light_is_no_debt(state: Lamp) -> bool:
    """It is dark, or bright."""
    return state.light >= 0


def turn_off(state: Lamp) -> None:
    """Turn it off instead."""
    state.light = 0


def dim(state: Lamp) -> None:
    """A little darker."""
    state.light = max(state.light - 1, 0)


@action(guards=[is_not_brightest])
def another_turn(state: Lamp) -> None:
    """Turn it to the end."""
    state.light = max(next_light(state), 1)


DESIGN = Design(
    name="lamp",
    title="A lamp",
    state=Lamp,
    initial=(lamp_is_off,),
    system=(lamp_is_turned, lamp_is_switched_off),
    environment=(lamp_flickers,),
    properties=(light_is_no_debt,),
    scopes={"house": House()},
)


def requests() -> dict[str, dict[str, Any]]:
    """Each kind of request of the slot `lamp_is_turned`, as the fields of an Edit."""
    other = replace(another_turn, name="lamp_is_turned")
    return {
        "drop": {"drop": (lamp_is_turned,)},
        "move": {"drop": (lamp_is_turned,), "add_environment": (lamp_is_turned,)},
        "swap": {"drop": (lamp_is_turned,), "add_system": (other,)},
        "effect": {"effect": {lamp_is_turned: turn_off}},
        "first": {"first": {lamp_is_turned: dim}},
        "also": {"also": {lamp_is_turned: dim}},
        "fence": {"fence": {lamp_is_turned: is_dim}},
        "unfence": {"unfence": {lamp_is_turned: is_not_brightest}},
        "stutters": {"stutters": (lamp_is_turned,)},
        "test": {"test": {is_not_brightest: is_night}},
        "drop guard": {"drop": (is_not_brightest,)},
        "define": {"define": {next_light: less_light}},
    }
