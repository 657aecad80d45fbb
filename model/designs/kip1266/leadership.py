"""Who leads, who still believes to, and what a crash leaves of a broker."""

from tierproof.model.designs.kip1266.copying import release_segment
from tierproof.model.designs.kip1266.metadata import assign
from tierproof.model.designs.kip1266.state import BROKER, Broker, Kip1266, TaskStep, Topic
from tierproof.model.language import NONE, Actor, guard, limit

CONTROLLER = Actor("controller")


@limit
def has_election_left(state: Topic, scope: Kip1266) -> bool:
    """The scope has another leader epoch."""
    return state.leader_epoch < scope.elections


@CONTROLLER.action(guards=[has_election_left], to="broker {leader}")
def controller_elects_leader(state: Topic, leader: Broker) -> None:
    """Elect a replica in a new epoch; it may be the one that led before. All are in sync.

    Kafka: PartitionChangeBuilder.
    Left out: a partition without a leader.
    """
    state.elected_leader = leader
    state.leader_epoch += 1


@guard
def has_election_to_learn(state: Topic, broker: Broker) -> bool:
    """The broker does not know the latest election."""
    return state.broker[broker].term < state.leader_epoch


def learn_leader(state: Topic, broker: int) -> None:
    """Learn who leads in the latest epoch; a leader that stays one keeps its tasks."""
    replica = state.broker[broker]
    is_leader = state.elected_leader == broker
    replica.has_begun = replica.has_begun and replica.is_leader and is_leader
    replica.is_leader = is_leader
    replica.term = state.leader_epoch


@BROKER.action(guards=[has_election_to_learn], to="controller")
def broker_learns_leader(state: Topic, broker: Broker) -> None:
    """Learn who leads; threads of the broker finish what they work on all the same.

    Kafka: ReplicaManager#applyDelta, RemoteLogManager#onLeadershipChange; the cache stays.
    Left out: elections in between that it never sees.
    """
    learn_leader(state, broker)


@limit
def may_be_elected_again(state: Topic, broker: Broker, scope: Kip1266) -> bool:
    """A leader that crashes is elected in a new epoch, for which the scope has place."""
    return state.elected_leader != broker or state.leader_epoch < scope.elections


def stop_threads(state: Topic, broker: int) -> None:
    """The broker's threads are gone, and no longer work on a segment."""
    replica = state.broker[broker]
    for thread in replica.thread:
        thread.step = TaskStep.IDLE
        release_segment(thread)


@BROKER.action(guards=[may_be_elected_again], budget="restarts", stutters=True)
def broker_restarts(state: Topic, broker: Broker) -> None:
    """Crash and come back: threads, tombstones to come and the cache are gone.

    A leader comes back as the leader of a new epoch; every other broker follows.

    Kafka: BrokerMetadataPublisher's first image, ConsumerTask from the beginning.
    Left out: a log start that a crash moves back.
    """
    stop_threads(state, broker)
    replica = state.broker[broker]
    replica.to_tombstone = NONE
    replica.has_gone_to_tombstone = 0
    replica.has_begun = False
    replica.is_leader = False
    if state.elected_leader == broker:
        state.leader_epoch += 1
    learn_leader(state, broker)
    assign(state, broker)
