"""Reading expressions: resolve names, find types, refuse what is not in the language."""

from __future__ import annotations

import ast
from typing import Any

from tierproof.model.language.reading import collected, tree
from tierproof.model.language.reading.body import Body
from tierproof.model.language.reading.calls import read_call, read_comprehension, read_iteration
from tierproof.model.language.reading.collecting import (
    are_records_alike,
    combined,
    read_display,
    read_truth,
)
from tierproof.model.language.reading.source import MISSING
from tierproof.model.language.reading.steps import read_action_test, read_argument
from tierproof.model.language.reading.types import (
    BOOL,
    INT,
    ArrayType,
    BagType,
    Enumerated,
    MadeType,
    RecordType,
    ScopeType,
    SequenceType,
    SetType,
    StepType,
    TupleType,
    holds_row_of_sequences,
    holds_scope,
    is_scalar,
    joined,
)
from tierproof.model.language.reading.values import SMALLEST, check_enum, constant, static
from tierproof.model.language.reading.walking import is_table

BINARY = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
UNARY = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}
COMPARISONS = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
INSTEAD = {
    ast.Div: "write // for whole numbers",
    ast.Pow: "write 1 << n for a power of two, or multiply",
    ast.MatMult: "multiply numbers with *",
    ast.Lambda: "write a function with a name, beside this one",
    ast.Dict: "write a function that compares, or a tuple of numbers",
    ast.List: "write a tuple, in parentheses",
    ast.ListComp: "drop the brackets within any(...), all(...) or sum(...); else write a loop",
    ast.DictComp: "write a loop",
    ast.GeneratorExp: "use it within any(...), all(...) or sum(...), or write a loop",
    ast.JoinedStr: "leave text to docstrings; a state is made of numbers",
    ast.Slice: "write a loop over the indexes",
    ast.NamedExpr: "assign in a statement of its own",
    ast.Starred: "write the items one by one",
    ast.Await: "call the function itself",
}


def read(body: Body, node: ast.expr) -> tree.Expression:
    """The typed tree of an expression; raises OutsideLanguage."""
    reader = _READERS.get(type(node))
    if reader is None:
        instead = INSTEAD.get(type(node), "say it with numbers, fields and loops")
        raise body.source.refuse(node, "is not in the modelling language", instead)
    found: tree.Expression = reader(body, node)
    return found


def read_scalar(body: Body, node: ast.expr) -> tree.Expression:
    """The tree of an expression that has to be one number. Raises OutsideLanguage."""
    found = read(body, node)
    if not is_scalar(found.type):
        raise body.source.refuse(node, f"is {found.type}", "a number is needed here")
    return found


# -- by kind of node


def _constant(body: Body, node: ast.Constant) -> tree.Expression:
    return constant(body, node, node.value)


def _name(body: Body, node: ast.Name) -> tree.Expression:
    for renamed in reversed(body.scopes):
        if node.id in renamed:
            name = renamed[node.id]
            if name is None:
                what = "has no value yet"
                raise body.source.refuse(node, what, "use it in the loops after its own")
            return tree.Local(body.variables[name], name)
    if node.id in body.locals:
        return body.local(node)
    value = static(body, node)
    if value is MISSING:
        known = {*body.locals, *body.source.function.__globals__}
        raise body.source.refuse_name(node, "is a name that nothing defines", node.id, known)
    return constant(body, node, value)


def _attribute(body: Body, node: ast.Attribute) -> tree.Expression:
    value = static(body, node)
    if value is not MISSING:
        return constant(body, node, value)
    owner = body.read(node.value)
    kind = owner.type
    if isinstance(kind, RecordType):
        if node.attr not in kind.fields:
            raise no_field(body, node, kind)
        return tree.Field(kind.fields[node.attr], owner, node.attr)
    if isinstance(kind, MadeType):
        if node.attr not in kind.names:
            what = f"is not there: {kind.record.__name__} has no field {node.attr!r}"
            raise body.source.refuse_name(node, what, node.attr, kind.names)
        place = kind.names.index(node.attr)
        return collected.Part(kind.items[place], owner, place)
    if isinstance(kind, ScopeType):
        if not isinstance(owner, tree.Local):
            raise body.source.refuse(node, "computes a scope", "read the bound of a parameter")
        if node.attr not in kind.scope.bounds:
            what = f"names no bound of {kind.scope.__name__}"
            raise body.source.refuse_name(node, what, node.attr, kind.scope.bounds)
        return tree.Bound(node.attr)
    if isinstance(kind, StepType):
        return read_argument(body, node, owner)
    if isinstance(kind, Enumerated) and node.attr == "value":
        check_enum(body, node, kind.enum)
        return tree.Conversion(INT, owner)
    raise body.source.refuse(node, f"asks {kind} for {node.attr!r}", "only records have fields")


