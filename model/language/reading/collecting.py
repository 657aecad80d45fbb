"""Reading of sets, sequences, bags and record values."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from tierproof.model.language.members import MOST_MEMBERS
from tierproof.model.language.reading import collected, tree
from tierproof.model.language.reading.body import Body
from tierproof.model.language.reading.types import (
    BOOL,
    INT,
    NOTHING,
    ArrayType,
    BagType,
    MadeType,
    RecordType,
    SequenceType,
    SetType,
    Type,
    is_collection,
    is_row_of_sequences,
    is_scalar,
    joined,
    joined_members,
    value_type,
)
from tierproof.model.language.state import State, field_names

SIGNS_OF_SETS = ("|", "&", "-", "^")
VALUE = "a set is a value: change the field that holds it, or assign another set"


# -- truth


def read_truth(body: Body, node: ast.expr) -> tree.Expression:
    """The tree of an expression used as a condition; a collection is true if it is not empty."""
    if isinstance(node, ast.BoolOp):
        operands = tuple(read_truth(body, value) for value in node.values)
        kind = operands[0].type
        for operand in operands[1:]:
            kind = joined(kind, operand.type) or INT
        return tree.Logical(kind, isinstance(node.op, ast.And), operands)
    found = body.read(node)
    if is_collection(found.type):
        is_bag = isinstance(found.type, BagType)
        size: tree.Expression = collected.Total(found) if is_bag else tree.Length(found)
        return tree.Comparison(size, ((">", tree.Constant(INT, 0)),))
    if not is_scalar(found.type):
        raise body.source.refuse(node, f"is {found.type}", "a number is needed here")
    return found


# -- sets


def read_display(body: Body, node: ast.Set) -> tree.Expression:
    """The tree of `{one, other}`."""
    if any(isinstance(item, ast.Starred) for item in node.elts):
        raise body.source.refuse(node, "spreads its members", "join sets with |")
    items = tuple(body.scalar(item) for item in node.elts)
    for item, one in zip(node.elts, items, strict=True):
        if isinstance(one, tree.Constant) and not 0 <= one.value < MOST_MEMBERS:
            what = f"is no member of a set, as {one.value} is none of 0 to {MOST_MEMBERS - 1}"
            raise body.source.refuse(item, what, "write a tuple, as in `x in (1, 2)`")
    kind = member_type([item.type for item in items])
    return collected.SetOf(SetType(kind), items, body.source.spot(node))


def member_type(kinds: list[Type]) -> Type:
    """The common type of members of these types."""
    return kinds[0] if len(set(kinds)) == 1 and kinds[0] != BOOL else INT


def empty_set(body: Body, node: ast.expr) -> tree.Expression:
    """The tree of `set()`."""
    return collected.SetOf(SetType(NOTHING), (), body.source.spot(node))


def combined(
    body: Body, node: ast.AST, sign: str, left: tree.Expression, right: tree.Expression
) -> tree.Expression:
    """The tree of `left sign right`, where one side is a set. Raises OutsideLanguage."""
    one, other = left.type, right.type
    if not (isinstance(one, SetType) and isinstance(other, SetType)):
        raise body.source.refuse(node, f"computes with {one} and {other}", "join sets with sets")
    if sign not in SIGNS_OF_SETS:
        what = f"computes with sets by {sign}"
        raise body.source.refuse(node, what, "join, intersect and subtract them with | & - ^")
    kind = one.member if sign == "-" else joined_members(one, other)
    found = SetType(kind, one.is_ordered)
    return tree.Binary(found, sign, left, right, body.source.spot(node))


def ascending(
    body: Body, node: ast.expr, source: tree.Expression, kind: SetType, *, in_any_order: bool
) -> tree.Iteration:
    """A loop over the members of a set. Raises OutsideLanguage for a set without an order."""
    if not (kind.is_ordered or in_any_order):
        what = "is a set made here, which Python loops over in no order that can be relied on"
        raise body.source.refuse(node, what, "loop over sorted(...) of it")
    return collected.Ascending(INT if kind.member == NOTHING else kind.member, source)


def edge(body: Body, node: ast.Call, *, is_min: bool) -> tree.Expression:
    """The tree of `min(...)` or `max(...)` of a set. Raises OutsideLanguage."""
    found = body.read(node.args[0])
    if not isinstance(found.type, SetType):
        raise body.source.refuse(node, "has one argument", "give it a set, or two numbers or more")
    kind = INT if found.type.member == NOTHING else found.type.member
    return collected.Edge(kind, is_min, found, body.source.spot(node))


# -- records that are values


def read_made(body: Body, node: ast.Call, record: type) -> tree.Expression:
    """The tree of `Message(sender=0, term=1)`. Raises OutsideLanguage."""
    if issubclass(record, State):
        raise body.source.refuse(node, "makes a State", "assign to the fields of the one there is")
    names = field_names(record)
    written = [keyword.arg for keyword in node.keywords]
    if node.args or set(written) != set(names) or len(written) != len(names):
        what = f"does not name each field of {record.__name__} once"
        raise body.source.refuse(node, what, f"give {', '.join(names)} by their names")
    given = {str(keyword.arg): _value(body, keyword.value) for keyword in node.keywords}
    items = tuple(given[name] for name in names)
    kind = MadeType(record, names, tuple(value_type(item.type) for item in items))
    return collected.Made(kind, items, tuple(names.index(str(name)) for name in written))


def _value(body: Body, node: ast.expr) -> tree.Expression:
    found = body.read(node)
    kind = value_type(found.type)
    if not (is_scalar(kind) or isinstance(kind, (SetType, MadeType))):
        what = f"is {found.type}, which no record that is a value holds"
        raise body.source.refuse(node, what, "give numbers, sets, and records of these")
    return found


def fits(kind: Type, held: Type) -> bool:
    """Whether a value can be assigned to a place of type `kind`."""
    if is_scalar(kind) and is_scalar(held):
        return True
    if isinstance(kind, SetType) and isinstance(held, SetType):
        return True
    if is_row_of_sequences(kind) or is_row_of_sequences(held):
        return False
    if isinstance(kind, (ArrayType, SequenceType)) and type(kind) is type(held):
        return joined(kind.element, held.element) is not None
    if isinstance(kind, (RecordType, BagType)) and kind == held:
        return True
    one, other = value_type(kind), value_type(held)
    if not (isinstance(one, MadeType) and isinstance(other, MadeType)):
        return False
    return one.record is other.record and all(map(fits, one.items, other.items))


def are_records_alike(one: Type, other: Type) -> bool:
    """Whether two values are of one record class, at least one of them a value."""
    kinds = value_type(one), value_type(other)
    first, second = kinds
    if not (isinstance(first, MadeType) and isinstance(second, MadeType)):
        return False
    return first.record is second.record and all(map(_are_alike, first.items, second.items))


def _are_alike(one: Type, other: Type) -> bool:
    return joined(one, other) is not None or are_records_alike(one, other)


# -- methods


def read_method(body: Body, node: ast.Call) -> tree.Expression | None:
    """The tree of a method of a set, a sequence or a bag; None for any other call."""
    assert isinstance(node.func, ast.Attribute)
    if not _is_read(body, node.func.value):
        return None
    owner = body.read(node.func.value)
    if not is_collection(owner.type):
        return None
    methods = _METHODS[type(owner.type)]
    reader = methods.get(node.func.attr)
    if reader is None:
        known = ", ".join(methods)
        what = f"calls {node.func.attr!r} of {owner.type}"
        raise body.source.refuse(node, what, f"there are {known}")
    if node.keywords:
        raise body.source.refuse(node, "names an argument", "leave the name out")
    found: tree.Expression = reader(body, node, owner)
    return found


def _is_read(body: Body, node: ast.expr) -> bool:
    """Whether the owner of a method can be part of the state: it begins with a local name."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    if not isinstance(node, ast.Name):
        return isinstance(node, (ast.Set, ast.SetComp, ast.Call, ast.IfExp, ast.BinOp))
    return node.id in body.locals or any(node.id in names for names in body.scopes)


