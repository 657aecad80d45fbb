"""The expiration task: plan, move the log start, then delete one segment after the other.

A run plans twice: the segments that breach retention or lie below the log start, then those of
epochs before the earliest that the leader knows. Each deletion is three steps of its own.
"""

from tierproof.model.designs.kip405.actors import EXPIRATION
from tierproof.model.designs.kip405.metadata import (
    has_place_for_metadata,
    is_cache_ready,
    publish,
)
from tierproof.model.designs.kip405.state import (
    Broker,
    BrokerState,
    Partition,
    RecordKind,
    RunStep,
)
from tierproof.model.kafka.copy_task import learn_highest_remote_offset
from tierproof.model.kafka.expiration_task import plan_old_epochs, plan_retention, surplus_bytes
from tierproof.model.kafka.local_retention import raise_log_start
from tierproof.model.kafka.local_segments import only_local_bytes
from tierproof.model.kafka.remote_metadata_cache import find_highest_remote_offset, next_tracked
from tierproof.model.language import NONE, fence, guard


def end_run(state: Partition, broker: int) -> None:
    """Forget the plan of a run that ends; the caller says that the thread is IDLE."""
    state.broker[broker].is_run_cancelled = False
    forget_plan(state.broker[broker])


def forget_plan(replica: BrokerState) -> None:
    """Plan nothing."""
    for n in range(len(replica.planned)):
        replica.planned[n] = NONE
    replica.planned_next = 0
    replica.planned_end = 0
    replica.planned_log_start = 0
    replica.run_awaits = 0


# -- the plan


def seed_highest_remote_offset(replica: BrokerState) -> None:
    """Without a highest remote offset the whole local log would count twice (KAFKA-20732)."""
    if replica.highest_remote_offset == NONE:
        found, _ = find_highest_remote_offset(
            replica.cache, replica.lineage, replica.log_end_offset
        )
        learn_highest_remote_offset(replica, found)


@guard
def has_expiration_task(state: Partition, broker: Broker) -> bool:
    """The expiration task is scheduled and not cancelled."""
    return state.broker[broker].expiration_task


@guard
def has_remote_segments(state: Partition, broker: Broker) -> bool:
    """The broker knows of a remote segment."""
    return next_tracked(state.broker[broker].cache, NONE) != NONE


def plan_by_size_and_time(state: Partition, broker: int) -> None:
    """Plan for the surplus that both tiers have together by the broker's present knowledge."""
    replica = state.broker[broker]
    surplus = surplus_bytes(replica, state.segment, only_local_bytes(replica))
    plan_retention(replica, state.segment, surplus, state.clock)


def begin_run(state: Partition, broker: int) -> None:
    """A run begins if retention, or what edits add, has planned something, or an old epoch is left.

    Any other run reads its broker's cache and changes nothing: no actor can come between its
    steps. What would become due during such a run, the next run plans.
    """
    replica = state.broker[broker]
    if replica.planned_end == 0 and replica.planned_log_start == 0:
        plan_old_epochs(replica, state.segment)
        has_old_epochs = replica.planned_end > 0
        forget_plan(replica)
        if not has_old_epochs:
            return
    replica.run_step = RunStep.PLANNED


@EXPIRATION.action(
    RunStep.IDLE,
    (RunStep.PLANNED, RunStep.IDLE),
    guards=[has_expiration_task, is_cache_ready, has_remote_segments],
    stutters=True,
    last=begin_run,
)
def expiration_task_plans_retention(state: Partition, broker: Broker) -> None:
    """Plan a run: the segments that breach time, size or the log start, and the new log start.

    Kafka: RLMExpirationTask#cleanupExpiredRemoteLogSegments, its loop over the epochs. Left
    out: a run cancelled within the loop.
    """
    seed_highest_remote_offset(state.broker[broker])
    plan_by_size_and_time(state, broker)


@guard
def may_raise_log_start(state: Partition, broker: Broker) -> bool:
    """The new log start is not above the broker's high watermark."""
    return state.broker[broker].planned_log_start <= state.broker[broker].high_watermark


@guard
def may_not_raise_log_start(state: Partition, broker: Broker) -> bool:
    """The new log start is above the broker's high watermark."""
    return state.broker[broker].planned_log_start > state.broker[broker].high_watermark


@EXPIRATION.action(RunStep.PLANNED, RunStep.IDLE, guards=[may_not_raise_log_start])
def expiration_task_fails_to_raise_log_start(state: Partition, broker: Broker) -> None:
    """End the run: the log refuses a start above its high watermark.

    Kafka: UnifiedLog#maybeIncrementLogStartOffset throws OffsetOutOfRangeException.
    """
    end_run(state, broker)


def raise_planned_log_start(state: Partition, broker: int) -> None:
    """Move the log start as planned."""
    replica = state.broker[broker]
    if replica.settings.remote_storage_enable and replica.planned_log_start > 0:
        raise_log_start(replica, replica.planned_log_start)
    replica.planned_log_start = 0


@EXPIRATION.action(RunStep.PLANNED, RunStep.DELETING, guards=[may_raise_log_start])
def expiration_task_raises_log_start(state: Partition, broker: Broker) -> None:
    """Move the log start past what retention deletes, before the deletion (KAFKA-15352).

    Kafka: UnifiedLog#updateLogStartOffsetFromRemoteTier, cancelled or not.
    """
    raise_planned_log_start(state, broker)


# -- the deletions


