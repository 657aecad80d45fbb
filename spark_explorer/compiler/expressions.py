"""Expressions as LLVM instructions: each computes what CPython computes, or is a fault.

The value of an expression is the text of an operand: an `i1` for a boolean, an `i64` for
another number, a `ptr` for a record or an array, and a tuple of these for a tuple.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from model.language.reading import tree
from model.language.reading.types import (
    BOOL,
    INT,
    ArrayType,
    Enumerated,
    RecordType,
    TupleType,
    Type,
    is_scalar,
)
from spark_explorer.compiler import arithmetic, tables
from spark_explorer.compiler.faults import FaultKind
from spark_explorer.compiler.loops import loop_over

if TYPE_CHECKING:
    from spark_explorer.compiler.functions import Frame

Value = Any  # str, or a tuple of Values
SIGNS = {"==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}


def value_of(frame: Frame, node: tree.Expression) -> Value:
    """The value of an expression."""
    return _COMPILERS[type(node)](frame, node)


def number_of(frame: Frame, node: tree.Expression) -> str:
    """The value of an expression as an i64."""
    return as_number(frame, value_of(frame, node), node.type)


def truth_of(frame: Frame, node: tree.Expression) -> str:
    """The truth of a number as an i1."""
    return as_truth(frame, value_of(frame, node), node.type)


def as_number(frame: Frame, value: Value, kind: Type) -> str:
    """A number of any type as an i64."""
    if kind != BOOL:
        return str(value)
    if value in ("true", "false"):
        return "1" if value == "true" else "0"
    return frame.writer.value(f"zext i1 {value} to i64")


def as_truth(frame: Frame, value: Value, kind: Type) -> str:
    """Whether a number is not 0."""
    return str(value) if kind == BOOL else frame.writer.value(f"icmp ne i64 {value}, 0")


def coerced(frame: Frame, value: Value, kind: Type, wanted: Type) -> Value:
    """A value of one type where another is held, which it is joined with."""
    if isinstance(kind, TupleType) and isinstance(wanted, TupleType):
        triples = zip(value, kind.items, wanted.items, strict=True)
        return tuple(coerced(frame, *triple) for triple in triples)
    return as_number(frame, value, kind) if kind == BOOL and wanted != BOOL else value


def branch_on(frame: Frame, node: tree.Expression, yes: str, no: str) -> None:
    """Go on at `yes` where the expression is true, else at `no`."""
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
        owner = value_of(frame, node.record)
        kind: Any = node.record.type
        return frame.writer.ahead(owner, frame.sizes.offset(kind, node.name))
    array = value_of(frame, node.array)
    kind = node.array.type
    index, length = number_of(frame, node.index), frame.sizes.length(kind)
    if not (isinstance(node.index, tree.Local) and frame.is_below(node.index.name, length)):
        index = within(frame, index, length, node.spot)
    size = frame.sizes.of(kind.element)
    if index.lstrip("-").isdigit():
        return frame.writer.ahead(array, int(index) * size)
    return frame.writer.ahead(
        array, index if size == 1 else frame.writer.value(f"mul i64 {index}, {size}")
    )


def within(frame: Frame, index: str, length: int, spot: tree.Spot) -> str:
    """The index counted from the front; a fault where it is outside of the length."""
    writer = frame.writer
    if index.lstrip("-").isdigit() and -length <= int(index) < length:
        return str(int(index) % length)
    is_negative = writer.value(f"icmp slt i64 {index}, 0")
    wrapped = writer.value(f"add i64 {index}, {length}")
    found = writer.value(f"select i1 {is_negative}, i64 {wrapped}, i64 {index}")
    frame.require(writer.value(f"icmp ult i64 {found}, {length}"), FaultKind.INDEX, spot)
    return found


def read_place(frame: Frame, pointer: str, kind: Type) -> Value:
    """What lies at a pointer: a number, or the record or array itself, which is a reference."""
    if isinstance(kind, (RecordType, ArrayType)):
        return pointer
    found = frame.writer.load(pointer)
    return as_truth(frame, found, INT) if kind == BOOL else found


def _constant(frame: Frame, node: tree.Constant) -> Value:
    if node.type == BOOL:
        return "true" if node.value else "false"
    return str(node.value)


def _local(frame: Frame, node: tree.Local) -> Value:
    return frame.variable(node.name, node.type)


def _read(frame: Frame, node: tree.Field | tree.Element) -> Value:
    return read_place(frame, place_of(frame, node), node.type)


def _length(frame: Frame, node: tree.Length) -> Value:
    value_of(frame, node.whole)
    kind = node.whole.type
    if isinstance(kind, TupleType):
        return str(len(kind.items))
    assert isinstance(kind, ArrayType)
    return str(frame.sizes.length(kind))


def _bound(frame: Frame, node: tree.Bound) -> Value:
    return frame.writer.load(frame.writer.ahead("%ctx", frame.sizes.place_of_bound(node.name)))


def _unary(frame: Frame, node: tree.Unary) -> Value:
    return arithmetic.unary(frame, node.sign, number_of(frame, node.operand), node.spot)


def _binary(frame: Frame, node: tree.Binary) -> Value:
    left, right = value_of(frame, node.left), value_of(frame, node.right)
    if node.type == BOOL:
        return frame.writer.value(f"{arithmetic.BITWISE[node.sign]} i1 {left}, {right}")
    numbers = as_number(frame, left, node.left.type), as_number(frame, right, node.right.type)
    return arithmetic.binary(frame, node.sign, *numbers, node.spot)


def _comparison(frame: Frame, node: tree.Comparison) -> Value:
    left, kind = value_of(frame, node.first), node.first.type
    if len(node.rest) == 1:
        ((sign, operand),) = node.rest
        return _compared(frame, sign, left, kind, value_of(frame, operand), operand.type)
    no, end, result = frame.writer.label(), frame.writer.label(), frame.writer.slot("i1")
    for sign, operand in node.rest:
        right, more = value_of(frame, operand), frame.writer.label()
        test = _compared(frame, sign, left, kind, right, operand.type)
        frame.writer.branch(test, more, no)
        frame.writer.begin(more)
        left, kind = right, operand.type
    return _ended(frame, result, "true", no, "false", end)


def _ended(frame: Frame, result: str, here: str, no: str, there: str, end: str) -> str:
    """The slot's value after two ways: `here` from this block, `there` from block `no`."""
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
    same = _same(frame, left, kind, right, other)
    return same if sign == "==" else frame.writer.value(f"xor i1 {same}, true")


