"""Purity: does a function assign, and which fields does it name? Read from its byte code.

Guards and properties must not assign, and guards must not read ghosts. Both are checked here for
the function and every helper that it calls, before anything runs, because compiled code cannot
detect it.
"""

from __future__ import annotations

import dis
import os
import types
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

_ASSIGNMENTS = {
    "STORE_ATTR": "assigns to the attribute",
    "DELETE_ATTR": "deletes the attribute",
    "STORE_SUBSCR": "assigns to an element",
    "DELETE_SUBSCR": "deletes an element",
    "STORE_SLICE": "assigns to a slice",
    "STORE_GLOBAL": "assigns to the global",
    "DELETE_GLOBAL": "deletes the global",
}


_LANGUAGE = f"{__name__.rpartition('.')[0]}."


def referenced(function: Callable[..., Any]) -> dict[str, Any]:
    """Global and closure names that `function` uses, with their current values."""
    if not isinstance(function, types.FunctionType):
        return {}
    code, found = function.__code__, {}
    for name in _global_names(code):
        if name in function.__globals__:
            found[name] = function.__globals__[name]
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        if cell != types.CellType():  # empty while the name is not yet bound, as in a recursion
            found[name] = cell.cell_contents
    return found


def reachable(function: Callable[..., Any]) -> Iterator[types.FunctionType]:
    """`function` and every Python function that it calls by name, each once.

    A Guard or a Property is replaced by its `.function`; names are followed through modules.
    The language's own functions, such as its decorators, are not included.
    """
    pending: list[Any] = [function]
    met: set[types.FunctionType] = set()
    while pending:
        current = pending.pop()
        if not isinstance(current, types.FunctionType):
            current = getattr(current, "function", None)
        if not isinstance(current, types.FunctionType) or current in met:
            continue
        if str(current.__module__).startswith(_LANGUAGE):
            continue
        met.add(current)
        yield current
        for value in referenced(current).values():
            pending.extend(_through_modules(value, _names(current.__code__)))


def _through_modules(value: Any, names: frozenset[str]) -> Iterator[Any]:
    """`value`, or, for a module, the values of the names in it and in its submodules."""
    pending: list[Any] = [value]
    met: set[types.ModuleType] = set()
    while pending:
        current = pending.pop()
        if not isinstance(current, types.ModuleType):
            yield current
        elif current not in met:
            met.add(current)
            pending.extend(vars(current)[name] for name in sorted(names & set(vars(current))))


def assignment_in(function: Callable[..., Any]) -> str | None:
    """A sentence about the first assignment in `function` or its helpers, or None."""
    for part in reachable(function):
        for code in _codes(part.__code__):
            if found := _facts(code).assignment:
                return f"{part.__name__} {found}"
    return None


def attributes_of(function: Callable[..., Any]) -> set[str]:
    """Every attribute name that `function` or its helpers read or write."""
    return {
        name
        for part in reachable(function)
        for code in _codes(part.__code__)
        for name in _facts(code).attributes
    }


class _Facts(NamedTuple):
    """One piece of byte code: its first assignment, and the names of attributes and globals."""

    assignment: str
    attributes: frozenset[str]
    globals: frozenset[str]


@cache
def _facts(code: types.CodeType) -> _Facts:
    assignment, attributes, names = "", set(), set()
    line = code.co_firstlineno
    for instruction in dis.get_instructions(code):
        line = _line_of(instruction) or line
        word, name = instruction.opname, str(instruction.argval)
        if word in _ASSIGNMENTS and not assignment:
            what = f"{_ASSIGNMENTS[word]} {instruction.argval or ''}".strip()
            assignment = f"{what} ({shown_path(code.co_filename)}:{line})"
        if word in ("LOAD_ATTR", "STORE_ATTR", "LOAD_METHOD"):
            attributes.add(name)
        if word in ("LOAD_GLOBAL", "LOAD_NAME"):
            names.add(name)
    return _Facts(assignment, frozenset(attributes), frozenset(names))


def shown_path(file: str) -> str:
    """A file's path relative to the current folder, if the file is below it."""
    below = os.path.relpath(file) if os.path.isabs(file) else file
    return file if below.startswith("..") else below


def _line_of(instruction: dis.Instruction) -> int | None:
    """The line an instruction starts; Python 3.13 moved it to `line_number`."""
    line: int | None = getattr(instruction, "line_number", instruction.starts_line)
    return line


@cache
def _global_names(code: types.CodeType) -> tuple[str, ...]:
    """Names that the code looks up globally; a field may have the same name as a function."""
    return tuple(sorted({name for part in _codes(code) for name in _facts(part).globals}))


@cache
def _names(code: types.CodeType) -> frozenset[str]:
    return frozenset(name for part in _codes(code) for name in part.co_names)


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)