def no_field(body: Body, node: ast.Attribute, kind: RecordType) -> Exception:
    """The error for a field that a record does not have."""
    if hasattr(kind.record, node.attr):
        what = f"is no field of {kind.record.__name__}"
        return body.source.refuse(node, what, "write a function that takes the record")
    what = f"is not there: {kind.record.__name__} has no field {node.attr!r}"
    return body.source.refuse_name(node, what, node.attr, kind.fields)


def _subscript(body: Body, node: ast.Subscript) -> tree.Expression:
    whole = body.read(node.value)
    if isinstance(node.slice, ast.Slice):
        raise body.source.refuse(node, "is a slice", INSTEAD[ast.Slice])
    index = read_scalar(body, node.slice)
    if isinstance(whole.type, BagType):
        return tree.Element(INT, whole, index, body.source.spot(node))
    if isinstance(whole.type, (ArrayType, SequenceType)):
        return tree.Element(whole.type.element, whole, index, body.source.spot(node))
    if not isinstance(whole.type, TupleType):
        raise body.source.refuse(node, f"takes an element of {whole.type}", "only arrays have some")
    items = whole.type.items
    if isinstance(index, tree.Constant):
        if not -len(items) <= index.value < len(items):
            raise body.source.refuse(node, f"is outside {whole.type}", "use an index that it has")
        place = index.value % len(items)
        return tree.Item(items[place], whole, place)
    kind = _common(body, node, list(items)) if items else None
    if kind is None or not (is_scalar(kind) or is_table(whole)):
        raise body.source.refuse(node, "picks from a tuple of more than numbers", "write the index")
    return tree.Pick(kind, whole, index, body.source.spot(node))


def _unary(body: Body, node: ast.UnaryOp) -> tree.Expression:
    if isinstance(node.op, ast.Not):
        return tree.Not(read_truth(body, node.operand))
    number = node.operand.value if isinstance(node.operand, ast.Constant) else None
    if isinstance(node.op, ast.USub) and type(number) is int:
        return constant(body, node, -number)
    operand, sign = read_scalar(body, node.operand), UNARY[type(node.op)]
    if sign == "-" and isinstance(operand, tree.Constant) and operand.value > SMALLEST:
        return tree.Constant(INT, -operand.value)
    return tree.Unary(sign, operand, body.source.spot(node))


def _binary(body: Body, node: ast.BinOp) -> tree.Expression:
    left, right = body.read(node.left), body.read(node.right)
    for operand, found in ((node.left, left), (node.right, right)):
        if not (is_scalar(found.type) or isinstance(found.type, SetType)):
            raise body.source.refuse(operand, f"is {found.type}", "a number is needed here")
    sign = binary_sign(body, node, node.op)
    if not (is_scalar(left.type) and is_scalar(right.type)):
        return combined(body, node, sign, left, right)
    return tree.Binary(type_of_binary(sign, left, right), sign, left, right, body.source.spot(node))


def binary_sign(body: Body, node: ast.AST, operator: ast.operator) -> str:
    """The sign of an arithmetic operator. Raises OutsideLanguage."""
    if type(operator) not in BINARY:
        raise body.source.refuse(node, "does not stay in whole numbers", INSTEAD[type(operator)])
    return BINARY[type(operator)]


def type_of_binary(sign: str, left: tree.Expression, right: tree.Expression) -> Any:
    """The type of a result: bool for & | ^ of two bools, a number otherwise."""
    return BOOL if sign in "&|^" and left.type == right.type == BOOL else INT


