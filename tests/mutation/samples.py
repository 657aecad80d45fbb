"""A design with a piece of each kind that a mutation operator changes."""

from enum import IntEnum
from typing import Annotated

from tierproof.model.language import (
    Array,
    Design,
    Index,
    Range,
    Scope,
    State,
    action,
    bound,
    guard,
    initial,
    invariant,
)

START = 0


class Shelf(Scope):
    places: int = bound(1, 3, default=2)


Place = Annotated[int, Index(Shelf.places)]


class Colour(IntEnum):
    WHITE = 0
    RED = 1
    BLUE = 2


class Books(State):
    colour: Annotated[list[Colour], Array(Shelf.places)]
    count: Annotated[int, Range(0, 3)]
    is_locked: bool


@initial
def empty(state: Books) -> None:
    """No book."""


@guard
def has_room(state: Books, place: Place) -> bool:
    """There is room."""
    return (
        state.count < 2
        and state.colour[place] == Colour.WHITE
        and not state.is_locked
        and state.count >= 0
    )


def painted(state: Books, place: int, colour: Colour) -> int:
    """How many books there are then."""
    if colour == Colour.RED and place >= START:
        return max(state.count + 1, 1)
    return state.count + 1 if any(one == Colour.WHITE for one in state.colour) else 3


@action(guards=[has_room])
def add_book(state: Books, place: Place) -> None:
    """A book is put there."""
    state.colour[place] = Colour.RED
    state.count = painted(state, place, Colour.RED)


@guard
def is_full(state: Books) -> bool:
    """All places have books."""
    return state.count == 2


@action(guards=[is_full])
def lock(state: Books) -> None:
    """The shelf is closed."""
    state.is_locked = True
    state.count += 1


@invariant()
def few_books(state: Books) -> bool:
    """There are not more books than the shelf holds, but for the lock."""
    return state.count <= 2 or state.is_locked


DESIGN = Design(
    name="shelf",
    title="A shelf",
    state=Books,
    initial=(empty,),
    system=(add_book, lock),
    properties=(few_books,),
    scopes={"two": Shelf(places=2), "three": Shelf(places=3)},
)
