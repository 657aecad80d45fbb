"""The Spark execution: an `Execution` whose levels are jobs over partitions of the visited set.

The memory execution expands levels with a small frontier on the driver, as a job would cost more;
from the first large level on, all states are in the run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from typing import Any

import numpy as np

from tierproof.spark_explorer import folders
from tierproof.spark_explorer.ancestry import Ancestry
from tierproof.spark_explorer.execution import Occurrences, Standing
from tierproof.spark_explorer.identity import Identity
from tierproof.spark_explorer.kept.attempt import Attempt
from tierproof.spark_explorer.kept.run import Piece
from tierproof.spark_explorer.kept.store import store_at
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.memory_left import free_memory
from tierproof.spark_explorer.native.packing import fingerprints
from tierproof.spark_explorer.native.seeking import Origins
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.spark import session, tasks

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

    An `attempt` keeps the run; without one it is temporary and removed. On a cluster the store of
    the run must be one that every executor reaches, and tierproof must be installed there.
    """

    name = "spark"

    def __init__(
        self,
        kernel: Kernel,
        question: Question,
        *,
        master: str | None = None,
        attempt: Attempt | None = None,
        on_driver: int = ON_DRIVER,
    ) -> None:
        self.kernel, self.question, self.on_driver = kernel, question, on_driver
        self.spark = session.start(master)
        self.partitions = int(self.spark.sparkContext.defaultParallelism)
        self.temporary = folders.make(folders.temporary())
        self.tables = folders.make(folders.fast())
        self.identity = Identity.of(kernel)
        if attempt is None:
            store = store_at(str(self.temporary / "run"))
            attempt = Attempt.begin(store, question, kernel, self.name)
        self.attempt, self.run = attempt, attempt.run
        self.pieces: list[Piece] = []
        self.head: MemoryExecution | None = MemoryExecution(kernel, attempt=attempt)
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
        return [self.run.states(level) for level in range(self.levels)]

    def seed(self, initial: Array, labels: Array) -> Standing | None:
        """Begin with these packed states, or where the run has come to."""
        assert self.head is not None
        self.seeds = fingerprints(initial), labels
        if self.attempt.committed and self.attempt.last_size > self.on_driver:
            return self._restored(initial)
        standing = self.head.seed(initial, labels)
        self._follow_head()
        return standing

    def _restored(self, initial: Array) -> Standing:
        """Go on with a level that is worth a job; each partition makes its table from the run."""
        self.attempt.check_first(initial)
        standing, self.changed = self.attempt.standing((self.kernel.steps.count, self.kernel.words))
        self.frontier, self.levels = self.attempt.last_size, self.attempt.committed
        self.distinct = sum(standing.frontier_sizes) + self.frontier
        self._leave_head()
        return standing

    def commit(self, standing: Standing) -> None:
        """Make the last level durable."""
        if self.head is None:
            self.attempt.commit(self.pieces, standing, self.changed)
            return
        self.head.commit(standing)
        if self.frontier > self.on_driver:
            self.changed, self.levels = self.head.changed, self.attempt.committed
            self._leave_head()

    def advance(self, level: int, *, in_order: bool = False) -> Iterator[Occurrences]:
        """Expand a level, on the driver or as one job."""
        if self.head is None:
            yield self._job(level)
            return
        for part in self.head.advance(level, in_order=in_order):
            self.distinct, self.frontier = self.head.distinct, self.head.frontier
            yield part
        self._follow_head()

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

    def _follow_head(self) -> None:
        """Take over the driver's counts."""
        assert self.head is not None
        self.distinct, self.frontier = self.head.distinct, self.head.frontier

    def _leave_head(self) -> None:
        """From here on, a level is a job: its states are in the run."""
        assert self.head is not None
        self.kernel.optimise()
        self.kernel.close()  # the workers load the code compiled here
        self.head.close()
        self.head = None

    def _blocks(self, level: int) -> Iterator[Array]:
        """The packed states of a level."""
        return self.run.blocks(level)

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
        self.pieces = [Piece(*json.loads(report["piece"])) for report in reports]
        self.frontier = sum(piece.rows for piece in self.pieces)
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
