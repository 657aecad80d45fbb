"""The judgement of a history: every accusation, and the facts that a forecast needs.

The same function judges a whole topic, or the topic-partitions of one group of Spark's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tierproof.conformance.audit.accusations import of_places, together
from tierproof.conformance.audit.asked import Asked
from tierproof.conformance.audit.foresight import Facts, facts_of
from tierproof.conformance.audit.history import History, history_of
from tierproof.conformance.audit.lifecycles import forbidden, unended
from tierproof.conformance.audit.lookups import Reached
from tierproof.conformance.audit.objects import against_the_bucket, relabelled
from tierproof.conformance.audit.offsets import on_the_axis
from tierproof.conformance.audit.segments import Segments, segments_of
from tierproof.conformance.audit.tables import TOMBSTONE
from tierproof.conformance.audit.withholding import withheld
from tierproof.conformance.audit.writers import among_brokers


@dataclass(frozen=True)
class Judgement:
    """ACCUSATIONS, the facts of the topic, and how many objects were not judged, by reason.

    `withheld`: how many accusations of each class are not made, as not all was read.
    """

    history: History
    segments: Segments
    reached: Reached
    accusations: pa.Table
    facts: Facts
    not_judged: dict[str, int] = field(default_factory=dict)
    withheld: dict[str, int] = field(default_factory=dict)


def judge(
    batches: Iterable[pa.RecordBatch], asked: Asked, objects: pa.Table | None = None
) -> Judgement:
    """Judge records (batches or tables with the columns of RECORDS) and, if given, OBJECTS."""
    history = history_of(batches)
    segments = segments_of(history)
    axis, reached = on_the_axis(history, segments, asked)
    found = [
        *forbidden(history, segments),
        *unended(history, segments, asked),
        *axis,
        *among_brokers(history, asked),
        _other_records(history),
    ]
    not_judged: dict[str, int] = {}
    if objects is not None:
        judged = against_the_bucket(history, segments, objects, asked)
        found += judged.accusations
        not_judged = judged.not_judged
    accusations = together(found)
    if objects is not None and asked.is_listing_whole and asked.is_bucket_theirs:
        accusations = together([relabelled(accusations, objects, asked)])
    accusations, not_made = withheld(accusations, history, asked)
    facts = facts_of(history, segments, asked, is_listed=objects is not None)
    return Judgement(history, segments, reached, accusations, facts, not_judged, not_made)


def _other_records(history: History) -> pa.Table:
    """Tombstones, and markers of deleted partitions: one accusation a record."""
    others = history.others
    words = [
        "a tombstone" if kind == TOMBSTONE else f"{kind} {state or ''}".strip()
        for kind, state in zip(others["kind"].to_pylist(), others["state"].to_pylist(), strict=True)
    ]
    names = ("topic", "topic_id", "partition", "broker_id", "metadata_partition", "record_offset")
    columns = {name: others[name] for name in names}
    nobody = np.empty(0, np.int64)
    empty = of_places("other_records", history, nobody, [])
    if not len(others):
        return empty
    arrays = {
        "class": pa.array(["other_records"] * len(others)),
        **{
            name: pc.cast(column, empty.schema.field(name).type) for name, column in columns.items()
        },
        "at_ms": others["appended_ms"],
        "detail": pa.array(words),
    }
    return pa.table(
        [arrays.get(one.name, pa.nulls(len(others), one.type)) for one in empty.schema],
        schema=empty.schema,
    )


FirstSeen = dict[tuple[str, str], int]
"""(topic, topic id) -> the time of its first record."""


def first_seen(batches: Iterable[pa.RecordBatch]) -> FirstSeen:
    """The topics of records, each id with the time of its first record."""
    first: FirstSeen = {}
    for batch in batches:
        table = pa.table(
            [batch["topic"], batch["topic_id"], batch["appended_ms"]],
            names=["topic", "topic_id", "appended_ms"],
        )
        table = table.filter(pc.and_(pc.is_valid(table["topic"]), pc.is_valid(table["topic_id"])))
        found = table.group_by(["topic", "topic_id"]).aggregate([("appended_ms", "min")])
        for row in found.to_pylist():
            key = (row["topic"], row["topic_id"])
            first[key] = min(first.get(key, row["appended_ms_min"]), row["appended_ms_min"])
    return first


def superseded_ids(first: FirstSeen, oldest_young_ms: int) -> frozenset[str]:
    """Topic ids that are gone, as a newer id of the same topic was seen before the given time."""
    newest: dict[str, tuple[int, str]] = {}
    for (topic, topic_id), time in first.items():
        newest[topic] = max(newest.get(topic, (time, topic_id)), (time, topic_id))
    return frozenset(
        topic_id
        for topic, topic_id in first
        if newest[topic][1] != topic_id and newest[topic][0] < oldest_young_ms
    )
