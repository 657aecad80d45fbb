"""The expiration task: which remote segments it deletes, and the log start that it sets before.

RemoteLogManager.RLMExpirationTask#cleanupExpiredRemoteLogSegments, at Kafka trunk.
Left out: the shortcuts by which a size that is far from its limit is not computed in full.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tierproof.model.kafka.fields import Replica, Segment, SizedSegment
from tierproof.model.kafka.leader_epoch_lineage import (
    earliest_epoch,
    is_in_lineage,
    is_shadowed,
    latest_epoch,
    next_epoch,
)
from tierproof.model.kafka.remote_metadata_cache import MetadataCache, is_listed, next_listed
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.scope import Lineage
from tierproof.model.language import NONE


class ExpiringReplica(Replica, Protocol):
    """A replica whose broker runs the expiration task.

    `copying` are the ids that its threads copy, as bits; `planned[:planned_end]` is what the
    run deletes, in order, after the log start has moved to `planned_log_start`.
    """

    copying: set[int]
    planned: list[int]
    planned_end: int
    planned_log_start: int

    @property
    def cache(self) -> MetadataCache:
        """What the broker has read of the metadata topic."""


def next_real_epoch(lineage: Lineage, epoch: int) -> int:
    """The next epoch that wrote something (buildFilteredLeaderEpochMap), or NONE."""
    found = next_epoch(lineage, epoch)
    while found != NONE and is_shadowed(lineage, found):
        found = next_epoch(lineage, found)
    return found


def last_epoch_of(segment: Segment) -> int:
    """The highest epoch in the lineage of a segment, or NONE."""
    return latest_epoch(segment.lineage)


def is_below_log_start(segment: Segment, log: Replica) -> bool:
    """isSegmentBreachedByLogStartOffset: the segment ends below the log start.

    It has no epoch after the earliest one that wrote something in the leader's log.
    """
    first = next_real_epoch(log.lineage, NONE)
    return (
        first != NONE
        and last_epoch_of(segment) <= first
        and segment.end_offset < log.log_start_offset
    )


def is_counted(log: ExpiringReplica, segment: Sequence[SizedSegment], id: int) -> bool:
    """buildRetentionSizeData counts finished segments of the leader's own lineage, each once.

    Failed copies do not count (KAFKA-17062).
    """
    if log.cache.state[id] != SegmentState.COPY_SEGMENT_FINISHED:
        return False
    is_own = is_in_lineage(segment[id], log.lineage, log.log_end_offset)
    return is_own and is_listed_in_lineage(log, id)


def is_listed_in_lineage(log: ExpiringReplica, id: int) -> bool:
    """An epoch of the leader's lineage that wrote something lists the id."""
    epoch = next_real_epoch(log.lineage, NONE)
    while epoch != NONE:
        if is_listed(log.cache, epoch, id):
            return True
        epoch = next_real_epoch(log.lineage, epoch)
    return False


def surplus_bytes(log: ExpiringReplica, segment: Sequence[SizedSegment], local_bytes: int) -> int:
    """How much the two tiers hold above retention.bytes, or 0.

    `local_bytes` are those of segments that are local only.
    """
    if log.settings.retention_bytes < 0:
        return 0
    remote_bytes = sum(
        segment[id].bytes for id in range(len(segment)) if is_counted(log, segment, id)
    )
    return max(local_bytes + remote_bytes - log.settings.retention_bytes, 0)


def is_past_time(segment: SizedSegment, log: Replica, now: int) -> bool:
    """Every record is older than retention.ms; strictly, since KAFKA-20091."""
    most_ms = log.settings.retention_ms
    return most_ms >= 0 and now >= most_ms and segment.max_timestamp < now - most_ms


def is_planned(log: ExpiringReplica, id: int) -> bool:
    """The run is going to delete the segment."""
    return any(log.planned[n] == id for n in range(log.planned_end))


def is_considered_before(log: ExpiringReplica, id: int) -> bool:
    """An earlier epoch listed the segment too, and the run has planned it then (KAFKA-15479)."""
    return is_planned(log, id)


def plan_deletion(log: ExpiringReplica, id: int) -> None:
    """Put the segment at the end of the plan."""
    log.planned[log.planned_end] = id
    log.planned_end += 1


def plan_retention(
    log: ExpiringReplica, segment: Sequence[SizedSegment], surplus: int, now: int
) -> None:
    """What the run deletes, in order, epoch by epoch, until a segment has to stay.

    The leader's epochs that wrote nothing are left out. Planning deletes nothing and moves no
    offset.
    """
    epoch = next_real_epoch(log.lineage, NONE)
    while epoch != NONE:
        id = next_listed(log.cache, segment, epoch, NONE)
        while id != NONE:
            surplus = _plan_one(log, segment, id, surplus, now)
            if surplus == STOP:
                return
            id = next_listed(log.cache, segment, epoch, id)
        epoch = next_real_epoch(log.lineage, epoch)


STOP = -1
"""No segment after this one is looked at."""


def is_taken_up_again(segment_state: int) -> bool:
    """A deletion that dangles is planned in every run, whatever retention says (KAFKA-17428)."""
    return segment_state == SegmentState.DELETE_SEGMENT_STARTED


def log_start_after(planned_log_start: int, segment: Segment) -> int:
    """The log start once the segment is deleted too: overlapping segments may end before others.

    Kafka: RemoteLogRetentionHandler, the maximum of the ends since KAFKA-16890.
    """
    return max(planned_log_start, segment.end_offset + 1)


def _plan_one(
    log: ExpiringReplica, segment: Sequence[SizedSegment], id: int, surplus: int, now: int
) -> int:
    """Decide on one listed segment; the surplus that is left, or STOP.

    A dangling deletion is planned once for each epoch that lists it.
    """
    if id in log.copying:
        return STOP
    if is_taken_up_again(log.cache.state[id]):
        plan_deletion(log, id)
        return surplus
    if is_considered_before(log, id):
        return surplus
    if is_below_log_start(segment[id], log):
        plan_deletion(log, id)
        return surplus
    if not is_in_lineage(segment[id], log.lineage, log.log_end_offset):
        return surplus
    left = surplus - segment[id].bytes
    if not is_past_time(segment[id], log, now) and (surplus <= 0 or left < 0):
        return STOP
    plan_deletion(log, id)
    log.planned_log_start = log_start_after(log.planned_log_start, segment[id])
    return max(left, 0)


def precedes_lineage(log: ExpiringReplica, segment: Segment, id: int) -> bool:
    """The last part of cleanupExpiredRemoteLogSegments: every epoch of the id is an older one.

    Older than the earliest that the leader knows; whether the id is being copied is not asked.
    """
    return last_epoch_of(segment) < earliest_epoch(log.lineage)


def plan_old_epochs(log: ExpiringReplica, segment: Sequence[SizedSegment]) -> None:
    """Then segments of which every epoch comes before the earliest that the leader knows."""
    earliest = earliest_epoch(log.lineage)
    for epoch in range(max(earliest, 0)):
        id = next_listed(log.cache, segment, epoch, NONE)
        while id != NONE:
            if precedes_lineage(log, segment[id], id) and not is_planned(log, id):
                plan_deletion(log, id)
            id = next_listed(log.cache, segment, epoch, id)
