"""The words of properties, over the fields that designs share (`tierproof.invariants.fields`)."""

from __future__ import annotations

from tierproof.invariants.fields import Partition
from tierproof.model.kafka.expiration_task import (
    is_below_log_start,
    is_past_time,
    is_taken_up_again,
    last_epoch_of,
)
from tierproof.model.kafka.fetch_routing import FetchRoute, fetch_route
from tierproof.model.kafka.leader_epoch_lineage import (
    earliest_epoch,
    epoch_for_offset,
    is_in_lineage,
)
from tierproof.model.kafka.local_segments import bytes_between, first_base
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.remote_metadata_cache import MetadataCache, is_listed, lookup
from tierproof.model.kafka.remote_segment import SegmentState, is_valid_transition
from tierproof.model.kafka.replica import is_leading
from tierproof.model.language import NONE, guard

IDLE = 0
"""Where no thread runs: the first value of every enum that says how far a thread has come."""


# -- who leads, who has what


def current_leader(state: Partition) -> int:
    """The broker that leads and knows it, or NONE between an election and its discovery."""
    return state.elected_leader if is_leading(state, state.elected_leader) else NONE


@guard
def is_led(state: Partition) -> bool:
    """A broker leads and knows it; its cache is initialized, or remote storage is off."""
    leader = state.broker[state.elected_leader]
    return (
        is_leading(state, state.elected_leader)
        and not state.is_topic_deleted
        and (leader.cache.is_initialized or not leader.settings.remote_storage_enable)
    )


def has_replica(state: Partition, broker: int) -> bool:
    """The broker has a replica of the partition."""
    return state.broker[broker].presumed_leader != NONE


def is_in_sync(state: Partition, broker: int) -> bool:
    """The controller counts the replica among those in sync."""
    return broker in state.in_sync and has_replica(state, broker)


def has_locally(state: Partition, broker: int, offset: int) -> bool:
    """A local segment of this broker holds the offset."""
    replica = state.broker[broker]
    base = first_base(replica)
    return base != NONE and base <= offset < replica.log_end_offset


# -- what is committed, and what may be removed


def committed_end(state: Partition) -> int:
    """The first offset at which nothing is committed."""
    for offset in range(len(state.committed)):
        if state.committed[offset].epoch == NONE:
            return offset
    return len(state.committed)


def removable_end(state: Partition) -> int:
    """Offsets below may be removed, by retention in time or in size, or because a user said so.

    Retention is that of the elected leader's settings. By size, an offset may be removed if
    the committed records after it still have retention.bytes.
    """
    if state.is_topic_deleted:
        return len(state.committed)
    settings = state.broker[state.elected_leader].settings
    end, held = state.legal_end, committed_end(state)
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


def route_at(state: Partition, broker: int, offset: int) -> FetchRoute:
    """Where this broker sends a consumer's fetch."""
    replica = state.broker[broker]
    return fetch_route(
        replica.settings.remote_storage_enable,
        replica.log_start_offset,
        replica.local_log_start_offset,
        replica.log_end_offset,
        offset,
    )


def serving_id(state: Partition, broker: int, offset: int) -> int:
    """The id that this broker's cache finds for the offset, by its lineage; or NONE."""
    replica = state.broker[broker]
    epoch = epoch_for_offset(replica.lineage, offset)
    return NONE if epoch == NONE else lookup(replica.cache, state.segment, epoch, offset)


def is_served_remotely(state: Partition, broker: int, offset: int) -> bool:
    """A lookup of the offset at this broker finds an id whose object exists."""
    id = serving_id(state, broker, offset)
    return id != NONE and state.segment[id].object_exists


def is_readable(state: Partition, broker: int, offset: int) -> bool:
    """A consumer that asks this broker for the offset gets a record."""
    route = route_at(state, broker, offset)
    if route == FetchRoute.REMOTE:
        return is_served_remotely(state, broker, offset)
    return route == FetchRoute.LOCAL and has_locally(state, broker, offset)


def is_readable_from_log_start(state: Partition, leader: int) -> bool:
    """A consumer that asks this leader gets every committed record from its log start on."""
    return all(
        is_readable(state, leader, offset)
        for offset in range(state.broker[leader].log_start_offset, committed_end(state))
    )


def holds_committed(state: Partition, segment: int, offset: int) -> bool:
    """The segment covers the offset with the record that was committed there, if one was."""
    copy = state.segment[segment]
    if not copy.start_offset <= offset <= copy.end_offset or earliest_epoch(copy.lineage) == NONE:
        return False
    epoch = state.committed[offset].epoch
    return epoch == NONE or epoch_for_offset(copy.lineage, offset) == epoch


# -- what the metadata topic says, to a reader of all of it


