"""AlterPartition in flight: the leader asks to take a follower in sync, and is answered later.

In between the follower may restart with another disk (KIP-903), or another leader is elected.
"""

from tierproof.model.designs.kip405.actors import CONTROLLER, LEADER
from tierproof.model.designs.kip405.in_sync import has_caught_up, is_fetched_by, is_out_of_sync
from tierproof.model.designs.kip405.replication import agrees_with_leader, divergence, fetches_from
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip405_faults.state import FaultyTopic
from tierproof.model.language import NONE, fence, guard


def begin_without_request(state: FaultyTopic) -> None:
    """No request is in flight."""
    state.joining = NONE


def committed_with_joining(state: FaultyTopic, leader: int) -> int:
    """The log end that every in-sync replica has, and the one that is about to get in sync.

    Kafka: PartitionState#maximalIsr, which has the replica of a PendingExpandIsr.
    """
    end = state.broker[leader].log_end_offset
    for b in range(len(state.broker)):
        if b == leader or (b not in state.in_sync and b != state.joining):
            continue
        if not fetches_from(state, b, leader):
            return 0
        if divergence(state.broker[leader], state.broker[b]) != NONE:
            return 0
        end = min(end, state.broker[b].log_end_offset)
    return end


@guard
def has_no_request_in_flight(state: FaultyTopic) -> bool:
    """The leader waits for no answer."""
    return state.joining == NONE


@LEADER.action(
    guards=[
        is_fetched_by,
        agrees_with_leader,
        is_out_of_sync,
        has_caught_up,
        has_no_request_in_flight,
    ],
    to="controller",
    budget="slow_requests",
)
def leader_asks_to_expand_in_sync(state: FaultyTopic, leader: Broker, follower: Broker) -> None:
    """Ask the controller to take a follower in sync; its answer takes long.

    Kafka: Partition#prepareIsrExpand, AlterPartitionManager. Left out: requests that shrink.
    """
    state.joining = follower
    state.joining_epoch = state.leader_epoch
    state.is_joining_stale = False


def note_registration(state: FaultyTopic, broker: int) -> None:
    """A broker that starts is registered in a new broker epoch."""
    if state.joining == broker:
        state.is_joining_stale = True


@guard
def is_request_in_flight(state: FaultyTopic) -> bool:
    """The controller has a request to answer."""
    return state.joining != NONE


@guard
def is_asked_by_the_leader(state: FaultyTopic) -> bool:
    """The request is of the current leader epoch; else FENCED_LEADER_EPOCH."""
    return state.joining_epoch == state.leader_epoch


@fence(protects="in_sync_replicas_have_committed_records", scope="slow_request")
def has_current_broker_epoch(state: FaultyTopic) -> bool:
    """The follower has not been registered anew since; else INELIGIBLE_REPLICA (KIP-903).

    It may have come back with an empty disk. In sync, it may be elected.
    """
    return not state.is_joining_stale


@CONTROLLER.action(guards=[is_request_in_flight, is_asked_by_the_leader, has_current_broker_epoch])
def controller_expands_in_sync(state: FaultyTopic) -> None:
    """Take the follower in sync, as the leader has asked.

    Kafka: ReplicationControlManager#alterPartition.
    """
    state.in_sync.add(state.joining)
    forget_request(state)


@guard
def is_request_refused(state: FaultyTopic) -> bool:
    """The request is of an older leader epoch, or of an older broker epoch of the follower."""
    is_older = state.joining_epoch != state.leader_epoch
    return state.joining != NONE and (is_older or state.is_joining_stale)


@guard
def is_request_of_older_leader(state: FaultyTopic) -> bool:
    """The request is of an older leader epoch; the controller does not know of broker epochs."""
    return state.joining != NONE and state.joining_epoch != state.leader_epoch


@CONTROLLER.action(guards=[is_request_refused])
def controller_refuses_to_expand_in_sync(state: FaultyTopic) -> None:
    """Refuse the request: the leader asks again, if the follower has caught up.

    Kafka: ReplicationControlManager#validateAlterPartitionData.
    """
    forget_request(state)


def forget_request(state: FaultyTopic) -> None:
    """The request is answered."""
    state.joining = NONE
    state.joining_epoch = 0
    state.is_joining_stale = False


SYSTEM = (controller_expands_in_sync, controller_refuses_to_expand_in_sync)
ENVIRONMENT = (leader_asks_to_expand_in_sync,)
