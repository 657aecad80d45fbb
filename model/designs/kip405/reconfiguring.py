"""A topic whose settings change (KIP-950), for the replay of recordings: not explored here.

The design kip950 explores it, with the controller, batches of metadata and validation.
"""

from typing import Annotated, Any

from model.designs.kip405.metadata import has_place_for_metadata, publish, unassign_metadata
from model.designs.kip405.state import (
    Broker,
    LocalRetentionBytes,
    LocalRetentionMs,
    Partition,
    RecordKind,
    RemovalStep,
    RetentionBytes,
    RetentionMs,
)
from model.designs.kip405.tasks import cancel_copy_task, cancel_tasks, schedule_tasks
from model.kafka.local_retention import raise_log_start
from model.kafka.remote_metadata_cache import CachedState, forget_all
from model.kafka.scope import OffsetEnd, SegmentId
from model.kafka.topic_config import deletes_remote_log, starts_tasks, stops_copying
from model.language import Range, action, guard

Flag = Annotated[int, Range(0, 1)]


def tracked_ids(cache: Any) -> int:
    """All ids that the cache lists, as bits."""
    found = 0
    for i in range(len(cache.state)):
        if cache.state[i] != CachedState.UNKNOWN:
            found |= 1 << i
    return found


@action(actor="broker {broker}", stutters=True)
def broker_applies_retention(
    state: Partition,
    broker: Broker,
    retention_ms: RetentionMs,
    retention_bytes: RetentionBytes,
    local_retention_ms: LocalRetentionMs,
    local_retention_bytes: LocalRetentionBytes,
) -> None:
    """The log gets other retention settings.

    **Who**: the broker's metadata publisher.
    **Kafka**: LogManager#updateTopicConfig.
    **Left out**: validation.
    """
    settings = state.broker[broker].settings
    settings.retention_ms = retention_ms
    settings.retention_bytes = retention_bytes
    settings.local_retention_ms = local_retention_ms
    settings.local_retention_bytes = local_retention_bytes


@action(actor="broker {broker}", stutters=True)
def broker_applies_tiering(
    state: Partition, broker: Broker, enable: Flag, copy_disable: Flag, delete_on_disable: Flag
) -> None:
    """The log gets other tiering settings, and the handler reacts up to its first deletion.

    **Who**: the metadata publisher of the leader.
    **Kafka**: TopicConfigHandler#maybeUpdateRemoteLogComponents.
    **Left out**: validation; followers.
    """
    me = state.broker[broker]
    was_enable = bool(me.settings.remote_storage_enable)
    was_copy_disable = bool(me.settings.remote_log_copy_disable)
    me.settings.remote_storage_enable = bool(enable)
    me.settings.remote_log_copy_disable = bool(copy_disable)
    me.settings.remote_log_delete_on_disable = bool(delete_on_disable)
    if starts_tasks(was_enable, was_copy_disable, bool(enable), bool(copy_disable)):
        schedule_tasks(state, broker)
    if stops_copying(was_copy_disable, bool(enable), bool(copy_disable)):
        cancel_copy_task(state, broker)
    if deletes_remote_log(was_enable, bool(enable), bool(delete_on_disable)):
        raise_log_start(me, me.local_log_start_offset)
        cancel_tasks(state, broker)
        me.to_remove = tracked_ids(me.cache)
        me.removal_step = RemovalStep.STARTING_DELETES


@guard
def is_starting_deletes(state: Partition, broker: Broker) -> bool:
    """The broker publishes DELETE_SEGMENT_STARTED for all remote segments."""
    return state.broker[broker].removal_step == RemovalStep.STARTING_DELETES


@guard
def is_to_remove(state: Partition, broker: Broker, segment: SegmentId) -> bool:
    """The segment's turn in this stage is still to come."""
    return bool(state.broker[broker].to_remove >> segment & 1)


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
    publish(state, segment, RecordKind.DELETE_SEGMENT_STARTED)
    state.broker[broker].to_remove &= ~(1 << segment)


@action(guards=[is_starting_deletes, has_none_to_remove], actor="broker {broker}")
def removal_goes_on_to_objects(state: Partition, broker: Broker) -> None:
    """All are marked: the objects come next.

    **Who**: the thread that stops the partition.
    **Kafka**: RemoteLogManager#deleteRemoteLogPartition.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    me.to_remove = tracked_ids(me.cache)
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
    state.broker[broker].to_remove = 0
    state.broker[broker].removal_step = RemovalStep.IDLE
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


@action(guards=[is_deleting_objects, has_none_to_remove], actor="broker {broker}")
def removal_goes_on_to_metadata(state: Partition, broker: Broker) -> None:
    """All objects are deleted: the metadata comes last.

    **Who**: the thread that stops the partition.
    **Kafka**: RemoteLogManager#deleteRemoteLogPartition.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    me.to_remove = tracked_ids(me.cache)
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
    publish(state, segment, RecordKind.DELETE_SEGMENT_FINISHED)
    state.broker[broker].to_remove &= ~(1 << segment)


@action(guards=[is_finishing_deletes, has_none_to_remove], actor="broker {broker}")
def removal_ends(state: Partition, broker: Broker) -> None:
    """All is deleted: the broker stops to follow the partition's metadata.

    **Who**: the thread that stops the partition.
    **Kafka**: RemoteLogManager#stopPartitions, RemoteLogMetadataManager#onStopPartitions.
    **Left out**: nothing.
    """
    end_removal(state, broker)


# -- what else the recordings do


@action(actor="broker {broker}", stutters=True)
def broker_reloads_metadata(state: Partition, broker: Broker) -> None:
    """The cache is dropped and read again from the metadata topic.

    **Who**: the recording.
    **Kafka**: RemotePartitionMetadataStore#clearTopicPartition.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    forget_all(me.cache)
    me.metadata_position = 0
    me.metadata_assigned_end = state.metadata_end
    me.cache.is_initialized = state.metadata_end == 0


@action(actor="broker {broker}", stutters=True)
def broker_loses_snapshots(state: Partition, broker: Broker, offset: OffsetEnd) -> None:
    """Producer snapshots before an offset vanish.

    **Who**: the recording.
    **Kafka**: ProducerStateManager#fetchSnapshot finds none.
    **Left out**: snapshots missing in between.
    """
    state.broker[broker].producer_snapshots_start = offset


@action(actor="broker {broker}", stutters=True)
def broker_cancels_tasks(state: Partition, broker: Broker) -> None:
    """Tasks are cancelled, so that the next election of the same broker makes new ones.

    **Who**: the recording.
    **Kafka**: RemoteLogManager keeps the tasks of a leader that is elected again.
    **Left out**: nothing.
    """
    cancel_tasks(state, broker)
