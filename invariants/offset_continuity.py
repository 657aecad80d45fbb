"""The log is one piece: remote part, then local part, and its start only moves up."""

from __future__ import annotations

from typing import Any

from tierproof.invariants.vocabulary import (
    committed_end,
    current_leader,
    has_locally,
    has_replica,
    holds_committed,
    is_led,
    serving_id,
)
from tierproof.model.kafka.replica import is_leading, presumes_to_lead
from tierproof.model.language import NONE, invariant, step_property


@step_property(source="KIP-405: MonoStart, within a broker")
def log_start_never_moves_back(before: Any, after: Any) -> bool:
    """No step of a running broker moves its log start back, nor a leader's local log start.

    Kafka believes it because maybeIncrementLogStartOffset never goes back. Suspended where
    a log is loaded or made anew: at a restart, a lost disk, a deleted topic. What a lagging
    checkpoint does then, `new_leader_knows_the_log_start` and
    `acknowledged_deletions_are_remembered` see.
    """
    if before.restarts != after.restarts or before.lost_disks != after.lost_disks:
        return True
    for b in range(len(after.broker)):
        old, new = before.broker[b], after.broker[b]
        if not has_replica(before, b) or not has_replica(after, b):
            continue
        if new.log_start_offset < old.log_start_offset:
            return False
        leads_on = presumes_to_lead(before, b) and presumes_to_lead(after, b)
        if leads_on and new.local_log_start_offset < old.local_log_start_offset:
            return False
    return True


@invariant(source="KIP-405: MonoStart, across terms", premise=is_led)
def new_leader_knows_the_log_start(state: Any) -> bool:
    """The leader's log start is not below committed records that are gone from everywhere.

    KAFKA-15351: a follower whose log start lags must not lead with it. Suspended while the
    leader's cache is not initialized. Not checked: what a user deleted and is still
    somewhere (`acknowledged_deletions_are_remembered`).
    """
    leader = current_leader(state)
    for offset in range(state.broker[leader].log_start_offset, committed_end(state)):
        if not is_anywhere(state, offset):
            return False
    return True


def is_anywhere(state: Any, offset: int) -> bool:
    """Some replica or some object still has the offset."""
    for b in range(len(state.broker)):
        if has_locally(state, b, offset):
            return True
    for i in range(len(state.segment)):
        if state.segment[i].object_exists and holds_committed(state, i, offset):
            return True
    return False


@step_property(source="KIP-405: MonoStart, across terms, for what was acknowledged to a user")
def acknowledged_deletions_are_remembered(before: Any, after: Any) -> bool:
    """No leader's log start comes to lie below a deletion that a user has an answer to.

    DeleteRecords is answered once every replica has moved its log start: so far the user
    has an answer in the state before. A checkpoint that lags at a crash forgets it. Not
    checked: a replica that forgets it while another leads, and leads later.
    """
    leader = after.elected_leader
    if after.is_topic_deleted or not is_leading(after, leader):
        return True
    return bool(after.broker[leader].log_start_offset >= acknowledged_end(before))


def acknowledged_end(state: Any) -> int:
    """Offsets below were let go of by a user, and no replica has them in its log any more."""
    end = int(state.legal_end)
    for b in range(len(state.broker)):
        if has_replica(state, b):
            end = min(end, state.broker[b].log_start_offset)
    return end


@invariant(source="KIP-950: remote off at leader b implies lst[b] >= llst[b]")
def no_unreadable_prefix_without_remote(state: Any) -> bool:
    """A leader without remote storage does not advertise offsets below its first local segment.

    KIP-950 moves the log start to the local log start when it disables. The settings of
    the log change first, so that the property fails for a moment on every disable.
    """
    leader = current_leader(state)
    if leader == NONE or state.broker[leader].settings.remote_storage_enable:
        return True
    me = state.broker[leader]
    return bool(
        me.log_start_offset >= me.local_log_start_offset
        or me.log_start_offset >= committed_end(state)
    )


@invariant(source="KIP-950: contiguity R_x = lst <= llst <= R_y + 1", premise=is_led)
def remote_and_local_parts_are_contiguous(state: Any) -> bool:
    """At a tiered leader, the remote part reaches from the log start to the first local segment.

    Remote is what the leader's cache serves: finished segments of its lineage. Those below
    the log start wait for their deletion. Suspended where the leader has remote storage off
    (see `no_unreadable_prefix_without_remote`). Not checked: objects
    (`served_segment_has_its_object`).
    """
    leader = current_leader(state)
    me = state.broker[leader]
    if not me.settings.remote_storage_enable:
        return True
    for offset in range(me.log_start_offset, min(me.local_log_start_offset, me.log_end_offset)):
        if serving_id(state, leader, offset) == NONE:
            return False
    return True