def _arguments(body: Body, node: ast.Call, least: int, most: int) -> list[ast.expr]:
    if not least <= len(node.args) <= most:
        raise body.source.refuse(node, "has another number of arguments", "give what it takes")
    return node.args


def _note(body: Body, node: ast.AST) -> tree.Spot:
    spot = body.source.spot(node)
    body.assigns = body.assigns or spot
    return spot


def _alter(how: str) -> Callable[[Body, ast.Call, tree.Expression], tree.Expression]:
    def reader(body: Body, node: ast.Call, owner: tree.Expression) -> tree.Expression:
        is_place = isinstance(owner, tree.Field) or (
            isinstance(owner, tree.Element) and isinstance(owner.array.type, ArrayType)
        )
        if not is_place:
            raise body.source.refuse(node, "changes what is in no field", VALUE)
        if how == "clear":
            _arguments(body, node, 0, 0)
            member: tree.Expression = tree.Constant(INT, 0)
        else:
            member = body.scalar(_arguments(body, node, 1, 1)[0])
        assert isinstance(owner, (tree.Field, tree.Element))
        return collected.Alter(how, owner, member, _note(body, node))

    return reader


def _append(body: Body, node: ast.Call, owner: tree.Expression) -> tree.Expression:
    kind: Any = owner.type
    (given,) = _arguments(body, node, 1, 1)
    value = body.read(given)
    if not fits(kind.element, value.type):
        what = f"appends {value.type} to {kind}"
        raise body.source.refuse(node, what, "append what the sequence holds")
    return collected.Append(owner, value, _note(body, node))


def _pop(body: Body, node: ast.Call, owner: tree.Expression) -> tree.Expression:
    kind: Any = owner.type
    given = _arguments(body, node, 0, 1)
    index = body.scalar(given[0]) if given else None
    return collected.Pop(kind.element, owner, index, _note(body, node))


def _clear(body: Body, node: ast.Call, owner: tree.Expression) -> tree.Expression:
    _arguments(body, node, 0, 0)
    return collected.Clear(owner, _note(body, node))


def _total(body: Body, node: ast.Call, owner: tree.Expression) -> tree.Expression:
    _arguments(body, node, 0, 0)
    return collected.Total(owner)


_METHODS: dict[type, dict[str, Any]] = {
    SetType: {how: _alter(how) for how in ("add", "discard", "remove", "clear")},
    SequenceType: {"append": _append, "pop": _pop, "clear": _clear},
    BagType: {"total": _total, "clear": _clear},
}
