"""The fields that properties read: what a design's state must have to be asked.

A Partition is a state of KIP-405, a Topic one with the settings of KIP-950, a DisablingTopic
one of its early text, a MetadataTopic one of KIP-1266, a TieredCompactedTopic one of KIP-1272,
and a CleanedPartition one of the log cleaner. Properties assign nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tierproof.model.kafka.compacted_topic import CompactedTopic
from tierproof.model.kafka.expiration_task import ExpiringReplica
from tierproof.model.kafka.fields import Leadership, LogSettings, Segment, SizedRecord, SizedSegment
from tierproof.model.kafka.keyed_log import KeyedLog
from tierproof.model.kafka.offset_map import KeyMap
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.remote_metadata_cache import EpochState, MetadataCache
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.segment_versions import KeyedRecord, RecordType
from tierproof.model.kafka.tiered_state import DisableStep, Policy, TieredState


class Broker(ExpiringReplica, Protocol):
    """A broker: its replica, what it has read of the metadata topic, its remote log tasks."""

    presumed_leader: int
    leader_epoch: int
    metadata_position: int
    metadata_assigned_end: int
    is_metadata_assigned: bool
    copy_task: CopyTask
    copied_offset: int
    follower_task: bool
    expiration_task: bool
    removal_list: set[int]

    @property
    def run_step(self) -> int:
        """How far a run of the expiration task has come."""

    @property
    def removal_step(self) -> int:
        """How far stopPartitions has come."""


class RemoteSegment(SizedSegment, Protocol):
    """An attempt to copy; `copier` is the broker whose thread copies it, or NONE."""

    object_exists: bool
    copier: int
    is_cancelled: bool


class MetadataRecord(Protocol):
    """A record of the metadata topic: an id and its new state, numbered as SegmentState."""

    segment: int

    @property
    def kind(self) -> int:
        """The new state."""


class CommittedRecord(SizedRecord, Protocol):
    """The record that was committed at an offset; `epoch` is NONE where none was."""

    epoch: int


class Partition(Leadership, Protocol):
    """One tiered partition; `committed` and `legal_end` are ghosts."""

    clock: int
    in_sync: set[int]
    is_topic_deleted: bool
    metadata_end: int
    index_fetched: int
    legal_end: int

    @property
    def broker(self) -> Sequence[Broker]:
        """Every broker."""

    @property
    def segment(self) -> Sequence[RemoteSegment]:
        """Every id."""

    @property
    def metadata_topic(self) -> Sequence[MetadataRecord]:
        """Its first `metadata_end` records have been published."""

    @property
    def committed(self) -> Sequence[CommittedRecord]:
        """What was committed at each offset, whether or not it still exists."""


# -- KIP-950


class TopicSettings(LogSettings, Protocol):
    """The settings of a topic."""

    remote_log_delete_on_disable: bool


class TopicBroker(Broker, Protocol):
    """A broker that has learned `position` records of the cluster log, and applies `batch`."""

    position: int
    batch: int

    @property
    def tiering(self) -> int:
        """What its settings stand for, numbered as TieringState."""


class Topic(Partition, Protocol):
    """A partition of a topic whose settings change through the log of the cluster."""

    cluster_end: int

    @property
    def settings(self) -> TopicSettings:
        """The controller's settings."""

    @property
    def tiering(self) -> int:
        """What they stand for, numbered as TieringState."""

    @property
    def broker(self) -> Sequence[TopicBroker]:
        """Every broker."""


# -- KIP-950, early text


class Thread(Protocol):
    """A thread that changes the tiering of the topic."""

    step: DisableStep


class DisablingBroker(TopicBroker, Protocol):
    """A broker that is asked to disable; `stopped_in` is a ghost."""

    tiered_epoch: int
    handled_for: int
    handled_epoch: int
    stopped_in: int

    @property
    def thread(self) -> Sequence[Thread]:
        """The thread that learns of settings, and the one that executes requests."""


class TieredSegment(RemoteSegment, Protocol):
    """A segment with the tiered epoch of its copy."""

    tiered_epoch: int


class Controller(Protocol):
    """A controller, which may believe to be the active one."""

    is_active: bool
    epoch: int
    is_disabling: bool
    has_state_to_write: bool


class Request(Protocol):
    """A request on its way to a broker, or to NONE."""

    to: int


class RemoteFetch(Protocol):
    """A consumer's fetch that waits at a broker, or at NONE."""

    broker: int


