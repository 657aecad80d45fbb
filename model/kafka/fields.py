"""The fields that Kafka's mechanisms read and assign: what a design's records must have.

A mechanism takes any record that has them, so that designs whose records differ share it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tierproof.model.kafka.keyed_log import BatchKind
    from tierproof.model.kafka.leader_epoch_lineage import Lineage
    from tierproof.model.kafka.remote_metadata_cache import MetadataCache


class LogSettings(Protocol):
    """The settings of a log: -1 is unlimited, -2 of local retention is unset."""

    remote_storage_enable: bool
    remote_log_copy_disable: bool
    retention_ms: int
    retention_bytes: int
    local_retention_ms: int
    local_retention_bytes: int


class SizedRecord(Protocol):
    """A record of the partition: its size and its time."""

    bytes: int
    timestamp: int


class SegmentedLog(Protocol):
    """The segments of a local log.

    `starts_segment[offset]`: a segment begins there; the last one is the active one and may
    be empty.
    """

    starts_segment: list[bool]
    log_end_offset: int


class LocalLog(SegmentedLog, Protocol):
    """The segments of a local log and their records.

    A record is 0 bytes long, at time 0, where the log has none.
    """

    highest_remote_offset: int

    @property
    def records(self) -> Sequence[SizedRecord]:
        """The record at each offset."""


class Replica(LocalLog, Protocol):
    """A replica: its local log, its offsets, its lineage and the settings of its log."""

    log_start_offset: int
    local_log_start_offset: int
    high_watermark: int
    lineage: Lineage

    @property
    def settings(self) -> LogSettings:
        """The settings that the broker has applied."""


class ExpiringReplica(Replica, Protocol):
    """A replica whose broker runs the expiration task.

    `copying` are the ids that its threads copy, as bits; `planned[:planned_end]` is what the
    run deletes, in order, after the log start has moved to `planned_log_start`.
    """

    cache: MetadataCache
    copying: set[int]
    planned: list[int]
    planned_end: int
    planned_log_start: int


class Segment(Protocol):
    """RemoteLogSegmentMetadata, as far as it never changes; `end_offset` is inclusive."""

    start_offset: int
    end_offset: int
    lineage: Lineage


class SizedSegment(Segment, Protocol):
    """A segment with its size and the time of its latest record."""

    bytes: int
    max_timestamp: int


class NewSegment(SizedSegment, Protocol):
    """A segment that is about to be copied; `epoch_index` is stored with its object."""

    epoch_index: Lineage


class Believer(Protocol):
    """What a broker believes of the leadership; `presumed_leader` is NONE without a replica."""

    presumed_leader: int
    leader_epoch: int


class Leadership(Protocol):
    """The leader by the controller's record, and by each broker's belief."""

    elected_leader: int
    leader_epoch: int

    @property
    def broker(self) -> Sequence[Believer]:
        """Every broker."""


class Configured(Protocol):
    """Whatever has the settings of a log."""

    @property
    def settings(self) -> LogSettings:
        """The settings that the broker has applied."""


# -- the log of a compacted partition


class KeyedRecord(Protocol):
    """A record at its offset: a null key is NONE, and a value that is NONE is a tombstone."""

    is_there: bool
    key: int
    value: int


class KeyedBatch(Protocol):
    """A record batch at its base offset; `kind` is a BatchKind, ABSENT where none begins.

    Cleaning keeps the offsets of a batch. A marker knows the first offset of the transaction
    that it ended (NONE: it had no data), and whether the transaction index has an entry of it.
    """

    kind: BatchKind
    last_offset: int
    producer: int
    epoch: int
    is_transactional: bool
    horizon: int
    transaction_first: int
    has_index_entry: bool


class SizedBatch(KeyedBatch, Protocol):
    """A batch with its size, and with the largest timestamp of the records it was made of."""

    bytes: int
    max_timestamp: int


class StoredLog(SegmentedLog, Protocol):
    """The batches and records of a log, at every offset."""

    log_start_offset: int

    @property
    def batch(self) -> Sequence[KeyedBatch]:
        """The batch that begins at each offset."""

    @property
    def record(self) -> Sequence[KeyedRecord]:
        """The record at each offset."""


class ActiveProducer(Protocol):
    """ProducerStateEntry: what the log remembers of a producer id, if it does.

    `last_data_offset` is that of the last record of its last batch; NONE after a marker with
    a higher epoch. `open_first` is the first offset of its open transaction, or NONE.
    """

    is_known: bool
    epoch: int
    last_data_offset: int
    open_first: int


class ReplicatedLog(StoredLog, Protocol):
    """A log with its high watermark and its producer state."""

    high_watermark: int

    @property
    def producer(self) -> Sequence[ActiveProducer]:
        """The entry of each producer id."""


class SizedLog(ReplicatedLog, Protocol):
    """A log whose batches have sizes and times, and its segment files modification times."""

    modified_ms: list[int]

    @property
    def batch(self) -> Sequence[SizedBatch]:
        """The batch that begins at each offset."""


class ReadTransactions(Protocol):
    """CleanedTransactionMetadata: the transactions that a pass has read into, by producer.

    `is_pending[marker]`: the aborted transaction of that marker was collected and is not
    reached yet. `aborted_by[producer]` is the marker of the aborted transaction in which the
    pass is; `has_aborted_batch` and `has_committed_batch` are the producers of which it has
    seen a batch since their last marker.
    """

    is_pending: list[bool]
    aborted_by: list[int]
    has_aborted_batch: set[int]
    has_committed_batch: set[int]


class OffsetMap(Protocol):
    """The offset map of a pass: key to last offset or NONE, and the latest offset it covers."""

    mapped_offset: list[int]
    map_latest_offset: int
