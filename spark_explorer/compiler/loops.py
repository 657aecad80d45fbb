"""Loops as LLVM blocks: over a range, the elements of an array, or the items of a tuple."""

from __future__ import annotations

from collections.abc import Callable

from tierproof.model.language.reading import collected, tree
from tierproof.model.language.reading.types import ArrayType, BagType, SequenceType, TupleType
from tierproof.spark_explorer.compiler.collecting import lowest_of, place_in_sequence
from tierproof.spark_explorer.compiler.frame import Frame, Value
from tierproof.spark_explorer.compiler.values import coerced, read_place

Turn = Callable[[Value, str, str], None]
"""Compiles a loop's body from the value, the block of the next iteration and the exit."""
BETWEEN_LOOKS = 64
"""A range looks each so many numbers whether somebody asks it to end; a power of two."""


def loop_over(frame: Frame, source: tree.Iteration, turn: Turn) -> None:
    """Compile a loop; the current block is then the one after the loop."""
    if isinstance(source, tree.Count):
        _count(frame, source, turn)
    elif isinstance(source, tree.Over):
        _over(frame, source, turn)
    elif isinstance(source, collected.Ascending):
        _ascending(frame, source, turn)
    elif isinstance(source, collected.InTurn):
        _in_turn(frame, source, turn)
    elif isinstance(source, collected.Distinct):
        _distinct(frame, source, turn)
    else:
        _each(frame, source, turn)


def _count(frame: Frame, source: tree.Count, turn: Turn) -> None:
    spot = None if _is_short(frame, source) else source.spot
    start, stop = frame.number(source.start), frame.number(source.stop)
    counting(frame, start, stop, source.step, turn, spot)


def _is_short(frame: Frame, source: tree.Count) -> bool:
    """Whether a range has at most BETWEEN_LOOKS numbers in every scope."""
    ends = [_limits(frame, source.start), _limits(frame, source.stop)]
    numbers = [number for end in ends if end is not None for number in end]
    return None not in ends and max(numbers) - min(numbers) <= BETWEEN_LOOKS


def _limits(frame: Frame, end: tree.Expression) -> tuple[int, int] | None:
    """The least and the greatest value of an end of a range, None if it is computed."""
    if isinstance(end, tree.Constant):
        return end.value, end.value
    if isinstance(end, tree.Bound):
        declared = frame.sizes.scope.bounds[end.name]
        return declared.low, declared.high
    if isinstance(end, tree.Length) and isinstance(end.whole.type, ArrayType):
        return 0, frame.sizes.length(end.whole.type)
    return None


def counting(
    frame: Frame,
    start: str,
    stop: str,
    step: int,
    turn: Callable[[str, str, str], None],
    spot: tree.Spot | None = None,
) -> None:
    """Compile a loop over numbers that are fixed when it begins; at `spot` if it may be long."""
    writer = frame.writer
    place = writer.slot("i64")
    writer.store(start, place)
    head, inside, following, end = (writer.label() for _ in range(4))
    writer.begin(head)
    number = writer.load(place)
    sign = "slt" if step > 0 else "sgt"
    writer.branch(writer.value(f"icmp {sign} i64 {number}, {stop}"), inside, end)
    writer.begin(inside)
    if spot is not None:
        _look(frame, number, step, spot)
    turn(number, following, end)
    writer.begin(following)
    number = writer.load(place)
    if step in (1, -1):  # the number has not reached the stop, so one step cannot overflow
        writer.store(writer.value(f"add nsw i64 {number}, {step}"), place)
        writer.jump(head)
    else:
        both = writer.value(
            f"call {{ i64, i1 }} @llvm.sadd.with.overflow.i64(i64 {number}, i64 {step})"
        )
        writer.store(writer.value(f"extractvalue {{ i64, i1 }} {both}, 0"), place)
        writer.branch(writer.value(f"extractvalue {{ i64, i1 }} {both}, 1"), end, head)
    writer.begin(end)


