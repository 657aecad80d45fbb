"""Definitions: replace a helper function wherever the functions of a design call it.

An effect appends a record under `segment_key(...)`. A repair with other keys replaces neither
the effect nor the others that call the helper, but its definition, as TLC lets a configuration
override an operator: `define={segment_key: key_of_segment_id}`. Functions are not changed: those
that call the helper, directly or not, are copied, and the copies call it by the same name.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from threading import RLock
from typing import Any

from tierproof.model.language.actions import Predicate
from tierproof.model.language.errors import DesignError
from tierproof.model.language.purity import referenced

Function = Callable[..., Any]


class Definitions:
    """Helpers that replace others: `new` maps each old helper to its replacement.

    A replacement may call the helper that it replaces by its name; it then calls the original.
    """

    def __init__(self, new: Mapping[Function, Function]) -> None:
        self.new = dict(new)
        self._copies: dict[Function, Function] = {}
        self._standing: dict[Function, Function] = {}
        self._copying = RLock()

    def function(self, given: Function) -> Function:
        """`given` under the definitions: as it was written, or a copy that calls other helpers."""
        given = as_written(given)
        # Designs are explored in threads: none may take a copy that another one has begun.
        with self._copying:
            if given not in self._copies:
                self._copies[given] = given  # a function that calls itself is refused elsewhere
                names = self._names(given)
                self._copies[given] = copied(given, names) if names else given
            return self._copies[given]

    def predicate(self, given: Any) -> Any:
        """A guard or a property under the definitions."""
        function = self.function(given.function)
        return given if function is given.function else replace(given, function=function)

    def slot(self, given: Any) -> Any:
        """An action or an initial state under the definitions."""
        parts = [part for part in ("first", "also", "last") if getattr(given, part, ())]
        changed: dict[str, Any] = {
            part: tuple(self.function(one) for one in getattr(given, part)) for part in parts
        }
        if hasattr(given, "guards"):
            changed["guards"] = tuple(self.predicate(one) for one in given.guards)
        return replace(given, effect=self.function(given.effect), **changed)

    def claim(self, given: Any) -> Any:
        """A property under the definitions, with its premise."""
        premise = given.premise and self.predicate(given.premise)
        return replace(self.predicate(given), premise=premise)

    def _names(self, caller: Function) -> dict[str, Any]:
        """The names in `caller` that are redefined, with their new meaning."""
        found = {}
        for name, value in referenced(caller).items():
            if isinstance(value, Predicate):
                new: Any = self.predicate(value)
            elif isinstance(value, types.FunctionType):
                new = self._called(value, caller)
            else:
                continue
            if new is not value:
                found[name] = new
        return found

    def _called(self, called: Function, caller: Function) -> Function:
        new = self.new.get(called)
        if new is None or new is caller:
            return self.function(called)
        if called not in self._standing:
            names = self._names(new)
            self._standing[called] = copied(new, names) if names else new
        return self._standing[called]


@cache
def definitions(new: frozenset[tuple[Function, Function]]) -> Definitions:
    """The Definitions of these pairs; equal pairs give the same object, so designs compare."""
    return Definitions(dict(new))


def as_written(function: Function) -> Function:
    """The function as written in its file; `function` may be a copy of it."""
    found: Function = getattr(function, "as_written", function)
    return found


def called_by(functions: Iterable[Function]) -> set[Function]:
    """Every helper that one of the functions calls by its name, directly or not."""
    found: set[Function] = set()
    pending = [as_written(one) for one in functions]
    while pending:
        for value in referenced(pending.pop()).values():
            helper = value.function if isinstance(value, Predicate) else value
            if isinstance(helper, types.FunctionType) and helper not in found:
                found.add(helper)
                pending.append(helper)
    return found


def reached_by(
    functions: Iterable[Function], defined: Mapping[Function, Function]
) -> set[Function]:
    """Every helper that one of the functions calls where `defined` replaces helpers.

    A helper that is replaced is among them, as is its replacement.
    """
    found = called_by(functions)
    pending = [helper for helper in found if helper in defined]
    while pending:
        new = defined[pending.pop()]
        more = ({new} | called_by([new])) - found
        found |= more
        pending += [helper for helper in more if helper in defined]
    return found


def check_definition(title: str, old: Any, new: Any) -> None:
    """Raise DesignError unless both are plain functions that take as many arguments."""
    for one in (old, new):
        if not isinstance(one, types.FunctionType):
            raise DesignError(f"{title} defines {one!r} anew, which is no plain function")
    counts = [len(inspect.signature(one, follow_wrapped=False).parameters) for one in (old, new)]
    if counts[0] != counts[1]:
        raise DesignError(
            f"{title}: {new.__name__!r} takes {counts[1]} arguments, and replaces "
            f"{old.__name__!r}, which takes {counts[0]}"
        )


def copied(
    function: Any, names: Mapping[str, Any], rewritten: types.CodeType | None = None
) -> Function:
    """A copy of a function in which names have another meaning, or that has other code.

    Code that is `rewritten` has the parameters and the free variables of the function's own; the
    copy then is a function as it is written.
    """
    code = rewritten or function.__code__
    cells = {name: types.CellType(names[name]) for name in code.co_freevars if name in names}
    closure = tuple(
        cells.get(name, cell)
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True)
    )
    known = {**function.__globals__, **names}
    made: Any = types.FunctionType(
        code, known, function.__name__, function.__defaults__, closure or None
    )
    for attribute in ("__kwdefaults__", "__annotations__", "__module__", "__qualname__"):
        setattr(made, attribute, getattr(function, attribute))
    if rewritten is None:
        made.as_written = as_written(function)
    found: Function = made
    return found
