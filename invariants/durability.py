"""Committed records are not lost."""

from __future__ import annotations

from typing import Any

from tierproof.invariants.vocabulary import (
    committed_end,
    current_leader,
    finished_ids,
    has_locally,
    has_replica,
    holds_committed,
    is_covered,
    is_led,
    is_readable,
    removable_end,
)
from tierproof.model.kafka.leader_epoch_lineage import epoch_for_offset
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.replica import is_copy_enabled
from tierproof.model.language import NONE, invariant, step_property


@invariant(source="KIP-405: Cover", premise=is_led)
def committed_records_stay_readable(state: Any) -> bool:
    """Every committed offset from the log start on is readable at the leader.

    Kafka believes it because local segments go only once they are copied, and the log
    start moves before objects go. Suspended while the leader's cache is not initialized:
    the answer is a retriable error. Not suspended within a disable. Not checked: what the
    record contains (`reads_return_what_was_committed`); reads at followers.
    """
    leader = current_leader(state)
    for offset in range(state.broker[leader].log_start_offset, committed_end(state)):
        if not is_readable(state, leader, offset):
            return False
    return True


@invariant(source="KIP-405: Cover, for records that nothing allows to go", premise=is_led)
def no_committed_record_lost(state: Any) -> bool:
    """Every committed record that nothing allows to be removed is readable at the leader.

    Unlike `committed_records_stay_readable` it looks below the log start too, and leaves
    out offsets that retention or a user has let go of.
    """
    leader = current_leader(state)
    for offset in range(removable_end(state), committed_end(state)):
        if not is_readable(state, leader, offset):
            return False
    return True


@step_property(source="KIP-405: NoEarlyDelete")
def log_start_passes_only_what_may_go(before: Any, after: Any) -> bool:
    """A log start moves only past offsets that retention or a user lets go of.

    Holds at every broker, because any of them may lead next. Records that are not committed
    do not count for retention by size.
    """
    for b in range(len(after.broker)):
        start = after.broker[b].log_start_offset
        if start > before.broker[b].log_start_offset and start > removable_end(after):
            return False
    return True


@step_property(source="KIP-405: NoEarlyDelete")
def object_deleted_only_when_not_needed(before: Any, after: Any) -> bool:
    """An object goes only if its records may go, are in another one, or are local at the leader.

    Another one is finished. The leader is the elected one, whether or not it knows yet.
    Records that were never committed, or that an unclean election dropped, are not needed.
    """
    for i in range(len(after.segment)):
        if before.segment[i].object_exists and not after.segment[i].object_exists:
            it = after.segment[i]
            for offset in range(max(it.start_offset, removable_end(after)), it.end_offset + 1):
                if is_needed(after, i, offset):
                    return False
    return True


def is_needed(state: Any, segment: int, offset: int) -> bool:
    """The object of this segment was the last place where the leader had a committed record."""
    if state.committed[offset].epoch == NONE or not holds_committed(state, segment, offset):
        return False
    leader = state.elected_leader
    if has_locally(state, leader, offset) and (
        epoch_for_offset(state.broker[leader].lineage, offset) == state.committed[offset].epoch
    ):
        return False
    return not is_covered(state, finished_ids(state), offset, True)


@step_property(source="KIP-405: LocalSafe")
def local_segment_removed_only_once_copied(before: Any, after: Any) -> bool:
    """With tiering and copying on, a local segment goes only below the log start or once copied.

    Copied means that the metadata topic has some id as COPY_SEGMENT_FINISHED that covers the
    offset with what was committed there, when the files go. Suspended for offsets that may be
    gone anyhow, as the log start of a follower lags. Not checked: a log that is cut at its
    end, or lost with its disk.
    """
    for b in range(len(after.broker)):
        old, new = before.broker[b], after.broker[b]
        if not has_replica(after, b) or first_base(new) <= first_base(old):
            continue
        if not is_copy_enabled(old) or not is_copy_enabled(new):
            continue
        low = max(first_base(old), new.log_start_offset, removable_end(after))
        for offset in range(low, min(first_base(new), old.log_end_offset)):
            if not is_covered(after, finished_ids(after), offset, False):
                return False
    return True


@invariant(source="KIP-405: HiSound")
def highest_remote_offset_is_sound(state: Any) -> bool:
    """Everything from the log start to a broker's highest remote offset is in the remote tier.

    Local retention trusts this offset alone. Checked where remote storage is on, also at
    followers and zombies. Suspended for offsets that may be gone, as the log start of a
    follower lags.
    """
    for b in range(len(state.broker)):
        me = state.broker[b]
        is_tiered = me.settings.remote_storage_enable and has_replica(state, b)
        if is_tiered and not is_remote_up_to(state, b, me.highest_remote_offset):
            return False
    return True


@invariant(source="KIP-950: HiSound, copied[b] recomputed from finished ids only")
def copied_offset_is_sound(state: Any) -> bool:
    """Everything from the log start to the cursor of a copy task is in the remote tier.

    What lies below the cursor is never copied again. Suspended as for
    `highest_remote_offset_is_sound`.
    """
    for b in range(len(state.broker)):
        me = state.broker[b]
        if me.copy_task == CopyTask.READY and not is_remote_up_to(state, b, me.copied_offset):
            return False
    return True


def is_remote_up_to(state: Any, broker: int, last_offset: int) -> bool:
    """Finished ids with objects cover all committed records from the log start to `last_offset`."""
    low = state.broker[broker].log_start_offset
    if last_offset < low:
        return True
    ids = finished_ids(state)
    for offset in range(max(low, removable_end(state)), last_offset + 1):
        if not is_covered(state, ids, offset, True):
            return False
    return True