@fence(protects="metadata_records_are_legal_transitions", scope="alone_size")
def has_read_own_deletion(state: Partition, broker: Broker) -> bool:
    """The broker has read what the run published last.

    The next plan is made from the cache: a segment whose deletion it has not read would be
    planned, and deleted, once more.
    """
    return state.broker[broker].metadata_position >= state.broker[broker].run_awaits


@guard
def has_deletion_planned(state: Partition, broker: Broker) -> bool:
    """The run has something left to delete."""
    return state.broker[broker].planned_next < state.broker[broker].planned_end


@guard
def has_no_deletion_planned(state: Partition, broker: Broker) -> bool:
    """The run has deleted all that it planned."""
    return state.broker[broker].planned_next == state.broker[broker].planned_end


@guard
def is_run_not_cancelled(state: Partition, broker: Broker) -> bool:
    """The task whose run it is was not cancelled."""
    return not state.broker[broker].is_run_cancelled


@guard
def is_run_cancelled(state: Partition, broker: Broker) -> bool:
    """The task whose run it is was cancelled."""
    return state.broker[broker].is_run_cancelled


def planned_segment(state: Partition, broker: int) -> int:
    """The segment that the run deletes next."""
    return state.broker[broker].planned[state.broker[broker].planned_next]


@EXPIRATION.action(
    RunStep.DELETING,
    RunStep.DELETE_STARTED,
    guards=[
        has_read_own_deletion,
        has_deletion_planned,
        is_run_not_cancelled,
        has_place_for_metadata,
    ],
    to="remote_metadata",
)
def expiration_publishes_delete_started(state: Partition, broker: Broker) -> None:
    """Publish DELETE_SEGMENT_STARTED for the next segment of the plan.

    Kafka: RLMTask#deleteRemoteLogSegment, predicate !isCancelled.
    """
    state.broker[broker].run_awaits = publish(
        state, planned_segment(state, broker), RecordKind.DELETE_SEGMENT_STARTED
    )


@EXPIRATION.action(
    RunStep.DELETING,
    RunStep.IDLE,
    guards=[has_read_own_deletion, has_deletion_planned, is_run_cancelled],
)
def cancelled_expiration_ends(state: Partition, broker: Broker) -> None:
    """End a cancelled run, which deletes nothing more.

    Kafka: RLMTask#deleteRemoteLogSegment, predicate !isCancelled. Left out: that the run
    passes over the rest of the plan without effect.
    """
    end_run(state, broker)


@EXPIRATION.action(
    RunStep.DELETE_STARTED,
    RunStep.OBJECT_DELETED,
    guards=[has_read_own_deletion],
    to="remote_store",
)
def expiration_deletes_object(state: Partition, broker: Broker) -> None:
    """Delete the object, if it is there; the task may be cancelled.

    Kafka: RemoteStorageManager#deleteLogSegmentData.
    """
    state.segment[planned_segment(state, broker)].object_exists = False


@EXPIRATION.action(
    RunStep.DELETE_STARTED,
    RunStep.IDLE,
    guards=[has_read_own_deletion],
    to="remote_store",
    budget="failed_deletes",
)
def store_fails_expiration(state: Partition, broker: Broker) -> None:
    """The remote store refuses: the run ends, and a later one tries again.

    Kafka: RLMTask#run logs and is scheduled again.
    """
    end_run(state, broker)


@EXPIRATION.action(
    RunStep.DELETE_STARTED,
    RunStep.IDLE,
    guards=[has_read_own_deletion],
    to="remote_store",
    budget="failed_deletes",
)
def store_loses_reply_of_expiration(state: Partition, broker: Broker) -> None:
    """The store deletes the object, but its reply is lost: the broker sees a failure.

    Kafka: RLMTask#run logs and is scheduled again.
    """
    state.segment[planned_segment(state, broker)].object_exists = False
    end_run(state, broker)


@EXPIRATION.action(
    RunStep.OBJECT_DELETED,
    RunStep.DELETING,
    guards=[has_place_for_metadata],
    to="remote_metadata",
)
def expiration_publishes_delete_finished(state: Partition, broker: Broker) -> None:
    """Publish DELETE_SEGMENT_FINISHED, and proceed to the next segment; the task may be cancelled.

    Kafka: RLMTask#deleteRemoteLogSegment.
    """
    state.broker[broker].run_awaits = publish(
        state, planned_segment(state, broker), RecordKind.DELETE_SEGMENT_FINISHED
    )
    state.broker[broker].planned_next += 1


@EXPIRATION.action(
    RunStep.DELETING,
    (RunStep.DELETING, RunStep.IDLE),
    guards=[has_read_own_deletion, has_no_deletion_planned],
)
def expiration_task_plans_old_epochs(state: Partition, broker: Broker) -> None:
    """Plan segments of epochs before the leader's earliest; without any, or cancelled, end.

    Kafka: RLMExpirationTask#cleanupExpiredRemoteLogSegments, its last part. Left out: that the
    epochs were listed at the beginning of the run; a run in which such segments appear while
    they are deleted deletes these too.
    """
    replica = state.broker[broker]
    forget_plan(replica)
    if not replica.is_run_cancelled:
        plan_old_epochs(replica, state.segment)
    if replica.planned_end == 0:
        end_run(state, broker)
        replica.run_step = RunStep.IDLE


SYSTEM = (
    expiration_task_plans_retention,
    expiration_task_raises_log_start,
    expiration_task_fails_to_raise_log_start,
    expiration_publishes_delete_started,
    expiration_deletes_object,
    expiration_publishes_delete_finished,
    expiration_task_plans_old_epochs,
    cancelled_expiration_ends,
)
ENVIRONMENT = (
    store_fails_expiration,
    store_loses_reply_of_expiration,
)
