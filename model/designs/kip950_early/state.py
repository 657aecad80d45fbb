"""The state of KIP-950 before it was accepted: that of KIP-405, and a disablement in progress.

Truth and belief are apart: what ZooKeeper or the cluster's metadata log says of the topic,
what each of two controllers believes and still waits for, what each broker has learned, and
what requests and answers are on their way.
"""

from enum import IntEnum
from typing import Annotated

from tierproof.model.designs.kip405.state import (
    Broker,
    Brokers,
    BrokerState,
    OptionalBroker,
    Partition,
    RemoteSegment,
    Settings,
    TieredPartition,
)
from tierproof.model.kafka.scope import LeaderEpoch, Offset, OptionalSegmentId
from tierproof.model.kafka.tiered_state import DisableStep, Policy, TieredState, Tiering
from tierproof.model.language import (
    GHOST,
    Array,
    Budget,
    Index,
    Range,
    Record,
    bound,
)


class EarlyTopic(TieredPartition):
    """Bounds of an exploration, besides those of KIP-405.

    Brokers of a KRaft cluster may lag by `unapplied_records`; `requests` are on their way at
    a time. `config_changes` count switches of tiering, `policy_changes` those of the policy
    alone.
    """

    controllers: int = bound(1, 2, default=1)
    unapplied_records: int = bound(1, 8, default=1)
    config_changes: int = bound(0, 8, default=2)
    policy_changes: int = bound(0, 8, default=0)
    controller_elections: int = bound(0, 8, default=0)
    requests: int = bound(1, 8, default=1)
    lost_requests: int = bound(0, 8, default=0)
    duplicate_requests: int = bound(0, 8, default=0)
    removed_brokers: int = bound(0, 1, default=0)
    fetches: int = bound(0, 8, default=0)


Controller = Annotated[int, Index(EarlyTopic.controllers)]
OptionalController = Annotated[int, Index(EarlyTopic.controllers, optional=True)]
ControllerEpoch = Annotated[int, Range(0, EarlyTopic.controller_elections)]
BrokerEpoch = Annotated[int, Range(0, EarlyTopic.restarts)]
TieredEpoch = Annotated[int, Range(0, EarlyTopic.config_changes)]
OptionalTieredEpoch = Annotated[int, Range(-1, EarlyTopic.config_changes, -1)]
RequestSlot = Annotated[int, Index(EarlyTopic.requests)]
ClusterPosition = Annotated[int, Range(0, EarlyTopic.unapplied_records)]
RecordCount = Annotated[int, Range(1, EarlyTopic.unapplied_records)]


Thread = Annotated[int, Index(2)]


class DisableThread(Record):
    """A thread of a broker that changes the tiering of the topic."""

    step: DisableStep


class Image(Record):
    """A record of the metadata log of a KRaft cluster, with all that is true once it is applied."""

    tiering: Tiering
    policy: Policy
    tiered_epoch: TieredEpoch
    leader: Broker
    leader_epoch: LeaderEpoch


class ControllerState(Record):
    """A controller: whether it believes to be the active one, and its queue of disablements.

    The queue is kept by topic, as `topicsToBeDeleted` is: one topic, one place in it.
    `unsent` and `unanswered` are brokers. `arriving` are the brokers whose answers are on their
    way, `arriving_late` those whose answers to an earlier disablement are.
    `has_state_to_write`: it has written the settings, and not yet the tiered state.
    """

    is_active: bool
    epoch: ControllerEpoch
    has_state_to_write: bool
    is_disabling: bool
    unsent: Brokers
    unanswered: Brokers
    arriving: Brokers
    arriving_late: Brokers


class Request(Record):
    """A request on its way to a broker; `to` is NONE in a slot that is free.

    DisableRemoteTopic has the partition and the topic, of which there is one here: no further
    field. StopReplica v5 has the three epochs. `meant_for`, the tiered epoch that the request
    was sent for, is in neither: properties read it, and one repair puts it on the wire.
    """

    to: OptionalBroker
    controller: OptionalController
    controller_epoch: ControllerEpoch
    broker_epoch: BrokerEpoch
    leader_epoch: LeaderEpoch
    meant_for: OptionalTieredEpoch


class FetchAnswer(IntEnum):
    """The answer to the last remote fetch of a consumer."""

    NOTHING = 0
    RECORDS = 1
    OFFSET_OUT_OF_RANGE = 2
    STORE_ERROR = 3


class RemoteFetch(Record):
    """A consumer's fetch in the purgatory and in the fetcher pool; `broker` NONE: there is none."""

    broker: OptionalBroker
    segment: OptionalSegmentId
    offset: Offset
    answer: FetchAnswer


class EarlyBroker(BrokerState):
    """A broker of KIP-405, what it has learned of the topic's tiering, and the two threads.

    `position`: how many records of the cluster log it has read; it still applies the last
    `batch` of them. With ZooKeeper: whether it has read the newest settings.
    `controller_epoch`: the latest that a request told it. `handled_for`: the controller whose
    request the handler executes, which was meant for `handled_epoch`. `stopped_for`: the tiered
    epoch that the broker knew when this process last stopped the partition. Ghost `stopped_in`:
    the tiered epoch of the topic at that moment.
    """

    position: ClusterPosition
    batch: ClusterPosition
    tiering: Tiering
    policy: Policy
    tiered_epoch: TieredEpoch
    controller_epoch: ControllerEpoch
    broker_epoch: BrokerEpoch
    is_removed: bool
    thread: Annotated[list[DisableThread], Array(2)]
    handled_for: OptionalController
    handled_epoch: OptionalTieredEpoch
    stopped_for: OptionalTieredEpoch
    stopped_in: Annotated[OptionalTieredEpoch, GHOST]


class EarlySegment(RemoteSegment):
    """A remote segment; `tiered_epoch` stands in its COPY_SEGMENT_STARTED."""

    tiered_epoch: TieredEpoch


class Topic(Partition):
    """The whole system.

    `tiering`, `policy` and `settings` are in the config ZNode or ConfigRecord, `tiered_state`
    and `tiered_epoch` in the topics ZNode or TopicRecord. Ghost `deleted_below`: a disable with
    delete permits to delete segments of a lower tiered epoch.
    """

    tiering: Tiering
    policy: Policy
    settings: Settings
    tiered_state: TieredState
    tiered_epoch: TieredEpoch
    cluster_log: Annotated[list[Image], Array(EarlyTopic.unapplied_records)]
    cluster_end: ClusterPosition

    controller: Annotated[list[ControllerState], Array(EarlyTopic.controllers)]
    active_controller: Controller
    controller_epoch: ControllerEpoch
    request: Annotated[list[Request], Array(EarlyTopic.requests)]
    fetch: RemoteFetch

    broker: Annotated[list[EarlyBroker], Array(EarlyTopic.brokers)]  # type: ignore[assignment]
    segment: Annotated[list[EarlySegment], Array(EarlyTopic.segment_ids)]  # type: ignore[assignment]

    config_changes: Annotated[int, Budget(EarlyTopic.config_changes)]
    policy_changes: Annotated[int, Budget(EarlyTopic.policy_changes)]
    controller_elections: Annotated[int, Budget(EarlyTopic.controller_elections)]
    lost_requests: Annotated[int, Budget(EarlyTopic.lost_requests)]
    duplicate_requests: Annotated[int, Budget(EarlyTopic.duplicate_requests)]
    removed_brokers: Annotated[int, Budget(EarlyTopic.removed_brokers)]
    fetches: Annotated[int, Budget(EarlyTopic.fetches)]

    deleted_below: Annotated[TieredEpoch, GHOST]
