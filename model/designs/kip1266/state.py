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
from tierproof.model.language import GHOST, Array, Budget, Index, Range, Record, State, bound


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


class KeyScheme(IntEnum):
    """What the key of a segment's records is made of."""

    END_OFFSET_AND_EPOCH = 0
    """KIP-1266: topic id, name, partition, end offset, brokerLeaderEpoch."""
    SEGMENT_ID = 1
    """A repair: the UUID of the segment."""
    SEGMENT_ID_AND_STATE = 2
    """The alternative pull request 22774: UUID and state."""


class EpochOfKey(IntEnum):
    """Which epoch brokerLeaderEpoch is; the text says both."""

    AT_PUBLICATION = 0
    AT_COPY = 1


class OnTombstone(IntEnum):
    """What a consumer does with a null value."""

    SKIPS = 0
    """It goes on: a cache has no index by key, and the text changes nothing in it."""
    FORGETS = 1
    """A repair: it forgets every id that it learned of under the key, and an id whose
    DELETE_SEGMENT_FINISHED comes, whatever it had read of it before."""
    DIES = 2
    """The consumer that ships: deserialising null is an unexpected exception."""


class Choices(Record):
    """How the text is read, or repaired; the same in every state of a run."""

    key: KeyScheme
    epoch: EpochOfKey
    on_tombstone: OnTombstone
    is_self_contained: bool
    """Update records carry everything that the first record of the segment says."""
    is_fenced: bool
    """The topic takes records from the elected leader only."""
    is_conditional: bool
    """A tombstone is appended only if the last value of its key is what its writer deleted."""
    is_partition_key_like_segment: bool
    """Partition markers have an end offset and an epoch in their key, as the text says first."""
    keeps_highest_offsets: bool
    """COPY_SEGMENT_FINISHED comes in one batch with a record of its epoch's highest offset."""
    is_kind_in_key: bool
    """What a key names, a segment or the partition, is part of it."""
    does_store_remember: bool
    """The store takes no object of an id that it was asked to delete before."""


class Step(IntEnum):
    """How far a thread is with its segment."""

    IDLE = 0
    STARTED = 1
    STORED = 2
    TO_DELETE = 3
    DELETE_STARTED = 4
    OBJECT_DELETED = 5


COPYING = 0
EXPIRING = 1
ThreadIndex = Annotated[int, Index(2)]
"""The copy task's thread, and the expiration task's."""


class PartitionDeletion(IntEnum):
    """How far the deletion of the whole partition is told; no broker marks it before."""

    NOT_BEGUN = 0
    STARTED = 1
    FINISHED = 2


class Thread(Record):
    """A thread of a remote log task, and the segment that it is at.

    `is_outdated`: where writers are fenced, it took the segment up in an earlier epoch.
    """

    step: Step
    segment: OptionalSegmentId
    is_outdated: bool


class BrokerState(Record):
    """A broker: what it believes of the leader, its log, its consumer, its threads.

    `next_to_copy` is the copy task's cursor; `log_start` and `local_log_start` are Kafka's
    log start offset and local log start offset.
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


class SegmentState(SegmentMetadata):
    """An attempt at a copy: what its first record says, and whether its object exists.

    `copy_term` is the leader epoch at the copy (NONE: the id is unused); `keyed_terms`:
    all epochs that records of the id had in their keys, as whoever read them remembers;
    `was_deleted`: the store was asked to delete the object.
    """

    copy_term: OptionalTerm
    object_exists: bool
    keyed_terms: Annotated[int, Range(0, 255)]
    was_deleted: bool


class Topic(State):
    """The whole system.

    `expired_end`: the offsets below it are past their retention; `replayed`: what a broker
    would know that read the topic as it is; `truth`: the same of every record ever appended.
    `has_finite_retention`, `is_window_over`, `is_new_feature`: how far a migration is.
    """

    choices: Choices
    policy: CleanupPolicy
    has_finite_retention: bool
    is_window_over: bool
    is_new_feature: bool

    metadata: CompactedTopic
    segment: Annotated[list[SegmentState], Array(TieredScope.segment_ids)]
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

    truth: Annotated[MetadataCache, GHOST]
    replayed: Annotated[MetadataCache, GHOST]
    tombstoned_keys: Annotated[list[bool], Array(TopicScope.topic_keys), GHOST]
    was_writer_elected: Annotated[bool, GHOST]
