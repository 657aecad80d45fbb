"""What a broker knows, what the metadata topic holds, and what is true, as KIP-1266 has it.

One user partition of closed segments, each of one offset, all written in epoch 0: what is at
stake is the metadata. `leader_epoch` counts elections, and is what the keys call
brokerLeaderEpoch; the lineages of the segments have the one epoch they were written in.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from tierproof.model.kafka.compacted_topic import CleanupPolicy, CompactedTopic, TopicScope
from tierproof.model.kafka.remote_metadata_cache import MetadataCache, SegmentMetadata
from tierproof.model.kafka.scope import OffsetEnd, OptionalSegmentId, TieredScope
from tierproof.model.language import (
    GHOST,
    Actor,
    Array,
    Budget,
    Index,
    Lifecycle,
    Range,
    Record,
    State,
    bound,
)


class Kip1266(TopicScope):
    """How many brokers, elections and closed segments, and how often something goes wrong."""

    brokers: int = bound(1, 3, default=2)
    elections: int = bound(0, 7, default=1)
    restarts: int = bound(0, 7, default=0)
    failed_copies: int = bound(0, 1_000_000, default=0)
    expirations: int = bound(0, 1_000_000_000, default=1, unit="segments")
    deletions: int = bound(0, 1, default=0, unit="topics")
    lagging: int = bound(0, 1, default=0)
    history: int = bound(0, 2, default=0, unit="segments")
    windows: int = bound(0, 4, default=0)

    def inconsistency(self) -> str | None:
        """Keys of the widest scheme, and values of all ids, must have numbers."""
        most = max(self.offsets, self.segment_ids)
        wanted = 8 * (most + 2)
        if self.topic_keys < wanted or self.topic_values < 8 * most:
            given = f"topic_keys={self.topic_keys} and topic_values={self.topic_values}"
            return f"{given}: at least {wanted} are needed"
        return None


Broker = Annotated[int, Index(Kip1266.brokers)]
Place = Annotated[int, Range(0, Kip1266.topic_records)]
Term = Annotated[int, Range(0, Kip1266.elections)]
OptionalTerm = Annotated[int, Range(-1, Kip1266.elections)]


class Kind(IntEnum):
    """What a record of the metadata topic says; TOMBSTONE is a key without a value."""

    TOMBSTONE = 0
    COPY_SEGMENT_STARTED = 1
    COPY_SEGMENT_FINISHED = 2
    DELETE_SEGMENT_STARTED = 3
    DELETE_SEGMENT_FINISHED = 4
    DELETE_PARTITION_STARTED = 5
    DELETE_PARTITION_FINISHED = 6
    HIGHEST_OFFSET = 7
    """A repair: how far an epoch was copied; its value has the offset in the place of the id."""


class TaskStep(IntEnum):
    """How far a thread of a remote log task is with its segment."""

    IDLE = 0
    STARTED = 1
    STORED = 2
    TO_DELETE = 3
    DELETE_STARTED = 4
    OBJECT_DELETED = 5


TASK = Lifecycle(
    TaskStep,
    [("the broker restarts", [step for step in TaskStep if step != TaskStep.IDLE], TaskStep.IDLE)],
    source="RLMCopyTask, RLMExpirationTask",
)

COPYING = 0
EXPIRING = 1
ThreadIndex = Annotated[int, Index(2)]
"""The copy task's thread, and the expiration task's."""

BROKER = Actor("broker {broker}")
COPIER = Actor("broker {broker}", at=f"broker[broker].thread[{COPYING}].step", life=TASK)
"""The copy task of a broker; threads of one broker share its lifeline."""
EXPIRER = Actor("broker {broker}", at=f"broker[broker].thread[{EXPIRING}].step", life=TASK)
"""The expiration task of a broker."""
DELETER = Actor("broker {broker}", at="broker[broker].thread[thread].step", life=TASK)
"""Either task: a copy task deletes the attempt that failed."""


class PartitionDeletion(IntEnum):
    """Which markers of the partition's deletion the metadata topic has been sent."""

    NOT_BEGUN = 0
    STARTED = 1
    FINISHED = 2


LEADER = Actor(
    "broker {broker}",
    at="partition_deletion",
    life=Lifecycle(PartitionDeletion, source="RemotePartitionDeleteState"),
)
"""The leader, which deletes the whole partition."""


class Thread(Record):
    """A thread of a remote log task, and the segment that it works on.

    `is_outdated`: it took the segment up in an earlier epoch; only a repair asks for it.
    """

    step: TaskStep
    segment: OptionalSegmentId
    is_outdated: bool


class BrokerState(Record):
    """A broker: what it believes of the leader, its log, its consumer, its threads.

    `next_to_copy` is the copy task's cursor; `log_start` and `local_log_start` are Kafka's
    log start offset and local log start offset. `is_old_version`: its consumer takes every
    value for a message. `to_tombstone`: the segment whose keys it tombstones, of which
    `has_gone_to_tombstone` are done.
    """

    is_leader: bool
    has_begun: bool
    term: Term
    log_start: OffsetEnd
    local_log_start: OffsetEnd
    next_to_copy: OffsetEnd

    is_old_version: bool
    writes_keys: bool
    is_consumer_dead: bool
    position: Place
    assigned_end: Place
    cache: MetadataCache

    thread: Annotated[list[Thread], Array(2)]
    to_tombstone: OptionalSegmentId
    has_gone_to_tombstone: Annotated[int, Range(0, 8)]


class KeyedSegment(SegmentMetadata):
    """An attempt at a copy: what its first record says, and whether its object exists.

    `copy_term` is the leader epoch at the copy (NONE: the id is unused); `keyed_terms`:
    all epochs that records of the id had in their keys; `was_deleted`: the store was asked to
    delete the object. Only properties and repairs ask for the last two.
    """

    copy_term: OptionalTerm
    object_exists: bool
    keyed_terms: Annotated[int, Range(0, 255)]
    was_deleted: bool


class Topic(State):
    """The whole system.

    `expired_end`: the offsets below it are past their retention. `has_finite_retention`,
    `is_window_over`, `is_new_feature`: how far a migration is. Ghosts are explained in `ghosts`.
    """

    policy: CleanupPolicy
    has_finite_retention: bool
    is_window_over: bool
    is_new_feature: bool

    metadata: CompactedTopic
    segment: Annotated[list[KeyedSegment], Array(TieredScope.segment_ids)]
    broker: Annotated[list[BrokerState], Array(Kip1266.brokers)]
    elected_leader: Broker
    leader_epoch: Term
    expired_end: OffsetEnd
    is_topic_deleted: bool
    partition_deletion: PartitionDeletion

    restarts: Annotated[int, Budget(Kip1266.restarts)]
    failed_copies: Annotated[int, Budget(Kip1266.failed_copies)]
    expirations: Annotated[int, Budget(Kip1266.expirations)]
    deletions: Annotated[int, Budget(Kip1266.deletions)]
    windows: Annotated[int, Budget(Kip1266.windows)]

    noted_end: Annotated[int, Range(0, Kip1266.topic_records), GHOST]
    truth: Annotated[MetadataCache, GHOST]
    replayed: Annotated[MetadataCache, GHOST]
    tombstoned_keys: Annotated[list[bool], Array(TopicScope.topic_keys), GHOST]
    was_writer_elected: Annotated[bool, GHOST]
