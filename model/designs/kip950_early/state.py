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
from tierproof.model.designs.kip950_early.tiered_state import Policy, TieredState, Tiering
from tierproof.model.kafka.scope import LeaderEpoch, Offset, OptionalSegmentId
from tierproof.model.language import (
    GHOST,
    Array,
    Budget,
    Index,
    Lifecycle,
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


class DisableStep(IntEnum):
    """How far a thread of a broker has come with a change of the topic's tiering."""

    IDLE = 0
    CONFIG_TO_APPLY = 1
    STARTING_TASKS = 2
    CANCELLING_COPY = 3
    RAISING_LOG_START = 4
    DRAINING_FETCHES = 5
    STOPPING_PARTITION = 6
    WAITING_FOR_REMOVAL = 7
    ANSWERING = 8


_LAST_STEPS = (
    DisableStep.CANCELLING_COPY,
    DisableStep.STOPPING_PARTITION,
    DisableStep.WAITING_FOR_REMOVAL,
)
DISABLE_STEP = Lifecycle(
    DisableStep,
    [
        ("learn_config", DisableStep.IDLE, DisableStep.CONFIG_TO_APPLY),
        (
            "enable",
            [DisableStep.IDLE, DisableStep.CONFIG_TO_APPLY],
            DisableStep.STARTING_TASKS,
        ),
        (
            "retain",
            [DisableStep.IDLE, DisableStep.CONFIG_TO_APPLY],
            DisableStep.CANCELLING_COPY,
        ),
        (
            "delete",
            [DisableStep.IDLE, DisableStep.CONFIG_TO_APPLY],
            DisableStep.RAISING_LOG_START,
        ),
        (
            "stop_partition",
            [DisableStep.IDLE, DisableStep.CONFIG_TO_APPLY, DisableStep.DRAINING_FETCHES],
            DisableStep.STOPPING_PARTITION,
        ),
        ("drain", DisableStep.RAISING_LOG_START, DisableStep.DRAINING_FETCHES),
        ("acknowledge", DisableStep.IDLE, DisableStep.ANSWERING),
        ("wait", DisableStep.STOPPING_PARTITION, DisableStep.WAITING_FOR_REMOVAL),
        ("answer", _LAST_STEPS, DisableStep.ANSWERING),
        (
            "finish",
            [
                DisableStep.CONFIG_TO_APPLY,
                DisableStep.STARTING_TASKS,
                *_LAST_STEPS,
                DisableStep.ANSWERING,
            ],
            DisableStep.IDLE,
        ),
        (
            "crash",
            [DisableStep.RAISING_LOG_START, DisableStep.DRAINING_FETCHES],
            DisableStep.IDLE,
        ),
    ],
    source="KIP-950, Disablement: RemoteLogManager#stopPartitions; TopicConfigHandler",
)

WATCH = 0
HANDLER = 1
ThreadIndex = Annotated[int, Index(2)]
"""The thread that learns of settings, and the one that answers requests of controllers."""


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
    `unsent` and `unanswered` are brokers; `arriving` are those whose answers are on their way,
    `arriving_late` those whose answers to an earlier disablement still are.
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
    """A request on its way to a broker; `to` is NONE in a place that is free.

    DisableRemoteTopic names the partition and the topic, of which there is one here: it has
    no further field. StopReplica v5 has the three epochs. `meant_for`, the tiered epoch that
    it was sent for, is in neither: a note for properties, which one repair puts on the wire.
    """

    to: OptionalBroker
    controller: OptionalController
    controller_epoch: ControllerEpoch
    broker_epoch: BrokerEpoch
    leader_epoch: LeaderEpoch
    meant_for: OptionalTieredEpoch


class FetchAnswer(IntEnum):
    """What the last remote fetch of a consumer came back with."""

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

    `position`: how many records of the cluster log it has learned, `batch` of which it is at
    work on; with ZooKeeper, whether it has read the newest settings. `controller_epoch`: the
    latest that it has heard of. `handled_for`: whose request the handler executes, which was
    meant for `handled_epoch`. `stopped_for` is the tiered epoch that the broker knew when this
    process last stopped the partition; the ghost `stopped_in`, the one that it was.
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
    and `tiered_epoch` in the topics ZNode or TopicRecord. Ghost: segments of a tiered epoch
    below `deleted_below` were let go of by a disable with delete.
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
