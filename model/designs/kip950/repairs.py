"""Repairs of what KIP-950 permits, all of them ours and in no document.

First those of what is copied, counted and deleted; then those of how settings change.
"""

from tierproof.model.designs.kip405 import stopping
from tierproof.model.designs.kip405.actors import COPIER, REMOVAL
from tierproof.model.designs.kip405.cleaning_up import (
    cancelled_copy_leaves_its_attempt,
    copy_publishes_delete_started,
    is_cancelled,
    is_not_cancelled,
)
from tierproof.model.designs.kip405.copying import (
    copy_publishes_finished,
    copy_publishes_started,
    copy_stores_object,
    release,
)
from tierproof.model.designs.kip405.repairs import FENCE, FORGET
from tierproof.model.designs.kip405.replication import begin_log
from tierproof.model.designs.kip405.restarting import broker_restarts
from tierproof.model.designs.kip405.state import AttemptStep, Broker, RemovalStep, RunStep
from tierproof.model.designs.kip405.stopping import is_to_remove
from tierproof.model.designs.kip405.tasks import cancel_tasks
from tierproof.model.designs.kip950.controller import controller_alters_config
from tierproof.model.designs.kip950.environment import (
    broker_updates_log_config_amid_deletion,
    copy_is_interrupted,
    expiration_is_interrupted,
)
from tierproof.model.designs.kip950.publisher import (
    PUBLISHER,
    broker_stops_partition,
    broker_updates_log_config,
    newest_settings,
    reaction,
    update_log_config,
)
from tierproof.model.designs.kip950.state import PublisherStep, Topic
from tierproof.model.kafka.leader_epoch_lineage import clear
from tierproof.model.kafka.local_retention import raise_log_start
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.kafka.topic_config import TieringState
from tierproof.model.language import NONE, Variant, guard

# -- what was deleted does not count as copied


def forget_highest_remote_offset(state: Topic, broker: Broker) -> None:
    """UnifiedLog forgets its highest offset in remote storage."""
    state.broker[broker].highest_remote_offset = NONE


FORGET_DELETED_OFFSETS = Variant(
    name=FORGET.name,
    because=FORGET.because,
    parts=(FORGET,),
    also={broker_stops_partition: forget_highest_remote_offset},
)

# -- a barrier: RemoteLogManager#stopPartitions awaits the threads that it cancels


@guard
def has_task_to_cancel(state: Topic, broker: Broker) -> bool:
    """The broker has a task, and perhaps a thread that works for it."""
    replica = state.broker[broker]
    return replica.copy_task != CopyTask.NONE or replica.expiration_task or replica.follower_task


@PUBLISHER.action(PublisherStep.STOPPING_PARTITION, guards=[has_task_to_cancel])
def broker_cancels_tasks_first(state: Topic, broker: Broker) -> None:
    """Cancel every task, and let the threads come to their end.

    Kafka: ours: RemoteLogManager#stopPartitions awaits what it cancels.
    """
    cancel_tasks(state, broker)


@guard
def has_no_task_or_thread(state: Topic, broker: Broker) -> bool:
    """No task is scheduled and no thread of the broker copies or expires."""
    replica = state.broker[broker]
    has_task = replica.copy_task != CopyTask.NONE or replica.expiration_task
    has_thread = replica.copying != set() or replica.run_step != RunStep.IDLE
    return not (has_task or replica.follower_task or has_thread)


@COPIER.action((AttemptStep.STARTED, AttemptStep.STORED), AttemptStep.FAILED, guards=[is_cancelled])
def cancelled_copy_turns_back(state: Topic, segment: SegmentId) -> None:
    """A cancelled copy stops where it is, and cleans up as after a failure of the store.

    Kafka: ours: RLMCopyTask#copyLogSegment looks whether it is cancelled, and cleans up.
    """
    state.segment[segment].awaits = 0


@COPIER.action(AttemptStep.CHOSEN, AttemptStep.IDLE, guards=[is_cancelled])
def cancelled_copy_never_begins(state: Topic, segment: SegmentId) -> None:
    """A copy that is cancelled before it began publishes nothing.

    Kafka: ours: RLMCopyTask#copyLogSegment looks whether it is cancelled.
    """
    release(state, segment)


CANCELLED_COPIES_TURN_BACK = Variant(
    name="cancelled_copies_turn_back",
    because="A cancelled copy goes on.",
    fence={
        copy_publishes_started: is_not_cancelled,
        copy_stores_object: is_not_cancelled,
        copy_publishes_finished: is_not_cancelled,
    },
    unfence={copy_publishes_delete_started: is_not_cancelled},
    drop=(cancelled_copy_leaves_its_attempt, copy_is_interrupted, expiration_is_interrupted),
    add_system=(cancelled_copy_turns_back, cancelled_copy_never_begins),
)
"""What every design that awaits cancelled threads has in common."""
AWAIT_CANCELLED_THREADS = Variant(
    name="repair_await_cancelled_threads",
    because="A cancelled copy goes on, and nobody waits for it.",
    parts=(CANCELLED_COPIES_TURN_BACK,),
    fence={broker_stops_partition: has_no_task_or_thread},
    add_system=(broker_cancels_tasks_first,),
)

