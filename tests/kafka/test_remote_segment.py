"""The life of a remote segment, against the recorded table of RemoteLogSegmentState."""

from itertools import product

import pytest

from tierproof.model.kafka.remote_segment import SEGMENT, SegmentState

LEGAL = {
    (SegmentState.ABSENT, SegmentState.COPY_SEGMENT_STARTED),
    (SegmentState.COPY_SEGMENT_STARTED, SegmentState.COPY_SEGMENT_FINISHED),
    (SegmentState.COPY_SEGMENT_STARTED, SegmentState.DELETE_SEGMENT_STARTED),
    (SegmentState.COPY_SEGMENT_FINISHED, SegmentState.DELETE_SEGMENT_STARTED),
    (SegmentState.DELETE_SEGMENT_STARTED, SegmentState.DELETE_SEGMENT_FINISHED),
}


@pytest.mark.parametrize(("source", "target"), list(product(SegmentState, repeat=2)))
def test_the_recorded_transitions_are_the_legal_ones(source, target):
    assert SEGMENT.allows(source, target) == (source == target or (source, target) in LEGAL)
