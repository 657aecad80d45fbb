"""RemoteLogMetadataCache: what one broker knows of the remote segments of one partition.

What a segment is (offsets, lineage) never changes after it is published and lies in one
place for all brokers, the array `segment` (a list of SegmentMetadata, or of a design's
record with the same fields). What a broker has read of it lies in its MetadataCache: the
state of each id and, for each leader epoch, which ids serve reads and which do not.
RemoteLogMetadataCache, RemoteLogLeaderEpochState; equal from Kafka 3.9 to trunk.
Left out: custom metadata, the transaction index, ids added twice with different offsets,
segments with two leaders that both begin at offset 0 (a highest offset of -1).
Unreferenced ids that start at the same offset are listed by id; Kafka hashes them.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Any

from tierproof.model.kafka.leader_epoch_lineage import (
    Lineage,
    earliest_epoch,
    end_offset_for,
    epoch_end,
    latest_epoch,
    next_epoch,
    previous_epoch,
)
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.scope import Offset, OptionalOffset, SegmentIds, TieredScope
from tierproof.model.language import NONE, Array, Record


class CachedState(IntEnum):
    """The state of an id in one cache, numbered as SegmentState; a deleted id is forgotten."""

    UNKNOWN = 0
    COPY_SEGMENT_STARTED = 1
    COPY_SEGMENT_FINISHED = 2
    DELETE_SEGMENT_STARTED = 3


class CacheOutcome(IntEnum):
    """What became of a metadata record. DROPPED is silent in Kafka, but for the log."""

    APPLIED = 0
    DROPPED = 1
    ILLEGAL_ARGUMENT = 2
    """IllegalArgumentException: a copy is started by an update, or an addition that is none."""
    RESOURCE_NOT_FOUND = 3
    """RemoteResourceNotFoundException: an update of an id that the initialized cache lacks."""


class SegmentMetadata(Record):
    """RemoteLogSegmentMetadata, as far as it never changes; `end_offset` is inclusive."""

    start_offset: Offset
    end_offset: Offset
    lineage: Lineage


class EpochState(Record):
    """RemoteLogLeaderEpochState: ids that serve reads in an epoch, ids listed only.

    `highest_offset`: the highest offset ever finished in the epoch; deletion leaves it.
    """

    referenced: SegmentIds
    unreferenced: SegmentIds
    highest_offset: OptionalOffset


class MetadataCache(Record):
    """RemoteLogMetadataCache of one partition on one broker, at first empty, not initialized."""

    is_initialized: bool
    state: Annotated[list[CachedState], Array(TieredScope.segment_ids)]
    epoch: Annotated[list[EpochState], Array(TieredScope.leader_epochs)]


# -- records of the metadata topic


def apply_record(cache: Any, segment: Any, id: int, target: int) -> CacheOutcome:
    """A record of the metadata topic: COPY_SEGMENT_STARTED adds, all others update."""
    if target == SegmentState.COPY_SEGMENT_STARTED:
        return add(cache, segment, id, target)
    return update(cache, segment, id, target)


def add(cache: Any, segment: Any, id: int, state: int) -> CacheOutcome:
    """addCopyInProgressSegment: `id` is listed, unreferenced, in the epochs of its lineage.

    `state` is the one in the record: anything but COPY_SEGMENT_STARTED is refused. A second
    addition changes nothing, and one that comes too late is dropped.
    """
    if state != SegmentState.COPY_SEGMENT_STARTED:
        return CacheOutcome.ILLEGAL_ARGUMENT
    if cache.state[id] > CachedState.COPY_SEGMENT_STARTED:
        return CacheOutcome.DROPPED
    for e in range(len(cache.epoch)):
        if segment[id].lineage[e] != NONE:
            cache.epoch[e].unreferenced |= 1 << id
    cache.state[id] = CachedState.COPY_SEGMENT_STARTED
    return CacheOutcome.APPLIED


def update(cache: Any, segment: Any, id: int, target: int) -> CacheOutcome:
    """updateRemoteLogSegmentMetadata: `id` goes to `target` (a SegmentState).

    An illegal transition is dropped silently, a legal one to COPY_SEGMENT_STARTED refused.
    """
    if cache.state[id] == CachedState.UNKNOWN:
        return CacheOutcome.RESOURCE_NOT_FOUND if cache.is_initialized else CacheOutcome.DROPPED
    if not is_legal_update(cache.state[id], target):
        return CacheOutcome.DROPPED
    if target == SegmentState.COPY_SEGMENT_FINISHED:
        _finish_copy(cache, segment, id)
    elif target == SegmentState.DELETE_SEGMENT_STARTED:
        _start_delete(cache, segment, id)
    elif target == SegmentState.DELETE_SEGMENT_FINISHED:
        _finish_delete(cache, id)
    else:
        return CacheOutcome.ILLEGAL_ARGUMENT
    return CacheOutcome.APPLIED


def is_legal_update(state: int, target: int) -> bool:
    """RemoteLogSegmentState#isValidTransition for an id that the cache knows; staying is legal."""
    if state == target:
        return True
    if target == SegmentState.COPY_SEGMENT_FINISHED:
        return bool(state == CachedState.COPY_SEGMENT_STARTED)
    if target == SegmentState.DELETE_SEGMENT_STARTED:
        return bool(state != CachedState.UNKNOWN)
    if target == SegmentState.DELETE_SEGMENT_FINISHED:
        return bool(state == CachedState.DELETE_SEGMENT_STARTED)
    return False


