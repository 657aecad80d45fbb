"""Constant values: numbers, members of enums, tuples of them."""

from __future__ import annotations

import ast
import types
from enum import Enum, EnumMeta
from typing import Any

from tierproof.model.language.reading import tree
from tierproof.model.language.reading.body import Body
from tierproof.model.language.reading.classes import flaw_of_enum
from tierproof.model.language.reading.source import MISSING
from tierproof.model.language.reading.types import BOOL, INT, Enumerated, TupleType

SMALLEST, LARGEST = -(1 << 63), (1 << 63) - 1


def static(body: Body, node: ast.expr) -> Any:
    """The meaning of a name or a dotted name outside the function, or MISSING."""
    if isinstance(node, ast.Name):
        if node.id in body.locals or any(node.id in renamed for renamed in body.scopes):
            return MISSING
        return body.look_up(node.id)
    if isinstance(node, ast.Attribute):
        owner = static(body, node.value)
        if isinstance(owner, types.ModuleType):
            found = body.look_up_in(owner, node.attr)
            if found is MISSING:
                what = f"names nothing: {owner.__name__} has no {node.attr!r}"
                raise body.source.refuse_name(node, what, node.attr, vars(owner))
            return found
        if isinstance(owner, EnumMeta):
            if node.attr not in owner.__members__:
                what = f"names nothing: {owner.__name__} has no member {node.attr!r}"
                raise body.source.refuse_name(node, what, node.attr, owner.__members__)
            return owner[node.attr]
        if node.attr in ("effect", "function"):  # of an action, an initial or a guard
            found = getattr(owner, node.attr, MISSING)
            return found if isinstance(found, types.FunctionType) else MISSING
    return MISSING


def constant(body: Body, node: ast.expr, value: Any) -> tree.Expression:
    """A constant value."""
    if isinstance(value, bool):
        return tree.Constant(BOOL, int(value))
    if isinstance(value, Enum):
        check_enum(body, node, type(value))
        return tree.Constant(Enumerated(type(value)), int(value))  # type: ignore[call-overload,arg-type]
    if type(value) is int:
        if not SMALLEST <= value <= LARGEST:
            raise body.source.refuse(node, "has more than 64 bits", "use smaller numbers")
        return tree.Constant(INT, value)
    if type(value) is tuple:
        items = tuple(constant(body, node, item) for item in value)
        return tree.TupleOf(TupleType(tuple(item.type for item in items)), items)
    raise body.source.refuse(node, f"is {_kind(value)}", _instead_of(value))


def check_enum(body: Body, node: ast.expr, enum: type) -> None:
    """Raise OutsideLanguage unless the members of `enum` behave as plain numbers."""
    flaw = flaw_of_enum(enum)
    if flaw is not None:
        what, _, instead = flaw.partition("; ")
        raise body.source.refuse(node, f"is refused, as {what}", instead)


def _kind(value: Any) -> str:
    if value is None:
        return "None"
    if isinstance(value, (float, str, bytes, list, dict, set)):
        return f"of type {type(value).__name__}"
    name = getattr(value, "__name__", None)
    return f"the {type(value).__name__} {name!r}" if name else f"of type {type(value).__name__}"


def _instead_of(value: Any) -> str:
    if value is None:
        return "write NONE (-1) for what is not there"
    if isinstance(value, float):
        return "states are whole numbers"
    if isinstance(value, list):
        return "write a tuple, which nobody can change"
    return "only numbers, members of an IntEnum and tuples of them can be used as values"
