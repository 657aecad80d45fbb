"""The segments of one local log, by their base offsets, with the bytes and times of records.

UnifiedLog, LogSegment. Left out: indexes, and files that wait for their deletion.
"""

from __future__ import annotations

from collections.abc import Sequence

from tierproof.model.kafka.fields import LocalLog, SegmentedLog, SizedRecord
from tierproof.model.language import NONE


def first_base(log: SegmentedLog) -> int:
    """The base offset of the oldest segment."""
    return next_base(log, NONE)


def next_base(log: SegmentedLog, base: int) -> int:
    """The base offset of the segment after the one at `base`, or NONE after the active one."""
    for offset in range(base + 1, log.log_end_offset + 1):
        if log.starts_segment[offset]:
            return offset
    return NONE


def floor_base(log: SegmentedLog, offset: int) -> int:
    """The base offset of the segment that holds `offset`; the first one if it lies before."""
    for base in range(min(offset, log.log_end_offset), -1, -1):
        if log.starts_segment[base]:
            return base
    return first_base(log)


def segment_end(log: SegmentedLog, base: int) -> int:
    """The first offset after the segment."""
    following = next_base(log, base)
    return log.log_end_offset if following == NONE else following


def bytes_between(records: Sequence[SizedRecord], start_offset: int, end_offset: int) -> int:
    """The size of the records from `start_offset` to before `end_offset`."""
    return sum(records[offset].bytes for offset in range(start_offset, end_offset))


def largest_timestamp(records: Sequence[SizedRecord], start_offset: int, end_offset: int) -> int:
    """LogSegment#largestTimestamp of a segment that has records."""
    largest = records[start_offset].timestamp
    for offset in range(start_offset + 1, end_offset):
        largest = max(largest, records[offset].timestamp)
    return largest


def only_local_bytes(log: LocalLog) -> int:
    """UnifiedLog#onlyLocalLogSegmentsSize: the size of segments that are not in the remote tier.

    These begin at the highest remote offset or later; where it is NONE, all of them count.
    """
    for base in range(max(log.highest_remote_offset, 0), log.log_end_offset):
        if log.starts_segment[base]:
            return bytes_between(log.records, base, log.log_end_offset)
    return 0


def needs_roll(log: LocalLog, more_bytes: int, most_bytes: int) -> bool:
    """LogSegment#shouldRoll: the active segment has records, and no room for `more_bytes`."""
    base = floor_base(log, log.log_end_offset)
    used = bytes_between(log.records, base, log.log_end_offset)
    return used > 0 and used + more_bytes > most_bytes


def roll(log: SegmentedLog) -> None:
    """UnifiedLog#roll: an empty active segment begins at the log end."""
    log.starts_segment[log.log_end_offset] = True


def append_record(log: LocalLog, bytes: int, timestamp: int) -> None:
    """UnifiedLog#append of one record at the log end."""
    record = log.records[log.log_end_offset]
    record.bytes = bytes
    record.timestamp = timestamp
    log.log_end_offset += 1


def remove_segments(log: LocalLog, end_offset: int) -> None:
    """LocalLog#removeAndDeleteSegments: remove the segments that begin before `end_offset`."""
    for base in range(end_offset):
        log.starts_segment[base] = False
    forget_records(log, 0, first_base(log))


def cut_records(log: LocalLog, end_offset: int) -> None:
    """LocalLog#truncateTo: remove records from `end_offset` on, and segments that begin later."""
    for base in range(end_offset + 1, log.log_end_offset + 1):
        log.starts_segment[base] = False
    forget_records(log, end_offset, log.log_end_offset)
    log.log_end_offset = end_offset


def restart_records(log: LocalLog, offset: int) -> None:
    """LocalLog#truncateFullyAndStartAt: the log is empty, and begins at `offset`."""
    for base in range(len(log.starts_segment)):
        log.starts_segment[base] = base == offset
    forget_records(log, 0, log.log_end_offset)
    log.log_end_offset = offset


def forget_records(log: LocalLog, start_offset: int, end_offset: int) -> None:
    """The log no longer has the records from `start_offset` to before `end_offset`."""
    for offset in range(start_offset, end_offset):
        log.records[offset].bytes = 0
        log.records[offset].timestamp = 0