def _comparison(body: Body, node: ast.Compare) -> tree.Expression:
    if (asked := read_action_test(body, node)) is not None:
        return asked
    if isinstance(node.ops[0], (ast.In, ast.NotIn)) and len(node.ops) == 1:
        item = body.read(node.left)
        source = read_iteration(body, node.comparators[0], is_asked=True)
        if not _may_hold(source, item):
            if not is_scalar(item.type):
                what = f"is {item.type}"
                raise body.source.refuse(node.left, what, "a number is needed here")
            what = f"looks for a number where each is {source.type}"
            raise body.source.refuse(node, what, "compare a field of it")
        if isinstance(source, tree.Count) and source.step != 1:
            raise body.source.refuse(node, "looks in a range with steps", "use % for the steps")
        is_negated = isinstance(node.ops[0], ast.NotIn)
        return tree.Membership(item, source, is_negated, spot=body.source.spot(node))
    first = left = body.read(node.left)
    rest = []
    for operator, comparator in zip(node.ops, node.comparators, strict=True):
        right = body.read(comparator)
        rest.append((_comparable(body, node, COMPARISONS[type(operator)], left, right), right))
        left = right
    return tree.Comparison(first, tuple(rest), spot=body.source.spot(node))


def _may_hold(source: tree.Iteration, item: tree.Expression) -> bool:
    """Whether `item in source` is in the language."""
    if is_scalar(source.type):
        return is_scalar(item.type)
    if not isinstance(source, collected.InTurn):
        return False
    return joined(source.type, item.type) is not None or are_records_alike(source.type, item.type)


def _comparable(
    body: Body, node: ast.Compare, sign: str, left: tree.Expression, right: tree.Expression
) -> str:
    """The sign; `is` becomes `==` where both mean the same. Raises OutsideLanguage."""
    kinds = left.type, right.type
    if sign in ("is", "is not"):
        if kinds[0] == kinds[1] and (kinds[0] == BOOL or isinstance(kinds[0], Enumerated)):
            return "==" if sign == "is" else "!="
        raise body.source.refuse(
            node, f"asks whether {kinds[0]} is the same object as {kinds[1]}", "write == or !="
        )
    if sign in ("in", "not in"):
        raise body.source.refuse(node, "mixes `in` into a chain", "join the parts with `and`")
    if all(is_scalar(kind) for kind in kinds):
        return sign
    if all(isinstance(kind, SetType) for kind in kinds):
        return sign
    if any(map(holds_row_of_sequences, kinds)):
        what = f"compares {kinds[0]} and {kinds[1]}"
        raise body.source.refuse(node, what, "compare the sequences one by one")
    if sign in ("==", "!=") and joined(*kinds) and not holds_scope(kinds[0]):
        return sign
    if sign in ("==", "!=") and are_records_alike(*kinds):
        return sign
    raise body.source.refuse(node, f"compares {kinds[0]} and {kinds[1]}", "compare numbers")


def _logical(body: Body, node: ast.BoolOp) -> tree.Expression:
    operands = tuple(read_scalar(body, value) for value in node.values)
    kind = _common(body, node, [operand.type for operand in operands])
    return tree.Logical(kind, isinstance(node.op, ast.And), operands)


def _choice(body: Body, node: ast.IfExp) -> tree.Expression:
    test = read_truth(body, node.test)
    then, otherwise = body.read(node.body), body.read(node.orelse)
    kind = _common(body, node, [then.type, otherwise.type])
    return tree.Choice(kind, test, then, otherwise)


def _common(body: Body, node: ast.expr, kinds: list[Any]) -> Any:
    found = kinds[0]
    for kind in kinds[1:]:
        found = joined(found, kind)
        if found is None:
            what = f"is {kinds[0]} or {kind}"
            raise body.source.refuse(node, what, "give both branches one type")
    return found


def _tuple(body: Body, node: ast.Tuple) -> tree.Expression:
    items = tuple(body.read(item) for item in node.elts)
    return tree.TupleOf(TupleType(tuple(item.type for item in items)), items)


_READERS: dict[type[ast.expr], Any] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.UnaryOp: _unary,
    ast.BinOp: _binary,
    ast.Compare: _comparison,
    ast.BoolOp: _logical,
    ast.IfExp: _choice,
    ast.Tuple: _tuple,
    ast.Call: read_call,
    ast.Set: read_display,
    ast.SetComp: read_comprehension,
}
