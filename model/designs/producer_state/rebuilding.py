"""How a follower begins on the remote tier, with a snapshot that the leader has stored there."""

from tierproof.model.designs.producer_state.appending import is_running
from tierproof.model.designs.producer_state.state import (
    BROKER,
    Broker,
    ProducerPartition,
    ProducerStateScope,
)
from tierproof.model.designs.producer_state.storing import empty_log
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.kafka.producer_entries import last_data_offset
from tierproof.model.kafka.producer_recovery import (
    Rebuilt,
    rebuild_on_remote_tier,
)
from tierproof.model.kafka.producer_snapshots import copy_to_snapshot
from tierproof.model.kafka.producer_state import ProducerEntry, SnapshotEntry
from tierproof.model.kafka.scope import Offset
from tierproof.model.language import Actor, guard

REMOTE = Actor("remote storage")


@guard
def is_tiered(state: ProducerPartition, scope: ProducerStateScope) -> bool:
    """The log has remote storage."""
    return scope.tiered == 1


@guard
def is_start_of_leader(state: ProducerPartition, offset: Offset, log_start: Offset) -> bool:
    """The leader's local log begins where the follower's log ends, and has the same log start."""
    return (
        first_base(state.log) < offset == state.log.log_end_offset
        and log_start == state.log.log_start_offset
    )


@guard
def has_stored_snapshot(state: ProducerPartition) -> bool:
    """The snapshot in the remote tier is that of the log end."""
    return all(
        is_written_as(state.fetched[producer], state.log.producer[producer])
        for producer in range(len(state.fetched))
    )


def is_written_as(written: SnapshotEntry, entry: ProducerEntry) -> bool:
    """The snapshot says of the producer what one of now would say.

    A marker changes the epoch, the time and the transaction, and not the last batch.
    """
    return (
        written.is_known == entry.is_known
        and written.epoch == entry.epoch
        and written.timestamp == entry.timestamp
        and written.coordinator_epoch == entry.coordinator_epoch
        and written.transaction_start == entry.transaction_start
        and written.last_offset == last_data_offset(entry)
    )


@BROKER.action(
    guards=[is_running, is_tiered, is_start_of_leader, has_stored_snapshot],
    budget="rebuilds",
    to="remote storage",
)
def follower_rebuilds(
    state: ProducerPartition, offset: Offset, log_start: Offset, scope: ProducerStateScope
) -> None:
    """Begin the log at the offset, with the snapshot that was fetched.

    Kafka: TierStateMachine#buildRemoteLogAuxState. Left out: leader epochs.
    """
    empty_log(state.log, offset, log_start)
    ended = rebuild_on_remote_tier(
        state.log,
        offset,
        state.fetched,
        scope.remembered_batches,
        state.now,
        scope.expiration_ms,
    )
    if ended != Rebuilt.DONE:
        state.broker = Broker.LOG_DIR_OFFLINE


@guard
def has_producers_to_store(state: ProducerPartition) -> bool:
    """The snapshot in the remote tier is not that of the log end."""
    return not has_stored_snapshot(state)


@REMOTE.action(guards=[is_running, is_tiered, has_producers_to_store])
def leader_stores_snapshot(state: ProducerPartition) -> None:
    """Store the snapshot of the log end, which is what a follower fetches later.

    Kafka: RLMCopyTask#copyLogSegment. Left out: segments, and when they are copied.
    """
    for producer in range(len(state.fetched)):
        copy_to_snapshot(state.fetched[producer], state.log.producer[producer])


ENVIRONMENT = (
    leader_stores_snapshot,
    follower_rebuilds,
)
