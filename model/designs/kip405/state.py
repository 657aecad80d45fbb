"""The state of KIP-405: one tiered partition, its replicas, the remote store, the metadata topic.

Offsets are records; a local segment holds as many as its size allows. What a record is, its
offset and the leader epoch that wrote it say: two logs have the same record where their
lineages agree. Truth and belief are apart: the controller's leader against each broker's;
what the metadata topic says against what each broker has read of it; metadata against the
objects in the store; what is committed against each broker's high watermark.
"""

from enum import IntEnum
from typing import Annotated

from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.remote_metadata_cache import MetadataCache
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.scope import (
    LeaderEpoch,
    Lineage,
    Offset,
    OffsetEnd,
    OptionalLeaderEpoch,
    OptionalOffset,
    OptionalSegmentId,
    SegmentId,
    SegmentIds,
    TieredScope,
)
from tierproof.model.language import (
    GHOST,
    Array,
    Budget,
    Index,
    Lifecycle,
    Range,
    Record,
    Set,
    State,
    bound,
)


class TieredPartition(TieredScope):
    """Bounds of an exploration of KIP-405.

    `appends` of the `offsets` are written during it. `planned_deletions` is what one run may
    delete; records may be stamped `lead_ms` before 0. Faults and user actions are budgets.
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
    shrinks: int = bound(0, 1_000, default=0)
    restarts: int = bound(0, 1_000, default=0)
    lost_disks: int = bound(0, 1_000, default=0)
    record_deletions: int = bound(0, 1_000, default=0)
    topic_deletions: int = bound(0, 1, default=0)
    time_lookups: int = bound(0, 1_000, default=0)
    failed_copies: int = bound(0, 1_000, default=0)
    failed_deletes: int = bound(0, 1_000, default=0)

    def inconsistency(self) -> str | None:
        """Records that are appended are among the offsets; each election needs an epoch."""
        if self.appends > self.offsets:
            return f"appends={self.appends} is more than offsets={self.offsets}"
        if self.elections >= self.leader_epochs:
            return f"elections={self.elections} needs more leader_epochs than {self.leader_epochs}"
        return None


Broker = Annotated[int, Index(TieredPartition.brokers)]
OptionalBroker = Annotated[int, Index(TieredPartition.brokers, optional=True)]
Brokers = Annotated[set[int], Set(TieredPartition.brokers)]
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
    """The SegmentState in a record of the metadata topic; NOTHING fills unused places."""

    NOTHING = SegmentState.ABSENT
    COPY_SEGMENT_STARTED = SegmentState.COPY_SEGMENT_STARTED
    COPY_SEGMENT_FINISHED = SegmentState.COPY_SEGMENT_FINISHED
    DELETE_SEGMENT_STARTED = SegmentState.DELETE_SEGMENT_STARTED
    DELETE_SEGMENT_FINISHED = SegmentState.DELETE_SEGMENT_FINISHED


class AttemptStep(IntEnum):
    """Where the thread stands that copies a segment; from FAILED on it cleans up."""

    IDLE = 0
    CHOSEN = 1
    STARTED = 2
    STORED = 3
    FINISHED = 4
    FAILED = 5
    DELETE_STARTED = 6
    OBJECT_DELETED = 7
    DELETE_FINISHED = 8


ATTEMPT = Lifecycle(
    AttemptStep,
    [
        ("copy_task_chooses_segment", AttemptStep.IDLE, AttemptStep.CHOSEN),
        ("broker_crashes", tuple(AttemptStep)[1:], AttemptStep.IDLE),
    ],
    source="RemoteLogManager.RLMCopyTask#copyLogSegment",
)


class RunStep(IntEnum):
    """Where a run of the expiration task stands."""

    IDLE = 0
    PLANNED = 1
    DELETING = 2
    DELETE_STARTED = 3
    OBJECT_DELETED = 4


RUN = Lifecycle(
    RunStep,
    [("broker_crashes", tuple(RunStep)[1:], RunStep.IDLE)],
    source="RemoteLogManager.RLMExpirationTask#cleanupExpiredRemoteLogSegments",
)


class RemovalStep(IntEnum):
    """Where stopPartitions stands with the remote segments that it deletes."""

    IDLE = 0
    STARTING_DELETES = 1
    DELETING_OBJECTS = 2
    FINISHING_DELETES = 3


REMOVAL_STEPS = Lifecycle(
    RemovalStep,
    [
        ("partition_is_stopped", RemovalStep.IDLE, RemovalStep.STARTING_DELETES),
        ("broker_crashes", tuple(RemovalStep)[1:], RemovalStep.IDLE),
    ],
    source="RemoteLogManager#stopPartitions, #deleteRemoteLogPartition",
)


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


class CommittedRecord(Record):
    """What was committed at an offset: the leader epoch that wrote it (NONE: nothing was)."""

    epoch: OptionalLeaderEpoch
    bytes: Annotated[int, Range(0, TieredPartition.record_bytes)]
    timestamp: RecordTime


class MetadataRecord(Record):
    """A record of the metadata topic: an id and the state that it goes to."""

    segment: SegmentId
    kind: RecordKind


class BrokerState(Record):
    """One broker: its replica, what it has read of the metadata topic, its remote log tasks.

    `presumed_leader` is NONE where the broker has no replica. `copying` are the ids that its
    threads copy. The run of the expiration task still deletes `planned[planned_next:planned_end]`,
    after it has raised the log start to `planned_log_start`; `run_awaits` is the end of the
    metadata topic that it waits to read. stopPartitions deletes `removal_list`; `to_remove`
    are those left in its present stage.
    """

    log_start_offset: OffsetEnd
    local_log_start_offset: OffsetEnd
    high_watermark: OffsetEnd
    log_end_offset: OffsetEnd
    highest_remote_offset: OptionalOffset
    log_start_checkpoint: OffsetEnd
    records: Annotated[list[LogRecord], Array(TieredPartition.offsets)]
    starts_segment: Annotated[list[bool], Array(TieredPartition.offsets + 1)]
    producer_snapshots_start: OffsetEnd
    lineage: Lineage
    settings: Settings

    presumed_leader: OptionalBroker
    leader_epoch: LeaderEpoch

    metadata_position: MetadataPosition
    metadata_assigned_end: MetadataPosition
    is_metadata_assigned: bool
    cache: MetadataCache

    copy_task: CopyTask
    copied_offset: OptionalOffset
    copying: SegmentIds

    follower_task: bool
    expiration_task: bool
    run_step: RunStep
    is_run_cancelled: bool
    run_awaits: MetadataPosition
    planned: Annotated[list[OptionalSegmentId], Array(TieredPartition.planned_deletions)]
    planned_next: Annotated[int, Range(0, TieredPartition.planned_deletions)]
    planned_end: Annotated[int, Range(0, TieredPartition.planned_deletions)]
    planned_log_start: OffsetEnd

    removal_step: RemovalStep
    removal_list: SegmentIds
    to_remove: SegmentIds
    removal_awaits: MetadataPosition


class RemoteSegment(Record):
    """One attempt to copy, that is one RemoteLogSegmentId, and the thread that makes it.

    Unused while its lineage is empty. `epoch_index` is stored with the object: the lineage
    of the copier's log up to the segment's end. `is_cancelled`: the thread's task was
    cancelled; `awaits` is the end of the metadata topic that the thread waits to read.
    """

    start_offset: Offset
    end_offset: Offset
    lineage: Lineage
    epoch_index: Lineage
    bytes: SegmentBytes
    max_timestamp: RecordTime
    object_exists: bool
    copier: OptionalBroker
    attempt: AttemptStep
    is_cancelled: bool
    awaits: MetadataPosition


class Partition(State):
    """The whole system. The metadata topic is never cut; each broker has its own position in it.

    `in_sync` are the replicas that the controller takes for in sync; `index_fetched` is the
    id whose time index a consumer's lookup by time fetches, or NONE. Ghosts, which only
    `tierproof.invariants.histories` assigns: `committed[o]` is the record that was committed at
    o, also once it is deleted; below `legal_end` a user has permitted deletion.
    """

    clock: Timestamp
    elected_leader: Broker
    leader_epoch: LeaderEpoch
    in_sync: Brokers
    is_topic_deleted: bool
    metadata_topic: Annotated[list[MetadataRecord], Array(TieredPartition.metadata_records)]
    metadata_end: MetadataPosition

    broker: Annotated[list[BrokerState], Array(TieredPartition.brokers)]
    segment: Annotated[list[RemoteSegment], Array(TieredPartition.segment_ids)]
    index_fetched: OptionalSegmentId

    elections: Annotated[int, Budget(TieredPartition.elections)]
    shrinks: Annotated[int, Budget(TieredPartition.shrinks)]
    restarts: Annotated[int, Budget(TieredPartition.restarts)]
    lost_disks: Annotated[int, Budget(TieredPartition.lost_disks)]
    record_deletions: Annotated[int, Budget(TieredPartition.record_deletions)]
    topic_deletions: Annotated[int, Budget(TieredPartition.topic_deletions)]
    time_lookups: Annotated[int, Budget(TieredPartition.time_lookups)]
    failed_copies: Annotated[int, Budget(TieredPartition.failed_copies)]
    failed_deletes: Annotated[int, Budget(TieredPartition.failed_deletes)]

    committed: Annotated[list[CommittedRecord], Array(TieredPartition.offsets), GHOST]
    legal_end: Annotated[int, Range(0, TieredPartition.offsets), GHOST]
