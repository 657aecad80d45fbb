"""A house with doors, for the tests of the names that stand in a design."""

from enum import IntEnum
from typing import Annotated, Any

from tierproof.model.language import (
    Budget,
    Design,
    Index,
    Lifecycle,
    Range,
    Scope,
    State,
    action,
    bound,
    initial,
    invariant,
)


class Size(Scope):
    doors: int = bound(1, 3, default=2)


class Way(IntEnum):
    SHUT = 0
    OPEN = 1


class Phase(IntEnum):
    IDLE = 0
    BUSY = 1
    DONE = 2


PHASE = Lifecycle(Phase, [("crash", (Phase.BUSY, Phase.DONE), Phase.IDLE)])
Door = Annotated[int, Index(Size.doors)]


class House(State):
    visitors: Annotated[int, Range(0, 3)]
    knocks: Annotated[int, Budget(2)]
    phase: Phase


@initial
def empty(state: House) -> None:
    """Nobody."""


@action(budget="knocks", actor="visitor at {door}")
def visitor_enters(state: House, door: Door) -> None:
    """One more."""
    state.visitors = min(3, state.visitors + 1)


@action()
def visitor_leaves(state: House, through: Door) -> None:
    """One less."""
    state.visitors = max(0, state.visitors - 1)


@invariant()
def has_room(state: House) -> bool:
    """There is room."""
    return state.visitors <= 3


def house(**changed: Any) -> Design:
    given: dict[str, Any] = {
        "name": "house",
        "title": "A house",
        "state": House,
        "initial": (empty,),
        "system": (visitor_enters, visitor_leaves),
        "properties": (has_room,),
        "scopes": {"two": Size(), "three": Size(doors=3)},
    }
    return Design(**{**given, **changed})
