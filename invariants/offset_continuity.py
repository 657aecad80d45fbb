"""The log is one piece: remote part, then local part, and its start only moves up."""

from __future__ import annotations

from typing import Any

from invariants.vocabulary import committed_end, current_leader, is_led
from model.kafka.local_log import first_local_offset
from model.kafka.remote_segment import SegmentState
from model.language import NONE, invariant, step_property


@step_property(source="KIP-405: MonoStart, within a broker")
def log_start_never_moves_back(before: Any, after: Any) -> bool:
    """No step moves a log start, or a local log start, back.

    Suspended for nothing. Not checked: a checkpoint that lags behind at a crash.
    """
    for b in range(len(after.broker)):
        if after.broker[b].log_start_offset < before.broker[b].log_start_offset:
            return False
        if after.broker[b].local_log_start_offset < before.broker[b].local_log_start_offset:
            return False
    return True


@invariant(source="KIP-950: remote off at leader b implies lst[b] >= llst[b]")
def no_unreadable_prefix_without_remote(state: Any) -> bool:
    """A leader without remote storage does not advertise offsets below its first local segment.

    KIP-950 moves the log start to the local log start when it disables. The settings of
    the log change first, so that the property fails for a moment on every disable.
    """
    leader = current_leader(state)
    if leader == NONE or state.broker[leader].settings.remote_storage_enable:
        return True
    replica = state.broker[leader]
    return bool(
        replica.log_start_offset >= replica.local_log_start_offset
        or replica.log_start_offset >= committed_end(state)
    )


@invariant(source="KIP-950: remote off implies llst[r] <= max lst for every replica")
def every_replica_can_take_over_without_remote(state: Any) -> bool:
    """Without remote storage every replica has locally what the leader's log start promises.

    Checked once all brokers have applied all metadata and the topic is disabled; the log
    start that counts is the highest of all replicas'.
    """
    if state.settings.remote_storage_enable:
        return True
    highest = 0
    for b in range(len(state.broker)):
        replica = state.broker[b]
        if replica.batch > 0 or replica.position < state.metadata_end:
            return True
        highest = max(highest, replica.log_start_offset)
    for b in range(len(state.broker)):
        replica = state.broker[b]
        if replica.local_log_start_offset > highest and highest < replica.log_end_offset:
            return False
    return True


@invariant(source="KIP-950: contiguity R_x = lst <= llst <= R_y + 1", premise=is_led)
def remote_and_local_parts_are_contiguous(state: Any) -> bool:
    """At a tiered leader, the remote part reaches from the log start to the first local segment.

    R_x counts finished segments at or above the log start only: those below wait for their
    deletion. Suspended where the leader has remote storage off (see
    `no_unreadable_prefix_without_remote`).
    """
    leader = current_leader(state)
    replica = state.broker[leader]
    if not replica.settings.remote_storage_enable:
        return True
    for offset in range(replica.log_start_offset, replica.local_log_start_offset):
        segment = state.serving[offset]
        if segment == NONE:
            return False
        if state.segment[segment].state != SegmentState.COPY_SEGMENT_FINISHED:
            return False
    return True


@invariant(source="KIP-405: MonoStart, across terms", premise=is_led)
def new_leader_knows_the_log_start(state: Any) -> bool:
    """The leader's log start is not below offsets whose data is gone from everywhere.

    KAFKA-15351: a follower whose log start lags must not lead with it. Not checked: log
    starts that a user raised by DeleteRecords.
    """
    leader = current_leader(state)
    for offset in range(state.broker[leader].log_start_offset, committed_end(state)):
        if not is_anywhere(state, offset):
            return False
    return True


def is_anywhere(state: Any, offset: int) -> bool:
    """Some replica or some object still has the offset."""
    for b in range(len(state.broker)):
        replica = state.broker[b]
        if first_local_offset(replica) <= offset < replica.log_end_offset:
            return True
    for i in range(len(state.segment)):
        if state.segment[i].object_exists and state.segment[i].offset == offset:
            return True
    return False
