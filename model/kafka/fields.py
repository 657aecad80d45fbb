"""The fields that Kafka's mechanisms read and assign: what a design's records must have.

A mechanism takes any record that has them, so that designs whose records differ share it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tierproof.model.kafka.scope import Lineage


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
