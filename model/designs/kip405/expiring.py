"""The expiration task: plan, move the log start, then delete one segment after the other.

A run plans twice: what retention and the log start let go of, then what belongs to epochs
before the earliest that the leader knows. Each deletion is three steps of its own.
"""

from typing import Any

from tierproof.model.designs.kip405.copying import is_cache_ready
from tierproof.model.designs.kip405.metadata import has_place_for_metadata, publish
from tierproof.model.designs.kip405.state import Broker, Partition, RecordKind, RunStep
from tierproof.model.kafka.copy_task import learn_highest_remote_offset
from tierproof.model.kafka.expiration_task import plan_old_epochs, plan_retention, surplus_bytes
from tierproof.model.kafka.local_retention import raise_log_start
from tierproof.model.kafka.local_segments import only_local_bytes
from tierproof.model.kafka.remote_metadata_cache import find_highest_remote_offset, next_tracked
from tierproof.model.language import NONE, action, guard


def end_run(state: Any, broker: int) -> None:
    """The run is over, for whatever reason: its plan is forgotten."""
    me = state.broker[broker]
    me.run_step = RunStep.IDLE
    me.is_run_cancelled = False
    forget_plan(me)


def forget_plan(me: Any) -> None:
    """Nothing is planned."""
    for n in range(len(me.planned)):
        me.planned[n] = NONE
    me.planned_next = 0
    me.planned_end = 0
    me.planned_log_start = 0
    me.run_awaits = 0


def seed_highest_remote_offset(me: Any) -> None:
    """Without a highest remote offset the whole local log would count twice (KAFKA-20732)."""
    if me.highest_remote_offset == NONE:
        found, _ = find_highest_remote_offset(me.cache, me.lineage, me.log_end_offset)
        learn_highest_remote_offset(me, found)


@guard
def has_expiration_task(state: Partition, broker: Broker) -> bool:
    """The expiration task is scheduled and not cancelled."""
    return bool(state.broker[broker].expiration_task)


@guard
def has_no_run(state: Partition, broker: Broker) -> bool:
    """No thread is at a run of the broker's expiration task."""
    return state.broker[broker].run_step == RunStep.IDLE


@guard
def has_remote_segments(state: Partition, broker: Broker) -> bool:
    """The broker knows of a remote segment."""
    return next_tracked(state.broker[broker].cache, NONE) != NONE


@action(
    guards=[has_expiration_task, has_no_run, is_cache_ready, has_remote_segments],
    actor="broker {broker}",
)
def expiration_task_plans_retention(state: Partition, broker: Broker) -> None:
    """Choose what time, size or the log start let go of, and where the log start goes.

    **Who**: the expiration task of a broker that believes to lead.
    **Kafka**: RLMExpirationTask#cleanupExpiredRemoteLogSegments, its loop over the epochs.
    **Left out**: a run cancelled within the loop.
    """
    me = state.broker[broker]
    seed_highest_remote_offset(me)
    local_bytes = only_local_bytes(me)
    surplus = surplus_bytes(me, state.segment, local_bytes)
    plan_retention(me, state.segment, surplus, state.clock)
    me.run_step = RunStep.PLANNED


@guard
def has_planned(state: Partition, broker: Broker) -> bool:
    """The run has chosen what to delete."""
    return state.broker[broker].run_step == RunStep.PLANNED


@guard
def may_raise_log_start(state: Partition, broker: Broker) -> bool:
    """The new log start is not above the broker's high watermark."""
    me = state.broker[broker]
    return bool(me.planned_log_start <= me.high_watermark)


@guard
def may_not_raise_log_start(state: Partition, broker: Broker) -> bool:
    """The new log start is above the broker's high watermark."""
    me = state.broker[broker]
    return bool(me.planned_log_start > me.high_watermark)


@action(guards=[has_planned, may_not_raise_log_start], actor="broker {broker}")
def expiration_task_fails_to_raise_log_start(state: Partition, broker: Broker) -> None:
    """The log refuses a start above its high watermark: the run ends.

    **Who**: the expiring thread.
    **Kafka**: UnifiedLog#maybeIncrementLogStartOffset throws OffsetOutOfRangeException.
    **Left out**: nothing.
    """
    end_run(state, broker)


