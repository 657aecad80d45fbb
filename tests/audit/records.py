"""Tables of an audit, written in a line each: `copied(T, 0, 9)`, `deleted(A)`."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from tierproof.conformance.audit.asked import HOUR_MS, Asked
from tierproof.conformance.audit.judging import Judgement, judge
from tierproof.conformance.audit.tables import OBJECTS, RECORDS, SEGMENT, SEGMENT_UPDATE

NOW = 1_800_000_000_000
LONG_AGO = NOW - 24 * HOUR_MS
MINUTE = 60_000
STARTED, FINISHED = "COPY_SEGMENT_STARTED", "COPY_SEGMENT_FINISHED"
DELETING, DELETED = "DELETE_SEGMENT_STARTED", "DELETE_SEGMENT_FINISHED"


def uuid(name: str) -> str:
    """A Uuid as Kafka prints it, the same for a name every time."""
    return base64.urlsafe_b64encode(name.encode().ljust(16, b"_")[:16]).decode().rstrip("=")


class Topic:
    """Records of a metadata topic, appended a second apart; times may be set before each."""

    def __init__(self, topic: str = "orders", topic_id: str = "orders") -> None:
        self.rows: list[dict[str, Any]] = []
        self.topic, self.topic_id, self.partition = topic, uuid(topic_id), 0
        self.broker, self.at_ms, self.metadata_partition = 1, LONG_AGO, 0
        self.described: dict[str, dict[str, Any]] = {}

    def append(self, kind: str, state: str | None, segment: str | None, **given: Any) -> None:
        """One record."""
        self.at_ms += 1_000
        row = dict.fromkeys(RECORDS.names)
        row |= {
            "source": "test",
            "metadata_partition": self.metadata_partition,
            "record_offset": len(self.rows),
            "appended_ms": self.at_ms,
            "kind": kind,
            "version": 0,
            "record_bytes": 150 if kind == SEGMENT else 80,
            "topic": self.topic,
            "topic_id": self.topic_id,
            "partition": self.partition,
            "segment_id": segment and uuid(segment),
            "broker_id": self.broker,
            "event_ms": self.at_ms,
            "state": state,
        }
        self.rows.append(row | given)

    def started(
        self, segment: str, start: int, end: int, epochs: dict[int, int] | None = None, **given: Any
    ) -> None:
        """COPY_SEGMENT_STARTED; one byte an offset, unless `segment_bytes` is given."""
        state = given.pop("state", STARTED)
        epochs = {0: start} if epochs is None else epochs
        self.append(
            SEGMENT,
            state,
            segment,
            **{
                "start_offset": start,
                "end_offset": end,
                "max_timestamp_ms": self.at_ms,
                "segment_bytes": end - start + 1,
                "leader_epochs": list(epochs),
                "epoch_starts": list(epochs.values()),
                "txn_index_empty": True,
            }
            | given,
        )

    def update(self, segment: str, *states: str) -> None:
        """Updates of a segment."""
        for state in states:
            self.append(SEGMENT_UPDATE, state, segment)

    def copied(
        self, segment: str, start: int, end: int, epochs: dict[int, int] | None = None, **given: Any
    ) -> None:
        """A copy that began and finished."""
        self.started(segment, start, end, epochs, **given)
        self.update(segment, FINISHED)

    def deleted(self, *segments: str) -> None:
        """Deletions that began and finished."""
        for segment in segments:
            self.update(segment, DELETING, DELETED)

    def table(self) -> pa.Table:
        """RECORDS."""
        return pa.Table.from_pylist(self.rows, schema=RECORDS)


LOCAL_FILES = ("log", "offset_index", "time_index", "leader_epoch_checkpoint", "producer_snapshot")


class Bucket:
    """Objects of a store, as LocalTieredStorage keeps them."""

    def __init__(self, topic: Topic) -> None:
        self.topic = topic
        self.rows: list[dict[str, Any]] = []

    def put(
        self,
        segment: str,
        start: int = 0,
        size: int | None = None,
        files: Iterable[str] = LOCAL_FILES,
        **given: Any,
    ) -> None:
        """The objects of a segment; the log has the bytes that its record says."""
        for file in files:
            said = [
                row["segment_bytes"]
                for row in self.topic.rows
                if row["segment_id"] == uuid(segment) and row["segment_bytes"] is not None
            ]
            row = {
                "key": f"{self.topic.topic}-0/{start:020}-{uuid(segment)}.{file}",
                "bytes": (said[0] if said else 10) if size is None else size,
                "modified_ms": LONG_AGO,
                "file": file,
                "topic": self.topic.topic,
                "topic_id": self.topic.topic_id,
                "partition": 0,
                "start_offset": start,
                "segment_id": uuid(segment),
                "unfinished": False,
            }
            self.rows.append(row | given)

    def table(self) -> pa.Table:
        """OBJECTS."""
        return pa.Table.from_pylist(self.rows, schema=OBJECTS)


def judged(topic: Topic, bucket: Bucket | None = None, **asked: Any) -> Judgement:
    """The judgement of records, and of objects if there are some."""
    how = Asked(**({"now_ms": NOW} | asked))
    return judge([topic.table()], how, bucket and bucket.table())


def accused(topic: Topic, bucket: Bucket | None = None, **asked: Any) -> list[tuple[str, str]]:
    """(class, segment or range) of every accusation, sorted."""
    found = judged(topic, bucket, **asked).accusations.to_pylist()
    return sorted((row["class"], _what(row)) for row in found)


def _what(row: dict[str, Any]) -> str:
    if row["segment_id"] is not None:
        word = base64.urlsafe_b64decode(row["segment_id"] + "==").decode()
        return word.rstrip("_")
    if row["start_offset"] is not None:
        return f"{row['start_offset']}..{row['end_offset']}"
    return row["detail"]
