"""Deleting segments: in turn by the publisher that disables, one by one by the expiration task.

Metadata first, then the object, then metadata again; each is a step. A broken delete in
the publisher is swallowed and nothing retries it; the expiration task comes again.
"""

from typing import Any

from model.designs.kip950.publisher import finish_batch
from model.designs.kip950.state import Broker, Partition, PublisherStep, SegmentId
from model.kafka.local_log import increment_log_start
from model.kafka.remote_log_task import DeleteStep
from model.kafka.remote_segment import (
    SegmentState,
    accept_delete_finished,
    accept_delete_started,
    is_tracked,
)
from model.language import NONE, action, guard

# -- disable with delete


def next_on_list(state: Any, broker: int, after: int) -> int:
    """The next id on the broker's delete list after `after`, or NONE."""
    for i in range(after + 1, len(state.segment)):
        if state.broker[broker].delete_list & (1 << i):
            return i
    return NONE


def advance_on_list(state: Any, broker: int, then: Any) -> None:
    """Go to the next id on the list; at its end to the first id and to the step `then`."""
    me = state.broker[broker]
    me.delete_next = next_on_list(state, broker, me.delete_next)
    if me.delete_next == NONE:
        me.delete_next = next_on_list(state, broker, NONE)
        me.publisher = then


@guard
def is_starting_deletes(state: Partition, broker: Broker) -> bool:
    """The publisher has ids for which to publish DELETE_SEGMENT_STARTED."""
    return state.broker[broker].publisher == PublisherStep.STARTING_DELETES


@action(guards=[is_starting_deletes], actor="broker {broker}", to="remote_metadata")
def broker_publishes_delete_started(state: Partition, broker: Broker) -> None:
    """Publish DELETE_SEGMENT_STARTED for the next id on the list; all come before any object goes.

    **Who**: the metadata publisher.
    **Kafka**: RemoteLogManager#deleteRemoteLogPartition.
    **Left out**: nothing.
    """
    accept_delete_started(state, state.broker[broker].delete_next)
    advance_on_list(state, broker, PublisherStep.DELETING_OBJECTS)


@guard
def is_deleting_objects(state: Partition, broker: Broker) -> bool:
    """The publisher has objects to delete."""
    return state.broker[broker].publisher == PublisherStep.DELETING_OBJECTS


@action(guards=[is_deleting_objects], actor="broker {broker}", to="remote_store")
def broker_deletes_object(state: Partition, broker: Broker) -> None:
    """Delete the object of the next id on the list.

    **Who**: the metadata publisher.
    **Kafka**: RemoteStorageManager#deleteLogSegmentData, which succeeds if there is no object.
    **Left out**: nothing.
    """
    state.segment[state.broker[broker].delete_next].object_exists = False
    advance_on_list(state, broker, PublisherStep.FINISHING_DELETES)


@action(
    guards=[is_deleting_objects],
    actor="broker {broker}",
    to="remote_store",
    budget="failed_deletes",
)
def store_fails_delete_on_disable(state: Partition, broker: Broker) -> None:
    """The remote store refuses: the exception ends the deletion and is swallowed.

    **Who**: the remote store.
    **Kafka**: TopicConfigHandler passes an error handler to stopPartitions that logs.
    **Left out**: objects deleted although an error is returned.
    """
    finish_batch(state, broker)


@guard
def is_finishing_deletes(state: Partition, broker: Broker) -> bool:
    """The publisher has ids for which to publish DELETE_SEGMENT_FINISHED."""
    return state.broker[broker].publisher == PublisherStep.FINISHING_DELETES


@action(guards=[is_finishing_deletes], actor="broker {broker}", to="remote_metadata")
def broker_publishes_delete_finished(state: Partition, broker: Broker) -> None:
    """Publish DELETE_SEGMENT_FINISHED for the next id on the list.

    **Who**: the metadata publisher.
    **Kafka**: RemoteLogManager#deleteRemoteLogPartition.
    **Left out**: nothing.
    """
    accept_delete_finished(state, state.broker[broker].delete_next)
    advance_on_list(state, broker, PublisherStep.IDLE)
    if state.broker[broker].publisher == PublisherStep.IDLE:
        finish_batch(state, broker)


# -- expiration


def is_copied_by(state: Any, segment: int, broker: int) -> bool:
    """RemoteLogManager.segmentIdsBeingCopied, which each broker keeps for itself."""
    return bool(state.segment[segment].copier == broker)


def expired_log_start(state: Any, broker: int) -> int:
    """The log start after the listed segments that are past topic retention."""
    end, stop = 0, state.expired_end
    for i in range(len(state.segment)):
        if state.segment[i].is_listed and is_copied_by(state, i, broker):
            stop = min(stop, state.segment[i].offset)
    for i in range(len(state.segment)):
        it = state.segment[i]
        is_left_behind = it.state == SegmentState.DELETE_SEGMENT_STARTED
        if it.is_listed and it.offset < stop and not is_left_behind:
            end = max(end, it.offset + 1)
    return int(end)


