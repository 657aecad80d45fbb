"""Lines of kafka-dump-log.sh --remote-log-metadata-decoder as columns of RECORDS.

The decoder prints what `toString` of Kafka's classes does. It leaves out custom metadata (but for
its size), broker and time of a snapshot, and, before 4.0, whether the transaction index is empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tierproof.conformance.audit import tables
from tierproof.conformance.audit.tables import RECORDS

UUID = "[A-Za-z0-9_-]{22}"
TOPIC_PARTITION = rf"(?P<topic_id>{UUID}):(?P<topic>[A-Za-z0-9._-]+)-(?P<partition>\d{{1,9}})"
SEGMENT_ID = (
    rf"remoteLogSegmentId=RemoteLogSegmentId\{{topicIdPartition={TOPIC_PARTITION}, "
    rf"id=(?P<segment_id>{UUID})\}}"
)
OFFSETS = r"startOffset=(?P<start_offset>-?\d{1,19}), endOffset=(?P<end_offset>-?\d{1,19})"
BROKER = r"brokerId=(?P<broker_id>-?\d{1,19})"
EVENT = r"eventTimestampMs=(?P<event_ms>-?\d{1,19})"
MAX_TIMESTAMP = r"maxTimestampMs=(?P<max_timestamp_ms>-?\d{1,19})"
STATE = r"state=(?P<state>[A-Z_]+)"
CUSTOM = r"customMetadata=(?:Optional\.empty|Optional\[.*?\])"
REST_OF_SEGMENT = (
    r"segmentLeaderEpochs=\{(?P<epochs>[-0-9=, ]*)\}, "
    r"segmentSizeInBytes=(?P<segment_bytes>\d{1,19})"
    rf", {CUSTOM}, {STATE}(?:, txnIdxEmpty=(?P<txn_index_empty>true|false))?"
)

HEAD = (
    r"^\| offset: (?P<record_offset>\d{1,19}) [A-Za-z]+: (?P<appended_ms>-?\d{1,19}) "
    r"keySize: (?P<key_bytes>-?\d{1,19}) valueSize: (?P<value_bytes>-?\d{1,19}) "
)
PAYLOADS = {
    tables.SEGMENT: rf"RemoteLogSegmentMetadata\{{{SEGMENT_ID}, {OFFSETS}, {BROKER}, "
    rf"{MAX_TIMESTAMP}, {EVENT}, {REST_OF_SEGMENT}\}}$",
    tables.SEGMENT_UPDATE: rf"RemoteLogSegmentMetadataUpdate\{{{SEGMENT_ID}, {CUSTOM}, {STATE}, "
    rf"{EVENT}, {BROKER}\}}$",
    tables.PARTITION_DELETE: rf"RemotePartitionDeleteMetadata\{{topicPartition={TOPIC_PARTITION}, "
    rf"{STATE}, {EVENT}, {BROKER}\}}$",
    tables.SNAPSHOT: rf"RemoteLogSegmentMetadataSnapshot\{{segmentId=(?P<segment_id>{UUID}), "
    rf"{OFFSETS}, {MAX_TIMESTAMP}, {REST_OF_SEGMENT}\}}$",
}
PATTERNS = {kind: rf"{HEAD}.*?payload: {payload}" for kind, payload in PAYLOADS.items()}
"""Kind -> the pattern of a line that prints such a record, for RE2."""

EPOCH = r"(?P<epoch>-?\d{1,19})=(?P<start>-?\d{1,19})"
GIVEN = ("source", "metadata_partition", "kind", "version", "record_bytes", "custom_metadata")
LISTS = ("leader_epochs", "epoch_starts")


def records_of(
    lines: pa.Array, source: str, metadata_partition: int
) -> Iterator[tuple[Any, pa.RecordBatch]]:
    """For each kind, the numbers of the lines that print such records, and their rows.

    What the tool does not print is null; the version is that of every release, 0. A line whose
    numbers are too large for their columns prints no record.
    """
    try:
        yield from list(_records_of(lines, source, metadata_partition))
    except pa.ArrowInvalid:
        half = len(lines) // 2
        for start, part in ((0, lines[:half]), (half, lines[half:])) if half else ():
            for numbers, rows in records_of(part, source, metadata_partition):
                yield numbers + start, rows


def _records_of(
    lines: pa.Array, source: str, metadata_partition: int
) -> Iterator[tuple[Any, pa.RecordBatch]]:
    for kind, pattern in PATTERNS.items():
        groups = pc.extract_regex(lines, pattern)
        numbers = pc.indices_nonzero(pc.is_valid(groups))
        if len(numbers):
            found = groups.take(numbers)
            yield numbers.to_numpy(), _rows(found, kind, source, metadata_partition)


def _rows(groups: Any, kind: str, source: str, metadata_partition: int) -> pa.RecordBatch:
    named = {groups.type.field(at).name for at in range(groups.type.num_fields)}
    count = len(groups)
    sizes = [
        pc.max_element_wise(pc.cast(pc.struct_field(groups, name), pa.int32()), 0)
        for name in ("key_bytes", "value_bytes")
    ]
    columns = {
        "source": pa.repeat(source, count),
        "metadata_partition": pa.array([metadata_partition] * count, pa.int32()),
        "kind": pa.repeat(kind, count),
        "version": pa.array([0] * count, pa.int16()),
        "record_bytes": pc.add(*sizes),
        "custom_metadata": pa.nulls(count, pa.binary()),
    }
    if "epochs" in named:
        texts = pc.struct_field(groups, "epochs").to_pylist()
        columns |= dict(zip(LISTS, _epochs(texts), strict=True))
    for field in RECORDS:
        if field.name not in columns:
            columns[field.name] = _column(groups, field, named, count)
    return pa.RecordBatch.from_arrays([columns[field.name] for field in RECORDS], schema=RECORDS)


def _column(groups: Any, field: pa.Field, named: set[str], count: int) -> pa.Array:
    if field.name not in named:
        return pa.nulls(count, field.type)
    values = pc.struct_field(groups, field.name)
    return pc.cast(pc.if_else(pc.equal(values, ""), None, values), field.type)


def _epochs(texts: list[str]) -> tuple[pa.Array, pa.Array]:
    """`0=5, 3=50` as epochs and start offsets."""
    pairs = [[pair.split("=") for pair in text.split(", ")] if text else [] for text in texts]
    return (
        pa.array([[int(epoch) for epoch, _ in one] for one in pairs], pa.list_(pa.int32())),
        pa.array([[int(start) for _, start in one] for one in pairs], pa.list_(pa.int64())),
    )
