"""A broker's metadata publisher: batches of the cluster log, leadership first, then settings.

One thread a broker, so that a long removal keeps the next batch waiting. What it starts
and stops are KIP-405's tasks; cancelling one is a flag and no barrier.
"""

from typing import Any

from tierproof.model.designs.kip405.leadership import become_leader
from tierproof.model.designs.kip405.state import Broker, RemovalStep
from tierproof.model.designs.kip405.stopping import (
    delete_local_log,
    end_removal,
    stop_partition,
)
from tierproof.model.designs.kip405.tasks import cancel_copy_task, follow_remote_log, schedule_tasks
from tierproof.model.designs.kip950.controller import (
    clear_record,
    copy_settings,
    note_legal_removal,
)
from tierproof.model.designs.kip950.state import (
    ClusterRecordKind,
    PublisherStep,
    RecordCount,
    Topic,
)
from tierproof.model.kafka.local_retention import raise_log_start
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.kafka.topic_config import (
    deletes_remote_log,
    starts_tasks,
    stops_copying,
    tiering_state,
)
from tierproof.model.language import NONE, action, guard

# -- batches


def finish_batch(state: Any, broker: int) -> None:
    """The batch is applied; records that everybody has applied are folded away."""
    me = state.broker[broker]
    me.position += me.batch
    me.batch = 0
    me.publisher = PublisherStep.IDLE
    fold_cluster_log(state)


def fold_cluster_log(state: Any) -> None:
    """Drop the common prefix of the cluster log (a KRaft snapshot does the same)."""
    least = state.broker[0].position
    for b in range(len(state.broker)):
        least = min(least, state.broker[b].position)
    for b in range(len(state.broker)):
        state.broker[b].position -= least
    state.cluster_end -= least
    length = len(state.cluster_log)
    for i in range(length):
        to = state.cluster_log[i]
        if i + least < length:
            origin = state.cluster_log[i + least]
            to.kind = origin.kind
            copy_settings(to.settings, origin.settings)
            to.leader = origin.leader
            to.leader_epoch = origin.leader_epoch
        else:
            clear_record(to)


def last_of_kind(state: Any, broker: int, kind: Any) -> int:
    """Where the newest record of a kind is in the batch in hand, or NONE: a delta is net."""
    me = state.broker[broker]
    found = NONE
    for i in range(me.position, me.position + me.batch):
        if state.cluster_log[i].kind == kind:
            found = i
    return found


def stop_and_wait(state: Any, broker: int, deletes_remote_log: bool) -> None:
    """RemoteLogManager#stopPartitions: what is listed now is deleted, and the publisher waits."""
    me = state.broker[broker]
    stop_partition(state, broker, deletes_remote_log, True)
    if me.to_remove != 0:
        me.publisher = PublisherStep.WAITING_FOR_REMOVAL
        return
    if me.removal_step != RemovalStep.IDLE:
        end_removal(state, broker)
    finish_batch(state, broker)


def apply_leadership(state: Any, broker: int, leader: int, leader_epoch: int) -> None:
    """Partition#makeLeader or #makeFollower, under the settings that the log has so far."""
    me = state.broker[broker]
    me.presumed_leader = leader
    me.leader_epoch = leader_epoch
    if leader == broker:
        become_leader(state, broker)
    elif me.settings.remote_storage_enable:
        follow_remote_log(state, broker)


def drop_replica(state: Any, broker: int) -> None:
    """ReplicaManager#applyDelta of a deleted topic: who led in the old image deletes."""
    leads = presumes_to_lead(state, broker) and state.broker[broker].settings.remote_storage_enable
    delete_local_log(state, broker)
    stop_and_wait(state, broker, leads)


@guard
def is_publisher_idle(state: Topic, broker: Broker) -> bool:
    """The publisher has no batch in hand."""
    return state.broker[broker].publisher == PublisherStep.IDLE


