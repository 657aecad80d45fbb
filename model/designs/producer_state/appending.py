"""What the replica does with a request: it appends the batch, knows it already, or refuses it."""

from tierproof.model.designs.producer_state.clients import with_copies
from tierproof.model.designs.producer_state.state import (
    BROKER,
    BatchRecords,
    Broker,
    Place,
    ProducerPartition,
    ProducerStateScope,
)
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.producer_entries import later_sequence, remember_batch
from tierproof.model.kafka.producer_validation import (
    AppendAnswer,
    validate_batch,
    validate_marker,
    validate_replicated_batch,
)
from tierproof.model.kafka.scope import Offset
from tierproof.model.language import NONE, guard, limit


@guard
def is_running(state: ProducerPartition) -> bool:
    """The broker runs."""
    return state.broker == Broker.RUNNING


@guard
def has_request(state: ProducerPartition, place: Place) -> bool:
    """A request is on the way."""
    return place < len(state.request)


@limit
def log_has_room_for_request(
    state: ProducerPartition, place: Place, scope: ProducerStateScope
) -> bool:
    """The log has the offsets for the batch."""
    return state.log.log_end_offset + state.request[place].records <= scope.offsets


def answer_to(state: ProducerPartition, place: int) -> AppendAnswer:
    """The leader's answer to the request."""
    request = state.request[place]
    if request.kind != BatchKind.DATA:
        return validate_marker(
            state.log,
            request.producer,
            request.epoch,
            request.coordinator_epoch,
            request.transaction_version,
        )
    return validate_batch(
        state.log,
        request.producer,
        request.epoch,
        request.first_sequence,
        later_sequence(request.first_sequence, request.records - 1),
        request.is_transactional,
    )


@guard
def is_accepted(state: ProducerPartition, place: Place) -> bool:
    """The leader accepts the batch."""
    return answer_to(state, place) == AppendAnswer.APPENDED


@guard
def is_duplicate(state: ProducerPartition, place: Place) -> bool:
    """The leader remembers the batch."""
    return answer_to(state, place) == AppendAnswer.DUPLICATE


@guard
def is_refused(state: ProducerPartition, place: Place) -> bool:
    """The leader refuses the batch."""
    answer = answer_to(state, place)
    return answer != AppendAnswer.APPENDED and answer != AppendAnswer.DUPLICATE


def append_request(state: ProducerPartition, place: int, base: int, remembered: int) -> None:
    """The batch of the request is in the log at `base`, and in the producer state."""
    request, batch = state.request[place], state.log.batch[base]
    batch.kind = request.kind
    batch.last_offset = base + request.records - 1
    batch.producer = request.producer
    batch.epoch = request.epoch
    batch.first_sequence = request.first_sequence
    batch.is_transactional = request.is_transactional
    batch.coordinator_epoch = request.coordinator_epoch
    batch.timestamp = state.now
    state.log.log_end_offset = batch.last_offset + 1
    remember_batch(state.log, base, remembered)


def answer_request(state: ProducerPartition, place: int) -> None:
    """One copy of the request has arrived, and the client has an answer."""
    request = state.request.pop(place)
    if request.copies == 2:
        state.request.append(with_copies(request, 1, True))


@BROKER.action(guards=[is_running, has_request, is_accepted, log_has_room_for_request], to="log")
def leader_appends_batch(state: ProducerPartition, place: Place, scope: ProducerStateScope) -> None:
    """Append the batch, and answer.

    Kafka: UnifiedLog#appendAsLeader. Left out: several batches in a request.
    """
    append_request(state, place, state.log.log_end_offset, scope.remembered_batches)
    answer_request(state, place)


@BROKER.action(guards=[is_running, has_request, is_duplicate], to="log")
def leader_answers_duplicate(state: ProducerPartition, place: Place) -> None:
    """Answer with the offsets of the batch that is remembered, and append nothing.

    Kafka: UnifiedLog#append, maybeDuplicate.
    """
    answer_request(state, place)


