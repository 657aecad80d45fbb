"""Mutation operators: what may be written in the place of a piece of a function.

A function's syntax tree in, changes of its text out. Each change is small, and what a person might
have written by mistake: a condition forgotten or turned, a limit off by one, another constant, an
assignment left out, a branch that is always taken.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, EnumMeta
from typing import Any


@dataclass(frozen=True)
class Change:
    """One change: what is done (`operator`), the node that goes, the text that comes."""

    operator: str
    node: ast.expr | ast.stmt
    text: str


Names = Mapping[str, Any]
"""What the names outside of a function mean."""

TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
SHIFTED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
SWAPPED = {"min": "max", "max": "min", "any": "all", "all": "any"}
SIGNS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}


def changes_in(function: ast.FunctionDef, names: Names) -> Iterator[Change]:
    """Every change of a function's body, in text order; `names` are those outside of it."""
    for statement in _statements(function):
        yield from _of_statement(statement)
        for root, is_truth in _expressions(statement, function):
            yield from _of_expression(root, is_truth, names)


def _statements(function: ast.FunctionDef) -> Iterator[ast.stmt]:
    """The statements of the body, those of branches and loops after the one that holds them."""
    pending: list[ast.stmt] = function.body[::-1]
    while pending:
        one = pending.pop()
        yield one
        inside = [child for part in ("body", "orelse") for child in getattr(one, part, ())]
        pending.extend(inside[::-1])


def _expressions(statement: ast.stmt, function: ast.FunctionDef) -> Iterator[tuple[ast.expr, bool]]:
    """The whole expressions of a statement, and whether each is used as a condition alone."""
    if isinstance(statement, (ast.If, ast.While)):
        yield statement.test, True
    elif isinstance(statement, ast.For):
        yield statement.iter, False
    elif isinstance(statement, ast.Return) and statement.value is not None:
        returns = function.returns
        yield statement.value, isinstance(returns, ast.Name) and returns.id == "bool"
    elif isinstance(statement, (ast.Assign, ast.AugAssign)):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        yield from ((one.slice, False) for one in targets if isinstance(one, ast.Subscript))
        yield statement.value, False
    elif isinstance(statement, (ast.AnnAssign, ast.Expr)):
        value, is_text = statement.value, isinstance(statement, ast.Expr)
        if value is not None and not (is_text and isinstance(value, ast.Constant)):
            yield value, False


# -- statements


def _of_statement(node: ast.stmt) -> Iterator[Change]:
    is_call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    is_place = isinstance(node, ast.Assign) and _is_place(node)
    if is_call or is_place or isinstance(node, ast.AugAssign):
        yield Change("leave out", node, "pass")
    if isinstance(node, ast.AugAssign) and (sign := SIGNS.get(type(node.op))):
        yield Change("other sign", node, _text(node, op=sign()))
    if isinstance(node, ast.If):
        yield Change("always", node.test, "True")
    if isinstance(node, (ast.If, ast.While)):
        yield Change("never", node.test, "False")


def _is_place(node: ast.Assign) -> bool:
    """Whether it assigns to the state: a variable that is left out has no value."""
    return all(isinstance(one, (ast.Attribute, ast.Subscript)) for one in node.targets)


# -- expressions


def _of_expression(node: ast.expr, is_truth: bool, names: Names) -> Iterator[Change]:
    """The changes of an expression and its parts."""
    reader = _READERS.get(type(node))
    if reader is not None:
        yield from reader(node, names)
    if is_truth and not isinstance(node, (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Constant)):
        yield Change("turn", node, f"not {_shown(node)}")
    if isinstance(node, ast.Attribute) and _member(node, names) is not None:
        return  # a member is one constant
    for child, is_condition in _children(node, is_truth):
        yield from _of_expression(child, is_condition, names)


def _children(node: ast.expr, is_truth: bool) -> Iterator[tuple[ast.expr, bool]]:
    if isinstance(node, ast.BoolOp):
        yield from ((one, True) for one in node.values)
    elif isinstance(node, ast.IfExp):
        yield node.test, True
        yield from ((one, is_truth) for one in (node.body, node.orelse))
    elif isinstance(node, ast.UnaryOp):
        yield node.operand, False  # `not x` is turned as a whole
    elif isinstance(node, (ast.GeneratorExp, ast.SetComp)):
        yield node.elt, False
        for loop in node.generators:
            yield loop.iter, False
            yield from ((one, True) for one in loop.ifs)
    elif isinstance(node, ast.Call):
        yield from ((one, False) for one in node.args)
        yield from ((one.value, False) for one in node.keywords)
    else:
        yield from ((one, False) for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr))


