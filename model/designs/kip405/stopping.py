"""Stopping a partition: its tasks are cancelled, and whoever leads deletes what is remote.

RemoteLogManager#stopPartitions, for a topic that is deleted, or that is not tiered any more:
all metadata, then all objects, then all metadata again. What fails is not tried again.
"""

from typing import Any

from tierproof.model.designs.kip405.leadership import topic_exists
from tierproof.model.designs.kip405.metadata import (
    has_place_for_metadata,
    publish,
    tracked_ids,
    unassign_metadata,
)
from tierproof.model.designs.kip405.replication import empty_log
from tierproof.model.designs.kip405.state import Broker, Partition, RecordKind, RemovalStep
from tierproof.model.designs.kip405.tasks import cancel_tasks
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import NONE, action, guard


def stop_partition(state: Any, broker: int, deletes_remote_log: bool, stops_metadata: bool) -> None:
    """RemoteLogManager#stopPartitions: cancel, then delete, which needs a cache to list from."""
    me = state.broker[broker]
    cancel_tasks(state, broker)
    if deletes_remote_log and me.cache.is_initialized:
        me.removal_list = tracked_ids(me.cache)
        me.to_remove = me.removal_list
        me.removal_step = RemovalStep.STARTING_DELETES
    elif stops_metadata:
        unassign_metadata(state, broker)


def delete_local_log(state: Any, broker: int) -> None:
    """LogManager#asyncDelete: the replica is gone."""
    me = state.broker[broker]
    empty_log(me)
    me.highest_remote_offset = NONE
    me.presumed_leader = NONE


@action(guards=[topic_exists], actor="user", to="controller", budget="topic_deletions")
def user_deletes_topic(state: Partition) -> None:
    """The topic is to be deleted.

    **Who**: a user, through the controller.
    **Kafka**: ReplicationControlManager#deleteTopics, RemoveTopicRecord.
    **Left out**: a topic of the same name that is created again (another topic id).
    """
    state.is_topic_deleted = True


@guard
def has_deletion_to_learn(state: Partition, broker: Broker) -> bool:
    """The topic is deleted, and the broker still has its replica."""
    return bool(state.is_topic_deleted and state.broker[broker].presumed_leader != NONE)


@action(guards=[has_deletion_to_learn], actor="broker {broker}", to="controller")
def broker_learns_deletion(state: Partition, broker: Broker) -> None:
    """Drop the replica; if the broker believes to lead, begin to delete the remote log.

    **Who**: the broker's metadata publisher.
    **Kafka**: ReplicaManager#applyDelta, #stopPartitions.
    **Left out**: that renamed files wait for their deletion.
    """
    leads = presumes_to_lead(state, broker) and state.broker[broker].settings.remote_storage_enable
    stop_partition(state, broker, leads, True)
    delete_local_log(state, broker)


@guard
def is_starting_deletes(state: Partition, broker: Broker) -> bool:
    """The broker publishes DELETE_SEGMENT_STARTED for all remote segments."""
    return state.broker[broker].removal_step == RemovalStep.STARTING_DELETES


@guard
def is_to_remove(state: Partition, broker: Broker, segment: SegmentId) -> bool:
    """The segment's turn in this stage is still to come."""
    return bool(state.broker[broker].to_remove >> segment & 1)


@guard
def has_read_own_removal(state: Partition, broker: Broker) -> bool:
    """The broker has read what it published last for the removal."""
    return bool(state.broker[broker].metadata_position >= state.broker[broker].removal_awaits)


@guard
def has_none_to_remove(state: Partition, broker: Broker) -> bool:
    """The stage is done with all segments."""
    return state.broker[broker].to_remove == 0


@action(
    guards=[is_starting_deletes, is_to_remove, has_place_for_metadata],
    actor="broker {broker}",
    to="remote_metadata",
)
def removal_publishes_delete_started(state: Partition, broker: Broker, segment: SegmentId) -> None:
    """Publish DELETE_SEGMENT_STARTED for one of the segments.

    **Who**: the thread that stops the partition.
    **Kafka**: RemoteLogManager#deleteRemoteLogPartition.
    **Left out**: nothing.
    """
    state.broker[broker].removal_awaits = publish(state, segment, RecordKind.DELETE_SEGMENT_STARTED)
    state.broker[broker].to_remove &= ~(1 << segment)


