"""What stopPartitions waits for, raises, forgets and deletes: causes that KIP-950 has, too."""

from tierproof.model.designs.kip405.in_sync import leader_expands_in_sync
from tierproof.model.designs.kip405.leadership import broker_learns_leader
from tierproof.model.designs.kip405.metadata import assign_metadata
from tierproof.model.designs.kip405.repairs import FORGET
from tierproof.model.designs.kip405.replication import begin_log
from tierproof.model.designs.kip405.restarting import broker_restarts
from tierproof.model.designs.kip405.state import Broker, BrokerState
from tierproof.model.designs.kip405.stopping import removal_publishes_delete_started
from tierproof.model.designs.kip405.tasks import cancel_tasks
from tierproof.model.designs.kip950.repairs import (
    AWAIT_CANCELLED_THREADS,
    CANCELLED_COPIES_TURN_BACK,
    has_no_task_or_thread,
    has_task_to_cancel,
)
from tierproof.model.designs.kip950.repairs.log_starts import (
    FOLLOWERS_FETCH_ANEW,
    RAISE_EVERYWHERE,
    drop_log_that_begins_late,
    old_zombie_drops_log,
    raise_log_start_back_in_sync,
    raise_log_starts_in_sync,
)
from tierproof.model.designs.kip950_early.actors import DISABLER
from tierproof.model.designs.kip950_early.learning import (
    broker_applies_leadership,
    broker_applies_settings,
    broker_reads_settings,
    last_record,
    reaction,
)
from tierproof.model.designs.kip950_early.state import Thread, Topic
from tierproof.model.designs.kip950_early.stopping import (
    thread_raises_log_start,
    thread_stops_partition,
)
from tierproof.model.kafka.leader_epoch_lineage import clear
from tierproof.model.kafka.local_retention import raise_log_start
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.kafka.tiered_state import DisableStep, Tiering
from tierproof.model.language import NONE, Variant, guard

# -- the log start is raised with the settings, so that readers find what it promises


def raise_start_if_it_follows(state: Topic, broker: int, new: Tiering) -> None:
    """Raise the log start of a leader in the step that gives the log its new settings.

    Kafka: ours: LogManager#updateTopicConfig raises the log start under one lock.
    """
    if reaction(state, broker, new) == DisableStep.RAISING_LOG_START:
        raise_log_start(state.broker[broker], state.broker[broker].local_log_start_offset)


def raise_start_by_the_image(state: Topic, broker: Broker) -> None:
    """Raise the log start of a leader if the image deletes the remote log."""
    raise_start_if_it_follows(state, broker, last_record(state, broker).tiering)


def raise_start_by_the_znodes(state: Topic, broker: Broker) -> None:
    """Raise the log start of a leader if the ZNodes delete the remote log."""
    raise_start_if_it_follows(state, broker, state.tiering)


_RAISE_FIRST = "repair_raise_log_start_first"
_TOO_LATE = "Between the new settings and the new log start a reader finds nothing."
RAISE_FIRST_IN_KRAFT = Variant(
    name=_RAISE_FIRST, because=_TOO_LATE, first={broker_applies_settings: raise_start_by_the_image}
)
RAISE_FIRST_IN_ZOOKEEPER = Variant(
    name=_RAISE_FIRST, because=_TOO_LATE, first={broker_reads_settings: raise_start_by_the_znodes}
)
RAISE_EVERYWHERE_IN_ZOOKEEPER = Variant(
    name=RAISE_EVERYWHERE.name,
    because=RAISE_EVERYWHERE.because,
    also={
        broker_reads_settings: raise_log_starts_in_sync,
        thread_raises_log_start: raise_log_starts_in_sync,
        leader_expands_in_sync: raise_log_start_back_in_sync,
    },
)

# -- what stopPartitions waits for, and what it forgets


@DISABLER.action(DisableStep.STOPPING_PARTITION, guards=[has_task_to_cancel])
def thread_cancels_tasks_first(state: Topic, broker: Broker, thread: Thread) -> None:
    """Cancel every task, and let the threads come to their end.

    Kafka: ours: RemoteLogManager#stopPartitions awaits what it cancels.
    """
    cancel_tasks(state, broker)


AWAIT = Variant(
    name=AWAIT_CANCELLED_THREADS.name,
    because=AWAIT_CANCELLED_THREADS.because,
    parts=(CANCELLED_COPIES_TURN_BACK,),
    fence={thread_stops_partition: has_no_task_or_thread},
    add_system=(thread_cancels_tasks_first,),
)


