"""Where compiled code is kept between runs."""

from __future__ import annotations

import hashlib
import os
import tempfile
import uuid
from functools import lru_cache
from pathlib import Path
from typing import Any

from numba.core.caching import (
    Cache,
    CompileResultCacheImpl,
    IndexDataCacheFile,
    _CacheLocator,
)
from numba.core.dispatcher import Dispatcher


@lru_cache(maxsize=1)
def folder() -> Path:
    """The cache folder: $TIERPROOF_CACHE, else tierproof's in the user's cache folder.

    Where that cannot be written, a folder of this user among the temporary ones.
    """
    chosen = os.environ.get("TIERPROOF_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
    path = Path(chosen) if chosen else Path(base) / "tierproof"
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError:
        path = Path(tempfile.gettempdir()) / f"tierproof-{os.getuid()}"
        path.mkdir(exist_ok=True)
    return path


@lru_cache(maxsize=1)
def _functions() -> Path:
    """Where functions are kept one by one."""
    path = folder() / "native" / "functions"
    path.mkdir(parents=True, exist_ok=True)
    return path


KEY = "compiled_code_key"
"""Attribute of a function: the name under which its compiled code is kept."""


class _Locator(_CacheLocator):
    """Numba's question where a function's code lies: by its key, in the cache folder.

    Numba's own locators look at the function's file alone, and not at what it calls.
    """

    def __init__(self, function: Any) -> None:
        self._key = vars(function)[KEY]
        self._py_file = function.__code__.co_filename

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator:
        return cls(py_func)

    def get_cache_path(self) -> str:
        return str(_functions())

    def get_source_stamp(self) -> str:
        return str(self._key)

    def get_disambiguator(self) -> str:
        return str(self._key)


class _Kept(CompileResultCacheImpl):
    _locator_classes = (_Locator,)

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        """The key says it all: equal functions of two designs share what is kept."""
        return f"{self.locator.get_source_stamp()}{abiflags}"


class _Files(IndexDataCacheFile):
    """An index of signatures, and a file of code for each, named after its signature.

    Numba counts the files up; two processes at once could then take each other's code.
    """

    def save(self, key: Any, data: Any) -> None:
        named = hashlib.sha256(repr(key).encode()).hexdigest()[:24]
        name = f"{self._source_stamp}-{named}.nbc"
        self._save_data(name, data)
        self._save_index({**self._load_index(), key: name})


class FunctionCache(Cache):
    """The compiled forms of one function, which carries its KEY."""

    _impl_class = _Kept

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._cache_file = _Files(
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base,
            source_stamp=self._impl.locator.get_source_stamp(),
        )


def keep(function: Dispatcher, key: str) -> Dispatcher:
    """`function`, which from now on loads what was compiled under `key`, or leaves it there.

    Its symbol becomes one of a kind: Numba numbers record types as it meets them and names
    code by these numbers, so that two processes would give one name to code for two layouts,
    and a third, which loads both, would call the wrong one. Its module is one that every
    process can import.
    """
    vars(function.py_func)[KEY] = key
    function.py_func.__qualname__ = f"{function.py_func.__name__}_{uuid.uuid4().hex}"
    function.py_func.__module__ = __name__
    vars(function)["_cache"] = FunctionCache(function.py_func)
    return function