@BROKER.action(guards=[is_running, has_request, is_refused], to="log")
def leader_refuses_batch(state: ProducerPartition, place: Place) -> None:
    """Answer with an error. The client of the newest epoch then needs another one.

    Kafka: TransactionManager#handleFailedBatch. Left out: a client that tries once more, as a
    copy of the request that is on the way does so.
    """
    request = state.request[place]
    client = state.client[request.producer]
    is_last = request.copies == 1 and not request.is_answered
    if is_last and request.kind == BatchKind.DATA and request.epoch == client.epoch:
        client.has_failed = True
    answer_refusal(state, place)


def answer_refusal(state: ProducerPartition, place: int) -> None:
    """One copy of the request has arrived in vain; the client waits for the other one."""
    request = state.request.pop(place)
    if request.copies == 2:
        state.request.append(with_copies(request, 1, request.is_answered))


# -- as a follower


@guard
def is_fetched_from_leader(state: ProducerPartition, place: Place, offset: Offset) -> bool:
    """The leader, of the same log and producer state, has appended the batch here."""
    return offset == state.log.log_end_offset and answer_to(state, place) == AppendAnswer.APPENDED


def answer_as_follower(state: ProducerPartition, place: int) -> AppendAnswer:
    """The follower's answer to a batch that it has fetched."""
    request = state.request[place]
    if request.kind != BatchKind.DATA:
        return AppendAnswer.APPENDED
    return validate_replicated_batch(state.log, request.producer, request.is_transactional)


@guard
def is_replicable(state: ProducerPartition, place: Place) -> bool:
    """The follower can append the batch."""
    return answer_as_follower(state, place) == AppendAnswer.APPENDED


@guard
def is_not_replicable(state: ProducerPartition, place: Place) -> bool:
    """The follower throws an exception."""
    return answer_as_follower(state, place) != AppendAnswer.APPENDED


@limit
def log_has_room_from(
    state: ProducerPartition, place: Place, offset: Offset, scope: ProducerStateScope
) -> bool:
    """The log has the offsets for the batch from `offset` on."""
    return offset + state.request[place].records <= scope.offsets


@BROKER.action(
    guards=[is_running, has_request, is_fetched_from_leader, is_replicable, log_has_room_from],
    to="log",
)
def follower_appends_batch(
    state: ProducerPartition, place: Place, offset: Offset, scope: ProducerStateScope
) -> None:
    """Append a batch that the leader has appended, without validating it again.

    Kafka: UnifiedLog#appendAsFollower.
    """
    append_request(state, place, offset, scope.remembered_batches)
    answer_request(state, place)


@BROKER.action(guards=[is_running, has_request, is_fetched_from_leader, is_not_replicable])
def follower_fails_on_batch(state: ProducerPartition, place: Place, offset: Offset) -> None:
    """Throw InvalidTxnStateException; the log stays as it is.

    Kafka: ProducerAppendInfo#appendDataBatch, AbstractFetcherThread.
    """
    answer_refusal(state, place)


# -- without a producer


@limit
def log_has_room(
    state: ProducerPartition, records: BatchRecords, scope: ProducerStateScope
) -> bool:
    """The log has the offsets for the records."""
    return state.log.log_end_offset + records <= scope.offsets


@limit
def plain_batches_are_used(state: ProducerPartition, scope: ProducerStateScope) -> bool:
    """The scope has batches without a producer."""
    return scope.plain == 1


@BROKER.action(guards=[is_running, plain_batches_are_used, log_has_room], to="log")
def leader_appends_plain_batch(
    state: ProducerPartition, records: BatchRecords, scope: ProducerStateScope
) -> None:
    """Append a batch of a client that is not idempotent.

    Kafka: UnifiedLog#appendAsLeader.
    """
    base = state.log.log_end_offset
    batch = state.log.batch[base]
    batch.kind = BatchKind.DATA
    batch.last_offset = base + records - 1
    batch.producer = NONE
    batch.timestamp = state.now
    state.log.log_end_offset = base + records
    remember_batch(state.log, base, scope.remembered_batches)


SYSTEM = (
    leader_appends_batch,
    leader_answers_duplicate,
    leader_refuses_batch,
    follower_appends_batch,
    follower_fails_on_batch,
)
