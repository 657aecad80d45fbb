"""Who leads: the controller decides, brokers learn of it later, a zombie goes on meanwhile."""

from typing import Any

from tierproof.model.designs.kip405.replication import raise_high_watermark
from tierproof.model.designs.kip405.state import Broker, Partition
from tierproof.model.designs.kip405.tasks import follow_remote_log, schedule_tasks
from tierproof.model.kafka.leader_epoch_lineage import assign
from tierproof.model.language import action, guard


@guard
def is_in_sync(state: Partition, broker: Broker) -> bool:
    """The replica is in sync: the election is clean."""
    return bool(state.in_sync >> broker & 1)


@guard
def topic_exists(state: Partition) -> bool:
    """The topic is not deleted."""
    return not state.is_topic_deleted


@action(
    guards=[topic_exists, is_in_sync], actor="controller", to="broker {broker}", budget="elections"
)
def controller_elects_leader(state: Partition, broker: Broker) -> None:
    """A replica leads in a new epoch; it may be the one that led before.

    **Who**: the controller.
    **Kafka**: PartitionChangeBuilder, PartitionChangeRecord.
    **Left out**: a partition without a leader.
    """
    state.elected_leader = broker
    state.leader_epoch += 1


@guard
def has_election_to_learn(state: Partition, broker: Broker) -> bool:
    """The broker has a replica and does not know the latest election."""
    me = state.broker[broker]
    return bool(me.presumed_leader >= 0 and me.leader_epoch < state.leader_epoch)


def become_leader(state: Any, broker: int) -> None:
    """Partition#makeLeader: the epoch begins at the log end; tasks that run go on."""
    me = state.broker[broker]
    assign(me.lineage, me.leader_epoch, me.log_end_offset)
    raise_high_watermark(state, broker)
    if me.settings.remote_storage_enable:
        schedule_tasks(state, broker)


def follow(state: Any, broker: int) -> None:
    """Partition#makeFollower: the broker knows whom to fetch from; tasks of a leader end."""
    me = state.broker[broker]
    me.presumed_leader = state.elected_leader
    me.leader_epoch = state.leader_epoch
    if me.settings.remote_storage_enable:
        follow_remote_log(state, broker)


@action(guards=[has_election_to_learn], actor="broker {broker}", to="controller")
def broker_learns_leader(state: Partition, broker: Broker) -> None:
    """The broker learns who leads, and leads or follows.

    **Who**: the broker's metadata publisher.
    **Kafka**: ReplicaManager#applyDelta, RemoteLogManager#onLeadershipChange.
    **Left out**: elections in between that it never sees.
    """
    me = state.broker[broker]
    if state.elected_leader == broker:
        me.presumed_leader = broker
        me.leader_epoch = state.leader_epoch
        become_leader(state, broker)
    else:
        follow(state, broker)
