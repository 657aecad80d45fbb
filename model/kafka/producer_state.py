"""What a broker knows of producers: batches in a log, an entry for each producer, snapshot files.

The log, the entries in memory and the files on disk are three records of the same history, and
each may have lost what another still has. ProducerStateManager, ProducerStateEntry.
"""

from __future__ import annotations

from collections.abc import Sequence as Elements
from enum import IntEnum
from typing import Annotated, Protocol

from tierproof.model.kafka.fields import SegmentedLog
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.scope import OptionalOffset, TieredScope
from tierproof.model.language import Array, Index, Range, Record, Sequence, bound


class ProducerScope(TieredScope):
    """How many producers there are, and how far their epochs, sequences and times go.

    A broker remembers at most `remembered_batches` of a producer. `producer_ms`: the latest
    time of a batch.
    """

    producers: int = bound(1, 62, default=1)
    producer_epochs: int = bound(1, 32_768, default=1)
    sequences: int = bound(1, 2_147_483_648, default=1)
    coordinator_epochs: int = bound(1, 1_000, default=1)
    remembered_batches: int = bound(1, 5, default=5)
    producer_ms: int = bound(0, 1 << 50, default=0)


Producer = Annotated[int, Index(ProducerScope.producers)]
OptionalProducer = Annotated[int, Index(ProducerScope.producers, optional=True)]
ProducerEpoch = Annotated[int, Index(ProducerScope.producer_epochs)]
OptionalProducerEpoch = Annotated[int, Index(ProducerScope.producer_epochs, optional=True)]
SequenceNumber = Annotated[int, Index(ProducerScope.sequences)]
OptionalSequenceNumber = Annotated[int, Index(ProducerScope.sequences, optional=True)]
OptionalCoordinatorEpoch = Annotated[int, Index(ProducerScope.coordinator_epochs, optional=True)]
ProducerTime = Annotated[int, Range(0, ProducerScope.producer_ms)]


class ProducerBatch(Record):
    """A batch at its base offset, as far as producer state depends on it.

    Elsewhere it is ABSENT and blank. `producer` is NONE without a producer id; a marker has no
    sequence, and is the only record of its batch.
    """

    kind: BatchKind
    last_offset: OptionalOffset
    producer: OptionalProducer
    epoch: OptionalProducerEpoch
    first_sequence: OptionalSequenceNumber
    is_transactional: bool
    coordinator_epoch: OptionalCoordinatorEpoch
    timestamp: ProducerTime


class RememberedBatch(Record):
    """BatchMetadata: sequences and last offset of a batch; a retry of it is a duplicate."""

    first_sequence: SequenceNumber
    last_sequence: SequenceNumber
    last_offset: OptionalOffset


class ProducerEntry(Record):
    """ProducerStateEntry: what the broker remembers of a producer; blank unless `is_known`.

    `batches`: the oldest first. `transaction_start` is the first offset of the open transaction.
    """

    is_known: bool
    epoch: OptionalProducerEpoch
    batches: Annotated[list[RememberedBatch], Sequence(ProducerScope.remembered_batches)]
    timestamp: ProducerTime
    coordinator_epoch: OptionalCoordinatorEpoch
    transaction_start: OptionalOffset


class SnapshotEntry(Record):
    """A producer in a snapshot: as its entry, with its last batch alone."""

    is_known: bool
    epoch: OptionalProducerEpoch
    first_sequence: OptionalSequenceNumber
    last_sequence: OptionalSequenceNumber
    last_offset: OptionalOffset
    timestamp: ProducerTime
    coordinator_epoch: OptionalCoordinatorEpoch
    transaction_start: OptionalOffset


Snapshotted = Annotated[list[SnapshotEntry], Array(ProducerScope.producers)]
"""What a snapshot says of each producer."""


class SnapshotFile(IntEnum):
    """A snapshot file on disk."""

    ABSENT = 0
    READABLE = 1
    CORRUPT = 2


class ProducerSnapshot(Record):
    """The snapshot file of an offset: the producer state of everything before it.

    `is_registered`: the running ProducerStateManager knows of the file. It may know of one
    that is gone, and not know of one that is there.
    """

    file: SnapshotFile
    is_registered: bool
    producer: Snapshotted


ProducerEntries = Annotated[list[ProducerEntry], Array(ProducerScope.producers)]
Batches = Annotated[list[ProducerBatch], Array(ProducerScope.offsets)]
Snapshots = Annotated[list[ProducerSnapshot], Array(ProducerScope.offsets + 1)]


class ProducerLog(SegmentedLog, Protocol):
    """A local log with the state of its producers, which covers it up to `producer_map_end`."""

    log_start_offset: int
    producer_map_end: int

    @property
    def batch(self) -> Elements[ProducerBatch]:
        """The batch that begins at each offset."""

    @property
    def producer(self) -> Elements[ProducerEntry]:
        """The entry of each producer."""

    @property
    def snapshot(self) -> Elements[ProducerSnapshot]:
        """The snapshot of each offset."""
