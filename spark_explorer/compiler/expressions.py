"""Expressions as LLVM instructions: each computes CPython's result or sets a fault."""

from __future__ import annotations

from typing import Any

from tierproof.model.language.reading import collected, tree
from tierproof.model.language.reading.asked import StepArgument, StepIs
from tierproof.model.language.reading.types import (
    BOOL,
    INT,
    ArrayType,
    BagType,
    Enumerated,
    RecordType,
    SequenceType,
    SetType,
    TupleType,
)
from tierproof.model.language.reading.walking import is_table
from tierproof.spark_explorer.compiler import arithmetic, collecting, tables
from tierproof.spark_explorer.compiler.comparisons import comparison, either, membership
from tierproof.spark_explorer.compiler.faults import FaultKind
from tierproof.spark_explorer.compiler.frame import Frame, Value
from tierproof.spark_explorer.compiler.loops import loop_over
from tierproof.spark_explorer.compiler.steps import step_argument, step_is
from tierproof.spark_explorer.compiler.values import (
    as_number,
    as_truth,
    coerced,
    read_place,
    within,
)


def value_of(frame: Frame, node: tree.Expression) -> Value:
    """The value of an expression."""
    return _COMPILERS[type(node)](frame, node)


def number_of(frame: Frame, node: tree.Expression) -> str:
    """The value of an expression as an i64."""
    return as_number(frame, value_of(frame, node), node.type)


def truth_of(frame: Frame, node: tree.Expression) -> str:
    """The truth of a number as an i1."""
    return as_truth(frame, value_of(frame, node), node.type)


def branch_on(frame: Frame, node: tree.Expression, yes: str, no: str) -> None:
    """Branch to `yes` if the expression is true, else to `no`."""
    if isinstance(node, tree.Not):
        branch_on(frame, node.operand, no, yes)
    elif isinstance(node, tree.Logical):
        for operand in node.operands[:-1]:
            more = frame.writer.label()
            branch_on(frame, operand, *((more, no) if node.is_and else (yes, more)))
            frame.writer.begin(more)
        branch_on(frame, node.operands[-1], yes, no)
    else:
        frame.writer.branch(truth_of(frame, node), yes, no)


def place_of(frame: Frame, node: tree.Field | tree.Element) -> str:
    """The pointer to a field or an element."""
    if isinstance(node, tree.Field):
        owner = frame.single(node.record)
        record = node.record.type
        assert isinstance(record, RecordType)
        return frame.writer.ahead(owner, frame.sizes.offset(record, node.name))
    array = frame.single(node.array)
    kind = node.array.type
    index = number_of(frame, node.index)
    if isinstance(kind, SequenceType):
        return collecting.element_of(frame, array, kind, index, node.spot)
    if isinstance(kind, BagType):
        return collecting.place_in_bag(frame, array, kind, index, node.spot)
    assert isinstance(kind, ArrayType)
    length = frame.sizes.length(kind)
    if not (isinstance(node.index, tree.Local) and frame.is_below(node.index.name, length)):
        index = within(frame, index, length, node.spot)
    size = frame.sizes.of(kind.element)
    if index.lstrip("-").isdigit():
        return frame.writer.ahead(array, int(index) * size)
    return frame.writer.ahead(
        array, index if size == 1 else frame.writer.value(f"mul i64 {index}, {size}")
    )


def _constant(frame: Frame, node: tree.Constant) -> Value:
    if node.type == BOOL:
        return "true" if node.value else "false"
    return str(node.value)


def _local(frame: Frame, node: tree.Local) -> Value:
    return frame.variable(node.name, node.type)


def _read(frame: Frame, node: tree.Field | tree.Element) -> Value:
    return read_place(frame, place_of(frame, node), node.type)


def _length(frame: Frame, node: tree.Length) -> Value:
    value, kind = value_of(frame, node.whole), node.whole.type
    found = collecting.length_of(frame, kind, value)
    if found is not None:
        return found
    if isinstance(kind, TupleType):
        return str(len(kind.items))
    assert isinstance(kind, ArrayType)
    return str(frame.sizes.length(kind))


