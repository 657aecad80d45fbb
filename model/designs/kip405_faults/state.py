"""The state of KIP-405 beneath faults: what more the environment may do, and who survives it.

Beside the protocol of KIP-405 lie the replication of the metadata topic, the copier threads that
a broker shares among its partitions, and whether its metadata manager runs.
"""

from enum import IntEnum
from typing import Annotated

from tierproof.model.designs.kip405.state import (
    BrokerState,
    MetadataPosition,
    OptionalBroker,
    Partition,
    RemoteSegment,
    TieredPartition,
)
from tierproof.model.kafka.scope import LeaderEpoch
from tierproof.model.language import Array, Budget, Lifecycle, bound


class FaultyPartition(TieredPartition):
    """Bounds of an exploration of KIP-405 beneath faults, besides those of KIP-405.

    A broker copies with `copier_threads` threads (remote.log.manager.copier.thread.pool.size), and
    with `is_shared` also a segment of another partition. Each fault is a budget of its own.
    """

    copier_threads: int = bound(1, 62, default=10)
    is_shared: int = bound(0, 1, default=0)
    metadata_shrinks: int = bound(0, 1_000, default=0)
    metadata_losses: int = bound(0, 1_000, default=0)
    hung_copies: int = bound(0, 1_000, default=0)
    failed_starts: int = bound(0, 1_000, default=0)
    own_rolls: int = bound(0, 1_000, default=0)
    slow_requests: int = bound(0, 1_000, default=0)


class OtherCopy(IntEnum):
    """How far the copy of the other partition's segment has come."""

    NONE = 0
    WAITING = 1
    RUNNING = 2
    ENDED = 3


OTHER_COPY = Lifecycle(
    OtherCopy,
    [("broker_crashes", OtherCopy.RUNNING, OtherCopy.WAITING)],
    source="RemoteLogManager.RLMCopyTask of another partition",
)


class FaultyBroker(BrokerState):
    """A broker of KIP-405, its other partition, and its metadata manager.

    `is_manager_failed`: the metadata manager has given up its initialization.
    """

    other_copy: OtherCopy
    is_manager_failed: bool


class FaultySegment(RemoteSegment):
    """An attempt to copy. `is_hung`: the store neither answers nor fails the request."""

    is_hung: bool


class FaultyTopic(Partition):
    """The whole system.

    A second replica has the metadata topic up to `metadata_replicated_end`, and
    `is_metadata_replica_in_sync` says whether the topic's leader waits for it. The leader of
    the epoch `joining_epoch` has asked to take `joining` in sync (NONE: no request is in flight),
    and `is_joining_stale` says whether that broker has started anew since.
    """

    metadata_replicated_end: MetadataPosition
    is_metadata_replica_in_sync: bool
    joining: OptionalBroker
    joining_epoch: LeaderEpoch
    is_joining_stale: bool

    broker: Annotated[list[FaultyBroker], Array(FaultyPartition.brokers)]  # type: ignore[assignment]
    segment: Annotated[list[FaultySegment], Array(FaultyPartition.segment_ids)]  # type: ignore[assignment]

    metadata_shrinks: Annotated[int, Budget(FaultyPartition.metadata_shrinks)]
    metadata_losses: Annotated[int, Budget(FaultyPartition.metadata_losses)]
    hung_copies: Annotated[int, Budget(FaultyPartition.hung_copies)]
    failed_starts: Annotated[int, Budget(FaultyPartition.failed_starts)]
    own_rolls: Annotated[int, Budget(FaultyPartition.own_rolls)]
    slow_requests: Annotated[int, Budget(FaultyPartition.slow_requests)]
