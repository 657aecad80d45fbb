"""What is written to the log: records, transactions and their markers, new segments."""

from tierproof.model.designs.log_cleaner.state import (
    RECORD_BYTES,
    CleanerScope,
    CompactedPartition,
    OptionalValue,
    Producer,
)
from tierproof.model.kafka.keyed_log import (
    BatchKind,
    Key,
    append_marker,
    append_record,
    end_batch,
    roll_at,
    set_producer,
)
from tierproof.model.kafka.sized_segments import active_base
from tierproof.model.language import NONE, Actor, action, guard, initial, limit

CLIENT = Actor("client")
PRODUCER = Actor("producer {producer}")
COORDINATOR = Actor("transaction coordinator")


@initial
def new_log(state: CompactedPartition) -> None:
    """The log is empty: one segment."""
    roll_at(state.log, 0)


@limit
def log_has_room(state: CompactedPartition, scope: CleanerScope) -> bool:
    """Another offset."""
    return state.log.log_end_offset < scope.offsets


@limit
def log_has_room_for_marker(state: CompactedPartition, scope: CleanerScope) -> bool:
    """Another offset, and one for the marker of every transaction that is open."""
    opened = sum(entry.open_first != NONE for entry in state.log.producer)
    return state.log.log_end_offset + opened < scope.offsets


def append_batch(state: CompactedPartition, key: int, value: int) -> int:
    """Append a record, which is replicated at once; its offset."""
    base = state.log.log_end_offset
    append_record(state.log, key, value, 0)
    end_batch(state.log, base, 0, RECORD_BYTES)
    state.log.high_watermark = state.log.log_end_offset
    return base


@CLIENT.action(guards=[log_has_room_for_marker], to="log")
def client_appends_record(state: CompactedPartition, key: Key, value: OptionalValue) -> None:
    """Append a value or a tombstone outside of transactions.

    Kafka: UnifiedLog#appendAsLeader. Left out: batches of several records, producer ids.
    """
    append_batch(state, key, value)


@limit
def transaction_has_room(
    state: CompactedPartition, producer: Producer, scope: CleanerScope
) -> bool:
    """An offset for the record, and for the markers of all transactions that are open then."""
    opened = sum(entry.open_first != NONE for entry in state.log.producer)
    begins = state.log.producer[producer].open_first == NONE
    return state.log.log_end_offset + opened + begins < scope.offsets


@PRODUCER.action(guards=[transaction_has_room], to="log")
def producer_appends_record(
    state: CompactedPartition, producer: Producer, key: Key, value: OptionalValue
) -> None:
    """Append a value or a tombstone within the producer's transaction, which may begin so.

    Kafka: UnifiedLog#appendAsLeader. Left out: sequence numbers, producer epochs.
    """
    base = append_batch(state, key, value)
    set_producer(state.log, base, producer, 0, NONE, True)


@guard
def is_transaction_open(state: CompactedPartition, producer: Producer) -> bool:
    """The producer has a transaction with records."""
    return state.log.producer[producer].open_first != NONE


@COORDINATOR.action(guards=[is_transaction_open, log_has_room], to="log")
def coordinator_ends_transaction(
    state: CompactedPartition, producer: Producer, commits: bool
) -> None:
    """Append a COMMIT or an ABORT marker.

    Kafka: ProducerAppendInfo#appendEndTxnMarker. Left out: markers of transactions that have
    no records here.
    """
    kind = BatchKind.COMMIT if commits else BatchKind.ABORT
    append_marker(state.log, kind, producer, 0, 0, RECORD_BYTES)
    state.log.high_watermark = state.log.log_end_offset


@guard
def active_segment_has_records(state: CompactedPartition) -> bool:
    """Something was appended since the last roll."""
    return active_base(state.log) < state.log.log_end_offset


@action(guards=[active_segment_has_records], actor="broker", to="log")
def broker_rolls_segment(state: CompactedPartition) -> None:
    """Roll the active segment.

    Kafka: UnifiedLog#maybeRoll. Left out: why; an empty segment is not replaced.
    """
    roll_at(state.log, 0)


ENVIRONMENT = (
    client_appends_record,
    producer_appends_record,
    coordinator_ends_transaction,
    broker_rolls_segment,
)
