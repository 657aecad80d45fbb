"""Zombies change nothing."""

from __future__ import annotations

from typing import Any

from model.kafka.replica import is_leading
from model.language import NONE, step_property


def worker_of(before: Any, after: Any, segment: int) -> int:
    """The broker whose thread took the step on this segment, or NONE if none did."""
    if before.segment[segment].copy_step != after.segment[segment].copy_step:
        return int(before.segment[segment].copier)
    for b in range(len(after.broker)):
        old, new = before.broker[b], after.broker[b]
        if old.delete_step != new.delete_step or old.delete_next != new.delete_next:
            return b
        if old.publisher != new.publisher:
            return b
    return NONE


@step_property(source="KIP-405: Fence")
def only_the_leader_publishes_copies(before: Any, after: Any) -> bool:
    """A segment begins to serve an offset only by the hand of the elected leader, in its epoch.

    Kafka believes that a zombie does no harm because it copies committed records only. It
    does not fence: no check stands between the copy and COPY_SEGMENT_FINISHED.
    """
    for offset in range(len(after.serving)):
        segment = after.serving[offset]
        if segment != NONE and segment != before.serving[offset]:
            worker = worker_of(before, after, segment)
            if worker != NONE and not is_leading(before, worker):
                return False
    return True


@step_property(source="KIP-405: Fence")
def only_the_leader_deletes(before: Any, after: Any) -> bool:
    """A segment stops to serve an offset, or loses its object while it serves, only by the leader.

    In KRaft nothing but the order of each broker's own metadata stands between a late
    broker and the remote log; KIP-950 drops the tiered epoch for that reason.
    """
    for offset in range(len(after.serving)):
        segment = before.serving[offset]
        if segment != NONE:
            hidden = after.serving[offset] == NONE
            gone = (
                before.segment[segment].object_exists and not after.segment[segment].object_exists
            )
            if hidden or gone:
                worker = worker_of(before, after, segment)
                if worker != NONE and not is_leading(before, worker):
                    return False
    return True
