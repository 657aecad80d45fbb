"""A broker's metadata publisher: it applies batches of metadata, leadership before settings.

One thread a broker, so that a long delete keeps the next batch waiting. The tasks that it
starts and stops are fields of the broker; cancelling one is a flag and no barrier.
"""

from typing import Any

from model.designs.kip950.controller import copy_settings, note_legal_removal, set_settings
from model.designs.kip950.state import Broker, MetadataKind, Partition, PublisherStep, RecordCount
from model.kafka.local_log import increment_log_start
from model.kafka.remote_log_task import CopyTask
from model.kafka.remote_segment import is_tracked
from model.kafka.topic_config import (
    deletes_remote_log,
    starts_tasks,
    stops_copying,
    tiering_state,
)
from model.language import NONE, action, guard

# -- tasks


def cancel_copy_task(state: Any, broker: int) -> None:
    """RLMTask#cancel: the schedule ends; a copy in flight is told and goes on."""
    state.broker[broker].copy_task = CopyTask.NONE
    state.broker[broker].copied_offset = NONE
    for i in range(len(state.segment)):
        if state.segment[i].copier == broker:
            state.segment[i].is_cancelled = True


def schedule_tasks(state: Any, broker: int) -> None:
    """RemoteLogManager#onLeadershipChange, for a log on which remote storage is enabled."""
    me = state.broker[broker]
    if me.presumed_leader != broker:
        cancel_copy_task(state, broker)
        me.expiration_task = False
        me.follower_task = True
        return
    me.follower_task = False
    me.expiration_task = True
    if not me.settings.remote_log_copy_disable and me.copy_task == CopyTask.NONE:
        me.copy_task = CopyTask.SCHEDULED


def stop_all_tasks(state: Any, broker: int) -> None:
    """RemoteLogManager#stopPartitions cancels copying, expiration and the follower's task."""
    cancel_copy_task(state, broker)
    state.broker[broker].expiration_task = False
    state.broker[broker].follower_task = False


# -- batches


def finish_batch(state: Any, broker: int) -> None:
    """The batch is applied; records that everybody has applied are folded away."""
    me = state.broker[broker]
    me.position += me.batch
    me.batch = 0
    me.publisher = PublisherStep.IDLE
    me.delete_list = 0
    me.delete_next = NONE
    fold_metadata_log(state)


def fold_metadata_log(state: Any) -> None:
    """Drop the common prefix of the metadata log (a KRaft snapshot does the same)."""
    least = state.broker[0].position
    for b in range(len(state.broker)):
        least = min(least, state.broker[b].position)
    for b in range(len(state.broker)):
        state.broker[b].position -= least
    state.metadata_end -= least
    length = len(state.metadata_log)
    for i in range(length):
        to = state.metadata_log[i]
        if i + least < length:
            origin = state.metadata_log[i + least]
            to.kind = origin.kind
            copy_settings(to.settings, origin.settings)
            to.leader = origin.leader
            to.leader_epoch = origin.leader_epoch
    for i in range(length - least, length):
        to = state.metadata_log[i]
        to.kind = MetadataKind.NOTHING
        set_settings(to.settings, False, False, False, False)
        to.leader = 0
        to.leader_epoch = 0


def last_of_kind(state: Any, broker: int, kind: Any) -> int:
    """Where the newest record of a kind is in the batch in hand, or NONE: a delta is net."""
    me = state.broker[broker]
    found = NONE
    for i in range(me.position, me.position + me.batch):
        if state.metadata_log[i].kind == kind:
            found = i
    return found


@guard
def is_publisher_idle(state: Partition, broker: Broker) -> bool:
    """The publisher has no batch in hand."""
    return state.broker[broker].publisher == PublisherStep.IDLE


@guard
def has_records(state: Partition, broker: Broker, records: RecordCount) -> bool:
    """So many records wait for the broker."""
    return state.broker[broker].position + records <= state.metadata_end


@action(guards=[is_publisher_idle, has_records], actor="broker {broker}")
def broker_applies_leadership(state: Partition, broker: Broker, records: RecordCount) -> None:
    """Take one or several records in hand and apply the leadership among them.

    **Who**: the metadata publisher.
    **Kafka**: BrokerMetadataPublisher#onMetadataUpdate, ReplicaManager#applyDelta,
    RemoteLogManager#onLeadershipChange, under the settings that the log has so far.
    **Left out**: partitions without a leader.
    """
    me = state.broker[broker]
    me.batch = records
    leadership = last_of_kind(state, broker, MetadataKind.LEADERSHIP)
    if leadership != NONE:
        me.presumed_leader = state.metadata_log[leadership].leader
        me.leader_epoch = state.metadata_log[leadership].leader_epoch
        if me.settings.remote_storage_enable:
            schedule_tasks(state, broker)
    if last_of_kind(state, broker, MetadataKind.CONFIG) == NONE:
        finish_batch(state, broker)
    else:
        me.publisher = PublisherStep.LEADERSHIP_APPLIED


@guard
def has_config_to_apply(state: Partition, broker: Broker) -> bool:
    """The leadership of the batch in hand is applied, its settings are not."""
    return state.broker[broker].publisher == PublisherStep.LEADERSHIP_APPLIED


