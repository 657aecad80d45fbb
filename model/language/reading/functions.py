"""Reading a function for arguments of given types; each reading is cached and shared."""

from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from threading import RLock
from typing import Any

from tierproof.model.language.errors import OutsideLanguage
from tierproof.model.language.reading import expressions, tree
from tierproof.model.language.reading.body import Body, Key
from tierproof.model.language.reading.collecting import read_truth
from tierproof.model.language.reading.source import Source, Use
from tierproof.model.language.reading.statements import read_block
from tierproof.model.language.reading.types import NOTHING, Type
from tierproof.model.language.signatures import check_unaltered, signature_of


@dataclass(frozen=True)
class _Reading:
    """A function that was read, the meanings of its names at that time, and what it calls."""

    function: tree.Function
    uses: tuple[Use, ...]
    calls: tuple[Key, ...]


_READ: dict[Key, _Reading] = {}
_UNDER_WAY: list[types.FunctionType] = []
_READING = RLock()
"""Designs are explored in threads: what another thread reads is not under way in this one."""
_CURRENT: set[Key] = set()
"""The readings found up to date since the last call of `look_again`."""


def look_again() -> None:
    """Look up the names of every cached reading again before it is used."""
    _CURRENT.clear()


def read_function(function: Callable[..., Any], kinds: tuple[Type, ...]) -> tree.Function:
    """`function` as a typed tree, for arguments of these types. Raises OutsideLanguage."""
    if not isinstance(function, types.FunctionType):
        raise OutsideLanguage(f"{function!r} is no plain function: write it with `def`, in a file")
    key = function, kinds
    with _READING:
        if not _is_current(key):
            source = Source(function)
            if function in _UNDER_WAY:
                raise source.refuse(source.tree, "calls itself", "write a loop")
            _UNDER_WAY.append(function)
            try:
                _READ[key] = _read(source, kinds)
                _CURRENT.add(key)
            finally:
                _UNDER_WAY.pop()
        return _READ[key].function


def changed_since(functions: Iterable[tree.Function]) -> Iterator[tuple[str, str]]:
    """Each name that means something else than when these were read, and the function that asks.

    Raises OutsideLanguage for a function object that was altered.
    """
    for function in functions:
        check_unaltered(function.source)
        known = _READ[function.source, tuple(kind for _, kind in function.parameters)]
        if known.function is not function:  # another design has read it again
            yield function.name, function.name
        yield from ((use.name, function.name) for use in known.uses if not use.is_current)


def _is_current(key: Key) -> bool:
    """Whether a function was read and its names, and those of its callees, mean the same."""
    if key in _CURRENT:
        return True
    check_unaltered(key[0])
    known = _READ.get(key)
    if known is None or not all(use.is_current for use in known.uses):
        return False
    if not all(_is_current(called) for called in known.calls):
        return False
    _CURRENT.add(key)
    return True


def _read(source: Source, kinds: tuple[Type, ...]) -> _Reading:
    """Read the body again until no assignment widens the type of a variable."""
    names = _parameters(source)
    if len(names) != len(kinds):
        what = f"takes {len(names)} arguments, and is given {len(kinds)}"
        raise source.refuse(source.tree, what, "declare it with the parameters that it has")
    variables = dict(zip(names, kinds, strict=True))
    given = tuple(variables.items())
    while True:
        body = _Body(source, variables, [name for name, _ in given])
        statements = read_block(body, source.tree.body)
        if not body.is_widened:
            break
    if body.assigned is not None and body.result not in (None, NOTHING):
        what = "may end without a value"
        raise source.refuse(source.tree, what, "return one at its end")
    source.check_unchanged()
    result = NOTHING if body.result is None else body.result
    function = tree.Function(
        source.name, source.function, given, variables, statements, result, body.assigns
    )
    return _Reading(function, tuple(body.uses), tuple(body.calls))


def _parameters(source: Source) -> list[str]:
    parameters = signature_of(source.function).parameters.values()
    several = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
    if any(parameter.kind in several for parameter in parameters):
        what = "takes any number of arguments"
        raise source.refuse(source.tree, what, "name each of them")
    return [parameter.name for parameter in parameters]


class _Body(Body):
    """A Body that knows how each expression is read."""

    def read(self, node: ast.expr) -> tree.Expression:
        """The tree of an expression that has a value."""
        found = expressions.read(self, node)
        if found.type == NOTHING:
            raise self.source.refuse(node, "gives nothing back", "call it in a line of its own")
        return found

    def scalar(self, node: ast.expr) -> tree.Expression:
        """The tree of an expression that has to be one number."""
        return expressions.read_scalar(self, node)

    def truth(self, node: ast.expr) -> tree.Expression:
        """The tree of an expression used as a condition."""
        return read_truth(self, node)

    def function(
        self, node: ast.AST, function: types.FunctionType, kinds: tuple[Type, ...]
    ) -> tree.Function:
        """The tree of a function that is called here."""
        if function in _UNDER_WAY:
            raise self.source.refuse(node, "calls itself in the end", "write a loop")
        found = read_function(function, kinds)
        self.assigns = self.assigns or found.assigns
        self.calls.append((function, kinds))
        return found
