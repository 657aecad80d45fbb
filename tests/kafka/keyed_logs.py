"""Keyed logs, made by appending to them: key and value of records, markers, rolls."""

from __future__ import annotations

from typing import Any

from tierproof.model.kafka.batch_size import batch_bytes
from tierproof.model.kafka.cleaner_transactions import CleanedTransactions, forget_transactions
from tierproof.model.kafka.keyed_log import (
    BatchKind,
    KeyedLog,
    KeyedScope,
    append_marker,
    append_record,
    end_batch,
    roll_at,
    set_producer,
)
from tierproof.model.kafka.log_cleaner import clean_group
from tierproof.model.kafka.offset_map import KeyMap, fill_map
from tierproof.model.language import NONE, State

SCOPE = KeyedScope(
    offsets=24,
    log_keys=200,
    log_values=1_000,
    producers=3,
    producer_epochs=3,
    sequences=50,
    milliseconds=10_000,
    batch_bytes=1_000,
)
DELETE_RETENTION_MS = 100

Records = list[tuple[int, int]]


class Partition(State):
    """A log, and what a pass holds."""

    log: KeyedLog
    map: KeyMap
    read: CleanedTransactions


class Made:
    """A partition that grows by calls; `now` is the clock."""

    def __init__(self) -> None:
        self.state: Any = Partition.at_start(SCOPE).copy_for("a test")
        self.log: Any = self.state.log
        self.now = 0
        roll_at(self.log, 0)

    def append(self, *records: tuple[int, int], producer: int = NONE, epoch: int = 0) -> int:
        """One batch, transactional if it has a producer; its base offset."""
        base = int(self.log.log_end_offset)
        for key, value in records:
            append_record(self.log, key, value, self.now)
        end_batch(self.log, base, self.now, 0)
        self.log.batch[base].bytes = batch_bytes(self.log, base)
        if producer != NONE:
            set_producer(self.log, base, producer, epoch, base, True)
        return self._appended(base)

    def end(self, kind: BatchKind, producer: int = 0, epoch: int = 0) -> int:
        """A marker; its offset."""
        base = int(self.log.log_end_offset)
        append_marker(self.log, kind, producer, epoch, self.now, 78)
        return self._appended(base)

    def _appended(self, base: int) -> int:
        self.log.high_watermark = self.log.log_end_offset
        return base

    def roll(self) -> int:
        """A new segment; its base."""
        roll_at(self.log, self.now)
        return int(self.log.log_end_offset)

    def map_keys(self, start: int, end: int, most: int = 100, interval: int = 4096) -> None:
        """The first pass."""
        fill_map(self.state.map, self.state.read, self.log, start, end, most, interval)

    def clean(self, start: int, end: int, most: int = 100, interval: int = 4096) -> int:
        """A pass from the first dirty offset `start`, all segments in one; the checkpoint."""
        self.map_keys(start, end, most, interval)
        forget_transactions(self.state.read)
        clean_group(
            self.state.map, self.state.read, self.log, 0, end, self.now, DELETE_RETENTION_MS
        )
        return int(self.state.map.map_latest_offset) + 1

    @property
    def mapped(self) -> dict[int, int]:
        """The offset map."""
        return {
            key: offset for key, offset in enumerate(self.state.map.mapped_offset) if offset != NONE
        }

    @property
    def records(self) -> list[int]:
        """The offsets of the records that are there."""
        return [offset for offset, record in enumerate(self.log.record) if record.is_there]

    @property
    def batches(self) -> dict[int, str]:
        """The kinds of the batches that are there."""
        return {
            base: batch.kind.name
            for base, batch in enumerate(self.log.batch)
            if batch.kind != BatchKind.ABSENT
        }
