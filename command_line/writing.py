"""Folders that results are written to: tried before a search, and named when they refuse."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tierproof.model.language.errors import TierproofError


class NotWritten(TierproofError):
    """A folder that a result was to be written to refuses it; the message names the folder."""

    def __init__(self, folder: Path, error: OSError) -> None:
        super().__init__(f"cannot write to {folder}: {error.strerror or error}")
        self.folder = folder


def check(folder: Path) -> None:
    """Raise NotWritten if nothing can be written to a folder; nothing of the trial is left.

    Where the folder does not exist, what would hold it is tried.
    """
    there = folder.absolute()
    while not there.exists() and there != there.parent:
        there = there.parent
    with written_to(folder), tempfile.TemporaryFile(dir=there, buffering=0) as trial:
        trial.write(bytes(4096))


@contextmanager
def written_to(folder: Path) -> Iterator[None]:
    """Name the folder in the error if what is done here cannot be written."""
    try:
        yield
    except OSError as error:
        raise NotWritten(folder, error) from error
