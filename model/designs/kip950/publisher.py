"""A broker's metadata publisher: batches of the cluster log, leadership first, then settings.

It is one thread per broker, so that a long removal delays the next batch. It starts and stops
KIP-405's tasks; cancelling a task sets a flag, and waits for nobody.
"""

from tierproof.model.designs.kip405.leadership import become_leader
from tierproof.model.designs.kip405.state import Broker, RemovalStep, Settings
from tierproof.model.designs.kip405.stopping import delete_local_log, end_removal, stop_partition
from tierproof.model.designs.kip405.tasks import cancel_copy_task, follow_remote_log, schedule_tasks
from tierproof.model.designs.kip950.controller import clear_record
from tierproof.model.designs.kip950.state import (
    PUBLISHING,
    ClusterRecord,
    PublisherStep,
    RecordCount,
    Topic,
)
from tierproof.model.kafka.cluster_log import ClusterRecordKind, last_in_batch
from tierproof.model.kafka.local_retention import raise_log_start
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.kafka.topic_config import (
    deletes_remote_log,
    disables_without_delete,
    starts_tasks,
    stops_copying,
    tiering_state,
)
from tierproof.model.language import NONE, Actor, fence, guard

PUBLISHER = Actor("broker {broker}", at="broker[broker].publisher", life=PUBLISHING)
AFTER_SETTINGS = (
    PublisherStep.IDLE,
    PublisherStep.STARTING_TASKS,
    PublisherStep.STARTING_READ_ONLY,
    PublisherStep.STOPPING_COPY,
    PublisherStep.RAISING_LOG_START,
    PublisherStep.STOPPING_PARTITION,
)
"""Where new settings may take the publisher."""

# -- batches


def finish_batch(state: Topic, broker: int) -> None:
    """The batch is applied; records that every broker has applied are dropped."""
    replica = state.broker[broker]
    replica.position += replica.batch
    replica.batch = 0
    drop_applied_records(state)


def drop_applied_records(state: Topic) -> None:
    """Drop what every broker has applied from the cluster log, as a KRaft snapshot does."""
    least = state.broker[0].position
    for replica in state.broker:
        least = min(least, replica.position)
    for replica in state.broker:
        replica.position -= least
    state.cluster_end -= least
    length = len(state.cluster_log)
    for place in range(length):
        if place + least < length:
            state.cluster_log[place] = state.cluster_log[place + least]
        else:
            clear_record(state.cluster_log[place])


def newest(state: Topic, broker: int, kind: ClusterRecordKind) -> int:
    """Where the newest record of a kind is in the batch in hand, or NONE."""
    return last_in_batch(state.cluster_log, state.broker[broker], kind)


@guard
def has_records(state: Topic, broker: Broker, records: RecordCount) -> bool:
    """So many records wait for the broker."""
    return state.broker[broker].position + records <= state.cluster_end


@PUBLISHER.action(
    PublisherStep.IDLE,
    (PublisherStep.IDLE, PublisherStep.LEADERSHIP_APPLIED, PublisherStep.WAITING_FOR_REMOVAL),
    guards=[has_records],
)
def broker_applies_leadership(state: Topic, broker: Broker, records: RecordCount) -> None:
    """Take one or several records in hand and apply the leadership among them, or the topic's end.

    Kafka: BrokerMetadataPublisher#onMetadataUpdate, ReplicaManager#applyDelta,
    RemoteLogManager#onLeadershipChange, under the settings that the log has so far.
    Left out: partitions without a leader; that renamed files wait for their deletion.
    """
    replica = state.broker[broker]
    replica.batch = records
    if newest(state, broker, ClusterRecordKind.REMOVAL) != NONE:
        drop_replica(state, broker)
        return
    leadership = newest(state, broker, ClusterRecordKind.LEADERSHIP)
    if leadership != NONE:
        apply_leadership(state, broker, state.cluster_log[leadership])
    if newest(state, broker, ClusterRecordKind.CONFIG) == NONE:
        finish_batch(state, broker)
    else:
        replica.publisher = PublisherStep.LEADERSHIP_APPLIED


def apply_leadership(state: Topic, broker: int, record: ClusterRecord) -> None:
    """Partition#makeLeader or #makeFollower, under the settings that the log has so far."""
    replica = state.broker[broker]
    replica.presumed_leader = record.leader
    replica.leader_epoch = record.leader_epoch
    if record.leader == broker:
        become_leader(state, broker)
    elif replica.settings.remote_storage_enable:
        follow_remote_log(state, broker)


