"""Committed records are not lost."""

from __future__ import annotations

from typing import Any

from invariants.vocabulary import (
    committed_end,
    current_leader,
    is_led,
    is_readable,
    is_served_remotely,
    removable_end,
)
from model.kafka.local_log import first_local_offset
from model.kafka.remote_segment import SegmentState
from model.kafka.replica import is_copy_enabled
from model.language import NONE, invariant, step_property


@invariant(source="KIP-405: Cover", premise=is_led)
def committed_records_stay_readable(state: Any) -> bool:
    """Every committed offset from the log start on is readable at the leader.

    Kafka believes it because local segments go only once they are copied, and the log
    start moves before objects go. Not suspended, not even within a disable. Not checked:
    what the record contains (`serving` is trusted to name a copy of the right offset).
    """
    leader = current_leader(state)
    for offset in range(state.broker[leader].log_start_offset, committed_end(state)):
        if not is_readable(state, leader, offset):
            return False
    return True


@invariant(source="KIP-405: Cover, for records that nothing allows to go", premise=is_led)
def no_committed_record_lost(state: Any) -> bool:
    """Every committed offset that nothing allows to be removed is readable at the leader.

    Unlike `committed_records_stay_readable` it looks below the log start too, and leaves
    out offsets that retention or a disable with delete has let go of.
    """
    leader = current_leader(state)
    for offset in range(removable_end(state), committed_end(state)):
        if not is_readable(state, leader, offset):
            return False
    return True


@step_property(source="KIP-405: NoEarlyDelete")
def log_start_passes_only_what_may_go(before: Any, after: Any) -> bool:
    """A log start moves only past offsets that retention or a disable with delete lets go of.

    Holds at every broker, because any of them may lead next.
    """
    for b in range(len(after.broker)):
        start = after.broker[b].log_start_offset
        if start > before.broker[b].log_start_offset and start > removable_end(after):
            return False
    return True


@step_property(source="KIP-405: NoEarlyDelete")
def object_deleted_only_when_not_needed(before: Any, after: Any) -> bool:
    """An object goes only if its offset may go, is served by another, or is local at the leader.

    The leader is the elected one, whether or not it knows yet.
    """
    leader = after.broker[after.elected_leader]
    for i in range(len(after.segment)):
        if before.segment[i].object_exists and not after.segment[i].object_exists:
            offset = after.segment[i].offset
            if (
                offset >= removable_end(after)
                and offset < first_local_offset(leader)
                and not is_served_remotely(after, offset)
            ):
                return False
    return True


@step_property(source="KIP-405: LocalSafe")
def local_segment_removed_only_once_copied(before: Any, after: Any) -> bool:
    """With tiering and copying on, a local segment goes only below the log start or once copied.

    Copied means that some id is COPY_SEGMENT_FINISHED for the offset when the local copy goes.
    """
    for b in range(len(after.broker)):
        if is_copy_enabled(before.broker[b]) and is_copy_enabled(after.broker[b]):
            low = max(first_local_offset(before.broker[b]), after.broker[b].log_start_offset)
            for offset in range(low, first_local_offset(after.broker[b])):
                if not is_copy_finished(after, offset):
                    return False
    return True


@invariant(source="KIP-405: HiSound")
def highest_remote_offset_is_sound(state: Any) -> bool:
    """Everything from the log start to a broker's highest remote offset is in the remote tier.

    Local retention trusts this offset alone. Checked where remote storage is on, also at
    followers and zombies.
    """
    for b in range(len(state.broker)):
        replica = state.broker[b]
        if replica.settings.remote_storage_enable:
            for offset in range(replica.log_start_offset, replica.highest_remote_offset + 1):
                if not is_served_remotely(state, offset):
                    return False
    return True


def is_copy_finished(state: Any, offset: int) -> bool:
    """Some id is COPY_SEGMENT_FINISHED for the offset."""
    segment = state.serving[offset]
    return bool(
        segment != NONE and state.segment[segment].state == SegmentState.COPY_SEGMENT_FINISHED
    )
