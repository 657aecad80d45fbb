"""A worker: one thread's buffers, with which it expands states."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tierproof.spark_explorer.compiler.storage import ENGINE, held
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.expansion import BATCH, FRESH, WAITING, Output, expand, survey
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.visited import Table, Visited

LEAST_ROOM = 1 << 12
"""New states, beside those of one more state, that a survey has room for when it begins."""


class Worker:
    """Expands states with the code of a kernel. Not shared between threads."""

    def __init__(self, kernel: Kernel, capacity: int = 0, batch: int = BATCH) -> None:
        """Buffers for so many new states; successors wait in a batch."""
        capacity = max(capacity, kernel.steps.count + batch)
        self.kernel = kernel
        self.work = kernel.work()
        self.bench = kernel.reducing.bench()
        self.checks = kernel.blank_checks()
        self.output = Output(
            np.empty((batch, kernel.words), np.uint64),
            np.empty(batch, np.uint64),
            np.empty(batch, np.uint32),
            np.empty((capacity, kernel.words), np.uint64),
            np.zeros(3, np.int64),
            np.zeros((kernel.steps.count, kernel.words), np.uint64),
        )

    @property
    def least_room(self) -> int:
        """New states that a table has to have room for before a survey is worth it."""
        return LEAST_ROOM + 2 * self.kernel.steps.count

    def expand(self, words: Array) -> tuple[Array, Array]:
        """The successors of one packed state, and the labels of the steps to them.

        Its batch has to be larger than the number of steps. Raises DesignError when the design is
        at fault.
        """
        counts = self.output.counts
        counts[:] = 0, 0, len(self.output.fresh)
        self._run(expand, words[None, :], 0, Visited(1).table)
        if self.work.context[0]:
            raise self.kernel.explain(words, int(self.work.context[0]))
        return self.output.words[: counts[WAITING]], self.output.labels[: counts[WAITING]]

    def survey(self, block: Array, row: int, table: Table, most: int | None = None) -> int:
        """Expand `block[row:]` until done, or full; returns the next row.

        `fresh` are then the states that were not visited, at most `most`. A fault of the design is
        noted among the checks.
        """
        capacity = len(self.output.fresh)
        self.output.counts[:] = 0, 0, capacity if most is None else min(most, capacity)
        return self._run(survey, block, row, table)

    @property
    def fresh(self) -> Array:
        """The states that were not visited before the last survey."""
        return self.output.fresh[: self.output.counts[FRESH]]

    def _run(self, native: Callable[..., int], block: Array, row: int, table: Table) -> int:
        kernel = self.kernel
        self.work.context[0] = 0
        done = native(
            block,
            row,
            kernel.code,
            kernel.tables,
            kernel.packing,
            kernel.reducing.reduction,
            self.bench,
            self.work,
            self.checks,
            table,
            self.output,
        )
        kernel.stopping.raise_if_asked()
        return int(done)


def prepare(kernel: Kernel) -> None:
    """Compile or load the design and the engine by expanding zero states."""
    kernel.load()
    with held(ENGINE):
        Worker(kernel).survey(np.zeros((0, kernel.words), np.uint64), 0, Visited(1).table)
