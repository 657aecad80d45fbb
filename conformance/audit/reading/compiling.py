"""Numba's `njit`, whose kept code is compiled anew when any module of this room has changed.

Numba looks at the file of the compiled function alone, and what that function calls is inlined:
after an upgrade that changes only a callee, the old code would be found and used.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    _CacheLocator,
    _SourceFileBackedLocatorMixin,
)


def njit(function: Callable[..., Any]) -> Any:
    """Compile a function at its first call; it runs without the interpreter's lock."""
    made = numba.njit(nogil=True)(function)
    made._cache = RoomCache(function)
    return made


@cache
def room_digest() -> str:
    """The digest of the text of every module of this room."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


class RoomFolder(_SourceFileBackedLocatorMixin, _CacheLocator):
    """Where code is kept: a folder for the text of this room, in the user's cache."""

    def __init__(self, function: Any, file: str) -> None:
        self._py_file = file
        self._lineno = function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        """The folder; that of TIERPROOF_CACHE, if it is set, as for all that the project keeps."""
        named = os.environ.get("TIERPROOF_CACHE")
        users = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tierproof"
        return str(Path(named or users) / "numba" / f"audit-{room_digest()[:16]}")

    def get_source_stamp(self) -> str:
        """What kept code must have been compiled from."""
        return room_digest()

    @classmethod
    def from_function(cls, function: Any, file: str) -> RoomFolder:
        """The folder for a function of this room."""
        return cls(function, file)


class _Implementation(CompileResultCacheImpl):
    _locator_classes = (RoomFolder,)


class RoomCache(FunctionCache):
    """The kept code of one function; without a folder that can be written, none is kept."""

    _impl_class = _Implementation

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep code, if the disk takes it."""
        try:
            super().save_overload(signature, compiled)
        except OSError:
            self.disable()
