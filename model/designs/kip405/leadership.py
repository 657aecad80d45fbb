"""Who leads: the controller decides, brokers learn of it later, a zombie continues meanwhile."""

from tierproof.model.designs.kip405.actors import BROKER, CONTROLLER
from tierproof.model.designs.kip405.replication import raise_high_watermark
from tierproof.model.designs.kip405.state import Broker, Partition
from tierproof.model.designs.kip405.tasks import follow_remote_log, schedule_tasks
from tierproof.model.kafka.leader_epoch_lineage import assign
from tierproof.model.language import NONE, fence, guard


@fence(protects="no_committed_record_lost", scope="followers")
def is_in_sync(state: Partition, leader: Broker) -> bool:
    """The replica is in sync: the election is clean.

    Committed means in every replica in sync: one that is out of sync may lack records that the
    last leader committed, and the others would truncate them to follow it.
    """
    return leader in state.in_sync


@guard
def topic_exists(state: Partition) -> bool:
    """The topic is not deleted."""
    return not state.is_topic_deleted


@CONTROLLER.action(guards=[topic_exists, is_in_sync], to="broker {leader}", budget="elections")
def controller_elects_leader(state: Partition, leader: Broker) -> None:
    """Elect a replica to lead in a new epoch; it may be the one that led before.

    Kafka: PartitionChangeBuilder, PartitionChangeRecord. Left out: a partition without a
    leader.
    """
    state.elected_leader = leader
    state.leader_epoch += 1


@guard
def has_election_to_learn(state: Partition, broker: Broker) -> bool:
    """The broker has a replica and does not know the latest election."""
    replica = state.broker[broker]
    return replica.presumed_leader != NONE and replica.leader_epoch < state.leader_epoch


def become_leader(state: Partition, broker: int) -> None:
    """Partition#makeLeader: the epoch begins at the log end; tasks that run continue."""
    log = state.broker[broker]
    assign(log.lineage, log.leader_epoch, log.log_end_offset)
    raise_high_watermark(state, broker)
    if log.settings.remote_storage_enable:
        schedule_tasks(state, broker)


def learn_election(state: Partition, broker: int) -> None:
    """The broker knows the leader and the epoch that the controller knows."""
    state.broker[broker].presumed_leader = state.elected_leader
    state.broker[broker].leader_epoch = state.leader_epoch


def follow(state: Partition, broker: int) -> None:
    """Partition#makeFollower: the broker knows the leader to fetch from; a leader's tasks end."""
    learn_election(state, broker)
    if state.broker[broker].settings.remote_storage_enable:
        follow_remote_log(state, broker)


@BROKER.action(guards=[has_election_to_learn], to="controller")
def broker_learns_leader(state: Partition, broker: Broker) -> None:
    """Learn who leads; lead or follow.

    Kafka: ReplicaManager#applyDelta, RemoteLogManager#onLeadershipChange. Left out: elections
    in between that the broker never sees.
    """
    if state.elected_leader == broker:
        learn_election(state, broker)
        become_leader(state, broker)
    else:
        follow(state, broker)
