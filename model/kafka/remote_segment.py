"""The life of a remote log segment: RemoteLogSegmentState.

What a record of it does to a broker's cache, `tierproof.model.kafka.remote_metadata_cache` says.
"""

from __future__ import annotations

from enum import IntEnum

from tierproof.model.language import Lifecycle


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