@action(guards=[has_config_to_apply], actor="broker {broker}")
def broker_updates_log_config(state: Partition, broker: Broker) -> None:
    """Give the log its new settings, and find out what follows from the change.

    **Who**: the metadata publisher.
    **Kafka**: LogManager#updateTopicConfig, then the tests of
    TopicConfigHandler#maybeUpdateRemoteLogComponents on the settings before and after.
    **Left out**: settings that the broker rejects, because its own cluster settings differ.
    """
    me = state.broker[broker]
    was_enable = me.settings.remote_storage_enable
    was_copy_disable = me.settings.remote_log_copy_disable
    new = state.metadata_log[last_of_kind(state, broker, MetadataKind.CONFIG)].settings
    enable = new.remote_storage_enable
    copy_disable = new.remote_log_copy_disable
    is_leader = me.presumed_leader == broker
    copy_settings(me.settings, new)
    me.tiering = tiering_state(enable, copy_disable)
    if deletes_remote_log(was_enable, enable, new.remote_log_delete_on_disable):
        if state.elected_leader == broker:
            note_legal_removal(state, broker)
        me.publisher = (
            PublisherStep.RAISING_LOG_START if is_leader else PublisherStep.STOPPING_TASKS
        )
    elif starts_tasks(was_enable, was_copy_disable, enable, copy_disable):
        me.publisher = PublisherStep.STARTING_TASKS
    elif is_leader and stops_copying(was_copy_disable, enable, copy_disable):
        me.publisher = PublisherStep.STOPPING_COPY
    else:
        finish_batch(state, broker)


# -- what follows from a change


@guard
def is_starting_tasks(state: Partition, broker: Broker) -> bool:
    """Tiering, or copying, was switched on."""
    return state.broker[broker].publisher == PublisherStep.STARTING_TASKS


@action(guards=[is_starting_tasks], actor="broker {broker}")
def broker_starts_tasks(state: Partition, broker: Broker) -> None:
    """Schedule the tasks of a leader or of a follower.

    **Who**: the metadata publisher.
    **Kafka**: RemoteLogManager#onLeadershipChange from the topic config handler.
    **Left out**: initialisation of the metadata cache.
    """
    schedule_tasks(state, broker)
    finish_batch(state, broker)


@guard
def is_stopping_copy(state: Partition, broker: Broker) -> bool:
    """Copying was switched off at a leader."""
    return state.broker[broker].publisher == PublisherStep.STOPPING_COPY


@action(guards=[is_stopping_copy], actor="broker {broker}")
def broker_stops_copying(state: Partition, broker: Broker) -> None:
    """Cancel the copy task; expiration and reads go on.

    **Who**: the metadata publisher.
    **Kafka**: RemoteLogManager#stopLeaderCopyRLMTasks.
    **Left out**: the reset of lag metrics.
    """
    cancel_copy_task(state, broker)
    finish_batch(state, broker)


@guard
def is_raising_log_start(state: Partition, broker: Broker) -> bool:
    """Tiering was switched off, with delete, at a leader."""
    return state.broker[broker].publisher == PublisherStep.RAISING_LOG_START


@action(guards=[is_raising_log_start], actor="broker {broker}")
def broker_raises_log_start(state: Partition, broker: Broker) -> None:
    """Move the log start up to the local log start: what was remote only is gone for readers.

    **Who**: the metadata publisher of a broker that believes to lead.
    **Kafka**: UnifiedLog#maybeIncrementLogStartOffset(localLogStartOffset, SegmentDeletion).
    **Left out**: nothing.
    """
    me = state.broker[broker]
    if state.elected_leader == broker:
        note_legal_removal(state, broker)
    increment_log_start(me, me.settings.remote_storage_enable, me.local_log_start_offset)
    me.publisher = PublisherStep.STOPPING_TASKS


@guard
def is_stopping_tasks(state: Partition, broker: Broker) -> bool:
    """The tasks of a topic that is no longer tiered are to end."""
    return state.broker[broker].publisher == PublisherStep.STOPPING_TASKS


@action(guards=[is_stopping_tasks], actor="broker {broker}")
def broker_stops_tasks(state: Partition, broker: Broker) -> None:
    """Cancel every remote log task of the partition. Nobody waits for a thread to return.

    **Who**: the metadata publisher.
    **Kafka**: RemoteLogManager#stopPartitions, first half.
    **Left out**: unassigning the partition of the metadata topic.
    """
    stop_all_tasks(state, broker)
    if state.broker[broker].presumed_leader == broker:
        state.broker[broker].publisher = PublisherStep.LISTING_SEGMENTS
    else:
        finish_batch(state, broker)


@guard
def is_listing_segments(state: Partition, broker: Broker) -> bool:
    """The remote log of the partition is to be deleted."""
    return state.broker[broker].publisher == PublisherStep.LISTING_SEGMENTS


@action(guards=[is_listing_segments], actor="broker {broker}", to="remote_metadata")
def broker_lists_remote_segments(state: Partition, broker: Broker) -> None:
    """List every segment that the metadata cache knows; what comes later is not on the list.

    **Who**: the metadata publisher of a broker that believes to lead.
    **Kafka**: RemoteLogManager#deleteRemoteLogPartition, listRemoteLogSegments.
    **Left out**: a failing list (it would end the deletion before it began).
    """
    me = state.broker[broker]
    for i in range(len(state.segment)):
        if is_tracked(state.segment[i]):
            me.delete_list |= 1 << i
            if me.delete_next == NONE:
                me.delete_next = i
    if me.delete_next == NONE:
        finish_batch(state, broker)
    else:
        me.publisher = PublisherStep.STARTING_DELETES
