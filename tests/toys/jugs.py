"""The water jugs: get 4 gallons with a 3-gallon and a 5-gallon jug.

Known: 16 states, six steps to 4 gallons. Every filling is offered in every state, so that
97 states are generated, the initial one included.
"""

from typing import Annotated

from tierproof.model.language import (
    Design,
    Range,
    Scope,
    State,
    action,
    bound,
    initial,
    invariant,
    witness,
)


class Jugs(Scope):
    small: int = bound(1, 50, default=3, unit="gallons")
    big: int = bound(1, 50, default=5, unit="gallons")


class Water(State):
    small: Annotated[int, Range(0, Jugs.small)]
    big: Annotated[int, Range(0, Jugs.big)]


@initial
def both_empty(state: Water) -> None:
    """No water yet."""


@action(stutters=True)
def fill_small(state: Water, scope: Jugs) -> None:
    """Fill the small jug."""
    state.small = scope.small


@action(stutters=True)
def fill_big(state: Water, scope: Jugs) -> None:
    """Fill the big jug."""
    state.big = scope.big


@action(stutters=True)
def empty_small(state: Water) -> None:
    """Pour the small jug out."""
    state.small = 0


@action(stutters=True)
def empty_big(state: Water) -> None:
    """Pour the big jug out."""
    state.big = 0


@action(stutters=True)
def small_to_big(state: Water, scope: Jugs) -> None:
    """Pour until the small jug is empty or the big one full."""
    poured = min(state.small, scope.big - state.big)
    state.small = state.small - poured
    state.big = state.big + poured


@action(stutters=True)
def big_to_small(state: Water, scope: Jugs) -> None:
    """Pour until the big jug is empty or the small one full."""
    poured = min(state.big, scope.small - state.small)
    state.big = state.big - poured
    state.small = state.small + poured


@invariant()
def never_four(state: Water) -> bool:
    """The big jug never holds 4 gallons. (It can: this is the puzzle.)"""
    return state.big != 4


@invariant()
def water_fits(state: Water) -> bool:
    """No jug holds more than 50 gallons."""
    return state.small <= 50 and state.big <= 50


@witness()
def both_full(state: Water, scope: Jugs) -> bool:
    """Both jugs can be full."""
    return state.small == scope.small and state.big == scope.big


DESIGN = Design(
    name="jugs",
    title="The water jugs",
    state=Water,
    initial=(both_empty,),
    system=(fill_small, fill_big, empty_small, empty_big, small_to_big, big_to_small),
    properties=(never_four, water_fits),
    witnesses=(both_full,),
    scopes={"three_and_five": Jugs()},
)
