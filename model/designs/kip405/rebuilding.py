"""A follower and the remote tier: how far it reaches, and a log that is built on it.

TierStateMachine: what the leader has only in the remote tier is not fetched; the follower
begins where the leader's local log does, and takes the lineage from the segment before.
"""

from tierproof.model.designs.kip405.actors import FOLLOWER
from tierproof.model.designs.kip405.replication import begin_log, fetches_from_a_leader
from tierproof.model.designs.kip405.state import Broker, Partition
from tierproof.model.kafka.copy_task import learn_highest_remote_offset
from tierproof.model.kafka.leader_epoch_lineage import clear, copy_lineage, epoch_for_offset
from tierproof.model.kafka.remote_metadata_cache import find_highest_remote_offset, lookup
from tierproof.model.language import NONE, fence, guard


@fence(stays="a follower whose cache lags finds nothing, and tries again: KAFKA-15181 all the same")
def is_follower_cache_ready(state: Partition, follower: Broker) -> bool:
    """The follower has read what was in the metadata topic when it was assigned (KAFKA-15181)."""
    return state.broker[follower].cache.is_initialized


# -- how far the remote tier reaches


def highest_found(state: Partition, broker: int) -> int:
    """findHighestRemoteOffset at this broker."""
    log = state.broker[broker]
    found, _ = find_highest_remote_offset(log.cache, log.lineage, log.log_end_offset)
    return found


@guard
def has_follower_task(state: Partition, follower: Broker) -> bool:
    """The follower task is scheduled, and the log accepts what it finds."""
    replica = state.broker[follower]
    return replica.follower_task and replica.settings.remote_storage_enable


@guard
def has_higher_offset_to_find(state: Partition, follower: Broker) -> bool:
    """The remote tier reaches further than the broker knows."""
    return highest_found(state, follower) > state.broker[follower].highest_remote_offset


@FOLLOWER.action(guards=[has_follower_task, is_follower_cache_ready, has_higher_offset_to_find])
def follower_task_finds_highest_remote_offset(state: Partition, follower: Broker) -> None:
    """Learn how far the remote tier reaches, so that local retention may remove segments.

    Kafka: RemoteLogManager.RLMFollowerTask.
    """
    learn_highest_remote_offset(state.broker[follower], highest_found(state, follower))


# -- a log that is built on the remote tier


@fence(protects="log_start_never_moves_back", scope="smoke")
def is_only_remote_at_leader(state: Partition, follower: Broker) -> bool:
    """OFFSET_MOVED_TO_TIERED_STORAGE: the leader has the follower's log end in the remote tier.

    A log that is built anew takes the log start of its leader, which may lag behind that of a
    follower whose log end the leader still has locally.
    """
    log = state.broker[follower]
    leader = state.broker[log.presumed_leader]
    return (
        leader.settings.remote_storage_enable
        and leader.log_start_offset <= log.log_end_offset < leader.local_log_start_offset
    )


def segment_before_local_log(state: Partition, follower: int) -> int:
    """The remote segment that holds the offset before the leader's local log, or NONE.

    The leader sends the offset and its epoch; the follower asks its own cache.
    """
    log = state.broker[follower]
    leader = state.broker[log.presumed_leader]
    offset = leader.local_log_start_offset - 1
    epoch = epoch_for_offset(leader.lineage, offset)
    return NONE if epoch == NONE else lookup(log.cache, state.segment, epoch, offset)


@fence(protects="committed_records_stay_readable", scope="followers")
def has_segment_to_build_on(state: Partition, follower: Broker) -> bool:
    """The follower knows of the segment, and the store has it; else it tries again later.

    Without its lineage the follower would start a log whose remote part it cannot look up, and
    promise that part when it leads.
    """
    found = segment_before_local_log(state, follower)
    return found != NONE and state.segment[found].object_exists


@FOLLOWER.action(
    guards=[
        fetches_from_a_leader,
        is_only_remote_at_leader,
        is_follower_cache_ready,
        has_segment_to_build_on,
    ],
    to="remote_store",
)
def follower_builds_on_remote_tier(state: Partition, follower: Broker) -> None:
    """Drop the log, begin after the remote segment, and take the lineage stored with it.

    Kafka: TierStateMachine#start, #buildRemoteLogAuxState. Left out: the producer snapshot;
    that the leader's local log start may move between the requests.
    """
    log = state.broker[follower]
    found = segment_before_local_log(state, follower)
    begin_log(log, state.segment[found].end_offset + 1)
    log.log_start_offset = state.broker[log.presumed_leader].log_start_offset
    copy_lineage(log.lineage, state.segment[found].epoch_index)


@fence(protects="in_sync_replicas_have_committed_records", scope="smoke")
def is_out_of_range_at_leader(state: Partition, follower: Broker) -> bool:
    """OFFSET_OUT_OF_RANGE: the leader's log starts after the follower's end.

    A follower in sync whose log reaches the leader's start has committed records to keep.
    """
    log = state.broker[follower]
    return log.log_end_offset < state.broker[log.presumed_leader].log_start_offset


@FOLLOWER.action(guards=[fetches_from_a_leader, is_out_of_range_at_leader])
def follower_begins_at_log_start(state: Partition, follower: Broker) -> None:
    """Drop the log and begin at the leader's log start.

    Kafka: AbstractFetcherThread#fetchOffsetAndTruncate, UnifiedLog#truncateFullyAndStartAt.
    """
    log = state.broker[follower]
    begin_log(log, state.broker[log.presumed_leader].log_start_offset)
    clear(log.lineage)


SYSTEM = (
    follower_begins_at_log_start,
    follower_builds_on_remote_tier,
    follower_task_finds_highest_remote_offset,
)
