"""How a follower begins on the remote tier, with a snapshot that the leader has stored there."""

from tierproof.model.designs.producer_state.appending import is_running
from tierproof.model.designs.producer_state.state import (
    BROKER,
    Broker,
    ProducerPartition,
    ProducerStateScope,
)
from tierproof.model.designs.producer_state.storing import empty_log
from tierproof.model.kafka.producer_entries import last_data_offset
from tierproof.model.kafka.producer_recovery import (
    Rebuilt,
    rebuild_on_remote_tier,
)
from tierproof.model.kafka.producer_snapshots import copy_to_snapshot
from tierproof.model.kafka.scope import Offset
from tierproof.model.language import Actor, guard

REMOTE = Actor("remote storage")


@guard
def is_tiered(state: ProducerPartition, scope: ProducerStateScope) -> bool:
    """The log has remote storage."""
    return scope.tiered == 1


@guard
def is_start_of_leader(state: ProducerPartition, offset: Offset, log_start: Offset) -> bool:
    """The leader's local log begins at the follower's log end; its log start is the same."""
    return offset == state.log.log_end_offset and log_start == state.log.log_start_offset


@BROKER.action(
    guards=[is_running, is_tiered, is_start_of_leader], budget="rebuilds", to="remote storage"
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
    """The snapshot in the remote tier is not what the leader would store now."""
    return any(
        state.fetched[producer].is_known != state.log.producer[producer].is_known
        or state.fetched[producer].last_offset != last_data_offset(state.log.producer[producer])
        for producer in range(len(state.fetched))
    )


@REMOTE.action(guards=[is_running, is_tiered, has_producers_to_store])
def leader_stores_snapshot(state: ProducerPartition) -> None:
    """Store the snapshot of the log end, which is what a follower fetches later.

    Kafka: RLMCopyTask#copyLogSegment. Left out: segments, and when they are copied.
    """
    for producer in range(len(state.fetched)):
        copy_to_snapshot(state.fetched[producer], state.log.producer[producer])
