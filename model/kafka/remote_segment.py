"""The life of a remote log segment: RemoteLogSegmentState, and which changes of it are legal.

What a record of it does to a broker's cache is in `remote_metadata_cache`.
"""

from __future__ import annotations

from enum import IntEnum

from tierproof.model.language import Lifecycle


class SegmentState(IntEnum):
    """RemoteLogSegmentState; ABSENT is Kafka's null.

    By the metadata topic an id is ABSENT while no record of it was published; by a broker's
    cache, while the broker knows nothing of it. UNKNOWN is another name for the latter.
    """

    ABSENT = 0
    COPY_SEGMENT_STARTED = 1
    COPY_SEGMENT_FINISHED = 2
    DELETE_SEGMENT_STARTED = 3
    DELETE_SEGMENT_FINISHED = 4
    UNKNOWN = 0


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
        ("cache_removes_deleted", SegmentState.DELETE_SEGMENT_STARTED, SegmentState.ABSENT),
        (
            "cache_is_dropped",
            [
                SegmentState.COPY_SEGMENT_STARTED,
                SegmentState.COPY_SEGMENT_FINISHED,
                SegmentState.DELETE_SEGMENT_STARTED,
            ],
            SegmentState.ABSENT,
        ),
    ],
    source="RemoteLogSegmentState#isValidTransition; a broker's cache, which lives in memory",
)
"""What the records of the metadata topic say of an id, and what one cache knows of it.

A cache removes an id whose DELETE_SEGMENT_FINISHED it reads, and is dropped with the process
or the replica. No record has ABSENT as its target.
"""

_IS_VALID = tuple(
    tuple(SEGMENT.allows(source, target) for target in SegmentState) for source in SegmentState
)


def is_valid_transition(source: int, target: int) -> bool:
    """RemoteLogSegmentState#isValidTransition to the target of a record; staying is valid."""
    return _IS_VALID[source][target]
