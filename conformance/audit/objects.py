"""The bucket against the records, in both directions.

The order that avoids false alarms is: records, listing, records again. So an object is accused
only if no record of either reading names its segment, and a record only if its copy had finished
well before the listing and no later record begins its deletion.
"""

from __future__ import annotations

import binascii
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tierproof.conformance.audit.accusations import of_objects, of_rows
from tierproof.conformance.audit.asked import Asked, Layout
from tierproof.conformance.audit.history import History, Numbers
from tierproof.conformance.audit.lifecycles import is_deleted_topic
from tierproof.conformance.audit.partitioner import metadata_partition
from tierproof.conformance.audit.segments import DELETED, FINISHED, Segments

AIVEN = Layout(required=("log", "indexes", "manifest"))
LOCAL = Layout(
    required=("log", "offset_index", "time_index", "leader_epoch_checkpoint", "producer_snapshot"),
    compares_sizes=True,
)
OTHER = Layout()
BY_NAME = {"aiven": AIVEN, "local-tiered-storage": LOCAL}
"""Name of a layout that is built in -> which files a segment has there."""
TOO_YOUNG = "too_young"
"""Why an object is not judged: it, or the deletion of its segment, is younger than the age."""


HELD_BY_OBJECTS = ("late_copy", "copy_left", "deletion_unfinished", "deleted_topic_remains")
"""Classes that do harm only while an object is there."""


def relabelled(accusations: pa.Table, objects: pa.Table, asked: Asked) -> pa.Table:
    """The accusations, those of HELD_BY_OBJECTS as `record_remains` where no object is left.

    Records stay for ever, so that what somebody has cleaned up would be accused for ever.
    """
    there = pc.unique(objects["segment_id"].drop_null())
    is_gone = pc.and_(
        pc.is_in(accusations["class"], value_set=pa.array(HELD_BY_OBJECTS)),
        pc.and_(
            pc.invert(pc.is_in(accusations["segment_id"], value_set=there)),
            pc.less(accusations["at_ms"], asked.oldest_unlisted_ms),
        ),
    )
    is_gone = pc.fill_null(is_gone, False)
    words = pc.binary_join_element_wise(accusations["class"], accusations["detail"], ": ")
    renamed = {
        "class": pc.if_else(is_gone, "record_remains", accusations["class"]),
        "detail": pc.if_else(is_gone, words, accusations["detail"]),
        "bytes": pc.if_else(is_gone, pa.scalar(None, pa.int64()), accusations["bytes"]),
    }
    columns = [renamed.get(name, accusations[name]) for name in accusations.column_names]
    return pa.table(columns, schema=accusations.schema)


def layout_of(objects: pa.Table, name: str | None) -> Layout:
    """Which files each segment has: by the name of a layout that is built in.

    For a template, by the files that the listing has at all: all of one kind may be lost, unseen.
    """
    if name in BY_NAME:
        return BY_NAME[name]
    files = set(pc.unique(objects["file"]).to_pylist())
    if {"manifest", "indexes"} & files:
        return AIVEN
    return LOCAL if "offset_index" in files else OTHER


@dataclass(frozen=True)
class Judged:
    """Accusations about objects; how many objects were not judged, by reason."""

    accusations: list[pa.Table]
    not_judged: dict[str, int]


def against_the_bucket(
    history: History, segments: Segments, objects: pa.Table, asked: Asked
) -> Judged:
    """All accusations that need a listing; `objects` has the columns of OBJECTS."""
    is_unfinished = objects["unfinished"]
    uploads = objects.filter(is_unfinished)
    objects = objects.filter(pc.invert(is_unfinished))
    if not asked.is_bucket_theirs:
        return Judged([_unfinished(uploads, asked)], {})
    foreign = pc.or_(pc.is_null(objects["file"]), pc.is_null(objects["segment_id"]))
    not_judged = {"key_fits_no_layout": int(pc.sum(foreign).as_py() or 0)}
    objects = objects.filter(pc.invert(foreign))
    segment = _segments_of_objects(history, objects)
    found = [_unfinished(uploads, asked)]
    unread = _unread(objects, segment, asked)
    not_judged["metadata_partition_not_read"] = int(unread.sum())
    accused, young = _without_record(history, segments, objects, segment, ~unread, asked)
    found += accused
    not_judged[TOO_YOUNG] = young + int((~_is_old(uploads, asked)).sum())
    found += _without_object(history, segments, objects, segment, asked)
    return Judged(found, {why: count for why, count in not_judged.items() if count})


def _segments_of_objects(history: History, objects: pa.Table) -> Numbers:
    """The number of each object's segment; -1 if no record names it."""
    index = pc.index_in(objects["segment_id"], value_set=history.segment_ids)
    return np.asarray(pc.fill_null(index, -1), np.int64)


def _is_old(objects: pa.Table, asked: Asked) -> Numbers:
    """Objects that were there before the age; one without a time counts as old."""
    times = np.asarray(pc.fill_null(objects["modified_ms"], 0), np.int64)
    return times < asked.oldest_young_ms


def _unfinished(uploads: pa.Table, asked: Asked) -> pa.Table:
    old = uploads.filter(pa.array(_is_old(uploads, asked), pa.bool_()))
    return of_objects("unfinished_upload", old, ["its parts cost storage"] * len(old))


