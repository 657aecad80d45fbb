"""Who is in sync: the leader takes replicas out and in again, through the controller."""

from tierproof.model.designs.kip405.actors import CONTROLLER, LEADER
from tierproof.model.designs.kip405.replication import (
    agrees_with_leader,
    fetches_from,
    raise_high_watermark,
)
from tierproof.model.designs.kip405.state import Broker, Partition
from tierproof.model.kafka.replica import is_leading
from tierproof.model.language import fence, guard


@guard
def is_out_of_sync(state: Partition, follower: Broker) -> bool:
    """The controller does not count the replica among those in sync."""
    return follower not in state.in_sync


@fence(protects="in_sync_replicas_have_committed_records", scope="followers")
def is_fetched_by(state: Partition, leader: Broker, follower: Broker) -> bool:
    """The follower fetches from this leader, in the same epoch.

    The log end that a leader knows of a follower is that of its fetches: a broker that follows
    another leader, or in another epoch, may have other records up to the same offset.
    """
    return fetches_from(state, follower, leader)


@fence(protects="in_sync_replicas_have_committed_records", scope="followers")
def has_caught_up(state: Partition, leader: Broker, follower: Broker) -> bool:
    """The follower has reached the high watermark and the start of the leader's epoch.

    A new leader's high watermark may lag, so the watermark alone would admit a
    follower that lacks records which the previous leader committed.
    """
    log, end = state.broker[leader], state.broker[follower].log_end_offset
    return (
        is_leading(state, leader)
        and end >= log.high_watermark
        and end >= log.lineage[log.leader_epoch]
    )


@LEADER.action(
    guards=[is_fetched_by, agrees_with_leader, is_out_of_sync, has_caught_up], to="controller"
)
def leader_expands_in_sync(state: Partition, leader: Broker, follower: Broker) -> None:
    """Take a follower back in sync; it counts for the high watermark again.

    Kafka: Partition#maybeExpandIsr, AlterPartition. Left out: the request in flight.
    """
    state.in_sync.add(follower)


@guard
def is_a_follower_in_sync(state: Partition, follower: Broker) -> bool:
    """The replica is in sync and is not the elected leader's."""
    return follower in state.in_sync and state.elected_leader != follower


@CONTROLLER.action(guards=[is_a_follower_in_sync], to="broker {follower}", budget="shrinks")
def leader_shrinks_in_sync(state: Partition, follower: Broker) -> None:
    """A slow follower no longer counts: the controller takes it out of sync for the leader.

    Kafka: Partition#maybeShrinkIsr, AlterPartition; min.insync.replicas is 1. Left out: the
    request in flight.
    """
    state.in_sync.discard(follower)
    if is_leading(state, state.elected_leader):
        raise_high_watermark(state, state.elected_leader)
