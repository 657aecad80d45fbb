"""The toy design of the constructs: numbers, booleans, enums, arrays and records."""

from collections import Counter
from enum import IntEnum
from typing import Annotated

from tierproof.model.language import (
    Array,
    Bag,
    Index,
    Range,
    Record,
    Scope,
    Sequence,
    Set,
    State,
    bound,
    initial,
)


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


Members = Annotated[set[int], Set(4)]
Palette = Annotated[set[Color], Set(Color)]


class Note(Record):
    """What a sequence holds."""

    size: Annotated[int, Range(-2, 4)]
    color: Color
    to: Members
    cell: Cell


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
    group: Members
    groups: Annotated[list[Members], Array(2)]
    crowd: Annotated[set[int], Set(62)]
    palette: Palette
    line: Annotated[list[Annotated[int, Range(-2, 9)]], Sequence(Bounds.slots)]
    other_line: Annotated[list[Annotated[int, Range(-2, 4)]], Sequence(Bounds.slots)]
    high_line: Annotated[list[Annotated[int, Range(1, 9)]], Sequence(Bounds.slots)]
    lines: Annotated[list[Annotated[list[bool], Sequence(2)]], Array(2)]
    short_line: Annotated[list[Annotated[int, Range(-2, 4)]], Sequence(2)]
    hues: Annotated[list[Color], Sequence(2)]
    notes: Annotated[list[Note], Sequence(3)]
    note: Note
    bag: Annotated[Counter[int], Bag(3, at_most=4)]
    other_bag: Annotated[Counter[int], Bag(3, at_most=4)]
    small_bag: Annotated[Counter[int], Bag(3, at_most=1)]
    hue_bag: Annotated[Counter[Color], Bag(Color, at_most=2)]
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
    collect(state)


def collect(state: Toy) -> None:
    """Sets, sequences and bags depend on the numbers."""
    x, y, state.result = state.x, state.y, 7
    state.group = {number for number in range(4) if (x + number) % 3 == 0 or number == y}
    state.groups[0], state.groups[1] = {abs(y)}, {0, abs(x) % 4}
    state.crowd = {0, 61, 30 + x}
    state.palette = {Color(state.mode), Color(abs(y))}
    for slot in range(abs(x) % 4):
        state.line.append(slot + y)
        state.notes.append(
            Note(size=slot, color=Color(slot % 3), to={slot, abs(y)}, cell=state.cells[slot % 2])
        )
    if state.flag:
        state.hues.append(Color.GREEN)
        state.lines[1].append(x > 0)
        state.high_line.append(2)
        state.other_line.append(y)
        state.short_line.append(2)
        state.hue_bag[Color.BLUE] += 1
    state.note.size, state.note.to = y, state.group
    state.bag[abs(y)] += 1
    state.bag[0] += abs(x) % 3
    state.other_bag[abs(y)] = state.bag[0]


def double(number: int) -> int:
    """Twice a number."""
    return 2 * number


def ticked(state: Toy) -> int:
    """`number`, which counts up to 9 and begins at 0 again, after one more tick."""
    state.number = 0 if state.number == 9 else state.number + 1
    return state.number