def drop_replica(state: Topic, broker: int) -> None:
    """ReplicaManager#applyDelta of a deleted topic: the leader of the old image deletes."""
    leads = presumes_to_lead(state, broker) and state.broker[broker].settings.remote_storage_enable
    delete_local_log(state, broker)
    stop_and_wait(state, broker, leads)


def stop_and_wait(state: Topic, broker: int, deletes_remote_log: bool) -> None:
    """RemoteLogManager#stopPartitions: what is listed now is deleted, and the publisher waits."""
    replica = state.broker[broker]
    stop_partition(state, broker, deletes_remote_log, True)
    if replica.to_remove:
        replica.publisher = PublisherStep.WAITING_FOR_REMOVAL
        return
    if replica.removal_step != RemovalStep.IDLE:
        end_removal(state, broker)
        replica.removal_step = RemovalStep.IDLE
    replica.publisher = PublisherStep.IDLE
    finish_batch(state, broker)


# -- new settings


def disables_as_leader(state: Topic, broker: int) -> bool:
    """Whether the broker raises its log start and deletes: as a leader does, perhaps a zombie."""
    return presumes_to_lead(state, broker)


def reaction(was: Settings, new: Settings, is_leader: bool) -> PublisherStep:
    """TopicConfigHandler#maybeUpdateRemoteLogComponents: where it begins, or IDLE."""
    was_enable, was_copy_disable = was.remote_storage_enable, was.remote_log_copy_disable
    enable, copy_disable = new.remote_storage_enable, new.remote_log_copy_disable
    stops = is_leader and stops_copying(was_copy_disable, enable, copy_disable)
    if starts_tasks(was_enable, was_copy_disable, enable, copy_disable):
        return PublisherStep.STARTING_READ_ONLY if stops else PublisherStep.STARTING_TASKS
    if stops:
        return PublisherStep.STOPPING_COPY
    if deletes_remote_log(was_enable, enable, new.remote_log_delete_on_disable):
        return PublisherStep.STOPPING_PARTITION
    return PublisherStep.IDLE


def newest_settings(state: Topic, broker: int) -> Settings:
    """The settings of the batch in hand."""
    return state.cluster_log[newest(state, broker, ClusterRecordKind.CONFIG)].settings


def apply_settings(state: Topic, broker: int) -> None:
    """LogManager#updateTopicConfig, and what the handler finds out from the change."""
    was, new = state.broker[broker].settings, newest_settings(state, broker)
    next_step = reaction(was, new, presumes_to_lead(state, broker))
    if next_step == PublisherStep.STOPPING_PARTITION and disables_as_leader(state, broker):
        next_step = PublisherStep.RAISING_LOG_START
    update_log_config(state, broker, next_step)


def update_log_config(state: Topic, broker: int, next_step: PublisherStep) -> None:
    """LogManager#updateTopicConfig; the publisher continues at `next_step`."""
    replica, new = state.broker[broker], newest_settings(state, broker)
    replica.settings = new
    replica.tiering = tiering_state(new.remote_storage_enable, new.remote_log_copy_disable)
    replica.publisher = next_step
    if next_step == PublisherStep.IDLE:
        finish_batch(state, broker)


def log_refuses(state: Topic, broker: int) -> bool:
    """LogConfig#validateTurningOffRemoteStorageWithDelete, of the log's settings and the newest."""
    was, new = state.broker[broker].settings, newest_settings(state, broker)
    return disables_without_delete(
        was.remote_storage_enable, new.remote_storage_enable, new.remote_log_delete_on_disable
    )


@guard
def log_takes_settings(state: Topic, broker: Broker) -> bool:
    """The newest settings are a change that the log accepts."""
    return not log_refuses(state, broker)


@guard
def log_refuses_settings(state: Topic, broker: Broker) -> bool:
    """InvalidConfigurationException: the sum of the changes disables without delete."""
    return log_refuses(state, broker)


@PUBLISHER.action(PublisherStep.LEADERSHIP_APPLIED, AFTER_SETTINGS, guards=[log_takes_settings])
def broker_updates_log_config(state: Topic, broker: Broker) -> None:
    """Give the log its new settings, and find out what follows from the change.

    Kafka: LogManager#updateTopicConfig, then the tests of
    TopicConfigHandler#maybeUpdateRemoteLogComponents on the settings before and after.
    """
    apply_settings(state, broker)


