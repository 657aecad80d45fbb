"""The state of KIP-405 with producers: what clients sent, brokers remember, and objects hold.

A batch is one record. A client believes what was acknowledged; requests that it gave up may
still arrive. Producer state is in three places: in the memory of each broker, in snapshot files
on its disk, and in the snapshots stored with the remote segments.
"""

from typing import Annotated

from tierproof.model.designs.kip405.state import (
    BrokerState,
    CommittedRecord,
    Partition,
    RemoteSegment,
    TieredPartition,
)
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.producer_state import (
    Batches,
    OptionalProducer,
    OptionalProducerEpoch,
    OptionalSequenceNumber,
    ProducerEntries,
    ProducerEpoch,
    ProducerScope,
    Snapshots,
    Snapshotted,
)
from tierproof.model.kafka.scope import OffsetEnd
from tierproof.model.language import GHOST, Array, Budget, Range, Record, bound


class ProducedPartition(TieredPartition, ProducerScope):
    """Bounds of an exploration of KIP-405 with producers, besides those of both.

    The records that are there at the beginning are of the producers in turn; the last batch of
    the first `unanswered` producers has no answer. With `zombies` their clients are in epoch 1,
    and a request of epoch 0 is in flight. No broker has a producer snapshot up to `old_end`:
    Kafka before 2.8 wrote the segments that end there. The first `copied` segments are in the
    remote tier; what is below `local_start` is only there. A client has at most `requests`
    batches unanswered. `failed_attempts` to copy a segment without snapshot leave their entries.
    With `is_enabled_later` the topic becomes tiered during the exploration.
    """

    old_end: int = bound(0, 1_000, default=0)
    copied: int = bound(0, 1_000, default=0)
    local_start: int = bound(0, 1_000, default=0)
    unanswered: int = bound(0, 62, default=1)
    zombies: int = bound(0, 1, default=0)
    requests: int = bound(1, 5, default=1)
    is_transactional: int = bound(0, 1, default=0)
    failed_attempts: int = bound(1, 60, default=1)
    is_enabled_later: int = bound(0, 1, default=0)
    expiration_ms: int = bound(1, 1_000_000_000, default=1_000_000_000)
    retries: int = bound(0, 1_000, default=0)
    epoch_bumps: int = bound(0, 1_000, default=0)
    markers: int = bound(0, 1_000, default=0)
    shutdowns: int = bound(0, 1_000, default=0)

    def inconsistency(self) -> str | None:
        """The times of batches are those of the clock; what is written at first has sequences."""
        if self.producer_ms != self.clock_ms:
            return f"producer_ms={self.producer_ms} is not clock_ms={self.clock_ms}"
        if self.old_end > self.offsets - self.appends:
            return f"old_end={self.old_end} is above the {self.offsets - self.appends} records"
        if self.zombies >= self.producer_epochs:
            return f"zombies={self.zombies} needs more producer_epochs than {self.producer_epochs}"
        return self._unwritten() or super().inconsistency()

    def _unwritten(self) -> str | None:
        """The producers have sequences for what they have written in turn, and copies are of it."""
        written = self.offsets - self.appends
        if written > self.producers * self.sequences:
            return (
                f"{written} records are more than producers={self.producers} write with "
                f"sequences={self.sequences} each: they take more sequences, or appends"
            )
        if self.copied > min(written, self.segment_ids):
            return f"copied={self.copied} needs as many records and segment_ids, and has fewer"
        if self.local_start > self.copied * self.segment_bytes:
            return (
                f"local_start={self.local_start} is above what copied={self.copied} segments have"
            )
        return None


class Client(Record):
    """A producer's client: it has sent `sent_end` batches of its epoch, in this order.

    Those below `acknowledged_end` were acknowledged.
    """

    epoch: ProducerEpoch
    sent_end: Annotated[int, Range(0, ProducedPartition.sequences)]
    acknowledged_end: Annotated[int, Range(0, ProducedPartition.sequences)]


class WrittenRecord(CommittedRecord):
    """What was committed at an offset, with its batch (once `is_noted`)."""

    kind: BatchKind
    producer: OptionalProducer
    producer_epoch: OptionalProducerEpoch
    sequence: OptionalSequenceNumber
    is_noted: bool


class ProducingBroker(BrokerState):
    """A broker of KIP-405, with the batches of its log, and its producer state.

    `is_shut_down`: the clean-shutdown file is there.
    """

    batch: Batches
    producer: ProducerEntries
    snapshot: Snapshots
    producer_map_end: OffsetEnd
    is_shut_down: bool


class ProducedSegment(RemoteSegment):
    """A copy of a segment: the batches and, if `has_snapshot`, the producer snapshot stored.

    The snapshot is of the offset after the segment. `is_snapshot_made`: the copying thread has
    made an empty one for the copy alone, outside the log directory. `lacked_snapshot`: the
    attempt has ended for want of a snapshot.
    """

    batch: Batches
    has_snapshot: bool
    snapshot: Snapshotted
    is_snapshot_made: bool
    lacked_snapshot: bool


class ProducedTopic(Partition):
    """The whole system.

    `in_flight[producer][epoch][sequence]`: requests of that batch that may still arrive.
    `is_tiered`: the topic's remote.storage.enable, which brokers learn later.
    """

    client: Annotated[list[Client], Array(ProducedPartition.producers)]
    in_flight: Annotated[
        list[list[list[Annotated[int, Range(0, 2)]]]],
        Array(
            ProducedPartition.producers,
            ProducedPartition.producer_epochs,
            ProducedPartition.sequences,
        ),
    ]
    is_tiered: bool

    broker: Annotated[list[ProducingBroker], Array(ProducedPartition.brokers)]  # type: ignore[assignment]
    segment: Annotated[list[ProducedSegment], Array(ProducedPartition.segment_ids)]  # type: ignore[assignment]

    retries: Annotated[int, Budget(ProducedPartition.retries)]
    epoch_bumps: Annotated[int, Budget(ProducedPartition.epoch_bumps)]
    markers: Annotated[int, Budget(ProducedPartition.markers)]
    shutdowns: Annotated[int, Budget(ProducedPartition.shutdowns)]

    committed: Annotated[list[WrittenRecord], Array(ProducedPartition.offsets), GHOST]  # type: ignore[assignment]
