"""The state of KIP-950: one tiered partition, its brokers, the controller and the remote store.

Offsets are counted in segments: offset o *is* segment [o, o], already rolled; the active
segment is empty. Truth and belief are apart: the controller's `settings` and
`elected_leader` against each broker's; segment metadata against `object_exists`.
"""

from enum import IntEnum
from typing import Annotated

from model.kafka.remote_log_task import CopyStep, CopyTask, DeleteStep
from model.kafka.remote_segment import SegmentState
from model.kafka.topic_config import TieringState
from model.language import (
    GHOST,
    Array,
    Budget,
    Index,
    Lifecycle,
    Range,
    Record,
    Scope,
    State,
    Subset,
    bound,
)


class TieredTopic(Scope):
    """Bounds of an exploration of KIP-950. Faults and user actions are budgets."""

    brokers: int = bound(1, 3, default=2)
    offsets: int = bound(1, 6, default=2)
    appends: int = bound(0, 6, default=0)
    segment_ids: int = bound(1, 6, default=2)
    unapplied_records: int = bound(1, 4, default=2)
    config_changes: int = bound(0, 6, default=2)
    all_settings: int = bound(0, 1, default=0)
    elections: int = bound(0, 4, default=0)
    restarts: int = bound(0, 3, default=0)
    expirations: int = bound(0, 6, default=0)
    failed_deletes: int = bound(0, 3, default=0)

    def inconsistency(self) -> str | None:
        """A log cannot grow, or expire, past its last offset."""
        if self.appends > self.offsets:
            return f"appends={self.appends} is more than offsets={self.offsets}"
        if self.expirations > self.offsets:
            return f"expirations={self.expirations} is more than offsets={self.offsets}"
        return None


Broker = Annotated[int, Index(TieredTopic.brokers)]
SegmentId = Annotated[int, Index(TieredTopic.segment_ids)]
OptionalBroker = Annotated[int, Index(TieredTopic.brokers, optional=True)]
OptionalSegmentId = Annotated[int, Index(TieredTopic.segment_ids, optional=True)]
Offset = Annotated[int, Index(TieredTopic.offsets)]
OptionalOffset = Annotated[int, Index(TieredTopic.offsets, optional=True)]
OffsetEnd = Annotated[int, Range(0, TieredTopic.offsets)]
Epoch = Annotated[int, Range(0, TieredTopic.elections)]
MetadataPosition = Annotated[int, Range(0, TieredTopic.unapplied_records)]
RecordCount = Annotated[int, Range(1, TieredTopic.unapplied_records)]


class MetadataKind(IntEnum):
    """What a record of the cluster metadata log says; NOTHING fills unused places."""

    NOTHING = 0
    CONFIG = 1
    LEADERSHIP = 2


class PublisherStep(IntEnum):
    """How far a broker's metadata publisher, one thread, has come with the batch in hand."""

    IDLE = 0
    LEADERSHIP_APPLIED = 1
    STARTING_TASKS = 2
    STOPPING_COPY = 3
    RAISING_LOG_START = 4
    STOPPING_TASKS = 5
    LISTING_SEGMENTS = 6
    STARTING_DELETES = 7
    DELETING_OBJECTS = 8
    FINISHING_DELETES = 9


PUBLISHER = Lifecycle(
    PublisherStep,
    [
        ("apply_leadership", PublisherStep.IDLE, PublisherStep.LEADERSHIP_APPLIED),
        ("enable", PublisherStep.LEADERSHIP_APPLIED, PublisherStep.STARTING_TASKS),
        ("disable_copy", PublisherStep.LEADERSHIP_APPLIED, PublisherStep.STOPPING_COPY),
        ("disable", PublisherStep.LEADERSHIP_APPLIED, PublisherStep.RAISING_LOG_START),
        ("disable_as_follower", PublisherStep.LEADERSHIP_APPLIED, PublisherStep.STOPPING_TASKS),
        ("raise_log_start", PublisherStep.RAISING_LOG_START, PublisherStep.STOPPING_TASKS),
        ("stop_tasks", PublisherStep.STOPPING_TASKS, PublisherStep.LISTING_SEGMENTS),
        ("list_segments", PublisherStep.LISTING_SEGMENTS, PublisherStep.STARTING_DELETES),
        ("start_deletes", PublisherStep.STARTING_DELETES, PublisherStep.DELETING_OBJECTS),
        ("delete_objects", PublisherStep.DELETING_OBJECTS, PublisherStep.FINISHING_DELETES),
        (
            "finish",
            [
                PublisherStep.LEADERSHIP_APPLIED,
                PublisherStep.STARTING_TASKS,
                PublisherStep.STOPPING_COPY,
                PublisherStep.STOPPING_TASKS,
                PublisherStep.LISTING_SEGMENTS,
                PublisherStep.FINISHING_DELETES,
            ],
            PublisherStep.IDLE,
        ),
        ("fail", PublisherStep.DELETING_OBJECTS, PublisherStep.IDLE),
        (
            "crash",
            [PublisherStep.RAISING_LOG_START, PublisherStep.STARTING_DELETES],
            PublisherStep.IDLE,
        ),
    ],
    source="BrokerMetadataPublisher, TopicConfigHandler, RemoteLogManager#stopPartitions",
)


