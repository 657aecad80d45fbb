"""The two halves of a level, as functions from Arrow batches to Arrow batches.

`expand` reads the partition's frontier from the run and sends blocks of successors to
the partitions that own them; `absorb` subtracts the visited states and writes the rest as
the partition's next frontier. A row is a block: thousands of packed states as one
binary value.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa

from tierproof.spark_explorer.execution import Occurrences
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.kernel import Worker
from tierproof.spark_explorer.native.packing import fingerprints
from tierproof.spark_explorer.native.visited import absorb, drop_visited, origins
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.spark.identity import Identity, kernel_of
from tierproof.spark_explorer.spark.run import Run
from tierproof.spark_explorer.spark.table import MappedVisited, table_path, visited_up_to

BLOCKS = pa.schema([("part", pa.int32()), ("count", pa.int64()), ("payload", pa.binary())])
BLOCKS_DDL = "part int, count bigint, payload binary"
REPORTS = pa.schema([("part", pa.int32()), ("fresh", pa.int64()), ("occurrences", pa.string())])
REPORTS_DDL = "part int, fresh bigint, occurrences string"
CAPACITY = 1 << 16
"""Successors of one block."""
OCCURRENCES = -1
"""Count that marks a row which carries occurrences instead of states."""


@dataclass(frozen=True)
class Level:
    """One level of one exploration: all input of a task. Hashable, small."""

    question: Question
    identity: Identity
    run: Run
    tables: str
    partitions: int
    number: int


@lru_cache(maxsize=4)
def _worker(question: Question, identity: Identity, partitions: int) -> Worker:
    """The compiled explorer, kept while this Python worker lives.

    Its code is in the cache folder, where the driver stored it; another machine compiles it
    again, quick code first. Raises Unlike unless it is the code of the driver.
    """
    kernel = kernel_of(question, identity)
    kernel.optimise()
    return kernel.worker(partitions, CAPACITY)


def expand(level: Level, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """For each partition id that arrives: expand its frontier, yield blocks by destination."""
    for batch in batches:
        for part in batch.column(0).to_pylist():
            yield from _expand_partition(level, part)


def _expand_partition(level: Level, part: int) -> Iterator[pa.RecordBatch]:
    worker = _worker(level.question, level.identity, level.partitions)
    worker.forget_sent()
    folder = Path(level.tables)
    with visited_up_to(folder, level.run, part, level.number):
        pass  # creates and completes the table for the filter below
    tables = [_table_here(folder, other) for other in range(level.partitions)]
    frontier, row = level.run.states(level.number, part), 0
    occurrences = Occurrences.none(worker.kernel)
    while row < len(frontier):
        row = worker.survey(frontier, row, level.number + 1)
        occurrences.add(Occurrences.taken_from(worker.checks))
        for other, table in enumerate(tables):
            block = _block(worker, other, table, level.number)
            if block is not None:
                yield block
    yield _row(part, OCCURRENCES, json.dumps(asdict(occurrences)).encode())


def _table_here(folder: Path, part: int) -> MappedVisited | None:
    """The table of another partition if it is on this host: a filter, complete or not."""
    try:
        return MappedVisited(table_path(folder, part))
    except FileNotFoundError:
        return None


def _block(
    worker: Worker, part: int, table: MappedVisited | None, level: int
) -> pa.RecordBatch | None:
    """The worker's states for a partition, without those known to be visited."""
    output = worker.output
    count = int(output.sent[part])
    columns = (output.words[part], output.found[part], output.parents[part], output.labels[part])
    if table is not None:
        count = int(drop_visited(table.slots, *columns, count, level))
    if not count:
        return None
    words, _, parents, labels = columns
    payload = b"".join(column[:count].tobytes() for column in (words, parents, labels))
    return _row(part, count, payload)


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
    occurrences: list[str] = []
    fresh: list[Array] = []
    with visited_up_to(Path(level.tables), level.run, part, level.number) as table:
        table.begin(number)
        for _, count, payload in chain([first], rows):
            if count.as_py() == OCCURRENCES:
                occurrences.append(payload.as_py().decode())
            else:
                block = _columns(payload.as_buffer(), count.as_py(), level.run.words)
                fresh.append(_absorb_block(table, number, *block))
        states = np.concatenate(fresh) if fresh else np.zeros((0, level.run.words), np.uint64)
        _write_down(table, level.run, number, part, states)
        table.complete(number)
    yield pa.record_batch([[part], [len(states)], [json.dumps(occurrences)]], schema=REPORTS)


def _columns(payload: pa.Buffer, count: int, width: int) -> tuple[Array, Array, Array]:
    """Packed states, parents and labels of a block."""
    states = np.frombuffer(payload, np.uint64, count * width).reshape(count, width)
    parents = np.frombuffer(payload, np.uint64, count, 8 * count * width)
    labels = np.frombuffer(payload, np.uint32, count, 8 * count * (width + 1))
    return states, parents, labels


def _absorb_block(
    table: MappedVisited, number: int, states: Array, parents: Array, labels: Array
) -> Array:
    """The states of a block that were not visited."""
    table.reserve(len(states))
    fresh = np.empty_like(states)
    found = fingerprints(states)
    kept = absorb(table.slots, states, found, parents, labels, len(states), number, fresh, 0)
    table.count += kept
    return fresh[:kept]


def _write_down(table: MappedVisited, run: Run, number: int, part: int, states: Array) -> None:
    """Make the fresh states durable, each with the best parent found."""
    parents, labels = np.empty(len(states), np.uint64), np.empty(len(states), np.uint32)
    origins(table.slots, states, parents, labels)
    run.write(number, part, fingerprints(states), parents, labels, states)
