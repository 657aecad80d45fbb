"""Two ways to run a function on many splits: threads of this process, and tasks of Spark."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

import pyarrow as pa

from tierproof.conformance.audit.reading.split_reading import Summary
from tierproof.conformance.audit.reading.splits import Split

TASK = pa.schema([("task", pa.binary())])

Read = Callable[[Split], Summary]


class Threads:
    """Threads of this process: what Numba compiles and what Arrow does runs beside each other."""

    def __init__(self, count: int) -> None:
        if count < 1:
            raise ValueError(f"{count} threads read nothing: give one or more")
        self.count = count

    def __call__(self, read: Read, splits: Sequence[Split]) -> Iterator[Summary]:
        with ThreadPoolExecutor(self.count) as pool:
            for done in as_completed([pool.submit(read, split) for split in splits]):
                yield done.result()


class Spark:
    """Tasks of Spark, one a split. Files must have the same paths on every executor."""

    def __init__(self, session: Any) -> None:
        self.session = session

    def __call__(self, read: Read, splits: Sequence[Split]) -> Iterator[Summary]:
        if not splits:
            return
        rows = [(pickle.dumps((read, split)),) for split in splits]
        tasks = self.session.sparkContext.parallelize(rows, len(rows)).toDF("task binary")
        for row in tasks.mapInArrow(run_tasks, "task binary").collect():
            yield pickle.loads(row.task)


def run_tasks(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Run each task of a partition; what mapInArrow calls on an executor."""
    for batch in batches:
        for content in batch["task"].to_pylist():
            read, split = pickle.loads(content)
            yield pa.RecordBatch.from_pylist([{"task": pickle.dumps(read(split))}], TASK)
