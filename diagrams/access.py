"""Which top-level fields of the state an effect assigns to, read from its source text.

The reader follows local names (`leader = state.broker[b]`), loops over a field, and calls of
helpers. Only drawings use it; no verdict depends on it.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from tierproof.model.language.purity import referenced
from tierproof.model.language.reading.source import definition_of

_STATE = ""
"""The binding of a name that is the whole state."""

CHANGING = frozenset({"add", "discard", "remove", "clear", "append", "pop"})
"""Methods of sets, sequences and bags that change them."""

Bindings = dict[str, str]
"""Local name -> the top-level field that it is, or is a part of."""


@cache
def assigned_fields(effect: Callable[..., Any]) -> frozenset[str]:
    """Names of the top-level fields that `effect` or a helper assigns to."""
    state = next(iter(inspect.signature(effect).parameters))
    return frozenset(_read(effect, {state: _STATE}, set()))


def _read(function: Any, bound: Bindings, met: set[object]) -> Iterator[str]:
    """Fields that a function assigns to under these bindings; each call is read once."""
    call = (function, tuple(sorted(bound.items())))
    tree = None if call in met else definition_of(function)
    met.add(call)
    if tree is not None:
        names = referenced(function)
        for node in _in_order(tree):
            yield from _assigned(node, bound)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                helper = names.get(node.func.id)
                if inspect.isfunction(helper):
                    yield from _read(helper, _passed(node, helper, bound), met)


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """Nodes in text order, so that a name is bound before it is used."""
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _in_order(child)


def _assigned(node: ast.AST, bound: Bindings) -> Iterator[str]:
    """Fields that one statement assigns to; a plain name is bound instead."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        field = _field(node.func.value, bound) if node.func.attr in CHANGING else None
        if field:
            yield field
    for target, value in _targets(node):
        if isinstance(target, ast.Name):
            field = None if value is None else _field(value, bound)
            if field is not None:
                bound[target.id] = field
        else:
            field = _field(target, bound)
            if field:
                yield field


def _targets(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    if isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Tuple):
                yield from ((element, None) for element in target.elts)
            else:
                yield target, node.value
    elif isinstance(node, ast.AugAssign):
        yield node.target, None
    elif isinstance(node, ast.For):
        yield node.target, node.iter


def _field(expression: ast.expr, bound: Bindings) -> str | None:
    """The top-level field that an expression is, or is a part of; None if it is neither."""
    if isinstance(expression, ast.Name):
        return bound.get(expression.id)
    if isinstance(expression, ast.Subscript):
        return _field(expression.value, bound)
    if isinstance(expression, ast.Attribute):
        inside = _field(expression.value, bound)
        return expression.attr if inside == _STATE else inside
    return None


def _passed(call: ast.Call, helper: Any, bound: Bindings) -> Bindings:
    """The bindings of the parameters of `helper` in a call."""
    given = dict(zip(inspect.signature(helper).parameters, call.args, strict=False))
    given |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    fields = {name: _field(value, bound) for name, value in given.items()}
    return {name: field for name, field in fields.items() if field is not None}
