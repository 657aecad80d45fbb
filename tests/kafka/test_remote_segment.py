"""The life of a remote segment, against the recorded table of RemoteLogSegmentState."""

from itertools import product

import pytest

from tierproof.model.kafka.remote_segment import (
    SEGMENT,
    SegmentState,
    is_valid_transition,
)

LEGAL = {
    (SegmentState.ABSENT, SegmentState.COPY_SEGMENT_STARTED),
    (SegmentState.COPY_SEGMENT_STARTED, SegmentState.COPY_SEGMENT_FINISHED),
    (SegmentState.COPY_SEGMENT_STARTED, SegmentState.DELETE_SEGMENT_STARTED),
    (SegmentState.COPY_SEGMENT_FINISHED, SegmentState.DELETE_SEGMENT_STARTED),
    (SegmentState.DELETE_SEGMENT_STARTED, SegmentState.DELETE_SEGMENT_FINISHED),
}


@pytest.mark.parametrize(("source", "target"), list(product(SegmentState, list(SegmentState)[1:])))
def test_the_recorded_transitions_are_the_legal_ones(source, target):
    assert is_valid_transition(source, target) == (source == target or (source, target) in LEGAL)


@pytest.mark.parametrize("source", SegmentState)
def test_a_cache_forgets_what_it_can_know(source):
    is_known = SegmentState.ABSENT < source < SegmentState.DELETE_SEGMENT_FINISHED
    assert ((source, SegmentState.ABSENT) in SEGMENT.legal) == is_known