@PUBLISHER.action(
    PublisherStep.LEADERSHIP_APPLIED, PublisherStep.IDLE, guards=[log_refuses_settings]
)
def broker_refuses_settings(state: Topic, broker: Broker) -> None:
    """The log keeps the settings that it has, all of them, and the batch counts as applied.

    The controller has compared each change with the one before. The broker compares the newest
    settings with those of its log, which may be older by several changes.

    Kafka: LogManager#updateTopicConfig throws before it reaches a log, in 3.9 and 4.x alike;
    DynamicConfigPublisher hands the exception to a fault handler that logs it, and
    TopicConfigHandler#maybeUpdateRemoteLogComponents is not called.
    Left out: what is tested before and after it, which looks at the newest settings alone. The
    controller has accepted those, unless the broker's own cluster settings differ
    (LogConfig#validateRemoteStorageOnlyIfSystemEnabled,
    #validateRetentionConfigsWhenRemoteCopyDisabled).
    """
    finish_batch(state, broker)


# -- what follows from new settings


@PUBLISHER.action((PublisherStep.STARTING_TASKS, PublisherStep.STARTING_READ_ONLY))
def broker_starts_tasks(state: Topic, broker: Broker) -> None:
    """Schedule the tasks of a leader or of a follower: tiering, or copying, was switched on.

    Kafka: RemoteLogManager#onLeadershipChange from the topic config handler.
    """
    replica = state.broker[broker]
    if presumes_to_lead(state, broker):
        schedule_tasks(state, broker)
    else:
        follow_remote_log(state, broker)
    if replica.publisher == PublisherStep.STARTING_READ_ONLY:
        replica.publisher = PublisherStep.STOPPING_COPY
    else:
        replica.publisher = PublisherStep.IDLE
        finish_batch(state, broker)


@PUBLISHER.action(PublisherStep.STOPPING_COPY, PublisherStep.IDLE)
def broker_stops_copying(state: Topic, broker: Broker) -> None:
    """Cancel a leader's copy task; expiration and reads continue.

    Kafka: RemoteLogManager#stopLeaderCopyRLMTasks. Left out: the reset of lag metrics.
    """
    cancel_copy_task(state, broker)
    finish_batch(state, broker)


@PUBLISHER.action(PublisherStep.RAISING_LOG_START, PublisherStep.STOPPING_PARTITION)
def broker_raises_log_start(state: Topic, broker: Broker) -> None:
    """Move a leader's log start up to the local log start: readers lose what was only remote.

    The broker presumes to lead; it may be a zombie.

    Kafka: UnifiedLog#maybeIncrementLogStartOffset(localLogStartOffset, SegmentDeletion).
    Left out: a local log start above the high watermark, which is refused.
    """
    replica = state.broker[broker]
    raise_log_start(replica, replica.local_log_start_offset)


@PUBLISHER.action(
    PublisherStep.STOPPING_PARTITION, (PublisherStep.IDLE, PublisherStep.WAITING_FOR_REMOVAL)
)
def broker_stops_partition(state: Topic, broker: Broker) -> None:
    """Cancel every remote log task; a leader lists what it then deletes. No thread is awaited.

    Kafka: RemoteLogManager#stopPartitions; errors are logged and swallowed.
    """
    stop_and_wait(state, broker, disables_as_leader(state, broker))


@fence(protects="object_deleted_only_when_not_needed", scope="alone")
def has_removal_ended(state: Topic, broker: Broker) -> bool:
    """The removal that the publisher waits for is over, be it done or failed.

    A removal deletes what it listed at its beginning. If the publisher took the next batch
    before, it could start the tasks of a topic that is tiered again, whose metadata still lists
    segments as copied; the removal would then delete objects on which that topic relies.
    """
    return state.broker[broker].removal_step == RemovalStep.IDLE


@PUBLISHER.action(PublisherStep.WAITING_FOR_REMOVAL, PublisherStep.IDLE, guards=[has_removal_ended])
def broker_finishes_batch(state: Topic, broker: Broker) -> None:
    """Finish the batch: the publisher is ready for the next.

    Kafka: BrokerMetadataPublisher#onMetadataUpdate returns.
    """
    finish_batch(state, broker)


SYSTEM = (
    broker_applies_leadership,
    broker_updates_log_config,
    broker_refuses_settings,
    broker_starts_tasks,
    broker_stops_copying,
    broker_raises_log_start,
    broker_stops_partition,
    broker_finishes_batch,
)