@guard
def has_expiration_task(state: Partition, broker: Broker) -> bool:
    """The expiration task is scheduled and not cancelled."""
    return bool(state.broker[broker].expiration_task)


@guard
def is_not_expiring(state: Partition, broker: Broker) -> bool:
    """No thread of the broker has an expiring segment in its hands."""
    return state.broker[broker].expiring == NONE


@guard
def has_expired_segment(state: Partition, broker: Broker) -> bool:
    """A listed segment at or above the log start is past topic retention."""
    me = state.broker[broker]
    return bool(
        me.settings.remote_storage_enable and expired_log_start(state, broker) > me.log_start_offset
    )


@action(guards=[has_expiration_task, is_not_expiring, has_expired_segment], actor="broker {broker}")
def expiration_task_raises_log_start(state: Partition, broker: Broker) -> None:
    """Move the log start past expired segments, before any of them is deleted (KAFKA-15352).

    **Who**: the expiration task of a broker that believes to lead.
    **Kafka**: RLMExpirationTask#cleanupExpiredRemoteLogSegments,
    UnifiedLog#updateLogStartOffsetFromRemoteTier.
    **Left out**: retention by size.
    """
    increment_log_start(state.broker[broker], True, expired_log_start(state, broker))


@guard
def is_deletable(state: Partition, broker: Broker, segment: SegmentId) -> bool:
    """The segment lies below the log start, or was left behind by another deletion."""
    it = state.segment[segment]
    return bool(
        it.is_listed
        and is_tracked(it)
        and not is_copied_by(state, segment, broker)
        and (
            it.offset < state.broker[broker].log_start_offset
            or it.state == SegmentState.DELETE_SEGMENT_STARTED
        )
    )


@action(
    guards=[has_expiration_task, is_not_expiring, is_deletable],
    actor="broker {broker}",
    to="remote_metadata",
)
def expiration_task_publishes_delete_started(
    state: Partition, broker: Broker, segment: SegmentId
) -> None:
    """Publish DELETE_SEGMENT_STARTED, unless the task is cancelled.

    **Who**: the expiration task of a broker that believes to lead.
    **Kafka**: RLMExpirationTask#deleteRemoteLogSegment (4.0 and later, which takes up
    segments left in DELETE_SEGMENT_STARTED, KAFKA-17428).
    **Left out**: the order of segments within a run; a task re-created while a thread of
    the cancelled one is deleting waits for it here, and does not in Kafka.
    """
    accept_delete_started(state, segment)
    state.broker[broker].expiring = segment
    state.broker[broker].delete_step = DeleteStep.STARTED


@guard
def has_started_expiring(state: Partition, broker: Broker) -> bool:
    """A thread has published DELETE_SEGMENT_STARTED."""
    return state.broker[broker].delete_step == DeleteStep.STARTED


@action(guards=[has_started_expiring], actor="broker {broker}", to="remote_store")
def expiration_deletes_object(state: Partition, broker: Broker) -> None:
    """Delete the object.

    **Who**: the expiring thread, cancelled or not.
    **Kafka**: RemoteStorageManager#deleteLogSegmentData.
    **Left out**: nothing.
    """
    state.segment[state.broker[broker].expiring].object_exists = False
    state.broker[broker].delete_step = DeleteStep.OBJECT_DELETED


@action(
    guards=[has_started_expiring],
    actor="broker {broker}",
    to="remote_store",
    budget="failed_deletes",
)
def store_fails_expiration(state: Partition, broker: Broker) -> None:
    """The remote store refuses: the run ends; a later run of the task tries again.

    **Who**: the remote store.
    **Kafka**: RLMTask#run logs and is scheduled again.
    **Left out**: objects deleted although an error is returned.
    """
    state.broker[broker].expiring = NONE
    state.broker[broker].delete_step = DeleteStep.IDLE


@guard
def has_deleted_expired_object(state: Partition, broker: Broker) -> bool:
    """A thread has deleted the object."""
    return state.broker[broker].delete_step == DeleteStep.OBJECT_DELETED


@action(guards=[has_deleted_expired_object], actor="broker {broker}", to="remote_metadata")
def expiration_publishes_delete_finished(state: Partition, broker: Broker) -> None:
    """Publish DELETE_SEGMENT_FINISHED.

    **Who**: the expiring thread, cancelled or not.
    **Kafka**: RLMExpirationTask#deleteRemoteLogSegment.
    **Left out**: nothing.
    """
    accept_delete_finished(state, state.broker[broker].expiring)
    state.broker[broker].expiring = NONE
    state.broker[broker].delete_step = DeleteStep.IDLE