def _bound(frame: Frame, node: tree.Bound) -> Value:
    if frame.module.is_concrete:
        return str(dict(frame.sizes.scope)[node.name])
    return frame.writer.load(frame.writer.ahead("%ctx", frame.sizes.place_of_bound(node.name)))


def _unary(frame: Frame, node: tree.Unary) -> Value:
    return arithmetic.unary(frame, node.sign, number_of(frame, node.operand), node.spot)


def _binary(frame: Frame, node: tree.Binary) -> Value:
    if isinstance(node.type, SetType):
        bits = frame.single(node.left)
        return collecting.combined(frame, node.sign, bits, right_of(frame, node.sign, node.right))
    left, right = value_of(frame, node.left), value_of(frame, node.right)
    if node.type == BOOL:
        return frame.writer.value(f"{arithmetic.BITWISE[node.sign]} i1 {left}, {right}")
    numbers = as_number(frame, left, node.left.type), as_number(frame, right, node.right.type)
    return arithmetic.binary(frame, node.sign, *numbers, node.spot)


def right_of(frame: Frame, sign: str, node: tree.Expression) -> str:
    """The set to the right of an operator."""
    return collecting.taken_from(frame, node) if sign in "-&" else frame.single(node)


def _logical(frame: Frame, node: tree.Logical) -> Value:
    writer = frame.writer
    if node.type == BOOL:
        yes, no, end = writer.label(), writer.label(), writer.label()
        result = writer.slot("i1")
        branch_on(frame, node, yes, no)
        writer.begin(yes)
        return either(frame, result, "true", no, "false", end)
    result, end = writer.slot("i64"), writer.label()
    for operand in node.operands[:-1]:
        found, more = number_of(frame, operand), writer.label()
        writer.store(found, result)
        test = as_truth(frame, found, INT)
        writer.branch(test, *((more, end) if node.is_and else (end, more)))
        writer.begin(more)
    writer.store(number_of(frame, node.operands[-1]), result)
    writer.begin(end)
    return writer.load(result)


def _not(frame: Frame, node: tree.Not) -> Value:
    return frame.writer.value(f"xor i1 {truth_of(frame, node.operand)}, true")


def _choice(frame: Frame, node: tree.Choice) -> Value:
    writer = frame.writer
    yes, no, end = writer.label(), writer.label(), writer.label()
    result = frame.room_for(node.type)
    branch_on(frame, node.test, yes, no)
    for label, branch in ((yes, node.then), (no, node.otherwise)):
        writer.begin(label)
        value = value_of(frame, branch)
        frame.put(result, node.type, coerced(frame, value, branch.type, node.type))
        writer.jump(end)
    writer.begin(end)
    return frame.get(result, node.type)


def _conversion(frame: Frame, node: tree.Conversion) -> Value:
    found = value_of(frame, node.operand)
    convert = as_truth if node.type == BOOL else as_number
    return convert(frame, found, node.operand.type)


def _member(frame: Frame, node: tree.Member) -> Value:
    number, kind = number_of(frame, node.operand), node.type
    assert isinstance(kind, Enumerated)
    found = "false"
    for member in kind.enum:
        is_equal = frame.writer.value(f"icmp eq i64 {number}, {int(member)}")
        found = frame.writer.value(f"or i1 {found}, {is_equal}")
    frame.require(found, FaultKind.MEMBER, node.spot)
    return number


def _extreme(frame: Frame, node: tree.Extreme) -> Value:
    found = number_of(frame, node.operands[0])
    sign = "slt" if node.is_min else "sgt"
    for operand in node.operands[1:]:
        number = number_of(frame, operand)
        test = frame.writer.value(f"icmp {sign} i64 {number}, {found}")
        found = frame.writer.value(f"select i1 {test}, i64 {number}, i64 {found}")
    return as_truth(frame, found, INT) if node.type == BOOL else found


def _tuple(frame: Frame, node: tree.TupleOf) -> Value:
    return tuple(value_of(frame, item) for item in node.items)


def _item(frame: Frame, node: tree.Item) -> Value:
    return frame.parts(node.whole)[node.place]


