"""The state of KIP-1272: that of KIP-405, with keys, versions of segments, and the cleaner.

A record keeps its offset whatever the cleaner does; `kept` says what is left of it in one
version of its segment. There is a version in each replica's log, and one in each object. All
records are of one producer, which has at most one transaction open at a time.
"""

from enum import IntEnum
from typing import Annotated

from tierproof.model.designs.kip405.state import (
    BrokerState,
    CommittedRecord,
    LogRecord,
    Partition,
    RemoteSegment,
    Settings,
    TieredPartition,
)
from tierproof.model.designs.kip1272.written_records import HISTORIES
from tierproof.model.kafka.compacted_topic import CleanupPolicy
from tierproof.model.kafka.remote_metadata_cache import MetadataCache
from tierproof.model.kafka.scope import (
    LeaderEpoch,
    OffsetEnd,
    OptionalOffset,
    OptionalOffsetEnd,
    OptionalSegmentId,
)
from tierproof.model.kafka.segment_versions import Kept, RecordType
from tierproof.model.language import (
    GHOST,
    Array,
    Budget,
    Index,
    Lifecycle,
    Range,
    Record,
    Set,
    bound,
)


class CompactedPartition(TieredPartition):
    """Bounds of an exploration of KIP-1272, besides those of KIP-405.

    `history` names the records that are there at the beginning (`HISTORIES`), a segment
    each, but for two histories. The first `copied` records are in the remote tier, the leader
    has cleaned the first `cleaned`, and those below `local_start` are no longer local. With
    `keeps_local` local retention removes nothing. The cleaner has `disk_bytes` free and cleans
    above `min_dirty_percent`; a segment of its output has at most `segment_bytes`.
    """

    topic_keys: int = bound(1, 8, default=1)
    history: int = bound(0, 9, default=0)
    copied: int = bound(0, 1_000, default=0)
    cleaned: int = bound(0, 1_000, default=0)
    local_start: int = bound(0, 1_000, default=0)
    keeps_local: int = bound(0, 1, default=0)
    has_compact_only: int = bound(0, 1, default=1)
    disk_bytes: int = bound(0, 1_000_000_000, default=1_000_000_000)
    min_dirty_percent: int = bound(0, 100, default=0)
    is_late: int = bound(0, 1, default=1)
    policy_changes: int = bound(0, 8, default=0)
    downgrades: int = bound(0, 8, default=0)
    consumers: int = bound(0, 1, default=0)

    def inconsistency(self) -> str | None:
        """The history fits; copies are of its records; a run has room for what a user deletes."""
        records, written = len(HISTORIES[self.history]), self.offsets - self.appends
        if written != records:
            return f"history={self.history} has {records} records, not offsets - appends={written}"
        keys = 1 + max(key for key, _, _ in HISTORIES[self.history])
        if self.topic_keys < keys:
            return f"history={self.history} has {keys} keys, more than topic_keys={self.topic_keys}"
        return self._uncopied() or self._unplanned() or super().inconsistency()

    def _uncopied(self) -> str | None:
        """What is copied was written; what was cleaned, or is only remote, is copied."""
        records = len(HISTORIES[self.history])
        if self.copied > records:
            return f"copied={self.copied} is more than the {records} records"
        for name in ("cleaned", "local_start"):
            if dict(self)[name] > self.copied:
                return f"{name}={dict(self)[name]} is above copied={self.copied}"
        return None

    def _unplanned(self) -> str | None:
        """A user may delete the records of all segments: a run then plans each of them."""
        if self.record_deletions and self.planned_deletions < self.segment_ids:
            return (
                f"record_deletions={self.record_deletions} lets a run delete each of the "
                f"segment_ids={self.segment_ids}: it needs as many planned_deletions, not "
                f"{self.planned_deletions}"
            )
        return None


Key = Annotated[int, Index(CompactedPartition.topic_keys)]
OptionalKey = Annotated[int, Index(CompactedPartition.topic_keys, optional=True)]
Keys = Annotated[set[int], Set(CompactedPartition.topic_keys)]
Offsets = Annotated[set[int], Set(CompactedPartition.offsets)]
CleanerOffsets = Annotated[list[OptionalOffsetEnd], Array(CompactedPartition.leader_epochs)]
"""Leader epoch -> cleaner offset, as in the metadata of a segment; NONE where there is no entry."""


class CompactedSettings(Settings):
    """The settings of the topic, with its cleanup.policy."""

    cleanup_policy: CleanupPolicy


class KeyedRecord(LogRecord):
    """A record in one version of its segment, in a batch of its own; blank once it is GONE."""

    key: OptionalKey
    type: RecordType
    is_transactional: bool
    kept: Kept


