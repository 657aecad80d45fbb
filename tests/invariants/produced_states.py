"""Hand-made states of a topic with idempotent producers, and what can be done to them."""

from __future__ import annotations

from typing import Any

from tests.invariants.changes import both, put
from tests.invariants.states import Change
from tierproof.invariants.producer_ghosts import note_committed_batches
from tierproof.model.designs.kip405.start import begin_copied, tiered_partition
from tierproof.model.designs.kip405_producers.state import ProducedPartition, ProducedTopic
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.producer_state import RememberedBatch, SnapshotFile
from tierproof.model.language import NONE

SCOPE = ProducedPartition(
    brokers=2,
    offsets=6,
    appends=2,
    segment_bytes=2,
    segment_ids=2,
    leader_epochs=2,
    elections=1,
    metadata_records=6,
    planned_deletions=2,
    retention_bytes=6,
    is_size_limited=1,
    clock_ms=10,
    producer_ms=10,
    producers=2,
    producer_epochs=3,
    sequences=4,
    old_end=2,
)
BATCHES = ((0, 0), (1, 0), (0, 1), (1, 1))
"""(producer, sequence) of each offset; all are of epoch 0."""
AFTER_TWO = {0: (0, 0), 1: (0, 0)}
AFTER_FOUR = {0: (0, 1), 1: (0, 1)}
"""Producer -> (epoch, last sequence) after so many batches."""


def made(*changes: Change) -> Any:
    """Segments [0, 1] and [2, 3] of two producers; the first is copied, each has its snapshot.

    Broker 0 leads, both brokers have everything, the clients have all acknowledged, and all of
    it was written at time 0.
    """
    state = ProducedTopic.at_start(SCOPE).copy_for("a test")
    tiered_partition.effect(state, SCOPE)
    for offset in range(len(BATCHES)):
        for record in (state.committed[offset], *(log.records[offset] for log in state.broker)):
            record.timestamp = 0
    for offset, (producer, sequence) in enumerate(BATCHES):
        wrote(offset, producer, sequence)(state)
    note_committed_batches(state)
    for b, log in enumerate(state.broker):
        log.producer_map_end = 4
        for p in (0, 1):
            knows(b, p, 0, 0, 1)(state)
        has_snapshot(b, 2, AFTER_TWO)(state)
    for client in state.client:
        client.sent_end = client.acknowledged_end = 2
    state.is_tiered = True
    begin_copied(state, 0, 0)
    stored(0, AFTER_TWO)(state)
    for change in changes:
        change(state)
    return state


def wrote(
    offset: int, producer: int, sequence: int, epoch: int = 0, kind: BatchKind = BatchKind.DATA
) -> Change:
    """The batch at an offset of both logs is this one."""

    def change(state: Any) -> None:
        for log in state.broker:
            batch = log.batch[offset]
            batch.kind, batch.producer, batch.epoch = kind, producer, epoch
            batch.first_sequence, batch.last_offset = sequence, offset
            batch.timestamp = log.records[offset].timestamp

    return change


def committed(
    offset: int,
    producer: int,
    sequence: int,
    epoch: int = 0,
    kind: BatchKind = BatchKind.DATA,
    timestamp: int = 0,
) -> Change:
    """What is committed at an offset is this batch."""

    def change(state: Any) -> None:
        written = state.committed[offset]
        written.epoch, written.timestamp, written.is_noted = 0, timestamp, True
        written.kind, written.producer = kind, producer
        written.producer_epoch, written.sequence = epoch, sequence

    return change


def knows(broker: int, producer: int, epoch: int, *sequences: int, timestamp: int = 0) -> Change:
    """The broker remembers the batches of these sequences, and no others."""

    def change(state: Any) -> None:
        entry = state.broker[broker].producer[producer]
        entry.is_known, entry.epoch, entry.timestamp = True, epoch, timestamp
        entry.batches.clear()
        for sequence in sequences:
            entry.batches.append(
                RememberedBatch(first_sequence=sequence, last_sequence=sequence, last_offset=0)
            )

    return change


def forgets(broker: int, producer: int) -> Change:
    """The broker does not know the producer."""

    def change(state: Any) -> None:
        entry = state.broker[broker].producer[producer]
        entry.is_known, entry.epoch, entry.timestamp = False, NONE, 0
        entry.batches.clear()

    return change


def says(snapshot: Any, producers: dict[int, tuple[int, int]]) -> None:
    """A snapshot says this of these producers, and nothing of the others."""
    for p, written in enumerate(snapshot):
        epoch, sequence = producers.get(p, (NONE, NONE))
        written.is_known = p in producers
        written.epoch = epoch
        written.first_sequence = written.last_sequence = sequence


def has_snapshot(
    broker: int, offset: int, producers: dict[int, tuple[int, int]], is_registered: bool = True
) -> Change:
    """The log directory has a snapshot file of the offset that says this."""

    def change(state: Any) -> None:
        snapshot = state.broker[broker].snapshot[offset]
        snapshot.file, snapshot.is_registered = SnapshotFile.READABLE, is_registered
        says(snapshot.producer, producers)

    return change


def has_no_snapshot(broker: int, offset: int) -> Change:
    """The log directory has no snapshot file of the offset, and the broker knows."""

    def change(state: Any) -> None:
        snapshot = state.broker[broker].snapshot[offset]
        snapshot.file, snapshot.is_registered = SnapshotFile.ABSENT, False
        says(snapshot.producer, {})

    return change


def stored(segment: int, producers: dict[int, tuple[int, int]]) -> Change:
    """The object has a snapshot that says this."""

    def change(state: Any) -> None:
        state.segment[segment].has_snapshot = True
        says(state.segment[segment].snapshot, producers)

    return change


def copies(segment: int, broker: int, base: int) -> Change:
    """The broker's thread copies the segment that begins there; the object is not stored."""
    return both(
        lambda state: begin_copied(state, segment, base),
        put(f"segment.{segment}.object_exists", False),
        put(f"segment.{segment}.copier", broker),
    )


def starts_at(offset: int) -> Change:
    """Every replica has raised its log start."""
    return both(*(put(f"broker.{b}.log_start_offset", offset) for b in (0, 1)))


def in_flight(producer: int, epoch: int, sequence: int) -> Change:
    """A request of the batch may still arrive."""
    return put(f"in_flight.{producer}.{epoch}.{sequence}", 1)