def told_state(state: Partition, end: int, segment: int) -> int:
    """What the first `end` metadata records say of an id: a SegmentState.

    A record that is no legal transition is dropped, as every cache drops it.
    """
    told = 0
    for n in range(end):
        record = state.metadata_topic[n]
        if record.segment == segment and is_legal(told, record.kind):
            told = record.kind
    return told


def is_legal(told: int, target: int) -> bool:
    """As RemoteLogSegmentState#isValidTransition; but of those to the same state only a deletion's.

    No publisher means to announce or finish a copy twice; a deletion may be taken up again.
    """
    is_repeated = told == target and target != SegmentState.DELETE_SEGMENT_STARTED
    return is_valid_transition(told, target) and not is_repeated


def ids_told(state: Partition, kind: int) -> int:
    """The ids, as bits, that are in the state `kind` by the whole metadata topic."""
    return sum(
        1 << i
        for i in range(len(state.segment))
        if told_state(state, state.metadata_end, i) == kind
    )


def finished_ids(state: Partition) -> int:
    """The ids, as bits, that the whole metadata topic calls COPY_SEGMENT_FINISHED."""
    return ids_told(state, SegmentState.COPY_SEGMENT_FINISHED)


def is_told_after(state: Partition, position: int, segment: int, kind: int) -> bool:
    """The metadata topic has such a record of the id at or after a position."""
    return any(
        state.metadata_topic[n].segment == segment and state.metadata_topic[n].kind == kind
        for n in range(position, state.metadata_end)
    )


def is_covered(state: Partition, ids: int, offset: int, needs_object: bool) -> bool:
    """One of the ids covers the offset with what was committed there, perhaps with its object."""
    return any(
        ids >> i & 1
        and (state.segment[i].object_exists or not needs_object)
        and holds_committed(state, i, offset)
        for i in range(len(state.segment))
    )


def has_finished_objects_only(state: Partition) -> bool:
    """Every object belongs to a finished segment."""
    finished = finished_ids(state)
    return all(
        finished >> i & 1 or not state.segment[i].object_exists for i in range(len(state.segment))
    )


def has_object(state: Partition) -> bool:
    """The remote store has an object of the topic."""
    return any(copy.object_exists for copy in state.segment)


# -- whether something is left to do


def has_thread_at_work(state: Partition) -> bool:
    """Some thread copies a segment or deletes some."""
    return any(copy.copier != NONE for copy in state.segment) or any(
        broker.run_step != IDLE or broker.removal_step != IDLE for broker in state.broker
    )


def has_something_to_learn(state: Partition, broker: int) -> bool:
    """The broker has metadata to read, or has to learn who leads or that the topic is deleted."""
    reader = state.broker[broker]
    if reader.is_metadata_assigned and reader.metadata_position < state.metadata_end:
        return True
    if not has_replica(state, broker):
        return False
    return state.is_topic_deleted or reader.leader_epoch < state.leader_epoch


def is_due(state: Partition, broker: int, segment: int) -> bool:
    """The expiration task of this broker finds the segment, and may delete it in some run."""
    replica, copy = state.broker[broker], state.segment[segment]
    known = replica.cache.state[segment]
    if known == SegmentState.ABSENT or not is_listed_somewhere(replica.cache, segment):
        return False
    if is_taken_up_again(known) or is_below_log_start(copy, replica):
        return True
    if last_epoch_of(copy) < earliest_epoch(replica.lineage):
        return True
    is_expired = is_past_time(copy, replica, state.clock) or copy.end_offset < removable_end(state)
    return is_in_lineage(copy, replica.lineage, replica.log_end_offset) and is_expired


def is_listed_somewhere(cache: MetadataCache, segment: int) -> bool:
    """The cache lists the id for some leader epoch."""
    return any(is_listed(cache, e, segment) for e in range(len(cache.epoch)))


@guard
def is_quiet(state: Partition) -> bool:
    """Nothing is left to do for remote data.

    Every broker has learned all, no thread runs, and no deletion is due.
    """
    if has_thread_at_work(state):
        return False
    for b in range(len(state.broker)):
        broker = state.broker[b]
        if has_something_to_learn(state, b):
            return False
        if broker.copy_task in (CopyTask.SCHEDULED, CopyTask.LOG_START_FOUND):
            return False
        if broker.expiration_task and any(is_due(state, b, i) for i in range(len(state.segment))):
            return False
    return True


def know_the_same(one: MetadataCache, other: MetadataCache) -> bool:
    """Two caches have the same segments in the same states, and serve the same reads."""
    return one.state == other.state and all(
        one.epoch[e].referenced == other.epoch[e].referenced
        and one.epoch[e].unreferenced == other.epoch[e].unreferenced
        for e in range(len(one.epoch))
    )
