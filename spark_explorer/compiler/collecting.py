"""Sets as bits, sequences and bags as leaves, and records that are values as their parts."""

from __future__ import annotations

from tierproof.model.language.members import MOST_MEMBERS
from tierproof.model.language.reading import collected, tree
from tierproof.model.language.reading.types import (
    BagType,
    MadeType,
    SequenceType,
    SetType,
    Type,
    value_type,
)
from tierproof.spark_explorer.compiler.faults import FaultKind
from tierproof.spark_explorer.compiler.frame import Frame, Value, parts_in, single
from tierproof.spark_explorer.compiler.values import coerced, read_place

COUNT_BITS = "declare i64 @llvm.ctpop.i64(i64)"
HIGHEST_BIT = "declare i64 @llvm.ctlz.i64(i64, i1)"
LOWEST_BIT = "declare i64 @llvm.cttz.i64(i64, i1)"


# -- sets


def set_of(frame: Frame, node: collected.SetOf) -> Value:
    """The bits of the listed members."""
    found = "0"
    for item in node.items:
        found = with_member(frame, found, frame.number(item), node.spot)
    return found


def taken_from(frame: Frame, node: tree.Expression) -> str:
    """The bits of the right side of `in`; numbers that no set can hold are left out."""
    if not isinstance(node, collected.SetOf):
        return frame.single(node)
    found = "0"
    for item in node.items:
        found = frame.writer.value(f"or i64 {found}, {_bit(frame, frame.number(item))}")
    return found


def with_member(frame: Frame, bits: str, number: str, spot: tree.Spot) -> str:
    """A set with one more member; a fault if no set can hold that member."""
    is_small = frame.writer.value(f"icmp ult i64 {number}, {MOST_MEMBERS}")
    frame.require(is_small, FaultKind.NO_MEMBER, spot)
    bit = frame.writer.value(f"shl i64 1, {number}")
    return frame.writer.value(f"or i64 {bits}, {bit}")


def _bit(frame: Frame, number: str) -> str:
    """The bit of a member, 0 for a number that no set can hold."""
    writer = frame.writer
    is_small = writer.value(f"icmp ult i64 {number}, {MOST_MEMBERS}")
    amount = writer.value(f"select i1 {is_small}, i64 {number}, i64 0")
    bit = writer.value(f"shl i64 1, {amount}")
    return writer.value(f"select i1 {is_small}, i64 {bit}, i64 0")


def is_member(frame: Frame, number: str, bits: str) -> str:
    """Whether a number is in a set."""
    found = frame.writer.value(f"and i64 {bits}, {_bit(frame, number)}")
    return frame.writer.value(f"icmp ne i64 {found}, 0")


def combined(frame: Frame, sign: str, left: str, right: str) -> str:
    """`left sign right`, of two sets."""
    if sign == "-":
        return _without(frame, left, right)
    word = {"|": "or", "&": "and", "^": "xor"}[sign]
    return frame.writer.value(f"{word} i64 {left}, {right}")


def _without(frame: Frame, left: str, right: str) -> str:
    others = frame.writer.value(f"xor i64 {right}, -1")
    return frame.writer.value(f"and i64 {left}, {others}")


def compared(frame: Frame, sign: str, left: str, right: str) -> str:
    """Whether two sets are equal, or one is a subset of the other."""
    if sign in (">", ">="):
        return compared(frame, {">": "<", ">=": "<="}[sign], right, left)
    writer = frame.writer
    if sign in ("==", "!="):
        return writer.value(f"icmp {'eq' if sign == '==' else 'ne'} i64 {left}, {right}")
    is_within = writer.value(f"icmp eq i64 {_without(frame, left, right)}, 0")
    if sign == "<=":
        return is_within
    is_other = writer.value(f"icmp ne i64 {left}, {right}")
    return writer.value(f"and i1 {is_within}, {is_other}")


def count_of(frame: Frame, bits: str) -> str:
    """The number of members of a set."""
    frame.module.declare(COUNT_BITS)
    return frame.writer.value(f"call i64 @llvm.ctpop.i64(i64 {bits})")


