"""The life of a remote log segment, and what a metadata record does to the metadata cache.

RemoteLogSegmentState, RemoteLogMetadataCache and RemoteLogLeaderEpochState, for a log
whose committed records form one lineage. `state` is duck-typed: `segment[i]` has
`offset`, `state` and `is_listed`; `serving[o]` is the id that a lookup of o returns;
`highest_finished_offset` survives deletion, as highestOffsetForEpoch does.
Left out: leader epochs of segments, consumers of the metadata topic that lag.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from model.language import NONE, Lifecycle


class SegmentState(IntEnum):
    """RemoteLogSegmentState; ABSENT is Kafka's null: nothing was published for the id."""

    ABSENT = 0
    COPY_SEGMENT_STARTED = 1
    COPY_SEGMENT_FINISHED = 2
    DELETE_SEGMENT_STARTED = 3
    DELETE_SEGMENT_FINISHED = 4


SEGMENT = Lifecycle(
    SegmentState,
    [
        ("start_copy", SegmentState.ABSENT, SegmentState.COPY_SEGMENT_STARTED),
        ("finish_copy", SegmentState.COPY_SEGMENT_STARTED, SegmentState.COPY_SEGMENT_FINISHED),
        (
            "start_delete",
            [SegmentState.COPY_SEGMENT_STARTED, SegmentState.COPY_SEGMENT_FINISHED],
            SegmentState.DELETE_SEGMENT_STARTED,
        ),
        (
            "finish_delete",
            SegmentState.DELETE_SEGMENT_STARTED,
            SegmentState.DELETE_SEGMENT_FINISHED,
        ),
    ],
    source="RemoteLogSegmentState#isValidTransition",
)


def is_tracked(segment: Any) -> bool:
    """True if the cache still knows the id (RemoteLogMetadataCache.idToMeta)."""
    return bool(
        segment.state != SegmentState.ABSENT
        and segment.state != SegmentState.DELETE_SEGMENT_FINISHED
    )


def accept_copy_started(state: Any, segment: int) -> None:
    """addCopyInProgressSegment: the id is listed as unreferenced."""
    state.segment[segment].state = SegmentState.COPY_SEGMENT_STARTED
    state.segment[segment].is_listed = True


def accept_copy_finished(state: Any, segment: int) -> None:
    """updateRemoteLogSegmentMetadata: the id serves its offset; dropped unless the copy is open.

    An id that served the offset before stays listed as unreferenced only if no higher
    offset was ever finished; otherwise it is overwritten silently and listed nowhere.
    """
    if state.segment[segment].state != SegmentState.COPY_SEGMENT_STARTED:
        return
    offset = state.segment[segment].offset
    before = state.serving[offset]
    if before != NONE and state.highest_finished_offset > offset:
        state.segment[before].is_listed = False
    state.segment[segment].state = SegmentState.COPY_SEGMENT_FINISHED
    state.serving[offset] = segment
    state.highest_finished_offset = max(state.highest_finished_offset, offset)


def accept_delete_started(state: Any, segment: int) -> None:
    """updateRemoteLogSegmentMetadata: the id is unreferenced again and serves nothing."""
    if not is_tracked(state.segment[segment]):
        return
    if state.serving[state.segment[segment].offset] == segment:
        state.serving[state.segment[segment].offset] = NONE
    state.segment[segment].state = SegmentState.DELETE_SEGMENT_STARTED
    state.segment[segment].is_listed = True


def accept_delete_finished(state: Any, segment: int) -> None:
    """updateRemoteLogSegmentMetadata: the id is forgotten; dropped unless a delete is open."""
    if state.segment[segment].state == SegmentState.DELETE_SEGMENT_STARTED:
        state.segment[segment].state = SegmentState.DELETE_SEGMENT_FINISHED
        state.segment[segment].is_listed = False


def lowest_listed_offset(state: Any, otherwise: int) -> int:
    """RemoteLogManager#findLogStartOffset: the first listed segment, whatever its state."""
    lowest = NONE
    for i in range(len(state.segment)):
        if state.segment[i].is_listed and (lowest == NONE or state.segment[i].offset < lowest):
            lowest = state.segment[i].offset
    return int(otherwise if lowest == NONE else lowest)
