"""What a tiered log can do at all: states that must be reachable, lest all hold by default."""

from __future__ import annotations

from tierproof.invariants.fields import Partition, Topic
from tierproof.invariants.tiering import is_quiet_topic
from tierproof.invariants.vocabulary import (
    committed_end,
    current_leader,
    finished_ids,
    has_object,
    ids_told,
    is_served_remotely,
    is_told_after,
    route_at,
)
from tierproof.model.kafka.fetch_routing import FetchRoute
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import NONE, witness


@witness(source="KIP-405")
def segment_is_read_from_remote(state: Partition) -> bool:
    """The leader serves a committed record from the remote tier that it has no longer locally."""
    leader = current_leader(state)
    if leader == NONE:
        return False
    return any(
        route_at(state, leader, offset) == FetchRoute.REMOTE
        and is_served_remotely(state, leader, offset)
        for offset in range(committed_end(state))
    )


@witness(source="RemoteLogManager.RLMCopyTask")
def zombie_works_on_a_copy(state: Partition) -> bool:
    """A thread of a broker that no longer leads copies a segment."""
    return any(copy.copier not in (NONE, state.elected_leader) for copy in state.segment)


@witness(source="RemoteLogManager.RLMCopyTask")
def zombie_copy_is_published(state: Partition) -> bool:
    """A broker that no longer leads has finished a copy that the leader is making, too."""
    leader = current_leader(state)
    if leader == NONE:
        return False
    finished = finished_ids(state)
    return any(
        state.segment[i].copier not in (NONE, leader)
        and finished >> i & 1
        and own.copier == leader
        and own.start_offset == state.segment[i].start_offset
        for i in range(len(state.segment))
        for own in state.segment
    )


@witness(source="RemoteLogManager.RLMExpirationTask")
def segment_is_expired(state: Partition) -> bool:
    """A segment that was finished is deleted again."""
    deleted = ids_told(state, SegmentState.DELETE_SEGMENT_FINISHED)
    return any(
        deleted >> i & 1 and is_told_after(state, 0, i, SegmentState.COPY_SEGMENT_FINISHED)
        for i in range(len(state.segment))
    )


@witness(source="RemoteLogMetadataCache")
def brokers_know_different_things(state: Partition) -> bool:
    """One broker has read that a copy is finished, another knows nothing of it."""
    return any(
        state.broker[0].cache.state[i] == SegmentState.COPY_SEGMENT_FINISHED
        and broker.cache.state[i] == SegmentState.ABSENT
        for i in range(len(state.segment))
        for broker in state.broker
    )


# -- KIP-950


@witness(source="KIP-950, Re-enabling Tiered Storage")
def topic_is_tiered_again(state: Topic) -> bool:
    """After a deletion the topic is tiered again and the leader serves a new segment.

    Nothing has expired: the deletion was that of a disable.
    """
    leader = current_leader(state)
    if leader == NONE or not state.settings.remote_storage_enable:
        return False
    if not ids_told(state, SegmentState.DELETE_SEGMENT_FINISHED):
        return False
    if state.clock > 0 or state.settings.retention_bytes >= 0:
        return False
    return any(is_served_remotely(state, leader, offset) for offset in range(committed_end(state)))


@witness(source="RemoteLogManager#deleteRemoteLogPartition")
def delete_dangles(state: Topic) -> bool:
    """Nothing is left to do and a segment is still in DELETE_SEGMENT_STARTED."""
    dangling = ids_told(state, SegmentState.DELETE_SEGMENT_STARTED)
    return dangling != 0 and is_quiet_topic(state)


@witness(source="KIP-950, combination table, row 4")
def disable_deletes_everything(state: Topic) -> bool:
    """A disabled topic is quiet, everything it had in the remote tier is deleted."""
    if state.settings.remote_storage_enable or not is_quiet_topic(state):
        return False
    return not has_object(state) and ids_told(state, SegmentState.DELETE_SEGMENT_FINISHED) != 0


@witness(source="KIP-950, Re-enabling Tiered Storage, scenario 1")
def segment_is_copied_again(state: Topic) -> bool:
    """What a disable deleted is in the remote tier once more, under another id.

    The leader serves the offset from there, and has it no longer locally.
    """
    leader = current_leader(state)
    if leader == NONE or not state.settings.remote_storage_enable:
        return False
    deleted = ids_told(state, SegmentState.DELETE_SEGMENT_FINISHED)
    return any(
        route_at(state, leader, offset) == FetchRoute.REMOTE
        and is_served_remotely(state, leader, offset)
        and any(
            deleted >> i & 1
            and state.segment[i].start_offset <= offset <= state.segment[i].end_offset
            for i in range(len(state.segment))
        )
        for offset in range(committed_end(state))
    )
