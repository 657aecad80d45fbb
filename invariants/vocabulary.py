"""Shared terms of the properties, over the field names that designs share.

A state with `broker[b]`, `segment[i]`, `metadata_topic[n]`, `committed[o]` and the
controller's record can be asked all of this, whatever design it belongs to.
"""

from __future__ import annotations

from typing import Any

from tierproof.model.kafka.expiration_task import is_below_log_start, is_past_time, last_epoch_of
from tierproof.model.kafka.fetch_routing import FetchRoute, fetch_route
from tierproof.model.kafka.leader_epoch_lineage import (
    earliest_epoch,
    epoch_for_offset,
    is_in_lineage,
)
from tierproof.model.kafka.local_segments import bytes_between, first_base
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.remote_metadata_cache import CachedState, is_listed, lookup
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.replica import is_leading
from tierproof.model.language import NONE, guard

IDLE = 0
"""The step of a run, or of a removal, at which no thread is (RunStep, RemovalStep)."""


# -- who leads, who has what


def current_leader(state: Any) -> int:
    """The broker that leads and knows it, or NONE between an election and its discovery."""
    return int(state.elected_leader) if is_leading(state, state.elected_leader) else NONE


@guard
def is_led(state: Any) -> bool:
    """A broker leads and knows it, and its cache answers, where it is asked at all."""
    leader = state.elected_leader
    me = state.broker[leader]
    return bool(
        is_leading(state, leader)
        and not state.is_topic_deleted
        and (me.cache.is_initialized or not me.settings.remote_storage_enable)
    )


def has_replica(state: Any, broker: int) -> bool:
    """The broker has a replica of the partition."""
    return bool(state.broker[broker].presumed_leader != NONE)


def is_in_sync(state: Any, broker: int) -> bool:
    """The controller counts the replica among those in sync."""
    return bool(state.in_sync >> broker & 1) and has_replica(state, broker)


def has_locally(state: Any, broker: int, offset: int) -> bool:
    """A local segment of this broker holds the offset."""
    me = state.broker[broker]
    base = first_base(me)
    return bool(base != NONE and base <= offset < me.log_end_offset)


# -- what is committed, and what may go


def committed_end(state: Any) -> int:
    """The first offset at which nothing is committed."""
    for offset in range(len(state.committed)):
        if state.committed[offset].epoch == NONE:
            return offset
    return len(state.committed)


def removable_end(state: Any) -> int:
    """Offsets below may be gone: by retention in time or in size, or because a user said so.

    Retention is that of the elected leader's settings; by size, an offset may go if what
    is committed after it still has retention.bytes.
    """
    if state.is_topic_deleted:
        return len(state.committed)
    settings = state.broker[state.elected_leader].settings
    end, held = int(state.legal_end), committed_end(state)
    if settings.retention_ms >= 0:
        oldest = state.clock - settings.retention_ms
        while end < held and state.committed[end].timestamp < oldest:
            end += 1
    if settings.retention_bytes >= 0:
        rest = bytes_between(state.committed, end, held)
        while end < held:
            rest -= state.committed[end].bytes
            if rest < settings.retention_bytes:
                break
            end += 1
    return end


# -- reads


def route_at(state: Any, broker: int, offset: int) -> FetchRoute:
    """Where this broker sends a consumer's fetch."""
    me = state.broker[broker]
    return fetch_route(
        me.settings.remote_storage_enable,
        me.log_start_offset,
        me.local_log_start_offset,
        me.log_end_offset,
        offset,
    )


def serving_id(state: Any, broker: int, offset: int) -> int:
    """The id that this broker's cache names for the offset, by its lineage; or NONE."""
    me = state.broker[broker]
    epoch = epoch_for_offset(me.lineage, offset)
    if epoch == NONE:
        return NONE
    return int(lookup(me.cache, state.segment, epoch, offset))


def is_served_remotely(state: Any, broker: int, offset: int) -> bool:
    """A lookup of the offset at this broker finds an id whose object exists."""
    id = serving_id(state, broker, offset)
    return bool(id != NONE and state.segment[id].object_exists)


def is_readable(state: Any, broker: int, offset: int) -> bool:
    """A consumer that asks this broker for the offset gets a record."""
    route = route_at(state, broker, offset)
    if route == FetchRoute.REMOTE:
        return is_served_remotely(state, broker, offset)
    return bool(route == FetchRoute.LOCAL and has_locally(state, broker, offset))


def holds_committed(state: Any, segment: int, offset: int) -> bool:
    """The segment covers the offset with the record that was committed there, if one was."""
    it = state.segment[segment]
    if not it.start_offset <= offset <= it.end_offset or earliest_epoch(it.lineage) == NONE:
        return False
    epoch = state.committed[offset].epoch
    return bool(epoch == NONE or epoch_for_offset(it.lineage, offset) == epoch)


# -- what the metadata topic says, to whoever has read all of it