def _unread(objects: pa.Table, segment: Numbers, asked: Asked) -> Numbers:
    """Objects without record whose records lie in a partition of the topic that was not read."""
    unread = np.zeros(len(objects), bool)
    if asked.read_partitions is None:
        return unread
    unknown = np.flatnonzero(segment < 0)
    ids = objects["topic_id"].to_pylist()
    partitions = objects["partition"].to_pylist()
    of_place: dict[tuple[str | None, int | None], bool] = {}
    for n in unknown.tolist():
        key = (ids[n], partitions[n])
        if key not in of_place:
            of_place[key] = _is_unread(*key, asked)
        unread[n] = of_place[key]
    return unread


def _is_unread(topic_id: str | None, partition: int | None, asked: Asked) -> bool:
    if topic_id is None or partition is None or asked.read_partitions is None:
        return True
    try:
        where = metadata_partition(topic_id, partition, asked.metadata_partitions)
    except (ValueError, binascii.Error):
        return True
    return where not in asked.read_partitions


def _without_record(
    history: History,
    segments: Segments,
    objects: pa.Table,
    segment: Numbers,
    is_read: Numbers,
    asked: Asked,
) -> tuple[list[pa.Table], int]:
    """Accusations, and how many objects are too young to be accused."""
    is_old = _is_old(objects, asked)
    is_unknown = (segment < 0) & is_read
    unknown = objects.filter(pa.array(is_unknown & is_old, pa.bool_()))
    deleted = np.zeros(len(objects), bool)
    known = segment >= 0
    of = segment[known]
    row = segments.last_row[of]
    is_over = history.appended_ms[row] < asked.oldest_young_ms
    deleted[known] = (segments.state[of] == DELETED) & is_over
    young = int((is_unknown & ~is_old).sum()) + int(
        ((segments.state[of] == DELETED) & ~is_over).sum()
    )
    left = objects.filter(pa.array(deleted, pa.bool_()))
    return [
        of_objects(
            "object_without_record", unknown, ["no record names its segment"] * len(unknown)
        ),
        of_objects(
            "object_after_deletion", left, ["DELETE_SEGMENT_FINISHED is written"] * len(left)
        ),
    ], young


# -- the other direction


def _without_object(
    history: History, segments: Segments, objects: pa.Table, segment: Numbers, asked: Asked
) -> Iterator[pa.Table]:
    """Finished segments that lack their object, or a file beside it, or bytes of it."""
    files = {name: np.zeros(len(segments), bool) for name in asked.layout.required}
    file = np.asarray(objects["file"].to_numpy(zero_copy_only=False), object)
    for name, has in files.items():
        found = segment[(file == name) & (segment >= 0)]
        has[found] = True
    rows = segments.row[FINISHED]
    promised = segments.is_live & (history.appended_ms[rows] < asked.oldest_unlisted_ms)
    promised &= ~is_deleted_topic(history, asked)[segments.place]
    lost = np.flatnonzero(promised & ~files["log"])
    words = ["the bucket has no such object"] * len(lost)
    keys = _keys(history, segments, lost, "log", asked)
    yield of_rows("record_without_object", history, segments, rows[lost], words, object_key=keys)
    for name, has in files.items():
        if name == "log":
            continue
        lacking = np.flatnonzero(promised & files["log"] & ~has)
        kind = "without_producer_snapshot" if name == "producer_snapshot" else "file_missing"
        words = [f"its {name.replace('_', ' ')} is missing"] * len(lacking)
        keys = _keys(history, segments, lacking, name, asked)
        yield of_rows(kind, history, segments, rows[lacking], words, object_key=keys)
    is_log = (file == "log") & (segment >= 0)
    yield _sizes(history, segments, objects, segment, is_log, promised, asked)


def _keys(
    history: History, segments: Segments, chosen: Numbers, file: str, asked: Asked
) -> pa.Array | None:
    """The key under which the bucket would have a file of each segment."""
    if asked.keys is None:
        return None
    places = history.places
    ids = history.segment_ids.take(pa.array(chosen, pa.int64())).to_pylist()
    found = []
    for n, segment_id in zip(chosen.tolist(), ids, strict=True):
        place = segments.place[n]
        fields = {
            "topic": places.topic[place],
            "topic_id": places.topic_id[place],
            "partition": places.partition[place],
            "segment_id": segment_id,
        }
        found.append(asked.keys.of(file, int(segments.start[n]), **fields))
    return pa.array(found, pa.string())


def _sizes(
    history: History,
    segments: Segments,
    objects: pa.Table,
    segment: Numbers,
    is_log: Numbers,
    promised: Numbers,
    asked: Asked,
) -> pa.Table:
    """Logs of another size than the record says; where sizes cannot be compared, empty ones."""
    of, stored = segment[is_log], np.asarray(objects["bytes"], np.int64)[is_log]
    expected = segments.bytes[of]
    is_other = stored != expected if asked.layout.compares_sizes else (stored == 0) & (expected > 0)
    differs = promised[of] & (expected >= 0) & is_other
    words = [
        f"{there:,} bytes, and the record says {said:,}"
        for there, said in zip(stored[differs].tolist(), expected[differs].tolist(), strict=True)
    ]
    rows = segments.row[FINISHED][of[differs]]
    return of_rows("size_differs", history, segments, rows, words)
