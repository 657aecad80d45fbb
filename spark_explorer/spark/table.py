"""The visited table of a partition on the host where its task runs: memory-mapped, rebuildable.

The file's first row says up to which level it is complete, and whether an attempt at the
next level is in progress. A task that finds another level than it expects (it runs on another
host, or an earlier attempt died half way) rebuilds the table from the run: the states of a
task's first attempt never count as visited in its second.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from tierproof.spark_explorer.native.memory_left import free_memory
from tierproof.spark_explorer.native.visited import SLOT, Visited, rehash, restore
from tierproof.spark_explorer.spark import folders
from tierproof.spark_explorer.spark.run import Run

COMPLETE, ATTEMPT, COUNT = range(3)
"""Columns of the first row: complete up to this level + 1, level in progress + 1, states."""


class MappedVisited(Visited):
    """A visited table in a file that the Python workers of a host share.

    Raises FileNotFoundError if the file does not exist; `create` makes one.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        whole = np.memmap(path, np.uint64, mode="r+").reshape(-1, SLOT)
        self.header, self.slots = whole[0], whole[1:]

    @classmethod
    def create(cls, path: Path, capacity: int = 1 << 12) -> MappedVisited:
        """An empty table in a new file."""
        _create(path, capacity)
        return cls(path)

    @property
    def count(self) -> int:
        """The number of states in the table, stored in the file."""
        return int(self.header[COUNT])

    @count.setter
    def count(self, value: int) -> None:
        self.header[COUNT] = value

    def grow(self, capacity: int) -> None:
        """Move to a larger file, which replaces this one when it is complete."""
        larger = self.path.with_suffix(".growing")
        _create(larger, capacity)
        whole = np.memmap(larger, np.uint64, mode="r+").reshape(-1, SLOT)
        whole[0] = self.header
        rehash(self.slots, whole[1:])
        larger.replace(self.path)
        self.header, self.slots = whole[0], whole[1:]

    def is_complete_to(self, level: int) -> bool:
        """True if the table holds exactly the states up to `level`."""
        return int(self.header[COMPLETE]) == level + 1 and int(self.header[ATTEMPT]) == 0

    def begin(self, level: int) -> None:
        """Record that states of `level` are being added."""
        self.header[ATTEMPT] = level + 1

    def complete(self, level: int) -> None:
        """Record that all states up to `level` are added and durable."""
        self.header[COMPLETE], self.header[ATTEMPT] = level + 1, 0


@contextmanager
def visited_up_to(folder: Path, run: Run, part: int, level: int) -> Iterator[MappedVisited]:
    """The table of a partition with all states up to `level`, locked for this task."""
    folder.mkdir(parents=True, exist_ok=True)
    path = table_path(folder, part)
    with open(path.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if path.exists() and not MappedVisited(path).is_complete_to(level):
            path.unlink()
        if not path.exists():
            _rebuild(path, run, part, level)
        yield MappedVisited(path)


def table_path(folder: Path, part: int) -> Path:
    """The file of a partition's table on this host."""
    return folder / f"{part:04d}.visited"


def _rebuild(path: Path, run: Run, part: int, level: int) -> None:
    making = MappedVisited.create(path.with_suffix(".making"))
    for past in range(level + 1):
        found, parents, labels = run.origins(past, part)
        making.reserve(len(found))
        restore(making.slots, found, parents, labels, past)
        making.count += len(found)
    making.complete(level)
    making.path.replace(path)


def _create(path: Path, capacity: int) -> None:
    """An empty table; its blocks are allocated now: a full disk is then an error, not a crash."""
    path.unlink(missing_ok=True)
    size = (capacity + 1) * SLOT * 8
    if path.is_relative_to(folders.SHARED) and size > free_memory():
        raise MemoryError("no memory is left for visited states")
    with open(path, "wb") as file:
        os.posix_fallocate(file.fileno(), 0, size)