class Settings(Record):
    """The topic settings of KIP-950; `local_retention_matches` as in `model.kafka.topic_config`."""

    remote_storage_enable: bool
    remote_log_copy_disable: bool
    remote_log_delete_on_disable: bool
    local_retention_matches: bool


class MetadataRecord(Record):
    """A record of the cluster metadata log: new settings, or a new leader and its epoch."""

    kind: MetadataKind
    settings: Settings
    leader: Broker
    leader_epoch: Epoch


class BrokerState(Record):
    """One broker: its replica, its place in the metadata log, its beliefs, its remote log tasks.

    `batch` counts the records in the publisher's hands; `delete_list` and `delete_next` are
    the ids that a disable deletes; `copied_offset` is the copy task's cursor; `expiring`
    is the segment that an expiration thread is deleting.
    """

    log_start_offset: OffsetEnd
    local_log_start_offset: OffsetEnd
    log_end_offset: OffsetEnd
    highest_remote_offset: OptionalOffset

    position: MetadataPosition
    batch: MetadataPosition
    publisher: PublisherStep
    delete_list: Annotated[int, Subset(TieredTopic.segment_ids)]
    delete_next: OptionalSegmentId

    presumed_leader: Broker
    leader_epoch: Epoch
    settings: Settings
    tiering: TieringState

    copy_task: CopyTask
    copied_offset: OptionalOffset
    expiration_task: bool
    follower_task: bool
    expiring: OptionalSegmentId
    delete_step: DeleteStep


class RemoteSegment(Record):
    """One upload attempt, that is one RemoteLogSegmentId; `copier` is the broker at work on it.

    `is_cancelled`: the task that the copying thread belongs to was cancelled meanwhile.
    """

    offset: Offset
    state: SegmentState
    is_listed: bool
    object_exists: bool
    copier: OptionalBroker
    copy_step: CopyStep
    is_cancelled: bool


class Partition(State):
    """The whole system. Metadata records that every broker has applied are folded away.

    `serving[o]` is the id that a lookup of o returns; `highest_finished_offset` never goes
    back; offsets below `expired_end` are past topic retention; the ghost `legal_end` ends
    the offsets that a disable with delete lets go of.
    """

    elected_leader: Broker
    leader_epoch: Epoch
    settings: Settings
    tiering: TieringState
    metadata_log: Annotated[list[MetadataRecord], Array(TieredTopic.unapplied_records)]
    metadata_end: MetadataPosition

    broker: Annotated[list[BrokerState], Array(TieredTopic.brokers)]
    segment: Annotated[list[RemoteSegment], Array(TieredTopic.segment_ids)]
    serving: Annotated[list[OptionalSegmentId], Array(TieredTopic.offsets)]
    highest_finished_offset: OptionalOffset
    expired_end: OffsetEnd

    config_changes: Annotated[int, Budget(TieredTopic.config_changes)]
    elections: Annotated[int, Budget(TieredTopic.elections)]
    restarts: Annotated[int, Budget(TieredTopic.restarts)]
    expirations: Annotated[int, Budget(TieredTopic.expirations)]
    failed_deletes: Annotated[int, Budget(TieredTopic.failed_deletes)]

    legal_end: Annotated[int, Range(0, TieredTopic.offsets), GHOST]