def forget_remote_offsets(state: Topic, broker: Broker) -> None:
    """Forget how far the log was copied.

    Kafka: ours: UnifiedLog forgets its highest offset in remote storage.
    """
    state.broker[broker].highest_remote_offset = NONE


FORGET_DELETED = Variant(
    name=FORGET.name,
    because=FORGET.because,
    parts=(FORGET,),
    also={thread_stops_partition: forget_remote_offsets},
)


@guard
def has_no_cache_to_list(state: Topic, broker: Broker) -> bool:
    """The broker leads, and its cache does not answer."""
    return presumes_to_lead(state, broker) and not state.broker[broker].cache.is_initialized


@guard
def has_cache_to_list(state: Topic, broker: Broker) -> bool:
    """The broker does not lead, or its cache answers."""
    return not presumes_to_lead(state, broker) or state.broker[broker].cache.is_initialized


@guard
def is_not_assigned(state: Topic, broker: Broker) -> bool:
    """The broker does not read the partition's metadata."""
    return not state.broker[broker].is_metadata_assigned


@DISABLER.action(
    DisableStep.STOPPING_PARTITION,
    guards=[has_no_cache_to_list, is_not_assigned],
    to="remote_metadata",
)
def thread_reads_metadata_first(state: Topic, broker: Broker, thread: Thread) -> None:
    """Read the remote metadata before deleting: a leader that restarted knows none.

    Kafka: ours: RemoteLogManager#stopPartitions assigns the partition, and waits.
    """
    assign_metadata(state, broker)


READ_FIRST = Variant(
    name="repair_leader_reads_metadata_to_delete",
    because="A leader that restarted into a disabled topic knows of nothing to delete.",
    fence={thread_stops_partition: has_cache_to_list},
    add_system=(thread_reads_metadata_first,),
)

# -- the leader deletes once nobody counts on it


@guard
def every_other_has_disabled(state: Topic, broker: Broker) -> bool:
    """Every other broker has the settings of the disable, and has cancelled its tasks."""
    for b in range(len(state.broker)):
        other = state.broker[b]
        has_task = other.copy_task != CopyTask.NONE or other.expiration_task or other.follower_task
        is_done = other.is_removed or not (other.settings.remote_storage_enable or has_task)
        if b != broker and not is_done:
            return False
    return True


DISABLE_TOGETHER = Variant(
    name="repair_delete_once_all_have_disabled",
    because="The leader deletes what followers still count on.",
    fence={removal_publishes_delete_started: every_other_has_disabled},
)

# -- a follower that has less than the log start promises


def begins_late(log: BrokerState) -> bool:
    """The local log begins after the log start."""
    return max(first_base(log), log.local_log_start_offset) > log.log_start_offset


def drop_log(log: BrokerState) -> None:
    """The replica has no record, and fetches from its log start on."""
    begin_log(log, log.log_start_offset)
    log.local_log_start_offset = log.log_start_offset
    clear(log.lineage)


def leave_in_sync(state: Topic, broker: int, new: Tiering) -> None:
    """Before a replica that is not elected disables, it drops a log that begins late.

    The controller takes it out of sync, and refuses to do so with whom it has elected. A zombie
    drops its log once it follows. Left out: the request to the controller.
    """
    replica = state.broker[broker]
    if new == Tiering.DELETED and state.elected_leader != broker and begins_late(replica):
        state.in_sync.discard(broker)
        if not presumes_to_lead(state, broker):
            drop_log(replica)


def leave_in_sync_by_the_image(state: Topic, broker: Broker) -> None:
    """A follower that begins late leaves the replicas in sync if the image deletes."""
    leave_in_sync(state, broker, last_record(state, broker).tiering)


def leave_in_sync_by_the_znodes(state: Topic, broker: Broker) -> None:
    """A follower that begins late leaves the replicas in sync if the ZNodes delete."""
    leave_in_sync(state, broker, state.tiering)


FETCH_ANEW_IN_KRAFT = Variant(
    name=FOLLOWERS_FETCH_ANEW.name,
    because=FOLLOWERS_FETCH_ANEW.because,
    first={
        broker_restarts: drop_log_that_begins_late,
        broker_applies_settings: leave_in_sync_by_the_image,
    },
    also={broker_applies_leadership: old_zombie_drops_log},
)
FETCH_ANEW_IN_ZOOKEEPER = Variant(
    name=FOLLOWERS_FETCH_ANEW.name,
    because=FOLLOWERS_FETCH_ANEW.because,
    first={
        broker_restarts: drop_log_that_begins_late,
        broker_reads_settings: leave_in_sync_by_the_znodes,
    },
    also={broker_learns_leader: old_zombie_drops_log},
)
