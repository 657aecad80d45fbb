"""The log start of a topic that is disabled, and what local retention and replicas do with it."""

from tierproof.model.designs.kip405.in_sync import leader_expands_in_sync
from tierproof.model.designs.kip405.replication import begin_log
from tierproof.model.designs.kip405.restarting import broker_restarts, lone_leader_restarts
from tierproof.model.designs.kip405.state import Broker, Partition
from tierproof.model.designs.kip950.environment import broker_updates_log_config_amid_deletion
from tierproof.model.designs.kip950.publisher import (
    broker_applies_leadership,
    broker_raises_log_start,
    broker_updates_log_config,
    newest_settings,
)
from tierproof.model.designs.kip950.state import PublisherStep, Topic, TopicBroker
from tierproof.model.kafka.leader_epoch_lineage import clear
from tierproof.model.kafka.local_retention import first_not_removed, raise_log_start
from tierproof.model.kafka.local_segments import first_base, remove_segments
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.language import Variant

# -- new settings and the new log start, under one lock


def raise_log_start_at_once(state: Topic, broker: Broker) -> None:
    """LogManager#updateTopicConfig raises a leader's log start when it disables remote storage."""
    replica = state.broker[broker]
    if replica.publisher == PublisherStep.RAISING_LOG_START:
        raise_log_start(replica, replica.local_log_start_offset)
        replica.publisher = PublisherStep.STOPPING_PARTITION


RAISE_LOG_START_FIRST = Variant(
    name="repair_raise_log_start_first",
    because="Between the new settings and the new log start a reader finds nothing.",
    also={broker_updates_log_config: raise_log_start_at_once},
)

# -- the log start of a disable, at every replica that may lead


def raise_log_starts_in_sync(state: Topic, broker: Broker) -> None:
    """The log start of the leader that disables is that of all replicas in sync.

    Left out: how. The controller's record of the partition could carry it.
    """
    leader = state.broker[broker]
    if state.elected_leader == broker and not leader.settings.remote_storage_enable:
        for b in range(len(state.broker)):
            if b in state.in_sync:
                end = state.broker[b].log_end_offset
                raise_log_start(state.broker[b], min(leader.log_start_offset, end))


def raise_log_start_back_in_sync(state: Topic, leader: Broker) -> None:
    """A replica of a topic that is not tiered is back in sync with the log start of its leader."""
    raise_log_starts_in_sync(state, leader)


RAISE_EVERYWHERE = Variant(
    name="repair_raise_log_start_at_all_in_sync_replicas",
    because="The next leader does not know the log start of a disable.",
    also={
        broker_raises_log_start: raise_log_starts_in_sync,
        broker_updates_log_config: raise_log_starts_in_sync,
        leader_expands_in_sync: raise_log_start_back_in_sync,
    },
    after=(RAISE_LOG_START_FIRST,),
)

DELETE_BY_ONE_READING = Variant(
    name="repair_delete_by_one_reading_of_settings",
    because="A local deletion reads the settings more than once.",
    drop=(broker_updates_log_config_amid_deletion,),
)


# -- a fresh start, out of sync, of a replica without the log's beginning


def begins_late(log: TopicBroker) -> bool:
    """The local log begins after the log start."""
    return max(first_base(log), log.local_log_start_offset) > log.log_start_offset


def drop_log(log: TopicBroker) -> None:
    """The replica has no record, and fetches from its log start on."""
    begin_log(log, log.log_start_offset)
    log.local_log_start_offset = log.log_start_offset
    clear(log.lineage)


def may_drop_log(state: Topic, broker: Broker) -> bool:
    """The broker follows, and has applied the newest election.

    An election of itself that it has not applied yet would make it lead with an empty log. The
    answer that takes it out of sync names the newest leader epoch.
    """
    is_newest = state.broker[broker].leader_epoch == state.leader_epoch
    return is_newest and not presumes_to_lead(state, broker)


def follower_leaves_in_sync(state: Topic, broker: Broker) -> None:
    """Before a replica that is not elected disables, it drops a log that begins late.

    The controller takes it out of sync, and refuses to do so with whom it has elected. A zombie
    drops its log once it follows. Left out: the request to the controller.
    """
    replica = state.broker[broker]
    is_disable = not newest_settings(state, broker).remote_storage_enable
    if is_disable and state.elected_leader != broker and begins_late(replica):
        state.in_sync.discard(broker)
        if may_drop_log(state, broker):
            drop_log(replica)


def is_fetching_anew(state: Topic, broker: int) -> bool:
    """The replica is out of sync, and begins late where nothing is tiered."""
    replica = state.broker[broker]
    is_out = broker not in state.in_sync
    return is_out and not replica.settings.remote_storage_enable and begins_late(replica)


def late_follower_drops_log(state: Topic, broker: Broker) -> None:
    """A replica that follows by the newest election drops a log that begins late."""
    if is_fetching_anew(state, broker) and may_drop_log(state, broker):
        drop_log(state.broker[broker])


def old_zombie_drops_log(state: Topic, broker: Broker) -> None:
    """A replica that is out of sync, and begins late where nothing is tiered, drops its log.

    Of the drafts, in which no counterexample is known that needs it to look at the epoch.
    """
    replica = state.broker[broker]
    is_fetching_anew = not replica.settings.remote_storage_enable and broker not in state.in_sync
    if is_fetching_anew and not presumes_to_lead(state, broker) and begins_late(replica):
        drop_log(replica)


def drop_log_that_begins_late(state: Topic, broker: Broker) -> None:
    """Without remote storage a log that begins later than its checkpoint is not loaded.

    The constructor of UnifiedLog would move the log start up to where it begins.
    """
    replica = state.broker[broker]
    is_late = first_base(replica) > replica.log_start_checkpoint
    if is_late and not state.settings.remote_storage_enable:
        begin_log(replica, replica.log_start_checkpoint)
        clear(replica.lineage)


FOLLOWERS_FETCH_ANEW = Variant(
    name="repair_followers_fetch_anew",
    because="A follower may hold less than the log start promises, with no remote tier left.",
    first={
        broker_restarts: drop_log_that_begins_late,
        broker_updates_log_config: follower_leaves_in_sync,
        broker_updates_log_config_amid_deletion: follower_leaves_in_sync,
    },
    also={broker_applies_leadership: late_follower_drops_log},
)


# -- a process that begins amid a local deletion


def finish_local_deletion(state: Partition, broker: Broker) -> None:
    """Remove what the last process had chosen to remove: its local log start was written down.

    Kafka: ours; the local log start has no checkpoint, and begins at the first file.
    """
    log = state.broker[broker]
    if first_not_removed(log) > first_base(log):
        remove_segments(log, first_not_removed(log))


FINISH_LOCALLY = Variant(
    name="repair_write_local_log_start_through",
    because="A crash amid a local deletion brings back what the disable has given up.",
    first={
        broker_restarts: finish_local_deletion,
        lone_leader_restarts: finish_local_deletion,
    },
)
