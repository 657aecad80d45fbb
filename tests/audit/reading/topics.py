"""Small topics of which every row is known, and how they are read."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path
from typing import Any

from tierproof.conformance.audit.generating.batches import Batch, Record
from tierproof.conformance.audit.generating.messages import (
    Message,
    PartitionDeleteMessage,
    SegmentMessage,
    SnapshotMessage,
    TopicPartition,
    UpdateMessage,
)
from tierproof.conformance.audit.reading import METADATA_TOPIC, Reading, read_metadata

_BYTES = random.Random(3)
ORDERS = TopicPartition("orders.eu-1_x", _BYTES.randbytes(16), 7)
SEGMENT_ID = _BYTES.randbytes(16)
START_MS = 1_750_000_000_000

STARTED = SegmentMessage(
    of=ORDERS,
    segment_id=SEGMENT_ID,
    start_offset=5,
    end_offset=99,
    broker_id=2,
    max_timestamp_ms=START_MS,
    event_ms=START_MS + 5,
    leader_epochs=[(0, 5), (3, 50)],
    segment_bytes=12345,
    custom_metadata=b"\x01\x02\xff",
    txn_index_empty=True,
)
FINISHED = UpdateMessage(
    of=ORDERS, segment_id=SEGMENT_ID, broker_id=2, event_ms=START_MS + 9, state=1
)
MARKED = PartitionDeleteMessage(of=ORDERS, broker_id=1, event_ms=START_MS + 10, state=0)
SNAPSHOT = SnapshotMessage(segment=dataclasses.replace(STARTED, state=1))


def recorded(*messages: Message | bytes) -> list[Record]:
    """Records with the values of messages, ten milliseconds apart."""
    values = [message if isinstance(message, bytes) else message.content for message in messages]
    return [Record(value, timestamp=START_MS + 10 * at) for at, value in enumerate(values)]


def write(folder: Path, *batches: Batch | bytes, base: int = 0, partition: int = 0) -> Path:
    """One log file of a partition in a log directory, which is returned."""
    place = folder / f"{METADATA_TOPIC}-{partition}"
    place.mkdir(parents=True, exist_ok=True)
    parts = [batch if isinstance(batch, bytes) else batch.content for batch in batches]
    (place / f"{base:020d}.log").write_bytes(b"".join(parts))
    return folder


def read(folder: Path, **options: Any) -> Reading:
    """What is read of a log directory, in a folder beside it."""
    number = len(list(folder.parent.glob("read-*")))
    return read_metadata([folder], folder.parent / f"read-{number}", **options)


def rows(reading: Reading) -> list[dict[str, Any]]:
    """The rows of RECORDS, without the file that each is from."""
    found: list[dict[str, Any]] = reading.records.to_table().drop(["source"]).to_pylist()
    return found


def asides(reading: Reading) -> list[dict[str, Any]]:
    """The rows of SET_ASIDE, without file and sentence."""
    found: list[dict[str, Any]] = reading.set_aside.drop(["source", "detail"]).to_pylist()
    return found


def reasons(reading: Reading) -> list[str]:
    """Why rows were set aside."""
    return [str(row["reason"]) for row in asides(reading)]
