"""What clients and the transaction coordinator send: batches, retries, markers, new epochs."""

from typing import Annotated

from tierproof.model.designs.producer_state.state import (
    BatchRecords,
    Place,
    ProducerPartition,
    ProducerStateScope,
    Request,
)
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.producer_entries import later_sequence
from tierproof.model.kafka.producer_state import (
    OptionalCoordinatorEpoch,
    Producer,
)
from tierproof.model.language import NONE, Actor, Range, guard, limit

PRODUCER = Actor("producer {producer}")
NETWORK = Actor("producer of request {place}")
COORDINATOR = Actor("transaction coordinator")
LEADER = "leader"

TransactionVersion = Annotated[int, Range(0, 2)]


@limit
def network_has_room(state: ProducerPartition, scope: ProducerStateScope) -> bool:
    """Another request."""
    return len(state.request) < scope.requests


@guard
def awaits_few_answers(
    state: ProducerPartition, producer: Producer, scope: ProducerStateScope
) -> bool:
    """The client may have another request in flight (max.in.flight.requests.per.connection)."""
    unanswered = sum(
        not request.is_answered
        for request in state.request
        if request.producer == producer and request.epoch == state.client[producer].epoch
    )
    return unanswered < scope.unanswered


@guard
def has_not_failed(state: ProducerPartition, producer: Producer) -> bool:
    """The client got no error for which it must bump its epoch."""
    return not state.client[producer].has_failed


@limit
def sequences_are_left(
    state: ProducerPartition, producer: Producer, records: BatchRecords, scope: ProducerStateScope
) -> bool:
    """The batch ends within the sequences of the scope."""
    return state.client[producer].next_sequence + records <= scope.sequences


@limit
def transactions_are_used(
    state: ProducerPartition, is_transactional: bool, scope: ProducerStateScope
) -> bool:
    """In scopes that have transactions, every batch of a producer belongs to one."""
    return is_transactional == (scope.transactions > 0)


@PRODUCER.action(
    guards=[
        has_not_failed,
        awaits_few_answers,
        sequences_are_left,
        transactions_are_used,
        network_has_room,
    ],
    to=LEADER,
)
def producer_sends_batch(
    state: ProducerPartition, producer: Producer, records: BatchRecords, is_transactional: bool
) -> None:
    """Send the next batch.

    Kafka: Sender#sendProduceRequest, TransactionManager#sequenceNumber. Left out: several
    batches in a request.
    """
    client = state.client[producer]
    state.request.append(
        Request(
            kind=BatchKind.DATA,
            producer=producer,
            epoch=client.epoch,
            first_sequence=client.next_sequence,
            records=records,
            is_transactional=is_transactional,
            coordinator_epoch=NONE,
            transaction_version=0,
            copies=1,
            is_answered=False,
        )
    )
    client.next_sequence = later_sequence(client.next_sequence, records)


@guard
def has_one_copy(state: ProducerPartition, place: Place) -> bool:
    """There is a request at the place, without an answer, and not sent twice."""
    if place >= len(state.request):
        return False
    request = state.request[place]
    return request.copies == 1 and not request.is_answered


@NETWORK.action(guards=[has_one_copy], budget="retries", to=LEADER)
def producer_retries_batch(state: ProducerPartition, place: Place) -> None:
    """Send the request again after request.timeout.ms; both copies are on the way.

    Kafka: Sender#completeBatch, #reenqueueBatch. A copy that was lost is one that never arrives.
    """
    state.request[place] = with_copies(state.request[place], 2, False)


def with_copies(request: Request, copies: int, is_answered: bool) -> Request:
    """The request, as often on the way as said."""
    return Request(
        kind=request.kind,
        producer=request.producer,
        epoch=request.epoch,
        first_sequence=request.first_sequence,
        records=request.records,
        is_transactional=request.is_transactional,
        coordinator_epoch=request.coordinator_epoch,
        transaction_version=request.transaction_version,
        copies=copies,
        is_answered=is_answered,
    )


@limit
def epochs_are_left(
    state: ProducerPartition, producer: Producer, scope: ProducerStateScope
) -> bool:
    """The producer has another epoch."""
    return state.client[producer].epoch + 1 < scope.producer_epochs


@PRODUCER.action(guards=[epochs_are_left], budget="epoch_bumps", to="transaction coordinator")
def producer_bumps_epoch(state: ProducerPartition, producer: Producer) -> None:
    """Begin a new epoch with sequence 0; older requests stay on the way, as those of a zombie.

    Kafka: TransactionManager#bumpIdempotentEpochAndResetIdIfNeeded, InitProducerId.
    """
    client = state.client[producer]
    client.epoch += 1
    client.next_sequence = 0
    client.has_failed = False


@guard
def is_coordinator(
    state: ProducerPartition,
    coordinator_epoch: OptionalCoordinatorEpoch,
    transaction_version: TransactionVersion,
    scope: ProducerStateScope,
) -> bool:
    """The scope has transactions of this version, and the coordinator stays the same."""
    return coordinator_epoch == 0 and 0 < transaction_version == scope.transactions


@COORDINATOR.action(guards=[is_coordinator, network_has_room], to=LEADER)
def coordinator_sends_marker(
    state: ProducerPartition,
    producer: Producer,
    commits: bool,
    coordinator_epoch: OptionalCoordinatorEpoch,
    transaction_version: TransactionVersion,
) -> None:
    """Send the marker that ends the producer's transaction, in the producer's epoch.

    Kafka: TransactionMarkerChannelManager#addTxnMarkersToSend. From transaction version 2 on
    the producer's epoch is bumped before. Left out: which partitions a transaction has.
    """
    state.request.append(
        Request(
            kind=BatchKind.COMMIT if commits else BatchKind.ABORT,
            producer=producer,
            epoch=state.client[producer].epoch,
            first_sequence=NONE,
            records=1,
            is_transactional=True,
            coordinator_epoch=coordinator_epoch,
            transaction_version=transaction_version,
            copies=1,
            is_answered=False,
        )
    )


ENVIRONMENT = (
    producer_sends_batch,
    producer_retries_batch,
    producer_bumps_epoch,
    coordinator_sends_marker,
)
