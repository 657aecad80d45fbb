"""Comparisons: of numbers, of larger values leaf by leaf, in chains, and `in`."""

from __future__ import annotations

from tierproof.model.language.reading import collected, tree
from tierproof.model.language.reading.types import (
    BagType,
    MadeType,
    SequenceType,
    SetType,
    TupleType,
    Type,
    is_scalar,
    value_type,
)
from tierproof.spark_explorer.compiler import collecting
from tierproof.spark_explorer.compiler.frame import Frame, Value, parts_in, single
from tierproof.spark_explorer.compiler.loops import loop_over
from tierproof.spark_explorer.compiler.values import as_number, coerced

SIGNS = {"==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}


def comparison(frame: Frame, node: tree.Comparison) -> Value:
    """A chain of comparisons."""
    left, kind = frame.value(node.first), node.first.type
    if len(node.rest) == 1:
        ((sign, operand),) = node.rest
        return _compared(frame, sign, left, kind, frame.value(operand), operand.type)
    no, end, result = frame.writer.label(), frame.writer.label(), frame.writer.slot("i1")
    for sign, operand in node.rest:
        right, more = frame.value(operand), frame.writer.label()
        test = _compared(frame, sign, left, kind, right, operand.type)
        frame.writer.branch(test, more, no)
        frame.writer.begin(more)
        left, kind = right, operand.type
    return either(frame, result, "true", no, "false", end)


def either(frame: Frame, result: str, here: str, no: str, there: str, end: str) -> str:
    """The slot's value after two branches: `here` from this block, `there` from block `no`."""
    frame.writer.store(here, result, "i1")
    frame.writer.jump(end)
    frame.writer.begin(no)
    frame.writer.store(there, result, "i1")
    frame.writer.begin(end)
    return frame.writer.load(result, "i1")


def _compared(frame: Frame, sign: str, left: Value, kind: Type, right: Value, other: Type) -> str:
    if is_scalar(kind):
        numbers = f"{as_number(frame, left, kind)}, {as_number(frame, right, other)}"
        return frame.writer.value(f"icmp {SIGNS[sign]} i64 {numbers}")
    if isinstance(kind, SetType):
        return collecting.compared(frame, sign, single(left), single(right))
    same = _same(frame, left, kind, right, other)
    return same if sign == "==" else frame.writer.value(f"xor i1 {same}, true")


def _same(frame: Frame, left: Value, kind: Type, right: Value, other: Type) -> str:
    """Whether two values that are not numbers are equal, leaf by leaf."""
    if is_scalar(kind):
        return _compared(frame, "==", left, kind, right, other)
    if isinstance(kind, SetType):
        return collecting.compared(frame, "==", single(left), single(right))
    if isinstance(kind, MadeType) or isinstance(other, MadeType):
        left, kind = _as_value(frame, left, kind)
        right, other = _as_value(frame, right, other)
    if isinstance(kind, (TupleType, MadeType)) and isinstance(other, (TupleType, MadeType)):
        found = "true"
        for pair in zip(parts_in(left), kind.items, parts_in(right), other.items, strict=True):
            found = frame.writer.value(f"and i1 {found}, {_same(frame, *pair)}")
        return found
    size: object = frame.sizes.of(kind)
    if size != frame.sizes.of(other):
        return "false"
    # unused room holds the lowest values of its place, which may differ
    if isinstance(kind, SequenceType):
        size = collecting.words_in_use(frame, single(left), kind)
    return frame.writer.value(f"call i1 @same(ptr {left}, ptr {right}, i64 {size})")


def _as_value(frame: Frame, value: Value, kind: Type) -> tuple[Value, Type]:
    """A record as a value, with its type."""
    wanted = value_type(kind)
    return coerced(frame, value, kind, wanted), wanted


def membership(frame: Frame, node: tree.Membership) -> Value:
    """Whether a value is among others."""
    writer = frame.writer
    value = frame.value(node.item)
    if isinstance(node.source, collected.InTurn):
        found = _is_in_sequence(frame, node.source, value, node.item.type)
        return writer.value(f"xor i1 {found}, true") if node.is_negated else found
    item = as_number(frame, value, node.item.type)
    if isinstance(node.source, collected.Ascending):
        found = collecting.is_member(frame, item, collecting.taken_from(frame, node.source.members))
    elif isinstance(node.source, collected.Distinct):
        kind = node.source.bag.type
        assert isinstance(kind, BagType)
        found = collecting.is_in_bag(frame, item, frame.single(node.source.bag), kind)
    elif isinstance(node.source, tree.Count):
        start, stop = frame.number(node.source.start), frame.number(node.source.stop)
        from_start = writer.value(f"icmp sge i64 {item}, {start}")
        to_stop = writer.value(f"icmp slt i64 {item}, {stop}")
        found = writer.value(f"and i1 {from_start}, {to_stop}")
    elif isinstance(node.source, tree.Each):
        found = "false"
        whole = node.source.whole.type
        assert isinstance(whole, TupleType)
        pairs = zip(frame.parts(node.source.whole), whole.items, strict=True)
        for number in [as_number(frame, *pair) for pair in pairs]:
            is_equal = writer.value(f"icmp eq i64 {item}, {number}")
            found = writer.value(f"or i1 {found}, {is_equal}")
    else:
        result = writer.slot("i1")
        writer.store("false", result, "i1")

        def turn(value: Value, following: str, end: str) -> None:
            number = as_number(frame, value, node.source.type)
            hit = writer.label()
            writer.branch(writer.value(f"icmp eq i64 {item}, {number}"), hit, following)
            writer.begin(hit)
            writer.store("true", result, "i1")
            writer.jump(end)

        loop_over(frame, node.source, turn)
        found = writer.load(result, "i1")
    return writer.value(f"xor i1 {found}, true") if node.is_negated else found


def _is_in_sequence(frame: Frame, source: collected.InTurn, item: Value, kind: Type) -> str:
    """Whether a value equals an element of a sequence."""
    writer = frame.writer
    result = writer.slot("i1")
    writer.store("false", result, "i1")

    def turn(value: Value, following: str, end: str) -> None:
        hit = writer.label()
        writer.branch(_same(frame, value, source.type, item, kind), hit, following)
        writer.begin(hit)
        writer.store("true", result, "i1")
        writer.jump(end)

    loop_over(frame, source, turn)
    return writer.load(result, "i1")
