"""The segments of one local log, by their base offsets, with the bytes and times of records.

`log` is duck-typed: `starts_segment[o]` says that a segment begins at o; the last one is
the active one and may be empty. `records[o]` has `bytes` and `timestamp`, both 0 where the
log has no record.
UnifiedLog, LogSegment. Left out: indexes, and files that wait for their deletion.
"""

from __future__ import annotations

from typing import Any

from tierproof.model.language import NONE


def first_base(log: Any) -> int:
    """The base offset of the oldest segment."""
    return next_base(log, NONE)


def next_base(log: Any, base: int) -> int:
    """The base offset of the segment after the one at `base`, or NONE after the active one."""
    for offset in range(base + 1, log.log_end_offset + 1):
        if log.starts_segment[offset]:
            return offset
    return NONE


def floor_base(log: Any, offset: int) -> int:
    """The base offset of the segment that holds `offset`; the first one if it lies before."""
    for base in range(min(offset, log.log_end_offset), -1, -1):
        if log.starts_segment[base]:
            return base
    return first_base(log)


def segment_end(log: Any, base: int) -> int:
    """The first offset after the segment."""
    following = next_base(log, base)
    return int(log.log_end_offset if following == NONE else following)


def bytes_between(records: Any, start_offset: int, end_offset: int) -> int:
    """The size of the records from `start_offset` to before `end_offset`."""
    total = 0
    for offset in range(start_offset, end_offset):
        total += records[offset].bytes
    return total


def largest_timestamp(records: Any, start_offset: int, end_offset: int) -> int:
    """LogSegment#largestTimestamp of a segment that has records."""
    largest = records[start_offset].timestamp
    for offset in range(start_offset + 1, end_offset):
        largest = max(largest, records[offset].timestamp)
    return int(largest)


def only_local_bytes(log: Any) -> int:
    """UnifiedLog#onlyLocalLogSegmentsSize: of segments that are not in the remote tier.

    Those that begin at the highest remote offset or later; all of them if it is NONE.
    """
    for base in range(max(log.highest_remote_offset, 0), log.log_end_offset):
        if log.starts_segment[base]:
            return bytes_between(log.records, base, log.log_end_offset)
    return 0


def needs_roll(log: Any, more_bytes: int, most_bytes: int) -> bool:
    """LogSegment#shouldRoll: the active segment is not empty, and one more record is too much."""
    base = floor_base(log, log.log_end_offset)
    used = bytes_between(log.records, base, log.log_end_offset)
    return bool(used > 0 and used + more_bytes > most_bytes)


def roll(log: Any) -> None:
    """UnifiedLog#roll: an empty active segment begins at the log end."""
    log.starts_segment[log.log_end_offset] = True


def append_record(log: Any, bytes: int, timestamp: int) -> None:
    """UnifiedLog#append of one record at the log end."""
    log.records[log.log_end_offset].bytes = bytes
    log.records[log.log_end_offset].timestamp = timestamp
    log.log_end_offset += 1


def remove_segments(log: Any, end_offset: int) -> None:
    """LocalLog#removeAndDeleteSegments: segments that begin before `end_offset` are gone."""
    for base in range(end_offset):
        log.starts_segment[base] = False
    _forget_records(log, 0, first_base(log))


def cut_records(log: Any, end_offset: int) -> None:
    """LocalLog#truncateTo: records from `end_offset` on are gone, and segments that begin later."""
    for base in range(end_offset + 1, log.log_end_offset + 1):
        log.starts_segment[base] = False
    _forget_records(log, end_offset, log.log_end_offset)
    log.log_end_offset = end_offset


def restart_records(log: Any, offset: int) -> None:
    """LocalLog#truncateFullyAndStartAt: the log is empty, and begins at `offset`."""
    for base in range(len(log.starts_segment)):
        log.starts_segment[base] = base == offset
    _forget_records(log, 0, log.log_end_offset)
    log.log_end_offset = offset


def _forget_records(log: Any, start_offset: int, end_offset: int) -> None:
    for offset in range(start_offset, end_offset):
        log.records[offset].bytes = 0
        log.records[offset].timestamp = 0