# -- a removal that is tried again


@REMOVAL.action(
    RemovalStep.DELETING_OBJECTS,
    guards=[is_to_remove],
    to="remote_store",
    budget="failed_deletes",
    stutters=True,
)
def store_fails_removal(state: Topic, broker: Broker, segment: SegmentId) -> None:
    """The store refuses to delete an object: the broker tries again.

    Kafka: ours: RemoteLogManager#deleteRemoteLogPartition retries. Left out: how often.
    """


@REMOVAL.action(
    RemovalStep.DELETING_OBJECTS,
    guards=[is_to_remove],
    to="remote_store",
    budget="failed_deletes",
    stutters=True,
)
def store_loses_reply_of_removal(state: Topic, broker: Broker, segment: SegmentId) -> None:
    """The store deletes an object, but its reply is lost: the broker tries again.

    Kafka: ours: RemoteLogManager#deleteRemoteLogPartition retries. Left out: how often.
    """
    state.segment[segment].object_exists = False


AWAIT_AND_RETRY = Variant(
    name="repair_await_threads_and_retry_removal",
    because="A removal that the store refuses is given up, and a copy may come after it.",
    parts=(AWAIT_CANCELLED_THREADS,),
    # In the slots of the actions that end the removal: these stay at their edge.
    drop=(stopping.store_fails_removal, stopping.store_loses_reply_of_removal),
    add_environment=(store_fails_removal, store_loses_reply_of_removal),
)

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

DELETE_BY_ONE_READING = Variant(
    name="repair_delete_by_one_reading_of_settings",
    because="A local deletion reads the settings more than once.",
    drop=(broker_updates_log_config_amid_deletion,),
)

# -- the delete policy, bound to the disable that it came with


def apply_settings_and_delete(state: Topic, broker: Broker) -> None:
    """Give the log its new settings; one that is no longer tiered always deletes.

    Kafka: ours: TopicConfigHandler does not ask for delete-on-disable, without which no disable
    is accepted.
    """
    was, new = state.broker[broker].settings, newest_settings(state, broker)
    is_leader = presumes_to_lead(state, broker)
    next_step = reaction(was, new, is_leader)
    if was.remote_storage_enable and not new.remote_storage_enable:
        next_step = PublisherStep.STOPPING_PARTITION
        if is_leader:
            next_step = PublisherStep.RAISING_LOG_START
    update_log_config(state, broker, next_step)


DELETE_WHENEVER_DISABLED = Variant(
    name="repair_delete_whenever_disabled",
    because="A broker that sees a disable together with a later change does not delete.",
    effect={broker_updates_log_config: apply_settings_and_delete},
)

# -- the topic's tiering state, in the controller's check


@guard
def enables_with_copying(state: Topic, enable: bool, copy_disable: bool) -> bool:
    """A disabled topic is enabled, not set to read-only (KIP-950, "State Transitions")."""
    return state.tiering != TieringState.DISABLED or not enable or not copy_disable


REJECT_READ_ONLY = Variant(
    name="repair_reject_read_only_after_disable",
    because="The KIP knows of no change from disabled to read-only.",
    fence={controller_alters_config: enables_with_copying},
)

# -- a fresh start, out of sync, of a replica without the log's beginning


def follower_fetches_anew(state: Topic, broker: Broker) -> None:
    """A follower that begins later than its log start drops its records, and is out of sync.

    Left out: how the controller learns at once that the replica is out of sync.
    """
    replica = state.broker[broker]
    begins = max(first_base(replica), replica.local_log_start_offset)
    if not presumes_to_lead(state, broker) and begins > replica.log_start_offset:
        begin_log(replica, replica.log_start_offset)
        replica.local_log_start_offset = replica.log_start_offset
        clear(replica.lineage)
        state.in_sync.discard(broker)


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
        broker_stops_partition: follower_fetches_anew,
        broker_restarts: drop_log_that_begins_late,
    },
)

SINGLE_REPAIRS = (
    FORGET_DELETED_OFFSETS,
    FENCE,
    AWAIT_CANCELLED_THREADS,
    AWAIT_AND_RETRY,
    RAISE_LOG_START_FIRST,
    DELETE_BY_ONE_READING,
    DELETE_WHENEVER_DISABLED,
    REJECT_READ_ONLY,
    FOLLOWERS_FETCH_ANEW,
)
REPAIRS = (
    *SINGLE_REPAIRS,
    Variant(
        name="repair_all",
        because="What still fails with every repair needs another one.",
        parts=SINGLE_REPAIRS,
    ),
)
