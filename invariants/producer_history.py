"""What the committed history says of a producer, and when a broker may have forgotten it."""

from __future__ import annotations

from tierproof.invariants.producer_fields import ProducedTopic, ProducerLimits
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.language import NONE

# -- what was committed


def is_batch_of(state: ProducedTopic, offset: int, producer: int) -> bool:
    """A batch of the producer was committed at the offset, be it data or a marker."""
    written = state.committed[offset]
    return written.is_noted and written.epoch != NONE and written.producer == producer


def is_data_of(state: ProducedTopic, offset: int, producer: int, epoch: int, sequence: int) -> bool:
    """The batch of that epoch and sequence of the producer was committed at the offset."""
    written = state.committed[offset]
    return (
        is_batch_of(state, offset, producer)
        and written.kind == BatchKind.DATA
        and written.producer_epoch == epoch
        and written.sequence == sequence
    )


def was_committed_below(
    state: ProducedTopic, end_offset: int, producer: int, epoch: int, sequence: int
) -> bool:
    """The batch was committed at some offset below the end."""
    return any(is_data_of(state, offset, producer, epoch, sequence) for offset in range(end_offset))


def last_batch_below(state: ProducedTopic, end_offset: int, producer: int) -> int:
    """The offset of the producer's last batch below the end, or NONE."""
    for offset in range(end_offset - 1, -1, -1):
        if is_batch_of(state, offset, producer):
            return offset
    return NONE


def last_data_below(state: ProducedTopic, end_offset: int, producer: int, epoch: int) -> int:
    """The offset of the producer's last data batch of the epoch below the end, or NONE."""
    for offset in range(end_offset - 1, -1, -1):
        written = state.committed[offset]
        is_data = is_batch_of(state, offset, producer) and written.kind == BatchKind.DATA
        if is_data and written.producer_epoch == epoch:
            return offset
    return NONE


def last_sequence_below(state: ProducedTopic, end_offset: int, producer: int, epoch: int) -> int:
    """The sequence of that batch, or NONE."""
    last = last_data_below(state, end_offset, producer, epoch)
    return NONE if last == NONE else state.committed[last].sequence


# -- when a broker may have forgotten a producer


def is_within_expiration(state: ProducedTopic, timestamp: int, scope: ProducerLimits) -> bool:
    """ProducerStateManager#isProducerExpired: a producer that wrote at that time has not expired.

    Left out: an open transaction, which keeps a producer beyond that time.
    """
    return state.clock - timestamp < scope.expiration_ms


def must_be_known(state: ProducedTopic, offset: int, scope: ProducerLimits) -> bool:
    """A producer whose last batch is at the offset must be known: it has not expired."""
    return is_within_expiration(state, state.committed[offset].timestamp, scope)
