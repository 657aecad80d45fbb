"""What a tiered log can do at all: states that must be reachable, lest all hold by default."""

from __future__ import annotations

from typing import Any

from invariants.vocabulary import current_leader, is_quiet, is_served_remotely, route_at
from model.kafka.fetch_routing import FetchRoute
from model.kafka.remote_log_task import CopyStep
from model.kafka.remote_segment import SegmentState
from model.language import NONE, witness


@witness(source="KIP-405")
def segment_is_read_from_remote(state: Any) -> bool:
    """A segment was copied, is gone locally, and the leader reads it from the remote tier."""
    leader = current_leader(state)
    if leader == NONE:
        return False
    for offset in range(len(state.serving)):
        if route_at(state, leader, offset) == FetchRoute.REMOTE and is_served_remotely(
            state, offset
        ):
            return True
    return False


@witness(source="RemoteLogManager.RLMCopyTask")
def zombie_copy_is_published(state: Any) -> bool:
    """A broker that lost leadership published its copy while the leader copies the same segment.

    The leader chose the segment because nobody had published it when the leader began, so
    that the other broker did so as a zombie (exact for one election).
    """
    leader = current_leader(state)
    for i in range(len(state.segment)):
        zombie = state.segment[i]
        if (
            zombie.copier != NONE
            and zombie.copier != state.elected_leader
            and zombie.copy_step == CopyStep.PUBLISHED
            and zombie.state == SegmentState.COPY_SEGMENT_FINISHED
        ):
            for j in range(len(state.segment)):
                other = state.segment[j]
                if j != i and other.copier == leader and other.offset == zombie.offset:
                    return leader != NONE
    return False


@witness(source="KIP-950, Re-enabling Tiered Storage")
def topic_is_tiered_again(state: Any) -> bool:
    """After a deletion the topic is enabled again and a new segment is in the remote tier."""
    if not state.settings.remote_storage_enable:
        return False
    deleted = False
    for i in range(len(state.segment)):
        deleted = deleted or state.segment[i].state == SegmentState.DELETE_SEGMENT_FINISHED
    if not deleted or state.expired_end > 0:
        return False
    for offset in range(len(state.serving)):
        if is_served_remotely(state, offset):
            return True
    return False


@witness(source="RemoteLogManager#deleteRemoteLogPartition")
def delete_dangles(state: Any) -> bool:
    """Nothing is left to do and a segment is still in DELETE_SEGMENT_STARTED."""
    for i in range(len(state.segment)):
        if state.segment[i].state == SegmentState.DELETE_SEGMENT_STARTED and is_quiet(state):
            return True
    return False


@witness(source="KIP-950, combination table, row 4")
def disable_deletes_everything(state: Any) -> bool:
    """A disabled topic is quiet, everything it had in the remote tier is deleted."""
    if state.settings.remote_storage_enable or not is_quiet(state):
        return False
    deleted = 0
    for i in range(len(state.segment)):
        if state.segment[i].object_exists:
            return False
        if state.segment[i].state == SegmentState.DELETE_SEGMENT_FINISHED:
            deleted += 1
    return deleted > 0
