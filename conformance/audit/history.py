"""Records of the metadata topic as arrays: the records of a segment stand together, in order.

Ten million records take about a gigabyte so. Strings that repeat are numbers; what only the
record that describes a segment has (offsets, epochs, size) is kept for those records alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tierproof.conformance.audit.tables import KINDS, RECORDS
from tierproof.model.kafka.remote_segment import SegmentState

Numbers = Any
"""A NumPy array of one dimension."""

STATES = {state.name: int(state) for state in SegmentState}
NO_STATE = 0
LAST_MS = 1 << 43
"""The year 2248: a time beyond it, or before 1970, is set to the nearest of the two."""
LAST_OFFSET = 1 << 62
NONE = -1

_REPEATED = ("kind", "topic", "topic_id", "state")
"""Columns of few different strings."""
_DESCRIBING = (
    "start_offset",
    "end_offset",
    "max_timestamp_ms",
    "segment_bytes",
    "leader_epochs",
    "epoch_starts",
    "txn_index_empty",
)
COLUMNS = (
    "metadata_partition",
    "record_offset",
    "appended_ms",
    "kind",
    "version",
    "record_bytes",
    "topic",
    "topic_id",
    "partition",
    "segment_id",
    "broker_id",
    "event_ms",
    "state",
    *_DESCRIBING,
)
"""The columns of RECORDS that judging reads."""


@dataclass(frozen=True)
class Places:
    """The topic-partitions, by number: the name, the id and the partition of each."""

    topic: Numbers
    topic_id: Numbers
    partition: Numbers

    def __len__(self) -> int:
        return len(self.partition)

    def name(self, place: int) -> str:
        """As Kafka writes a topic-partition, `topic-3`."""
        return f"{self.topic[place]}-{self.partition[place]}"


@dataclass(frozen=True)
class History:
    """Records about segments, sorted by segment and then as the topic has them.

    All arrays but those of `places` and `segment_ids` have one element a record. `described`
    has the columns of the records that describe a segment, `description` their row or -1;
    `is_impossible` are records whose description Kafka itself would refuse, which is not used.
    `others` are the records that are about no segment.
    """

    places: Places
    segment_ids: pa.Array
    place: Numbers
    segment: Numbers
    sequence: Numbers
    metadata_partition: Numbers
    record_offset: Numbers
    appended_ms: Numbers
    event_ms: Numbers
    broker: Numbers
    kind: Numbers
    version: Numbers
    record_bytes: Numbers
    state: Numbers
    description: Numbers
    is_impossible: Numbers
    described: pa.Table
    others: pa.Table

    def __len__(self) -> int:
        return len(self.segment)

    @cached_property
    def starts(self) -> Numbers:
        """The first record of each segment."""
        if not len(self):
            return np.empty(0, np.int64)
        return np.flatnonzero(np.diff(self.segment, prepend=NONE))

    @cached_property
    def ends(self) -> Numbers:
        """The end, exclusive, of the records of each segment."""
        return np.append(self.starts[1:], len(self)) if len(self) else self.starts

    def described_column(self, name: str, fill: int = NONE) -> Numbers:
        """A column of `described` as numbers, null as `fill`."""
        return _numbers(self.described[name], np.int64, fill)


def history_of(batches: Iterable[pa.RecordBatch]) -> History:
    """The history that batches or tables with the columns of RECORDS hold, in any order."""
    table = _table(batches)
    order = _order_of_topic(table)
    if order is not None:
        table = table.take(order)
    about_segments = pc.and_(pc.is_valid(table["segment_id"]), pc.is_valid(table["state"]))
    others = table.filter(pc.invert(about_segments)) if len(table) else table
    if len(others):
        table = table.filter(about_segments)
    return _sorted(table, others)


def _table(batches: Iterable[pa.RecordBatch]) -> pa.Table:
    """The columns that are read, with numbers in place of strings that repeat."""
    tables = []
    for batch in batches:
        columns = []
        for name in COLUMNS:
            column = batch[name]
            if name in _REPEATED and not pa.types.is_dictionary(column.type):
                column = pc.dictionary_encode(column)
            columns.append(column)
        tables.append(pa.table(columns, names=list(COLUMNS)))
    if not tables:
        return _table([RECORDS.empty_table()])
    return pa.concat_tables(tables).unify_dictionaries()


def _order_of_topic(table: pa.Table) -> Numbers | None:
    """What sorts the records by partition and offset, each once; None if they are so."""
    partition = _numbers(table["metadata_partition"], np.int32)
    offset = _numbers(table["record_offset"], np.int64)
    same = np.diff(partition) == 0
    if (np.diff(partition) >= 0).all() and (np.diff(offset)[same] > 0).all():
        return None
    order = np.lexsort((offset, partition))
    twice = (np.diff(partition[order]) == 0) & (np.diff(offset[order]) == 0)
    return order[np.append(True, ~twice)] if len(order) else order


def _sorted(table: pa.Table, others: pa.Table) -> History:
    place, places = _places(table)
    ids = pc.dictionary_encode(table["segment_id"].combine_chunks())
    if isinstance(ids, pa.ChunkedArray):
        ids = ids.combine_chunks()
    code = ids.indices.to_numpy().astype(np.int64)
    both = pc.dictionary_encode(pa.array((place.astype(np.int64) << 32) | code))
    segment = both.indices.to_numpy()
    of_segment = both.dictionary.to_numpy() & 0xFFFFFFFF
    order = np.argsort(segment, kind="stable")
    says = pc.is_valid(table["start_offset"]).to_numpy()
    describes = says.copy()
    describes[says] = _is_possible(table.select(_DESCRIBING).filter(pa.array(says)))
    position = np.where(describes, np.cumsum(describes) - 1, NONE).astype(np.int32)
    return History(
        places=places,
        segment_ids=ids.dictionary.take(pa.array(of_segment)),
        place=place[order],
        segment=segment[order],
        sequence=order,
        metadata_partition=_numbers(table["metadata_partition"], np.int32)[order],
        record_offset=_numbers(table["record_offset"], np.int64)[order],
        appended_ms=np.clip(_numbers(table["appended_ms"], np.int64)[order], 0, LAST_MS),
        event_ms=np.clip(_numbers(table["event_ms"], np.int64)[order], NONE, LAST_MS),
        broker=_numbers(table["broker_id"], np.int32)[order],
        kind=_codes(table["kind"], {name: n for n, name in enumerate(KINDS)})[order],
        version=_numbers(table["version"], np.int16)[order],
        record_bytes=_numbers(table["record_bytes"], np.int32, 0)[order],
        state=_codes(table["state"], STATES)[order],
        description=position[order],
        is_impossible=(says & ~describes)[order],
        described=table.select(_DESCRIBING).filter(pa.array(describes)),
        others=others,
    )


def _is_possible(described: pa.Table) -> Numbers:
    """Which records Kafka can have written: an offset at least, and epochs that rise with offsets.

    RemoteLogSegmentMetadata refuses an end below the start, and a segment without epochs.
    """
    start = _numbers(described["start_offset"], np.int64)
    end = _numbers(described["end_offset"], np.int64)
    fits = (start >= 0) & (end >= start) & (end < LAST_OFFSET)
    lengths = [
        np.asarray(pc.fill_null(pc.list_value_length(described[name]), 0), np.int64)
        for name in ("leader_epochs", "epoch_starts")
    ]
    fits &= (lengths[0] == lengths[1]) & (lengths[0] > 0)
    fits[fits] = _rises(described.filter(pa.array(fits)), lengths[0][fits])
    return fits


def _rises(described: pa.Table, lengths: Numbers) -> Numbers:
    """Which of some records, with as many starts as epochs, have both in order."""
    record = np.repeat(np.arange(len(lengths)), lengths)
    epoch = _numbers(pc.list_flatten(described["leader_epochs"]), np.int64)
    start = _numbers(pc.list_flatten(described["epoch_starts"]), np.int64)
    is_same = np.diff(record) == 0
    falls = is_same & ((np.diff(epoch) <= 0) | (np.diff(start) < 0))
    wrong = (epoch < 0) | (start < 0) | (start >= LAST_OFFSET)
    found = np.ones(len(lengths), bool)
    found[record[wrong]] = False
    found[record[1:][falls]] = False
    return found


def _places(table: pa.Table) -> tuple[Numbers, Places]:
    """The place of each record, and the places."""
    ids = table["topic_id"].combine_chunks()
    ids = ids.combine_chunks() if isinstance(ids, pa.ChunkedArray) else ids
    topics = table["topic"].combine_chunks()
    topics = topics.combine_chunks() if isinstance(topics, pa.ChunkedArray) else topics
    code = ids.indices.fill_null(0).to_numpy().astype(np.int64)
    partition = _numbers(table["partition"], np.int64, 0) & 0xFFFFFFFF
    both = pc.dictionary_encode(pa.array((code << 32) | partition))
    place = both.indices.to_numpy()
    key = both.dictionary.to_numpy()
    first = np.full(len(key), len(place))
    np.minimum.at(first, place, np.arange(len(place)))
    name_of = np.array(topics.dictionary.to_pylist() or [""], dtype=object)
    id_of = np.array(ids.dictionary.to_pylist() or [""], dtype=object)
    names = topics.indices.fill_null(0).to_numpy()
    return place, Places(
        topic=name_of[names[first]] if len(key) else np.empty(0, object),
        topic_id=id_of[key >> 32] if len(key) else np.empty(0, object),
        partition=(key & 0xFFFFFFFF).astype(np.uint32).view(np.int32).astype(np.int64),
    )


def _numbers(column: Any, kind: Any, fill: Any = NONE) -> Numbers:
    if column.null_count:
        column = pc.fill_null(column, fill)
    return column.to_numpy().astype(kind, copy=False)


def _codes(column: pa.ChunkedArray, numbers: dict[str, int]) -> Numbers:
    """The numbers of strings that repeat; NO_STATE for one that is not known."""
    column = column.combine_chunks()
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    known = np.array(
        [numbers.get(word, NO_STATE) for word in column.dictionary.to_pylist()] or [0], np.int8
    )
    return known[column.indices.fill_null(0).to_numpy()]
