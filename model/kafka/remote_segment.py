"""The life of a remote log segment: RemoteLogSegmentState, and which changes of it are legal.

What a record of it does to a broker's cache is in `remote_metadata_cache`.
"""

from __future__ import annotations

from enum import IntEnum

from tierproof.model.language.lifecycle import Lifecycle, Triple


class SegmentState(IntEnum):
    """RemoteLogSegmentState; ABSENT is Kafka's null.

    By the metadata topic an id is ABSENT while no record of it was published; by a broker's
    cache, while the broker knows nothing of it.
    """

    ABSENT = 0
    COPY_SEGMENT_STARTED = 1
    COPY_SEGMENT_FINISHED = 2
    DELETE_SEGMENT_STARTED = 3
    DELETE_SEGMENT_FINISHED = 4


_RECORDS: tuple[Triple, ...] = (
    ("start_copy", SegmentState.ABSENT, SegmentState.COPY_SEGMENT_STARTED),
    ("finish_copy", SegmentState.COPY_SEGMENT_STARTED, SegmentState.COPY_SEGMENT_FINISHED),
    (
        "start_delete",
        (SegmentState.COPY_SEGMENT_STARTED, SegmentState.COPY_SEGMENT_FINISHED),
        SegmentState.DELETE_SEGMENT_STARTED,
    ),
    ("finish_delete", SegmentState.DELETE_SEGMENT_STARTED, SegmentState.DELETE_SEGMENT_FINISHED),
)
"""RemoteLogSegmentState#isValidTransition: what a record of the metadata topic may change."""

_CACHE: tuple[Triple, ...] = (
    ("cache_removes_deleted", SegmentState.DELETE_SEGMENT_STARTED, SegmentState.ABSENT),
    (
        "cache_is_dropped",
        (
            SegmentState.COPY_SEGMENT_STARTED,
            SegmentState.COPY_SEGMENT_FINISHED,
            SegmentState.DELETE_SEGMENT_STARTED,
        ),
        SegmentState.ABSENT,
    ),
    *(
        ("cache_reads_self_contained_update", SegmentState.ABSENT, target)
        for target in (SegmentState.COPY_SEGMENT_FINISHED, SegmentState.DELETE_SEGMENT_STARTED)
    ),
)
"""What a broker's cache does besides: it removes an id whose DELETE_SEGMENT_FINISHED it reads,
and is dropped with the process or the replica. A repair of KIP-1266 has updates say everything
about a segment, so that a cache adds an id by its first update, whichever that is."""

SEGMENT = Lifecycle(
    SegmentState,
    (*_RECORDS, *_CACHE),
    source="RemoteLogSegmentState#isValidTransition; RemoteLogMetadataCache, which lives in memory",
)
"""What the records of the metadata topic say of an id, and what one cache knows of it."""

_TRIGGERS = {trigger for trigger, _, _ in _RECORDS}
_VALID = {(edge.source, edge.target) for edge in SEGMENT.edges if edge.trigger in _TRIGGERS}
_IS_VALID = tuple(
    tuple(source == target or (source, target) in _VALID for target in SegmentState)
    for source in SegmentState
)


def is_valid_transition(source: int, target: int) -> bool:
    """RemoteLogSegmentState#isValidTransition to the target of a record; staying is valid."""
    return _IS_VALID[source][target]
