"""Shelves on which boxes stand: every construct that an explanation divides, in a few functions."""

from enum import IntEnum
from typing import Annotated

from tierproof.model.language import (
    NONE,
    Array,
    Budget,
    Design,
    Index,
    Lifecycle,
    Range,
    Record,
    Scope,
    Set,
    State,
    action,
    bound,
    deadlock_free,
    guard,
    initial,
    invariant,
    liveness,
    step_property,
)


class Bounds(Scope):
    shelves: int = bound(1, 20, default=3)
    falls: int = bound(0, 2, default=1)


class Colour(IntEnum):
    RED = 0
    BLUE = 1


class Light(IntEnum):
    OFF = 0
    ON = 1
    BROKEN = 2


LIGHT = Lifecycle(
    Light, [("switch", Light.OFF, Light.ON), ("fall", (Light.OFF, Light.ON), Light.BROKEN)]
)

Shelf = Annotated[int, Index(Bounds.shelves)]


class Board(Record):
    low: Annotated[int, Range(0, 9)]
    high: Annotated[int, Range(0, 9)]
    colour: Colour
    is_full: bool


class Room(State):
    board: Annotated[list[Board], Array(Bounds.shelves)]
    best: Annotated[int, Index(Bounds.shelves, optional=True)]
    marked: Annotated[set[int], Set(Bounds.shelves)]
    light: Light
    key: Annotated[int, Range(0, 30)]
    falls: Annotated[int, Budget(Bounds.falls)]


@initial
def empty(state: Room) -> None:
    """All is empty."""


@guard
def is_light(state: Room) -> bool:
    """The light is on."""
    return state.light == Light.ON


@guard
def is_dark(state: Room) -> bool:
    """The light is off."""
    return state.light == Light.OFF


@guard
def has_best(state: Room) -> bool:
    """A shelf is the best."""
    return state.best != NONE


@guard
def best_is_full(state: Room) -> bool:
    """The best shelf is full."""
    return state.board[state.best].is_full


@guard
def is_free(state: Room, shelf: Shelf) -> bool:
    """There is room on the shelf."""
    return not state.board[shelf].is_full


@guard
def best_is_full_and_light(state: Room) -> bool:
    """The best shelf is full, and one sees it."""
    if state.best == NONE:
        return False
    return state.board[state.best].is_full and state.light == Light.ON


@guard
def has_full_blue_board(state: Room) -> bool:
    """A board is full and blue."""
    for n in range(len(state.board)):
        if not state.board[n].is_full:
            continue
        if state.board[n].colour == Colour.BLUE:
            return True
    return False


@action(guards=[is_dark])
def light_goes_on(state: Room) -> None:
    """Switch it on."""
    state.light = Light.ON


@action(guards=[is_light, is_free])
def shelf_fills(state: Room, shelf: Shelf) -> None:
    """Fill a shelf."""
    state.board[shelf].is_full = True
    state.board[shelf].high = 1


@action(guards=[has_best, best_is_full])
def best_falls(state: Room) -> None:
    """Empty the best shelf."""
    state.board[state.best].is_full = False


@action(budget="falls")
def light_breaks(state: Room) -> None:
    """It breaks."""
    state.light = Light.BROKEN


@invariant()
def no_board_is_full(state: Room) -> bool:
    """No board is full."""
    return all(not board.is_full for board in state.board)


@invariant(premise=is_light)
def bounds_are_in_order(state: Room) -> bool:
    """Low is at most high."""
    return all(b.low <= b.high for b in state.board)


@step_property()
def no_board_fills(before: Room, after: Room) -> bool:
    """A board that is not full stays so."""
    for n in range(len(after.board)):
        if after.board[n].is_full and not before.board[n].is_full:
            return False
    return True


@liveness(weak=["shelf_fills"])
def first_is_full(state: Room) -> bool:
    """The first shelf is full again and again."""
    return state.board[0].is_full


DESIGN = Design(
    name="shelves",
    title="Shelves",
    state=Room,
    initial=(empty,),
    system=(light_goes_on, shelf_fills, best_falls),
    environment=(light_breaks,),
    properties=(
        no_board_is_full,
        bounds_are_in_order,
        no_board_fills,
        first_is_full,
        deadlock_free,
    ),
    words={"key": lambda design, scope, number: f"key number {number}"},
    scopes={"three": Bounds()},
)
SCOPE = DESIGN.scope("three")


# -- functions to be explained


def both(state: Room) -> bool:
    return state.key > 5 and state.light == Light.ON and not state.board[0].is_full


def behind_a_guard(state: Room) -> bool:
    return state.best != NONE and state.board[state.best].colour == Colour.BLUE


def either(state: Room) -> bool:
    return state.key > 5 or state.light == Light.ON


def implied(state: Room) -> bool:
    return not state.board[0].is_full or state.key in (4, 5)


def chained(state: Room) -> bool:
    return 0 <= state.board[0].low < state.board[0].high <= 9


def conditional(state: Room) -> bool:
    return state.key > 5 if state.light == Light.ON else state.key < 5


def high_of(board: Board) -> int:
    return board.high


def every(state: Room) -> bool:
    return all(n < high_of(state.board[n]) for n in range(len(state.board)))


def some_marked(state: Room) -> bool:
    return any(state.board[n].is_full for n in range(len(state.board)) if n in state.marked)


def least_above(state: Room, low: int) -> int:
    for n in range(len(state.board)):
        if state.board[n].high > low:
            return n
    return NONE


def found_one(state: Room) -> bool:
    found = least_above(state, 3)
    if found == NONE:
        return False
    return not state.board[found].is_full


def is_some_full(state: Room) -> bool:
    for n in range(len(state.board)):
        if state.board[n].is_full:
            return True
    return state.key == 30


def at_most_one(state: Room) -> bool:
    count = 0
    for n in range(len(state.board)):
        if not state.board[n].is_full:
            continue
        if state.board[n].colour == Colour.BLUE:
            count += 1
    return count <= 1


def is_below(low: int, most: int = 4) -> bool:
    return low < most


def low_is_below(state: Room) -> bool:
    return is_below(state.board[1].low)


def divides(state: Room) -> bool:
    return 6 // state.key > 2
