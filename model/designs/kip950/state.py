"""The state of KIP-950: that of KIP-405, and settings which change through a log of the cluster.

Truth and belief are apart here too: the controller's settings and leader against those that
each broker has applied. Everything else is as in `tierproof.model.designs.kip405.state`.
"""

from enum import IntEnum
from typing import Annotated

from tierproof.model.designs.kip405.state import (
    Broker,
    BrokerState,
    Partition,
    Settings,
    TieredPartition,
)
from tierproof.model.kafka.scope import LeaderEpoch
from tierproof.model.kafka.topic_config import TieringState
from tierproof.model.language import Array, Budget, Lifecycle, Range, Record, bound


class TieredTopic(TieredPartition):
    """Bounds of an exploration of KIP-950, besides those of KIP-405.

    Brokers may lag by `unapplied_records` of the cluster log; without `all_settings` a user
    knows three settings: tiered, read-only, and disabled with delete. So many times do
    settings change just while local segments are deleted: `racing_deletions`.
    """

    unapplied_records: int = bound(1, 8, default=2)
    config_changes: int = bound(0, 8, default=2)
    all_settings: int = bound(0, 1, default=0)
    racing_deletions: int = bound(0, 8, default=0)


ClusterPosition = Annotated[int, Range(0, TieredTopic.unapplied_records)]
RecordCount = Annotated[int, Range(1, TieredTopic.unapplied_records)]


class ClusterRecordKind(IntEnum):
    """What a record of the cluster log says; NOTHING fills unused places."""

    NOTHING = 0
    CONFIG = 1
    LEADERSHIP = 2
    REMOVAL = 3


class PublisherStep(IntEnum):
    """How far a broker's metadata publisher, one thread, has come with the batch in hand."""

    IDLE = 0
    LEADERSHIP_APPLIED = 1
    STARTING_TASKS = 2
    STARTING_READ_ONLY = 3
    STOPPING_COPY = 4
    RAISING_LOG_START = 5
    STOPPING_PARTITION = 6
    WAITING_FOR_REMOVAL = 7


PUBLISHER = Lifecycle(
    PublisherStep,
    [
        ("apply_leadership", PublisherStep.IDLE, PublisherStep.LEADERSHIP_APPLIED),
        ("delete_topic", PublisherStep.IDLE, PublisherStep.WAITING_FOR_REMOVAL),
        ("enable", PublisherStep.LEADERSHIP_APPLIED, PublisherStep.STARTING_TASKS),
        ("enable_read_only", PublisherStep.LEADERSHIP_APPLIED, PublisherStep.STARTING_READ_ONLY),
        (
            "disable_copy",
            [PublisherStep.LEADERSHIP_APPLIED, PublisherStep.STARTING_READ_ONLY],
            PublisherStep.STOPPING_COPY,
        ),
        ("disable", PublisherStep.LEADERSHIP_APPLIED, PublisherStep.RAISING_LOG_START),
        ("disable_as_follower", PublisherStep.LEADERSHIP_APPLIED, PublisherStep.STOPPING_PARTITION),
        ("raise_log_start", PublisherStep.RAISING_LOG_START, PublisherStep.STOPPING_PARTITION),
        ("stop_partition", PublisherStep.STOPPING_PARTITION, PublisherStep.WAITING_FOR_REMOVAL),
        (
            "finish",
            [
                PublisherStep.LEADERSHIP_APPLIED,
                PublisherStep.STARTING_TASKS,
                PublisherStep.STOPPING_COPY,
                PublisherStep.STOPPING_PARTITION,
                PublisherStep.WAITING_FOR_REMOVAL,
            ],
            PublisherStep.IDLE,
        ),
        (
            "crash",
            [PublisherStep.STARTING_READ_ONLY, PublisherStep.RAISING_LOG_START],
            PublisherStep.IDLE,
        ),
    ],
    source="BrokerMetadataPublisher, TopicConfigHandler, RemoteLogManager#stopPartitions",
)


class ClusterRecord(Record):
    """A record of the cluster log: new settings, a new leader and its epoch, or the topic's end."""

    kind: ClusterRecordKind
    settings: Settings
    leader: Broker
    leader_epoch: LeaderEpoch


class TopicBroker(BrokerState):
    """A broker of KIP-405, and its metadata publisher.

    `position` is its place in the cluster log, `batch` counts the records in the publisher's
    hands; `tiering` is what the settings that it has applied stand for.
    """

    position: ClusterPosition
    batch: ClusterPosition
    publisher: PublisherStep
    tiering: TieringState


class Topic(Partition):
    """The whole system. Records of the cluster log that every broker has applied are folded away.

    `settings` and `tiering` are the controller's, as `elected_leader` is. The ghost
    `legal_end` ends what a disable with delete lets go of, too.
    """

    settings: Settings
    tiering: TieringState
    cluster_log: Annotated[list[ClusterRecord], Array(TieredTopic.unapplied_records)]
    cluster_end: ClusterPosition

    broker: Annotated[list[TopicBroker], Array(TieredTopic.brokers)]  # type: ignore[assignment]

    config_changes: Annotated[int, Budget(TieredTopic.config_changes)]
    racing_deletions: Annotated[int, Budget(TieredTopic.racing_deletions)]
