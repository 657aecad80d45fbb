"""Zombies change nothing."""

from __future__ import annotations

from tierproof.invariants.fields import Partition
from tierproof.invariants.vocabulary import told_state
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.replica import is_leading
from tierproof.model.language import NONE, Step, step_property


@step_property(source="KIP-405: Fence")
def only_the_leader_publishes_copies(before: Partition, after: Partition, step: Step) -> bool:
    """Only the elected leader, in its epoch, makes a segment serve reads.

    Kafka believes that a zombie does no harm because it copies committed records only. It
    does not fence: no check stands between the copy and COPY_SEGMENT_FINISHED.
    """
    if step.action != "copy_publishes_finished":
        return True
    told = told_state(before, before.metadata_end, step.segment)
    is_leader = is_leading(before, before.segment[step.segment].copier)
    return is_leader or told != SegmentState.COPY_SEGMENT_STARTED


@step_property(source="KIP-405: Fence")
def only_the_leader_deletes(before: Partition, after: Partition, step: Step) -> bool:
    """Only the elected leader deletes a segment that serves reads, or may come to serve them.

    In KRaft only the order of each broker's own metadata keeps a late broker from the remote
    log; KIP-950 drops the tiered epoch for that reason. Suspended once the topic is deleted,
    and for a copier that cleans up the copy that it never finished.
    """
    worker = step.broker
    if worker == NONE and step.segment != NONE:
        worker = before.segment[step.segment].copier
    if before.is_topic_deleted or worker == NONE or is_leading(before, worker):
        return True
    for n in range(before.metadata_end, after.metadata_end):
        record = after.metadata_topic[n]
        told = told_state(after, n, record.segment)
        is_own = step.action == "copy_publishes_delete_started" and (
            told == SegmentState.COPY_SEGMENT_STARTED
        )
        serves = told in (SegmentState.COPY_SEGMENT_STARTED, SegmentState.COPY_SEGMENT_FINISHED)
        if record.kind == SegmentState.DELETE_SEGMENT_STARTED and serves and not is_own:
            return False
    return all(
        after.segment[i].object_exists
        or not before.segment[i].object_exists
        or told_state(before, before.metadata_end, i) != SegmentState.COPY_SEGMENT_FINISHED
        for i in range(len(after.segment))
    )
