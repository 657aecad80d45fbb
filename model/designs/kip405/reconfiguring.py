"""A topic whose settings change (KIP-950), for the replay of recordings: not explored here.

The design kip950 explores it, with the controller, batches of metadata and validation.
"""

from typing import Annotated

from tierproof.model.designs.kip405.leadership import follow
from tierproof.model.designs.kip405.restarting import forget_memory, load_log
from tierproof.model.designs.kip405.state import (
    Broker,
    LocalRetentionBytes,
    LocalRetentionMs,
    Partition,
    RetentionBytes,
    RetentionMs,
)
from tierproof.model.designs.kip405.stopping import delete_local_log, stop_partition
from tierproof.model.designs.kip405.tasks import (
    cancel_copy_task,
    cancel_tasks,
    follow_remote_log,
    schedule_tasks,
)
from tierproof.model.kafka.local_retention import raise_log_start
from tierproof.model.kafka.remote_metadata_cache import forget_all
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.kafka.scope import OffsetEnd
from tierproof.model.kafka.topic_config import deletes_remote_log, starts_tasks, stops_copying
from tierproof.model.language import Range, action

Flag = Annotated[int, Range(0, 1)]


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

    **Who**: the broker's metadata publisher.
    **Kafka**: TopicConfigHandler#maybeUpdateRemoteLogComponents.
    **Left out**: validation.
    """
    me, leads = state.broker[broker], presumes_to_lead(state, broker)
    was_enable = bool(me.settings.remote_storage_enable)
    was_copy_disable = bool(me.settings.remote_log_copy_disable)
    me.settings.remote_storage_enable = bool(enable)
    me.settings.remote_log_copy_disable = bool(copy_disable)
    me.settings.remote_log_delete_on_disable = bool(delete_on_disable)
    if starts_tasks(was_enable, was_copy_disable, bool(enable), bool(copy_disable)):
        if leads:
            schedule_tasks(state, broker)
        else:
            follow_remote_log(state, broker)
    if leads and stops_copying(was_copy_disable, bool(enable), bool(copy_disable)):
        cancel_copy_task(state, broker)
    if deletes_remote_log(was_enable, bool(enable), bool(delete_on_disable)):
        if leads:
            raise_log_start(me, me.local_log_start_offset)
        stop_partition(state, broker, leads, True)


@action(actor="broker {broker}", stutters=True)
def broker_stops_partition(
    state: Partition, broker: Broker, delete_local: Flag, delete_remote: Flag, stop_metadata: Flag
) -> None:
    """Stop the partition, as one call of the recording says.

    **Who**: the recording.
    **Kafka**: RemoteLogManager#stopPartitions.
    **Left out**: nothing.
    """
    stops_metadata = bool(delete_local) or bool(stop_metadata)
    stop_partition(state, broker, bool(delete_remote), stops_metadata)
    if delete_local:
        delete_local_log(state, broker)


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


@action(actor="broker {broker}", stutters=True)
def broker_restarts_without_checkpoints(state: Partition, broker: Broker) -> None:
    """The broker comes back, and its checkpoint files are lost.

    **Who**: the recording.
    **Kafka**: LogLoader#load, LogManager#loadLog without checkpoints.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    forget_memory(state, broker)
    me.log_start_checkpoint = 0
    load_log(me)
    me.high_watermark = me.log_start_offset
    follow(state, broker)
