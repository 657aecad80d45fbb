"""The leader's log and every replica's local retention; DeleteRecords of a user."""

from typing import Annotated

from model.designs.kip405.state import Broker, Partition, RecordBytes, RecordTime, TieredPartition
from model.kafka.local_retention import (
    Reason,
    delete_old_segments,
    raise_log_start,
    retained_from,
)
from model.kafka.local_segments import first_base, needs_roll, roll
from model.kafka.replica import high_watermark, is_leading
from model.kafka.scope import OffsetEnd
from model.language import Range, action, guard, limit

Duration = Annotated[int, Range(1, TieredPartition.clock_ms)]


@guard
def leads(state: Partition, broker: Broker) -> bool:
    """The broker was elected in the current epoch and knows it."""
    return is_leading(state, broker)


@limit
def has_place_for_a_record(state: Partition, broker: Broker) -> bool:
    """The scope lets the log grow."""
    return state.broker[broker].log_end_offset < len(state.records)


@action(guards=[leads, has_place_for_a_record], actor="broker {broker}")
def leader_appends_record(
    state: Partition,
    broker: Broker,
    bytes: RecordBytes,
    timestamp: RecordTime,
    scope: TieredPartition,
) -> None:
    """Append a record, in a new segment if the active one would get too big.

    **Who**: the leader, for a producer that gives the record its time.
    **Kafka**: UnifiedLog#appendAsLeader, LogSegment#shouldRoll.
    **Left out**: rolling by time; appends by a zombie, which never get committed.
    """
    me = state.broker[broker]
    if needs_roll(me, state.records, bytes, scope.segment_bytes):
        roll(me)
    state.records[me.log_end_offset].bytes = bytes
    state.records[me.log_end_offset].timestamp = timestamp
    me.log_end_offset += 1


def keeps_all(state: Partition, broker: int, reason: int) -> bool:
    """Local retention would neither remove a segment nor roll the active one."""
    me = state.broker[broker]
    kept, rolls = retained_from(me, state.records, reason, high_watermark(state), state.clock)
    return bool(kept == first_base(me) and not rolls)


@guard
def has_segment_to_delete(state: Partition, broker: Broker, reason: Reason) -> bool:
    """Local retention removes a segment for this reason, or rolls the active one."""
    return not keeps_all(state, broker, reason)


@action(guards=[has_segment_to_delete], actor="broker {broker}")
def broker_deletes_old_segments(state: Partition, broker: Broker, reason: Reason) -> None:
    """Remove the oldest local segments, as far as one reason goes.

    **Who**: the log manager of every replica.
    **Kafka**: UnifiedLog#deleteOldSegments, which asks for the three reasons in order.
    **Left out**: the order of the reasons; files that wait for their deletion.
    """
    me = state.broker[broker]
    kept, rolls = retained_from(me, state.records, reason, high_watermark(state), state.clock)
    delete_old_segments(me, kept, rolls)


@guard
def is_committed(state: Partition, offset: OffsetEnd) -> bool:
    """The offset is not above the high watermark; else the answer is OFFSET_OUT_OF_RANGE."""
    return offset <= high_watermark(state)


@action(
    guards=[leads, is_committed], actor="broker {broker}", budget="record_deletions", stutters=True
)
def user_deletes_records(state: Partition, broker: Broker, offset: OffsetEnd) -> None:
    """Raise the log start to an offset.

    **Who**: a user, through the leader.
    **Kafka**: ReplicaManager#deleteRecords, Partition#deleteRecordsOnLeader.
    **Left out**: nothing.
    """
    raise_log_start(state.broker[broker], offset)
    state.deleted_end = max(state.deleted_end, offset)


@limit
def has_time(state: Partition, ms: Duration, scope: TieredPartition) -> bool:
    """The scope lets the clock go on."""
    return bool(state.clock + ms <= scope.clock_ms)


@action(guards=[has_time], actor="time")
def time_passes(state: Partition, ms: Duration) -> None:
    """The clock goes on.

    **Who**: the clock.
    **Kafka**: Time#milliseconds.
    **Left out**: clocks that differ between brokers.
    """
    state.clock += ms
