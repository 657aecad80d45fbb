"""What the broker does with its segments, its snapshots and its producers while it runs."""

from typing import Annotated

from tierproof.model.designs.producer_state.appending import is_running
from tierproof.model.designs.producer_state.state import (
    BROKER,
    Broker,
    ProducerPartition,
    ProducerReplicaLog,
    ProducerStateScope,
)
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.local_segments import first_base, floor_base, next_base, roll
from tierproof.model.kafka.producer_entries import expire_producers, forget_batches, has_expired
from tierproof.model.kafka.producer_recovery import (
    Rebuilt,
    raise_log_start_of_producers,
    truncate_producers,
    truncate_producers_fully,
)
from tierproof.model.kafka.producer_snapshots import remove_snapshots_of, take_snapshot
from tierproof.model.kafka.producer_state import ProducerScope
from tierproof.model.kafka.scope import Offset, OffsetEnd
from tierproof.model.language import NONE, Actor, Range, action, guard, initial, limit

USER = Actor("user")


@initial
def new_log(state: ProducerPartition) -> None:
    """The log is empty: one segment."""
    roll(state.log)


# -- the clock


@limit
def clock_has_room(
    state: ProducerPartition,
    ms: Annotated[int, Range(1, ProducerScope.producer_ms)],
    scope: ProducerStateScope,
) -> bool:
    """The clock of the scope goes as far."""
    return state.now + ms <= scope.producer_ms


@action(guards=[clock_has_room], actor="clock")
def time_passes(
    state: ProducerPartition, ms: Annotated[int, Range(1, ProducerScope.producer_ms)]
) -> None:
    """Time passes; nothing expires by that alone."""
    state.now += ms


@guard
def somebody_has_expired(state: ProducerPartition, scope: ProducerStateScope) -> bool:
    """A producer was idle for producer.id.expiration.ms, and has no open transaction."""
    return any(
        entry.is_known
        and has_expired(entry.transaction_start, entry.timestamp, state.now, scope.expiration_ms)
        for entry in state.log.producer
    )


@BROKER.action(guards=[is_running, somebody_has_expired])
def broker_expires_producers(state: ProducerPartition, scope: ProducerStateScope) -> None:
    """Forget the producers that were idle for too long.

    Kafka: ProducerStateManager#removeExpiredProducers, producer.id.expiration.check.interval.ms.
    """
    expire_producers(state.log, state.now, scope.expiration_ms)


# -- segments


@guard
def active_segment_has_records(state: ProducerPartition) -> bool:
    """Something was appended since the last roll."""
    return floor_base(state.log, state.log.log_end_offset) < state.log.log_end_offset


@BROKER.action(guards=[is_running, active_segment_has_records], to="log")
def broker_rolls_segment(state: ProducerPartition) -> None:
    """Roll the active segment, and take a snapshot at its end.

    Kafka: UnifiedLog#roll.
    """
    roll(state.log)
    state.log.producer_map_end = state.log.log_end_offset
    take_snapshot(state.log)


@guard
def snapshots_are_taken_early(state: ProducerPartition) -> bool:
    """Nobody asks for a snapshot but at a roll, a shutdown and a rebuild."""
    return False


@BROKER.action(guards=[is_running, snapshots_are_taken_early])
def broker_takes_snapshot(state: ProducerPartition) -> None:
    """Take a snapshot of everything so far.

    Kafka: UnifiedLog#takeProducerSnapshot.
    """
    take_snapshot(state.log)


@guard
def is_above_log_start(state: ProducerPartition, offset: OffsetEnd) -> bool:
    """The offset is above the log start and not above the high watermark, the log end."""
    return state.log.log_start_offset < offset <= state.log.log_end_offset


@USER.action(guards=[is_running, is_above_log_start], budget="record_deletions", to="log")
def user_deletes_records(state: ProducerPartition, offset: OffsetEnd) -> None:
    """Raise the log start, which deletes no segment by itself.

    Kafka: UnifiedLog#maybeIncrementLogStartOffset, ClientRecordDeletion.
    """
    state.log.log_start_offset = offset
    raise_log_start_of_producers(state.log)


