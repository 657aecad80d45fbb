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

from collections.abc import Sequence
from enum import IntEnum
from typing import Annotated

from tierproof.model.kafka.fields import Segment
from tierproof.model.kafka.leader_epoch_lineage import (
    earliest_epoch,
    end_offset_for,
    epoch_end,
    latest_epoch,
    next_epoch,
    previous_epoch,
)
from tierproof.model.kafka.remote_segment import SegmentState, is_valid_transition
from tierproof.model.kafka.scope import Lineage, Offset, OptionalOffset, SegmentIds, TieredScope
from tierproof.model.language import NONE, Array, Record


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
    state: Annotated[list[SegmentState], Array(TieredScope.segment_ids)]
    epoch: Annotated[list[EpochState], Array(TieredScope.leader_epochs)]


# -- records of the metadata topic


def apply_record(
    cache: MetadataCache, segment: Sequence[Segment], id: int, target: int
) -> CacheOutcome:
    """A record of the metadata topic: COPY_SEGMENT_STARTED adds, all others update."""
    if target == SegmentState.COPY_SEGMENT_STARTED:
        return add(cache, segment, id, target)
    return update(cache, segment, id, target)


def add(cache: MetadataCache, segment: Sequence[Segment], id: int, state: int) -> CacheOutcome:
    """addCopyInProgressSegment: `id` is listed, unreferenced, in the epochs of its lineage.

    `state` is the one in the record: anything but COPY_SEGMENT_STARTED is refused. A second
    addition changes nothing, and one that comes too late is dropped.
    """
    if state != SegmentState.COPY_SEGMENT_STARTED:
        return CacheOutcome.ILLEGAL_ARGUMENT
    if cache.state[id] > SegmentState.COPY_SEGMENT_STARTED:
        return CacheOutcome.DROPPED
    for e in range(len(cache.epoch)):
        if segment[id].lineage[e] != NONE:
            cache.epoch[e].unreferenced.add(id)
    cache.state[id] = SegmentState.COPY_SEGMENT_STARTED
    return CacheOutcome.APPLIED


def update(cache: MetadataCache, segment: Sequence[Segment], id: int, target: int) -> CacheOutcome:
    """updateRemoteLogSegmentMetadata: the state of `id` becomes `target` (a SegmentState).

    An illegal transition is dropped silently, a legal one to COPY_SEGMENT_STARTED refused.
    """
    if cache.state[id] == SegmentState.ABSENT:
        return CacheOutcome.RESOURCE_NOT_FOUND if cache.is_initialized else CacheOutcome.DROPPED
    if not is_valid_transition(cache.state[id], target):
        return CacheOutcome.DROPPED
    if target == SegmentState.COPY_SEGMENT_FINISHED:
        finish_copy(cache, segment, id)
    elif target == SegmentState.DELETE_SEGMENT_STARTED:
        _start_delete(cache, segment, id)
    elif target == SegmentState.DELETE_SEGMENT_FINISHED:
        _finish_delete(cache, id)
    else:
        return CacheOutcome.ILLEGAL_ARGUMENT
    return CacheOutcome.APPLIED


def finish_copy(cache: MetadataCache, segment: Sequence[Segment], id: int) -> None:
    """`id` serves reads; in each of its epochs it may replace others."""
    lineage = segment[id].lineage
    for e in range(len(cache.epoch)):
        if lineage[e] == NONE:
            continue
        epoch, last = cache.epoch[e], epoch_end(lineage, e, segment[id].end_offset + 1) - 1
        replace_others(epoch, segment, e, lineage[e], last)
        epoch.referenced.add(id)
        epoch.unreferenced.discard(id)
        epoch.highest_offset = max(epoch.highest_offset, last)
    cache.state[id] = SegmentState.COPY_SEGMENT_FINISHED


def replace_others(
    state: EpochState, segment: Sequence[Segment], epoch: int, start_offset: int, last_offset: int
) -> None:
    """RemoteLogLeaderEpochState#handleSegmentWithCopySegmentFinishedState, for the other ids.

    If no finished segment ever ended after the new one, ids that start in it or later become
    unreferenced. Else only an id with the very same start is removed, and is listed nowhere.
    """
    for i in range(len(segment)):
        if i not in state.referenced:
            continue
        if state.highest_offset <= last_offset and segment[i].lineage[epoch] >= start_offset:
            state.referenced.discard(i)
            state.unreferenced.add(i)
        elif segment[i].lineage[epoch] == start_offset:
            state.referenced.discard(i)


