"""The levels of a search that is kept: the frontier in memory, those before it in the run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np

from tierproof.spark_explorer.kept.run import Piece, Run
from tierproof.spark_explorer.native.arrays import Array


class KeptLevels(Sequence[Array]):
    """As `Levels`; what is added is a piece of the run, of which the first `count` levels are."""

    def __init__(self, run: Run, count: int) -> None:
        self.run, self.size = run, count
        self.frontier: Array | None = None
        self.pieces: list[Piece] = []

    def __len__(self) -> int:
        """The number of levels."""
        return self.size

    @overload
    def __getitem__(self, level: int) -> Array: ...
    @overload
    def __getitem__(self, level: slice) -> Sequence[Array]: ...
    def __getitem__(self, level: int | slice) -> Array | Sequence[Array]:
        """The states of a level, read from the run unless they are the frontier."""
        if isinstance(level, slice):
            return [self[one] for one in range(*level.indices(self.size))]
        number = range(self.size)[level]
        if number < self.size - 1:
            return self.run.states(number)
        if self.frontier is None:
            self.frontier = self.run.states(number)
        return self.frontier

    @property
    def nbytes(self) -> int:
        """Bytes that they take in memory."""
        return 0 if self.frontier is None else self.frontier.nbytes

    def blocks(self, level: int) -> Iterator[Array]:
        """The states of a level, in blocks that fit into memory."""
        return self.run.blocks(level) if level < self.size - 1 else iter([self[level]])

    def add(self, blocks: Sequence[Array]) -> None:
        """Add the next level."""
        self.frontier = np.concatenate([np.zeros((0, self.run.words), np.uint64), *blocks])
        self.pieces = [self.run.write(self.size, [self.frontier])]
        self.size += 1

    def close(self) -> None:
        """They stay."""
