"""Who leads: the controller decides, brokers learn of it later, a zombie goes on meanwhile."""

from typing import Any

from model.designs.kip405.state import Broker, Partition
from model.designs.kip405.tasks import cancel_tasks, schedule_tasks
from model.kafka.leader_epoch_lineage import assign
from model.language import action, guard


@action(actor="controller", to="broker {broker}", budget="elections")
def controller_elects_leader(state: Partition, broker: Broker) -> None:
    """A replica leads in a new epoch; it may be the one that led before.

    **Who**: the controller.
    **Kafka**: PartitionChangeRecord.
    **Left out**: the in-sync replicas.
    """
    state.elected_leader = broker
    state.leader_epoch += 1


@guard
def has_election_to_learn(state: Partition, broker: Broker) -> bool:
    """The broker does not know the latest election."""
    return bool(state.broker[broker].leader_epoch < state.leader_epoch)


def become_leader(state: Any, broker: int) -> None:
    """Partition#makeLeader: the epoch begins at the log end; tasks that run go on."""
    me = state.broker[broker]
    assign(me.lineage, me.leader_epoch, me.log_end_offset)
    if me.settings.remote_storage_enable:
        schedule_tasks(state, broker)


@action(guards=[has_election_to_learn], actor="broker {broker}", to="controller")
def broker_learns_leader(state: Partition, broker: Broker) -> None:
    """The broker learns who leads, and leads or follows.

    **Who**: the broker's metadata publisher.
    **Kafka**: ReplicaManager#applyDelta, RemoteLogManager#onLeadershipChange.
    **Left out**: elections in between that it never sees.
    """
    me = state.broker[broker]
    me.presumed_leader = state.elected_leader
    me.leader_epoch = state.leader_epoch
    if me.presumed_leader == broker:
        become_leader(state, broker)
    else:
        cancel_tasks(state, broker)
