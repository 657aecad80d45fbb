"""min.insync.replicas is 2, and a leader that takes slow followers out of sync by itself.

While fewer replicas are in sync, the high watermark does not move (KIP-966). In KIP-405 one replica
is enough, and a slow follower is a budget of the environment.
"""

from tierproof.invariants.replica_lag import in_sync_replicas_keep_up
from tierproof.model.designs.kip405.actors import LEADER
from tierproof.model.designs.kip405.in_sync import is_a_follower_in_sync, leader_expands_in_sync
from tierproof.model.designs.kip405.local import leads
from tierproof.model.designs.kip405.replication import (
    committed_by,
    known_to_be_committed,
    raise_high_watermark,
)
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip405_faults.state import FaultyTopic
from tierproof.model.language import Variant, fence, guard

MIN_IN_SYNC = 2
"""min.insync.replicas of the topic."""


def committed_with_enough_in_sync(state: FaultyTopic, leader: int) -> int:
    """The high watermark stays where it is while too few replicas are in sync.

    Kafka: Partition#maybeIncrementLeaderHW, #isUnderMinIsr. Left out: that a leader which is no
    longer elected knows an older set in sync.
    """
    if len(state.in_sync) < MIN_IN_SYNC:
        return state.broker[leader].high_watermark
    return committed_by(state, leader)


@guard
def is_behind_leader(state: FaultyTopic, leader: Broker, follower: Broker) -> bool:
    """The follower lacks records that the leader has."""
    return state.broker[follower].log_end_offset < state.broker[leader].log_end_offset


@LEADER.action(guards=[leads, is_a_follower_in_sync, is_behind_leader], to="controller")
def leader_drops_slow_follower(state: FaultyTopic, leader: Broker, follower: Broker) -> None:
    """Take a follower out of sync that has not caught up for replica.lag.time.max.ms.

    Kafka: Partition#maybeShrinkIsr, AlterPartition. Left out: how long the follower lags; the
    request in flight.
    """
    state.in_sync.discard(follower)
    raise_high_watermark(state, leader)


@fence(protects="in_sync_replicas_keep_up", scope="lagging")
def has_caught_up_below_min_in_sync(state: FaultyTopic, leader: Broker, follower: Broker) -> bool:
    """While too few replicas are in sync, the follower has all that the leader has (PR 23024).

    The high watermark does not move then, so that a follower which the leader has dropped still
    has it, gets in sync again, and is dropped again.
    """
    is_enough = len(state.in_sync) >= MIN_IN_SYNC
    return is_enough or state.broker[follower].log_end_offset >= state.broker[leader].log_end_offset


@guard
def has_reached_the_high_watermark(state: FaultyTopic, leader: Broker, follower: Broker) -> bool:
    """Kafka asks of the follower no more than the high watermark, however many are in sync."""
    return state.broker[follower].log_end_offset >= state.broker[leader].high_watermark


LAGGING_FOLLOWERS = Variant(
    name="lagging_followers",
    because="min.insync.replicas=2: the leader drops followers that are slow",
    add_system=(leader_drops_slow_follower,),
    define={known_to_be_committed: committed_with_enough_in_sync},
    fence={leader_expands_in_sync: has_caught_up_below_min_in_sync},
    add_properties=(in_sync_replicas_keep_up,),
)
EXPANDS_TOO_EARLY = Variant(
    name="kafka_19996_expands_below_min_in_sync",
    because="KAFKA-19996: a follower that has a stale high watermark gets in sync again and again",
    test={has_caught_up_below_min_in_sync: has_reached_the_high_watermark},
    after=(LAGGING_FOLLOWERS,),
)
