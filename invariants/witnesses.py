"""What a tiered log can do at all: states that must be reachable, lest all hold by default."""

from __future__ import annotations

from typing import Any

from tierproof.invariants.tiering import is_quiet_topic
from tierproof.invariants.vocabulary import (
    committed_end,
    current_leader,
    finished_ids,
    ids_told,
    is_served_remotely,
    is_told_after,
    route_at,
)
from tierproof.model.kafka.fetch_routing import FetchRoute
from tierproof.model.kafka.remote_metadata_cache import CachedState
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import NONE, witness


@witness(source="KIP-405")
def segment_is_read_from_remote(state: Any) -> bool:
    """A segment was copied, is gone locally, and the leader reads it from the remote tier."""
    leader = current_leader(state)
    if leader == NONE:
        return False
    for offset in range(committed_end(state)):
        if route_at(state, leader, offset) == FetchRoute.REMOTE and is_served_remotely(
            state, leader, offset
        ):
            return True
    return False


@witness(source="RemoteLogManager.RLMCopyTask")
def zombie_works_on_a_copy(state: Any) -> bool:
    """A thread of a broker that was voted out copies a segment."""
    for i in range(len(state.segment)):
        copier = state.segment[i].copier
        if copier != NONE and copier != state.elected_leader:
            return True
    return False


@witness(source="RemoteLogManager.RLMCopyTask")
def zombie_copy_is_published(state: Any) -> bool:
    """A broker that lost leadership finished its copy while the leader copies the same segment."""
    leader = current_leader(state)
    if leader == NONE:
        return False
    finished = finished_ids(state)
    for i in range(len(state.segment)):
        zombie = state.segment[i]
        if zombie.copier != NONE and zombie.copier != leader and finished >> i & 1:
            for j in range(len(state.segment)):
                other = state.segment[j]
                if other.copier == leader and other.start_offset == zombie.start_offset:
                    return True
    return False


@witness(source="RemoteLogManager.RLMExpirationTask")
def segment_is_expired(state: Any) -> bool:
    """A segment that was finished is deleted again."""
    deleted = ids_told(state, SegmentState.DELETE_SEGMENT_FINISHED)
    for i in range(len(state.segment)):
        was_finished = is_told_after(state, 0, i, SegmentState.COPY_SEGMENT_FINISHED)
        if deleted >> i & 1 and was_finished:
            return True
    return False


@witness(source="RemoteLogMetadataCache")
def brokers_know_different_things(state: Any) -> bool:
    """One broker has read that a copy is finished, another has not."""
    for i in range(len(state.segment)):
        for b in range(len(state.broker)):
            if (
                state.broker[0].cache.state[i] == CachedState.COPY_SEGMENT_FINISHED
                and state.broker[b].cache.state[i] == CachedState.UNKNOWN
            ):
                return True
    return False


# -- KIP-950


@witness(source="KIP-950, Re-enabling Tiered Storage")
def topic_is_tiered_again(state: Any) -> bool:
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
def delete_dangles(state: Any) -> bool:
    """Nothing is left to do and a segment is still in DELETE_SEGMENT_STARTED."""
    dangling = ids_told(state, SegmentState.DELETE_SEGMENT_STARTED)
    return dangling != 0 and is_quiet_topic(state)


@witness(source="KIP-950, combination table, row 4")
def disable_deletes_everything(state: Any) -> bool:
    """A disabled topic is quiet, everything it had in the remote tier is deleted."""
    if state.settings.remote_storage_enable or not is_quiet_topic(state):
        return False
    for i in range(len(state.segment)):
        if state.segment[i].object_exists:
            return False
    return ids_told(state, SegmentState.DELETE_SEGMENT_FINISHED) != 0
