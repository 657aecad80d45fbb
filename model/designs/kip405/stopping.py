"""Stopping a partition: its tasks are cancelled, and a leader deletes its remote segments.

RemoteLogManager#stopPartitions, for a topic that is deleted, or no longer tiered: all
metadata, then all objects, then all metadata again. What fails is not tried again.
"""

from tierproof.model.designs.kip405.actors import BROKER, REMOVAL, USER
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
from tierproof.model.language import NONE, fence, guard


def stop_partition(
    state: Partition, broker: int, deletes_remote_log: bool, stops_metadata: bool
) -> None:
    """RemoteLogManager#stopPartitions: cancel, then delete, which needs a cache to list from."""
    replica = state.broker[broker]
    cancel_tasks(state, broker)
    if deletes_remote_log and replica.cache.is_initialized:
        replica.removal_list = tracked_ids(replica.cache)
        replica.to_remove = replica.removal_list
        replica.removal_step = RemovalStep.STARTING_DELETES
    elif stops_metadata:
        unassign_metadata(state, broker)


def delete_local_log(state: Partition, broker: int) -> None:
    """LogManager#asyncDelete: the broker has no replica any more."""
    replica = state.broker[broker]
    empty_log(replica)
    replica.highest_remote_offset = NONE
    replica.presumed_leader = NONE


@USER.action(guards=[topic_exists], to="controller", budget="topic_deletions")
def user_deletes_topic(state: Partition) -> None:
    """Delete the topic, through the controller.

    Kafka: ReplicationControlManager#deleteTopics, RemoveTopicRecord. Left out: a topic of the
    same name that is created again (another topic id).
    """
    state.is_topic_deleted = True


@guard
def has_deletion_to_learn(state: Partition, broker: Broker) -> bool:
    """The topic is deleted, and the broker still has its replica."""
    return state.is_topic_deleted and state.broker[broker].presumed_leader != NONE


@BROKER.action(guards=[has_deletion_to_learn], to="controller")
def broker_learns_deletion(state: Partition, broker: Broker) -> None:
    """Drop the replica; a broker that believes to lead begins to delete the remote log.

    Kafka: ReplicaManager#applyDelta, #stopPartitions. Left out: that renamed files are
    deleted later.
    """
    leads = presumes_to_lead(state, broker) and state.broker[broker].settings.remote_storage_enable
    stop_partition(state, broker, leads, True)
    delete_local_log(state, broker)


# -- the stages of a removal


@guard
def is_to_remove(state: Partition, broker: Broker, segment: SegmentId) -> bool:
    """The segment is left in this stage."""
    return segment in state.broker[broker].to_remove


@guard
def has_read_own_removal(state: Partition, broker: Broker) -> bool:
    """The broker has read what it published last for the removal."""
    return state.broker[broker].metadata_position >= state.broker[broker].removal_awaits


@fence(protects="metadata_comes_before_objects", scope="alone_deleted")
def has_none_to_remove(state: Partition, broker: Broker) -> bool:
    """No segment is left in this stage.

    An object may be deleted only once the metadata of all says that they are being deleted:
    otherwise a reader still finds a segment whose object is gone.
    """
    return not state.broker[broker].to_remove


def publish_removal(state: Partition, broker: int, segment: int, kind: RecordKind) -> None:
    """Publish a record of one segment, which is then not left in this stage."""
    state.broker[broker].removal_awaits = publish(state, segment, kind)
    state.broker[broker].to_remove.discard(segment)


def end_removal(state: Partition, broker: int) -> None:
    """onStopPartitions: forget the metadata; the caller says that the thread is IDLE."""
    replica = state.broker[broker]
    replica.to_remove = set()
    replica.removal_list = set()
    replica.removal_awaits = 0
    unassign_metadata(state, broker)


