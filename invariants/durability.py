"""Committed records are not lost."""

from __future__ import annotations

from tierproof.invariants.fields import Partition
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
    is_readable_from_log_start,
    removable_end,
)
from tierproof.model.kafka.leader_epoch_lineage import epoch_for_offset
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.replica import is_copy_enabled
from tierproof.model.language import NONE, invariant, step_property


@invariant(source="KIP-405: Cover", premise=is_led)
def committed_records_stay_readable(state: Partition) -> bool:
    """Every committed offset from the log start on is readable at the leader.

    Kafka believes it because local segments are deleted only once they are copied, and the
    log start moves before objects are deleted. Suspended while the leader's cache is not
    initialized: the answer is a retriable error. Not suspended within a disable. Not checked:
    what the record contains (`reads_return_what_was_committed`); reads at followers.
    """
    return is_readable_from_log_start(state, current_leader(state))


@invariant(source="KIP-405: Cover, for records that nothing allows to be removed", premise=is_led)
def no_committed_record_lost(state: Partition) -> bool:
    """Every committed record that nothing allows to be removed is readable at the leader.

    Unlike `committed_records_stay_readable` it looks below the log start too, and leaves out
    offsets that retention or a user allows to be removed.
    """
    return all(
        is_readable(state, current_leader(state), offset)
        for offset in range(removable_end(state), committed_end(state))
    )


@step_property(source="KIP-405: NoEarlyDelete")
def log_start_passes_only_what_may_go(before: Partition, after: Partition) -> bool:
    """A log start moves only past offsets that retention or a user allows to be removed.

    Holds at every broker, because any of them may lead next. Records that are not committed
    do not count for retention by size.
    """
    for b in range(len(after.broker)):
        start = after.broker[b].log_start_offset
        if start > before.broker[b].log_start_offset and start > removable_end(after):
            return False
    return True


@step_property(source="KIP-405: NoEarlyDelete")
def object_deleted_only_when_not_needed(before: Partition, after: Partition) -> bool:
    """An object is deleted only if each of its records may be removed or exists elsewhere.

    Elsewhere is another finished segment, or the log of the elected leader, whether or not it
    knows yet that it leads. Records that were never committed, or that an unclean election
    dropped, are not needed.
    """
    for i in range(len(after.segment)):
        if before.segment[i].object_exists and not after.segment[i].object_exists:
            copy = after.segment[i]
            for offset in range(max(copy.start_offset, removable_end(after)), copy.end_offset + 1):
                if is_needed(after, i, offset):
                    return False
    return True


def is_needed(state: Partition, segment: int, offset: int) -> bool:
    """The object of this segment was the last place where the leader had a committed record."""
    epoch = state.committed[offset].epoch
    if epoch == NONE or not holds_committed(state, segment, offset):
        return False
    leader = state.elected_leader
    lineage = state.broker[leader].lineage
    if has_locally(state, leader, offset) and epoch_for_offset(lineage, offset) == epoch:
        return False
    return not is_covered(state, finished_ids(state), offset, True)


@step_property(source="KIP-405: LocalSafe")
def local_segment_removed_only_once_copied(before: Partition, after: Partition) -> bool:
    """With tiering and copying on, only a copied local segment, or one below the start, is removed.

    Copied means that, when the files are removed, the metadata topic has some id as
    COPY_SEGMENT_FINISHED that covers the offset with what was committed there. Below the start
    is below the log start. Suspended for offsets that may be removed anyhow, as the log start
    of a follower lags. Not checked: a log that is truncated, or lost with its disk.
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
def highest_remote_offset_is_sound(state: Partition) -> bool:
    """Everything from the log start to a broker's highest remote offset is in the remote tier.

    Local retention trusts this offset alone. Checked where remote storage is on, also at
    followers and zombies. Suspended for offsets that may be removed, as the log start of a
    follower lags.
    """
    for b in range(len(state.broker)):
        broker = state.broker[b]
        is_tiered = broker.settings.remote_storage_enable and has_replica(state, b)
        if is_tiered and not is_remote_up_to(state, b, broker.highest_remote_offset):
            return False
    return True


@invariant(source="KIP-950: HiSound, copied[b] recomputed from finished ids only")
def copied_offset_is_sound(state: Partition) -> bool:
    """Everything from the log start to the cursor of a copy task is in the remote tier.

    What lies below the cursor is never copied again. Suspended as for
    `highest_remote_offset_is_sound`.
    """
    return all(
        state.broker[b].copy_task != CopyTask.READY
        or is_remote_up_to(state, b, state.broker[b].copied_offset)
        for b in range(len(state.broker))
    )


def is_remote_up_to(state: Partition, broker: int, last_offset: int) -> bool:
    """Finished ids with objects cover all committed records from the log start to `last_offset`."""
    low = state.broker[broker].log_start_offset
    if last_offset < low:
        return True
    ids = finished_ids(state)
    return all(
        is_covered(state, ids, offset, True)
        for offset in range(max(low, removable_end(state)), last_offset + 1)
    )