class DisablingTopic(Topic, Protocol):
    """A topic that is disabled in stages; `deleted_below` is a ghost."""

    tiered_epoch: int
    controller_epoch: int
    deleted_below: int
    tiered_state: TieredState
    policy: Policy

    @property
    def broker(self) -> Sequence[DisablingBroker]:
        """Every broker."""

    @property
    def segment(self) -> Sequence[TieredSegment]:
        """Every id."""

    @property
    def controller(self) -> Sequence[Controller]:
        """Every controller."""

    @property
    def request(self) -> Sequence[Request]:
        """Requests on their way."""

    @property
    def fetch(self) -> RemoteFetch:
        """The consumer's last remote fetch."""


# -- KIP-1266


class MetadataConsumer(Protocol):
    """A broker: its log, its belief, and its consumer of the metadata topic."""

    is_leader: bool
    has_begun: bool
    term: int
    log_start: int
    local_log_start: int
    is_consumer_dead: bool
    position: int
    cache: MetadataCache


class KeyedSegment(Segment, Protocol):
    """A segment; `keyed_terms` are the epochs that its records had in their keys, as bits."""

    copy_term: int
    object_exists: bool
    keyed_terms: int


class SegmentLimits(Protocol):
    """How many offsets the partition has."""

    offsets: int


class MetadataTopic(Protocol):
    """A compacted metadata topic; `truth`, `replayed` and the last two fields are ghosts."""

    metadata: CompactedTopic
    elected_leader: int
    leader_epoch: int
    expired_end: int
    is_topic_deleted: bool
    is_new_feature: bool
    truth: MetadataCache
    replayed: MetadataCache
    tombstoned_keys: list[bool]
    was_writer_elected: bool

    @property
    def policy(self) -> int:
        """The cleanup policy."""

    @property
    def segment(self) -> Sequence[KeyedSegment]:
        """Every id."""

    @property
    def broker(self) -> Sequence[MetadataConsumer]:
        """Every broker."""


# -- KIP-1272


class WrittenRecord(CommittedRecord, Protocol):
    """The record that was committed at an offset, with its key."""

    key: int
    type: RecordType
    is_transactional: bool


class ClaimCache(Protocol):
    """A cache of segment metadata and of cleaner offsets."""

    is_initialized: bool
    state: list[SegmentState]
    epoch: list[EpochState]
    cleaner_end: list[int]


class SegmentFilter(Protocol):
    """Which segment a filter is of."""

    segment: int


class CompactedSettings(LogSettings, Protocol):
    """The settings of a topic, with its cleanup.policy."""

    @property
    def cleanup_policy(self) -> int:
        """The policy, numbered as CleanupPolicy."""


class CleaningBroker(Broker, Protocol):
    """A broker and its cleaner, which has cleaned the log below `cleaner_offset`."""

    cleaner_offset: int
    is_cleaner_behind: bool
    cleans_remote: bool
    map_end: int
    offset_map: list[int]
    group_start: int
    group_end: int
    cleaner_epoch: int

    @property
    def filters(self) -> Sequence[SegmentFilter]:
        """The bloom filters, by the base offset of their segment."""

    @property
    def settings(self) -> CompactedSettings:
        """The settings that the broker has applied."""

    @property
    def records(self) -> Sequence[KeyedRecord]:
        """The record at each offset of its log."""

    @property
    def output(self) -> Sequence[KeyedRecord]:
        """The cleaned group."""


class VersionedSegment(RemoteSegment, Protocol):
    """A segment whose object holds one version of its records."""

    cleaner_offsets: list[int]
    is_cleaned: bool
    is_mixed: bool
    was_led: bool

    @property
    def records(self) -> Sequence[KeyedRecord]:
        """The record at each offset."""


class TieredCompactedTopic(Partition, Protocol):
    """A compacted topic in tiered storage, and a consumer that reads all of it."""

    consumer_position: int

    @property
    def broker(self) -> Sequence[CleaningBroker]:
        """Every broker."""

    @property
    def segment(self) -> Sequence[VersionedSegment]:
        """Every id."""

    @property
    def committed(self) -> Sequence[WrittenRecord]:
        """What was committed at each offset, whether or not it still exists."""


class CleanedPartition(Protocol):
    """A compacted partition and its cleaner; the last three fields are ghosts.

    `next_base` is the next group of a pass that has filled its map.
    """

    log: KeyedLog
    map: KeyMap
    next_base: int
    checkpoint: int
    committed_offset: list[int]
    committed_value: list[int]
    is_aborted: list[bool]
