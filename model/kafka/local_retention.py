"""Which local segments may be deleted, which offsets move then, and which stay stale.

UnifiedLog#deleteOldSegments looks three times, for three reasons, each in one step.
Left out: cleanup policies other than delete; a crash between two of the three.
"""

from __future__ import annotations

from enum import IntEnum

from tierproof.model.kafka.fields import Replica
from tierproof.model.kafka.leader_epoch_lineage import truncate_from_start
from tierproof.model.kafka.local_segments import (
    bytes_between,
    first_base,
    largest_timestamp,
    next_base,
    roll,
    segment_end,
)
from tierproof.model.kafka.replica import is_copy_enabled
from tierproof.model.language import NONE


class Reason(IntEnum):
    """Why a local segment is to be deleted, in the order in which Kafka asks."""

    LOG_START = 0
    SIZE = 1
    TIME = 2


def raise_log_start(log: Replica, offset: int) -> None:
    """UnifiedLog#maybeIncrementLogStartOffset: the log start never moves back.

    The lineage then begins there. The local log start follows only where remote storage is
    on: elsewhere it stays stale.
    """
    if log.settings.remote_storage_enable:
        log.local_log_start_offset = max(log.local_log_start_offset, offset)
    if offset > log.log_start_offset:
        log.log_start_offset = offset
        truncate_from_start(log.lineage, offset)


def local_retention(of_local: int, of_all: int, is_copied: bool) -> int:
    """LogConfig.localRetention*: the topic's where it is -2, or where nothing is copied."""
    return of_all if of_local == UNSET or not is_copied else of_local


UNSET = -2
"""local.retention.* as it is unless set."""


def surplus_bytes(log: Replica) -> int:
    """How many bytes the local log has above its retention; negative if it may keep all."""
    most = local_retention(
        log.settings.local_retention_bytes, log.settings.retention_bytes, is_copy_enabled(log)
    )
    held = bytes_between(log.records, first_base(log), log.log_end_offset)
    return held - most if most >= 0 else NONE


def is_past_time(log: Replica, base: int, now: int) -> bool:
    """The largest timestamp of the segment is older than the local retention."""
    most_ms = local_retention(
        log.settings.local_retention_ms, log.settings.retention_ms, is_copy_enabled(log)
    )
    end = segment_end(log, base)
    return most_ms >= 0 and end > base and now - largest_timestamp(log.records, base, end) > most_ms


def is_before_log_start(log: Replica, base: int) -> bool:
    """The next segment begins at or below the log start; with remote storage, the local one."""
    is_tiered = log.settings.remote_storage_enable
    start = log.local_log_start_offset if is_tiered else log.log_start_offset
    return NONE < next_base(log, base) <= start


def is_breached(log: Replica, base: int, surplus: int, reason: int, now: int) -> bool:
    """The predicate of deleteOldSegments; `surplus` is the excess in bytes that is left."""
    if reason == Reason.LOG_START:
        return is_before_log_start(log, base)
    if reason == Reason.SIZE:
        return surplus >= bytes_between(log.records, base, segment_end(log, base))
    return is_past_time(log, base, now)


def is_eligible(log: Replica, base: int) -> bool:
    """UnifiedLog#isSegmentEligibleForDeletion: with copying on, copied or below the log start."""
    if not is_copy_enabled(log):
        return True
    following, end = next_base(log, base), segment_end(log, base)
    if end > 0 and end - 1 <= log.highest_remote_offset:
        return True
    return following != NONE and log.log_start_offset >= following


def retained_from(log: Replica, reason: int, now: int) -> tuple[int, bool]:
    """UnifiedLog#deletableSegments: the first segment that stays, and whether the active one rolls.

    NONE if none stays. The active segment rolls if it is reached, is not empty and breaches the
    retention of a tiered topic, be it eligible or not.
    """
    base, surplus = first_base(log), surplus_bytes(log)
    while base != NONE:
        end, following = segment_end(log, base), next_base(log, base)
        if log.high_watermark < end or not is_breached(log, base, surplus, reason, now):
            return base, False
        is_rolled = log.settings.remote_storage_enable and following == NONE and end > base
        if end == base or not is_eligible(log, base):
            return base, is_rolled
        surplus -= bytes_between(log.records, base, end)
        base = following
    return NONE, True


def raise_start_to_delete(log: Replica, first_kept: int, rolls: bool) -> None:
    """UnifiedLog#deleteSegments, first half: move the start, then delete (KAFKA-16073).

    With copying on the local log start moves, else the log start.
    """
    if rolls:
        roll(log)
    start = log.log_end_offset if first_kept == NONE else first_kept
    if start > first_base(log):
        if is_copy_enabled(log):
            log.local_log_start_offset = max(log.local_log_start_offset, start)
        else:
            raise_log_start(log, start)


def moves_start(log: Replica, first_kept: int) -> bool:
    """Whether the deletion of all segments before `first_kept` moves a start offset."""
    start = log.log_end_offset if first_kept == NONE else first_kept
    if start <= first_base(log):
        return False
    if log.settings.remote_storage_enable and start > log.local_log_start_offset:
        return True
    return not is_copy_enabled(log) and start > log.log_start_offset


def first_not_removed(log: Replica) -> int:
    """The first segment kept; every earlier one is below the start and the high watermark.

    The active segment is always kept.
    """
    base = first_base(log)
    while is_before_log_start(log, base) and segment_end(log, base) <= log.high_watermark:
        if not is_eligible(log, base):
            return base
        base = next_base(log, base)
    return base
