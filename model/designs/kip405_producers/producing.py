"""Clients send batches and retry them; the leader appends what it takes for new.

A request that a client gave up may arrive late: after the retry, after the client has moved on,
or after another instance of the client has begun a new epoch.
"""

from typing import Annotated

from tierproof.model.designs.kip405.actors import LEADER
from tierproof.model.designs.kip405.local import believes_to_lead, has_place_for_a_record
from tierproof.model.designs.kip405.replication import raise_high_watermark
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip405_producers.actors import CLIENT, COORDINATOR
from tierproof.model.designs.kip405_producers.state import (
    ProducedPartition,
    ProducedTopic,
    ProducingBroker,
)
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.local_segments import append_record, needs_roll, roll
from tierproof.model.kafka.producer_entries import last_stable_offset_of_producers, remember_batch
from tierproof.model.kafka.producer_state import Producer, ProducerEpoch, SequenceNumber
from tierproof.model.kafka.producer_validation import AppendAnswer, validate_batch, validate_marker
from tierproof.model.language import Range, guard, limit

IsCommit = Annotated[int, Range(0, 1)]

# -- clients


@guard
def may_send_another(state: ProducedTopic, producer: Producer, scope: ProducedPartition) -> bool:
    """Fewer than max.in.flight.requests.per.connection batches are unanswered."""
    client = state.client[producer]
    return client.sent_end - client.acknowledged_end < scope.requests


@limit
def has_sequence_left(state: ProducedTopic, producer: Producer, scope: ProducedPartition) -> bool:
    """The scope has another sequence number."""
    return state.client[producer].sent_end < scope.sequences


@CLIENT.action(guards=[may_send_another, has_sequence_left], to="the leader")
def producer_sends_batch(state: ProducedTopic, producer: Producer) -> None:
    """Send the next batch of the epoch.

    Kafka: Sender#sendProducerData, TransactionManager. Left out: batches of several records.
    """
    client = state.client[producer]
    state.in_flight[producer][client.epoch][client.sent_end] = 1
    client.sent_end += 1


@guard
def is_unanswered(state: ProducedTopic, producer: Producer, sequence: SequenceNumber) -> bool:
    """The client has sent the batch and has no answer."""
    client = state.client[producer]
    return client.acknowledged_end <= sequence < client.sent_end


@limit
def has_room_in_flight(state: ProducedTopic, producer: Producer, sequence: SequenceNumber) -> bool:
    """At most two requests of a batch are on their way."""
    return state.in_flight[producer][state.client[producer].epoch][sequence] < 2


@CLIENT.action(guards=[is_unanswered, has_room_in_flight], to="the leader", budget="retries")
def producer_retries_batch(
    state: ProducedTopic, producer: Producer, sequence: SequenceNumber
) -> None:
    """Send a batch again, as its answer was lost or is late; the first request may still arrive.

    Kafka: Sender#handleTimedOutRequests, #reenqueueBatch.
    """
    state.in_flight[producer][state.client[producer].epoch][sequence] += 1


@limit
def has_producer_epoch_left(
    state: ProducedTopic, producer: Producer, scope: ProducedPartition
) -> bool:
    """The scope has another producer epoch."""
    return state.client[producer].epoch + 1 < scope.producer_epochs


@CLIENT.action(guards=[has_producer_epoch_left], budget="epoch_bumps")
def producer_begins_epoch(state: ProducedTopic, producer: Producer) -> None:
    """Begin a new epoch at sequence 0; requests of the old epoch stay in flight.

    Kafka: InitProducerId of another instance with the same transactional.id, or a client that
    raises its own epoch after an error (KIP-360). Left out: what the old instance still sends.
    """
    client = state.client[producer]
    client.epoch += 1
    client.sent_end = 0
    client.acknowledged_end = 0


# -- the leader


@guard
def is_request_in_flight(
    state: ProducedTopic, producer: Producer, epoch: ProducerEpoch, sequence: SequenceNumber
) -> bool:
    """A request with the batch has not arrived."""
    return state.in_flight[producer][epoch][sequence] > 0


