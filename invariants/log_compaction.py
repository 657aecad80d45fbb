"""A compacted partition still says what was committed: nothing old comes back, nothing is lost.

A reader is a read-committed consumer that reads from the log start to the last stable offset.
The ghosts `committed_offset` and `committed_value` have the last committed record of each key
below the last stable offset, `is_aborted` the records of aborted transactions.
Not checked: consumers that lag by more than `delete.retention.ms`, which may miss a tombstone.
"""

from __future__ import annotations

from tierproof.invariants.fields import CleanedPartition
from tierproof.model.kafka.cleanable_range import (
    cleanable_bytes,
    first_dirty_offset,
    first_uncleanable_base,
    uncleanable_offset,
)
from tierproof.model.kafka.cleaner_retention import is_horizon_over
from tierproof.model.kafka.keyed_log import BatchKind, is_marker, last_stable_offset
from tierproof.model.kafka.local_segments import floor_base
from tierproof.model.kafka.read_committed import (
    is_skipped,
    latest_read,
    latest_value,
)
from tierproof.model.language import NONE, guard, invariant, liveness, step_property, witness

# -- what a reader sees


@guard
def is_key_deleted(state: CleanedPartition) -> bool:
    """The last committed record of some key is a tombstone."""
    return any(
        state.committed_offset[key] != NONE and state.committed_value[key] == NONE
        for key in range(len(state.committed_offset))
    )


@invariant(source="KIP-58, design: log compaction, delete markers", premise=is_key_deleted)
def deleted_keys_stay_deleted(state: CleanedPartition) -> bool:
    """A key whose last committed record is a tombstone has no value for a reader.

    Kafka believes it because a tombstone goes only after the values that it deletes: these are
    removed by the pass that maps the tombstone. A key without a committed record has no value
    either.
    """
    end = last_stable_offset(state.log)
    return all(
        state.committed_value[key] != NONE or latest_value(state.log, key, end) == NONE
        for key in range(len(state.committed_offset))
    )


@invariant(source="Kafka documentation: at least the last known value for each key is retained")
def readers_see_the_last_value(state: CleanedPartition) -> bool:
    """The last committed value of every key is there, and is the last that a reader sees.

    Not checked here: keys whose last committed record is a tombstone
    (`deleted_keys_stay_deleted`).
    """
    end = last_stable_offset(state.log)
    return all(
        state.committed_value[key] == NONE
        or latest_read(state.log, key, end) == state.committed_offset[key]
        for key in range(len(state.committed_offset))
    )


@invariant(source="KIP-98: READ_COMMITTED consumers")
def aborted_records_are_not_read(state: CleanedPartition) -> bool:
    """No reader sees a record of an aborted transaction.

    The index entry and the marker stay while a batch of the transaction does.
    """
    return all(
        not state.is_aborted[base] or is_skipped(state.log, base)
        for base in range(last_stable_offset(state.log))
        if state.log.batch[base].kind == BatchKind.DATA
    )


@step_property(source="Kafka documentation: the offset for a message never changes")
def records_never_change(before: CleanedPartition, after: CleanedPartition) -> bool:
    """A record has its offset, key and value as long as it is there, and none comes back."""
    for offset in range(before.log.log_end_offset):
        was, record = before.log.record[offset], after.log.record[offset]
        if record.is_there and not was.is_there:
            return False
        if record.is_there and (record.key != was.key or record.value != was.value):
            return False
    return True


# -- what a pass does


@invariant(source="Cleaner#buildOffsetMapForSegment")
def aborted_records_are_not_mapped(state: CleanedPartition) -> bool:
    """The offset map has no record of an aborted transaction: it would supersede a committed one.

    Kafka believes it because the first pass skips what the transaction index has.
    """
    return all(offset == NONE or not state.is_aborted[offset] for offset in state.map.mapped_offset)


@invariant(source="LogCleanerManager: the checkpoint is the end of the cleaned part")
def cleaned_keys_have_one_record(state: CleanedPartition) -> bool:
    """Below the checkpoint a reader sees no two records of one key.

    Kafka does not document it, and its first pass rests on it: it never reads these records
    again, and so could never tell which of the two is the later.
    """
    return all(
        latest_read(state.log, key, latest_read(state.log, key, state.checkpoint)) == NONE
        for key in range(len(state.committed_offset))
        if latest_read(state.log, key, state.checkpoint) != NONE
    )


