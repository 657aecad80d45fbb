"""Metadata and objects of the remote tier agree.

The life of one id is a Lifecycle (`model.kafka.remote_segment.SEGMENT`) and checked as a
law. Not checked here: that an id is used for one attempt, which holds by construction.
"""

from __future__ import annotations

from typing import Any

from invariants.vocabulary import is_quiet
from model.kafka.remote_segment import SegmentState, is_tracked
from model.language import NONE, invariant, step_property


@invariant(source="KIP-405: RefInt")
def served_segment_has_its_object(state: Any) -> bool:
    """An id that a lookup returns is finished and its object exists.

    Kafka deletes metadata first and the object after. Not checked: caches that lag.
    """
    for offset in range(len(state.serving)):
        segment = state.serving[offset]
        if segment != NONE:
            it = state.segment[segment]
            if it.state != SegmentState.COPY_SEGMENT_FINISHED or not it.object_exists:
                return False
    return True


@step_property(source="KIP-405: MetaFirst")
def metadata_comes_before_objects(before: Any, after: Any) -> bool:
    """An object is stored after COPY_SEGMENT_STARTED and deleted after DELETE_SEGMENT_STARTED."""
    for i in range(len(after.segment)):
        had, has = before.segment[i].object_exists, after.segment[i].object_exists
        if has and not had and before.segment[i].state == SegmentState.ABSENT:
            return False
        if had and not has and before.segment[i].state < SegmentState.DELETE_SEGMENT_STARTED:
            return False
    return True


@invariant(source="KIP-405: NoOrphan")
def every_object_is_tracked(state: Any) -> bool:
    """An object that exists is known to the metadata cache and listed for some epoch.

    What is listed for no epoch is found by no expiration task.
    """
    for i in range(len(state.segment)):
        it = state.segment[i]
        if it.object_exists and not (is_tracked(it) and it.is_listed):
            return False
    return True


@invariant(source="KIP-405: NoOrphan, at quiescence", premise=is_quiet)
def quiet_store_holds_finished_segments_only(state: Any) -> bool:
    """When nothing is left to do, every object belongs to a finished segment.

    Safety form of a liveness property: quiet means that no task or thread will touch the
    object, short of retention that has not passed yet.
    """
    for i in range(len(state.segment)):
        it = state.segment[i]
        if it.object_exists and it.state != SegmentState.COPY_SEGMENT_FINISHED:
            return False
    return True
