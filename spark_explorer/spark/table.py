"""The visited table of a partition on the host where its task runs: memory-mapped, rebuildable.

The file's header says up to which level it is complete, and whether an attempt at the
next level is in progress. A task that finds another level than it expects (it runs on another
host, or an earlier attempt died half way) rebuilds the table from the run: the states of a
task's first attempt never count as visited in its second.
"""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from tierproof.spark_explorer import folders
from tierproof.spark_explorer.kept.run import Run
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.memory_left import free_memory
from tierproof.spark_explorer.native.visited import Table, Visited, mark_visited, move

COMPLETE, ATTEMPT, COUNT, ZERO, BITS = range(5)
"""Of the header: complete up to this level + 1, level in progress + 1, states, as in `Table`, bits
of a fingerprint."""
HEADER = 8
"""Words before the slots."""


class MappedVisited(Visited):
    """A visited table in a file that the Python workers of a host share.

    Raises FileNotFoundError if the file does not exist; `create` makes one.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        whole = np.memmap(path, np.uint64, mode="r+")
        self.header = whole[:HEADER]
        slots, capacity = whole[HEADER:], (len(whole) - HEADER) * 64 // int(self.header[BITS])
        zero = self.header[ZERO : ZERO + 1]
        self.table = Table(slots[:capacity], slots[capacity:], zero)

    @classmethod
    def create(cls, path: Path, capacity: int = 1 << 12, bits: int = 64) -> MappedVisited:
        """An empty table in a new file."""
        _create(path, capacity, bits)
        return cls(path)

    @property
    def count(self) -> int:
        """The number of states in the table, stored in the file."""
        return int(self.header[COUNT])

    @count.setter
    def count(self, value: int) -> None:
        self.header[COUNT] = value

    def affordable(self) -> int:
        """Any number of slots: a disk that is full is seen when the file is made."""
        return sys.maxsize

    def grow(self, capacity: int) -> None:
        """Move to a larger file, which replaces this one when it is complete."""
        path = self.path.with_suffix(".growing")
        larger = MappedVisited.create(path, capacity, self.bits)
        larger.header[:] = self.header
        move(self.table, 0, self.capacity, larger.table)
        path.replace(self.path)
        self.header, self.table = larger.header, larger.table

    def is_complete_to(self, level: int) -> bool:
        """True if the table holds exactly the states up to `level`."""
        return int(self.header[COMPLETE]) == level + 1 and int(self.header[ATTEMPT]) == 0

    def begin(self, level: int) -> None:
        """Record that states of `level` are being added."""
        self.header[ATTEMPT] = level + 1

    def complete(self, level: int) -> None:
        """Record that all states up to `level` are added and durable."""
        self.header[COMPLETE], self.header[ATTEMPT] = level + 1, 0

    def visited_to(self, level: int, states: Array, found: Array) -> Array:
        """Which states were visited up to `level`; none, where the table has others, too.

        Another process may begin with the next level at any time. It says so before it adds a
        state, so it had not begun if afterwards nothing is said.
        """
        is_visited = np.zeros(len(found), np.bool_)
        mark_visited(self.table, states, found, is_visited)
        if not self.is_complete_to(level):
            is_visited[:] = False
        return is_visited


@contextmanager
def visited_up_to(
    folder: Path, run: Run, part: int, parts: int, level: int, bits: int
) -> Iterator[MappedVisited]:
    """The table of a partition with all states up to `level`, locked for this task."""
    folder.mkdir(parents=True, exist_ok=True)
    path = table_path(folder, part)
    with open(path.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if path.exists() and not MappedVisited(path).is_complete_to(level):
            path.unlink()
        if not path.exists():
            making = MappedVisited.create(path.with_suffix(".making"), bits=bits)
            _rebuild(making, run, part, parts, level)
            making.path.replace(path)
        yield MappedVisited(path)


def table_path(folder: Path, part: int) -> Path:
    """The file of a partition's table on this host."""
    return folder / f"{part:04d}.visited"


def _rebuild(making: MappedVisited, run: Run, part: int, parts: int, level: int) -> None:
    for past in range(level + 1):
        making.add(run.states(past, part, parts))
    making.complete(level)


def _create(path: Path, capacity: int, bits: int) -> None:
    """An empty table; its blocks are allocated now: a full disk is then an error, not a crash."""
    path.unlink(missing_ok=True)
    size = 8 * HEADER + bits // 8 * capacity
    if path.is_relative_to(folders.SHARED) and size > free_memory():
        raise MemoryError("no memory is left for visited states")
    with open(path, "wb") as file:
        os.posix_fallocate(file.fileno(), 0, size)
        os.pwrite(file.fileno(), np.uint64(bits).tobytes(), 8 * BITS)
