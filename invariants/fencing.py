"""Zombies change nothing."""

from __future__ import annotations

from typing import Any

from tierproof.invariants.vocabulary import told_state
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.replica import is_leading
from tierproof.model.language import NONE, step_property


def worker_of(before: Any, after: Any, segment: int) -> int:
    """The broker whose thread took the step on this segment, or NONE if none did."""
    if before.segment[segment].attempt != after.segment[segment].attempt:
        return int(before.segment[segment].copier)
    for b in range(len(after.broker)):
        old, new = before.broker[b], after.broker[b]
        if old.run_step != new.run_step or old.planned_next != new.planned_next:
            return b
        if old.removal_step != new.removal_step or old.to_remove != new.to_remove:
            return b
    return NONE


def is_by_zombie(before: Any, after: Any, segment: int) -> bool:
    """The step on this segment was a thread's whose broker does not lead, or does not know it."""
    worker = worker_of(before, after, segment)
    return worker != NONE and not is_leading(before, worker)


@step_property(source="KIP-405: Fence")
def only_the_leader_publishes_copies(before: Any, after: Any) -> bool:
    """A segment begins to serve offsets only by the hand of the elected leader, in its epoch.

    Kafka believes that a zombie does no harm because it copies committed records only. It
    does not fence: no check stands between the copy and COPY_SEGMENT_FINISHED.
    """
    for n in range(before.metadata_end, after.metadata_end):
        record = after.metadata_topic[n]
        if (
            record.kind == SegmentState.COPY_SEGMENT_FINISHED
            and told_state(after, n, record.segment) == SegmentState.COPY_SEGMENT_STARTED
            and is_by_zombie(before, after, record.segment)
        ):
            return False
    return True


@step_property(source="KIP-405: Fence")
def only_the_leader_deletes(before: Any, after: Any) -> bool:
    """A segment that serves, or yet may, stops or loses its object only by the leader.

    In KRaft nothing but the order of each broker's own metadata stands between a late
    broker and the remote log; KIP-950 drops the tiered epoch for that reason. Suspended once
    the topic is deleted, and for a copier that cleans up after itself.
    """
    if before.is_topic_deleted:
        return True
    for n in range(before.metadata_end, after.metadata_end):
        record = after.metadata_topic[n]
        told = told_state(after, n, record.segment)
        serves = SegmentState.COPY_SEGMENT_STARTED <= told <= SegmentState.COPY_SEGMENT_FINISHED
        if (
            record.kind == SegmentState.DELETE_SEGMENT_STARTED
            and serves
            and is_by_another_zombie(before, after, record.segment)
        ):
            return False
    for i in range(len(after.segment)):
        if before.segment[i].object_exists and not after.segment[i].object_exists:
            told = told_state(before, before.metadata_end, i)
            if told == SegmentState.COPY_SEGMENT_FINISHED and is_by_zombie(before, after, i):
                return False
    return True


def is_by_another_zombie(before: Any, after: Any, segment: int) -> bool:
    """As `is_by_zombie`, but for a thread that cleans up the copy that it never finished."""
    cleans_up = before.segment[segment].attempt != after.segment[segment].attempt
    told = told_state(before, before.metadata_end, segment)
    is_own = cleans_up and told == SegmentState.COPY_SEGMENT_STARTED
    return is_by_zombie(before, after, segment) and not is_own
