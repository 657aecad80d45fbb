"""Who leads, who still believes to, and what a crash leaves of a broker."""

from typing import Any

from tierproof.model.designs.kip1266.copying import rest
from tierproof.model.designs.kip1266.metadata import assign
from tierproof.model.designs.kip1266.state import (
    COPYING,
    EXPIRING,
    Broker,
    Kip1266,
    Step,
    ThreadIndex,
    Topic,
)
from tierproof.model.language import NONE, action, guard, limit


@limit
def has_election_left(state: Topic, scope: Kip1266) -> bool:
    """The scope has another leader epoch."""
    return bool(state.leader_epoch < scope.elections)


@action(guards=[has_election_left], actor="controller", to="broker {broker}")
def controller_elects_leader(state: Topic, broker: Broker) -> None:
    """A replica leads in a new epoch; it may be the one that led before.

    **Who**: the controller. Every replica is in sync.
    **Kafka**: PartitionChangeBuilder.
    **Left out**: a partition without a leader.
    """
    state.elected_leader = broker
    state.leader_epoch += 1


@guard
def has_election_to_learn(state: Topic, broker: Broker) -> bool:
    """The broker does not know the latest election."""
    return bool(state.broker[broker].term < state.leader_epoch)


def learn_leader(state: Any, broker: int) -> None:
    """Who leads in the latest epoch; a leader that stays one keeps its tasks."""
    me = state.broker[broker]
    is_leader = state.elected_leader == broker
    me.has_begun = bool(me.has_begun and me.is_leader and is_leader)
    me.is_leader = is_leader
    me.term = state.leader_epoch
    outdate_threads(state, broker)


def outdate_threads(state: Any, broker: int) -> None:
    """Where writers are fenced, what the threads have in hand is of an earlier epoch."""
    me = state.broker[broker]
    for t in range(len(me.thread)):
        if state.choices.is_fenced and me.writes_keys and me.thread[t].step != Step.IDLE:
            me.thread[t].is_outdated = True


@action(guards=[has_election_to_learn], actor="broker {broker}", to="controller")
def broker_learns_leader(state: Topic, broker: Broker) -> None:
    """The broker learns who leads; what a thread of it is at, it finishes all the same.

    **Who**: the broker's metadata publisher.
    **Kafka**: ReplicaManager#applyDelta, RemoteLogManager#onLeadershipChange; the cache stays.
    **Left out**: elections in between that it never sees.
    """
    learn_leader(state, broker)


@limit
def may_be_elected_again(state: Topic, broker: Broker, scope: Kip1266) -> bool:
    """A leader that crashes is elected in a new epoch, for which the scope has place."""
    return bool(state.elected_leader != broker or state.leader_epoch < scope.elections)


@action(guards=[may_be_elected_again], actor="broker {broker}", budget="restarts", stutters=True)
def broker_restarts(state: Topic, broker: Broker) -> None:
    """The broker crashes and comes back: threads, tombstones to come and its cache are gone.

    **Who**: any broker; a leader comes back as the leader of a new epoch, or follows.
    **Kafka**: BrokerMetadataPublisher's first image, ConsumerTask from the beginning.
    **Left out**: a log start that a crash moves back.
    """
    me = state.broker[broker]
    rest(me, COPYING)
    rest(me, EXPIRING)
    me.to_tombstone = NONE
    me.has_gone_to_tombstone = 0
    me.has_begun = False
    me.is_leader = False
    if state.elected_leader == broker:
        state.leader_epoch += 1
    learn_leader(state, broker)
    assign(state, broker)


@guard
def is_writer_refused(state: Topic, broker: Broker, thread: ThreadIndex) -> bool:
    """The topic takes records of the latest epoch's leader only, and the thread has none such."""
    me = state.broker[broker]
    is_current = me.term == state.leader_epoch and not me.thread[thread].is_outdated
    is_fenced = state.choices.is_fenced and me.writes_keys
    return bool(is_fenced and not (is_current and state.elected_leader == broker))


@guard
def has_thread_at_work(state: Topic, broker: Broker, thread: ThreadIndex) -> bool:
    """The thread has a segment in hand."""
    return state.broker[broker].thread[thread].step != Step.IDLE


@action(
    guards=[is_writer_refused, has_thread_at_work], actor="broker {broker}", to="remote_metadata"
)
def refused_task_gives_up(state: Topic, broker: Broker, thread: ThreadIndex) -> None:
    """A thread whose record is refused leaves its segment as it is.

    **Who**: a thread of a broker that was voted out, where writers are fenced.
    **Kafka**: ours: a fenced producer's exception.
    **Left out**: nothing.
    """
    rest(state.broker[broker], thread)
