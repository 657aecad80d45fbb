"""Who is in sync: the leader takes replicas out and in again, through the controller."""

from tierproof.model.designs.kip405.replication import (
    agrees_with_leader,
    fetches_from_a_leader,
    raise_high_watermark,
)
from tierproof.model.designs.kip405.state import Broker, Partition
from tierproof.model.kafka.replica import is_leading
from tierproof.model.language import action, guard


@guard
def is_out_of_sync(state: Partition, broker: Broker) -> bool:
    """The controller does not count the replica among those in sync."""
    return not state.in_sync >> broker & 1


@guard
def has_caught_up(state: Partition, broker: Broker) -> bool:
    """The follower has what the leader committed, and where the leader began."""
    me = state.broker[broker]
    leader = state.broker[me.presumed_leader]
    return bool(
        is_leading(state, me.presumed_leader)
        and me.log_end_offset >= leader.high_watermark
        and me.log_end_offset >= leader.lineage[leader.leader_epoch]
    )


@action(
    guards=[fetches_from_a_leader, agrees_with_leader, is_out_of_sync, has_caught_up],
    actor="broker {broker}",
    to="controller",
)
def leader_expands_in_sync(state: Partition, broker: Broker) -> None:
    """The follower is in sync again, and counts for the high watermark.

    **Who**: the leader, through the controller.
    **Kafka**: Partition#maybeExpandIsr, AlterPartition.
    **Left out**: the request in flight.
    """
    state.in_sync |= 1 << broker


@guard
def is_a_follower_in_sync(state: Partition, broker: Broker) -> bool:
    """The replica is in sync and is not the elected leader's."""
    return bool(state.in_sync >> broker & 1 and state.elected_leader != broker)


@action(guards=[is_a_follower_in_sync], actor="controller", to="broker {broker}", budget="shrinks")
def leader_shrinks_in_sync(state: Partition, broker: Broker) -> None:
    """A follower that is slow no longer counts.

    **Who**: the leader, through the controller.
    **Kafka**: Partition#maybeShrinkIsr, AlterPartition; min.insync.replicas is 1.
    **Left out**: the request in flight.
    """
    state.in_sync &= ~(1 << broker)
    if is_leading(state, state.elected_leader):
        raise_high_watermark(state, state.elected_leader)
