"""Decoded messages as a RecordBatch with schema RECORDS."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from tierproof.conformance.audit import tables
from tierproof.conformance.audit.reading import messages as decoded
from tierproof.conformance.audit.reading import records as located
from tierproof.conformance.audit.reading.texts import binaries, leader_epochs, strings, uuids

KINDS = pa.array(
    [
        tables.SEGMENT,
        tables.SEGMENT_UPDATE,
        tables.PARTITION_DELETE,
        tables.SNAPSHOT,
        tables.TOMBSTONE,
    ]
)
"""By the numbers of `messages`."""

SEGMENT_STATES = (
    "COPY_SEGMENT_STARTED",
    "COPY_SEGMENT_FINISHED",
    "DELETE_SEGMENT_STARTED",
    "DELETE_SEGMENT_FINISHED",
)
PARTITION_STATES = (
    "DELETE_PARTITION_MARKED",
    "DELETE_PARTITION_STARTED",
    "DELETE_PARTITION_FINISHED",
)
STATES = pa.array([*SEGMENT_STATES, *PARTITION_STATES])
"""By number, those of a partition behind those of a segment."""

NUMBERS = (
    ("partition", decoded.PARTITION, decoded.HAS_PARTITION, np.int32),
    ("start_offset", decoded.START, decoded.HAS_START, np.int64),
    ("end_offset", decoded.END, decoded.HAS_END, np.int64),
    ("broker_id", decoded.BROKER, decoded.HAS_BROKER, np.int32),
    ("event_ms", decoded.EVENT, decoded.HAS_EVENT, np.int64),
    ("max_timestamp_ms", decoded.MAX_TIMESTAMP, decoded.HAS_MAX_TIMESTAMP, np.int64),
    ("segment_bytes", decoded.BYTES, decoded.HAS_BYTES, np.int32),
    ("txn_index_empty", decoded.TXN_EMPTY, decoded.HAS_TXN_EMPTY, np.bool_),
)
"""Column of RECORDS, column of the decoded rows, bit that says it is present, NumPy type."""

Numbers = np.ndarray[Any, Any]


def record_batch(
    data: Numbers, records: Numbers, rows: Numbers, source: str, metadata_partition: int
) -> pa.RecordBatch:
    """Rows that were located and decoded in `data`, int64[n, ...] both, none of them set aside."""
    count = len(rows)
    kinds = rows[:, decoded.KIND]
    present = rows[:, decoded.PRESENT]
    sizes = np.maximum(records[:, located.KEY_BYTES], 0)
    sizes = sizes + np.maximum(records[:, located.VALUE_BYTES], 0)
    zeros = np.zeros(count, np.int8)
    columns = {
        "source": dictionary(zeros, pa.array([source], pa.string())),
        "metadata_partition": pa.array(np.full(count, metadata_partition, np.int32)),
        "record_offset": pa.array(np.ascontiguousarray(records[:, located.OFFSET])),
        "appended_ms": pa.array(np.ascontiguousarray(records[:, located.APPENDED])),
        "kind": dictionary(kinds.astype(np.int8), KINDS),
        "version": numbers(rows[:, decoded.VERSION], kinds != decoded.TOMBSTONE, np.int16),
        "record_bytes": pa.array(sizes.astype(np.int32)),
        "state": states(rows, kinds, present),
        **texts(data, rows, present),
    }
    for name, column, bit, kind in NUMBERS:
        columns[name] = numbers(rows[:, column], present & bit != 0, kind)
    arrays = [columns[field.name] for field in tables.RECORDS]
    return pa.RecordBatch.from_arrays(arrays, schema=tables.RECORDS)


def dictionary(codes: Numbers, words: pa.Array, mask: Numbers | None = None) -> pa.Array:
    """words[code] of each row as strings."""
    return pa.DictionaryArray.from_arrays(pa.array(codes, mask=mask), words).cast(pa.string())


def numbers(values: Numbers, present: Numbers, kind: Any) -> pa.Array:
    """A column of numbers, null where it is not present."""
    return pa.array(values.astype(kind), mask=None if present.all() else ~present)


def states(rows: Numbers, kinds: Numbers, present: Numbers) -> pa.Array:
    """The states by name."""
    codes = rows[:, decoded.STATE] + np.where(kinds == decoded.DELETE, len(SEGMENT_STATES), 0)
    return dictionary(codes.astype(np.int8), STATES, present & decoded.HAS_STATE == 0)


def texts(data: Numbers, rows: Numbers, present: Numbers) -> dict[str, pa.Array]:
    """The columns of variable length."""
    has = {
        bit: present & bit != 0
        for bit in (
            decoded.HAS_TOPIC,
            decoded.HAS_TOPIC_ID,
            decoded.HAS_SEGMENT_ID,
            decoded.HAS_EPOCHS,
            decoded.HAS_CUSTOM,
        )
    }
    is_text = present & decoded.TOPIC_ID_IS_TEXT != 0
    epochs, starts = leader_epochs(
        data, rows[:, decoded.EPOCHS_AT], rows[:, decoded.EPOCHS], has[decoded.HAS_EPOCHS]
    )
    topic = (rows[:, decoded.TOPIC_AT], rows[:, decoded.TOPIC_BYTES], has[decoded.HAS_TOPIC])
    custom = (rows[:, decoded.CUSTOM_AT], rows[:, decoded.CUSTOM_BYTES], has[decoded.HAS_CUSTOM])
    topic_ids = rows[:, decoded.TOPIC_ID_AT]
    segment_ids = rows[:, decoded.SEGMENT_ID_AT]
    return {
        "topic": strings(data, *topic),
        "topic_id": uuids(data, topic_ids, has[decoded.HAS_TOPIC_ID], is_text),
        "segment_id": uuids(
            data, segment_ids, has[decoded.HAS_SEGMENT_ID], np.zeros(len(rows), np.bool_)
        ),
        "leader_epochs": epochs,
        "epoch_starts": starts,
        "custom_metadata": binaries(data, *custom),
    }