def _finish_copy(cache: Any, segment: Any, id: int) -> None:
    """`id` serves reads; in each of its epochs it may push others out."""
    mine = segment[id]
    for e in range(len(cache.epoch)):
        if mine.lineage[e] == NONE:
            continue
        last = epoch_end(mine.lineage, e, mine.end_offset + 1) - 1
        _push_out(cache.epoch[e], segment, e, mine.lineage[e], last)
        cache.epoch[e].referenced |= 1 << id
        cache.epoch[e].unreferenced &= ~(1 << id)
        cache.epoch[e].highest_offset = max(cache.epoch[e].highest_offset, last)
    cache.state[id] = CachedState.COPY_SEGMENT_FINISHED


def _push_out(at: Any, segment: Any, epoch: int, start_offset: int, last_offset: int) -> None:
    """RemoteLogLeaderEpochState#handleSegmentWithCopySegmentFinishedState, for the others.

    If nothing past the new segment was ever finished, ids that start in it or later become
    unreferenced. Else only one with the very same start goes, and is listed nowhere.
    """
    for i in range(len(segment)):
        if not at.referenced >> i & 1:
            continue
        if at.highest_offset <= last_offset and segment[i].lineage[epoch] >= start_offset:
            at.referenced &= ~(1 << i)
            at.unreferenced |= 1 << i
        elif segment[i].lineage[epoch] == start_offset:
            at.referenced &= ~(1 << i)


def _start_delete(cache: Any, segment: Any, id: int) -> None:
    """`id` serves no reads any more and is listed, also where another had pushed it out."""
    for e in range(len(cache.epoch)):
        if segment[id].lineage[e] != NONE:
            cache.epoch[e].referenced &= ~(1 << id)
            cache.epoch[e].unreferenced |= 1 << id
    cache.state[id] = CachedState.DELETE_SEGMENT_STARTED


def _finish_delete(cache: Any, id: int) -> None:
    """`id` is forgotten; the highest offsets stay."""
    for e in range(len(cache.epoch)):
        cache.epoch[e].unreferenced &= ~(1 << id)
    cache.state[id] = CachedState.UNKNOWN


def forget_all(cache: Any) -> None:
    """The cache of a partition is dropped, or made anew: nothing is known, nor initialized."""
    cache.is_initialized = False
    for i in range(len(cache.state)):
        cache.state[i] = CachedState.UNKNOWN
    for e in range(len(cache.epoch)):
        cache.epoch[e].referenced = 0
        cache.epoch[e].unreferenced = 0
        cache.epoch[e].highest_offset = NONE


def forget_segment(cache: Any, id: int) -> None:
    """The cache knows nothing of one id any more; highest offsets stay. No part of Kafka."""
    for e in range(len(cache.epoch)):
        cache.epoch[e].referenced &= ~(1 << id)
        cache.epoch[e].unreferenced &= ~(1 << id)
    cache.state[id] = CachedState.UNKNOWN


# -- queries: an id, or NONE


