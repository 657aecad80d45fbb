"""What recordings of Kafka do besides: settings that change, caches that are read again.

Not explored here. The design kip950 explores changes of settings, with the controller, batches
of metadata and validation.
"""

from typing import Annotated

from tierproof.model.designs.kip405.actors import BROKER
from tierproof.model.designs.kip405.leadership import follow
from tierproof.model.designs.kip405.missing_snapshots import (
    NEEDS_SNAPSHOT,
    copy_misses_snapshot,
)
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
from tierproof.model.language import Edit, Range

Flag = Annotated[int, Range(0, 1)]


# -- producer snapshots that are lost


@BROKER.action(stutters=True)
def broker_loses_snapshots(state: Partition, broker: Broker, offset: OffsetEnd) -> None:
    """Lose the producer snapshots before an offset.

    Kafka: ProducerStateManager#fetchSnapshot finds none. Left out: snapshots missing in between.
    """
    state.broker[broker].producer_snapshots_start = offset


# -- settings


@BROKER.action(stutters=True)
def broker_applies_retention(
    state: Partition,
    broker: Broker,
    retention_ms: RetentionMs,
    retention_bytes: RetentionBytes,
    local_retention_ms: LocalRetentionMs,
    local_retention_bytes: LocalRetentionBytes,
) -> None:
    """Apply other retention settings to the log.

    Kafka: LogManager#updateTopicConfig. Left out: validation.
    """
    settings = state.broker[broker].settings
    settings.retention_ms = retention_ms
    settings.retention_bytes = retention_bytes
    settings.local_retention_ms = local_retention_ms
    settings.local_retention_bytes = local_retention_bytes


@BROKER.action(stutters=True)
def broker_applies_tiering(
    state: Partition, broker: Broker, enable: Flag, copy_disable: Flag, delete_on_disable: Flag
) -> None:
    """Apply other tiering settings to the log; the handler reacts up to its first deletion.

    Kafka: TopicConfigHandler#maybeUpdateRemoteLogComponents. Left out: validation.
    """
    replica, leads = state.broker[broker], presumes_to_lead(state, broker)
    was_enable = replica.settings.remote_storage_enable
    was_copy_disable = replica.settings.remote_log_copy_disable
    replica.settings.remote_storage_enable = bool(enable)
    replica.settings.remote_log_copy_disable = bool(copy_disable)
    replica.settings.remote_log_delete_on_disable = bool(delete_on_disable)
    if starts_tasks(was_enable, was_copy_disable, bool(enable), bool(copy_disable)):
        if leads:
            schedule_tasks(state, broker)
        else:
            follow_remote_log(state, broker)
    if leads and stops_copying(was_copy_disable, bool(enable), bool(copy_disable)):
        cancel_copy_task(state, broker)
    if deletes_remote_log(was_enable, bool(enable), bool(delete_on_disable)):
        if leads:
            raise_log_start(replica, replica.local_log_start_offset)
        stop_partition(state, broker, leads, True)


@BROKER.action(stutters=True)
def broker_stops_partition(
    state: Partition, broker: Broker, delete_local: Flag, delete_remote: Flag, stop_metadata: Flag
) -> None:
    """Stop the partition, as one call of the recording says.

    Kafka: RemoteLogManager#stopPartitions.
    """
    stops_metadata = bool(delete_local) or bool(stop_metadata)
    stop_partition(state, broker, bool(delete_remote), stops_metadata)
    if delete_local:
        delete_local_log(state, broker)


# -- memory


@BROKER.action(stutters=True)
def broker_reloads_metadata(state: Partition, broker: Broker) -> None:
    """Drop the cache and read it again from the metadata topic.

    Kafka: RemotePartitionMetadataStore#clearTopicPartition.
    """
    replica = state.broker[broker]
    forget_all(replica.cache)
    replica.metadata_position = 0
    replica.metadata_assigned_end = state.metadata_end
    replica.cache.is_initialized = state.metadata_end == 0


@BROKER.action(stutters=True)
def broker_cancels_tasks(state: Partition, broker: Broker) -> None:
    """Cancel the tasks, so that the next election of the same broker makes new ones.

    Kafka: RemoteLogManager keeps the tasks of a leader that is elected again.
    """
    cancel_tasks(state, broker)


@BROKER.action(stutters=True)
def broker_restarts_without_checkpoints(state: Partition, broker: Broker) -> None:
    """Come back without the checkpoint files.

    Kafka: LogLoader#load, LogManager#loadLog without checkpoints.
    """
    log = state.broker[broker]
    forget_memory(state, broker)
    log.log_start_checkpoint = 0
    load_log(log)
    log.high_watermark = log.log_start_offset
    follow(state, broker)


RECORDINGS = Edit(
    fence=NEEDS_SNAPSHOT,
    add_environment=(
        copy_misses_snapshot,
        broker_applies_retention,
        broker_applies_tiering,
        broker_stops_partition,
        broker_reloads_metadata,
        broker_loses_snapshots,
        broker_cancels_tasks,
        broker_restarts_without_checkpoints,
    ),
)
