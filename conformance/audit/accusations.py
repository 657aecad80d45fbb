"""Accusations as a table: one row for each, with the record or the object that shows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tierproof.conformance.audit.classes import BY_NAME
from tierproof.conformance.audit.history import NONE, History, Numbers
from tierproof.conformance.audit.segments import Segments

ACCUSATIONS = pa.schema(
    [
        pa.field("class", pa.string(), nullable=False),
        pa.field("topic", pa.string()),
        pa.field("topic_id", pa.string()),
        pa.field("partition", pa.int32()),
        pa.field("segment_id", pa.string()),
        pa.field("start_offset", pa.int64()),  # of the segment, or of the range
        pa.field("end_offset", pa.int64()),  # inclusive
        pa.field("bytes", pa.int64()),  # that it costs, or that are at stake
        pa.field("at_ms", pa.int64()),  # since when, epoch ms
        pa.field("broker_id", pa.int32()),  # that wrote the record
        pa.field("metadata_partition", pa.int32()),  # the record that shows it ...
        pa.field("record_offset", pa.int64()),
        pa.field("object_key", pa.string()),  # ... or the object
        pa.field("detail", pa.string(), nullable=False),  # one sentence
    ]
)
"""One accusation a row."""

NOTHING = ACCUSATIONS.empty_table()


def of_rows(
    name: str,
    history: History,
    segments: Segments,
    rows: Numbers,
    detail: Sequence[str],
    **given: Any,
) -> pa.Table:
    """Accusations of the class `name` that records show, one a row of the history.

    `given` are columns (arrays, or one value for all) in place of what the record and its segment
    say.
    """
    segment = history.segment[rows]
    return _table(
        {
            "class": [BY_NAME[name].name] * len(rows),
            **_place_columns(history, history.place[rows]),
            "segment_id": history.segment_ids.take(pa.array(segment)),
            "start_offset": _known(segments.start[segment]),
            "end_offset": _known(segments.end[segment]),
            "bytes": _known(segments.bytes[segment]),
            "at_ms": history.appended_ms[rows],
            "broker_id": _known(history.broker[rows]),
            "metadata_partition": history.metadata_partition[rows],
            "record_offset": history.record_offset[rows],
            "detail": list(detail),
        },
        given,
        len(rows),
    )


def of_places(
    name: str, history: History, places: Numbers, detail: Sequence[str], **given: Any
) -> pa.Table:
    """Accusations of the class `name` against topic-partitions, by their numbers."""
    columns = {
        "class": [BY_NAME[name].name] * len(places),
        **_place_columns(history, places),
        "detail": list(detail),
    }
    return _table(columns, given, len(places))


def of_objects(name: str, objects: pa.Table, detail: Sequence[str], **given: Any) -> pa.Table:
    """Accusations of the class `name` that objects of the bucket show."""
    columns = {
        "class": [BY_NAME[name].name] * len(objects),
        **{one: objects[one] for one in ("topic", "topic_id", "partition", "segment_id")},
        "start_offset": objects["start_offset"],
        "bytes": objects["bytes"],
        "at_ms": objects["modified_ms"],
        "object_key": objects["key"],
        "detail": list(detail),
    }
    return _table(columns, given, len(objects))


def together(tables: Iterable[pa.Table]) -> pa.Table:
    """All accusations, sorted by class, topic, partition and offset."""
    found = pa.concat_tables([NOTHING, *tables])
    if not len(found):
        return found
    keys = ("class", "topic", "topic_id", "partition", "start_offset", "at_ms", "segment_id")
    return found.sort_by([(name, "ascending") for name in keys]).combine_chunks()


def _place_columns(history: History, places: Numbers) -> dict[str, Any]:
    known = history.places
    return {
        "topic": known.topic[places],
        "topic_id": known.topic_id[places],
        "partition": known.partition[places],
    }


def _known(numbers: Numbers) -> pa.Array:
    return pa.array(numbers, mask=np.asarray(numbers) == NONE)


def _table(columns: Mapping[str, Any], given: Mapping[str, Any], count: int) -> pa.Table:
    every = {**columns, **given}
    arrays = []
    for field in ACCUSATIONS:
        value = every.get(field.name)
        if value is None:
            arrays.append(pa.nulls(count, field.type))
        elif isinstance(value, (int, str)):
            arrays.append(pa.array([value] * count, field.type))
        elif isinstance(value, (pa.Array, pa.ChunkedArray)):
            arrays.append(pc.cast(value, field.type))
        else:
            arrays.append(pa.array(value, field.type))
    return pa.table(arrays, schema=ACCUSATIONS)
