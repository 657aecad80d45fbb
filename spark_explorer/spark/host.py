"""A host that owns every state: it has nobody to send to, so one task expands a level by threads.

The table and the frontier stay in the memory of the Python worker from level to level. A worker
that finds another level than it expects (it was started for one that died, or an attempt failed
half way) begins again with the states in the run: those of a task's first attempt never count as
visited in its second.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tierproof.spark_explorer.execution import Occurrences
from tierproof.spark_explorer.kept.levels import KeptLevels
from tierproof.spark_explorer.kept.run import Piece, Run
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.kernel import Kernel

ONLY = 0
"""The number of the only partition."""
SMALL = 10_000
"""Frontiers up to this many states do not end a task: a job would take longer than they do."""
MOST_LEVELS = 100
"""Levels that a task expands at most, so that somebody who waits sees how far it is."""


@dataclass(frozen=True)
class Report:
    """What a level brought to a partition.

    Occurrences, the bits that the step with each label has changed, the piece of the run with its
    new states, and the bytes of states that were sent to it.
    """

    occurrences: Occurrences
    changed: Array
    piece: Piece | None = None
    received: int = 0

    @property
    def part(self) -> int | None:
        """The partition."""
        return None if self.piece is None else self.piece.part

    @property
    def fresh(self) -> int:
        """New states."""
        return 0 if self.piece is None else self.piece.rows

    @classmethod
    def none(cls) -> Report:
        """Nothing yet."""
        return cls(Occurrences([], [], [], [], []), np.zeros((0, 0), np.uint64))


class Host:
    """The states of a run up to `level`, in this process; `level` is the frontier."""

    def __init__(self, run: Run, level: int, kernel: Kernel, threads: int) -> None:
        self.run, self.level = run, level
        self.is_expanding = False
        self.levels = KeptLevels(run, level + 1)
        self.execution = MemoryExecution(kernel, threads)
        self.execution.go_on_with(self.levels)

    def is_at(self, run: Run, level: int) -> bool:
        """Whether it has exactly the states of this run up to this level."""
        return (self.run, self.level, self.is_expanding) == (run, level, False)

    def advance(self) -> Report:
        """Expand the frontier and write the next one."""
        self.is_expanding = True
        found = Occurrences.none(self.execution.kernel)
        for part in self.execution.advance(self.level):
            found.add(part)
        self.level, self.is_expanding = self.level + 1, False
        (piece,) = self.levels.pieces
        return Report(found, self.execution.changed, piece)

    def close(self) -> None:
        """Give the memory back."""
        self.execution.close()


_HERE: list[Host] = []
"""The host of this process, or none: another run takes its place."""


def advance(run: Run, level: int, kernel: Kernel, threads: int) -> list[Report]:
    """Expand a level of a run on this host, and small ones that follow; a report for each."""
    if not _HERE or not _HERE[0].is_at(run, level):
        release()
        _HERE.append(Host(run, level, kernel, threads))
    reports = [_HERE[0].advance()]
    while 0 < reports[-1].fresh <= SMALL and len(reports) < MOST_LEVELS:
        reports.append(_HERE[0].advance())
    return reports


def release() -> None:
    """Forget the run that this process has states of."""
    while _HERE:
        _HERE.pop().close()
