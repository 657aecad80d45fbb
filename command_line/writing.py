"""Folders that results are written to: tried before a search, and named when they refuse."""

from __future__ import annotations

import atexit
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from tierproof.model.language.errors import Misused, TierproofError
from tierproof.spark_explorer.locking import lock


class NotWritten(TierproofError):
    """A folder that a result was to be written to refuses it; the message names the folder."""

    def __init__(self, folder: Path, error: OSError) -> None:
        super().__init__(f"cannot write to {folder}: {error.strerror or error}")
        self.folder = folder


class Occupied(Misused):
    """Another process writes its results to a folder; the message names the folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"another run of tierproof is to write its result to {folder}: "
            "name another folder, or wait for its end"
        )


_CLAIMED: dict[Path, int | None] = {}
"""The folders of this process, each with the handle of its lock, if it could be locked."""


def claim(folder: Path | None) -> None:
    """Make a folder, if it is named, and keep other runs out of it until this process ends.

    Raises NotWritten, and Occupied if another run keeps it. What was made is removed at exit if
    nothing is in it.
    """
    if folder is None or folder.resolve() in _CLAIMED:
        return
    path = folder.resolve()
    made = [one for one in (path, *path.parents) if not one.exists()]
    with written_to(folder):
        path.mkdir(parents=True, exist_ok=True)
    _CLAIMED[path] = None
    try:
        _CLAIMED[path] = lock(path)
    except BlockingIOError:
        del _CLAIMED[path]
        raise Occupied(folder) from None
    except OSError:
        pass  # a file system without locks: nobody can be kept out
    atexit.register(_remove_empty, made)


def _remove_empty(folders: list[Path]) -> None:
    for one in folders:
        with suppress(OSError):
            one.rmdir()


def earlier(folder: Path, written: Sequence[Path]) -> str:
    """What else a folder holds that looks like results, in words; empty if there is nothing."""
    endings = {path.suffix for path in written}
    left = [
        path.name
        for path in sorted(folder.iterdir())
        if path.suffix in endings and path not in written and path.is_file()
    ]
    return f"; not of this run: {', '.join(left)}" if left else ""


def check(*folders: Path | None) -> None:
    """Raise NotWritten if nothing can be written to a folder; nothing of the trial is left.

    Where the folder does not exist, what would hold it is tried.
    """
    for folder in filter(None, folders):
        _try(folder)


def _try(folder: Path) -> None:
    there = folder.absolute()
    with written_to(folder):
        while not there.exists() and there != there.parent:
            there = there.parent
        with tempfile.TemporaryFile(dir=there, buffering=0) as trial:
            trial.write(bytes(4096))


@contextmanager
def written_to(folder: Path) -> Iterator[None]:
    """Name the folder in the error if what is done here cannot be written."""
    try:
        yield
    except OSError as error:
        raise NotWritten(folder, error) from error
