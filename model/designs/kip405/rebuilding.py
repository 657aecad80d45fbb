"""A follower and the remote tier: how far it goes, and a log that is built on it.

TierStateMachine: what the leader has only in the remote tier is not fetched; the follower
begins where the leader's local log does, and takes the lineage from the segment before.
"""

from typing import Any

from tierproof.model.designs.kip405.copying import is_cache_ready
from tierproof.model.designs.kip405.replication import begin_log, fetches_from_a_leader
from tierproof.model.designs.kip405.state import Broker, Partition
from tierproof.model.kafka.copy_task import learn_highest_remote_offset
from tierproof.model.kafka.leader_epoch_lineage import clear, copy_lineage, epoch_for_offset
from tierproof.model.kafka.remote_metadata_cache import find_highest_remote_offset, lookup
from tierproof.model.language import NONE, action, guard


def highest_found(state: Any, broker: int) -> int:
    """findHighestRemoteOffset at this broker."""
    me = state.broker[broker]
    found, _ = find_highest_remote_offset(me.cache, me.lineage, me.log_end_offset)
    return int(found)


@guard
def has_follower_task(state: Partition, broker: Broker) -> bool:
    """The follower task is scheduled, and the log takes what it finds."""
    me = state.broker[broker]
    return bool(me.follower_task and me.settings.remote_storage_enable)


@guard
def has_higher_offset_to_find(state: Partition, broker: Broker) -> bool:
    """The remote tier goes further than the broker knows."""
    return highest_found(state, broker) > state.broker[broker].highest_remote_offset


@action(
    guards=[has_follower_task, is_cache_ready, has_higher_offset_to_find], actor="broker {broker}"
)
def follower_task_finds_highest_remote_offset(state: Partition, broker: Broker) -> None:
    """Learn how far the remote tier goes, so that local retention may remove segments.

    **Who**: the follower task.
    **Kafka**: RemoteLogManager.RLMFollowerTask.
    **Left out**: nothing.
    """
    learn_highest_remote_offset(state.broker[broker], highest_found(state, broker))


@guard
def is_only_remote_at_leader(state: Partition, broker: Broker) -> bool:
    """OFFSET_MOVED_TO_TIERED_STORAGE: the leader has the follower's log end in the remote tier."""
    me = state.broker[broker]
    leader = state.broker[me.presumed_leader]
    return bool(
        leader.settings.remote_storage_enable
        and leader.log_start_offset <= me.log_end_offset < leader.local_log_start_offset
    )


def segment_before_local_log(state: Any, broker: int) -> int:
    """The remote segment that holds the offset before the leader's local log, or NONE.

    The leader tells the offset and its epoch; the follower asks its own cache.
    """
    me = state.broker[broker]
    leader = state.broker[me.presumed_leader]
    offset = leader.local_log_start_offset - 1
    epoch = epoch_for_offset(leader.lineage, offset)
    return NONE if epoch == NONE else int(lookup(me.cache, state.segment, epoch, offset))


@guard
def has_segment_to_build_on(state: Partition, broker: Broker) -> bool:
    """The follower knows of the segment, and the store has it; else it tries again later."""
    found = segment_before_local_log(state, broker)
    return found != NONE and bool(state.segment[found].object_exists)


@action(
    guards=[
        fetches_from_a_leader,
        is_only_remote_at_leader,
        is_cache_ready,
        has_segment_to_build_on,
    ],
    actor="broker {broker}",
    to="remote_store",
)
def follower_builds_on_remote_tier(state: Partition, broker: Broker) -> None:
    """Drop the log, begin behind the remote segment, and take the lineage that it was stored with.

    **Who**: the replica fetcher of a follower.
    **Kafka**: TierStateMachine#start, #buildRemoteLogAuxState.
    **Left out**: the producer snapshot; that the leader's local log start may move between
    the requests.
    """
    me = state.broker[broker]
    found = segment_before_local_log(state, broker)
    begin_log(me, state.segment[found].end_offset + 1)
    me.log_start_offset = state.broker[me.presumed_leader].log_start_offset
    copy_lineage(me.lineage, state.segment[found].epoch_index)


@guard
def is_out_of_range_at_leader(state: Partition, broker: Broker) -> bool:
    """OFFSET_OUT_OF_RANGE: the leader's log starts after the follower's end."""
    me = state.broker[broker]
    return bool(me.log_end_offset < state.broker[me.presumed_leader].log_start_offset)


@action(guards=[fetches_from_a_leader, is_out_of_range_at_leader], actor="broker {broker}")
def follower_begins_at_log_start(state: Partition, broker: Broker) -> None:
    """Drop the log and begin at the leader's log start.

    **Who**: the replica fetcher of a follower.
    **Kafka**: AbstractFetcherThread#fetchOffsetAndTruncate, UnifiedLog#truncateFullyAndStartAt.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    begin_log(me, state.broker[me.presumed_leader].log_start_offset)
    clear(me.lineage)
