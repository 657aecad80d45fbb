"""How the broker stops and starts again, and who changes its snapshot files."""

from tierproof.model.designs.producer_state.state import (
    BROKER,
    Broker,
    ProducerPartition,
    ProducerStateScope,
)
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.kafka.producer_entries import forget_entries
from tierproof.model.kafka.producer_recovery import (
    Rebuilt,
    load_producers_after_crash,
    load_producers_after_shutdown,
)
from tierproof.model.kafka.producer_snapshots import (
    corrupt_snapshot,
    empty_snapshot,
    lose_file,
    take_snapshot,
)
from tierproof.model.kafka.producer_state import SnapshotFile
from tierproof.model.kafka.scope import OffsetEnd
from tierproof.model.language import Actor, guard

DISK = Actor("log directory")
OPERATOR = Actor("operator")


@BROKER.action(Broker.RUNNING, Broker.SHUT_DOWN, budget="shutdowns")
def broker_shuts_down(state: ProducerPartition) -> None:
    """Shut down cleanly, with a snapshot of the log end.

    Kafka: UnifiedLog#close.
    """
    take_snapshot(state.log)
    forget_entries(state.log)
    state.log.producer_map_end = 0


@BROKER.action(Broker.RUNNING, Broker.CRASHED, budget="crashes")
def broker_crashes(state: ProducerPartition) -> None:
    """Stop without a snapshot; no file is lost.

    Kafka: LogManager, without .kafka_cleanshutdown.
    """
    forget_entries(state.log)
    state.log.producer_map_end = 0


@guard
def is_shut_down(state: ProducerPartition) -> bool:
    """The broker has stopped cleanly."""
    return state.broker == Broker.SHUT_DOWN


@guard
def is_crashed(state: ProducerPartition) -> bool:
    """The broker has crashed."""
    return state.broker == Broker.CRASHED


@guard
def is_checkpointed(state: ProducerPartition, log_start: OffsetEnd) -> bool:
    """The log start was checkpointed when it moved."""
    return log_start == state.log.log_start_offset


@guard
def is_flushed_segment(state: ProducerPartition, recovery_point: OffsetEnd) -> bool:
    """A segment begins at the recovery point: those before it were flushed."""
    return state.log.starts_segment[recovery_point]


def load_log(state: ProducerPartition, log_start: int, is_tiered: bool) -> None:
    """The log start is the checkpoint; without remote storage not before the first segment."""
    state.broker = Broker.RUNNING
    state.log.log_start_offset = log_start if is_tiered else max(log_start, first_base(state.log))


@BROKER.action(guards=[is_shut_down, is_checkpointed], to="log")
def broker_loads_log(
    state: ProducerPartition, log_start: OffsetEnd, scope: ProducerStateScope
) -> None:
    """Load the log after a clean shutdown.

    Kafka: LogLoader#load.
    """
    load_log(state, log_start, scope.tiered == 1)
    ended = load_producers_after_shutdown(
        state.log, scope.remembered_batches, state.now, scope.expiration_ms
    )
    if ended != Rebuilt.DONE:
        state.broker = Broker.LOG_DIR_OFFLINE


@BROKER.action(guards=[is_crashed, is_checkpointed, is_flushed_segment], to="log")
def broker_recovers_log(
    state: ProducerPartition,
    log_start: OffsetEnd,
    recovery_point: OffsetEnd,
    scope: ProducerStateScope,
) -> None:
    """Recover the log after a crash, every segment from the recovery point on.

    Kafka: LogLoader#recoverLog, #load. Left out: records that were not flushed and are lost.
    """
    load_log(state, log_start, scope.tiered == 1)
    ended = load_producers_after_crash(
        state.log,
        recovery_point,
        log_start,
        scope.remembered_batches,
        state.now,
        scope.expiration_ms,
    )
    if ended != Rebuilt.DONE:
        state.broker = Broker.LOG_DIR_OFFLINE


# -- files


@guard
def has_file(state: ProducerPartition, offset: OffsetEnd) -> bool:
    """There is a snapshot file of the offset."""
    return state.log.snapshot[offset].file != SnapshotFile.ABSENT


@DISK.action(guards=[has_file], budget="lost_snapshots")
def snapshot_is_lost(state: ProducerPartition, offset: OffsetEnd) -> None:
    """The snapshot file is gone, as that of a segment from before producer snapshots.

    Kafka: none; the running ProducerStateManager is not told.
    """
    lose_file(state.log.snapshot[offset])


@guard
def lacks_snapshot(state: ProducerPartition, offset: OffsetEnd) -> bool:
    """A segment begins there, and has no snapshot file."""
    return (
        state.log.starts_segment[offset] and state.log.snapshot[offset].file == SnapshotFile.ABSENT
    )


@OPERATOR.action(guards=[lacks_snapshot], budget="empty_snapshots")
def operator_places_empty_snapshot(state: ProducerPartition, offset: OffsetEnd) -> None:
    """Put an empty snapshot in place, as KIP-952 proposes, so that the segment can be tiered.

    Kafka: none; the running ProducerStateManager is not told.
    """
    empty_snapshot(state.log.snapshot[offset])


@guard
def has_readable_file(state: ProducerPartition, offset: OffsetEnd) -> bool:
    """There is a snapshot file of the offset, and it can be read."""
    return state.log.snapshot[offset].file == SnapshotFile.READABLE


@DISK.action(guards=[has_readable_file], budget="corrupt_snapshots")
def snapshot_is_corrupted(state: ProducerPartition, offset: OffsetEnd) -> None:
    """The snapshot file cannot be read any more.

    Kafka: ProducerStateManager#readSnapshot, CorruptSnapshotException.
    """
    corrupt_snapshot(state.log.snapshot[offset])


SYSTEM = (
    broker_loads_log,
    broker_recovers_log,
)
ENVIRONMENT = (
    broker_shuts_down,
    broker_crashes,
    snapshot_is_lost,
    snapshot_is_corrupted,
    operator_places_empty_snapshot,
)