@action(
    guards=[is_starting_deletes, has_none_to_remove, has_read_own_removal], actor="broker {broker}"
)
def removal_goes_on_to_objects(state: Partition, broker: Broker) -> None:
    """All are marked: the objects come next.

    **Who**: the thread that stops the partition.
    **Kafka**: RemoteLogManager#deleteRemoteLogPartition.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    me.to_remove = me.removal_list
    me.removal_step = RemovalStep.DELETING_OBJECTS


@guard
def is_deleting_objects(state: Partition, broker: Broker) -> bool:
    """The broker deletes the objects of all remote segments."""
    return state.broker[broker].removal_step == RemovalStep.DELETING_OBJECTS


@action(
    guards=[is_deleting_objects, is_to_remove],
    actor="broker {broker}",
    to="remote_store",
)
def removal_deletes_object(state: Partition, broker: Broker, segment: SegmentId) -> None:
    """Delete one of the objects.

    **Who**: the thread that stops the partition.
    **Kafka**: RemoteStorageManager#deleteLogSegmentData.
    **Left out**: nothing.
    """
    state.segment[segment].object_exists = False
    state.broker[broker].to_remove &= ~(1 << segment)


def end_removal(state: Any, broker: int) -> None:
    """onStopPartitions: the broker forgets the partition's metadata."""
    me = state.broker[broker]
    me.to_remove = 0
    me.removal_list = 0
    me.removal_awaits = 0
    me.removal_step = RemovalStep.IDLE
    unassign_metadata(state, broker)


@action(
    guards=[is_deleting_objects, is_to_remove],
    actor="broker {broker}",
    to="remote_store",
    budget="failed_deletes",
)
def store_fails_removal(state: Partition, broker: Broker, segment: SegmentId) -> None:
    """The store refuses one: the rest is not tried, and nobody tries again.

    **Who**: the remote store.
    **Kafka**: the error handler of stopPartitions logs.
    **Left out**: nothing.
    """
    end_removal(state, broker)


@action(
    guards=[is_deleting_objects, is_to_remove],
    actor="broker {broker}",
    to="remote_store",
    budget="failed_deletes",
)
def store_loses_reply_of_removal(state: Partition, broker: Broker, segment: SegmentId) -> None:
    """The store deletes the object, but its reply is lost: for the broker it has failed.

    **Who**: the remote store.
    **Kafka**: the error handler of stopPartitions logs.
    **Left out**: nothing.
    """
    state.segment[segment].object_exists = False
    end_removal(state, broker)


@action(guards=[is_deleting_objects, has_none_to_remove], actor="broker {broker}")
def removal_goes_on_to_metadata(state: Partition, broker: Broker) -> None:
    """All objects are deleted: the metadata comes last.

    **Who**: the thread that stops the partition.
    **Kafka**: RemoteLogManager#deleteRemoteLogPartition.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    me.to_remove = me.removal_list
    me.removal_step = RemovalStep.FINISHING_DELETES


@guard
def is_finishing_deletes(state: Partition, broker: Broker) -> bool:
    """The broker publishes DELETE_SEGMENT_FINISHED for all remote segments."""
    return state.broker[broker].removal_step == RemovalStep.FINISHING_DELETES


@action(
    guards=[is_finishing_deletes, is_to_remove, has_place_for_metadata],
    actor="broker {broker}",
    to="remote_metadata",
)
def removal_publishes_delete_finished(state: Partition, broker: Broker, segment: SegmentId) -> None:
    """Publish DELETE_SEGMENT_FINISHED for one of the segments.

    **Who**: the thread that stops the partition.
    **Kafka**: RemoteLogManager#deleteRemoteLogPartition.
    **Left out**: nothing.
    """
    state.broker[broker].removal_awaits = publish(
        state, segment, RecordKind.DELETE_SEGMENT_FINISHED
    )
    state.broker[broker].to_remove &= ~(1 << segment)


@action(
    guards=[is_finishing_deletes, has_none_to_remove, has_read_own_removal], actor="broker {broker}"
)
def removal_ends(state: Partition, broker: Broker) -> None:
    """All is deleted: the broker stops to follow the partition's metadata.

    **Who**: the thread that stops the partition.
    **Kafka**: RemoteLogManager#stopPartitions, RemoteLogMetadataManager#onStopPartitions.
    **Left out**: nothing.
    """
    end_removal(state, broker)