@invariant(source="LogCleanerManager#cleanableOffsets: not beyond the last stable offset")
def checkpoint_is_stable(state: CleanedPartition) -> bool:
    """The checkpoint is not above the last stable offset, nor is a record that is mapped."""
    end = last_stable_offset(state.log)
    return max(state.checkpoint, state.map.map_latest_offset + 1) <= end


@invariant(source="CleanedTransactionMetadata#onControlBatchRead")
def markers_stay_with_their_records(state: CleanedPartition) -> bool:
    """A stable transactional record is followed by the marker of its own transaction.

    A marker may be deleted once no batch of its transaction is left.
    """
    return all(
        has_own_marker(state, base)
        for base in range(last_stable_offset(state.log))
        if state.log.record[base].is_there and state.log.batch[base].is_transactional
    )


def has_own_marker(state: CleanedPartition, base: int) -> bool:
    """The producer's next marker is the one that ended the transaction of this batch."""
    batch = state.log.batch[base]
    for at in range(base + 1, state.log.log_end_offset):
        marker = state.log.batch[at]
        if is_marker(marker.kind) and marker.producer == batch.producer:
            is_abort = marker.kind == BatchKind.ABORT
            return is_abort == state.is_aborted[base] and marker.transaction_first <= base
    return False


@step_property(source="delete.retention.ms")
def expired_tombstones_are_removed(before: CleanedPartition, after: CleanedPartition) -> bool:
    """A pass leaves no tombstone in its range whose delete horizon was over.

    Not promised: that there is a pass. A log that nobody writes to keeps its tombstones.
    """
    end = min(after.next_base, before.map.map_latest_offset + 1)
    return not any(
        after.log.record[base].is_there
        and before.log.record[base].value == NONE
        and is_horizon_over(before.log.batch[base].horizon, 0)
        for base in range(before.next_base, end)
    )


# -- in the end


@guard
def is_log_dirty(state: CleanedPartition) -> bool:
    """There are stable bytes in inactive segments above the checkpoint."""
    dirty = first_dirty_offset(state.log, state.checkpoint)
    end = first_uncleanable_base(state.log, uncleanable_offset(state.log, dirty, 0, 0))
    return cleanable_bytes(state.log, dirty, end) > 0


@liveness(source="LogCleaner#cleanFilthiestLog", premise=is_log_dirty)
def dirty_log_is_cleaned(state: CleanedPartition) -> bool:
    """A dirty log is cleaned in the end, however little the offset map takes."""
    return not is_log_dirty(state)


# -- what it can do


@witness(source="Cleaner#buildOffsetMap: the map is full, or a crash before the checkpoint")
def checkpoint_lies_inside_a_segment(state: CleanedPartition) -> bool:
    """The checkpoint lies inside a segment."""
    return state.checkpoint != floor_base(state.log, state.checkpoint)


@witness(source="Cleaner#groupSegmentsBySize")
def one_of_several_groups_is_cleaned(state: CleanedPartition) -> bool:
    """A group of segments is cleaned, and another one of the same pass is not yet."""
    return 0 < state.next_base <= state.map.map_latest_offset


@witness(source="Cleaner#shouldRetainRecord")
def tombstone_is_removed(state: CleanedPartition) -> bool:
    """A key was deleted, and the log has no record of it."""
    return any(
        state.committed_offset[key] != NONE
        and state.committed_value[key] == NONE
        and not any(record.key == key for record in state.log.record)
        for key in range(len(state.committed_offset))
    )


@witness(source="CleanedTransactionMetadata#onControlBatchRead")
def marker_is_stamped(state: CleanedPartition) -> bool:
    """A marker has a delete horizon: no batch of its transaction is left."""
    return any(is_marker(batch.kind) and batch.horizon != NONE for batch in state.log.batch)


@witness(source="MemoryRecords#filterTo: RETAIN_EMPTY")
def empty_batch_is_retained(state: CleanedPartition) -> bool:
    """A batch without records stays for its producer."""
    return any(
        state.log.batch[base].kind == BatchKind.DATA and not state.log.record[base].is_there
        for base in range(len(state.log.batch))
    )
