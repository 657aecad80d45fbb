"""The leader's log and every replica's local retention; DeleteRecords of a user; time."""

from typing import Annotated

from tierproof.model.designs.kip405.actors import BROKER, CLOCK, LEADER
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
from tierproof.model.language import NONE, Range, guard, limit

Duration = Annotated[int, Range(1, TieredPartition.clock_ms)]


@guard
def leads(state: Partition, leader: Broker) -> bool:
    """The broker was elected in the current epoch and knows it."""
    return is_leading(state, leader)


@guard
def believes_to_lead(state: Partition, leader: Broker) -> bool:
    """The broker takes produce requests; it may be a zombie."""
    return presumes_to_lead(state, leader)


@limit
def has_place_for_a_record(state: Partition, leader: Broker) -> bool:
    """The scope lets the log grow."""
    return state.broker[leader].log_end_offset < len(state.broker[leader].records)


@LEADER.action(guards=[believes_to_lead, has_place_for_a_record])
def leader_appends_record(
    state: Partition,
    leader: Broker,
    bytes: RecordBytes,
    timestamp: RecordTime,
    scope: TieredPartition,
) -> None:
    """Append a producer's record, in a new segment if the active one would get too big.

    Kafka: UnifiedLog#appendAsLeader, LogSegment#shouldRoll. Left out: rolling by time;
    transactions.
    """
    log = state.broker[leader]
    if needs_roll(log, bytes, scope.segment_bytes):
        roll(log)
    append_record(log, bytes, timestamp)
    raise_high_watermark(state, leader)


@guard
def has_replica(state: Partition, broker: Broker) -> bool:
    """The broker has a replica of the partition."""
    return state.broker[broker].presumed_leader != NONE


@guard
def has_start_to_move(state: Partition, broker: Broker, reason: Reason) -> bool:
    """Deleting for this reason would advance a start offset or roll the active segment."""
    log = state.broker[broker]
    kept, rolls = retained_from(log, reason, state.clock)
    return rolls or moves_start(log, kept)


@BROKER.action(guards=[has_replica, has_start_to_move])
def broker_raises_start_to_delete(state: Partition, broker: Broker, reason: Reason) -> None:
    """Move the start past the oldest local segments, as far as one reason says (KAFKA-16073).

    Kafka: UnifiedLog#deleteOldSegments, which asks for the three reasons in order. Left out:
    the order of the reasons.
    """
    log = state.broker[broker]
    kept, rolls = retained_from(log, reason, state.clock)
    raise_start_to_delete(log, kept, rolls)


@guard
def has_segment_to_remove(state: Partition, broker: Broker) -> bool:
    """A segment lies below the start."""
    return first_not_removed(state.broker[broker]) > first_base(state.broker[broker])


@BROKER.action(guards=[has_replica, has_segment_to_remove])
def broker_removes_segments(state: Partition, broker: Broker) -> None:
    """Remove the local segments that lie below the start.

    Kafka: UnifiedLog#deleteSegments, LocalLog#removeAndDeleteSegments. Left out: that files
    are renamed first and deleted later.
    """
    remove_segments(state.broker[broker], first_not_removed(state.broker[broker]))


@guard
def is_committed(state: Partition, leader: Broker, offset: OffsetEnd) -> bool:
    """The offset is not above the high watermark; else the answer is OFFSET_OUT_OF_RANGE."""
    return offset <= state.broker[leader].high_watermark


@LEADER.action(guards=[leads, is_committed], budget="record_deletions", stutters=True)
def user_deletes_records(state: Partition, leader: Broker, offset: OffsetEnd) -> None:
    """Raise the log start to an offset, for a user's DeleteRecords request.

    Kafka: ReplicaManager#deleteRecords, Partition#deleteRecordsOnLeader. Left out: that the
    answer waits for the log starts of followers.
    """
    raise_log_start(state.broker[leader], offset)


@limit
def has_time(state: Partition, ms: Duration, scope: TieredPartition) -> bool:
    """The scope lets the clock advance."""
    return state.clock + ms <= scope.clock_ms


@CLOCK.action(guards=[has_time])
def time_passes(state: Partition, ms: Duration) -> None:
    """Advance the clock.

    Kafka: Time#milliseconds. Left out: clocks that differ between brokers.
    """
    state.clock += ms


SYSTEM = (
    broker_raises_start_to_delete,
    broker_removes_segments,
)
