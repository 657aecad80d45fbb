"""How long reading a topic of metadata takes, and how much memory.

    python -m benchmarks.audit_reading --records 10000000 --partitions 50 --threads 2

A block of lives of segments is generated once, and stamped again and again with other ids,
offsets and times: so ten million records are written in seconds, and every batch is checked,
decoded and written by reading as one that a broker wrote. `--spark` reads by Spark, `--keep` keeps
the topic in a folder.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numba
import numpy as np

from tierproof.conformance.audit.generating import GeneratedTopic
from tierproof.conformance.audit.generating.topic import batches_of
from tierproof.conformance.audit.reading import (
    METADATA_TOPIC,
    batches,
    messages,
    read_metadata,
    records,
)
from tierproof.conformance.audit.reading.checksums import CRC_32C, checksum

BLOCK_RECORDS = 50_000
BLOCK_MS = 20_000_000
FILE_BYTES = 1 << 30


def main() -> None:
    """Write the topic, read it, and print figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=10_000_000)
    parser.add_argument("--partitions", type=int, default=50)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--spark", action="store_true")
    parser.add_argument("--keep", type=Path, help="an empty folder, where the topic stays")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tierproof-audit-") as place:
        log = given.keep or Path(place) / "log"
        began = time.perf_counter()
        written = write(log, given.records, given.partitions)
        told = {"records": given.records, "bytes": written, "written_s": since(began)}
        print(json.dumps({**told, **read(log, Path(place), given)}, indent=1))


def read(log: Path, place: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Read the topic, once a small one has compiled what reading needs."""
    write(place / "small", BLOCK_RECORDS, 1)
    read_metadata([place / "small"], place / "warm", threads=1)
    session = spark_session() if given.spark else None
    began, cpu = time.perf_counter(), time.process_time()
    reading = read_metadata([log], place / "read", threads=given.threads, spark=session)
    took, used = since(began), time.process_time() - cpu
    count = reading.records.count_rows()
    assert count == given.records, (count, reading.set_aside.to_pylist())
    kept = sum(path.stat().st_size for path in reading.record_files)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "read_s": took,
        "us_a_record": round(took / count * 1e6, 2),
        "cpu_us_a_record": round(used / count * 1e6, 2),
        "peak_gb": round(peak / 1e6, 2),
        "parquet_bytes_a_record": round(kept / count, 1),
        "set_aside": reading.set_aside.num_rows,
        "runner": "spark" if given.spark else f"{given.threads} threads",
    }


def since(began: float) -> float:
    """Seconds since a time."""
    return round(time.perf_counter() - began, 2)


def spark_session() -> Any:
    """A session on the cores of this machine."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    return SparkSession.builder.master("local[2]").getOrCreate()


def write(log: Path, count: int, partitions: int) -> int:
    """Write `count` records to partition folders; returns their bytes."""
    share = count // partitions
    written = 0
    for partition in range(partitions):
        place = log / f"{METADATA_TOPIC}-{partition}"
        place.mkdir(parents=True)
        mine = share + (count % partitions if partition == 0 else 0)
        written += write_partition(place, partition, mine)
    return written


def write_partition(place: Path, partition: int, count: int) -> int:
    """Write whole blocks and a rest, a file for each FILE_BYTES; returns their bytes."""
    base = written = 0
    file = place / f"{0:020d}.log"
    block = Block(partition, min(count, BLOCK_RECORDS))
    while count:
        if count < block.records:
            block = Block(partition, count)
        content = block.stamped(base)
        if file.exists() and file.stat().st_size + len(content) > FILE_BYTES:
            file = place / f"{base:020d}.log"
        with file.open("ab") as opened:
            opened.write(content)
        base += block.records
        count -= block.records
        written += len(content)
    return written


class Block:
    """Batches of a partition from offset 0 on, and where what is stamped stands in them."""

    def __init__(self, partition: int, records_of_block: int) -> None:
        topic = GeneratedTopic(records=records_of_block, seed=partition, tiered=40)
        made = b"".join(one.content for one in batches_of(topic, partition, records_of_block))
        self.records = records_of_block
        self.data = np.frombuffer(bytearray(made), np.uint8)
        table = np.empty((records_of_block, batches.COLUMNS), np.int64)
        spans = np.empty((1, 3), np.int64)
        size = len(self.data)
        count, _, _ = batches.fill(self.data, 0, size, size, table, spans)
        self.batches = table[:count]
        inner = self.batches[:, batches.POSITION] + batches.RECORDS_AT
        ends = self.batches[:, batches.POSITION] + self.batches[:, batches.SIZE]
        located = np.empty((records_of_block, records.COLUMNS), np.int64)
        records.locate(
            self.data,
            self.batches,
            np.stack([inner, ends], axis=1),
            located,
            np.zeros(count, np.bool_),
        )
        self.rows = np.empty((records_of_block, messages.COLUMNS), np.int64)
        messages.decode(self.data, located, self.rows)

    def stamped(self, base: int) -> bytes:
        """The block with offsets from `base` on, and ids and times that no other block has."""
        data = self.data.copy()
        number = base // self.records
        stamp(data, self.batches, self.rows, base, number, number * BLOCK_MS)
        return data.tobytes()


@numba.njit(cache=True)
def stamp(data, table, rows, base, number, later):
    """Add to offsets and times, change ids by the block's number, and sum up again."""
    for row in rows:
        at = row[messages.SEGMENT_ID_AT]
        for byte in range(4):
            data[at + byte] ^= np.uint8((number >> (8 * byte)) & 0xFF)
    for one in table:
        at = one[batches.POSITION]
        add(data, at, base)
        add(data, at + 27, later)
        add(data, at + 35, later)
        end = at + one[batches.SIZE]
        crc = checksum(data, at + 21, end, CRC_32C)
        for byte in range(4):
            data[at + 17 + byte] = np.uint8((crc >> (24 - 8 * byte)) & 0xFF)


@numba.njit(cache=True)
def add(data, at, value):
    """Add to the big-endian int64 at a position."""
    total = np.int64(0)
    for byte in range(8):
        total = (total << 8) | np.int64(data[at + byte])
    total += value
    for byte in range(8):
        data[at + byte] = np.uint8((total >> (56 - 8 * byte)) & 0xFF)


if __name__ == "__main__":
    main()
