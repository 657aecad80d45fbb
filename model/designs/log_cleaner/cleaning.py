"""A pass of the cleaner: the offset map, one group of segments after the other, the checkpoint.

Anything may be appended between two steps, and the broker may crash.
"""

from tierproof.model.designs.log_cleaner.state import (
    AHEAD,
    CLEANER,
    INDEX_INTERVAL_BYTES,
    OVER,
    CleanerScope,
    CleanerStep,
    CompactedPartition,
)
from tierproof.model.kafka.cleanable_range import (
    cleanable_bytes,
    first_dirty_offset,
    first_uncleanable_base,
    uncleanable_offset,
)
from tierproof.model.kafka.cleaner_transactions import forget_transactions
from tierproof.model.kafka.local_segments import next_base
from tierproof.model.kafka.log_cleaner import clean_group
from tierproof.model.kafka.offset_map import fill_map, forget_map
from tierproof.model.kafka.sized_segments import segment_bytes
from tierproof.model.language import NONE, action, fence, guard

# -- the first pass


def first_dirty(state: CompactedPartition) -> int:
    """Where the first pass begins to map."""
    return first_dirty_offset(state.log, state.checkpoint)


def first_uncleanable(state: CompactedPartition) -> int:
    """The base of the segment at which cleaning ends: stable, and not active."""
    dirty = first_dirty(state)
    return first_uncleanable_base(state.log, uncleanable_offset(state.log, dirty, 0, 0))


@guard
def is_log_dirty(state: CompactedPartition) -> bool:
    """Some bytes are cleanable: min.cleanable.dirty.ratio is 0."""
    return cleanable_bytes(state.log, first_dirty(state), first_uncleanable(state)) > 0


@CLEANER.action(CleanerStep.IDLE, CleanerStep.CLEANING, guards=[is_log_dirty], to="log")
def cleaner_fills_map(state: CompactedPartition, scope: CleanerScope) -> None:
    """Read the dirty segments into the offset map, until it is full.

    Kafka: Cleaner#buildOffsetMap. Left out: that appends come between two segments, which
    the pass does not read.
    """
    fill_map(
        state.map,
        state.read,
        state.log,
        first_dirty(state),
        first_uncleanable(state),
        scope.map_keys,
        INDEX_INTERVAL_BYTES,
    )
    forget_transactions(state.read)


# -- the second pass


def end_of_map(state: CompactedPartition) -> int:
    """The first offset that the map does not cover: the next checkpoint."""
    return state.map.map_latest_offset + 1


def end_of_group(state: CompactedPartition, base: int, most_records: int) -> int:
    """The base of the first segment that does not fit into one with that at `base`.

    Kafka: Cleaner#groupSegmentsBySize.
    """
    size, at = segment_bytes(state.log, base), next_base(state.log, base)
    while at < end_of_map(state) and size + segment_bytes(state.log, at) <= most_records:
        size, at = size + segment_bytes(state.log, at), next_base(state.log, at)
    return at


@guard
def has_group(state: CompactedPartition) -> bool:
    """A segment of the map's range is not yet cleaned."""
    return state.next_base < end_of_map(state)


@CLEANER.action(CleanerStep.CLEANING, guards=[has_group], to="log")
def cleaner_cleans_group(state: CompactedPartition, scope: CleanerScope) -> None:
    """Clean the next group of segments into one, and swap it in.

    Kafka: Cleaner#cleanSegments, LocalLog#replaceSegments. Left out: a crash within the swap.
    """
    base = state.next_base
    end = end_of_group(state, base, scope.segment_records)
    clean_group(state.map, state.read, state.log, base, end, OVER, AHEAD - OVER)
    state.next_base = end


@fence(protects="cleaned_keys_have_one_record", scope="ample")
def every_group_is_cleaned(state: CompactedPartition) -> bool:
    """No segment of the map's range is left.

    The checkpoint says that what lies below it needs no map any more. The next pass would not
    map these records again, and never remove what they supersede.
    """
    return not has_group(state)


def end_pass(state: CompactedPartition) -> None:
    """The thread keeps nothing of a pass."""
    forget_map(state.map)
    forget_transactions(state.read)
    state.next_base = 0


@CLEANER.action(
    CleanerStep.CLEANING, CleanerStep.IDLE, guards=[every_group_is_cleaned], to="checkpoint"
)
def cleaner_writes_checkpoint(state: CompactedPartition) -> None:
    """Write the end of the map to the checkpoint file: the next pass begins there.

    Kafka: LogCleanerManager#doneCleaning. Left out: a log start that moves.
    """
    state.checkpoint = end_of_map(state)
    end_pass(state)


# -- what comes between


@CLEANER.action(CleanerStep.CLEANING, CleanerStep.IDLE, budget="crashes")
def broker_crashes(state: CompactedPartition) -> None:
    """The pass is over: groups that are swapped stay, and the checkpoint is the old one.

    Kafka: UnifiedLog.create after the crash. Left out: unflushed records that are lost,
    producer state that is rebuilt.
    """
    end_pass(state)


@guard
def has_horizon_ahead(state: CompactedPartition) -> bool:
    """A batch has a delete horizon in the future."""
    return any(batch.horizon == AHEAD for batch in state.log.batch)


@action(guards=[has_horizon_ahead], actor="clock")
def delete_retention_passes(state: CompactedPartition) -> None:
    """delete.retention.ms pass: every delete horizon that was set is over.

    Kafka: RecordBatch#deleteHorizonMs. Left out: times at which some are over, set in
    different passes, and some are not.
    """
    for batch in state.log.batch:
        if batch.horizon != NONE:
            batch.horizon = OVER


SYSTEM = (
    cleaner_fills_map,
    cleaner_cleans_group,
    cleaner_writes_checkpoint,
)
ENVIRONMENT = (
    delete_retention_passes,
    broker_crashes,
)
