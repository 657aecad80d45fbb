"""Accusations that are not made, since what would refute them may stand in what was not read.

Records of a topic-partition lie in one partition of the metadata topic. If that was not read whole
(truncated, damaged, a gap in its offsets), a deletion or the end of a copy may have been lost.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tierproof.conformance.audit.asked import Asked
from tierproof.conformance.audit.history import History, Numbers
from tierproof.conformance.audit.partitioner import metadata_partition
from tierproof.conformance.audit.reading.splits import METADATA_TOPIC

HARMLESS = (
    "control_record",
    "aborted_transaction",
    "duplicate_offset",
    "other_replica",
    "out_of_order",
)
"""Reasons to set something aside that lose nothing of what the topic says."""
FOREIGN = "foreign_record"
"""No record of the topic is lost by it, though not all was understood."""

ON_ABSENT_OBJECTS = ("record_without_object", "file_missing", "without_producer_snapshot")
"""Classes that rest on the listing not having an object."""
ON_ABSENT_RECORDS = (
    *ON_ABSENT_OBJECTS,
    "size_differs",
    "gap",
    "gap_to_local_log",
    "overlap",
    "overlap_is_over",
    "unreachable",
    "listed_nowhere",
    "out_of_lineage",
    "illegal_transition",
    "not_described",
    "copy_hangs",
    "copies_fail",
    "copy_left",
    "deletion_unfinished",
    "deleted_topic_remains",
    "object_without_record",
    "record_remains",
)
"""Classes that rest on the topic not having a record, between others or behind them."""

_OF_PARTITION = re.compile(re.escape(METADATA_TOPIC) + r"-(\d+)")


def not_whole(set_aside: pa.Table) -> frozenset[int] | None:
    """The partitions of the metadata topic that lack something; None if it may be any.

    `set_aside` has the rows of the metadata, without those of a listing.
    """
    found = set()
    rows = set_aside.select(["source", "reason"]).group_by(["source", "reason"]).aggregate([])
    for row in rows.to_pylist():
        if row["reason"] in (*HARMLESS, FOREIGN):
            continue
        path = Path(row["source"])
        match = _OF_PARTITION.fullmatch(path.parent.name) or _OF_PARTITION.fullmatch(path.name)
        if match is None:
            return None
        found.add(int(match[1]))
    return frozenset(found)


def is_whole(set_aside: pa.Table) -> bool:
    """Whether the rows of a listing lose nothing of it."""
    return set(set_aside["reason"].to_pylist()) <= set(HARMLESS)


def withheld(
    accusations: pa.Table, history: History, asked: Asked
) -> tuple[pa.Table, dict[str, int]]:
    """The accusations that can be made, and how many of each class cannot."""
    keeps = np.ones(len(accusations), bool)
    if not asked.is_listing_whole:
        keeps &= ~_is_of(accusations, ON_ABSENT_OBJECTS)
    if asked.not_whole is None:
        keeps &= ~_is_of(accusations, ON_ABSENT_RECORDS)
    elif asked.not_whole:
        rows = np.flatnonzero(keeps & _is_of(accusations, ON_ABSENT_RECORDS))
        keeps[rows] = _is_whole(accusations.take(pa.array(rows)), history, asked, asked.not_whole)
    rest = accusations.filter(pa.array(~keeps, pa.bool_()))
    counted = rest.group_by("class").aggregate([([], "count_all")]).to_pylist()
    return (
        accusations.filter(pa.array(keeps, pa.bool_())),
        {row["class"]: row["count_all"] for row in sorted(counted, key=lambda row: row["class"])},
    )


def _is_of(accusations: pa.Table, classes: Iterable[str]) -> Numbers:
    found = pc.is_in(accusations["class"], value_set=pa.array(list(classes)))
    return np.asarray(found.combine_chunks(), bool)


def _is_whole(
    accusations: pa.Table, history: History, asked: Asked, lacking: frozenset[int]
) -> list[bool]:
    """Of each accusation whether the partition that has its records was read whole."""
    places = history.places
    home = np.zeros(len(places), np.int64)
    home[history.place] = history.metadata_partition
    keys = zip(places.topic_id.tolist(), places.partition.tolist(), strict=True)
    known: dict[tuple[str | None, int | None], int | None] = dict(
        zip(keys, home.tolist(), strict=True)
    )
    found = []
    names = ("topic_id", "partition", "metadata_partition")
    for topic_id, partition, shown in zip(
        *(accusations[name].to_pylist() for name in names), strict=True
    ):
        if shown is None and (topic_id, partition) not in known:
            known[topic_id, partition] = _computed(topic_id, partition, asked)
        where = known[topic_id, partition] if shown is None else shown
        found.append(where is not None and where not in lacking)
    return found


def _computed(topic_id: str | None, partition: int | None, asked: Asked) -> int | None:
    """The partition of the metadata topic by Kafka's partitioner; None if it is not known."""
    if topic_id is None or partition is None:
        return None
    try:
        return metadata_partition(topic_id, partition, asked.metadata_partitions)
    except (ValueError, binascii.Error):
        return None
