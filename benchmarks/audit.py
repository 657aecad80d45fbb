"""How long judging takes: `python -m benchmarks.audit --records 10000000 --partitions 100000`.

Records are made as a table, not read: reading has its own figures. Half of all segments are
deleted again. One segment in `--odd` has a second copy, so that its epoch is walked.
"""

from __future__ import annotations

import argparse
import base64
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq

from tierproof.conformance.audit.asked import Asked
from tierproof.conformance.audit.history import COLUMNS
from tierproof.conformance.audit.judging import judge
from tierproof.conformance.audit.summary import Audit
from tierproof.conformance.audit.tables import RECORDS, SEGMENT, SEGMENT_UPDATE, SET_ASIDE

BATCH = 1_000_000
START_MS = 1_750_000_000_000
STATES = (
    "COPY_SEGMENT_STARTED",
    "COPY_SEGMENT_FINISHED",
    "DELETE_SEGMENT_STARTED",
    "DELETE_SEGMENT_FINISHED",
)


def main() -> None:
    """Make the records, judge them, and print seconds and memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=10_000_000)
    parser.add_argument("--partitions", type=int, default=100_000)
    parser.add_argument("--odd", type=int, default=0, help="one segment in so many is copied twice")
    parser.add_argument("--spark", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tierproof-audit-") as folder:
        path = Path(folder) / "records.parquet"
        count = write_records(path, given.records, given.partitions, given.odd)
        print(f"{count:,} records of {given.partitions:,} topic-partitions, odd {given.odd}")
        began, used = time.perf_counter(), time.process_time()
        asked = Asked(now_ms=START_MS + 10**12)
        if given.spark:
            accusations, facts = by_spark(path, asked)
        else:
            known = pyarrow.dataset.dataset([str(path)], schema=RECORDS, format="parquet")
            found = judge(known.to_batches(columns=list(COLUMNS)), asked)
            accusations, facts = found.accusations, found.facts
        seconds = time.perf_counter() - began
        answer = Audit(asked, accusations, facts, SET_ASIDE.empty_table())
        print(answer.answer())
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(
            f"judged in {seconds:.1f} s ({time.process_time() - used:.1f} s of one core), "
            f"{memory:.2f} GiB at most"
        )


def by_spark(path: Path, asked: Asked) -> tuple[pa.Table, object]:
    """Judged by Spark on this machine."""
    from tierproof.conformance.audit.spark import judge_by_spark
    from tierproof.spark_explorer.spark import session

    spark = session.frames(session.Starting(None, lambda _: None).context)
    accusations, facts, *_ = judge_by_spark(spark, [path], [], asked)
    return accusations, facts


def write_records(path: Path, records: int, partitions: int, odd: int) -> int:
    """Write RECORDS; returns how many."""
    written = 0
    with pq.ParquetWriter(path, RECORDS, compression="lz4") as writer:
        for batch in batches(records, partitions, odd):
            writer.write_table(batch)
            written += len(batch)
    return written


def batches(records: int, partitions: int, odd: int) -> Iterator[pa.Table]:
    """Segment n is the (n // partitions)-th of partition n % partitions; 3 records on average."""
    segments = records // 3
    for first in range(0, segments, BATCH // 3):
        number = np.arange(first, min(segments, first + BATCH // 3))
        is_deleted = number < segments // 2
        lives = np.where(is_deleted, 4, 2)
        segment = np.repeat(number, lives)
        state = np.arange(len(segment)) - np.repeat(np.cumsum(lives) - lives, lives)
        yield _batch(
            segment,
            state,
            partitions,
            odd,
            written=int(4 * min(first, segments // 2)) + int(2 * max(0, first - segments // 2)),
        )


def _batch(
    segment: np.ndarray, state: np.ndarray, partitions: int, odd: int, written: int
) -> pa.Table:
    nth, partition = segment // partitions, segment % partitions
    start = nth * 1000
    if odd:
        again = (nth % odd == odd - 1) & (nth > 0)
        start = np.where(again, start - 1000, start)
    describes = state == 0
    offset = np.arange(len(segment)) + written
    count = int(describes.sum())
    lengths = np.append(0, np.cumsum(describes)).astype(np.int32)
    columns = {
        "source": pa.array(["made"] * len(segment)),
        "metadata_partition": np.zeros(len(segment), np.int32),
        "record_offset": offset,
        "appended_ms": START_MS + offset * 100,
        "kind": np.where(describes, SEGMENT, SEGMENT_UPDATE),
        "version": np.zeros(len(segment), np.int16),
        "record_bytes": np.where(describes, 180, 90).astype(np.int32),
        "topic": np.char.add("topic-", (partition // 10).astype(str)),
        "topic_id": _uuids(partition // 10, 7),
        "partition": (partition % 10).astype(np.int32),
        "segment_id": _uuids(segment, 1),
        "start_offset": _where(describes, start),
        "end_offset": _where(describes, start + 999),
        "broker_id": (partition % 3).astype(np.int32),
        "event_ms": START_MS + offset * 100,
        "max_timestamp_ms": _where(describes, START_MS + offset * 100),
        "segment_bytes": _where(describes, np.full(len(segment), 10**8)),
        "leader_epochs": _lists(lengths, np.zeros(count, np.int32), describes, pa.int32()),
        "epoch_starts": _lists(lengths, start[describes], describes, pa.int64()),
        "state": np.array(STATES)[state],
        "custom_metadata": None,
        "txn_index_empty": pa.array(describes, mask=~describes),
    }
    arrays = [
        pa.nulls(len(segment), one.type)
        if columns[one.name] is None
        else pa.array(columns[one.name]).cast(one.type)
        for one in RECORDS
    ]
    return pa.table(arrays, schema=RECORDS)


def _where(describes: np.ndarray, values: np.ndarray) -> pa.Array:
    return pa.array(values, mask=~describes)


def _lists(offsets: np.ndarray, values: np.ndarray, describes: np.ndarray, kind: pa.DataType):
    made = pa.ListArray.from_arrays(pa.array(offsets), pa.array(values, kind))
    return pa.array(made).filter(pa.array(np.ones(len(describes), bool)))


def _uuids(numbers: np.ndarray, salt: int) -> pa.Array:
    known, rank = np.unique(numbers, return_inverse=True)
    words = [
        base64.urlsafe_b64encode((int(n) * 2**32 + salt).to_bytes(16)).decode()[:22] for n in known
    ]
    return pa.array(words).take(pa.array(rank))


if __name__ == "__main__":
    main()
