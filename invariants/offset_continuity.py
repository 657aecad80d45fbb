"""The log is one piece: remote part, then local part, and its start only moves up."""

from __future__ import annotations

from tierproof.invariants.fields import Partition
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
from tierproof.model.language import NONE, Step, invariant, step_property


@step_property(source="KIP-405: MonoStart, within a broker")
def log_start_never_moves_back(before: Partition, after: Partition, step: Step) -> bool:
    """No step of a running broker moves its log start back, nor a leader's local log start.

    Kafka believes it because maybeIncrementLogStartOffset never moves it back. Suspended
    where a log is loaded or made anew: at a restart, a lost disk, a deleted topic. What a
    lagging checkpoint does then is checked by `new_leader_knows_the_log_start` and
    `acknowledged_deletions_are_remembered`.
    """
    if step.action in ("broker_restarts", "lone_leader_restarts", "broker_loses_disk"):
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
def new_leader_knows_the_log_start(state: Partition) -> bool:
    """The leader's log start is not below committed records that exist nowhere any more.

    KAFKA-15351: a follower whose log start lags must not lead with it. Suspended while the
    leader's cache is not initialized. Not checked: records that a user deleted and that still
    exist somewhere (`acknowledged_deletions_are_remembered`).
    """
    leader = state.broker[current_leader(state)]
    return all(
        is_anywhere(state, offset)
        for offset in range(leader.log_start_offset, committed_end(state))
    )


def is_anywhere(state: Partition, offset: int) -> bool:
    """Some replica or some object still has the offset."""
    return any(has_locally(state, b, offset) for b in range(len(state.broker))) or any(
        state.segment[i].object_exists and holds_committed(state, i, offset)
        for i in range(len(state.segment))
    )


@step_property(source="KIP-405: MonoStart, across terms, for what was acknowledged to a user")
def acknowledged_deletions_are_remembered(before: Partition, after: Partition) -> bool:
    """No leader's log start lies below a deletion that was acknowledged to a user.

    DeleteRecords is answered once every replica has moved its log start; so deletions up to
    the lowest log start of the state before are acknowledged. A checkpoint that lags at a
    crash forgets them. Not checked: a replica that forgets while another leads, and leads
    later.
    """
    leader = after.elected_leader
    if after.is_topic_deleted or not is_leading(after, leader):
        return True
    return after.broker[leader].log_start_offset >= acknowledged_end(before)


def acknowledged_end(state: Partition) -> int:
    """A user deleted the offsets below, and no replica has them in its log any more."""
    end = state.legal_end
    for b in range(len(state.broker)):
        if has_replica(state, b):
            end = min(end, state.broker[b].log_start_offset)
    return end


@invariant(source="KIP-950: remote off at leader b implies lst[b] >= llst[b]")
def no_unreadable_prefix_without_remote(state: Partition) -> bool:
    """A leader without remote storage does not advertise offsets below its first local segment.

    KIP-950 moves the log start to the local log start when it disables. The settings of
    the log change first, so that the property fails for a moment on every disable.
    """
    if current_leader(state) == NONE:
        return True
    leader = state.broker[current_leader(state)]
    return (
        leader.settings.remote_storage_enable
        or leader.log_start_offset >= leader.local_log_start_offset
        or leader.log_start_offset >= committed_end(state)
    )


@invariant(source="KIP-950: contiguity R_x = lst <= llst <= R_y + 1", premise=is_led)
def remote_and_local_parts_are_contiguous(state: Partition) -> bool:
    """At a tiered leader, the remote part reaches from the log start to the first local segment.

    The remote part is what the leader's cache serves: finished segments of its lineage.
    Segments below the log start wait for their deletion. Suspended where the leader has
    remote storage off (see `no_unreadable_prefix_without_remote`). Not checked: objects
    (`served_segment_has_its_object`).
    """
    id = current_leader(state)
    leader = state.broker[id]
    local_start = min(leader.local_log_start_offset, leader.log_end_offset)
    return not leader.settings.remote_storage_enable or all(
        serving_id(state, id, offset) != NONE
        for offset in range(leader.log_start_offset, local_start)
    )
