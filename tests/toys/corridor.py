"""A walker in a corridor that goes on beyond the scope: what a limit hides is not judged."""

from typing import Annotated

from tierproof.model.language import (
    Array,
    Design,
    Index,
    Scope,
    State,
    action,
    bound,
    guard,
    initial,
    limit,
    liveness,
)


class Corridor(Scope):
    places: int = bound(2, 9, default=3)


Place = Annotated[int, Index(Corridor.places)]


class Walker(State):
    at: Place
    is_open: Annotated[list[bool], Array(Corridor.places)]


@initial
def at_start(state: Walker, closed: Place, scope: Corridor) -> None:
    """All doors are open but one; the first place has none."""
    for place in range(scope.places):
        state.is_open[place] = place == 0 or place != closed


@limit
def corridor_goes_on(state: Walker, scope: Corridor) -> bool:
    """The scope has a place more."""
    return state.at + 1 < scope.places


@guard
def next_door_is_open(state: Walker) -> bool:
    """The door of the next place is open; asked where there is none, it raises."""
    return state.is_open[state.at + 1]


@action(guards=[corridor_goes_on, next_door_is_open], actor="walker")
def walker_walks(state: Walker) -> None:
    """One place on."""
    state.at = state.at + 1


@liveness()
def walker_arrives(state: Walker, scope: Corridor) -> bool:
    """The walker leaves the corridor. (It is longer than any scope.)"""
    return state.at >= scope.places


@liveness()
def next_place_can_be_seen(state: Walker) -> bool:
    """Raises at the end of the corridor."""
    return state.is_open[state.at + 1]


DESIGN = Design(
    name="corridor",
    title="A corridor",
    state=Walker,
    initial=(at_start,),
    system=(walker_walks,),
    properties=(walker_arrives,),
    scopes={"three": Corridor()},
)
