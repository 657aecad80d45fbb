"""Proposals against a follower that lacks the log's beginning when remote storage is disabled."""

from tierproof.model.designs.kip405.actors import FOLLOWER, LEADER
from tierproof.model.designs.kip405.in_sync import (
    is_a_follower_in_sync,
    is_fetched_by,
    is_out_of_sync,
    leader_expands_in_sync,
)
from tierproof.model.designs.kip405.local import leads
from tierproof.model.designs.kip405.replication import (
    agrees_with_leader,
    begin_log,
    fetches_from,
    fetches_from_a_leader,
    raise_high_watermark,
)
from tierproof.model.designs.kip405.restarting import broker_restarts
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950.environment import broker_updates_log_config_amid_deletion
from tierproof.model.designs.kip950.publisher import broker_updates_log_config, newest_settings
from tierproof.model.designs.kip950.repairs.log_starts import begins_late, drop_log_that_begins_late
from tierproof.model.designs.kip950.state import PublisherStep, Topic
from tierproof.model.kafka.leader_epoch_lineage import clear
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.language import NONE, Variant, guard

# -- a follower without the log's beginning says so in its Fetch request


def has_applied_disable(state: Topic, broker: int) -> bool:
    """The broker's log is not tiered any more."""
    return not state.broker[broker].settings.remote_storage_enable


def has_disable_to_apply(state: Topic, broker: int) -> bool:
    """The publisher has a disable in hand, and the broker's log is tiered still."""
    replica = state.broker[broker]
    return (
        replica.publisher == PublisherStep.LEADERSHIP_APPLIED
        and replica.settings.remote_storage_enable
        and not newest_settings(state, broker).remote_storage_enable
    )


def begins_after(state: Topic, follower: int, leader: int) -> bool:
    """The follower's local log begins after the leader's log start: Fetch has to say where."""
    log = state.broker[follower]
    begin = max(first_base(log), log.local_log_start_offset)
    return begin > state.broker[leader].log_start_offset


def has_to_leave(state: Topic, follower: int, leader: int) -> bool:
    """The follower has applied a disable, and begins after the leader's log start."""
    return has_applied_disable(state, follower) and begins_after(state, follower, leader)


@guard
def lacks_what_its_leader_has(state: Topic, follower: Broker) -> bool:
    """The follower has applied a disable, and begins after its leader's log start."""
    return has_to_leave(state, follower, state.broker[follower].presumed_leader)


@FOLLOWER.action(guards=[fetches_from_a_leader, is_out_of_sync, lacks_what_its_leader_has])
def late_follower_drops_log(state: Topic, follower: Broker) -> None:
    """Drop a log that begins late, once the answer says so, and begin at the leader's log start.

    The answer says that the replica is out of sync, and that stays so: no leader takes it in
    while it begins late.

    Kafka: ours: ReplicaFetcherThread#processPartitionData, UnifiedLog#truncateFullyAndStartAt.
    """
    log = state.broker[follower]
    start = state.broker[log.presumed_leader].log_start_offset
    begin_log(log, start)
    log.local_log_start_offset = start
    clear(log.lineage)


# -- the leader takes it out of the in-sync replicas, before it disables or after


def is_to_leave(state: Topic, follower: int, leader: int) -> bool:
    """The leader has disabled; the follower has, or is about to, and begins after its log start."""
    disables = has_applied_disable(state, follower) or has_disable_to_apply(state, follower)
    return disables and has_applied_disable(state, leader) and begins_after(state, follower, leader)


@guard
def asks_to_leave(state: Topic, leader: Broker, follower: Broker) -> bool:
    """The Fetch of the follower says that it lacks what its leader has kept, and disables."""
    return is_to_leave(state, follower, leader)


@guard
def asks_not_to_leave(state: Topic, leader: Broker, follower: Broker) -> bool:
    """The follower has what its leader has kept, or one of them is about to learn of a disable."""
    return not is_to_leave(state, follower, leader)


@LEADER.action(
    guards=[leads, is_fetched_by, agrees_with_leader, is_a_follower_in_sync, asks_to_leave],
    to="controller",
)
def leader_lets_follower_leave(state: Topic, leader: Broker, follower: Broker) -> None:
    """Take a follower out of sync whose Fetch asks for it.

    Kafka: ours: Partition#isFollowerOutOfSync, AlterPartition.
    """
    state.in_sync.discard(follower)
    raise_high_watermark(state, leader)


@guard
def may_disable(state: Topic, broker: Broker) -> bool:
    """A follower has the log's beginning, or its leader has answered that it is out of sync.

    A leader does not ask. Left out: that the thread of the publisher goes on meanwhile, as the
    settings of one partition wait.
    """
    leader = state.broker[broker].presumed_leader
    if presumes_to_lead(state, broker) or not has_disable_to_apply(state, broker):
        return True
    if not begins_late(state.broker[broker]):
        return True
    is_answered = leader != NONE and fetches_from(state, broker, leader)
    return is_answered and broker not in state.in_sync and has_applied_disable(state, leader)


LEAVE_BEFORE_DISABLE = Variant(
    name="proposal_late_followers_leave_before_they_disable",
    because="a follower that lacks what its leader has kept may be elected once it has disabled",
    fence={
        leader_expands_in_sync: asks_not_to_leave,
        broker_updates_log_config: may_disable,
        broker_updates_log_config_amid_deletion: may_disable,
    },
    # A restart takes a follower out of sync.
    first={broker_restarts: drop_log_that_begins_late},
    add_system=(leader_lets_follower_leave, late_follower_drops_log),
)


LEAVE_AFTER_DISABLE = Variant(
    name="proposal_late_followers_leave_in_sync",
    because="after a disable a follower may begin after its leader's log start, and be elected",
    define={is_to_leave: has_to_leave},
    fence={leader_expands_in_sync: asks_not_to_leave},
    add_system=(leader_lets_follower_leave, late_follower_drops_log),
)
"""Not enough: if the follower is elected before its next Fetch, every claim of
follower_misses_the_log_start breaks."""
