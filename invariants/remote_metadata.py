"""Metadata and objects of the remote tier agree, and so do the brokers' caches of it."""

from __future__ import annotations

from typing import Any

from tierproof.invariants.vocabulary import (
    IDLE,
    finished_ids,
    is_legal,
    is_listed_somewhere,
    is_quiet,
    is_told_after,
    know_the_same,
    serving_id,
    told_state,
)
from tierproof.model.kafka.expiration_task import surplus_bytes
from tierproof.model.kafka.leader_epoch_lineage import earliest_epoch
from tierproof.model.kafka.local_segments import (
    bytes_between,
    first_base,
    floor_base,
    only_local_bytes,
)
from tierproof.model.kafka.remote_metadata_cache import CachedState
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.replica import is_leading
from tierproof.model.language import NONE, invariant, step_property


@invariant(source="KIP-405: RefInt")
def served_segment_has_its_object(state: Any) -> bool:
    """An id that a cache takes for finished has its object, unless its deletion is told already.

    Told means published and not read by that broker yet. Kafka publishes the deletion first
    and deletes the object after. Checked for all finished ids, whether or not they serve.
    """
    for b in range(len(state.broker)):
        me = state.broker[b]
        for i in range(len(state.segment)):
            if me.cache.state[i] == CachedState.COPY_SEGMENT_FINISHED and (
                not state.segment[i].object_exists
                and not is_told_after(
                    state, me.metadata_position, i, SegmentState.DELETE_SEGMENT_STARTED
                )
            ):
                return False
    return True


@step_property(source="KIP-405: MetaFirst")
def metadata_comes_before_objects(before: Any, after: Any) -> bool:
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
def metadata_records_are_legal_transitions(before: Any, after: Any) -> bool:
    """A record appended to the metadata topic is a legal transition of what the topic says.

    None to COPY_SEGMENT_STARTED, to COPY_SEGMENT_FINISHED or DELETE_SEGMENT_STARTED, to
    DELETE_SEGMENT_FINISHED; a deletion may start twice. What is not legal every cache drops,
    and its publisher does not learn that.
    """
    for n in range(before.metadata_end, after.metadata_end):
        record = after.metadata_topic[n]
        if not is_legal(told_state(after, n, record.segment), record.kind):
            return False
    return True


@step_property(source="KIP-405: UniqueId")
def id_is_used_for_one_attempt(before: Any, after: Any) -> bool:
    """An id stands for one attempt to copy: what it names never changes, nor is stored again.

    Kafka draws a random Uuid for every attempt.
    """
    for i in range(len(after.segment)):
        old, new = before.segment[i], after.segment[i]
        if earliest_epoch(old.lineage) == NONE:
            continue
        if old.start_offset != new.start_offset or old.end_offset != new.end_offset:
            return False
        if old.bytes != new.bytes or not is_same_lineage(old.lineage, new.lineage):
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


def is_same_lineage(one: Any, other: Any) -> bool:
    """Both lineages have the same entries."""
    return all(one[e] == other[e] for e in range(len(one)))


@invariant(source="KIP-405: NoOrphan")
def every_object_is_tracked(state: Any) -> bool:
    """An object that exists is known to the metadata topic, and listed by caches that read all.

    What is listed for no epoch is found by no expiration task.
    """
    for i in range(len(state.segment)):
        if not state.segment[i].object_exists:
            continue
        told = told_state(state, state.metadata_end, i)
        if told == SegmentState.ABSENT or told == SegmentState.DELETE_SEGMENT_FINISHED:
            return False
        for b in range(len(state.broker)):
            me = state.broker[b]
            has_read_all = me.is_metadata_assigned and me.metadata_position == state.metadata_end
            if has_read_all and not is_listed_somewhere(me.cache, i):
                return False
    return True


@invariant(source="KIP-405: NoOrphan, at quiescence", premise=is_quiet)
def quiet_store_holds_finished_segments_only(state: Any) -> bool:
    """When nothing is left to do, every object belongs to a finished segment.

    Safety form of a liveness property: quiet means that no task or thread will touch the
    object, short of retention that has not passed yet.
    """
    finished = finished_ids(state)
    for i in range(len(state.segment)):
        if state.segment[i].object_exists and not finished >> i & 1:
            return False
    return True


@invariant(source="KIP-405: CacheDet")
def caches_follow_from_positions(state: Any) -> bool:
    """Brokers that have read equally far of the metadata topic know the same."""
    for a in range(len(state.broker)):
        for b in range(a + 1, len(state.broker)):
            one, other = state.broker[a], state.broker[b]
            if (
                one.metadata_position == other.metadata_position
                and one.cache.is_initialized
                and other.cache.is_initialized
                and not is_same_cache(one.cache, other.cache)
            ):
                return False
    return True


def is_same_cache(one: Any, other: Any) -> bool:
    """Both caches know the same states, lists and highest offsets."""
    for e in range(len(one.epoch)):
        if one.epoch[e].highest_offset != other.epoch[e].highest_offset:
            return False
    return know_the_same(one, other)


@invariant(source="KIP-405: CacheDet, queries")
def cache_answers_only_when_filled(state: Any) -> bool:
    """A cache is initialized only once it has what was in the topic at its assignment."""
    for b in range(len(state.broker)):
        me = state.broker[b]
        if me.cache.is_initialized and me.metadata_position < me.metadata_assigned_end:
            return False
    return True


@step_property(source="KIP-405: SizeRight")
def retention_counts_each_offset_once(before: Any, after: Any) -> bool:
    """What a leader counts for retention by size is the size of the offsets that it serves.

    Checked when a run of its expiration task plans. Kafka adds finished segments of the
    leader's lineage to the local ones that begin at or after the highest remote offset.
    A segment that the log start lies in counts in full.
    """
    for b in range(len(after.broker)):
        if before.broker[b].run_step == IDLE and after.broker[b].run_step != IDLE:
            me = after.broker[b]
            if is_leading(before, b) and me.settings.retention_bytes >= 0:
                counted = surplus_bytes(me, after.segment, only_local_bytes(me))
                if counted != max(held_bytes(after, b) - me.settings.retention_bytes, 0):
                    return False
    return True


def held_bytes(state: Any, broker: int) -> int:
    """The size of the offsets that this broker serves, each counted once, to its log end."""
    me = state.broker[broker]
    local = max(me.local_log_start_offset, first_base(me))
    low = min(max(me.log_start_offset, local), me.log_end_offset)
    total = bytes_between(me.records, low, me.log_end_offset)
    if me.log_start_offset >= local:
        base = floor_base(me, me.log_start_offset)
        return total + bytes_between(me.records, base, low)
    start = NONE
    for offset in range(me.log_start_offset, low):
        id = serving_id(state, broker, offset)
        if id != NONE:
            total += state.committed[offset].bytes
            if start == NONE and offset == me.log_start_offset:
                start = state.segment[id].start_offset
    if start != NONE:
        total += bytes_between(state.committed, start, me.log_start_offset)
    return total
