"""Metadata and objects of the remote tier agree, and so do the brokers' caches of it."""

from __future__ import annotations

from tierproof.invariants.fields import Partition
from tierproof.invariants.vocabulary import (
    has_finished_objects_only,
    is_legal,
    is_listed_somewhere,
    is_quiet,
    is_told_after,
    serving_id,
    told_state,
)
from tierproof.model.kafka.expiration_task import is_counted, is_planned, surplus_bytes
from tierproof.model.kafka.leader_epoch_lineage import earliest_epoch
from tierproof.model.kafka.local_segments import (
    bytes_between,
    first_base,
    floor_base,
    only_local_bytes,
)
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.replica import is_leading
from tierproof.model.language import NONE, Step, invariant, step_property


@invariant(source="KIP-405: RefInt")
def served_segment_has_its_object(state: Partition) -> bool:
    """An id that a cache has as finished has its object, unless its deletion is published.

    Kafka publishes the deletion first and deletes the object after; the broker has not read
    it yet. Checked for all finished ids, whether or not they serve reads.
    """
    deletion = SegmentState.DELETE_SEGMENT_STARTED
    return all(
        state.segment[i].object_exists
        or broker.cache.state[i] != SegmentState.COPY_SEGMENT_FINISHED
        or is_told_after(state, broker.metadata_position, i, deletion)
        for broker in state.broker
        for i in range(len(state.segment))
    )


@step_property(source="KIP-405: MetaFirst")
def metadata_comes_before_objects(before: Partition, after: Partition) -> bool:
    """An object is stored after COPY_SEGMENT_STARTED and deleted after DELETE_SEGMENT_STARTED."""
    for i in range(len(after.segment)):
        had, has = before.segment[i].object_exists, after.segment[i].object_exists
        if had == has:
            continue
        due = SegmentState.COPY_SEGMENT_STARTED if has else SegmentState.DELETE_SEGMENT_STARTED
        if not is_told_after(before, 0, i, due):
            return False
    return True


@step_property(source="KIP-405: StateMachine")
def metadata_records_are_legal_transitions(before: Partition, after: Partition) -> bool:
    """A record appended to the metadata topic is a legal transition of what the topic says.

    The transitions are those of RemoteLogSegmentState; a deletion may start twice. Every cache
    drops a record that is not legal, and its publisher does not learn of that.
    """
    topic = after.metadata_topic
    return all(
        is_legal(told_state(after, n, topic[n].segment), topic[n].kind)
        for n in range(before.metadata_end, after.metadata_end)
    )


@step_property(source="KIP-405: UniqueId")
def id_is_used_for_one_attempt(before: Partition, after: Partition) -> bool:
    """An id stands for one attempt to copy: its segment never changes, nor is it stored again.

    Kafka draws a random Uuid for every attempt.
    """
    for i in range(len(after.segment)):
        old, new = before.segment[i], after.segment[i]
        if earliest_epoch(old.lineage) == NONE:
            continue
        if old.start_offset != new.start_offset or old.end_offset != new.end_offset:
            return False
        if old.bytes != new.bytes or old.lineage != new.lineage:
            return False
        is_stored = new.object_exists and not old.object_exists
        if is_stored and is_told_after(before, 0, i, SegmentState.COPY_SEGMENT_FINISHED):
            return False
    for n in range(before.metadata_end, after.metadata_end):
        record = after.metadata_topic[n]
        if record.kind == SegmentState.COPY_SEGMENT_STARTED and is_told_after(
            before, 0, record.segment, SegmentState.COPY_SEGMENT_STARTED
        ):
            return False
    return True


@invariant(source="KIP-405: NoOrphan")
def every_object_is_tracked(state: Partition) -> bool:
    """The metadata topic knows of every object, and caches that have read all of it list it.

    No expiration task finds an id that is listed for no epoch.
    """
    for i in range(len(state.segment)):
        if not state.segment[i].object_exists:
            continue
        told = told_state(state, state.metadata_end, i)
        if told in (SegmentState.ABSENT, SegmentState.DELETE_SEGMENT_FINISHED):
            return False
        for broker in state.broker:
            has_read_all = broker.metadata_position == state.metadata_end
            is_asked = broker.is_metadata_assigned and has_read_all
            if is_asked and not is_listed_somewhere(broker.cache, i):
                return False
    return True


