"""What a broker answers to a producer's batch, before it appends it.

A producer that is not known may begin with any epoch and any sequence. A follower checks
neither epoch nor sequence, as the leader has.
UnifiedLog#analyzeAndValidateProducerState, ProducerAppendInfo. Left out: verification of
transactions with their coordinator.
"""

from __future__ import annotations

from enum import IntEnum

from tierproof.model.kafka.producer_entries import SEQUENCES, last_sequence
from tierproof.model.kafka.producer_state import ProducerEntry, ProducerLog
from tierproof.model.language import NONE

TRANSACTION_VERSION_2 = 2
"""From it on, a marker has an epoch of its own, one above that of its transaction."""


class AppendAnswer(IntEnum):
    """What becomes of a batch; all but APPENDED leave the log as it is."""

    APPENDED = 0
    DUPLICATE = 1
    OUT_OF_ORDER_SEQUENCE = 2
    INVALID_PRODUCER_EPOCH = 3
    INVALID_TXN_STATE = 4
    TRANSACTION_COORDINATOR_FENCED = 5


def validate_batch(
    log: ProducerLog,
    producer: int,
    epoch: int,
    first_sequence: int,
    last_sequence: int,
    is_transactional: bool,
) -> AppendAnswer:
    """The leader's answer to a client's batch.

    Kafka: UnifiedLog#analyzeAndValidateProducerState, ProducerAppendInfo#appendDataBatch.
    """
    entry = log.producer[producer]
    if duplicate_of(entry, epoch, first_sequence, last_sequence) != NONE:
        return AppendAnswer.DUPLICATE
    if is_fenced(entry, epoch):
        return AppendAnswer.INVALID_PRODUCER_EPOCH
    if not is_next_sequence(entry, epoch, first_sequence):
        return AppendAnswer.OUT_OF_ORDER_SEQUENCE
    return validate_replicated_batch(log, producer, is_transactional)


def validate_replicated_batch(
    log: ProducerLog, producer: int, is_transactional: bool
) -> AppendAnswer:
    """A follower's answer to a batch that it has fetched; a replay has the same.

    Data outside the transaction that is open is refused even here.
    """
    if log.producer[producer].transaction_start != NONE and not is_transactional:
        return AppendAnswer.INVALID_TXN_STATE
    return AppendAnswer.APPENDED


def validate_marker(
    log: ProducerLog, producer: int, epoch: int, coordinator_epoch: int, transaction_version: int
) -> AppendAnswer:
    """The leader's answer to a marker of the transaction coordinator.

    Kafka: ProducerAppendInfo#checkProducerEpoch, #checkCoordinatorEpoch. From transaction
    version 2 on, the epoch has to be higher than that of the data, unless no transaction is
    open and it is a marker that was written before.
    """
    entry = log.producer[producer]
    is_strict = transaction_version >= TRANSACTION_VERSION_2 and entry.transaction_start != NONE
    if is_fenced(entry, epoch) or (is_strict and epoch == entry.epoch):
        return AppendAnswer.INVALID_PRODUCER_EPOCH
    if coordinator_epoch < entry.coordinator_epoch:
        return AppendAnswer.TRANSACTION_COORDINATOR_FENCED
    return AppendAnswer.APPENDED


def duplicate_of(entry: ProducerEntry, epoch: int, first_sequence: int, last_sequence: int) -> int:
    """ProducerStateEntry#findDuplicateBatch: its place among the remembered ones, or NONE."""
    if entry.is_known and entry.epoch == epoch:
        for place in range(len(entry.batches)):
            batch = entry.batches[place]
            if batch.first_sequence == first_sequence and batch.last_sequence == last_sequence:
                return place
    return NONE


def is_fenced(entry: ProducerEntry, epoch: int) -> bool:
    """ProducerAppendInfo#checkProducerEpoch: a later instance of the producer has written."""
    return epoch < entry.epoch


def is_next_sequence(entry: ProducerEntry, epoch: int, first_sequence: int) -> bool:
    """ProducerAppendInfo#checkSequence: 0 in a new epoch, anything of an unknown producer."""
    if not entry.is_known:
        return True
    if epoch != entry.epoch:
        return first_sequence == 0
    last = last_sequence(entry)
    return first_sequence == last + 1 or (first_sequence == 0 and last == SEQUENCES - 1)