def deletable_end(log: ProducerReplicaLog) -> int:
    """The first segment that is not wholly below the log start; the active one always stays."""
    base = first_base(log)
    following = next_base(log, base)
    while following != NONE and following <= log.log_start_offset:
        base = following
        following = next_base(log, base)
    return base


@guard
def has_deletable_segment(state: ProducerPartition) -> bool:
    """A segment lies wholly below the log start."""
    return deletable_end(state.log) > first_base(state.log)


@BROKER.action(guards=[is_running, has_deletable_segment], to="log")
def broker_deletes_segments(state: ProducerPartition) -> None:
    """Delete the segments that lie wholly below the log start, with their snapshots.

    Kafka: UnifiedLog#deleteOldSegments, #deleteProducerSnapshots.
    """
    log, end = state.log, deletable_end(state.log)
    remove_snapshots_of(log, 0, end)
    for base in range(end):
        log.starts_segment[base] = False
    forget_batches(log, 0, end)


# -- a follower's log is cut


@guard
def begins_a_batch(state: ProducerPartition, offset: Offset) -> bool:
    """A batch begins at the offset, in the log."""
    return state.log.batch[offset].kind != BatchKind.ABSENT and offset >= state.log.log_start_offset


@guard
def is_below_log_end(state: ProducerPartition, offset: Offset) -> bool:
    """The offset lies before the log end."""
    return offset < state.log.log_end_offset


@BROKER.action(
    guards=[is_running, is_below_log_end, begins_a_batch], budget="truncations", to="log"
)
def follower_truncates(state: ProducerPartition, offset: Offset, scope: ProducerStateScope) -> None:
    """Cut the log at the offset, and build the producer state of what is left.

    Kafka: UnifiedLog#truncateTo. Before the first segment it is truncateFullyAndStartAt. An
    exception while batches are read leaves the state where it is.
    """
    log = state.log
    if offset < first_base(log):
        empty_log(log, offset, offset)
        truncate_producers_fully(log, offset)
        return
    cut_log(log, offset)
    ended = truncate_producers(
        log, offset, scope.remembered_batches, state.now, scope.expiration_ms
    )
    if ended == Rebuilt.SNAPSHOT_GONE:
        state.broker = Broker.LOG_DIR_OFFLINE


def cut_log(log: ProducerReplicaLog, offset: int) -> None:
    """LocalLog#truncateTo: the log ends at the offset, and does not start after it."""
    for base in range(offset + 1, log.log_end_offset + 1):
        log.starts_segment[base] = False
    forget_batches(log, offset, log.log_end_offset)
    log.log_end_offset = offset
    log.log_start_offset = min(log.log_start_offset, offset)


def empty_log(log: ProducerReplicaLog, offset: int, log_start: int) -> None:
    """LocalLog#truncateFullyAndStartAt: one empty segment."""
    for base in range(len(log.starts_segment)):
        log.starts_segment[base] = base == offset
    forget_batches(log, 0, log.log_end_offset)
    log.log_end_offset = offset
    log.log_start_offset = log_start


@guard
def leader_has_deleted_all(state: ProducerPartition, offset: Offset, log_start: Offset) -> bool:
    """The leader's log starts at the follower's log end: its records were deleted."""
    return offset == log_start == state.log.log_end_offset > state.log.log_start_offset


@BROKER.action(guards=[is_running, leader_has_deleted_all], budget="emptied_logs", to="log")
def follower_truncates_fully(state: ProducerPartition, offset: Offset, log_start: Offset) -> None:
    """Empty the log, and begin it at the offset.

    Kafka: UnifiedLog#truncateFullyAndStartAt.
    """
    empty_log(state.log, offset, log_start)
    truncate_producers_fully(state.log, offset)


SYSTEM = (
    broker_deletes_segments,
    broker_expires_producers,
)