def lookup(cache: Any, segment: Any, epoch: int, offset: int) -> int:
    """remoteLogSegmentMetadata(epoch, offset): the id that serves `offset`, or NONE.

    Only the id with the highest start at or below `offset` is tried.
    """
    found = NONE
    for i in range(len(segment)):
        if not is_referenced(cache, epoch, i) or segment[i].lineage[epoch] > offset:
            continue
        if found == NONE or segment[i].lineage[epoch] > segment[found].lineage[epoch]:
            found = i
    if found == NONE:
        return NONE
    end = epoch_end(segment[found].lineage, epoch, segment[found].end_offset + 1)
    return found if offset < end else NONE


def highest_offset_for_epoch(cache: Any, epoch: int) -> int:
    """highestOffsetForEpoch: never lowered, by no deletion; NONE until a copy has finished."""
    return int(cache.epoch[epoch].highest_offset)


def is_referenced(cache: Any, epoch: int, id: int) -> bool:
    """`id` serves reads in the epoch (RemoteLogLeaderEpochState.offsetToId)."""
    return bool(cache.epoch[epoch].referenced >> id & 1)


def is_unreferenced(cache: Any, epoch: int, id: int) -> bool:
    """`id` is listed in the epoch and serves no reads (unreferencedSegmentIds)."""
    return bool(cache.epoch[epoch].unreferenced >> id & 1)


def is_listed(cache: Any, epoch: int, id: int) -> bool:
    """`id` is in listRemoteLogSegments(epoch)."""
    return is_referenced(cache, epoch, id) or is_unreferenced(cache, epoch, id)


def next_listed(cache: Any, segment: Any, epoch: int, id: int) -> int:
    """The id after `id` in the order of listRemoteLogSegments(epoch); from NONE, the first.

    By start in the epoch if all are referenced; else by the segment's start, referenced
    ids first. The order is the one of now: whoever walks a list in several steps, as a
    task does, keeps a list of its own.
    """
    found = NONE
    for i in range(len(segment)):
        if not is_listed(cache, epoch, i) or i == id:
            continue
        is_after = id == NONE or _comes_before(cache, segment, epoch, id, i)
        if is_after and (found == NONE or _comes_before(cache, segment, epoch, i, found)):
            found = i
    return found


def _comes_before(cache: Any, segment: Any, epoch: int, a: int, b: int) -> bool:
    """The order of listRemoteLogSegments(epoch)."""
    if cache.epoch[epoch].unreferenced != 0:
        if segment[a].start_offset != segment[b].start_offset:
            return bool(segment[a].start_offset < segment[b].start_offset)
        if is_referenced(cache, epoch, a) != is_referenced(cache, epoch, b):
            return is_referenced(cache, epoch, a)
        if not is_referenced(cache, epoch, a):
            return a < b
    return bool(segment[a].lineage[epoch] < segment[b].lineage[epoch])


def next_tracked(cache: Any, id: int) -> int:
    """The id after `id` in listRemoteLogSegments() of all epochs; from NONE, the first."""
    for i in range(id + 1, len(cache.state)):
        if cache.state[i] != CachedState.UNKNOWN:
            return i
    return NONE


# -- what the remote log manager asks


def find_highest_remote_offset(cache: Any, lineage: Any, log_end_offset: int) -> tuple[int, int]:
    """RemoteLogManager#findHighestRemoteOffset: (offset, epoch), or (NONE, NONE).

    From the latest leader back: the first that finished a segment, cut at the leader's end.
    """
    epoch = latest_epoch(lineage)
    while epoch != NONE:
        highest = highest_offset_for_epoch(cache, epoch)
        if highest != NONE:
            end_epoch, end_offset = end_offset_for(lineage, epoch, log_end_offset)
            if end_offset <= highest:
                return end_offset - 1, end_epoch
            return highest, epoch
        epoch = previous_epoch(lineage, epoch)
    return NONE, NONE


def find_log_start_offset(cache: Any, segment: Any, lineage: Any, otherwise: int) -> int:
    """RemoteLogManager#findLogStartOffset: the first segment listed in the earliest epoch.

    In whatever state; `otherwise` (the local log start) if no epoch lists any.
    """
    epoch = earliest_epoch(lineage)
    while epoch != NONE:
        first = next_listed(cache, segment, epoch, NONE)
        if first != NONE:
            return int(segment[first].start_offset)
        epoch = next_epoch(lineage, epoch)
    return otherwise
