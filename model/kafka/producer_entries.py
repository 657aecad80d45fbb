"""The entries of producers in memory: how a batch changes one, when one expires, what it holds up.

A data batch of another epoch, and a marker of another epoch, make a producer's batches
forgotten. An open transaction is known by its first offset alone.
ProducerStateEntry, ProducerAppendInfo, ProducerStateManager. Left out: verification of
transactions with their coordinator; transactions that ended, but whose marker is not below
the high watermark.
"""

from __future__ import annotations

from collections.abc import Sequence

from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.producer_state import (
    ProducerBatch,
    ProducerEntry,
    ProducerLog,
    RememberedBatch,
)
from tierproof.model.language import NONE

SEQUENCES = 1 << 31
"""Sequence numbers end at 2147483647 and begin again at 0."""

REMEMBERED_BATCHES = 5
"""ProducerStateEntry#NUM_BATCHES_TO_RETAIN."""

NEVER_MS = 1 << 50
"""A producer.id.expiration.ms that no clock reaches."""


def later_sequence(sequence: int, records: int) -> int:
    """DefaultRecordBatch#incrementSequence."""
    return (sequence + records) % SEQUENCES


def last_sequence(entry: ProducerEntry) -> int:
    """ProducerStateEntry#lastSeq: NONE without a remembered batch."""
    count = len(entry.batches)
    return entry.batches[count - 1].last_sequence if count > 0 else NONE


def last_data_offset(entry: ProducerEntry) -> int:
    """ProducerStateEntry#lastDataOffset: NONE without a remembered batch."""
    count = len(entry.batches)
    return entry.batches[count - 1].last_offset if count > 0 else NONE


def batch_last_sequence(batch: ProducerBatch, base: int) -> int:
    """The sequence of the last record of the batch at `base`."""
    return later_sequence(batch.first_sequence, batch.last_offset - base)


def has_marker(batch: ProducerBatch) -> bool:
    """The batch is the marker of a transaction's end."""
    return batch.kind == BatchKind.COMMIT or batch.kind == BatchKind.ABORT


# -- what a batch changes


def remember_batch(log: ProducerLog, base: int, remembered: int = REMEMBERED_BATCHES) -> None:
    """The entry of its producer after the batch at `base`; the state covers the batch.

    The same on a leader, on a follower and in a replay: whoever validates has done so before.
    Kafka: ProducerAppendInfo#append, ProducerStateManager#update, #updateMapEndOffset.
    """
    batch = log.batch[base]
    if batch.producer != NONE:
        entry = log.producer[batch.producer]
        remember_sequences(entry, batch, base, remembered)
        remember_transaction(entry, batch, base)
    log.producer_map_end = batch.last_offset + 1


def remember_sequences(
    entry: ProducerEntry, batch: ProducerBatch, base: int, remembered: int
) -> None:
    """ProducerStateEntry#addBatch: of another epoch, it forgets the batches that it had."""
    if not entry.is_known or entry.epoch != batch.epoch:
        entry.batches.clear()
    entry.is_known = True
    entry.epoch = batch.epoch
    if not has_marker(batch):
        if len(entry.batches) == remembered:
            entry.batches.pop(0)
        entry.batches.append(
            RememberedBatch(
                first_sequence=batch.first_sequence,
                last_sequence=batch_last_sequence(batch, base),
                last_offset=batch.last_offset,
            )
        )


def remember_transaction(entry: ProducerEntry, batch: ProducerBatch, base: int) -> None:
    """The first transactional batch opens a transaction, and a marker ends it."""
    entry.timestamp = batch.timestamp
    if has_marker(batch):
        entry.coordinator_epoch = batch.coordinator_epoch
        entry.transaction_start = NONE
    elif batch.is_transactional and entry.transaction_start == NONE:
        entry.transaction_start = base


# -- what is forgotten


def forget_entry(entry: ProducerEntry) -> None:
    """The broker does not know the producer."""
    entry.is_known = False
    entry.epoch = NONE
    entry.batches.clear()
    entry.timestamp = 0
    entry.coordinator_epoch = NONE
    entry.transaction_start = NONE


def forget_entries(log: ProducerLog) -> None:
    """ProducerStateManager#clearProducerIds: no producer is known, no transaction is open."""
    for entry in log.producer:
        forget_entry(entry)


def has_expired(transaction_start: int, timestamp: int, now: int, expiration_ms: int) -> bool:
    """ProducerStateManager#isProducerExpired: not while its transaction is open."""
    return transaction_start == NONE and now - timestamp >= expiration_ms


def expire_producers(log: ProducerLog, now: int, expiration_ms: int) -> None:
    """ProducerStateManager#removeExpiredProducers."""
    for entry in log.producer:
        if entry.is_known and has_expired(
            entry.transaction_start, entry.timestamp, now, expiration_ms
        ):
            forget_entry(entry)


def forget_batches(log: ProducerLog, start_offset: int, end_offset: int) -> None:
    """No batch begins from `start_offset` to before `end_offset`."""
    for offset in range(start_offset, end_offset):
        batch = log.batch[offset]
        batch.kind = BatchKind.ABSENT
        batch.last_offset = NONE
        batch.producer = NONE
        batch.epoch = NONE
        batch.first_sequence = NONE
        batch.is_transactional = False
        batch.coordinator_epoch = NONE
        batch.timestamp = 0


# -- what it holds up


def first_undecided_offset(producers: Sequence[ProducerEntry], otherwise: int) -> int:
    """ProducerStateManager#firstUndecidedOffset: where the earliest open transaction begins."""
    found = otherwise
    for entry in producers:
        if entry.transaction_start != NONE:
            found = min(found, entry.transaction_start)
    return found


def last_stable_offset_of_producers(log: ProducerLog, high_watermark: int) -> int:
    """UnifiedLog#lastStableOffset, as far as open transactions decide.

    Where the log start lies within the earliest one, the answer is the base of the batch that
    contains the log start, which can be below it.
    """
    undecided = first_undecided_offset(log.producer, high_watermark)
    if undecided >= log.log_start_offset:
        return undecided
    return min(base_containing(log, log.log_start_offset), high_watermark)


def base_containing(log: ProducerLog, offset: int) -> int:
    """The base of the first batch that ends at `offset` or later, or the log end."""
    for base in range(log.log_end_offset):
        if log.batch[base].kind != BatchKind.ABSENT and log.batch[base].last_offset >= offset:
            return base
    return log.log_end_offset
