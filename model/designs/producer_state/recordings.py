"""What the recordings do besides: arguments at random, and snapshots that are made up.

The actions are those that are explored; the guards that keep clients, the coordinator and
operators reasonable are replaced.
"""

from tierproof.model.designs.producer_state.appending import (
    is_fetched_from_leader,
    is_running,
)
from tierproof.model.designs.producer_state.clients import (
    PRODUCER,
    awaits_few_answers,
    is_coordinator,
    sequences_are_left,
    transactions_are_used,
)
from tierproof.model.designs.producer_state.rebuilding import (
    REMOTE,
    follower_rebuilds,
    has_stored_snapshot,
    is_start_of_leader,
    is_tiered,
)
from tierproof.model.designs.producer_state.restarting import (
    has_readable_file,
    is_checkpointed,
    is_flushed_segment,
    lacks_snapshot,
    operator_places_empty_snapshot,
    snapshot_is_corrupted,
)
from tierproof.model.designs.producer_state.state import (
    BROKER,
    Broker,
    ProducerPartition,
    ProducerStateScope,
)
from tierproof.model.designs.producer_state.storing import (
    active_segment_has_records,
    begins_a_batch,
    broker_rolls_segment,
    broker_takes_snapshot,
    empty_log,
    follower_truncates_fully,
    leader_has_deleted_all,
    snapshots_are_taken_early,
)
from tierproof.model.kafka.producer_recovery import (
    Rebuilt,
    rebuild_on_remote_tier_as_intended,
)
from tierproof.model.kafka.producer_snapshots import forget_snapshot_entry
from tierproof.model.kafka.producer_state import (
    OptionalCoordinatorEpoch,
    Producer,
    ProducerEpoch,
    ProducerTime,
    SequenceNumber,
)
from tierproof.model.kafka.scope import Offset
from tierproof.model.language import Edit, guard


@BROKER.action(guards=[is_running, is_tiered], to="remote storage", stutters=True)
def follower_rebuilds_as_intended(
    state: ProducerPartition, offset: Offset, log_start: Offset, scope: ProducerStateScope
) -> None:
    """Begin the log at the offset, and keep the snapshot that was fetched.

    Kafka: none; TierStateMachine#buildRemoteLogAuxState without its own snapshot in the way.
    """
    empty_log(state.log, offset, log_start)
    ended = rebuild_on_remote_tier_as_intended(
        state.log,
        offset,
        state.fetched,
        scope.remembered_batches,
        state.now,
        scope.expiration_ms,
    )
    if ended != Rebuilt.DONE:
        state.broker = Broker.LOG_DIR_OFFLINE


@REMOTE.action(stutters=True)
def store_has_empty_snapshot(state: ProducerPartition) -> None:
    """The snapshot in the remote tier has no producer.

    Kafka: none.
    """
    for written in state.fetched:
        forget_snapshot_entry(written)


@REMOTE.action()
def store_has_producer(
    state: ProducerPartition,
    producer: Producer,
    epoch: ProducerEpoch,
    timestamp: ProducerTime,
    coordinator_epoch: OptionalCoordinatorEpoch,
) -> None:
    """The snapshot in the remote tier has the producer.

    Kafka: none.
    """
    written = state.fetched[producer]
    written.is_known = True
    written.epoch = epoch
    written.timestamp = timestamp
    written.coordinator_epoch = coordinator_epoch


@REMOTE.action()
def store_has_batch(
    state: ProducerPartition,
    producer: Producer,
    first_sequence: SequenceNumber,
    last_sequence: SequenceNumber,
    last_offset: Offset,
) -> None:
    """The snapshot in the remote tier has the producer's last batch.

    Kafka: none.
    """
    written = state.fetched[producer]
    written.first_sequence = first_sequence
    written.last_sequence = last_sequence
    written.last_offset = last_offset


@REMOTE.action()
def store_has_transaction(
    state: ProducerPartition, producer: Producer, transaction_start: Offset
) -> None:
    """The snapshot in the remote tier has the producer's open transaction.

    Kafka: none.
    """
    state.fetched[producer].transaction_start = transaction_start


@PRODUCER.action(stutters=True)
def producer_is_at(
    state: ProducerPartition, producer: Producer, epoch: ProducerEpoch, sequence: SequenceNumber
) -> None:
    """The client has any epoch, and any sequence.

    Kafka: none.
    """
    client = state.client[producer]
    client.epoch = epoch
    client.next_sequence = sequence
    client.has_failed = False


@guard
def anything(state: ProducerPartition) -> bool:
    """The recording says so."""
    return True


REASONABLE = (
    awaits_few_answers,
    sequences_are_left,
    transactions_are_used,
    is_coordinator,
    is_fetched_from_leader,
    active_segment_has_records,
    snapshots_are_taken_early,
    begins_a_batch,
    leader_has_deleted_all,
    is_tiered,
    is_start_of_leader,
    has_stored_snapshot,
    is_checkpointed,
    is_flushed_segment,
    lacks_snapshot,
    has_readable_file,
)
"""The guards that recordings do without."""

RECORDINGS = Edit(
    test=dict.fromkeys(REASONABLE, anything),
    stutters=(
        broker_rolls_segment,
        broker_takes_snapshot,
        follower_truncates_fully,
        follower_rebuilds,
        operator_places_empty_snapshot,
        snapshot_is_corrupted,
    ),
    add_environment=(
        follower_rebuilds_as_intended,
        store_has_empty_snapshot,
        store_has_producer,
        store_has_batch,
        store_has_transaction,
        producer_is_at,
    ),
)
