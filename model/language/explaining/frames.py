"""Frames: what the names of a function mean at one place, and what its expressions are there."""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from tierproof.model.language.actions import Predicate
from tierproof.model.language.reading.source import Source
from tierproof.model.language.signatures import signature_of


class Frame:
    """The names of a function at one place of one call.

    `origins` has, for each variable that an assignment gave its value, the expression and the
    frame in which it was evaluated; `changes`, for each that was then computed further, what was
    around each of these statements: see `running`.
    """

    def __init__(
        self,
        outer: Mapping[str, Any],
        names: Mapping[str, Any],
        origins: Mapping[str, tuple[ast.expr, Frame]] | None = None,
    ) -> None:
        self.outer, self.names = outer, dict(names)
        self.origins = dict(origins or {})
        self.around: list[Any] = []
        self.changes: dict[str, tuple[tuple[Any, ...], ...]] = {}

    @classmethod
    def of_call(cls, function: types.FunctionType, given: Mapping[str, Any]) -> Frame:
        """The frame in which the body of a function begins."""
        code = function.__code__
        cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
        closed = {name: cell.cell_contents for name, cell in cells if cell != types.CellType()}
        return cls({**function.__globals__, **closed}, given)

    def value(self, node: ast.expr) -> Any:
        """The value of an expression, as CPython evaluates it."""
        return eval(_code(node), {**self.outer, **self.names})

    def now(self) -> Frame:
        """A copy, which later assignments do not change."""
        found = Frame(self.outer, self.names, self.origins)
        found.changes = dict(self.changes)
        return found

    def binding(self, name: str, value: Any) -> Frame:
        """A copy in which a variable of a quantifier has a value."""
        found = self.now()
        found.bind(name, value)
        return found

    def bind(self, name: str, value: Any) -> None:
        """Give a variable a value that no expression of this function had."""
        self.names[name] = value
        self.origins.pop(name, None)
        self.changes.pop(name, None)

    def change(self, name: str, value: Any, around: tuple[Any, ...]) -> None:
        """Compute a variable further, in a statement that stands in `around`."""
        known = self.changes.get(name, ())
        self.bind(name, value)
        self.changes[name] = (*known, around)

    def assign(self, name: str, node: ast.expr, value: Any) -> None:
        """Give a variable the value of an expression."""
        before = self.now()
        self.bind(name, value)
        self.origins[name] = node, before


@lru_cache(maxsize=8192)
def _code(node: ast.expr) -> types.CodeType:
    return compile(ast.fix_missing_locations(ast.Expression(node)), "<explained>", "eval")


@lru_cache(maxsize=4096)
def body_of(function: types.FunctionType) -> list[ast.stmt]:
    """The statements of a function, as its file has them. Raises OutsideLanguage."""
    return Source(function).tree.body


@lru_cache(maxsize=8192)
def written(node: ast.expr) -> str:
    """An expression as text, in one line."""
    return ast.unparse(node)


def called(value: Any) -> types.FunctionType | None:
    """The function of a design that a call of `value` runs; None for anything else."""
    found = value.function if isinstance(value, Predicate) else value
    return found if isinstance(found, types.FunctionType) else None


def arguments_by_name(
    function: Callable[..., Any], given: list[Any], named: Mapping[str, Any]
) -> dict[str, Any]:
    """Parameter -> argument, those with a default included."""
    bound = signature_of(function).bind(*given, **named)
    bound.apply_defaults()
    return dict(bound.arguments)
