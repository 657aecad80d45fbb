"""Versions of the segments of a compacted, tiered partition, and which one a reader gets.

A record keeps its offset whatever the log cleaner does; `Kept` says what is left of it in one
version of its segment. There is a version in the local log of each replica, and one in each
object. A broker serves an offset from its local log where it has it, otherwise from the object
of the segment that its cache finds. KIP-1272; MemoryRecords#filterTo, RemoteLogManager#read.
Left out: batches of several records; several producers with open transactions.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Protocol

from tierproof.model.kafka.fields import Replica, Segment, SizedRecord
from tierproof.model.kafka.leader_epoch_lineage import epoch_for_offset
from tierproof.model.kafka.local_segments import first_base, floor_base, segment_end
from tierproof.model.kafka.remote_metadata_cache import MetadataCache, lookup
from tierproof.model.language import NONE


class RecordType(IntEnum):
    """What a record is: a value or a tombstone of its key, or a marker that ends a transaction."""

    VALUE = 0
    TOMBSTONE = 1
    COMMIT = 2
    ABORT = 3


class Kept(IntEnum):
    """What is left of a record in one version of its segment.

    STAMPED: it is there, and its batch has a delete horizon; an ABORT marker then has no entry
    in the transaction index any more. EMPTY: its batch is there, without the record.
    """

    GONE = 0
    KEPT = 1
    STAMPED = 2
    EMPTY = 3


class KeyedRecord(SizedRecord, Protocol):
    """A record in one version of its segment, in a batch of its own; blank once it is GONE."""

    key: int
    type: RecordType
    is_transactional: bool
    kept: Kept


class KeyedReplica(Replica, Protocol):
    """A replica whose records have keys, and its broker's cache."""

    @property
    def cache(self) -> MetadataCache:
        """What the broker has read of the metadata topic."""

    @property
    def records(self) -> Sequence[KeyedRecord]:
        """The record at each offset."""


class KeyedSegment(Segment, Protocol):
    """A remote segment, and the records that its object holds."""

    object_exists: bool

    @property
    def records(self) -> Sequence[KeyedRecord]:
        """The record at each offset."""


class KeyedPartition(Protocol):
    """The replicas and the remote segments of a partition."""

    @property
    def broker(self) -> Sequence[KeyedReplica]:
        """Every broker."""

    @property
    def segment(self) -> Sequence[KeyedSegment]:
        """Every id."""


# -- where an offset is read

LOCAL = -2
"""The source of an offset that the local log has; other sources are ids of remote segments."""


def is_local(log: KeyedReplica, offset: int) -> bool:
    """The local log serves the offset."""
    return max(log.local_log_start_offset, first_base(log)) <= offset < log.log_end_offset


def serving_segment(state: KeyedPartition, broker: int, offset: int) -> int:
    """The id that the broker's cache finds for an offset of its log, or NONE."""
    log = state.broker[broker]
    epoch = epoch_for_offset(log.lineage, offset)
    if not log.settings.remote_storage_enable or epoch == NONE:
        return NONE
    return lookup(log.cache, state.segment, epoch, offset)


def source_of(state: KeyedPartition, broker: int, offset: int) -> int:
    """LOCAL, the id whose object serves the offset, or NONE if it cannot be read."""
    if is_local(state.broker[broker], offset):
        return LOCAL
    found = serving_segment(state, broker, offset)
    return found if found != NONE and state.segment[found].object_exists else NONE


def record_in(state: KeyedPartition, broker: int, source: int, offset: int) -> KeyedRecord:
    """The record at an offset, in the version of a source that is not NONE."""
    if source == LOCAL:
        return state.broker[broker].records[offset]
    return state.segment[source].records[offset]


def next_segment_start(state: KeyedPartition, broker: int, offset: int) -> int:
    """The first offset after the segment that serves an offset, or NONE if none does."""
    source, log = source_of(state, broker, offset), state.broker[broker]
    if source == NONE:
        return NONE
    if source == LOCAL:
        return segment_end(log, floor_base(log, offset))
    return min(state.segment[source].end_offset + 1, log.log_end_offset)


def bytes_served(state: KeyedPartition, broker: int, start_offset: int, end_offset: int) -> int:
    """The size of the records that can be read from `start_offset` to before `end_offset`."""
    used = 0
    for offset in range(start_offset, end_offset):
        source = source_of(state, broker, offset)
        if source != NONE:
            record = record_in(state, broker, source, offset)
            if record.kept != Kept.GONE:
                used += record.bytes
    return used


def bytes_held(state: KeyedPartition, broker: int, start_offset: int, end_offset: int) -> int:
    """The size of the log between two offsets, each of them once: remote, or else local.

    As Kafka counts for retention.bytes, if each offset is in one version in the remote tier.
    """
    log, held = state.broker[broker], 0
    for offset in range(start_offset, end_offset):
        id = serving_segment(state, broker, offset)
        if id != NONE:
            held += state.segment[id].records[offset].bytes
        elif is_local(log, offset):
            held += log.records[offset].bytes
    return held


# -- what a record is


def is_marker(record: KeyedRecord) -> bool:
    """The record ends a transaction."""
    return record.type in (RecordType.COMMIT, RecordType.ABORT)


def has_record(record: KeyedRecord) -> bool:
    """The record itself is there, not only its batch."""
    return record.kept in (Kept.KEPT, Kept.STAMPED)


def marker_after(state: KeyedPartition, broker: int, offset: int) -> int:
    """The offset of the marker that ends the transaction of a record, or NONE if none is there."""
    for later in range(offset + 1, state.broker[broker].log_end_offset):
        source = source_of(state, broker, later)
        if source != NONE:
            record = record_in(state, broker, source, later)
            if is_marker(record) and has_record(record):
                return later
    return NONE


def is_aborted(state: KeyedPartition, broker: int, offset: int) -> bool:
    """The transaction index of the marker's segment says that the record's transaction aborted."""
    marker = marker_after(state, broker, offset)
    if marker == NONE:
        return False
    record = record_in(state, broker, source_of(state, broker, marker), marker)
    return record.type == RecordType.ABORT and record.kept == Kept.KEPT


def has_marker_between(log: KeyedReplica, offset: int, end_offset: int) -> bool:
    """The local log has a marker after an offset, below another."""
    return any(
        is_marker(log.records[later]) and log.records[later].kept != Kept.GONE
        for later in range(offset + 1, end_offset)
    )


def first_undecided_offset(log: KeyedReplica) -> int:
    """The last stable offset: the first one whose transaction has no marker below the watermark."""
    for offset in range(first_base(log), log.high_watermark):
        record = log.records[offset]
        is_data = record.is_transactional and record.kept != Kept.GONE and not is_marker(record)
        if is_data and not has_marker_between(log, offset, log.high_watermark):
            return offset
    return log.high_watermark


# -- writing a version


def forget_record(record: KeyedRecord) -> None:
    """Nothing is left of the record."""
    record.key = NONE
    record.type = RecordType.VALUE
    record.is_transactional = False
    record.kept = Kept.GONE


def copy_record(to: KeyedRecord, record: KeyedRecord) -> None:
    """Write the record as it is in another version."""
    to.bytes = record.bytes
    to.timestamp = record.timestamp
    to.key = record.key
    to.type = record.type
    to.is_transactional = record.is_transactional
    to.kept = record.kept
