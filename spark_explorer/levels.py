"""Levels: the packed states of every level of a search, in memory and then on disk.

They are the frontier, and where traces and liveness begin again: a visited table knows neither
states nor parents.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import overload

import numpy as np

from tierproof.spark_explorer import folders
from tierproof.spark_explorer.native.arrays import Array

IN_MEMORY = 32 << 20
"""Bytes of all levels up to which they stay in memory."""
ROOM = 1 << 30
"""Bytes that a disk has left, for others, when a level goes there; else it stays in memory."""


class Levels(Sequence[Array]):
    """The states of every level; `words` is the width of a state."""

    def __init__(self, words: int) -> None:
        self.words = words
        self.held: list[Array] = []
        self.folder: Path | None = None

    def __len__(self) -> int:
        """The number of levels."""
        return len(self.held)

    @overload
    def __getitem__(self, level: int) -> Array: ...
    @overload
    def __getitem__(self, level: slice) -> Sequence[Array]: ...
    def __getitem__(self, level: int | slice) -> Array | Sequence[Array]:
        """The states of a level."""
        return self.held[level]

    def blocks(self, level: int) -> Iterator[Array]:
        """The states of a level, in blocks that fit into memory."""
        return iter([self.held[level]])

    @property
    def nbytes(self) -> int:
        """Bytes that they take in memory."""
        return sum(level.nbytes for level in self.held if not isinstance(level, np.memmap))

    def add(self, blocks: Sequence[Array]) -> None:
        """Add the next level."""
        size = sum(block.nbytes for block in blocks)
        if self.folder is None and self.nbytes + size > IN_MEMORY:
            folders.sweep()  # of searches that were killed
            self.folder = folders.make(folders.temporary())
            self.held = [self._moved([states], level) for level, states in enumerate(self.held)]
        self.held.append(self._moved(blocks, len(self)))

    def close(self) -> None:
        """Remove what is on disk; who still reads a level keeps it."""
        if self.folder is not None:
            folders.remove(self.folder)

    def _moved(self, blocks: Sequence[Array], level: int) -> Array:
        """The states of a level: the pages of a file if they are to be on disk and it has room."""
        size = sum(block.nbytes for block in blocks)
        if self.folder is not None and size:
            path = self.folder / f"level={level:04d}.words"
            with suppress(OSError):
                if shutil.disk_usage(self.folder).free > size + ROOM:
                    with path.open("wb") as file:
                        for block in blocks:
                            block.tofile(file)
                    return np.memmap(path, np.uint64, mode="c").reshape(-1, self.words)
        return np.concatenate([np.zeros((0, self.words), np.uint64), *blocks])
