"""The log of a compacted partition: records in batches, batches in segments, and producers.

Every offset is an element of the arrays. A record that the cleaner has removed is marked as
absent, so that offsets never move. A batch lies at its base offset, a segment begins where
`starts_segment` says so, and a marker is a batch of its own kind, without records.
UnifiedLog, LogSegment, ProducerStateManager. Left out: when the log rolls (the caller says
so), compression, magic 0 and 1, LogAppendTime, sequence numbers that wrap, truncation.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from tierproof.model.kafka.local_segments import roll
from tierproof.model.language import NONE, Array, Index, Range, Record, Scope, bound


class KeyedScope(Scope):
    """How many offsets, keys, values and producers there are, and how far clocks and sizes go."""

    offsets: int = bound(1, 1_000_000, default=8)
    log_keys: int = bound(1, 1_000_000, default=2)
    log_values: int = bound(1, 1_000_000_000, default=2)
    producers: int = bound(1, 62, default=1)
    producer_epochs: int = bound(1, 32_768, default=1)
    sequences: int = bound(1, 2_147_483_648, default=1)
    milliseconds: int = bound(1, 1 << 50, default=1)
    batch_bytes: int = bound(1, 1 << 31, default=1)


Offset = Annotated[int, Index(KeyedScope.offsets)]
OptionalOffset = Annotated[int, Index(KeyedScope.offsets, optional=True)]
OffsetEnd = Annotated[int, Range(0, KeyedScope.offsets)]
Key = Annotated[int, Index(KeyedScope.log_keys)]
OptionalProducer = Annotated[int, Index(KeyedScope.producers, optional=True)]
OptionalEpoch = Annotated[int, Index(KeyedScope.producer_epochs, optional=True)]
Milliseconds = Annotated[int, Range(0, KeyedScope.milliseconds)]
OptionalMilliseconds = Annotated[int, Range(NONE, KeyedScope.milliseconds)]


class BatchKind(IntEnum):
    """What begins at an offset. The marker of a control batch is its only record."""

    ABSENT = 0
    DATA = 1
    COMMIT = 2
    ABORT = 3
    EMPTY_CONTROL = 4
    """A control batch whose marker is removed: it has no type, and stays for its producer."""


class ValuedRecord(Record):
    """A record; a key that is NONE is a null key, a value that is NONE is a tombstone."""

    is_there: bool
    key: Annotated[int, Index(KeyedScope.log_keys, optional=True)]
    value: Annotated[int, Index(KeyedScope.log_values, optional=True)]
    timestamp: Milliseconds


class RecordBatch(Record):
    """DefaultRecordBatch, as far as the cleaner reads it; -1 are Kafka's -1.

    A marker has `transaction_first`, the first offset of the transaction that it ended, and,
    in the transaction index, the last stable offset of the time.
    """

    kind: BatchKind
    last_offset: Offset
    producer: OptionalProducer
    epoch: OptionalEpoch
    sequence: Annotated[int, Index(KeyedScope.sequences, optional=True)]
    is_transactional: bool
    horizon: OptionalMilliseconds
    max_timestamp: Milliseconds
    bytes: Annotated[int, Range(0, KeyedScope.batch_bytes)]
    transaction_first: OptionalOffset
    has_index_entry: bool
    index_stable_offset: OffsetEnd


class ProducerEntry(Record):
    """ProducerStateEntry; `open_first` is the first offset of its open transaction."""

    is_known: bool
    epoch: OptionalEpoch
    last_data_offset: OptionalOffset
    last_timestamp: Milliseconds
    open_first: OptionalOffset


class KeyedLog(Record):
    """One replica's log; `modified_ms` is the modification time of each segment's file."""

    record: Annotated[list[ValuedRecord], Array(KeyedScope.offsets)]
    batch: Annotated[list[RecordBatch], Array(KeyedScope.offsets)]
    starts_segment: Annotated[list[bool], Array(KeyedScope.offsets + 1)]
    modified_ms: Annotated[list[Milliseconds], Array(KeyedScope.offsets + 1)]
    producer: Annotated[list[ProducerEntry], Array(KeyedScope.producers)]
    log_start_offset: OffsetEnd
    high_watermark: OffsetEnd
    log_end_offset: OffsetEnd


# -- appending


def roll_at(log: KeyedLog, now: int) -> None:
    """UnifiedLog#roll. An empty active segment is replaced by a new one at the same base."""
    roll(log)
    log.modified_ms[log.log_end_offset] = now


def append_record(log: KeyedLog, key: int, value: int, timestamp: int) -> None:
    """Write the next record of a batch, which `end_batch` closes."""
    record = log.record[log.log_end_offset]
    record.is_there = True
    record.key = key
    record.value = value
    record.timestamp = timestamp
    log.log_end_offset += 1


