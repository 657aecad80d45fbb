"""What must happen in the end, if every step of the system that stays possible is taken.

All steps of the system are fair (`Fairness`): no fault need ever happen, no user need act,
time need not pass. Goals speak of the whole partition: none of its segments is left to be
copied, deleted or removed. Not expressible: a store that is down for ever (its failures are
budgets), and readers with a position (`records_become_readable` stands for them).
"""

from __future__ import annotations

from tierproof.invariants.fields import Partition, Topic
from tierproof.invariants.vocabulary import (
    committed_end,
    current_leader,
    finished_ids,
    has_object,
    has_replica,
    is_covered,
    is_in_sync,
    is_led,
    is_readable_from_log_start,
    removable_end,
)
from tierproof.model.kafka.copy_task import last_stable_offset
from tierproof.model.kafka.local_retention import surplus_bytes
from tierproof.model.kafka.local_segments import bytes_between, first_base, next_base
from tierproof.model.kafka.replica import is_copy_enabled
from tierproof.model.kafka.topic_config import TieringState
from tierproof.model.language import NONE, guard, liveness


def has_segment_to_copy(state: Partition, broker: int) -> bool:
    """A rolled local segment below the last stable offset is not in the remote tier as a whole."""
    replica, finished = state.broker[broker], finished_ids(state)
    end, base = min(last_stable_offset(replica), committed_end(state)), first_base(replica)
    following = next_base(replica, base)
    while following != NONE and following <= end:
        for offset in range(max(base, replica.log_start_offset), following):
            if not is_covered(state, finished, offset, True):
                return True
        base = following
        following = next_base(replica, base)
    return False


@guard
def is_copy_due(state: Partition) -> bool:
    """The elected leader's log has a segment to copy, and its settings enable copying."""
    leader = state.elected_leader
    if state.is_topic_deleted or not is_copy_enabled(state.broker[leader]):
        return False
    return has_segment_to_copy(state, leader)


@liveness(source="KIP-405: Upload", premise=is_copy_due)
def rolled_segments_are_copied(state: Partition) -> bool:
    """Rolled segments of committed and decided records are in the remote tier in the end.

    Elections end, and so do failures of the store. Kafka believes it because every run of the
    copy task resumes after the last segment that it copied. Not checked: transactions that
    nobody ends.
    """
    return not is_copy_due(state)


@guard
def has_expired_object(state: Partition) -> bool:
    """An object exists whose records may all be removed."""
    end = removable_end(state)
    return any(copy.object_exists and copy.end_offset < end for copy in state.segment)


@liveness(source="KIP-405: Expire", premise=has_expired_object)
def expired_objects_are_deleted(state: Partition) -> bool:
    """Objects whose records may all be removed are deleted in the end.

    Retention allows it, or a user deleted the records or the topic. Kafka believes it because
    the leader's expiration task runs again and again; a deleted topic has no such task.
    """
    return not has_expired_object(state)


@guard
def has_expired_local_segment(state: Partition) -> bool:
    """A replica has a rolled local segment whose records may all be removed."""
    end = removable_end(state)
    for b in range(len(state.broker)):
        if has_replica(state, b):
            following = next_base(state.broker[b], first_base(state.broker[b]))
            if following != NONE and following <= end:
                return True
    return False


@liveness(source="KIP-405: Expire, locally", premise=has_expired_local_segment)
def expired_local_segments_are_removed(state: Partition) -> bool:
    """Every replica removes, in the end, rolled segments whose records may all be removed.

    Not checked: the active segment.
    """
    return not has_expired_local_segment(state)


@guard
def has_expired_record_that_no_limit_keeps(state: Partition) -> bool:
    """A replica's local retention allows no byte, and all its records may be removed."""
    for b in range(len(state.broker)):
        log = state.broker[b]
        held = log.log_end_offset - first_base(log)
        is_all_surplus = held > 0 and surplus_bytes(log) >= bytes_between(
            log.records, first_base(log), log.log_end_offset
        )
        if has_replica(state, b) and is_all_surplus and log.log_end_offset <= removable_end(state):
            return True
    return False


@liveness(
    source="KIP-405: Expire, of a topic that nobody writes to",
    premise=has_expired_record_that_no_limit_keeps,
)
def idle_topic_is_emptied(state: Partition) -> bool:
    """Where local retention allows no byte, a replica whose records have all expired is emptied.

    Unlike `expired_local_segments_are_removed` it asks for the active segment too. Kafka
    believes it because retention rolls an active segment that it reaches (KAFKA-15047).
    """
    return not has_expired_record_that_no_limit_keeps(state)


@liveness(source="KIP-405: ReadProgress")
def records_become_readable(state: Partition) -> bool:
    """Again and again a leader leads and serves every committed offset from its log start on.

    So a reader that tries again makes progress. An offset may be unreadable for a while
    (`committed_records_stay_readable`), but not for ever.
    """
    return state.is_topic_deleted or (
        is_led(state) and is_readable_from_log_start(state, current_leader(state))
    )


@guard
def has_replica_out_of_sync(state: Partition) -> bool:
    """The topic exists, and one of its replicas is not in sync."""
    if state.is_topic_deleted:
        return False
    return any(has_replica(state, b) and not is_in_sync(state, b) for b in range(len(state.broker)))


@liveness(source="KIP-405: FollowerProgress", premise=has_replica_out_of_sync)
def followers_get_in_sync(state: Partition) -> bool:
    """Replicas that are out of sync, also empty ones, are in sync in the end.

    Kafka believes it because a follower, where the records it lacks are in the remote tier
    only, begins its log after them (TierStateMachine).
    """
    return not has_replica_out_of_sync(state)


# -- KIP-950


@guard
def is_disabled_with_objects(state: Topic) -> bool:
    """The topic is disabled, and the remote store still has objects of it."""
    return state.tiering == TieringState.DISABLED and has_object(state)


@liveness(source="KIP-950: disable(delete) leads to no objects", premise=is_disabled_with_objects)
def disabled_topic_is_emptied(state: Topic) -> bool:
    """The objects of a disabled topic are deleted in the end, unless it is tiered again."""
    return not is_disabled_with_objects(state)


@guard
def is_read_only_and_expired(state: Topic) -> bool:
    """The topic is read-only, has objects, and the records of all of them may be removed."""
    if state.tiering != TieringState.READ_ONLY or not has_object(state):
        return False
    end = removable_end(state)
    return all(copy.end_offset < end for copy in state.segment if copy.object_exists)


@liveness(
    source="KIP-950: copyOff with finite retention leads to no objects",
    premise=is_read_only_and_expired,
)
def read_only_topic_is_emptied(state: Topic) -> bool:
    """The objects of a read-only topic are deleted in the end, once retention is over for all.

    Whether retention is ever over depends on time and producers, which need not act.
    """
    return not is_read_only_and_expired(state)


@guard
def is_enabled_with_segment_to_copy(state: Topic) -> bool:
    """The topic is tiered, and the elected leader's log has a segment to copy."""
    return (
        state.tiering == TieringState.ENABLED
        and not state.is_topic_deleted
        and has_segment_to_copy(state, state.elected_leader)
    )


@liveness(
    source="KIP-950: re-enable leads to every eligible local segment in F",
    premise=is_enabled_with_segment_to_copy,
)
def enabled_topic_is_copied(state: Topic) -> bool:
    """Every rolled committed segment of a tiered topic is in the remote tier in the end.

    Also after it was disabled and enabled again. Unlike `rolled_segments_are_copied` it asks
    the controller's settings: a leader that never learns that it has to copy violates it.
    """
    return not is_enabled_with_segment_to_copy(state)