@REMOVAL.action(
    RemovalStep.STARTING_DELETES,
    guards=[is_to_remove, has_place_for_metadata],
    to="remote_metadata",
)
def removal_publishes_delete_started(state: Partition, broker: Broker, segment: SegmentId) -> None:
    """Publish DELETE_SEGMENT_STARTED for one of the segments.

    Kafka: RemoteLogManager#deleteRemoteLogPartition.
    """
    publish_removal(state, broker, segment, RecordKind.DELETE_SEGMENT_STARTED)


@REMOVAL.action(
    RemovalStep.STARTING_DELETES,
    RemovalStep.DELETING_OBJECTS,
    guards=[has_none_to_remove, has_read_own_removal],
)
def removal_goes_on_to_objects(state: Partition, broker: Broker) -> None:
    """Proceed to the objects: all deletions are published and read back.

    Kafka: RemoteLogManager#deleteRemoteLogPartition.
    """
    state.broker[broker].to_remove = state.broker[broker].removal_list


@REMOVAL.action(RemovalStep.DELETING_OBJECTS, guards=[is_to_remove], to="remote_store")
def removal_deletes_object(state: Partition, broker: Broker, segment: SegmentId) -> None:
    """Delete one of the objects.

    Kafka: RemoteStorageManager#deleteLogSegmentData.
    """
    state.segment[segment].object_exists = False
    state.broker[broker].to_remove.discard(segment)


@REMOVAL.action(
    RemovalStep.DELETING_OBJECTS,
    RemovalStep.IDLE,
    guards=[is_to_remove],
    to="remote_store",
    budget="failed_deletes",
)
def store_fails_removal(state: Partition, broker: Broker, segment: SegmentId) -> None:
    """The store refuses one deletion: the rest is not tried, and nobody tries again.

    Kafka: the error handler of stopPartitions logs.
    """
    end_removal(state, broker)


@REMOVAL.action(
    RemovalStep.DELETING_OBJECTS,
    RemovalStep.IDLE,
    guards=[is_to_remove],
    to="remote_store",
    budget="failed_deletes",
)
def store_loses_reply_of_removal(state: Partition, broker: Broker, segment: SegmentId) -> None:
    """The store deletes the object, but its reply is lost: the broker sees a failure.

    Kafka: the error handler of stopPartitions logs.
    """
    state.segment[segment].object_exists = False
    end_removal(state, broker)


@REMOVAL.action(
    RemovalStep.DELETING_OBJECTS, RemovalStep.FINISHING_DELETES, guards=[has_none_to_remove]
)
def removal_goes_on_to_metadata(state: Partition, broker: Broker) -> None:
    """Proceed to the metadata: all objects are deleted.

    Kafka: RemoteLogManager#deleteRemoteLogPartition.
    """
    state.broker[broker].to_remove = state.broker[broker].removal_list


@REMOVAL.action(
    RemovalStep.FINISHING_DELETES,
    guards=[is_to_remove, has_place_for_metadata],
    to="remote_metadata",
)
def removal_publishes_delete_finished(state: Partition, broker: Broker, segment: SegmentId) -> None:
    """Publish DELETE_SEGMENT_FINISHED for one of the segments.

    Kafka: RemoteLogManager#deleteRemoteLogPartition.
    """
    publish_removal(state, broker, segment, RecordKind.DELETE_SEGMENT_FINISHED)


@REMOVAL.action(
    RemovalStep.FINISHING_DELETES,
    RemovalStep.IDLE,
    guards=[has_none_to_remove, has_read_own_removal],
)
def removal_ends(state: Partition, broker: Broker) -> None:
    """All is deleted: stop following the partition's metadata.

    Kafka: RemoteLogManager#stopPartitions, RemoteLogMetadataManager#onStopPartitions.
    """
    end_removal(state, broker)


SYSTEM = (
    broker_learns_deletion,
    removal_publishes_delete_started,
    removal_goes_on_to_objects,
    removal_deletes_object,
    removal_goes_on_to_metadata,
    removal_publishes_delete_finished,
    removal_ends,
)