@invariant(source="KIP-405: NoOrphan, at quiescence", premise=is_quiet)
def quiet_store_holds_finished_segments_only(state: Partition) -> bool:
    """When nothing is left to do, every object belongs to a finished segment.

    Safety form of a liveness property: quiet means that no task or thread will touch the
    object, short of retention that has not passed yet.
    """
    return has_finished_objects_only(state)


@invariant(source="KIP-405: CacheDet")
def caches_follow_from_positions(state: Partition) -> bool:
    """Brokers that have read equally far of the metadata topic know the same."""
    for a in range(len(state.broker)):
        for b in range(a + 1, len(state.broker)):
            one, other = state.broker[a], state.broker[b]
            answer = one.cache.is_initialized and other.cache.is_initialized
            is_equally_far = one.metadata_position == other.metadata_position
            if answer and is_equally_far and one.cache != other.cache:
                return False
    return True


@invariant(source="KIP-405: CacheDet, queries")
def cache_answers_only_when_filled(state: Partition) -> bool:
    """A cache is initialized only once it has what was in the topic at its assignment."""
    return all(
        broker.metadata_position >= broker.metadata_assigned_end
        for broker in state.broker
        if broker.cache.is_initialized
    )


@step_property(source="KIP-405: SizeRight")
def retention_counts_each_offset_once(before: Partition, after: Partition, step: Step) -> bool:
    """What a leader counts for retention by size is the size of the offsets that it serves.

    Checked when a run of its expiration task plans. Kafka adds finished segments of the
    leader's lineage to the local ones that begin at or after the highest remote offset.
    A segment that the log start lies in counts in full.
    """
    if step.action != "expiration_task_plans_retention" or not is_leading(before, step.broker):
        return True
    leader = after.broker[step.broker]
    most = leader.settings.retention_bytes
    counted = surplus_bytes(leader, after.segment, only_local_bytes(leader))
    return most < 0 or counted == max(held_bytes(after, step.broker) - most, 0)


@step_property(source="KIP-405: SizeRight, of what a run leaves")
def run_deletes_what_exceeds_the_limit(before: Partition, after: Partition, step: Step) -> bool:
    """A plan goes on until the oldest segment left fits into retention.bytes.

    Checked when a run of a leader's expiration task plans, by Kafka's own sum. Kafka believes
    it because each segment that is planned lowers the excess once (KAFKA-15479). Suspended
    for a segment that the broker is copying.
    """
    if step.action != "expiration_task_plans_retention" or not is_leading(before, step.broker):
        return True
    leader = after.broker[step.broker]
    left = surplus_bytes(leader, after.segment, only_local_bytes(leader))
    oldest = NONE
    for i in range(len(after.segment)):
        if not is_counted(leader, after.segment, i) or i in leader.copying:
            continue
        if is_planned(leader, i):
            left -= after.segment[i].bytes
        elif oldest == NONE or after.segment[i].start_offset < after.segment[oldest].start_offset:
            oldest = i
    return oldest == NONE or left < after.segment[oldest].bytes


def held_bytes(state: Partition, broker: int) -> int:
    """The size of the offsets that this broker serves, each counted once, to its log end."""
    replica = state.broker[broker]
    log_start = replica.log_start_offset
    local = max(replica.local_log_start_offset, first_base(replica))
    low = min(max(log_start, local), replica.log_end_offset)
    total = bytes_between(replica.records, low, replica.log_end_offset)
    if log_start >= local:
        return total + bytes_between(replica.records, floor_base(replica, log_start), low)
    first_id = serving_id(state, broker, log_start) if log_start < low else NONE
    if first_id != NONE:
        total += bytes_between(state.committed, state.segment[first_id].start_offset, log_start)
    return total + sum(
        state.committed[offset].bytes
        for offset in range(log_start, low)
        if serving_id(state, broker, offset) != NONE
    )
