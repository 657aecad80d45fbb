"""The toy that the constructs speak of: numbers, truths, enums, arrays and records."""

from enum import IntEnum
from typing import Annotated

from tierproof.model.language import Array, Index, Range, Record, Scope, State, bound, initial


class Bounds(Scope):
    """One bound that sizes an array, and one that nothing but constructs reads."""

    slots: int = bound(1, 5, default=3)
    most: int = bound(1, 9, default=4)


class Mode(IntEnum):
    """What a field holds."""

    OFF = 0
    ON = 1
    BROKEN = 2


class Color(IntEnum):
    """Another enum of the same numbers; CRIMSON is RED."""

    RED = 0
    GREEN = 1
    BLUE = 2
    CRIMSON = 0


class Gap(IntEnum):
    """Numbers that no field could hold: with gaps, and below 0."""

    LOW = -3
    HIGH = 5


class Cell(Record):
    """A record."""

    size: Annotated[int, Range(0, 4)]
    is_open: bool


class Tag(Record):
    """Another record, which has a `size` too."""

    size: Annotated[int, Range(-9, 9)]
    color: Color


class Box(Record):
    """A record of a record and an array."""

    cell: Cell
    marks: Annotated[list[Annotated[int, Range(0, 9)]], Array(2)]


class Toy(State):
    """The constructs read `x`, `y`, `flag` and `mode` and write all else. `turn` is the stage's."""

    turn: Annotated[int, Range(0, 255)]
    x: Annotated[int, Range(-4, 4)]
    y: Annotated[int, Range(-2, 2)]
    flag: bool
    mode: Mode
    number: Annotated[int, Range(-9, 9)]
    truth: bool
    color: Color
    row: Annotated[list[Annotated[int, Range(0, 4)]], Array(Bounds.slots)]
    wide: Annotated[list[Annotated[int, Range(-9, 9)]], Array(3)]
    short: Annotated[list[Annotated[int, Range(0, 4)]], Array(2)]
    grid: Annotated[list[list[Annotated[int, Range(0, 9)]]], Array(2, 3)]
    truths: Annotated[list[bool], Array(2)]
    modes: Annotated[list[Mode], Array(2)]
    cells: Annotated[list[Cell], Array(2)]
    tag: Tag
    box: Box
    result: Annotated[int, Range(-(10**9), 10**9)]


AnyX = Annotated[int, Range(-4, 4)]
AnyY = Annotated[int, Range(-2, 2)]
Slot = Annotated[int, Index(2)]

LIMIT = 3
PRIMES = (2, 3, 5, 7)
GRID = ((1, 2, 3), (4, 5, 6))


@initial
def every_valuation(state: Toy, x: AnyX, y: AnyY, mode: Mode) -> None:
    """Any three of what the constructs read in every combination; the rest depends on it."""
    flag = (x + y + mode) % 2 == 1
    state.x, state.y, state.flag, state.mode = x, y, flag, mode
    state.number, state.truth, state.color = x - y, not flag, Color(2 - mode)
    state.truths[0], state.truths[1] = flag, x > y
    state.modes[0], state.modes[1] = mode, Mode(abs(x) % 3)
    for slot in range(3):
        state.row[slot] = (x + slot) % 5
        state.wide[slot] = x - slot
        state.grid[0][slot], state.grid[1][slot] = slot, (y + slot) % 10
    for slot in range(2):
        state.short[slot] = abs(y)
        state.cells[slot].size, state.cells[slot].is_open = abs(x) * slot, flag
        state.box.marks[slot] = 4 + slot + x
    state.tag.size, state.tag.color = y, Color.BLUE
    state.box.cell.size = abs(y)


def double(number: int) -> int:
    """Twice a number."""
    return 2 * number


def ticked(state: Toy) -> int:
    """`number`, which counts up to 9 and begins at 0 again, after one more tick."""
    state.number = 0 if state.number == 9 else state.number + 1
    return state.number
