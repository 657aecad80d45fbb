"""Bytes, times and indexes of the segments of a keyed log.

Both indexes follow from the batches: a segment, be it appended to or written by the cleaner,
adds an entry for a batch if more than index.interval.bytes were written since the last one.
LogSegment#append, OffsetIndex#lookup, TimeIndex#maybeAppend.
Left out: index files that are full (the log rolls before).
"""

from __future__ import annotations

from tierproof.model.kafka.keyed_log import BatchKind, KeyedLog
from tierproof.model.kafka.local_segments import floor_base, next_base, segment_end
from tierproof.model.language import NONE

OFFSET_ENTRY_BYTES = 8
TIME_ENTRY_BYTES = 12


def active_base(log: KeyedLog) -> int:
    """The base offset of the active segment, the last one."""
    return floor_base(log, log.log_end_offset)


def segment_bytes(log: KeyedLog, base: int) -> int:
    """LogSegment#size."""
    return sum(log.batch[offset].bytes for offset in range(base, segment_end(log, base)))


def bytes_of_segments(log: KeyedLog, start_base: int, end_offset: int) -> int:
    """The size of the segments from the one at `start_base`, of those that begin before the end.

    The last of them counts whole.
    """
    size, base = 0, start_base
    while base != NONE and base < end_offset:
        size += segment_bytes(log, base)
        base = next_base(log, base)
    return size


def largest_timestamp(log: KeyedLog, base: int) -> int:
    """LogSegment#largestTimestamp: of a segment without batches, its modification time."""
    largest = NONE
    for offset in range(base, segment_end(log, base)):
        if log.batch[offset].kind != BatchKind.ABSENT:
            largest = max(largest, log.batch[offset].max_timestamp)
    return log.modified_ms[base] if largest == NONE else largest


def first_timestamp(log: KeyedLog, base: int) -> int:
    """LogSegment#getFirstBatchTimestamp, or NONE without batches."""
    for offset in range(base, segment_end(log, base)):
        if log.batch[offset].kind != BatchKind.ABSENT:
            return log.batch[offset].max_timestamp
    return NONE


def indexed_position(log: KeyedLog, base: int, offset: int, index_interval_bytes: int) -> int:
    """OffsetIndex#lookup: the base of the batch at which reading for `offset` begins.

    It is the batch of the entry with the largest offset at or below `offset`; an entry has the
    last offset of its batch. Without one reading begins at the segment's base.
    """
    found, written = base, 0
    for at in range(base, segment_end(log, base)):
        batch = log.batch[at]
        if batch.kind == BatchKind.ABSENT:
            continue
        if batch.last_offset > offset:
            return found
        if written > index_interval_bytes:
            found, written = at, 0
        written += batch.bytes
    return found


def index_entries(log: KeyedLog, base: int, index_interval_bytes: int) -> tuple[int, int]:
    """How many entries the offset index and the time index of a segment have.

    The time index gets one with an entry of the offset index, and when the segment becomes
    inactive, if the largest timestamp so far is above that of its last entry.
    """
    of_offsets, of_times, written, largest, last_time = 0, 0, 0, NONE, NONE
    for at in range(base, segment_end(log, base)):
        batch = log.batch[at]
        if batch.kind == BatchKind.ABSENT:
            continue
        largest = max(largest, batch.max_timestamp)
        if written > index_interval_bytes:
            of_offsets, written = of_offsets + 1, 0
            if largest > last_time:
                of_times, last_time = of_times + 1, largest
        written += batch.bytes
    if next_base(log, base) != NONE and largest > last_time:
        of_times += 1
    return of_offsets, of_times