@guard
def has_records(state: Topic, broker: Broker, records: RecordCount) -> bool:
    """So many records wait for the broker."""
    return state.broker[broker].position + records <= state.cluster_end


@action(guards=[is_publisher_idle, has_records], actor="broker {broker}")
def broker_applies_leadership(state: Topic, broker: Broker, records: RecordCount) -> None:
    """Take one or several records in hand and apply the leadership among them, or the topic's end.

    **Who**: the metadata publisher.
    **Kafka**: BrokerMetadataPublisher#onMetadataUpdate, ReplicaManager#applyDelta,
    RemoteLogManager#onLeadershipChange, under the settings that the log has so far.
    **Left out**: partitions without a leader; that renamed files wait for their deletion.
    """
    state.broker[broker].batch = records
    if last_of_kind(state, broker, ClusterRecordKind.REMOVAL) != NONE:
        drop_replica(state, broker)
        return
    leadership = last_of_kind(state, broker, ClusterRecordKind.LEADERSHIP)
    if leadership != NONE:
        record = state.cluster_log[leadership]
        apply_leadership(state, broker, record.leader, record.leader_epoch)
    if last_of_kind(state, broker, ClusterRecordKind.CONFIG) == NONE:
        finish_batch(state, broker)
    else:
        state.broker[broker].publisher = PublisherStep.LEADERSHIP_APPLIED


@guard
def has_config_to_apply(state: Topic, broker: Broker) -> bool:
    """The leadership of the batch in hand is applied, its settings are not."""
    return state.broker[broker].publisher == PublisherStep.LEADERSHIP_APPLIED


def reaction(was: Any, new: Any, is_leader: bool) -> PublisherStep:
    """TopicConfigHandler#maybeUpdateRemoteLogComponents: where it begins, or IDLE."""
    was_enable, was_copy_disable = was.remote_storage_enable, was.remote_log_copy_disable
    enable, copy_disable = new.remote_storage_enable, new.remote_log_copy_disable
    stops = is_leader and stops_copying(was_copy_disable, enable, copy_disable)
    if starts_tasks(was_enable, was_copy_disable, enable, copy_disable):
        return PublisherStep.STARTING_READ_ONLY if stops else PublisherStep.STARTING_TASKS
    if stops:
        return PublisherStep.STOPPING_COPY
    if deletes_remote_log(was_enable, enable, new.remote_log_delete_on_disable):
        return PublisherStep.RAISING_LOG_START if is_leader else PublisherStep.STOPPING_PARTITION
    return PublisherStep.IDLE


def newest_settings(state: Any, broker: int) -> Any:
    """The settings of the batch in hand."""
    return state.cluster_log[last_of_kind(state, broker, ClusterRecordKind.CONFIG)].settings


def update_log_config(state: Any, broker: int, next_step: PublisherStep) -> None:
    """LogManager#updateTopicConfig; then the publisher goes on with `next_step`."""
    me, new = state.broker[broker], newest_settings(state, broker)
    is_disable = me.settings.remote_storage_enable and not new.remote_storage_enable
    if is_disable and state.elected_leader == broker:
        note_legal_removal(state, broker)
    copy_settings(me.settings, new)
    me.tiering = tiering_state(new.remote_storage_enable, new.remote_log_copy_disable)
    if next_step == PublisherStep.IDLE:
        finish_batch(state, broker)
    else:
        me.publisher = next_step


@action(guards=[has_config_to_apply], actor="broker {broker}")
def broker_updates_log_config(state: Topic, broker: Broker) -> None:
    """Give the log its new settings, and find out what follows from the change.

    **Who**: the metadata publisher.
    **Kafka**: LogManager#updateTopicConfig, then the tests of
    TopicConfigHandler#maybeUpdateRemoteLogComponents on the settings before and after.
    **Left out**: settings that the broker rejects, because its own cluster settings differ.
    """
    was, new = state.broker[broker].settings, newest_settings(state, broker)
    next_step = reaction(was, new, presumes_to_lead(state, broker))
    update_log_config(state, broker, next_step)


