"""Turn a design's Python functions, and the helpers they call, into Numba functions.

Numba cannot call a plain function, so each function is rebuilt over globals in which
every helper is compiled too. The digest of all of it names the compiled code on disk:
whatever a function uses, changing it changes the name. Each function is kept on disk by
itself, so that a variant of a design compiles only what it changes.
"""

from __future__ import annotations

import hashlib
import types
from collections.abc import Callable, Iterable
from enum import EnumMeta
from typing import Any

import numpy as np
from numba import njit
from numba.core.dispatcher import Dispatcher

from model.language.actions import Predicate
from model.language.errors import DesignError
from model.language.purity import reachable, referenced
from spark_explorer.native import cache

_FLAGS = f"nogil boundscheck, symbols of a kind, numpy {np.__version__}"


class Rebuilder:
    """Compiles functions lazily, each once, so that shared helpers are shared."""

    def __init__(self) -> None:
        self._done: dict[types.FunctionType, Dispatcher] = {}
        self._in_progress: set[types.FunctionType] = set()
        self._texts: dict[types.FunctionType, str] = {}

    def compiled(self, function: Callable[..., Any]) -> Dispatcher:
        """The Numba function for `function`."""
        if isinstance(function, Dispatcher):
            return function
        if not isinstance(function, types.FunctionType):
            raise TypeError(f"{function!r} is not a Python function")
        if function in self._in_progress:
            raise DesignError(f"{function.__name__} calls itself: recursion cannot be compiled")
        if function not in self._done:
            self._in_progress.add(function)
            self._done[function] = self._kept(function, self._rebuilt(function))
            self._in_progress.remove(function)
        return self._done[function]

    def _kept(self, function: types.FunctionType, rebuilt: types.FunctionType) -> Dispatcher:
        """The Numba function, loaded from disk for signatures that were compiled before."""
        dispatcher = njit(nogil=True, boundscheck=True)(rebuilt)
        return cache.keep(dispatcher, self.digest([function], _FLAGS))

    def digest(self, functions: Iterable[Callable[..., Any]], *more: str) -> str:
        """`digest`, with a memory of every function that was asked for."""
        return digest(functions, *more, texts=self._texts)

    def _rebuilt(self, function: types.FunctionType) -> types.FunctionType:
        used = referenced(function)
        names = {*function.__code__.co_names, *used}
        globals_ = {"__builtins__": __builtins__, "__name__": function.__module__}
        globals_.update({name: self._usable(value, names) for name, value in used.items()})
        closure = tuple(types.CellType(globals_[name]) for name in function.__code__.co_freevars)
        rebuilt = types.FunctionType(
            function.__code__, globals_, function.__name__, function.__defaults__, closure
        )
        rebuilt.__kwdefaults__ = function.__kwdefaults__
        return rebuilt

    def _usable(self, value: Any, names: set[str]) -> Any:
        if isinstance(value, Predicate):
            return self.compiled(value.function)
        if isinstance(value, types.FunctionType):
            return self.compiled(value)
        if isinstance(value, types.ModuleType) and _is_plain(value):
            return self._module(value, names)
        return value

    def _module(self, module: types.ModuleType, names: set[str]) -> types.ModuleType:
        stand_in = types.ModuleType(module.__name__)
        for name in names & set(vars(module)):
            setattr(stand_in, name, self._usable(vars(module)[name], names))
        return stand_in


def _is_plain(module: types.ModuleType) -> bool:
    """True for a module of a design's author; NumPy and math stay themselves."""
    return module.__name__.partition(".")[0] not in ("numpy", "math", "numba", "builtins")


def digest(
    functions: Iterable[Callable[..., Any]],
    *more: str,
    texts: dict[types.FunctionType, str] | None = None,
) -> str:
    """A name for compiled code: equal only if every function and constant used is equal.

    `texts` remembers what was found of each function, for callers that ask often.
    """
    texts = {} if texts is None else texts
    hashed = hashlib.sha256("\0".join(more).encode())
    for function in functions:
        for part in reachable(function):
            if part not in texts:
                texts[part] = _text_of(part)
            hashed.update(texts[part].encode())
    return hashed.hexdigest()[:24]


def _text_of(function: types.FunctionType) -> str:
    used = sorted(referenced(function).items())
    names = "".join(f"{name}={_constant_text(value)};" for name, value in used)
    return f"{_code_text(function.__code__)}{function.__defaults__!r}{names}"


def _code_text(code: types.CodeType) -> str:
    constants = [
        _code_text(c) if isinstance(c, types.CodeType) else repr(c) for c in code.co_consts
    ]
    return f"{code.co_name}{code.co_code.hex()}{code.co_names}{code.co_varnames}{constants}"


def _constant_text(value: Any) -> str:
    if isinstance(value, EnumMeta):
        return f"{value.__name__}{sorted(value.__members__.items())}"
    if isinstance(value, np.ndarray):
        return value.tobytes().hex()
    if isinstance(value, types.ModuleType) and _is_plain(value):
        constants = {
            name: constant
            for name, constant in vars(value).items()
            if not name.startswith("_") and isinstance(constant, (int, str, tuple))
        }
        return f"{value.__name__}{sorted(constants.items(), key=str)}"
    if isinstance(value, (types.FunctionType, types.ModuleType, Predicate, type)):
        return getattr(value, "__name__", type(value).__name__)
    return repr(value)
