"""The Spark execution: an `Execution` whose levels are jobs over partitions of the visited set.

The memory execution expands levels with a small frontier on the driver, as a job would cost more;
from the first large level on, all states are in the run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tierproof.spark_explorer import folders
from tierproof.spark_explorer.ancestry import Ancestry
from tierproof.spark_explorer.execution import Occurrences
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.memory_left import free_memory
from tierproof.spark_explorer.native.packing import fingerprints, partitions_of
from tierproof.spark_explorer.native.seeking import Origins
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.spark import session, tasks
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

    @property
    def bytes_held(self) -> int | None:
        """Bytes that the driver holds, while it expands the levels itself."""
        return None if self.head is None else self.head.bytes_held

    @property
    def room(self) -> int | None:
        """Nobody knows what the disks of a cluster hold."""
        return None

    def states(self) -> Sequence[Array] | None:
        """The packed states of each level, read from the run onto the driver."""
        if self.head is not None:
            return self.head.states()
        if 2 * 8 * self.distinct * self.kernel.words > free_memory():
            return None
        return [np.concatenate(list(self._blocks(level))) for level in range(self.levels)]

    def seed(self, initial: Array, labels: Array) -> None:
        """Begin with these packed states."""
        assert self.head is not None
        self.head.seed(initial, labels)
        self._follow_head(0)

    def advance(self, level: int, *, in_order: bool = False) -> Iterator[Occurrences]:
        """Expand a level, on the driver or as one job."""
        if self.head is None:
            yield self._job(level)
            return
        for part in self.head.advance(level, in_order=in_order):
            self.distinct, self.frontier = self.head.distinct, self.head.frontier
            yield part
        self._follow_head(level + 1)

    def origins(self, wanted: Iterable[tuple[int, int]]) -> Origins:
        """How states, and all on the way to them, were reached; sought on the driver."""
        if self.head is not None:
            return self.head.origins(wanted)
        return Ancestry(self.kernel, self._blocks, self.seeds, self.changed).of(wanted)

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
        """Write the driver's states, by level and partition; `level` is the frontier."""
        self.kernel.optimise()
        self.kernel.close()  # the workers load the code compiled here
        self.seeds, self.changed, self.levels = head.seeds, head.changed, level + 1
        for past, states in enumerate(head.states()):
            owners = partitions_of(fingerprints(states), self.partitions)
            for part in range(self.partitions):
                self.run.write(past, part, states[owners == part])

    def _blocks(self, level: int) -> Iterator[Array]:
        """The packed states of a level, by partition."""
        return (self.run.states(level, part) for part in range(self.partitions))

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

    def _job(self, number: int) -> Occurrences:
        """One level as one Spark job: expand, send blocks to their partitions, absorb."""
        level = tasks.Level(
            self.question, self.identity, self.run, str(self.tables), self.partitions, number
        )
        with session.plain_errors():
            reports = self._beside(lambda: self._reports(level))
        occurrences = Occurrences.none(self.kernel)
        for report in reports:
            for text in json.loads(report["reports"]):
                told = json.loads(text)
                occurrences.add(Occurrences(**told["occurrences"]))
                self.changed = self.changed | np.array(told["changed"], np.uint64)
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