def _start_delete(cache: MetadataCache, segment: Sequence[Segment], id: int) -> None:
    """`id` no longer serves reads and is listed, also where another id had replaced it."""
    for e in range(len(cache.epoch)):
        if segment[id].lineage[e] != NONE:
            cache.epoch[e].referenced.discard(id)
            cache.epoch[e].unreferenced.add(id)
    cache.state[id] = SegmentState.DELETE_SEGMENT_STARTED


def _finish_delete(cache: MetadataCache, id: int) -> None:
    """The cache removes `id`; the highest offsets stay."""
    for e in range(len(cache.epoch)):
        cache.epoch[e].unreferenced.discard(id)
    cache.state[id] = SegmentState.ABSENT


def forget_all(cache: MetadataCache) -> None:
    """The cache of a partition is dropped: it knows no id, and is not initialized."""
    cache.is_initialized = False
    for i in range(len(cache.state)):
        cache.state[i] = SegmentState.ABSENT
    for e in range(len(cache.epoch)):
        cache.epoch[e].referenced = set()
        cache.epoch[e].unreferenced = set()
        cache.epoch[e].highest_offset = NONE


def forget_segment(cache: MetadataCache, id: int) -> None:
    """Remove one id; the highest offsets stay. No part of Kafka: only repairs use it."""
    for e in range(len(cache.epoch)):
        cache.epoch[e].referenced.discard(id)
        cache.epoch[e].unreferenced.discard(id)
    cache.state[id] = SegmentState.ABSENT


# -- queries: an id, or NONE


def lookup(cache: MetadataCache, segment: Sequence[Segment], epoch: int, offset: int) -> int:
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


def highest_offset_for_epoch(cache: MetadataCache, epoch: int) -> int:
    """highestOffsetForEpoch: never lowered, by no deletion; NONE until a copy has finished."""
    return cache.epoch[epoch].highest_offset


def is_referenced(cache: MetadataCache, epoch: int, id: int) -> bool:
    """`id` serves reads in the epoch (RemoteLogLeaderEpochState.offsetToId)."""
    return id in cache.epoch[epoch].referenced


def is_unreferenced(cache: MetadataCache, epoch: int, id: int) -> bool:
    """`id` is listed in the epoch and serves no reads (unreferencedSegmentIds)."""
    return id in cache.epoch[epoch].unreferenced


def is_listed(cache: MetadataCache, epoch: int, id: int) -> bool:
    """`id` is in listRemoteLogSegments(epoch)."""
    return is_referenced(cache, epoch, id) or is_unreferenced(cache, epoch, id)


def next_listed(cache: MetadataCache, segment: Sequence[Segment], epoch: int, id: int) -> int:
    """The id after `id` in the order of listRemoteLogSegments(epoch); from NONE, the first.

    By start in the epoch if all are referenced; else by the segment's start, referenced
    ids first. The order is that of the current state: a task that walks the list in several
    steps keeps a list of its own.
    """
    found = NONE
    for i in range(len(segment)):
        if not is_listed(cache, epoch, i) or i == id:
            continue
        is_after = id == NONE or _comes_before(cache, segment, epoch, id, i)
        if is_after and (found == NONE or _comes_before(cache, segment, epoch, i, found)):
            found = i
    return found


def _comes_before(
    cache: MetadataCache, segment: Sequence[Segment], epoch: int, a: int, b: int
) -> bool:
    """The order of listRemoteLogSegments(epoch)."""
    if cache.epoch[epoch].unreferenced:
        if segment[a].start_offset != segment[b].start_offset:
            return segment[a].start_offset < segment[b].start_offset
        if is_referenced(cache, epoch, a) != is_referenced(cache, epoch, b):
            return is_referenced(cache, epoch, a)
        if not is_referenced(cache, epoch, a):
            return a < b
    return segment[a].lineage[epoch] < segment[b].lineage[epoch]


def next_tracked(cache: MetadataCache, id: int) -> int:
    """The id after `id` in listRemoteLogSegments() of all epochs; from NONE, the first."""
    for i in range(id + 1, len(cache.state)):
        if cache.state[i] != SegmentState.ABSENT:
            return i
    return NONE


# -- what the remote log manager asks


def find_highest_remote_offset(
    cache: MetadataCache, lineage: Lineage, log_end_offset: int
) -> tuple[int, int]:
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


def find_log_start_offset(
    cache: MetadataCache, segment: Sequence[Segment], lineage: Lineage, otherwise: int
) -> int:
    """RemoteLogManager#findLogStartOffset: the first segment listed in the earliest epoch.

    Its state does not matter; `otherwise` (the local log start) if no epoch lists any.
    """
    epoch = earliest_epoch(lineage)
    while epoch != NONE:
        first = next_listed(cache, segment, epoch, NONE)
        if first != NONE:
            return segment[first].start_offset
        epoch = next_epoch(lineage, epoch)
    return otherwise