def _same(frame: Frame, left: Value, kind: Type, right: Value, other: Type) -> str:
    """Whether two values that are no numbers are equal, leaf for leaf."""
    if is_scalar(kind):
        return _compared(frame, "==", left, kind, right, other)
    if isinstance(kind, TupleType) and isinstance(other, TupleType):
        found = "true"
        for pair in zip(left, kind.items, right, other.items, strict=True):
            found = frame.writer.value(f"and i1 {found}, {_same(frame, *pair)}")
        return found
    size = frame.sizes.of(kind)
    if size != frame.sizes.of(other):
        return "false"
    return frame.writer.value(f"call i1 @same(ptr {left}, ptr {right}, i64 {size})")


def _membership(frame: Frame, node: tree.Membership) -> Value:
    writer = frame.writer
    item = number_of(frame, node.item)
    if isinstance(node.source, tree.Count):
        start, stop = number_of(frame, node.source.start), number_of(frame, node.source.stop)
        from_start = writer.value(f"icmp sge i64 {item}, {start}")
        to_stop = writer.value(f"icmp slt i64 {item}, {stop}")
        found = writer.value(f"and i1 {from_start}, {to_stop}")
    elif isinstance(node.source, tree.Each):
        found = "false"
        kinds: Any = node.source.whole.type
        pairs = zip(value_of(frame, node.source.whole), kinds.items, strict=True)
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


def _logical(frame: Frame, node: tree.Logical) -> Value:
    writer = frame.writer
    if node.type == BOOL:
        yes, no, end = writer.label(), writer.label(), writer.label()
        result = writer.slot("i1")
        branch_on(frame, node, yes, no)
        writer.begin(yes)
        return _ended(frame, result, "true", no, "false", end)
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
    return value_of(frame, node.whole)[node.place]


def _pick(frame: Frame, node: tree.Pick) -> Value:
    if tree.is_table(node):
        table, offset = tables.place_in_table(frame, node)
        return tables.read_table(frame, table, offset, node.type)
    kind: Any = node.whole.type
    pairs = zip(value_of(frame, node.whole), kind.items, strict=True)
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
    result = writer.slot("i64" if node.how == "sum" else "i1")
    writer.store({"sum": "0", "any": "false", "all": "true"}[node.how], result, _slot_of(node))
    end = writer.label()
    _nested(frame, node, 0, result, end)
    writer.begin(end)
    return writer.load(result, _slot_of(node))


def _slot_of(node: tree.Quantified) -> str:
    return "i64" if node.how == "sum" else "i1"


def _nested(frame: Frame, node: tree.Quantified, depth: int, result: str, end: str) -> None:
    """The loops from `depth` on; the value is what the innermost one adds or tests."""
    writer = frame.writer
    if depth == len(node.loops):
        if node.how == "sum":
            numbers = writer.load(result), number_of(frame, node.value)
            writer.store(arithmetic.binary(frame, "+", *numbers, node.spot), result)
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


_COMPILERS: dict[type, Any] = {
    tree.Constant: _constant,
    tree.Local: _local,
    tree.Field: _read,
    tree.Element: _read,
    tree.Length: _length,
    tree.Bound: _bound,
    tree.Unary: _unary,
    tree.Binary: _binary,
    tree.Comparison: _comparison,
    tree.Membership: _membership,
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
}
