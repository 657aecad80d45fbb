"""What followers take over: the log start with each fetch, and how far the remote tier goes."""

from typing import Any

from model.designs.kip405.copying import is_cache_ready
from model.designs.kip405.expiring import end_run
from model.designs.kip405.metadata import assign_metadata, unassign_metadata
from model.designs.kip405.state import AttemptStep, Broker, Partition
from model.designs.kip405.tasks import cancel_tasks
from model.kafka.copy_task import learn_highest_remote_offset
from model.kafka.local_retention import raise_log_start
from model.kafka.local_segments import first_base
from model.kafka.remote_metadata_cache import find_highest_remote_offset
from model.kafka.replica import is_leading
from model.language import NONE, action, guard


@guard
def follows_the_leader(state: Partition, broker: Broker) -> bool:
    """The broker and the leader it fetches from know each other in the current epoch."""
    me = state.broker[broker]
    return bool(
        me.presumed_leader != broker
        and me.leader_epoch == state.leader_epoch
        and is_leading(state, state.elected_leader)
    )


@guard
def has_log_start_to_learn(state: Partition, broker: Broker) -> bool:
    """The leader's log start is higher."""
    leader = state.broker[state.elected_leader]
    return bool(leader.log_start_offset > state.broker[broker].log_start_offset)


@action(guards=[follows_the_leader, has_log_start_to_learn], actor="broker {broker}")
def follower_learns_log_start(state: Partition, broker: Broker) -> None:
    """Take over the leader's log start.

    **Who**: a follower, with its next fetch.
    **Kafka**: ReplicaFetcherThread#processPartitionData, LeaderOffsetIncremented.
    **Left out**: followers that are behind.
    """
    raise_log_start(state.broker[broker], state.broker[state.elected_leader].log_start_offset)


def highest_found(state: Any, broker: int) -> int:
    """findHighestRemoteOffset at this broker."""
    me = state.broker[broker]
    found, _ = find_highest_remote_offset(me.cache, me.lineage, me.log_end_offset)
    return int(found)


@guard
def is_following(state: Partition, broker: Broker) -> bool:
    """The broker believes to follow."""
    return state.broker[broker].presumed_leader != broker


@guard
def has_higher_offset_to_find(state: Partition, broker: Broker) -> bool:
    """The remote tier goes further than the broker knows."""
    return highest_found(state, broker) > state.broker[broker].highest_remote_offset


@action(guards=[is_following, is_cache_ready, has_higher_offset_to_find], actor="broker {broker}")
def follower_task_finds_highest_remote_offset(state: Partition, broker: Broker) -> None:
    """Learn how far the remote tier goes, so that local retention may remove segments.

    **Who**: the follower task.
    **Kafka**: RemoteLogManager.RLMFollowerTask.
    **Left out**: nothing.
    """
    learn_highest_remote_offset(state.broker[broker], highest_found(state, broker))


@guard
def is_not_elected(state: Partition, broker: Broker) -> bool:
    """The controller has fenced the broker, or it never led."""
    return state.elected_leader != broker


def release_threads(state: Any, broker: int) -> None:
    """No thread of the broker is at work."""
    for i in range(len(state.segment)):
        it = state.segment[i]
        if it.copier == broker:
            it.copier = NONE
            it.attempt = AttemptStep.IDLE
            it.is_cancelled = False
            it.awaits = 0
    state.broker[broker].copying = 0


@action(guards=[is_not_elected], actor="broker {broker}", budget="restarts", stutters=True)
def broker_restarts(state: Partition, broker: Broker) -> None:
    """The broker crashes and comes back as a follower: its log start stays, memory is lost.

    **Who**: a broker that does not lead any more: a crashed leader is fenced first.
    **Kafka**: LogLoader, UnifiedLog's constructor: the local log start is the first segment's.
    **Left out**: checkpoints that lag behind, unflushed records.
    """
    me = state.broker[broker]
    cancel_tasks(state, broker)
    end_run(state, broker)
    release_threads(state, broker)
    unassign_metadata(state, broker)
    assign_metadata(state, broker)
    me.highest_remote_offset = NONE
    me.local_log_start_offset = max(me.log_start_offset, first_base(me))
    me.presumed_leader = state.elected_leader
    me.leader_epoch = state.leader_epoch
