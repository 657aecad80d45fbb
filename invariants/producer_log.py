"""A local log has each batch of a producer once and in order, whatever the broker has lost.

Kafka believes it because the leader compares epoch and sequence with the producer state, and
rebuilds that state from snapshots and the log. The ghost `accepted` has every batch by its
offset, also the deleted ones, not those that a follower has truncated; `remembered` are the
entries as they were when the broker stopped.
Not checked: copies of the same records in another epoch, which a client may send after an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.producer_entries import (
    has_expired,
    has_marker,
    last_data_offset,
    last_sequence,
    later_sequence,
)
from tierproof.model.kafka.producer_state import (
    ProducerEntry,
    ProducerLog,
    SnapshotEntry,
)
from tierproof.model.kafka.producer_validation import AppendAnswer, validate_batch
from tierproof.model.language import NONE, Step, invariant, step_property, witness

RUNNING = 0
SHUT_DOWN = 1
CRASHED = 2
OFFLINE = 3


class Accepted(Protocol):
    """A batch of a producer that was accepted; NONE where none was."""

    producer: int
    epoch: int
    first_sequence: int
    last_sequence: int


class SentBatch(Protocol):
    """A batch, or a marker, on the way to the leader."""

    kind: BatchKind
    producer: int
    epoch: int
    first_sequence: int
    records: int
    is_transactional: bool


class ProducedLog(Protocol):
    """A replica with its producers."""

    now: int
    rebuilds: int

    @property
    def log(self) -> ProducerLog:
        """The local log and the producer state."""

    @property
    def broker(self) -> int:
        """RUNNING, SHUT_DOWN, CRASHED or OFFLINE."""

    @property
    def request(self) -> Sequence[SentBatch]:
        """What is on the way."""

    @property
    def fetched(self) -> Sequence[SnapshotEntry]:
        """The snapshot in the remote tier."""

    @property
    def accepted(self) -> Sequence[Accepted]:
        """Ghost: the batch that was accepted at each offset."""

    @property
    def remembered(self) -> Sequence[ProducerEntry]:
        """Ghost: what the broker knew when it stopped."""


class ExpiringScope(Protocol):
    """producer.id.expiration.ms."""

    expiration_ms: int


class TransactionScope(Protocol):
    """The version of transactions, 0 without any."""

    transactions: int


# -- what is accepted


@invariant(source="KIP-98: exactly once delivery, sequence numbers")
def no_sequence_is_accepted_twice(state: ProducedLog) -> bool:
    """Each (producer, epoch, sequence) is accepted at most once."""
    return all(
        state.accepted[one].producer == NONE or not is_repeated(state.accepted, one, other)
        for other in range(len(state.accepted))
        for one in range(other)
    )


def is_repeated(accepted: Sequence[Accepted], one: int, other: int) -> bool:
    """Two batches have a sequence of the same producer and epoch in common."""
    return (
        is_of_same_epoch(accepted, one, other)
        and accepted[one].first_sequence <= accepted[other].last_sequence
        and accepted[other].first_sequence <= accepted[one].last_sequence
    )


def is_of_same_epoch(accepted: Sequence[Accepted], one: int, other: int) -> bool:
    """Two batches are of the same producer in the same epoch."""
    return (
        accepted[one].producer == accepted[other].producer
        and accepted[one].epoch == accepted[other].epoch
    )


@invariant(source="KIP-98: the broker rejects a sequence that is not exactly one greater")
def accepted_sequences_follow_each_other(state: ProducedLog) -> bool:
    """In an epoch of a producer the first sequence is 0, and each batch follows the one before."""
    return all(
        state.accepted[at].producer == NONE
        or state.accepted[at].first_sequence == next_sequence(state.accepted, at)
        for at in range(len(state.accepted))
    )


def next_sequence(accepted: Sequence[Accepted], at: int) -> int:
    """The sequence after the last batch before `at` of the same producer and epoch."""
    found = 0
    for before in range(at):
        if is_of_same_epoch(accepted, before, at):
            found = accepted[before].last_sequence + 1
    return found


@invariant(source="KIP-98: fencing by the producer epoch")
def accepted_epochs_do_not_fall(state: ProducedLog) -> bool:
    """No batch of a producer is accepted after one of a later epoch."""
    return all(
        state.accepted[one].producer == NONE
        or state.accepted[one].producer != state.accepted[other].producer
        or state.accepted[one].epoch <= state.accepted[other].epoch
        for other in range(len(state.accepted))
        for one in range(other)
    )


@invariant(source="KIP-98: the last stable offset")
def ended_transactions_hold_up_no_reader(state: ProducedLog) -> bool:
    """A transaction whose marker is in the log is not open on a running broker.

    Consumers of committed records read up to the first open transaction.
    """
    return state.broker != RUNNING or all(
        state.log.producer[producer].transaction_start == NONE
        or not is_ended(state.log, producer, state.log.producer[producer].transaction_start)
        for producer in range(len(state.log.producer))
    )


def is_ended(log: ProducerLog, producer: int, start: int) -> bool:
    """The log has a marker of the producer after the offset at which its transaction starts."""
    return any(
        log.batch[at].producer == producer and has_marker(log.batch[at])
        for at in range(start, log.log_end_offset)
    )


@invariant(source="KIP-890: the coordinator bumps the epoch for each marker; KAFKA-19446")
def markers_end_transactions_of_earlier_epochs(state: ProducedLog, scope: TransactionScope) -> bool:
    """From transaction version 2 on, a marker ends data of earlier epochs only.

    A late copy of a marker would otherwise end the transaction that began after it.
    """
    return scope.transactions < 2 or not any(
        has_marker(state.log.batch[at]) and has_data_before(state.log, at)
        for at in range(state.log.log_end_offset)
    )


def has_data_before(log: ProducerLog, marker: int) -> bool:
    """The log has data of the marker's producer and epoch, below the marker."""
    return any(
        log.batch[at].kind == BatchKind.DATA
        and log.batch[at].producer == log.batch[marker].producer
        and log.batch[at].epoch == log.batch[marker].epoch
        for at in range(marker)
    )


