"""The leader's log and every replica's local retention; DeleteRecords of a user; time."""

from typing import Annotated

from tierproof.model.designs.kip405.replication import raise_high_watermark
from tierproof.model.designs.kip405.state import (
    Broker,
    Partition,
    RecordBytes,
    RecordTime,
    TieredPartition,
)
from tierproof.model.kafka.local_retention import (
    Reason,
    first_not_removed,
    moves_start,
    raise_log_start,
    raise_start_to_delete,
    retained_from,
)
from tierproof.model.kafka.local_segments import (
    append_record,
    first_base,
    needs_roll,
    remove_segments,
    roll,
)
from tierproof.model.kafka.replica import is_leading, presumes_to_lead
from tierproof.model.kafka.scope import OffsetEnd
from tierproof.model.language import Range, action, guard, limit

Duration = Annotated[int, Range(1, TieredPartition.clock_ms)]


@guard
def leads(state: Partition, broker: Broker) -> bool:
    """The broker was elected in the current epoch and knows it."""
    return is_leading(state, broker)


@guard
def believes_to_lead(state: Partition, broker: Broker) -> bool:
    """The broker takes produce requests; it may be a zombie."""
    return presumes_to_lead(state, broker)


@limit
def has_place_for_a_record(state: Partition, broker: Broker) -> bool:
    """The scope lets the log grow."""
    return state.broker[broker].log_end_offset < len(state.committed)


@action(guards=[believes_to_lead, has_place_for_a_record], actor="broker {broker}")
def leader_appends_record(
    state: Partition,
    broker: Broker,
    bytes: RecordBytes,
    timestamp: RecordTime,
    scope: TieredPartition,
) -> None:
    """Append a record, in a new segment if the active one would get too big.

    **Who**: whoever believes to lead, for a producer that gives the record its time.
    **Kafka**: UnifiedLog#appendAsLeader, LogSegment#shouldRoll.
    **Left out**: rolling by time; transactions.
    """
    me = state.broker[broker]
    if needs_roll(me, bytes, scope.segment_bytes):
        roll(me)
    append_record(me, bytes, timestamp)
    raise_high_watermark(state, broker)


@guard
def has_replica(state: Partition, broker: Broker) -> bool:
    """The broker has a replica of the partition."""
    return state.broker[broker].presumed_leader >= 0


@guard
def has_start_to_move(state: Partition, broker: Broker, reason: Reason) -> bool:
    """For this reason segments are to go that begin before the start, or the active one rolls."""
    me = state.broker[broker]
    kept, rolls = retained_from(me, reason, state.clock)
    return bool(rolls or moves_start(me, kept))


@action(guards=[has_replica, has_start_to_move], actor="broker {broker}")
def broker_raises_start_to_delete(state: Partition, broker: Broker, reason: Reason) -> None:
    """Move the start past the oldest local segments, as far as one reason goes (KAFKA-16073).

    **Who**: the log manager of every replica.
    **Kafka**: UnifiedLog#deleteOldSegments, which asks for the three reasons in order.
    **Left out**: the order of the reasons.
    """
    me = state.broker[broker]
    kept, rolls = retained_from(me, reason, state.clock)
    raise_start_to_delete(me, kept, rolls)


@guard
def has_segment_to_remove(state: Partition, broker: Broker) -> bool:
    """A segment lies below the start."""
    me = state.broker[broker]
    return first_not_removed(me) > first_base(me)


@action(guards=[has_replica, has_segment_to_remove], actor="broker {broker}")
def broker_removes_segments(state: Partition, broker: Broker) -> None:
    """Remove the local segments that lie below the start.

    **Who**: the log manager of every replica.
    **Kafka**: UnifiedLog#deleteSegments, LocalLog#removeAndDeleteSegments.
    **Left out**: that files are renamed first and wait for their deletion.
    """
    remove_segments(state.broker[broker], first_not_removed(state.broker[broker]))


@guard
def is_committed(state: Partition, broker: Broker, offset: OffsetEnd) -> bool:
    """The offset is not above the high watermark; else the answer is OFFSET_OUT_OF_RANGE."""
    return offset <= state.broker[broker].high_watermark


@action(
    guards=[leads, is_committed], actor="broker {broker}", budget="record_deletions", stutters=True
)
def user_deletes_records(state: Partition, broker: Broker, offset: OffsetEnd) -> None:
    """Raise the log start to an offset.

    **Who**: a user, through the leader.
    **Kafka**: ReplicaManager#deleteRecords, Partition#deleteRecordsOnLeader.
    **Left out**: that the answer waits for the log starts of followers.
    """
    raise_log_start(state.broker[broker], offset)
    state.legal_end = max(state.legal_end, offset)


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