def end_batch(log: KeyedLog, base: int, timestamp: int, bytes: int) -> None:
    """The records from `base` on are one batch without producer id, of that size."""
    batch = log.batch[base]
    batch.kind = BatchKind.DATA
    batch.last_offset = log.log_end_offset - 1
    batch.max_timestamp = timestamp
    batch.bytes = bytes


def set_producer(
    log: KeyedLog, base: int, producer: int, epoch: int, sequence: int, is_transactional: bool
) -> None:
    """ProducerAppendInfo#appendDataBatch: the batch has a producer id, whose entry is updated.

    The first batch of a transaction opens it.
    """
    batch = log.batch[base]
    batch.producer = producer
    batch.epoch = epoch
    batch.sequence = sequence
    batch.is_transactional = is_transactional
    entry = log.producer[producer]
    entry.is_known = True
    entry.epoch = epoch
    entry.last_data_offset = batch.last_offset
    entry.last_timestamp = batch.max_timestamp
    if is_transactional and entry.open_first == NONE:
        entry.open_first = base


def append_marker(
    log: KeyedLog, kind: BatchKind, producer: int, epoch: int, now: int, bytes: int
) -> None:
    """ProducerAppendInfo#appendEndTxnMarker: COMMIT or ABORT ends the open transaction.

    A marker with a higher epoch makes the producer state forget the last data. An aborted
    transaction gets an entry in the transaction index, unless it had no data.
    """
    entry, batch = log.producer[producer], log.batch[log.log_end_offset]
    if entry.epoch != epoch:
        entry.last_data_offset = NONE
    entry.is_known = True
    entry.epoch = epoch
    entry.last_timestamp = now
    batch.kind = kind
    batch.last_offset = log.log_end_offset
    batch.producer = producer
    batch.epoch = epoch
    batch.is_transactional = True
    batch.max_timestamp = now
    batch.bytes = bytes
    batch.transaction_first = entry.open_first
    entry.open_first = NONE
    batch.has_index_entry = kind == BatchKind.ABORT and batch.transaction_first != NONE
    log.log_end_offset += 1
    if batch.has_index_entry:
        batch.index_stable_offset = first_open_offset(log, log.log_end_offset)


# -- offsets


def first_open_offset(log: KeyedLog, otherwise: int) -> int:
    """The first offset of the earliest open transaction, or `otherwise`."""
    found = otherwise
    for entry in log.producer:
        if entry.open_first != NONE:
            found = min(found, entry.open_first)
    return found


def last_stable_offset(log: KeyedLog) -> int:
    """UnifiedLog#lastStableOffset: below it no transaction is open or ended by a late marker.

    A marker is late if it is not below the high watermark. Where the log start lies within
    the transaction, the answer is the base of the batch that contains the log start.
    """
    found = first_open_offset(log, log.high_watermark)
    for offset in range(log.high_watermark, log.log_end_offset):
        if is_marker(log.batch[offset].kind) and log.batch[offset].transaction_first != NONE:
            found = min(found, log.batch[offset].transaction_first)
    return found if found >= log.log_start_offset else containing_base(log, log.log_start_offset)


def is_marker(kind: int) -> bool:
    """A control batch that has its marker."""
    return kind == BatchKind.COMMIT or kind == BatchKind.ABORT


def is_control(kind: int) -> bool:
    """A control batch, with its marker or without."""
    return is_marker(kind) or kind == BatchKind.EMPTY_CONTROL


def containing_base(log: KeyedLog, offset: int) -> int:
    """The base offset of the first batch that ends at `offset` or later, or the log end."""
    for base in range(log.log_end_offset):
        if log.batch[base].kind != BatchKind.ABSENT and log.batch[base].last_offset >= offset:
            return base
    return log.log_end_offset


# -- removing


def forget_producers(log: KeyedLog, now: int, expiration_ms: int) -> None:
    """ProducerStateManager#removeExpiredProducers: those without an open transaction, in time."""
    for entry in log.producer:
        if entry.open_first == NONE and now - entry.last_timestamp >= expiration_ms:
            entry.is_known = False
            entry.epoch = NONE
            entry.last_data_offset = NONE
            entry.last_timestamp = 0


def raise_start(log: KeyedLog, offset: int) -> None:
    """UnifiedLog#maybeIncrementLogStartOffset: the log start never moves back."""
    log.log_start_offset = max(log.log_start_offset, offset)


def remove_record(record: ValuedRecord) -> None:
    """A record that was cleaned away or deleted leaves nothing."""
    record.is_there = False
    record.key = NONE
    record.value = NONE
    record.timestamp = 0


def remove_batch(batch: RecordBatch) -> None:
    """A batch that was cleaned away or deleted leaves nothing."""
    batch.kind = BatchKind.ABSENT
    batch.last_offset = 0
    batch.producer = NONE
    batch.epoch = NONE
    batch.sequence = NONE
    batch.is_transactional = False
    batch.horizon = NONE
    batch.max_timestamp = 0
    batch.bytes = 0
    batch.transaction_first = NONE
    batch.has_index_entry = False
    batch.index_stable_offset = 0
