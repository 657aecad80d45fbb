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
from tierproof.model.kafka.cluster_log import ClusterRecordKind
from tierproof.model.kafka.scope import LeaderEpoch
from tierproof.model.kafka.topic_config import TieringState
from tierproof.model.language import Array, Budget, Lifecycle, Range, Record, bound


class TieredTopic(TieredPartition):
    """Bounds of an exploration of KIP-950, besides those of KIP-405.

    Brokers may lag by `unapplied_records` of the cluster log. A user chooses among three
    settings (tiered, read-only, disabled with delete), or among all with `all_settings`.
    `racing_deletions` of local segments meet a change of the settings.
    """

    unapplied_records: int = bound(1, 8, default=2)
    config_changes: int = bound(0, 8, default=2)
    all_settings: int = bound(0, 1, default=0)
    racing_deletions: int = bound(0, 8, default=0)


ClusterPosition = Annotated[int, Range(0, TieredTopic.unapplied_records)]
RecordCount = Annotated[int, Range(1, TieredTopic.unapplied_records)]


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


PUBLISHING = Lifecycle(
    PublisherStep,
    [
        # Here the target depends on the source.
        ("broker_starts_tasks", PublisherStep.STARTING_TASKS, PublisherStep.IDLE),
        ("broker_starts_tasks", PublisherStep.STARTING_READ_ONLY, PublisherStep.STOPPING_COPY),
        ("broker_restarts", list(PublisherStep)[1:], PublisherStep.IDLE),
    ],
    source="BrokerMetadataPublisher, TopicConfigHandler, RemoteLogManager#stopPartitions",
)
"""Each step of a batch is an action of the publisher, and an edge of its own."""


class ClusterRecord(Record):
    """A record of the cluster log: new settings, a new leader and its epoch, or the topic's end."""

    kind: ClusterRecordKind
    settings: Settings
    leader: Broker
    leader_epoch: LeaderEpoch


class TopicBroker(BrokerState):
    """A broker of KIP-405, and its metadata publisher.

    `position` is the broker's position in the cluster log, `batch` the number of records that
    the publisher has in hand; `tiering` is what the settings that it has applied stand for.
    """

    position: ClusterPosition
    batch: ClusterPosition
    publisher: PublisherStep
    tiering: TieringState


class Topic(Partition):
    """The whole system. Cluster records that every broker has applied are dropped from the log.

    `settings` and `tiering` are the controller's, as `elected_leader` is.
    """

    settings: Settings
    tiering: TieringState
    cluster_log: Annotated[list[ClusterRecord], Array(TieredTopic.unapplied_records)]
    cluster_end: ClusterPosition

    broker: Annotated[list[TopicBroker], Array(TieredTopic.brokers)]  # type: ignore[assignment]

    config_changes: Annotated[int, Budget(TieredTopic.config_changes)]
    racing_deletions: Annotated[int, Budget(TieredTopic.racing_deletions)]
