"""The fields that properties of producers read, besides those of `tierproof.invariants.fields`.

A ProducedTopic is a state of KIP-405 with producers, or of KIP-952.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tierproof.invariants.fields import Broker, CommittedRecord, Partition, RemoteSegment
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.producer_state import ProducerBatch, ProducerLog, SnapshotEntry


class ProducerLimits(Protocol):
    """producer.id.expiration.ms; and where the segments end that Kafka before 2.8 wrote."""

    expiration_ms: int
    old_end: int


class Client(Protocol):
    """A producer's client: batches that it has sent in its epoch, and those acknowledged."""

    epoch: int
    sent_end: int
    acknowledged_end: int


class WrittenBatch(CommittedRecord, Protocol):
    """The record that was committed at an offset, with its batch (once `is_noted`)."""

    kind: BatchKind
    producer: int
    producer_epoch: int
    sequence: int
    is_noted: bool


class ProducingBroker(Broker, ProducerLog, Protocol):
    """A broker with the batches of its log, and its producer state."""


class ProducedSegment(RemoteSegment, Protocol):
    """A segment whose object has, if `has_snapshot`, a producer snapshot of the offset after it."""

    has_snapshot: bool
    is_snapshot_made: bool

    @property
    def batch(self) -> Sequence[ProducerBatch]:
        """The batch that begins at each offset."""

    @property
    def snapshot(self) -> Sequence[SnapshotEntry]:
        """What the stored snapshot says of each producer."""


class ProducedTopic(Partition, Protocol):
    """A tiered topic, its producers, and their requests that may still arrive."""

    is_tiered: bool
    in_flight: list[list[list[int]]]

    @property
    def client(self) -> Sequence[Client]:
        """Every producer's client."""

    @property
    def broker(self) -> Sequence[ProducingBroker]:
        """Every broker."""

    @property
    def segment(self) -> Sequence[ProducedSegment]:
        """Every id."""

    @property
    def committed(self) -> Sequence[WrittenBatch]:
        """What was committed at each offset, whether or not it still exists."""