class WrittenRecord(CommittedRecord):
    """What was committed at an offset, with its key (once `is_keyed`)."""

    key: OptionalKey
    type: RecordType
    is_transactional: bool
    is_keyed: bool


class CompactedCache(MetadataCache):
    """The cache of segment metadata, with the cleaner offsets of each leader epoch.

    `cleaner_offset[e]` is the highest one that a segment claims for epoch e; `cleaner_end[e]`
    is where the leader of a later epoch says that epoch e ended. NONE where nothing was read.
    `finished_order` are the ids that finished, in the order of their records.
    """

    cleaner_offset: CleanerOffsets
    cleaner_end: CleanerOffsets
    finished_order: Annotated[list[OptionalSegmentId], Array(CompactedPartition.segment_ids)]


class CleanerStep(IntEnum):
    """Where a broker's cleaner thread stands with the chunk in hand."""

    IDLE = 0
    MAP_BUILT = 1
    GROUP_CLEANED = 2
    COPYING = 3


CLEANING = Lifecycle(
    CleanerStep,
    [("broker_crashes", tuple(CleanerStep)[1:], CleanerStep.IDLE)],
    source='KIP-1272, "Chunked Two Pass Compaction", "Swap Old/New Log Segment Files"',
)


class BloomFilter(Record):
    """The keys of the object of `segment`; NONE where no filter was built."""

    segment: OptionalSegmentId
    keys: Keys


class CompactingBroker(BrokerState):
    """A broker of KIP-405 and its cleaner.

    `cleaner_offset` is on disk; `cleaner_offsets` are those that it publishes. After an
    election the new leader has to resolve both (`is_cleaner_behind`). A pass cleans the log up
    to `map_end`; `offset_map` has the last offset of each key in the chunk; the groups below
    `group_start` are done. `output[group_start:group_end]` is the cleaned group, `output_id`
    its id. `seen_markers` end transactions of which the pass has read a batch. `filters` are
    by the base offset of a segment.
    """

    records: Annotated[list[KeyedRecord], Array(CompactedPartition.offsets)]  # type: ignore[assignment]
    settings: CompactedSettings
    cache: CompactedCache

    cleaner_offset: OffsetEnd
    cleaner_offsets: CleanerOffsets
    is_cleaner_behind: bool

    cleaner: CleanerStep
    cleans_remote: bool
    cleaner_epoch: LeaderEpoch
    map_end: OffsetEnd
    offset_map: Annotated[list[OptionalOffset], Array(CompactedPartition.topic_keys)]
    is_horizon_over: bool
    group_start: OffsetEnd
    group_end: OffsetEnd
    output: Annotated[list[KeyedRecord], Array(CompactedPartition.offsets)]
    output_id: OptionalSegmentId
    is_output_copied: bool
    seen_markers: Offsets
    filters: Annotated[list[BloomFilter], Array(CompactedPartition.offsets)]


class CompactedSegment(RemoteSegment):
    """A copy of a segment, by the copy task or by the cleaner (`is_cleaned`).

    `records` is the version that the object holds. `cleaner_offsets` are published with it.
    The copy task reads the log file (`is_log_read`) before the index files; `is_mixed`: the
    log file and the index files are of different versions. `shared_with` is the id that has the
    same object, in the reading that forwards metadata. `was_led` is a ghost: the elected
    leader of the time published COPY_SEGMENT_FINISHED.
    """

    records: Annotated[list[KeyedRecord], Array(CompactedPartition.offsets)]
    cleaner_offsets: CleanerOffsets
    is_cleaned: bool
    is_log_read: bool
    is_mixed: bool
    shared_with: OptionalSegmentId
    was_led: Annotated[bool, GHOST]


class CompactedTopic(Partition):
    """The whole system.

    `consumer_position` is the next offset of a consumer that reads all; NONE without one.
    """

    cleanup_policy: CleanupPolicy
    consumer_position: OptionalOffsetEnd

    broker: Annotated[list[CompactingBroker], Array(CompactedPartition.brokers)]  # type: ignore[assignment]
    segment: Annotated[list[CompactedSegment], Array(CompactedPartition.segment_ids)]  # type: ignore[assignment]

    policy_changes: Annotated[int, Budget(CompactedPartition.policy_changes)]
    downgrades: Annotated[int, Budget(CompactedPartition.downgrades)]

    committed: Annotated[list[WrittenRecord], Array(CompactedPartition.offsets), GHOST]  # type: ignore[assignment]


Passed = Annotated[int, Range(0, CompactedPartition.is_late)]
"""Whether delete.retention.ms is over (1) when a pass begins."""