# -- what follows from a change


@guard
def is_starting_tasks(state: Topic, broker: Broker) -> bool:
    """Tiering, or copying, was switched on."""
    publisher = state.broker[broker].publisher
    return bool(
        publisher == PublisherStep.STARTING_TASKS or publisher == PublisherStep.STARTING_READ_ONLY
    )


@action(guards=[is_starting_tasks], actor="broker {broker}")
def broker_starts_tasks(state: Topic, broker: Broker) -> None:
    """Schedule the tasks of a leader or of a follower.

    **Who**: the metadata publisher.
    **Kafka**: RemoteLogManager#onLeadershipChange from the topic config handler.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    if presumes_to_lead(state, broker):
        schedule_tasks(state, broker)
    else:
        follow_remote_log(state, broker)
    if me.publisher == PublisherStep.STARTING_READ_ONLY:
        me.publisher = PublisherStep.STOPPING_COPY
    else:
        finish_batch(state, broker)


@guard
def is_stopping_copy(state: Topic, broker: Broker) -> bool:
    """Copying was switched off at a leader."""
    return state.broker[broker].publisher == PublisherStep.STOPPING_COPY


@action(guards=[is_stopping_copy], actor="broker {broker}")
def broker_stops_copying(state: Topic, broker: Broker) -> None:
    """Cancel the copy task; expiration and reads go on.

    **Who**: the metadata publisher.
    **Kafka**: RemoteLogManager#stopLeaderCopyRLMTasks.
    **Left out**: the reset of lag metrics.
    """
    cancel_copy_task(state, broker)
    finish_batch(state, broker)


@guard
def is_raising_log_start(state: Topic, broker: Broker) -> bool:
    """Tiering was switched off, with delete, at a leader."""
    return state.broker[broker].publisher == PublisherStep.RAISING_LOG_START


@action(guards=[is_raising_log_start], actor="broker {broker}")
def broker_raises_log_start(state: Topic, broker: Broker) -> None:
    """Move the log start up to the local log start: what was remote only is gone for readers.

    **Who**: the metadata publisher of a broker that believes to lead.
    **Kafka**: UnifiedLog#maybeIncrementLogStartOffset(localLogStartOffset, SegmentDeletion).
    **Left out**: a local log start above the high watermark, which is refused.
    """
    me = state.broker[broker]
    if state.elected_leader == broker:
        note_legal_removal(state, broker)
    raise_log_start(me, me.local_log_start_offset)
    me.publisher = PublisherStep.STOPPING_PARTITION


@guard
def is_stopping_partition(state: Topic, broker: Broker) -> bool:
    """The tasks of a topic that is no longer tiered are to end."""
    return state.broker[broker].publisher == PublisherStep.STOPPING_PARTITION


@action(guards=[is_stopping_partition], actor="broker {broker}")
def broker_stops_partition(state: Topic, broker: Broker) -> None:
    """Cancel every remote log task; a leader lists what it then deletes. No thread is awaited.

    **Who**: the metadata publisher.
    **Kafka**: RemoteLogManager#stopPartitions; errors are logged and swallowed.
    **Left out**: nothing.
    """
    stop_and_wait(state, broker, presumes_to_lead(state, broker))


@guard
def has_removal_ended(state: Topic, broker: Broker) -> bool:
    """The publisher waits for a removal, and it is over, be it done or failed."""
    me = state.broker[broker]
    return bool(
        me.publisher == PublisherStep.WAITING_FOR_REMOVAL and me.removal_step == RemovalStep.IDLE
    )


@action(guards=[has_removal_ended], actor="broker {broker}")
def broker_finishes_batch(state: Topic, broker: Broker) -> None:
    """The publisher is done with its batch, and ready for the next.

    **Who**: the metadata publisher.
    **Kafka**: BrokerMetadataPublisher#onMetadataUpdate returns.
    **Left out**: nothing.
    """
    finish_batch(state, broker)
