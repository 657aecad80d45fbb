"""Numba's `njit`, with compiled code kept in our cache folder, in sealed files.

Numba's own files are pickles and machine code that are loaded as they are found: a damaged one
ends in a traceback, or in a segmentation fault. Here it is compiled anew, and so is all of the
engine when any of its functions has changed (Numba looks at the file of the called one alone).
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    _CacheLocator,
    _SourceFileBackedLocatorMixin,
)

from tierproof.spark_explorer.compiler.storage import (
    digest_of,
    folder,
    read_sealed,
    write_sealed,
)


def njit(**options: Any) -> Callable[[Any], Any]:
    """As Numba's, for a function of the engine: what it compiles is kept."""
    return njit_of("", **options)


def njit_of(room: str, **options: Any) -> Callable[[Any], Any]:
    """The same for a function of another package: its code is as new as that package's text."""

    def compiled(function: Any) -> Any:
        made = numba.njit(**options)(function)
        made._cache = SealedCache(function, room)
        return made

    return compiled


class EngineFolder(_SourceFileBackedLocatorMixin, _CacheLocator):
    """The folder of the engine of one place, and the digest of its text.

    A wheel that Spark has sent has another place in each run: the text alone names its folder.
    """

    def __init__(self, function: Any, file: str) -> None:
        self._py_file = file
        self._lineno = function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        """A folder below our cache folder."""
        is_file = Path(self._py_file).exists()
        place = self.get_suitable_cache_subpath(self._py_file) if is_file else engine_digest()[:16]
        return str(folder() / "numba" / place)

    def get_source_stamp(self) -> str:
        """The digest of the engine's text."""
        return engine_digest()

    @classmethod
    def from_function(cls, function: Any, file: str) -> EngineFolder:
        """The folder for a function of the engine."""
        return cls(function, file)


def engine_digest() -> str:
    """The digest of the text of every module of this package."""
    return digest_of(__name__.rpartition(".")[0])


class _Implementation(CompileResultCacheImpl):
    _locator_classes = (EngineFolder,)


class SealedFiles(IndexDataCacheFile):
    """The index and the data of one function; a file that is not as it was written is no file."""

    def _load_index(self) -> dict[Any, str]:
        return self._load(self._index_path) or {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        write_sealed(Path(self._index_path), self._dump((self._stamp, overloads)))

    def _load_data(self, name: str) -> Any:
        return self._load(self._data_path(name))

    def _save_data(self, name: str, data: Any) -> None:
        write_sealed(Path(self._data_path(name)), self._dump((self._stamp, data)))

    def _load(self, path: str) -> Any:
        """What a file of this engine keeps; None for that of another, or none."""
        content = read_sealed(Path(path))
        try:
            stamp, kept = (None, None) if content is None else pickle.loads(content)
        except Exception:  # another engine has types that this one has not
            return None
        return kept if stamp == self._stamp else None

    @property
    def _stamp(self) -> tuple[str, str]:
        """Numba's version, and the digest of the engine."""
        return str(self._version), str(self._source_stamp)


LOST = "no compiled object"
"""What Numba says where something was raised in the callback that was to receive the code."""


class SealedCache(FunctionCache):
    """The kept code of one function; that of a `room` is compiled anew when its text changes."""

    _impl_class = _Implementation

    def __init__(self, function: Any, room: str = "") -> None:
        super().__init__(function)
        stamp = digest_of(room) if room else self._impl.locator.get_source_stamp()
        self._cache_file = SealedFiles(self._cache_path, self._impl.filename_base, stamp)

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep code; go on without where it cannot be written: a disk may become full.

        Ctrl-C while LLVM hands its code over is lost in a callback: it is raised here again.
        """
        try:
            super().save_overload(signature, compiled)
        except OSError:
            self.disable()
        except RuntimeError as error:
            if LOST not in str(error):
                raise
            raise KeyboardInterrupt from error