def lowest_of(frame: Frame, bits: str) -> str:
    """The lowest member of a set that is not empty."""
    frame.module.declare(LOWEST_BIT)
    return frame.writer.value(f"call i64 @llvm.cttz.i64(i64 {bits}, i1 true)")


def edge(frame: Frame, node: collected.Edge) -> Value:
    """The lowest or the highest member of a set."""
    bits = frame.single(node.members)
    frame.require(frame.writer.value(f"icmp ne i64 {bits}, 0"), FaultKind.EMPTY, node.spot)
    if node.is_min:
        return lowest_of(frame, bits)
    frame.module.declare(HIGHEST_BIT)
    above = frame.writer.value(f"call i64 @llvm.ctlz.i64(i64 {bits}, i1 true)")
    return frame.writer.value(f"sub i64 63, {above}")


def altered(frame: Frame, node: collected.Alter, bits: str) -> str:
    """A set after `add`, `discard`, `remove` or `clear`."""
    if node.how == "clear":
        return "0"
    number = frame.number(node.member)
    if node.how == "add":
        # A number too large for any set is also outside the domain, as in CPython.
        is_small = frame.writer.value(f"icmp ult i64 {number}, {MOST_MEMBERS}")
        frame.require(is_small, FaultKind.DOMAIN, node.spot)
        return frame.writer.value(f"or i64 {bits}, {_bit(frame, number)}")
    if node.how == "remove":
        frame.require(is_member(frame, number, bits), FaultKind.ABSENT, node.spot)
    return _without(frame, bits, _bit(frame, number))


# -- records that are values


def made(frame: Frame, node: collected.Made) -> Value:
    """The parts of a record, evaluated in the order in which they are written."""
    kind = node.type
    assert isinstance(kind, MadeType)
    values = {place: frame.value(node.items[place]) for place in node.order}
    return tuple(
        coerced(frame, values[place], node.items[place].type, item)
        for place, item in enumerate(kind.items)
    )


def part(frame: Frame, node: collected.Part) -> Value:
    """A field of a record that is a value."""
    return frame.parts(node.record)[node.place]


def store_made(
    frame: Frame, place: str, kind: Type, value: Value, held: Type, spot: tree.Spot
) -> None:
    """Store a record value at a place; each part is checked against its domain."""
    wanted, given = value_type(kind), value_type(held)
    assert isinstance(wanted, MadeType)
    assert isinstance(given, MadeType)
    parts = parts_in(coerced(frame, value, held, given))
    offset = 0
    for item, one, its in zip(wanted.items, parts, given.items, strict=True):
        target = frame.writer.ahead(place, offset)
        if isinstance(item, MadeType):
            store_made(frame, target, item, one, its, spot)
        else:
            frame.store_number(target, item, one, its, spot)
        offset += frame.sizes.of(item)


# -- sequences


def place_in_sequence(frame: Frame, sequence: str, kind: SequenceType, index: str) -> str:
    """The place of an element."""
    size = frame.sizes.of(kind.element)
    scaled = index if size == 1 else frame.writer.value(f"mul i64 {index}, {size}")
    return frame.writer.ahead(frame.writer.ahead(sequence, 1), scaled)


def element_of(frame: Frame, sequence: str, kind: SequenceType, index: str, spot: tree.Spot) -> str:
    """The place of an element; a fault if there is no such element."""
    used = frame.writer.load(sequence)
    is_there = frame.writer.value(f"icmp ult i64 {index}, {used}")
    frame.require(is_there, FaultKind.INDEX, spot)
    return place_in_sequence(frame, sequence, kind, index)


def append(frame: Frame, node: collected.Append) -> None:
    """Append an element."""
    kind = node.sequence.type
    assert isinstance(kind, SequenceType)
    sequence = frame.single(node.sequence)
    value, writer = frame.value(node.value), frame.writer
    used = writer.load(sequence)
    has_room = writer.value(f"icmp slt i64 {used}, {frame.sizes.room(kind)}")
    frame.require(has_room, FaultKind.FULL, node.spot)
    place = place_in_sequence(frame, sequence, kind, used)
    frame.store_value(place, kind.element, value, node.value.type, node.spot)
    frame.assign(sequence, writer.value(f"add nsw i64 {used}, 1"))


