"""What must happen in the end, once faults and users rest and every actor goes on.

Fair are all steps of the system (`Fairness`): no fault need ever happen, no user need act,
time need not pass. Goals speak of the whole partition: what is asked of each segment is that
in the end none is left. Not expressible: a store that is down for ever (its failures are
budgets), and readers with a position (`records_become_readable` stands for them).
"""

from __future__ import annotations

from typing import Any

from tierproof.invariants.vocabulary import (
    committed_end,
    current_leader,
    finished_ids,
    has_replica,
    is_covered,
    is_in_sync,
    is_led,
    is_readable,
    removable_end,
)
from tierproof.model.kafka.local_segments import first_base, next_base
from tierproof.model.kafka.replica import is_copy_enabled
from tierproof.model.kafka.topic_config import TieringState
from tierproof.model.language import NONE, guard, liveness


def has_segment_to_copy(state: Any, broker: int) -> bool:
    """A rolled local segment of committed records is not in the remote tier as a whole."""
    me = state.broker[broker]
    finished = finished_ids(state)
    low, base = int(me.log_start_offset), first_base(me)
    following = next_base(me, base)
    while following != NONE and following <= min(me.high_watermark, committed_end(state)):
        for offset in range(max(base, low), following):
            if not is_covered(state, finished, offset, True):
                return True
        base = following
        following = next_base(me, base)
    return False


@guard
def is_copy_due(state: Any) -> bool:
    """The elected leader's log has a segment to copy, and the leader is told to copy."""
    leader = state.elected_leader
    if state.is_topic_deleted or not is_copy_enabled(state.broker[leader]):
        return False
    return has_segment_to_copy(state, leader)


@liveness(source="KIP-405: Upload", premise=is_copy_due)
def rolled_segments_are_copied(state: Any) -> bool:
    """Rolled segments of committed records are in the remote tier in the end.

    Fair: the system; elections end, and so do failures of the store. Kafka believes it
    because every run of the copy task goes on after the last segment that it copied.
    """
    return not is_copy_due(state)


@guard
def has_expired_object(state: Any) -> bool:
    """An object exists whose records may all be gone."""
    end = removable_end(state)
    for i in range(len(state.segment)):
        if state.segment[i].object_exists and state.segment[i].end_offset < end:
            return True
    return False


@liveness(source="KIP-405: Expire", premise=has_expired_object)
def expired_objects_are_deleted(state: Any) -> bool:
    """Objects whose records may all be gone are gone in the end.

    By retention, because a user deleted the records, or the topic. Kafka believes it because
    the expiration task of the leader comes again and again; of a deleted topic there is none.
    """
    return not has_expired_object(state)


@guard
def has_expired_local_segment(state: Any) -> bool:
    """A replica has a rolled local segment whose records may all be gone."""
    end = removable_end(state)
    for b in range(len(state.broker)):
        if has_replica(state, b):
            me = state.broker[b]
            following = next_base(me, first_base(me))
            if following != NONE and following <= end:
                return True
    return False


@liveness(source="KIP-405: Expire, locally", premise=has_expired_local_segment)
def expired_local_segments_are_removed(state: Any) -> bool:
    """Rolled local segments whose records may all be gone are removed in the end, everywhere.

    Not checked: the active segment.
    """
    return not has_expired_local_segment(state)


@liveness(source="KIP-405: ReadProgress")
def records_become_readable(state: Any) -> bool:
    """Again and again a leader leads and serves every committed offset from its log start on.

    So a reader that tries again gets on. A state in which an offset is not readable
    (`committed_records_stay_readable`) may be passed through, not stayed in.
    """
    if state.is_topic_deleted:
        return True
    if not is_led(state):
        return False
    leader = current_leader(state)
    for offset in range(state.broker[leader].log_start_offset, committed_end(state)):
        if not is_readable(state, leader, offset):
            return False
    return True


@guard
def has_replica_out_of_sync(state: Any) -> bool:
    """The topic exists, and one of its replicas is not in sync."""
    if state.is_topic_deleted:
        return False
    return any(has_replica(state, b) and not is_in_sync(state, b) for b in range(len(state.broker)))


@liveness(source="KIP-405: FollowerProgress", premise=has_replica_out_of_sync)
def followers_get_in_sync(state: Any) -> bool:
    """Replicas that are out of sync, also empty ones, are in sync in the end.

    Kafka believes it because a follower whose records are only in the remote tier builds
    its log on it (TierStateMachine).
    """
    return not has_replica_out_of_sync(state)


# -- KIP-950


def has_object(state: Any) -> bool:
    """The remote store has an object of the topic."""
    return any(state.segment[i].object_exists for i in range(len(state.segment)))


@guard
def is_disabled_with_objects(state: Any) -> bool:
    """The topic is disabled, and the remote store still has objects of it."""
    return bool(state.tiering == TieringState.DISABLED and has_object(state))


@liveness(source="KIP-950: disable(delete) leads to no objects", premise=is_disabled_with_objects)
def disabled_topic_is_emptied(state: Any) -> bool:
    """The objects of a disabled topic are gone in the end, unless it is tiered again."""
    return not is_disabled_with_objects(state)


@guard
def is_read_only_and_expired(state: Any) -> bool:
    """The topic is read-only, has objects, and the records of all of them may be gone."""
    if state.tiering != TieringState.READ_ONLY or not has_object(state):
        return False
    end = removable_end(state)
    for i in range(len(state.segment)):
        if state.segment[i].object_exists and state.segment[i].end_offset >= end:
            return False
    return True


@liveness(
    source="KIP-950: copyOff with finite retention leads to no objects",
    premise=is_read_only_and_expired,
)
def read_only_topic_is_emptied(state: Any) -> bool:
    """The objects of a read-only topic are gone in the end, once its retention is over.

    That retention comes to an end is up to time and producers, which need not go on.
    """
    return not is_read_only_and_expired(state)


@guard
def is_enabled_with_segment_to_copy(state: Any) -> bool:
    """The topic is tiered, and the elected leader's log has a segment to copy."""
    return bool(
        state.tiering == TieringState.ENABLED
        and not state.is_topic_deleted
        and has_segment_to_copy(state, state.elected_leader)
    )


@liveness(
    source="KIP-950: re-enable leads to every eligible local segment in F",
    premise=is_enabled_with_segment_to_copy,
)
def enabled_topic_is_copied(state: Any) -> bool:
    """Every rolled committed segment of a tiered topic is in the remote tier in the end.

    Also after it was disabled and enabled again. Unlike `rolled_segments_are_copied` it asks
    the controller's settings: a leader that never learns that it has to copy violates it.
    """
    return not is_enabled_with_segment_to_copy(state)