@LEADER.action(guards=[believes_to_lead, has_place_for_a_record, is_request_in_flight])
def leader_receives_batch(
    state: ProducedTopic,
    leader: Broker,
    producer: Producer,
    epoch: ProducerEpoch,
    sequence: SequenceNumber,
    scope: ProducedPartition,
) -> None:
    """Append the batch, unless the producer state says that it is a duplicate or out of order.

    Kafka: UnifiedLog#appendAsLeader, #analyzeAndValidateProducerState. Left out: the error that
    the client is answered; transaction verification (KIP-890).
    """
    log = state.broker[leader]
    state.in_flight[producer][epoch][sequence] -= 1
    is_transactional = scope.is_transactional == 1
    answer = validate_batch(log, producer, epoch, sequence, sequence, is_transactional)
    if answer != AppendAnswer.APPENDED:
        return
    begin_batch(log, BatchKind.DATA, producer, epoch, scope)
    log.batch[log.log_end_offset].first_sequence = sequence
    log.batch[log.log_end_offset].is_transactional = is_transactional
    append_batch(state, leader, scope)


def begin_batch(
    log: ProducingBroker, kind: BatchKind, producer: int, epoch: int, scope: ProducedPartition
) -> None:
    """A batch of one record comes to the log end, in a new segment if the active one is full."""
    if needs_roll(log, scope.record_bytes, scope.segment_bytes):
        roll(log)
    batch = log.batch[log.log_end_offset]
    batch.kind = kind
    batch.last_offset = log.log_end_offset
    batch.producer = producer
    batch.epoch = epoch


def append_batch(state: ProducedTopic, leader: int, scope: ProducedPartition) -> None:
    """UnifiedLog#append of the batch at the log end, and of what it says of its producer."""
    log = state.broker[leader]
    offset = log.log_end_offset
    log.batch[offset].timestamp = state.clock
    append_record(log, scope.record_bytes, state.clock)
    remember_batch(log, offset)
    raise_high_watermark(state, leader)


def is_batch_at(
    log: ProducingBroker, offset: int, producer: int, epoch: int, sequence: int
) -> bool:
    """The log has this batch at the offset."""
    batch = log.batch[offset]
    return (
        batch.kind == BatchKind.DATA
        and batch.producer == producer
        and batch.epoch == epoch
        and batch.first_sequence == sequence
    )


@guard
def has_committed_first_unanswered(
    state: ProducedTopic, leader: Broker, producer: Producer
) -> bool:
    """The first batch without an answer is below the high watermark of the broker (acks=all)."""
    client, log = state.client[producer], state.broker[leader]
    return client.acknowledged_end < client.sent_end and any(
        is_batch_at(log, offset, producer, client.epoch, client.acknowledged_end)
        for offset in range(log.high_watermark)
    )


@LEADER.action(guards=[believes_to_lead, has_committed_first_unanswered], to="producer {producer}")
def leader_acknowledges_batch(state: ProducedTopic, leader: Broker, producer: Producer) -> None:
    """Answer the client, for an append or for a duplicate; the client is done with the batch.

    Kafka: DelayedProduce, ReplicaManager#appendRecords. Left out: answers to duplicates of a
    batch that is no longer in the local log.
    """
    state.client[producer].acknowledged_end += 1


# -- transactions


def stable_offset(log: ProducingBroker) -> int:
    """UnifiedLog#lastStableOffset: what lies above is not copied."""
    return last_stable_offset_of_producers(log, log.high_watermark)


@guard
def has_transaction_to_end(
    state: ProducedTopic, producer: Producer, is_commit: IsCommit, scope: ProducedPartition
) -> bool:
    """A transaction commits once all its batches are acknowledged; it may always be aborted."""
    client = state.client[producer]
    if scope.is_transactional == 0:
        return False
    if is_commit:
        return client.sent_end == client.acknowledged_end > 0
    return client.sent_end > 0 or client.epoch > 0


@COORDINATOR.action(
    guards=[believes_to_lead, has_place_for_a_record, has_transaction_to_end],
    to="broker {leader}",
    budget="markers",
    stutters=True,
)
def coordinator_ends_transaction(
    state: ProducedTopic,
    leader: Broker,
    producer: Producer,
    is_commit: IsCommit,
    scope: ProducedPartition,
) -> None:
    """Write a COMMIT or ABORT marker with the epoch of the producer's present instance.

    Kafka: WriteTxnMarkers, ProducerAppendInfo#appendEndTxnMarker. Left out: markers of KIP-890,
    which have an epoch of their own; coordinators that fail over.
    """
    log = state.broker[leader]
    epoch = state.client[producer].epoch
    if validate_marker(log, producer, epoch, 0, 1) != AppendAnswer.APPENDED:
        return
    begin_batch(log, BatchKind.COMMIT if is_commit else BatchKind.ABORT, producer, epoch, scope)
    log.batch[log.log_end_offset].coordinator_epoch = 0
    append_batch(state, leader, scope)


ENVIRONMENT = (
    producer_sends_batch,
    producer_retries_batch,
    producer_begins_epoch,
    leader_receives_batch,
    coordinator_ends_transaction,
)
