"""Logs with producers, made by appending to them: data and markers, rolls, snapshots."""

from __future__ import annotations

from typing import Annotated, Any

from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.local_segments import roll
from tierproof.model.kafka.producer_entries import last_sequence, remember_batch
from tierproof.model.kafka.producer_snapshots import take_snapshot
from tierproof.model.kafka.producer_state import (
    Batches,
    ProducerEntries,
    ProducerScope,
    Snapshots,
    Snapshotted,
)
from tierproof.model.kafka.producer_state import SnapshotFile as File
from tierproof.model.kafka.scope import OffsetEnd
from tierproof.model.language import NONE, Array, Record, State

SCOPE = ProducerScope(
    offsets=12,
    producers=2,
    producer_epochs=9,
    sequences=1 << 31,
    coordinator_epochs=9,
    producer_ms=1_000,
)


class Log(Record):
    """A local log with the state of its producers."""

    batch: Batches
    starts_segment: Annotated[list[bool], Array(ProducerScope.offsets + 1)]
    producer: ProducerEntries
    snapshot: Snapshots
    log_start_offset: OffsetEnd
    log_end_offset: OffsetEnd
    producer_map_end: OffsetEnd


class Partition(State):
    """A log, and a snapshot that was fetched."""

    log: Log
    fetched: Snapshotted


class Made:
    """A log, to be appended to."""

    def __init__(self) -> None:
        self.state: Any = Partition.at_start(SCOPE).copy_for("a test")
        self.log = self.state.log
        roll(self.log)

    def append(
        self,
        first: int = 0,
        records: int = 1,
        *,
        producer: int = 0,
        epoch: int = 0,
        transactional: bool = False,
        at: int = 0,
    ) -> int:
        """A batch of a producer, as whoever has validated it appends it; its base offset."""
        base = int(self.log.log_end_offset)
        batch = self.log.batch[base]
        batch.kind, batch.last_offset = BatchKind.DATA, base + records - 1
        batch.producer, batch.epoch, batch.first_sequence = producer, epoch, first
        batch.is_transactional, batch.timestamp = transactional, at
        return self._appended(base)

    def end(
        self,
        kind: BatchKind = BatchKind.COMMIT,
        *,
        producer: int = 0,
        epoch: int = 0,
        coordinator_epoch: int = 0,
    ) -> int:
        """A marker; its offset."""
        base = int(self.log.log_end_offset)
        batch = self.log.batch[base]
        batch.kind, batch.last_offset = kind, base
        batch.producer, batch.epoch, batch.is_transactional = producer, epoch, True
        batch.coordinator_epoch = coordinator_epoch
        return self._appended(base)

    def _appended(self, base: int) -> int:
        self.log.log_end_offset = self.log.batch[base].last_offset + 1
        remember_batch(self.log, base)
        return base

    def roll(self) -> None:
        """A new segment, with a snapshot."""
        roll(self.log)
        take_snapshot(self.log)

    def cut(self, offset: int) -> None:
        """The log ends at the offset; its producer state is as before."""
        for base in range(offset, self.log.log_end_offset):
            self.log.batch[base].kind = BatchKind.ABSENT
            self.log.starts_segment[base + 1] = False
        self.log.log_end_offset = offset

    @property
    def entry(self) -> Any:
        """What is remembered of producer 0."""
        return self.log.producer[0]

    def batches(self, producer: int = 0) -> list[tuple[int, int, int]]:
        """First and last sequence and last offset of each remembered batch."""
        return [
            (one.first_sequence, one.last_sequence, one.last_offset)
            for one in self.log.producer[producer].batches
        ]

    def known(self) -> list[int | None]:
        """The last sequence of each producer that is known, otherwise None."""
        return [last_sequence(one) if one.is_known else None for one in self.log.producer]

    def snapshots(self) -> dict[int, int | None]:
        """The offsets with a file: how many producers are in it, None if it cannot be read."""
        return {
            offset: sum(entry.is_known for entry in one.producer)
            if one.file == File.READABLE
            else None
            for offset, one in enumerate(self.log.snapshot)
            if one.file != File.ABSENT
        }

    def registered(self) -> list[int]:
        """The offsets of which the manager knows a snapshot."""
        return [at for at, one in enumerate(self.log.snapshot) if one.is_registered]


__all__ = ["NONE", "SCOPE", "Log", "Made", "Partition"]
