"""The state of KIP-405: one tiered partition, its replicas, the remote store, the metadata topic.

Offsets are records; a local segment holds as many as its size allows. Truth and belief are
apart: the controller's leader against each broker's; what the metadata topic says against
what each broker has read of it; metadata against the objects in the store.
"""

from enum import IntEnum
from typing import Annotated

from model.kafka.leader_epoch_lineage import Lineage
from model.kafka.remote_log_task import CopyTask
from model.kafka.remote_metadata_cache import MetadataCache
from model.kafka.scope import (
    LeaderEpoch,
    Offset,
    OffsetEnd,
    OptionalOffset,
    OptionalSegmentId,
    SegmentId,
    SegmentIds,
    TieredScope,
)
from model.language import (
    GHOST,
    Array,
    Budget,
    Index,
    Range,
    Record,
    State,
    bound,
)


class TieredPartition(TieredScope):
    """Bounds of an exploration of KIP-405.

    `planned_deletions` is what one run may delete; records may be stamped `lead_ms` before 0.
    """

    brokers: int = bound(1, 3, default=2)
    clock_ms: int = bound(0, 1_000_000_000, default=0)
    lead_ms: int = bound(0, 1_000_000_000, default=0)
    record_bytes: int = bound(1, 1_000_000, default=1)
    segment_bytes: int = bound(1, 1_000_000_000, default=1)
    retention_bytes: int = bound(0, 1_000_000_000, default=0)
    metadata_records: int = bound(1, 10_000, default=6)
    planned_deletions: int = bound(1, 10_000, default=4)
    is_size_limited: int = bound(0, 1, default=0)
    appends: int = bound(0, 1_000_000, default=0)
    elections: int = bound(0, 1_000, default=0)
    restarts: int = bound(0, 1_000, default=0)
    record_deletions: int = bound(0, 1_000, default=0)
    failed_copies: int = bound(0, 1_000, default=0)
    failed_deletes: int = bound(0, 1_000, default=0)

    def inconsistency(self) -> str | None:
        """Each election needs an epoch; only a broker alone appends (followers do not fetch)."""
        if self.appends > self.offsets:
            return f"appends={self.appends} is more than offsets={self.offsets}"
        if self.appends > 0 and self.brokers > 1:
            return f"appends={self.appends} needs brokers=1: followers do not fetch records"
        if self.elections >= self.leader_epochs:
            return f"elections={self.elections} needs more leader_epochs than {self.leader_epochs}"
        return None


Broker = Annotated[int, Index(TieredPartition.brokers)]
OptionalBroker = Annotated[int, Index(TieredPartition.brokers, optional=True)]
Timestamp = Annotated[int, Range(0, TieredPartition.clock_ms)]
RecordTime = Annotated[int, Range(0 - TieredPartition.lead_ms, TieredPartition.clock_ms, 0)]
RecordBytes = Annotated[int, Range(1, TieredPartition.record_bytes)]
SegmentBytes = Annotated[int, Range(0, TieredPartition.segment_bytes)]
MetadataPosition = Annotated[int, Range(0, TieredPartition.metadata_records)]
RetentionMs = Annotated[int, Range(-1, TieredPartition.clock_ms)]
RetentionBytes = Annotated[int, Range(-1, TieredPartition.retention_bytes)]
LocalRetentionMs = Annotated[int, Range(-2, TieredPartition.clock_ms)]
LocalRetentionBytes = Annotated[int, Range(-2, TieredPartition.retention_bytes)]


class RecordKind(IntEnum):
    """The target state in a record of the metadata topic, numbered as SegmentState."""

    NOTHING = 0
    COPY_SEGMENT_STARTED = 1
    COPY_SEGMENT_FINISHED = 2
    DELETE_SEGMENT_STARTED = 3
    DELETE_SEGMENT_FINISHED = 4


class AttemptStep(IntEnum):
    """How far the thread has come that copies a segment; FAILED and after: it cleans up."""

    IDLE = 0
    CHOSEN = 1
    STARTED = 2
    STORED = 3
    FINISHED = 4
    FAILED = 5
    DELETE_STARTED = 6
    OBJECT_DELETED = 7


class RunStep(IntEnum):
    """How far a run of the expiration task has come, or a broker that stops a partition."""

    IDLE = 0
    PLANNED = 1
    DELETING = 2
    DELETE_STARTED = 3
    OBJECT_DELETED = 4
    RETENTION_DONE = 5


