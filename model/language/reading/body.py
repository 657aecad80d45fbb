"""The body of a function that is being read, as what reads its parts has it."""

from __future__ import annotations

import ast
import types
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from tierproof.model.language.reading import tree
from tierproof.model.language.reading.source import Source, Use, use_in, use_of_name
from tierproof.model.language.reading.types import Type, joined

Key = tuple[Callable[..., Any], tuple[Type, ...]]
"""A function, and the types of the arguments for which it is read."""


class Body(ABC):
    """One pass over a function's body: what its names mean, and what is assigned so far.

    `assigned` holds the variables that have a value on every path to this point, None if it is
    unreachable; `scopes` holds the variables of enclosing any(...), all(...) and sum(...).
    How an expression is read is not known here: what reads a construct asks the body for its parts.
    """

    def __init__(self, source: Source, variables: dict[str, Type], given: list[str]) -> None:
        self.source, self.variables = source, variables
        self.locals = {*source.code.co_varnames, *source.code.co_cellvars}
        self.assigned: frozenset[str] | None = frozenset(given)
        self.after_breaks: frozenset[str] | None = None
        self.scopes: list[dict[str, str | None]] = []
        self.result: Type | None = None
        self.is_widened = False
        self.assigns: tree.Spot | None = None
        self.uses: list[Use] = []
        self.calls: list[Key] = []
        self._count = 0

    def look_up(self, name: str) -> Any:
        """The meaning of a name that is not a local variable, or MISSING."""
        self.uses.append(use_of_name(self.source.function, name))
        return self.uses[-1].value

    def look_up_in(self, module: types.ModuleType, name: str) -> Any:
        """The meaning of a name in a module, or MISSING."""
        self.uses.append(use_in(vars(module), name))
        return self.uses[-1].value

    @abstractmethod
    def read(self, node: ast.expr) -> tree.Expression:
        """The tree of an expression that has a value."""

    @abstractmethod
    def scalar(self, node: ast.expr) -> tree.Expression:
        """The tree of an expression that has to be one number."""

    @abstractmethod
    def truth(self, node: ast.expr) -> tree.Expression:
        """The tree of an expression used as a condition."""

    @abstractmethod
    def function(
        self, node: ast.AST, function: types.FunctionType, kinds: tuple[Type, ...]
    ) -> tree.Function:
        """The tree of a function that is called here."""

    def fresh(self, name: str) -> str:
        """A variable name that does not occur in the source."""
        self._count += 1
        return f"{name}.{self._count}"

    def local(self, node: ast.Name) -> tree.Expression:
        """The tree of a variable, which has a value here."""
        if self.assigned is None or node.id not in self.assigned:
            what = "may have no value here"
            raise self.source.refuse(node, what, "assign it before, on every way to this line")
        return tree.Local(self.variables[node.id], node.id)

    def assign(self, name: str) -> None:
        """Record that the variable has a value from here on."""
        if self.assigned is not None:
            self.assigned |= {name}

    def set_type(self, node: ast.AST, name: str, kind: Type) -> None:
        """Record that a variable may hold this type. Raises OutsideLanguage if it mixes types."""
        known = self.variables.get(name, kind)
        both = joined(known, kind)
        if both is None:
            what = f"gives {name.partition('.')[0]!r}, which is {known}, a value that is {kind}"
            raise self.source.refuse(node, what, "use another name")
        self.is_widened |= both != known
        self.variables[name] = both

    def returns(self, node: ast.AST, kind: Type) -> None:
        """Record that the function may return a value of this type."""
        both = kind if self.result is None else joined(self.result, kind)
        if both is None:
            what = f"returns {kind}, and elsewhere {self.result}"
            raise self.source.refuse(node, what, "return one type of value")
        self.result = both
