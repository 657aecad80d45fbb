"""The tasks of a level.

Where one host owns every state, `advance` is the whole level. Among several partitions a level has
two halves, which are functions from Arrow batches to Arrow batches. `expand` reads the partition's
frontier from the run and sends blocks of successors to the partitions that own them; `absorb`
subtracts the visited states and writes the rest as the partition's next frontier. A row is a block:
thousands of packed states as one binary value.
"""

from __future__ import annotations

import gc
import os
import pickle
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from shutil import rmtree

import numpy as np
import pyarrow as pa

from tierproof.spark_explorer.execution import LevelLost, Occurrences
from tierproof.spark_explorer.identity import Identity, kernel_of
from tierproof.spark_explorer.kept.run import Run
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.packing import fingerprints, partitions_of
from tierproof.spark_explorer.native.visited import Visited, keep_new
from tierproof.spark_explorer.native.worker import Worker, prepare
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.spark import host
from tierproof.spark_explorer.spark.host import ONLY, Report
from tierproof.spark_explorer.spark.table import MappedVisited, table_path, visited_up_to

BLOCKS = pa.schema([("part", pa.int32()), ("count", pa.int64()), ("payload", pa.binary())])
BLOCKS_DDL = "part int, count bigint, payload binary"
REPORTS = pa.schema([("report", pa.binary())])
REPORTS_DDL = "report binary"
CAPACITY = 1 << 16
"""Successors of one block."""
REPORT = -1
"""Count that marks a row which carries a report instead of states."""


@dataclass(frozen=True)
class Level:
    """One level of one exploration: all input of a task. Hashable, small.

    Of several partitions, each is expanded by one thread. `tables` is the name of the folder that
    has the visited tables of this exploration, among Spark's own files on each host.
    """

    question: Question
    identity: Identity
    run: Run
    tables: str
    partitions: int
    number: int
    threads: int = 1

    def folder(self, part: int) -> Path:
        """The folder of a partition's table on this host: on each of Spark's disks there is one.

        Spark removes its files when an application ends, however that ends.
        """
        disks = os.environ.get("SPARK_LOCAL_DIRS", tempfile.gettempdir()).split(",")
        return Path(disks[part % len(disks)]) / self.tables


@lru_cache(maxsize=4)
def _kernel(question: Question, identity: Identity) -> Kernel:
    """The compiled explorer, kept while this Python worker lives.

    Its code is in the cache folder, where the driver stored it; another machine compiles it
    again, quick code first. Raises Unlike unless it is the code of the driver.
    """
    return kernel_of(question, identity)


@lru_cache(maxsize=4)
def _worker(question: Question, identity: Identity) -> Worker:
    """The buffers of one thread, kept as long."""
    kernel = _kernel(question, identity)
    kernel.optimise()
    return Worker(kernel, CAPACITY)


def get_ready(question: Question, identity: Identity, _: int) -> None:
    """Import and load all that the first level needs."""
    kernel = _kernel(question, identity)
    prepare(kernel)
    Visited(1).add(np.zeros((0, kernel.words), np.uint64))
    gc.freeze()  # PySpark collects after each task: 0.2 s for what Numba has loaded alone