class RemovalStep(IntEnum):
    """How far stopPartitions has come with the remote segments of a topic that is not tiered."""

    IDLE = 0
    STARTING_DELETES = 1
    DELETING_OBJECTS = 2
    FINISHING_DELETES = 3


class Settings(Record):
    """The topic settings, as Kafka has them: -1 is unlimited, -2 of a local one is unset."""

    remote_storage_enable: bool
    remote_log_copy_disable: bool
    remote_log_delete_on_disable: bool
    retention_ms: RetentionMs
    retention_bytes: RetentionBytes
    local_retention_ms: LocalRetentionMs
    local_retention_bytes: LocalRetentionBytes


class LogRecord(Record):
    """A record of the partition: its size and its time."""

    bytes: Annotated[int, Range(0, TieredPartition.record_bytes)]
    timestamp: RecordTime


class MetadataRecord(Record):
    """A record of the metadata topic: an id and the state that it goes to."""

    segment: SegmentId
    kind: RecordKind


class BrokerState(Record):
    """One broker: its replica, what it has read of the metadata topic, its remote log tasks.

    `copying` are the ids that its threads copy; `planned[planned_next:planned_end]` is what
    the run of the expiration task still deletes, `planned_log_start` where the log start
    goes before; `awaits` are ends of the metadata topic that a thread waits to read.
    """

    log_start_offset: OffsetEnd
    local_log_start_offset: OffsetEnd
    log_end_offset: OffsetEnd
    highest_remote_offset: OptionalOffset
    starts_segment: Annotated[list[bool], Array(TieredPartition.offsets + 1)]
    producer_snapshots_start: OffsetEnd
    lineage: Lineage
    settings: Settings

    presumed_leader: Broker
    leader_epoch: LeaderEpoch

    metadata_position: MetadataPosition
    metadata_assigned_end: MetadataPosition
    is_metadata_assigned: bool
    cache: MetadataCache

    copy_task: CopyTask
    copied_offset: OptionalOffset
    copying: SegmentIds

    expiration_task: bool
    run_step: RunStep
    is_run_cancelled: bool
    run_awaits: MetadataPosition
    planned: Annotated[list[OptionalSegmentId], Array(TieredPartition.planned_deletions)]
    planned_next: Annotated[int, Range(0, TieredPartition.planned_deletions)]
    planned_end: Annotated[int, Range(0, TieredPartition.planned_deletions)]
    planned_log_start: OffsetEnd

    removal_step: RemovalStep
    to_remove: SegmentIds


class RemoteSegment(Record):
    """One attempt to copy, that is one RemoteLogSegmentId, and the thread that is at it.

    Unused while its lineage is empty. `is_cancelled`: the task was cancelled meanwhile.
    """

    start_offset: Offset
    end_offset: Offset
    lineage: Lineage
    bytes: SegmentBytes
    max_timestamp: RecordTime
    object_exists: bool
    copier: OptionalBroker
    attempt: AttemptStep
    is_cancelled: bool
    awaits: MetadataPosition


class Partition(State):
    """The whole system. The metadata topic is never cut; each broker has its own place in it.

    The ghost `deleted_end` ends the offsets that users deleted.
    """

    clock: Timestamp
    elected_leader: Broker
    leader_epoch: LeaderEpoch
    records: Annotated[list[LogRecord], Array(TieredPartition.offsets)]
    metadata_topic: Annotated[list[MetadataRecord], Array(TieredPartition.metadata_records)]
    metadata_end: MetadataPosition

    broker: Annotated[list[BrokerState], Array(TieredPartition.brokers)]
    segment: Annotated[list[RemoteSegment], Array(TieredPartition.segment_ids)]

    elections: Annotated[int, Budget(TieredPartition.elections)]
    restarts: Annotated[int, Budget(TieredPartition.restarts)]
    record_deletions: Annotated[int, Budget(TieredPartition.record_deletions)]
    failed_copies: Annotated[int, Budget(TieredPartition.failed_copies)]
    failed_deletes: Annotated[int, Budget(TieredPartition.failed_deletes)]

    deleted_end: Annotated[int, Range(0, TieredPartition.offsets), GHOST]