@action(guards=[has_planned, may_raise_log_start], actor="broker {broker}")
def expiration_task_raises_log_start(state: Partition, broker: Broker) -> None:
    """Move the log start past what retention deletes, before any of it goes (KAFKA-15352).

    **Who**: the expiring thread, cancelled or not.
    **Kafka**: UnifiedLog#updateLogStartOffsetFromRemoteTier.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    if me.settings.remote_storage_enable and me.planned_log_start > 0:
        raise_log_start(me, me.planned_log_start)
    me.planned_log_start = 0
    me.run_step = RunStep.DELETING


@guard
def has_read_own_deletion(state: Partition, broker: Broker) -> bool:
    """The broker has read what the run published last."""
    return bool(state.broker[broker].metadata_position >= state.broker[broker].run_awaits)


@guard
def is_deleting(state: Partition, broker: Broker) -> bool:
    """The run is between two deletions."""
    return state.broker[broker].run_step == RunStep.DELETING


@guard
def has_deletion_planned(state: Partition, broker: Broker) -> bool:
    """The run has something left to delete."""
    return bool(state.broker[broker].planned_next < state.broker[broker].planned_end)


@guard
def has_no_deletion_planned(state: Partition, broker: Broker) -> bool:
    """The run has deleted all that it planned."""
    return bool(state.broker[broker].planned_next == state.broker[broker].planned_end)


@guard
def is_run_not_cancelled(state: Partition, broker: Broker) -> bool:
    """The task whose run it is was not cancelled."""
    return not state.broker[broker].is_run_cancelled


@guard
def is_run_cancelled(state: Partition, broker: Broker) -> bool:
    """The task whose run it is was cancelled."""
    return bool(state.broker[broker].is_run_cancelled)


@action(
    guards=[
        is_deleting,
        has_read_own_deletion,
        has_deletion_planned,
        is_run_not_cancelled,
        has_place_for_metadata,
    ],
    actor="broker {broker}",
    to="remote_metadata",
)
def expiration_publishes_delete_started(state: Partition, broker: Broker) -> None:
    """Publish DELETE_SEGMENT_STARTED for the next segment of the plan.

    **Who**: the expiring thread.
    **Kafka**: RLMTask#deleteRemoteLogSegment, predicate !isCancelled.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    segment = me.planned[me.planned_next]
    me.run_awaits = publish(state, segment, RecordKind.DELETE_SEGMENT_STARTED)
    me.run_step = RunStep.DELETE_STARTED


@action(
    guards=[is_deleting, has_read_own_deletion, has_deletion_planned, is_run_cancelled],
    actor="broker {broker}",
)
def cancelled_expiration_ends(state: Partition, broker: Broker) -> None:
    """A cancelled run deletes nothing more.

    **Who**: the expiring thread.
    **Kafka**: RLMTask#deleteRemoteLogSegment, predicate !isCancelled.
    **Left out**: that it goes over the rest of the plan without effect.
    """
    end_run(state, broker)


@guard
def has_started_deletion(state: Partition, broker: Broker) -> bool:
    """The run has published DELETE_SEGMENT_STARTED."""
    return state.broker[broker].run_step == RunStep.DELETE_STARTED


@action(
    guards=[has_started_deletion, has_read_own_deletion],
    actor="broker {broker}",
    to="remote_store",
)
def expiration_deletes_object(state: Partition, broker: Broker) -> None:
    """Delete the object, if it is there.

    **Who**: the expiring thread, cancelled or not.
    **Kafka**: RemoteStorageManager#deleteLogSegmentData.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    state.segment[me.planned[me.planned_next]].object_exists = False
    me.run_step = RunStep.OBJECT_DELETED


@action(
    guards=[has_started_deletion, has_read_own_deletion],
    actor="broker {broker}",
    to="remote_store",
    budget="failed_deletes",
)
def store_fails_expiration(state: Partition, broker: Broker) -> None:
    """The remote store refuses: the run ends; a later one tries again.

    **Who**: the remote store.
    **Kafka**: RLMTask#run logs and is scheduled again.
    **Left out**: nothing.
    """
    end_run(state, broker)


@action(
    guards=[has_started_deletion, has_read_own_deletion],
    actor="broker {broker}",
    to="remote_store",
    budget="failed_deletes",
)
def store_loses_reply_of_expiration(state: Partition, broker: Broker) -> None:
    """The store deletes the object, but its reply is lost: for the broker it has failed.

    **Who**: the remote store.
    **Kafka**: RLMTask#run logs and is scheduled again.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    state.segment[me.planned[me.planned_next]].object_exists = False
    end_run(state, broker)


@guard
def has_deleted_planned_object(state: Partition, broker: Broker) -> bool:
    """The run has deleted the object."""
    return state.broker[broker].run_step == RunStep.OBJECT_DELETED


@action(
    guards=[has_deleted_planned_object, has_place_for_metadata],
    actor="broker {broker}",
    to="remote_metadata",
)
def expiration_publishes_delete_finished(state: Partition, broker: Broker) -> None:
    """Publish DELETE_SEGMENT_FINISHED, and go on with the plan.

    **Who**: the expiring thread, cancelled or not.
    **Kafka**: RLMTask#deleteRemoteLogSegment.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    segment = me.planned[me.planned_next]
    me.run_awaits = publish(state, segment, RecordKind.DELETE_SEGMENT_FINISHED)
    me.planned_next += 1
    me.run_step = RunStep.DELETING


@action(
    guards=[is_deleting, has_read_own_deletion, has_no_deletion_planned], actor="broker {broker}"
)
def expiration_task_plans_old_epochs(state: Partition, broker: Broker) -> None:
    """Choose segments of epochs before the leader's earliest; if there is none, end.

    **Who**: the expiring thread.
    **Kafka**: RLMExpirationTask#cleanupExpiredRemoteLogSegments, its last part.
    **Left out**: that the epochs were listed at the beginning of the run; a run in which
    such segments turn up while they are deleted deletes these too.
    """
    forget_plan(state.broker[broker])
    plan_next_or_end(state, broker)


def plan_next_or_end(state: Any, broker: int) -> None:
    """Plan the deletion of old epochs; without any, or cancelled, the run is over."""
    me = state.broker[broker]
    if not me.is_run_cancelled:
        plan_old_epochs(me, state.segment)
    if me.planned_end == 0:
        end_run(state, broker)
