"""The memory execution: every core of this machine, the visited set in memory.

The fingerprints are divided among as many partitions as there are threads. A round
expands a chunk of the frontier on each thread; then each thread absorbs the states sent
to its own partition. It needs no lock and no atomic, and has the two halves of a Spark level.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from tierproof.spark_explorer.execution import Occurrences
from tierproof.spark_explorer.native import memory_left
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.kernel import Kernel, Worker
from tierproof.spark_explorer.native.packing import fingerprints, partition_of, partitions_of
from tierproof.spark_explorer.native.visited import FULLEST, SLOT, Origin, Visited, absorb

CAPACITY = 1 << 15
"""Successors of one round by thread and partition: as many as fit in the shared cache."""
CHUNK = 1 << 15
"""The most states of the frontier that one thread expands in a round."""
ALONE = 512
"""Frontiers up to this size use a single thread."""


class Partition:
    """The visited states of one partition, and those of the next level found so far."""

    def __init__(self, words: int, siblings: int) -> None:
        self.visited = Visited(siblings=siblings)
        self.fresh = np.empty((1 << 10, words), np.uint64)
        self.fresh_count = 0

    def absorb(
        self, arrivals: Sequence[tuple[Array, Array, Array, Array, int]], level: int
    ) -> None:
        """Add (words, fingerprints, parents, labels, count) arrivals of `level`."""
        total = sum(count for *_, count in arrivals)
        self.visited.reserve(total)
        self._reserve_fresh(total)
        for words, found, parents, labels, count in arrivals:
            before = self.fresh_count
            self.fresh_count = absorb(
                self.visited.slots, words, found, parents, labels, count, level, self.fresh, before
            )
            self.visited.count += self.fresh_count - before

    def take_fresh(self) -> Array:
        """The states found since the last call."""
        taken, self.fresh = self.fresh[: self.fresh_count], np.empty_like(self.fresh[: 1 << 10])
        self.fresh_count = 0
        return taken

    def _reserve_fresh(self, arrivals: int) -> None:
        needed = self.fresh_count + arrivals
        if needed > len(self.fresh):
            if 2 * needed * self.fresh.itemsize * self.fresh.shape[1] > memory_left.free_memory():
                raise MemoryError
            grown = np.empty((2 * needed, self.fresh.shape[1]), np.uint64)
            grown[: self.fresh_count] = self.fresh[: self.fresh_count]
            self.fresh = grown


class MemoryExecution:
    """An `Execution` with `threads` threads (default: every core)."""

    name = "memory"

    def __init__(self, kernel: Kernel, threads: int | None = None) -> None:
        self.kernel = kernel
        self.threads = threads or os.cpu_count() or 1
        capacity = max(CAPACITY, 4 * kernel.steps.count)
        self.workers = [kernel.worker(self.threads, capacity) for _ in range(self.threads)]
        self.partitions = [Partition(kernel.words, self.threads) for _ in range(self.threads)]
        self.blocks: list[Array] = []
        self.kept: list[Array] | None = None
        self.pool = ThreadPoolExecutor(self.threads)

    @property
    def distinct(self) -> int:
        """States visited."""
        return sum(partition.visited.count for partition in self.partitions)

    @property
    def frontier(self) -> int:
        """States of the frontier that are not expanded yet."""
        return sum(len(block) for block in self.blocks)

    @property
    def bytes_held(self) -> int:
        """Bytes of the visited tables, the frontier and the states that are kept."""
        held = [*self.blocks, *(self.kept or ())]
        for partition in self.partitions:
            held += [partition.visited.slots, partition.fresh]
        return sum(array.nbytes for array in held)

    @property
    def room(self) -> int:
        """States with which a visited table has to grow and has no room for that.

        Where other states take the memory before, the search ends earlier.
        """
        free = memory_left.free_memory()
        size = sum(partition.visited.slots.nbytes for partition in self.partitions)
        while 2 * size <= free:
            free, size = free - size, 2 * size
        return int(FULLEST * size / (SLOT * 8))

    def keep_states(self) -> None:
        """From the first level on, keep every state."""
        self.kept = []

    def states(self) -> list[Array] | None:
        """The packed states of every level."""
        return self.kept

    def seed(self, initial: Array, labels: Array) -> None:
        """Begin with these packed states."""
        found = fingerprints(initial)
        owners = partitions_of(found, self.threads)
        for number, partition in enumerate(self.partitions):
            own = owners == number
            arrival = (initial[own], found[own], np.zeros_like(found[own]), labels[own])
            partition.absorb([(*arrival, int(own.sum()))], 0)
        self._turn_level()

    def advance(self, level: int) -> Iterator[Occurrences]:
        """Expand the frontier, round by round."""
        while self.blocks:
            if self.frontier > ALONE and memory_left.is_exhausted():
                raise MemoryError
            workers = self.workers if self.frontier > ALONE else self.workers[:1]
            share = max(1, min(CHUNK, -(-self.frontier // len(workers))))
            chunks = [chunk for _ in workers if (chunk := self._take(share)) is not None]
            busy = workers[: len(chunks)]
            rests = self._together(
                [_expansion(*pair, level + 1) for pair in zip(busy, chunks, strict=True)]
            )
            self.blocks.extend(rest for rest in rests if len(rest))
            self._together(
                [self._absorption(number, busy, level + 1) for number in range(self.threads)]
            )
            occurrences = Occurrences.none(self.kernel)
            for worker in busy:
                occurrences.add(Occurrences.taken_from(worker.checks))
            yield occurrences
        self._turn_level()

    def origin(self, found: int, level: int) -> Origin | None:
        """How a state was reached."""
        number = int(partition_of(np.uint64(found), self.threads))
        return self.partitions[number].visited.origin(found)

    def first_reached(self, labels: int) -> Array:
        """How many states, without the initial ones, the step with each label was the first to."""
        counts = np.zeros(labels, np.int64)
        for partition in self.partitions:
            how = partition.visited.slots[:, 2]
            later = how[(how & np.uint64(0xFFFFFFFF)) > 1] >> np.uint64(32)
            counts += np.bincount(later.astype(np.int64), minlength=labels)
        return counts

    def close(self) -> None:
        """End the threads."""
        self.pool.shutdown(cancel_futures=True)

    def _turn_level(self) -> None:
        fresh = [partition.take_fresh() for partition in self.partitions]
        self.blocks = [block for block in fresh if len(block)]
        if self.kept is not None:
            size = sum(block.nbytes for block in self.blocks)
            is_roomy = size < memory_left.free_memory() // 2
            self.kept = [*self.kept, np.concatenate(fresh)] if is_roomy else None

    def _take(self, share: int) -> Array | None:
        """Up to `share` states of the frontier, or None when nothing is left."""
        if not self.blocks:
            return None
        block = self.blocks.pop()
        if len(block) > share:
            self.blocks.append(block[share:])
        return block[:share]

    def _absorption(self, number: int, workers: Sequence[Worker], level: int) -> Callable[[], None]:
        arrivals = [
            (
                worker.output.words[number],
                worker.output.found[number],
                worker.output.parents[number],
                worker.output.labels[number],
                int(worker.output.sent[number]),
            )
            for worker in workers
        ]
        return lambda: self.partitions[number].absorb(arrivals, level)

    def _together(self, tasks: Sequence[Callable[[], Any]]) -> list[Any]:
        """Run tasks side by side; one alone, or tiny ones, on this thread."""
        if len(tasks) == 1 or self.distinct < ALONE:
            return [task() for task in tasks]
        running = [self.pool.submit(task) for task in tasks]
        wait_for(running)  # also when interrupted: no thread may write while results are read
        return [future.result() for future in running]


def bytes_needed(states: float, largest_level: float, words: int) -> float:
    """Bytes that a search of so many states holds at its most, wherever its tables stop growing.

    A table is filled by half as much as it may be, on average, and while it grows the old one is
    there, too. Two levels are held, and room for twice a new one.
    """
    visited = 1.5 * states / (0.75 * FULLEST) * SLOT * 8
    return visited + 3 * largest_level * words * 8


def wait_for(running: Sequence[Future[Any]]) -> None:
    """Wait until all tasks are done, then pass on an interrupt."""
    try:
        wait(running)
    finally:
        wait(running)


def _expansion(worker: Worker, chunk: Array, level: int) -> Callable[[], Array]:
    """Expand a chunk as far as the output has room; returns the rows left over."""
    return lambda: chunk[worker.survey(chunk, 0, level) :]
