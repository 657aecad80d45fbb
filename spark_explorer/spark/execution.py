"""The Spark execution: an `Execution` whose levels are jobs over partitions of the visited set.

The memory execution expands the first levels on the driver: small ones, as a job would cost more,
and others while Spark starts. From then on all states are in the run. Spark on this machine has one
partition, which a task expands by threads; on a cluster, each core has one.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from typing import Any
from uuid import uuid4

from tierproof.spark_explorer import folders
from tierproof.spark_explorer.ancestry import Ancestry
from tierproof.spark_explorer.execution import LevelLost, Occurrences, Standing
from tierproof.spark_explorer.identity import Identity
from tierproof.spark_explorer.kept.attempt import Attempt
from tierproof.spark_explorer.kept.levels import KeptLevels
from tierproof.spark_explorer.kept.run import Piece
from tierproof.spark_explorer.kept.store import store_at
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.packing import fingerprints
from tierproof.spark_explorer.native.seeking import Origins
from tierproof.spark_explorer.provenance import OnSpark
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.spark import configuration, session, tasks
from tierproof.spark_explorer.spark.host import ONLY, Report

ON_DRIVER = 10_000
"""Frontiers up to this many states are expanded on the driver, until one is larger."""
WORTH_STARTING = 1_000_000
"""Distinct states from which on Spark is started on this machine, whose cores the search has."""
WHILE_STARTING = 1 << 30
"""Bytes that the driver may hold before it waits for Spark."""
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

    The driver hands over to Spark at the first frontier of more than `on_driver` states, for which
    it waits; None: as the operator has set `spark.tierproof.onDriver`, else of more than ON_DRIVER,
    once Spark is ready. It is started at once on a cluster, and on this machine when it is needed,
    or the search has come to WORTH_STARTING. `partitions` is for tests. Raises NoSpark, as any
    method does that finds Spark not started.
    """

    name = "spark"

    def __init__(
        self,
        kernel: Kernel,
        question: Question,
        *,
        master: str | None = None,
        attempt: Attempt | None = None,
        on_driver: int | None = None,
        partitions: int | None = None,
    ) -> None:
        self.kernel = kernel
        self.question = replace(question, fingerprint_bits=kernel.fingerprint_bits)
        self.asked_partitions = partitions
        self.identity = Identity.of(kernel, question)
        self.title = f"{kernel.design.name}, {question.scope_title(kernel.design)}"
        self.starting = session.Starting(master, self._make_ready)
        operators = self.starting.operators
        self.on_driver = configuration.on_driver(operators) if on_driver is None else on_driver
        if not self.starting.is_here:
            self.starting.begin()
        self.temporary = folders.make(folders.temporary())
        self.name_of_jobs = f"tierproof-{uuid4().hex[:12]}"
        self.is_temporary = attempt is None
        if attempt is None:
            store = store_at(str(self.temporary / "run"))
            attempt = Attempt.begin(store, question, kernel, self.name)
        self.attempt, self.run = attempt, attempt.run
        self.pieces: list[Piece] = []
        self.head: MemoryExecution | None = MemoryExecution(kernel, self.starting.threads, attempt)
        self.caller = one_thread()
        self.distinct = 0
        self.frontier = 0
        self.known: list[list[Report]] = []
        self.on_spark = OnSpark(levels=0, jobs=0, states=0, shuffled=None)

    @cached_property
    def context(self) -> Any:
        """The SparkContext; waits until it is ready."""
        return self.starting.context

    @cached_property
    def partitions(self) -> int:
        """Into how many parts the states are divided: one if Spark runs on this machine."""
        return self.asked_partitions or _partitions(self.context)

    @cached_property
    def owners(self) -> Any:
        """A DataFrame with the number of each partition, in it, which Spark keeps where it is.

        Where a number is kept, Spark runs the tasks of its partition, as long as that host lives:
        there is the partition's table.
        """
        return _owners(self.context, self.partitions)

    @property
    def bytes_held(self) -> int | None:
        """Bytes that the driver holds, while it expands the levels itself."""
        return None if self.head is None else self.head.bytes_held

    @property
    def room(self) -> int | None:
        """Nobody knows what the disks of a cluster hold."""
        return None

    def states(self) -> Sequence[Array]:
        """The packed states of each level, read from the run onto the driver one by one."""
        if self.head is not None:
            return self.head.states()
        return KeptLevels(self.run, self.attempt.committed)

    def seed(self, initial: Array, labels: Array) -> Standing | None:
        """Begin with these packed states, or where the run has come to."""
        assert self.head is not None
        self.seeds = fingerprints(initial), labels
        if self.attempt.committed and self.attempt.last_size > (self.on_driver or ON_DRIVER):
            return self._restored(initial)
        standing = self.head.seed(initial, labels)
        self._follow_head()
        return standing

    def _restored(self, initial: Array) -> Standing:
        """Go on with a level that is worth a job; each partition makes its table from the run."""
        self.attempt.run.check_first(initial)
        standing, self.changed = self.attempt.standing((self.kernel.steps.count, self.kernel.words))
        self.frontier = self.attempt.last_size
        self.distinct = sum(standing.frontier_sizes) + self.frontier
        self._leave_head()
        return standing

    def commit(self, standing: Standing) -> None:
        """Make the last level durable; from then on Spark may have its work."""
        if self.head is None:
            self.attempt.commit(self.pieces, standing, self.changed)
            return
        self.head.commit(standing)
        before = standing.frontier_sizes[-1] if standing.frontier_sizes else 0
        if self._is_time(self.head, before):
            self.changed = self.head.changed
            self._leave_head()

    def advance(self, level: int, *, in_order: bool = False) -> Iterator[Occurrences]:
        """Expand a level, on the driver or as one job.

        `in_order` its occurrences come at its end, as those of a job do: whether Spark is ready
        then changes nothing.
        """
        if self.head is None:
            yield self._job(level)
            return
        whole = Occurrences.none(self.kernel)
        for part in self.head.advance(level, in_order=in_order):
            if in_order:
                whole.add(part)
            else:
                self.distinct, self.frontier = self.head.distinct, self.head.frontier
                yield part
        self._follow_head()
        if in_order:
            yield whole

    def origins(self, wanted: Iterable[tuple[int, int]]) -> Origins:
        """How states, and all on the way to them, were reached; sought on the driver."""
        if self.head is not None:
            return self.head.origins(wanted)
        return Ancestry(self.kernel, self.run.blocks, self.seeds, self.changed).of(wanted)

    def close(self) -> None:
        """Remove temporary files; keep the session, as starting one takes seconds."""
        if self.is_temporary:
            self.attempt.close()
        if self.head is not None:
            self.head.close()
        else:
            with suppress(Exception):  # a session that has ended holds no memory
                self._beside("the end", self._release)
        self.caller.shutdown()
        folders.remove(self.temporary)

    def _release(self) -> list[Any]:
        """Give back the memory and the disks of the hosts, as far as one can ask them."""
        if self.partitions == 1:
            return self._on_host(tasks.release)
        self.owners.mapInArrow(partial(tasks.discard, self._level(0)), "owner int").count()
        self.owners.unpersist()
        return []

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

    def _is_time(self, head: MemoryExecution, before: int) -> bool:
        """Whether Spark is to go on from a frontier whose predecessor had the size `before`."""
        if self.distinct > WORTH_STARTING:
            self.starting.begin()
        is_ready = self.starting.is_over
        if self.on_driver is not None:
            return self.frontier > self.on_driver
        if self.frontier <= ON_DRIVER:
            return False
        self.kernel.optimise()  # the workers load the code compiled here
        is_ready = is_ready and not self.kernel.is_optimising
        is_growing = self.frontier > before  # else it soon ends, and the driver has the rest
        return (is_ready and is_growing) or head.bytes_held > WHILE_STARTING

    def _make_ready(self, context: Any) -> None:
        """Have a worker for each task of a level import and load what that needs."""
        self._name_jobs(context, "getting ready")
        count = self.asked_partitions or _partitions(context)
        told = (self.question, self.identity)
        if count == 1:
            context.parallelize([ONLY], 1).foreach(partial(tasks.get_ready, *told))
            return
        self.owners = _owners(context, count)
        ready = self.owners.mapInArrow(partial(tasks.get_ready_for_blocks, *told), "owner int")
        ready.count()

    def _name_jobs(self, context: Any, told: str) -> None:
        """Name the jobs that this thread starts from now on, as Spark's pages show them."""
        context.setJobGroup(self.name_of_jobs, f"{self.title}: {told}")

    def _beside(self, told: str, work: Callable[[], list[Any]]) -> list[Any]:
        """What work on the JVM returns; it is done on a thread that Ctrl-C does not reach.

        In the middle of a call of the JVM, Ctrl-C breaks the connection, and Py4J prints where.
        `told` names its jobs.
        """

        def named() -> list[Any]:
            self._name_jobs(self.context, told)
            return work()

        try:
            running = self.caller.submit(named)
            while not wait([running], SECONDS_UNTIL_HEARD).done:
                pass  # Ctrl-C just before a wait begins does not end it
            return running.result()
        except KeyboardInterrupt:
            with ThreadPoolExecutor(1) as canceller:
                wait([canceller.submit(self.context.cancelJobGroup, self.name_of_jobs)])
            self.caller.submit(lambda: None).result()  # after the work, however that ends
            raise

    def _job(self, number: int) -> Occurrences:
        """One level, as one Spark job unless the last one has expanded it, too."""
        is_asked = not self.known
        if is_asked:
            with session.plain_errors():
                work = partial(self._reports, self._level(number))
                self.known = self._beside(f"level {number}", work)
        occurrences, reports = Occurrences.none(self.kernel), self.known.pop(0)
        for report in reports:
            occurrences.add(report.occurrences)
            self.changed = self.changed | report.changed
        self.pieces = [report.piece for report in reports if report.piece is not None]
        self.frontier = sum(report.fresh for report in reports)
        self.distinct += self.frontier
        self._count(is_asked, sum(report.received for report in reports))
        return occurrences

    def _count(self, is_job: bool, received: int) -> None:
        """Count a level, and what was sent for it, where there is somebody to send to."""
        before = self.on_spark
        self.on_spark = OnSpark(
            levels=before.levels + 1,
            jobs=before.jobs + is_job,
            states=before.states + self.frontier,
            shuffled=(before.shuffled or 0) + received if self.partitions > 1 else None,
        )

    def _level(self, number: int) -> tasks.Level:
        """All that a task has to know."""
        threads = int(self.context.defaultParallelism) if self.partitions == 1 else 1
        name = self.name_of_jobs
        return tasks.Level(
            self.question, self.identity, self.run, name, self.partitions, number, threads
        )

    def _reports(self, level: tasks.Level) -> list[list[Report]]:
        """The reports of the partitions, for each level that was expanded."""
        if self.partitions == 1:
            (reports,) = self._on_host(partial(tasks.advance, level))
            return [[report] for report in reports]
        blocks = self.owners.mapInArrow(partial(tasks.expand, level), tasks.BLOCKS_DDL)
        routed = blocks.repartitionById(self.partitions, "part")
        # The join only says where the tasks of the second half belong: nothing is sent for it.
        owned = routed.join(
            self.owners.hint("shuffle_hash"), routed["part"] == self.owners["owner"]
        )
        arrived = owned.select("part", "count", "payload")
        absorbed = arrived.mapInArrow(partial(tasks.absorb_blocks, level), tasks.REPORTS_DDL)
        reports = [pickle.loads(row["report"]) for row in absorbed.collect()]
        if sorted(report.part for report in reports) != list(range(self.partitions)):
            raise LevelLost("Spark has not run one task for each part of the states")
        return [reports]

    def _on_host(self, work: Callable[[int], Any]) -> list[Any]:
        """What one task returns."""
        return list(self.context.parallelize([ONLY], 1).map(work).collect())


def _owners(context: Any, count: int) -> Any:
    """See `SparkExecution.owners`."""
    frames = session.frames(context).newSession()
    frames.conf.set("spark.sql.adaptive.enabled", "false")  # it would join parts, or split them
    numbers = frames.range(0, count, 1, count)
    owners = numbers.selectExpr("cast(id as int) as owner")
    return owners.repartitionById(count, "owner").persist()


def _partitions(context: Any) -> int:
    """One for all tasks of this machine, else one for each task that runs at a time."""
    return 1 if configuration.is_here(context.master) else int(context.defaultParallelism)
