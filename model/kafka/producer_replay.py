"""How the batches of a segment are read into producer state: all of them as one update.

UnifiedLog#loadProducersFromRecords, ProducerAppendInfo.
"""

from __future__ import annotations

from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.producer_entries import (
    has_marker,
    remember_sequences,
    remember_transaction,
)
from tierproof.model.kafka.producer_state import ProducerLog
from tierproof.model.language import NONE


def load_producers(log: ProducerLog, base: int, start: int, end: int, remembered: int) -> bool:
    """UnifiedLog#loadProducersFromRecords: the batches of a segment that end at `start` or later.

    All batches of a producer are one update: those before its last change of epoch leave no
    sequences, even if that change leads back to the epoch that was known. Returns False, and
    loads none of them, if one breaks a transaction.
    """
    for at in range(base, end):
        if is_read(log, at, start) and breaks_transaction_in_read(log, at, base, start):
            return False
    for at in range(base, end):
        batch = log.batch[at]
        if is_read(log, at, start) and batch.producer != NONE:
            entry = log.producer[batch.producer]
            if not has_other_epoch(log, batch.producer, batch.epoch, at + 1, end):
                remember_sequences(entry, batch, at, remembered)
            remember_transaction(entry, batch, at)
    return True


def is_read(log: ProducerLog, at: int, start: int) -> bool:
    """A batch is at the offset, and it ends at `start` or later."""
    return log.batch[at].kind != BatchKind.ABSENT and log.batch[at].last_offset >= start


def has_other_epoch(log: ProducerLog, producer: int, epoch: int, first: int, end: int) -> bool:
    """The producer has a batch of another epoch from `first` to before `end`."""
    return any(
        log.batch[at].kind != BatchKind.ABSENT
        and log.batch[at].producer == producer
        and log.batch[at].epoch != epoch
        for at in range(first, end)
    )


def breaks_transaction(log: ProducerLog, base: int) -> bool:
    """Data outside the open transaction of its producer: InvalidTxnStateException."""
    return is_plain_data(log, base) and has_open_transaction(log, log.batch[base].producer)


def breaks_transaction_in_read(log: ProducerLog, at: int, base: int, start: int) -> bool:
    """As `breaks_transaction`, after what was read from `base` to before `at`."""
    if not is_plain_data(log, at):
        return False
    producer = log.batch[at].producer
    is_open = has_open_transaction(log, producer)
    for before in range(base, at):
        if is_read(log, before, start) and log.batch[before].producer == producer:
            is_open = not has_marker(log.batch[before]) and not is_plain_data(log, before)
    return is_open


def is_plain_data(log: ProducerLog, base: int) -> bool:
    """A batch of a producer that belongs to no transaction."""
    batch = log.batch[base]
    return batch.producer != NONE and not has_marker(batch) and not batch.is_transactional


def has_open_transaction(log: ProducerLog, producer: int) -> bool:
    """The producer's transaction is open."""
    return log.producer[producer].transaction_start != NONE