def _pick(frame: Frame, node: tree.Pick) -> Value:
    if is_table(node):
        table, offset = tables.place_in_table(frame, node)
        return tables.read_table(frame, table, offset, node.type)
    kind = node.whole.type
    assert isinstance(kind, TupleType)
    pairs = zip(frame.parts(node.whole), kind.items, strict=True)
    numbers = [as_number(frame, *pair) for pair in pairs]
    index = within(frame, number_of(frame, node.index), len(numbers), node.spot)
    room = frame.writer.slot(f"[{len(numbers)} x i64]")
    for place, number in enumerate(numbers):
        frame.writer.store(number, frame.writer.ahead(room, place))
    found = frame.writer.load(frame.writer.ahead(room, index))
    return as_truth(frame, found, INT) if node.type == BOOL else found


def _call(frame: Frame, node: tree.Call) -> Value:
    values = {place: value_of(frame, node.arguments[place]) for place in node.order}
    return frame.call(node.function, [values[place] for place in range(len(values))])


def _quantified(frame: Frame, node: tree.Quantified) -> Value:
    writer = frame.writer
    result = writer.slot(_slot_of(node))
    begin = {"sum": "0", "set": "0", "any": "false", "all": "true"}[node.how]
    writer.store(begin, result, _slot_of(node))
    end = writer.label()
    _nested(frame, node, 0, result, end)
    writer.begin(end)
    return writer.load(result, _slot_of(node))


def _slot_of(node: tree.Quantified) -> str:
    return "i64" if node.how in ("sum", "set") else "i1"


def _nested(frame: Frame, node: tree.Quantified, depth: int, result: str, end: str) -> None:
    """The loops from `depth` on; the innermost loop adds or tests the value."""
    writer = frame.writer
    if depth == len(node.loops):
        if node.how == "sum":
            numbers = writer.load(result), number_of(frame, node.value)
            writer.store(arithmetic.binary(frame, "+", *numbers, node.spot), result)
            return
        if node.how == "set":
            number = number_of(frame, node.value)
            bits = writer.load(result)
            writer.store(collecting.with_member(frame, bits, number, node.spot), result)
            return
        hit, on = writer.label(), writer.label()
        branch_on(frame, node.value, *((hit, on) if node.how == "any" else (on, hit)))
        writer.begin(hit)
        writer.store("true" if node.how == "any" else "false", result, "i1")
        writer.jump(end)
        writer.begin(on)
        return
    name, source, conditions = node.loops[depth]

    frame.note_limit(name, source)

    def turn(value: Value, following: str, after: str) -> None:
        frame.set_variable(name, value, source.type)
        for condition in conditions:
            more = writer.label()
            branch_on(frame, condition, more, following)
            writer.begin(more)
        _nested(frame, node, depth + 1, result, end)

    loop_over(frame, source, turn)


def _alter(frame: Frame, node: collected.Alter) -> None:
    """Change a set in the state; like CPython, read the set before evaluating the member."""
    place = place_of(frame, node.place)
    bits = frame.writer.load(place)
    found = collecting.altered(frame, node, bits)
    frame.store_number(place, node.place.type, found, node.place.type, node.spot)


_COMPILERS: dict[type, Any] = {
    tree.Constant: _constant,
    tree.Local: _local,
    tree.Field: _read,
    tree.Element: _read,
    tree.Length: _length,
    tree.Bound: _bound,
    tree.Unary: _unary,
    tree.Binary: _binary,
    tree.Comparison: comparison,
    tree.Membership: membership,
    tree.Logical: _logical,
    tree.Not: _not,
    tree.Choice: _choice,
    tree.Conversion: _conversion,
    tree.Member: _member,
    tree.Extreme: _extreme,
    tree.TupleOf: _tuple,
    tree.Item: _item,
    tree.Pick: _pick,
    tree.Call: _call,
    tree.Quantified: _quantified,
    StepIs: step_is,
    StepArgument: step_argument,
    collected.SetOf: collecting.set_of,
    collected.Made: collecting.made,
    collected.Part: collecting.part,
    collected.Edge: collecting.edge,
    collected.Total: collecting.total,
    collected.Alter: _alter,
    collected.Append: collecting.append,
    collected.Pop: collecting.pop,
    collected.Clear: collecting.clear,
}