def _bool_op(node: ast.BoolOp, names: Names) -> Iterator[Change]:
    for number in range(len(node.values)):
        kept = node.values[:number] + node.values[number + 1 :]
        text = _text(node, values=kept) if len(kept) > 1 else ast.unparse(kept[0])
        yield Change("drop a part", node, text)
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield Change("and for or", node, _text(node, op=other))


def _compare(node: ast.Compare, names: Names) -> Iterator[Change]:
    for number, one in enumerate(node.ops):
        for what, table in (("turn", TURNED), ("shift", SHIFTED)):
            if other := table.get(type(one)):
                ops = [*node.ops[:number], other(), *node.ops[number + 1 :]]
                yield Change(what, node, _text(node, ops=ops))


def _unary(node: ast.UnaryOp, names: Names) -> Iterator[Change]:
    if isinstance(node.op, ast.Not):
        yield Change("turn", node, ast.unparse(node.operand))


def _bin_op(node: ast.BinOp, names: Names) -> Iterator[Change]:
    if sign := SIGNS.get(type(node.op)):
        yield Change("other sign", node, _text(node, op=sign()))


def _if_exp(node: ast.IfExp, names: Names) -> Iterator[Change]:
    yield Change("always", node, ast.unparse(node.body))
    yield Change("never", node, ast.unparse(node.orelse))


def _call(node: ast.Call, names: Names) -> Iterator[Change]:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name in SWAPPED and name not in names:
        yield Change("other function", node.func, SWAPPED[name])


def _constant(node: ast.Constant, names: Names) -> Iterator[Change]:
    if isinstance(node.value, bool):
        yield Change("other constant", node, str(not node.value))
    elif isinstance(node.value, int):
        yield from (Change("other constant", node, str(node.value + by)) for by in (1, -1))


def _name(node: ast.Name | ast.Attribute, names: Names) -> Iterator[Change]:
    value = _member(node, names)
    if isinstance(value, Enum):
        for other in _neighbours(value):
            text = _name_of(other, node, names)
            if text is not None:
                yield Change("other constant", node, text)
    elif type(value) is int:
        yield from (Change("other constant", node, f"({_shown(node)} {by})") for by in _BY_ONE)


_BY_ONE = ("+ 1", "- 1")


def _member(node: ast.expr, names: Names) -> Any:
    """The member of an enum, or the number, that a name outside of the function stands for."""
    if isinstance(node, ast.Name):
        found = names.get(node.id)
        return found if isinstance(found, Enum) or type(found) is int else None
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        owner = names.get(node.value.id)
        if isinstance(owner, EnumMeta):
            return owner.__members__.get(node.attr)
    return None


def _neighbours(value: Enum) -> list[Enum]:
    """The members before and after one, round the enum."""
    members = list(type(value))
    at = members.index(value)
    found = (members[(at + by) % len(members)] for by in (1, -1))
    return list(dict.fromkeys(one for one in found if one is not value))


def _name_of(member: Enum, node: ast.Name | ast.Attribute, names: Names) -> str | None:
    """How a member is written where `node` stands; None if nothing there has its name."""
    if isinstance(node, ast.Attribute):
        return f"{ast.unparse(node.value)}.{member.name}"
    if names.get(member.name) is member:
        return member.name
    enums = (name for name, value in names.items() if value is type(member))
    return next((f"{name}.{member.name}" for name in enums), None)


_READERS: dict[type[ast.expr], Callable[[Any, Names], Iterator[Change]]] = {
    ast.BoolOp: _bool_op,
    ast.Compare: _compare,
    ast.UnaryOp: _unary,
    ast.BinOp: _bin_op,
    ast.IfExp: _if_exp,
    ast.Call: _call,
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _name,
}

# -- text


def _text(node: ast.AST, **changed: Any) -> str:
    """The text of a node with other parts."""
    other = copy.copy(node)
    for name, value in changed.items():
        setattr(other, name, value)
    return ast.unparse(other)


def _shown(node: ast.expr) -> str:
    """The text of a node, in brackets unless it is one word."""
    text = ast.unparse(node)
    is_word = isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Constant, ast.Subscript))
    return text if is_word else f"({text})"