def _look(frame: Frame, number: str, step: int, spot: tree.Spot) -> None:
    """See now and then whether somebody asks the loop to end."""
    writer = frame.writer
    if frame.module.is_plain:
        return
    look, on = writer.label(), writer.label()
    digits = writer.value(f"and i64 {number}, {BETWEEN_LOOKS - 1}")
    is_time = (
        f"icmp eq i64 {digits}, {BETWEEN_LOOKS - 1}" if step in (1, -1) else "icmp eq i64 0, 0"
    )
    writer.branch(writer.value(is_time), look, on)
    writer.begin(look)
    frame.stop_if_asked(spot)
    writer.begin(on)


def _over(frame: Frame, source: tree.Over, turn: Turn) -> None:
    array, writer = frame.single(source.array), frame.writer
    kind = source.array.type
    assert isinstance(kind, ArrayType)
    size = frame.sizes.of(kind.element)

    def element(index: str, following: str, end: str) -> None:
        place = index if size == 1 else writer.value(f"mul i64 {index}, {size}")
        turn(read_place(frame, writer.ahead(array, place), kind.element), following, end)

    counting(frame, "0", str(frame.sizes.length(kind)), 1, element)


def _each(frame: Frame, source: tree.Each, turn: Turn) -> None:
    kind = source.whole.type
    assert isinstance(kind, TupleType)
    pairs = zip(frame.parts(source.whole), kind.items, strict=True)
    values = [coerced(frame, value, item, source.type) for value, item in pairs]
    end = frame.writer.label()
    for value in values:
        following = frame.writer.label()
        turn(value, following, end)
        frame.writer.begin(following)
    frame.writer.begin(end)


def _ascending(frame: Frame, source: collected.Ascending, turn: Turn) -> None:
    """Compile a loop over members, from the lowest bit up."""
    writer = frame.writer
    rest = writer.slot("i64")
    writer.store(frame.single(source.members), rest)
    head, inside, end = (writer.label() for _ in range(3))
    writer.begin(head)
    bits = writer.load(rest)
    writer.branch(writer.value(f"icmp ne i64 {bits}, 0"), inside, end)
    writer.begin(inside)
    less = writer.value(f"sub i64 {bits}, 1")
    writer.store(writer.value(f"and i64 {bits}, {less}"), rest)
    turn(lowest_of(frame, bits), head, end)
    writer.jump(head)
    writer.begin(end)


def _in_turn(frame: Frame, source: collected.InTurn, turn: Turn) -> None:
    """Compile a loop over a sequence; its length is read before each iteration, as in CPython."""
    writer, kind = frame.writer, source.sequence.type
    assert isinstance(kind, SequenceType)
    sequence, place = frame.single(source.sequence), writer.slot("i64")
    writer.store("0", place)
    head, inside, following, end = (writer.label() for _ in range(4))
    writer.begin(head)
    index = writer.load(place)
    is_more = writer.value(f"icmp slt i64 {index}, {writer.load(sequence)}")
    writer.branch(is_more, inside, end)
    writer.begin(inside)
    element = place_in_sequence(frame, sequence, kind, index)
    turn(read_place(frame, element, kind.element), following, end)
    writer.begin(following)
    number = writer.load(place)
    writer.store(writer.value(f"add nsw i64 {number}, 1"), place)
    writer.jump(head)
    writer.begin(end)


def _distinct(frame: Frame, source: collected.Distinct, turn: Turn) -> None:
    bag, writer, kind = frame.single(source.bag), frame.writer, source.bag.type
    assert isinstance(kind, BagType)

    def member(number: str, following: str, end: str) -> None:
        there = writer.label()
        count = writer.load(writer.ahead(bag, number))
        writer.branch(writer.value(f"icmp ne i64 {count}, 0"), there, following)
        writer.begin(there)
        turn(number, following, end)

    counting(frame, "0", str(frame.sizes.members(kind)), 1, member)