def get_ready_for_blocks(
    question: Question, identity: Identity, batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """The same, in the Python worker that will have blocks: Spark has others for other tasks."""
    for batch in batches:
        get_ready(question, identity, ONLY)
        _worker(question, identity)
        yield batch


def advance(level: Level, _: int) -> list[Report]:
    """Expand a level of which this host owns every state, and small ones that follow."""
    kernel = _kernel(level.question, level.identity)
    kernel.optimise()
    return host.advance(level.run, level.number, kernel, level.threads)


def release(_: int) -> None:
    """Give back the memory of what this host has explored."""
    host.release()


def discard(level: Level, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Remove the tables from the hosts that have the partitions whose numbers arrive."""
    for batch in batches:
        for part in batch.column(0).to_pylist():
            rmtree(level.folder(part), ignore_errors=True)
        yield batch


def expand(level: Level, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """For each partition id that arrives: expand its frontier, yield blocks by destination."""
    for batch in batches:
        for part in batch.column(0).to_pylist():
            yield from _expand_partition(level, part)


def _expand_partition(level: Level, part: int) -> Iterator[pa.RecordBatch]:
    worker = _worker(level.question, level.identity)
    bits = level.question.fingerprint_bits
    where = (level.run, part, level.partitions, level.number, bits)
    with visited_up_to(level.folder(part), *where):
        pass  # creates and completes the table for the filter below
    tables = [_table_here(level.folder(other), other) for other in range(level.partitions)]
    frontier, row = level.run.states(level.number, part, level.partitions), 0
    Occurrences.taken_from(worker.checks)  # what an attempt that failed has left
    occurrences, sent = Occurrences.none(worker.kernel), Visited(bits=bits)
    while row < len(frontier):
        sent.reserve(worker.least_room)
        row = worker.survey(frontier, row, sent.table, sent.room)
        sent.count += len(worker.fresh)
        occurrences.add(Occurrences.taken_from(worker.checks))
        yield from _blocks(worker.fresh, tables, level.number)
    yield _row(part, REPORT, pickle.dumps(Report(occurrences, worker.output.changed)))


def _table_here(folder: Path, part: int) -> MappedVisited | None:
    """The table of another partition if it is on this host: a filter."""
    try:
        return MappedVisited(table_path(folder, part))
    except FileNotFoundError:
        return None


def _blocks(
    states: Array, tables: Sequence[MappedVisited | None], level: int
) -> Iterator[pa.RecordBatch]:
    """The states by the partition that owns them, without those known to be visited."""
    found = fingerprints(states)
    owners = partitions_of(found, len(tables))
    for part, table in enumerate(tables):
        is_sent = owners == part
        if table is not None:
            is_sent[is_sent] = ~table.visited_to(level, states[is_sent], found[is_sent])
        if is_sent.any():
            yield _row(part, int(is_sent.sum()), states[is_sent].tobytes())


def _row(part: int, count: int, payload: bytes) -> pa.RecordBatch:
    return pa.record_batch([[part], [count], [payload]], schema=BLOCKS)


def absorb_blocks(level: Level, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Add the blocks of one partition to its visited states; write the next frontier; report."""
    rows = (row for batch in batches for row in zip(*batch.columns, strict=True))
    first = next(rows, None)
    if first is None:
        return
    level.identity.check_software()
    part, number = first[0].as_py(), level.number + 1
    report, received = Report.none(), 0
    fresh: list[Array] = [np.zeros((0, level.run.words), np.uint64)]
    parts, bits = level.partitions, level.question.fingerprint_bits
    where = (level.run, part, parts, level.number, bits)
    with visited_up_to(level.folder(part), *where) as table:
        table.begin(number)
        for owner, count, payload in chain([first], rows):
            if owner.as_py() != part:
                raise LevelLost("Spark has joined two partitions of the states into one")
            if count.as_py() == REPORT:
                report = pickle.loads(payload.as_py())
            else:
                received += len(payload.as_buffer())
                block = np.frombuffer(bytearray(payload.as_buffer()), np.uint64)
                fresh.append(_absorb_block(table, block.reshape(-1, level.run.words)))
        states = np.concatenate(fresh)
        piece = level.run.write(number, [states], part, parts)
        table.complete(number)
    whole = pickle.dumps(replace(report, piece=piece, received=received))
    yield pa.record_batch([[whole]], schema=REPORTS)


def _absorb_block(table: MappedVisited, states: Array) -> Array:
    """The states of a block that were not visited."""
    table.reserve(len(states))
    fresh = np.empty_like(states)
    kept = keep_new(table.table, states, fingerprints(states), fresh)
    table.count += kept
    return fresh[:kept]
