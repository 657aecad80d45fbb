"""The memory execution: every core of this machine, one visited table for all threads.

A round expands a chunk of the frontier on each thread; the thread that is the first to visit a
state keeps it for the next level. Between rounds the table may grow.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any

import numpy as np

from tierproof.spark_explorer.ancestry import Ancestry
from tierproof.spark_explorer.execution import LevelLost, Occurrences, Standing
from tierproof.spark_explorer.levels import Levels
from tierproof.spark_explorer.native import memory_left
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.packing import fingerprints
from tierproof.spark_explorer.native.seeking import Origins
from tierproof.spark_explorer.native.visited import FULLEST, GROWTH, Visited
from tierproof.spark_explorer.native.worker import Worker

if TYPE_CHECKING:
    from tierproof.spark_explorer.kept.attempt import Attempt
    from tierproof.spark_explorer.kept.levels import KeptLevels

CAPACITY = 1 << 14
"""New states for which a thread has a buffer."""
CHUNK = 1 << 15
"""The most states of the frontier that one thread expands in a round."""
ALONE = 512
"""Frontiers up to this size use a single thread."""


class MemoryExecution:
    """An `Execution` with `threads` threads (default: every core), kept by an attempt at a run."""

    name = "memory"

    def __init__(
        self, kernel: Kernel, threads: int | None = None, attempt: Attempt | None = None
    ) -> None:
        self.kernel, self.attempt = kernel, attempt
        self.threads = threads or os.cpu_count() or 1
        self.workers = [Worker(kernel, CAPACITY) for _ in range(self.threads)]
        self.visited = Visited(bits=kernel.fingerprint_bits)
        self.levels: Levels | KeptLevels = Levels(kernel.words)
        if attempt is not None:
            self.levels = attempt.levels
        self.before = np.zeros((kernel.steps.count, kernel.words), np.uint64)
        self.seeds = np.zeros(0, np.uint64), np.zeros(0, np.int64)
        self.next = 0
        self.fresh: list[Array] = []
        self.pool = ThreadPoolExecutor(self.threads)

    @property
    def distinct(self) -> int:
        """States visited."""
        return self.visited.count

    @property
    def frontier(self) -> int:
        """States of the frontier that are not expanded yet."""
        return len(self.levels[-1]) - self.next if len(self.levels) else 0

    @property
    def bytes_held(self) -> int:
        """Bytes of the visited table and of the levels that are in memory."""
        return self.visited.nbytes + self.levels.nbytes + sum(one.nbytes for one in self.fresh)

    @property
    def shuffled(self) -> None:
        """Threads share all states: none is sent."""
        return None

    @property
    def room(self) -> int:
        """States with which the visited table has to grow and has no room for that.

        Where other states take the memory before, the search ends earlier.
        """
        return self.visited.limit

    def seed(self, initial: Array, labels: Array) -> Standing | None:
        """Begin with these packed states, or where the run has come to."""
        self.seeds = fingerprints(initial), labels
        if self.attempt is not None and self.attempt.committed:
            return self._restored(self.attempt, initial)
        self.visited.add(initial)
        self.fresh = [initial]
        self._turn_level()
        return None

    def _restored(self, attempt: Attempt, initial: Array) -> Standing:
        """Go on from where the run has come to."""
        attempt.check_first(initial)
        self.go_on_with(attempt.levels)
        standing, self.before = attempt.standing(self.before.shape)
        return standing

    def go_on_with(self, levels: KeptLevels) -> None:
        """Visit the states of a run, the last level of which is the frontier. Raises LevelLost."""
        self.levels = levels
        for level in range(len(levels)):
            for block in levels.blocks(level):
                if self.visited.add(block) != len(block):
                    raise LevelLost(f"the run is damaged: level {level} has a state twice")

    def commit(self, standing: Standing) -> None:
        """Make the last level durable, if the run is kept."""
        if self.attempt is not None:
            self.attempt.commit(self.attempt.levels.pieces, standing, self.changed)

    def advance(self, level: int, *, in_order: bool = False) -> Iterator[Occurrences]:
        """Expand the frontier, round by round."""
        while self.frontier:
            if self.frontier > ALONE and memory_left.is_exhausted():
                raise MemoryError
            workers = self.workers if self.frontier > ALONE else self.workers[:1]
            share = max(1, min(CHUNK, -(-self.frontier // len(workers))))
            chunks = [chunk for _ in workers if len(chunk := self._take(share))]
            busy = workers[: len(chunks)]
            self._expand(busy, chunks)
            occurrences = Occurrences.none(self.kernel)
            for worker in busy:
                occurrences.add(Occurrences.taken_from(worker.checks))
            yield occurrences
        self._turn_level(in_order=in_order)

    def origins(self, wanted: Iterable[tuple[int, int]]) -> Origins:
        """How these states, and all on the way to them, were reached."""
        return Ancestry(self.kernel, self.levels.blocks, self.seeds, self.changed).of(wanted)

    @property
    def changed(self) -> Array:
        """The bits that the step with each label has changed."""
        return np.bitwise_or.reduce([self.before, *(one.output.changed for one in self.workers)])

    def states(self) -> Sequence[Array]:
        """The packed states of each level."""
        return self.levels

    def close(self) -> None:
        """End the threads, and remove what is on disk."""
        self.pool.shutdown(cancel_futures=True)
        self.levels.close()

    def _expand(self, workers: Sequence[Worker], chunks: Sequence[Array]) -> None:
        """Expand chunks to their ends; whenever the table is full, all wait while it grows."""
        left = [(worker, chunk, 0) for worker, chunk in zip(workers, chunks, strict=True)]
        while left:
            self.visited.reserve(len(left) * self.workers[0].least_room)
            room, before = self.visited.room // len(left), len(self.fresh)
            try:
                rests = self._together([self._expansion(*one, room) for one in left])
            finally:
                self.visited.count += sum(map(len, self.fresh[before:]))
            left = [rest for rest in rests if rest[2] < len(rest[1])]

    def _expansion(
        self, worker: Worker, chunk: Array, row: int, room: int
    ) -> Callable[[], tuple[Worker, Array, int]]:
        """Expand rows of a chunk from `row` on, for so many new states; returns what is left."""

        def expand() -> tuple[Worker, Array, int]:
            at, most = row, room
            while True:
                try:
                    at = worker.survey(chunk, at, self.visited.table, most)
                finally:
                    self.fresh.append(worker.fresh.copy())
                most -= len(worker.fresh)
                if at == len(chunk) or most < worker.least_room:
                    return worker, chunk, at

        return expand

    def _turn_level(self, *, in_order: bool = False) -> None:
        found, self.fresh, self.next = self.fresh, [], 0
        self.levels.add([_ordered(np.concatenate(found))] if in_order else found)

    def _take(self, share: int) -> Array:
        """Up to `share` states of the frontier."""
        taken = self.levels[-1][self.next : self.next + share]
        self.next += len(taken)
        return taken

    def _together(self, tasks: Sequence[Callable[[], Any]]) -> list[Any]:
        """Run tasks side by side; one alone, or tiny ones, on this thread."""
        if len(tasks) == 1 or self.distinct < ALONE:
            return [task() for task in tasks]
        running = [self.pool.submit(task) for task in tasks]
        wait_for(running)  # also when interrupted: no thread may write while results are read
        return [future.result() for future in running]


def _ordered(states: Array) -> Array:
    """The states by fingerprint: threads find them in any order."""
    return states[np.argsort(fingerprints(states))]


def bytes_needed(states: float, largest_level: float, words: int) -> float:
    """Bytes that a search of so many states holds at its most, wherever its table grows."""
    return states * 8 * GROWTH / FULLEST + 2 * largest_level * words * 8


def wait_for(running: Sequence[Future[Any]]) -> None:
    """Wait until all tasks are done, then pass on an interrupt."""
    try:
        wait(running)
    finally:
        wait(running)
