"""The Spark execution: an `Execution` whose levels are jobs over partitions of the visited set.

The memory execution expands levels with a small frontier on the driver, as a job would cost more;
from the first large level on, all states are in the run.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tierproof.spark_explorer.execution import Occurrences
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.memory_left import free_memory
from tierproof.spark_explorer.native.packing import fingerprints, partition_of, partitions_of
from tierproof.spark_explorer.native.visited import Origin
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.spark import folders, session, tasks
from tierproof.spark_explorer.spark.identity import Identity
from tierproof.spark_explorer.spark.run import Run

ON_DRIVER = 10_000
"""Frontiers up to this many states are expanded on the driver."""


SECONDS_UNTIL_HEARD = 0.2
"""How late Ctrl-C is heard amid a call of the JVM, at most."""


def one_thread() -> ThreadPoolExecutor:
    """A pool whose one thread has begun: Ctrl-C amid its start would let a second one begin."""
    pool = ThreadPoolExecutor(1)
    pool.submit(lambda: None).result()
    return pool


class SparkExecution:
    """An `Execution` on `master` (None: every core of this machine).

    The run is kept in its own folder below `folder`; without `folder` the run is temporary and
    removed. On a cluster `folder` must be on storage that every executor shares, and tierproof
    must be installed there.
    """

    name = "spark"

    def __init__(
        self,
        kernel: Kernel,
        question: Question,
        *,
        master: str | None = None,
        folder: Path | None = None,
        on_driver: int = ON_DRIVER,
    ) -> None:
        self.kernel, self.question, self.on_driver = kernel, question, on_driver
        self.spark = session.start(master)
        self.partitions = int(self.spark.sparkContext.defaultParallelism)
        self.temporary = folders.make(folders.temporary())
        self.tables = folders.make(folders.fast())
        kept = (folder or self.temporary).resolve() / self.temporary.name
        self.identity = Identity.of(kernel)
        self.run = Run(str(kept), kernel.words, self.identity.digest)
        self.head: MemoryExecution | None = MemoryExecution(kernel)
        self.caller = one_thread()
        self.distinct = 0
        self.frontier = 0
        self.levels = 0
        self.is_kept = False

    @property
    def bytes_held(self) -> int | None:
        """Bytes that the driver holds, while it expands the levels itself."""
        return None if self.head is None else self.head.bytes_held

    @property
    def room(self) -> int | None:
        """Nobody knows what the disks of a cluster hold."""
        return None

    def keep_states(self) -> None:
        """Keep the states that the driver expands; the run always keeps the others."""
        assert self.head is not None
        self.head.keep_states()
        self.is_kept = True

    def states(self) -> list[Array] | None:
        """The packed states of every level, read from the run onto the driver."""
        if self.head is not None:
            return self.head.states()
        if not self.is_kept or 2 * 8 * self.distinct * self.kernel.words > free_memory():
            return None
        pairs = itertools.product(range(self.levels), range(self.partitions))
        return [self.run.states(level, part) for level, part in pairs]

    def seed(self, initial: Array, labels: Array) -> None:
        """Begin with these packed states."""
        assert self.head is not None
        self.head.seed(initial, labels)
        self._follow_head(0)

    def advance(self, level: int) -> Iterator[Occurrences]:
        """Expand a level, on the driver or as one job."""
        if self.head is None:
            yield self._job(level)
            return
        for part in self.head.advance(level):
            self.distinct, self.frontier = self.head.distinct, self.head.frontier
            yield part
        self._follow_head(level + 1)

    def origin(self, found: int, level: int) -> Origin | None:
        """How a state was reached."""
        if self.head is not None:
            return self.head.origin(found, level)
        part = int(partition_of(np.uint64(found), self.partitions))
        return self.run.origin(level, part, found)

    def close(self) -> None:
        """Remove temporary files; keep the session, as starting one takes seconds."""
        if self.head is not None:
            self.head.close()
        self.caller.shutdown()
        folders.remove(self.temporary)
        folders.remove(self.tables)

    def _follow_head(self, level: int) -> None:
        """Take over the driver's counts, and its work once the frontier is worth a job."""
        assert self.head is not None
        self.distinct, self.frontier = self.head.distinct, self.head.frontier
        if self.frontier > self.on_driver:
            self._hand_over(self.head, level)
            self.head.close()
            self.head = None

    def _hand_over(self, head: MemoryExecution, level: int) -> None:
        """Write the driver's visited states, by level and partition; `level` is the frontier."""
        self.kernel.optimise()
        self.kernel.close()  # the workers load the code compiled here
        slots = np.concatenate([one.visited.slots for one in head.partitions])
        slots = slots[slots[:, 2] != 0]
        levels = (slots[:, 2] & np.uint64(0xFFFFFFFF)).astype(np.int64) - 1
        owners = partitions_of(slots[:, 0], self.partitions)
        frontier = np.concatenate(head.blocks)
        kept = head.states()
        self.is_kept, self.levels = kept is not None, level + 1
        for part in range(self.partitions):
            for past in range(level):
                rows = slots[(owners == part) & (levels == past)]
                states = np.zeros((len(rows), self.kernel.words), np.uint64)
                if kept is not None:
                    _, states = _aligned(rows, kept[past])
                self._write(past, part, rows, states)
            mine = slots[(owners == part) & (levels == level)]
            self._write(level, part, *_aligned(mine, frontier))

    def _beside(self, work: Callable[[], list[Any]]) -> list[Any]:
        """What work on the JVM returns; it is done on a thread that Ctrl-C does not reach.

        In the middle of a call of the JVM, Ctrl-C breaks the connection, and Py4J prints where.
        """
        try:
            running = self.caller.submit(work)
            while not wait([running], SECONDS_UNTIL_HEARD).done:
                pass  # Ctrl-C just before a wait begins does not end it
            return running.result()
        except KeyboardInterrupt:
            with ThreadPoolExecutor(1) as canceller:
                wait([canceller.submit(self.spark.sparkContext.cancelAllJobs)])
            self.caller.submit(lambda: None).result()  # after the work, however that ends
            raise

    def _write(self, level: int, part: int, slots: Any, states: Any) -> None:
        labels = (slots[:, 2] >> np.uint64(32)).astype(np.uint32)
        self.run.write(level, part, slots[:, 0], slots[:, 1], labels, states)

    def _job(self, number: int) -> Occurrences:
        """One level as one Spark job: expand, send blocks to their partitions, absorb."""
        level = tasks.Level(
            self.question, self.identity, self.run, str(self.tables), self.partitions, number
        )
        with session.plain_errors():
            reports = self._beside(lambda: self._reports(level))
        occurrences = Occurrences.none(self.kernel)
        for report in reports:
            for text in json.loads(report["occurrences"]):
                occurrences.add(Occurrences(**json.loads(text)))
        self.frontier = sum(report["fresh"] for report in reports)
        self.distinct += self.frontier
        self.levels = number + 2
        return occurrences

    def _reports(self, level: tasks.Level) -> list[Any]:
        """The reports of the tasks of a level."""
        ids = self.spark.range(0, self.partitions, 1, self.partitions)
        blocks = ids.mapInArrow(partial(tasks.expand, level), tasks.BLOCKS_DDL)
        routed = blocks.repartitionById(self.partitions, "part")
        absorbed = routed.mapInArrow(partial(tasks.absorb_blocks, level), tasks.REPORTS_DDL)
        return list(absorbed.collect())


def _aligned(slots: Any, states: Any) -> tuple[Any, Any]:
    """The slots, and for each its packed state from among `states`."""
    found = fingerprints(states)
    order = np.argsort(found)
    rows = order[np.searchsorted(found, slots[:, 0], sorter=order)]
    return slots, states[rows]