@step_property(source="KAFKA-19999")
def markers_of_the_log_are_not_refused(before: ProducedLog, after: ProducedLog, step: Step) -> bool:
    """A marker that the log has already is accepted once more, unless the producer has gone on.

    The coordinator does not know that the first copy has arrived, and sends the marker until it is
    accepted.
    """
    return step.action != "leader_refuses_batch" or not is_last_of_producer(
        before.log, before.request[step.place]
    )


def is_last_of_producer(log: ProducerLog, marker: SentBatch) -> bool:
    """The last batch of the producer in the log is this marker."""
    return any(
        has_marker(log.batch[at])
        and log.batch[at].kind == marker.kind
        and log.batch[at].producer == marker.producer
        and log.batch[at].epoch == marker.epoch
        and not has_batch_after(log, marker.producer, at)
        for at in range(log.log_end_offset)
    )


def has_batch_after(log: ProducerLog, producer: int, offset: int) -> bool:
    """The log has a batch of the producer above the offset."""
    return any(log.batch[at].producer == producer for at in range(offset + 1, log.log_end_offset))


# -- what a restart leaves


@step_property(source="Kafka: LogLoader#load, UnifiedLog#rebuildProducerState")
def recovery_restores_producers(
    before: ProducedLog, after: ProducedLog, scope: ExpiringScope
) -> bool:
    """After a crash the broker knows every unexpired producer whose last batch the log has.

    Kafka believes it because recovery reads the log from the newest snapshot on.
    """
    return not (before.broker == CRASHED and after.broker == RUNNING) or all(
        not is_in_log(after.log, before.remembered[producer])
        or is_expired(before.remembered[producer], after.now, scope.expiration_ms)
        or is_same_entry(before.remembered[producer], after.log.producer[producer])
        for producer in range(len(before.remembered))
    )


@step_property(source="Kafka: UnifiedLog#close, LogLoader#load")
def load_restores_producers(before: ProducedLog, after: ProducedLog, scope: ExpiringScope) -> bool:
    """After a clean shutdown the broker knows every unexpired producer that it knew.

    Kafka believes it because the shutdown writes a snapshot of the log end.
    """
    return not (before.broker == SHUT_DOWN and after.broker == RUNNING) or all(
        not before.remembered[producer].is_known
        or is_expired(before.remembered[producer], after.now, scope.expiration_ms)
        or is_same_entry(before.remembered[producer], after.log.producer[producer])
        for producer in range(len(before.remembered))
    )