def pop(frame: Frame, node: collected.Pop) -> Value:
    """Remove an element; later elements move up, and the freed room holds the lowest values."""
    kind = node.sequence.type
    assert isinstance(kind, SequenceType)
    sequence, writer = frame.single(node.sequence), frame.writer
    if node.index is None:
        index = writer.value(f"sub i64 {writer.load(sequence)}, 1")
    else:
        index = frame.number(node.index)
    place = element_of(frame, sequence, kind, index, node.spot)
    found = read_place(frame, place, kind.element)
    size, most = frame.sizes.of(kind.element), frame.sizes.room(kind) - 1
    behind = writer.value(f"sub i64 {most}, {index}")
    words = writer.value(f"mul i64 {behind}, {8 * size}")
    frame.copy(place, writer.ahead(place, size), words)
    last = writer.ahead(sequence, 1 + most * size)
    frame.copy(last, writer.ahead(last, frame.low), str(8 * size))
    used = writer.load(sequence)
    frame.assign(sequence, writer.value(f"sub i64 {used}, 1"))
    return found


def words_in_use(frame: Frame, sequence: str, kind: SequenceType) -> str:
    """The number of leaves of a sequence in use: its length and its elements."""
    used = frame.writer.load(sequence)
    scaled = frame.writer.value(f"mul i64 {used}, {frame.sizes.of(kind.element)}")
    return frame.writer.value(f"add i64 {scaled}, 1")


def copy_sequence(frame: Frame, place: str, source: str, words: str, size: int) -> None:
    """Copy the leaves in use; set the others to the lowest values of the place."""
    frame.copy(place, source, frame.writer.value(f"mul i64 {words}, 8"))
    rest = frame.writer.ahead(place, words)
    left = frame.writer.value(f"sub i64 {size}, {words}")
    count = frame.writer.value(f"mul i64 {left}, 8")
    frame.copy(rest, frame.writer.ahead(rest, frame.low), count)


def clear(frame: Frame, node: collected.Clear) -> None:
    """Remove every element; unused room holds the lowest values."""
    whole = frame.single(node.whole)
    lowest = frame.writer.ahead(whole, frame.low)
    frame.copy(whole, lowest, str(8 * frame.sizes.of(node.whole.type)))


# -- bags


def place_in_bag(frame: Frame, bag: str, kind: BagType, member: str, spot: tree.Spot) -> str:
    """The place of a member's count."""
    is_member = frame.writer.value(f"icmp ult i64 {member}, {frame.sizes.members(kind)}")
    frame.require(is_member, FaultKind.INDEX, spot)
    return frame.writer.ahead(bag, member)


def is_in_bag(frame: Frame, member: str, bag: str, kind: BagType) -> str:
    """Whether a member is in a bag; false for a number that is no member."""
    writer = frame.writer
    is_one = writer.value(f"icmp ult i64 {member}, {frame.sizes.members(kind)}")
    place = writer.value(f"select i1 {is_one}, i64 {member}, i64 0")
    is_there = writer.value(f"icmp ne i64 {writer.load(writer.ahead(bag, place))}, 0")
    return writer.value(f"and i1 {is_one}, {is_there}")


def total(frame: Frame, node: collected.Total) -> Value:
    """The sum of a bag's counts."""
    kind = node.bag.type
    assert isinstance(kind, BagType)
    bag, found = frame.single(node.bag), "0"
    for member in range(frame.sizes.members(kind)):
        count = frame.writer.load(frame.writer.ahead(bag, member))
        found = frame.writer.value(f"add nsw i64 {found}, {count}")
    return found


def length_of(frame: Frame, kind: Type, value: Value) -> str | None:
    """The number of members or elements of a set or a sequence; None for anything else."""
    if isinstance(kind, SequenceType):
        return frame.writer.load(single(value))
    return count_of(frame, single(value)) if isinstance(kind, SetType) else None
