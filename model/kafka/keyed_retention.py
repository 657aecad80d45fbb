"""Which segments of a compacted log are deleted: below the log start, by size, by time.

UnifiedLog#deleteOldSegments, which the cleaner's thread calls after each round. Size and time
count only while cleanup.policy contains delete. -1 (NONE) is unlimited.
Left out: remote storage, which a compacted topic cannot have.
"""

from __future__ import annotations

from enum import IntEnum

from tierproof.model.kafka.keyed_log import KeyedLog, raise_start, remove_batch, remove_record
from tierproof.model.kafka.local_segments import first_base, next_base, segment_end
from tierproof.model.kafka.sized_segments import (
    bytes_of_segments,
    largest_timestamp,
    segment_bytes,
)
from tierproof.model.language import NONE


class Reason(IntEnum):
    """Why a segment is to be deleted, in the order in which Kafka asks."""

    LOG_START = 0
    SIZE = 1
    TIME = 2


def deletable_end(log: KeyedLog, reason: int, retention: int, now: int) -> int:
    """UnifiedLog#deletableSegments: the offset before which all segments are deletable.

    Oldest first, and none above the high watermark. `retention` is in bytes or ms, by the
    reason. An empty active segment stays.
    """
    base = first_base(log)
    surplus = bytes_of_segments(log, base, log.log_end_offset) - retention
    while base != NONE:
        end, following = segment_end(log, base), next_base(log, base)
        is_empty_active = following == NONE and segment_bytes(log, base) == 0
        if log.high_watermark < end or is_empty_active:
            return base
        if not is_breached(log, base, reason, retention, surplus, now):
            return base
        surplus -= segment_bytes(log, base)
        base = following
    return log.log_end_offset


def is_breached(
    log: KeyedLog, base: int, reason: int, retention: int, surplus: int, now: int
) -> bool:
    """The predicate of deleteOldSegments; `surplus` is the excess in bytes that is left."""
    if reason == Reason.LOG_START:
        return NONE < next_base(log, base) <= log.log_start_offset
    if retention == NONE:
        return False
    if reason == Reason.SIZE:
        return surplus >= segment_bytes(log, base)
    return now - largest_timestamp(log, base) > retention


def count_segments(log: KeyedLog, end_offset: int) -> int:
    """How many segments begin before `end_offset`."""
    return sum(log.starts_segment[base] for base in range(end_offset))


def delete_before(log: KeyedLog, end_offset: int) -> None:
    """Delete the segments that begin before `end_offset`, where another one begins."""
    raise_start(log, end_offset)
    for offset in range(end_offset):
        log.starts_segment[offset] = False
        remove_batch(log.batch[offset])
        remove_record(log.record[offset])