def is_in_log(log: ProducerLog, entry: ProducerEntry) -> bool:
    """The producer's last batch is in the log, not below its start."""
    return entry.is_known and last_data_offset(entry) >= log.log_start_offset


def is_expired(entry: ProducerEntry, now: int, expiration_ms: int) -> bool:
    """The producer may be forgotten."""
    return has_expired(entry.transaction_start, entry.timestamp, now, expiration_ms)


def is_same_entry(one: ProducerEntry, other: ProducerEntry) -> bool:
    """Both lead to the same answers, but for batches before the last one."""
    return (
        one.is_known == other.is_known
        and one.epoch == other.epoch
        and last_sequence(one) == last_sequence(other)
        and (one.transaction_start == NONE) == (other.transaction_start == NONE)
    )


@step_property(source="KIP-405: a follower builds producer state from the remote snapshot")
def fetched_producers_are_known(
    before: ProducedLog, after: ProducedLog, scope: ExpiringScope
) -> bool:
    """A follower that begins on the remote tier knows the unexpired producers of the snapshot."""
    return before.rebuilds == after.rebuilds or all(
        not before.fetched[producer].is_known
        or has_expired(
            before.fetched[producer].transaction_start,
            before.fetched[producer].timestamp,
            after.now,
            scope.expiration_ms,
        )
        or after.log.producer[producer].is_known
        for producer in range(len(before.fetched))
    )


@invariant(source="Kafka: ProducerStateManager#loadFromSnapshot")
def log_directory_stays_online(state: ProducedLog) -> bool:
    """No producer state that cannot be built takes the log directory offline."""
    return state.broker != OFFLINE


# -- what can happen


def answer_for(state: ProducedLog, batch: SentBatch) -> AppendAnswer:
    """What the leader would answer to a batch that is on the way."""
    last = later_sequence(batch.first_sequence, batch.records - 1)
    return validate_batch(
        state.log, batch.producer, batch.epoch, batch.first_sequence, last, batch.is_transactional
    )


@witness()
def retry_is_a_duplicate(state: ProducedLog) -> bool:
    """A late copy of a batch arrives at a leader that remembers the batch."""
    return state.broker == RUNNING and any(
        batch.kind == BatchKind.DATA and answer_for(state, batch) == AppendAnswer.DUPLICATE
        for batch in state.request
    )


@witness()
def zombie_is_fenced(state: ProducedLog) -> bool:
    """A batch of an older epoch arrives at a leader that knows the newer one."""
    return state.broker == RUNNING and any(
        batch.kind == BatchKind.DATA
        and answer_for(state, batch) == AppendAnswer.INVALID_PRODUCER_EPOCH
        for batch in state.request
    )


@witness()
def producer_in_log_is_unknown(state: ProducedLog) -> bool:
    """The log has a batch of a producer that the broker does not know."""
    return state.broker == RUNNING and any(
        state.log.batch[at].kind == BatchKind.DATA
        and state.log.batch[at].producer != NONE
        and not state.log.producer[state.log.batch[at].producer].is_known
        for at in range(state.log.log_end_offset)
    )


@witness()
def producer_of_a_snapshot_has_moved_on(state: ProducedLog) -> bool:
    """A running broker knows a later sequence of a producer than its latest snapshot does."""
    return state.broker == RUNNING and any(
        snapshot.is_registered
        and snapshot.producer[producer].is_known
        and state.log.producer[producer].epoch == snapshot.producer[producer].epoch
        and last_sequence(state.log.producer[producer]) > snapshot.producer[producer].last_sequence
        for snapshot in state.log.snapshot
        for producer in range(len(snapshot.producer))
    )


@witness()
def transaction_holds_up_readers(state: ProducedLog) -> bool:
    """A transaction is open."""
    return any(entry.transaction_start != NONE for entry in state.log.producer)


@witness()
def transaction_has_ended(state: ProducedLog) -> bool:
    """The log has a marker above data of its producer."""
    return any(
        has_marker(state.log.batch[at])
        and any(
            state.log.batch[below].producer == state.log.batch[at].producer
            and state.log.batch[below].kind == BatchKind.DATA
            for below in range(at)
        )
        for at in range(state.log.log_end_offset)
    )