def told_state(state: Any, end: int, segment: int) -> int:
    """What the first `end` metadata records say of an id: a SegmentState.

    A record that is no legal transition is dropped, as every cache drops it.
    """
    told = 0
    for n in range(end):
        record = state.metadata_topic[n]
        if record.segment == segment and is_legal(told, record.kind):
            told = record.kind
    return int(told)


def is_legal(told: int, target: int) -> bool:
    """RemoteLogSegmentState#isValidTransition, less staying as it is, but for a deletion."""
    if target == SegmentState.COPY_SEGMENT_STARTED:
        return bool(told == SegmentState.ABSENT)
    if target == SegmentState.COPY_SEGMENT_FINISHED:
        return bool(told == SegmentState.COPY_SEGMENT_STARTED)
    if target == SegmentState.DELETE_SEGMENT_STARTED:
        return bool(
            SegmentState.COPY_SEGMENT_STARTED <= told <= SegmentState.DELETE_SEGMENT_STARTED
        )
    return bool(told == SegmentState.DELETE_SEGMENT_STARTED)


def ids_told(state: Any, kind: int) -> int:
    """The ids, as bits, that are in the state `kind` by the whole metadata topic."""
    ids = 0
    for i in range(len(state.segment)):
        if told_state(state, state.metadata_end, i) == kind:
            ids |= 1 << i
    return ids


def finished_ids(state: Any) -> int:
    """The ids, as bits, that the whole metadata topic calls COPY_SEGMENT_FINISHED."""
    return ids_told(state, SegmentState.COPY_SEGMENT_FINISHED)


def is_told_after(state: Any, position: int, segment: int, kind: int) -> bool:
    """The metadata topic has such a record of the id at or after a position."""
    for n in range(position, state.metadata_end):
        if state.metadata_topic[n].segment == segment and state.metadata_topic[n].kind == kind:
            return True
    return False


def is_covered(state: Any, ids: int, offset: int, needs_object: bool) -> bool:
    """One of the ids covers the offset with what was committed there, perhaps with its object."""
    for i in range(len(state.segment)):
        has_object = state.segment[i].object_exists or not needs_object
        if ids >> i & 1 and has_object and holds_committed(state, i, offset):
            return True
    return False


# -- whether something is left to do


def has_thread_at_work(state: Any) -> bool:
    """Some thread copies a segment or deletes some."""
    for i in range(len(state.segment)):
        if state.segment[i].copier != NONE:
            return True
    for b in range(len(state.broker)):
        if state.broker[b].run_step != IDLE or state.broker[b].removal_step != IDLE:
            return True
    return False


def has_something_to_learn(state: Any, broker: int) -> bool:
    """The broker has not read all metadata, or not learned who leads or that the topic is gone."""
    me = state.broker[broker]
    if me.is_metadata_assigned and me.metadata_position < state.metadata_end:
        return True
    if not has_replica(state, broker):
        return False
    return bool(state.is_topic_deleted or me.leader_epoch < state.leader_epoch)


def is_due(state: Any, broker: int, segment: int) -> bool:
    """The expiration task of this broker finds the segment, and may delete it in some run."""
    me, it = state.broker[broker], state.segment[segment]
    known = me.cache.state[segment]
    if known == CachedState.UNKNOWN or not is_listed_somewhere(me.cache, segment):
        return False
    if known == CachedState.DELETE_SEGMENT_STARTED or is_below_log_start(it, me):
        return True
    if last_epoch_of(it) < earliest_epoch(me.lineage):
        return True
    is_valid = is_in_lineage(it, me.lineage, me.log_end_offset)
    return bool(
        is_valid and (is_past_time(it, me, state.clock) or it.end_offset < removable_end(state))
    )


def is_listed_somewhere(cache: Any, segment: int) -> bool:
    """The cache lists the id for some leader epoch."""
    return any(is_listed(cache, e, segment) for e in range(len(cache.epoch)))


@guard
def is_quiet(state: Any) -> bool:
    """Nothing is left to do for remote data: all is learned, no thread at work, no deletion due."""
    if has_thread_at_work(state):
        return False
    for b in range(len(state.broker)):
        me = state.broker[b]
        if has_something_to_learn(state, b):
            return False
        if me.copy_task == CopyTask.SCHEDULED or me.copy_task == CopyTask.LOG_START_FOUND:
            return False
        if me.expiration_task:
            for i in range(len(state.segment)):
                if is_due(state, b, i):
                    return False
    return True


def know_the_same(a: Any, b: Any) -> bool:
    """Two caches have the same segments in the same states, and serve the same reads."""
    for i in range(len(a.state)):
        if a.state[i] != b.state[i]:
            return False
    for e in range(len(a.epoch)):
        if a.epoch[e].referenced != b.epoch[e].referenced:
            return False
        if a.epoch[e].unreferenced != b.epoch[e].unreferenced:
            return False
    return True
