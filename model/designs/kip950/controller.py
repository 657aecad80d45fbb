"""The controller: validates settings, elects, deletes the topic, and logs all in one order.

The cluster log is what brokers learn it from, each at its own pace.
"""

from tierproof.model.designs.kip405.actors import CONTROLLER
from tierproof.model.designs.kip405.leadership import topic_exists
from tierproof.model.designs.kip405.state import Settings
from tierproof.model.designs.kip950.state import ClusterRecord, TieredTopic, Topic
from tierproof.model.kafka.cluster_log import ClusterRecordKind
from tierproof.model.kafka.local_retention import UNSET
from tierproof.model.kafka.topic_config import (
    disables_without_delete,
    local_retention_differs,
    tiering_state,
)
from tierproof.model.language import fence, guard, limit

# -- the cluster log


@limit
def has_room_in_cluster_log(state: Topic) -> bool:
    """The slowest broker lags by fewer records than the scope holds."""
    return state.cluster_end < len(state.cluster_log)


def log_settings(state: Topic) -> None:
    """A ConfigRecord of the topic's settings."""
    record = state.cluster_log[state.cluster_end]
    record.kind = ClusterRecordKind.CONFIG
    record.settings = state.settings
    state.cluster_end += 1


def log_leadership(state: Topic) -> None:
    """A PartitionChangeRecord of the elected leader."""
    record = state.cluster_log[state.cluster_end]
    record.kind = ClusterRecordKind.LEADERSHIP
    record.leader = state.elected_leader
    record.leader_epoch = state.leader_epoch
    state.cluster_end += 1


def log_removal(state: Topic) -> None:
    """A RemoveTopicRecord."""
    state.cluster_log[state.cluster_end].kind = ClusterRecordKind.REMOVAL
    state.cluster_end += 1


def clear_record(record: ClusterRecord) -> None:
    """Reset a place of the cluster log that is not used."""
    record.kind = ClusterRecordKind.NOTHING
    set_tiering(record.settings, False, False, False, UNSET)
    record.settings.retention_ms = -1
    record.settings.retention_bytes = -1
    record.leader = 0
    record.leader_epoch = 0


# -- the settings


def set_tiering(
    settings: Settings, enable: bool, copy_disable: bool, delete_on_disable: bool, local_bytes: int
) -> None:
    """Assign the settings that tiering depends on; local.retention.ms is never set."""
    settings.remote_storage_enable = enable
    settings.remote_log_copy_disable = copy_disable
    settings.remote_log_delete_on_disable = delete_on_disable
    settings.local_retention_bytes = local_bytes
    settings.local_retention_ms = UNSET


def local_bytes(local_matches: bool, scope: TieredTopic) -> int:
    """local.retention.bytes: unset, or as little as keeps one record."""
    return UNSET if local_matches else min(1, scope.retention_bytes)


@limit
def is_in_vocabulary(
    state: Topic,
    enable: bool,
    copy_disable: bool,
    delete_on_disable: bool,
    local_matches: bool,
    scope: TieredTopic,
) -> bool:
    """Without `all_settings` a topic is tiered, read-only, or disabled with delete."""
    if scope.all_settings == 1:
        return True
    is_one_of_three = delete_on_disable != enable and local_matches == copy_disable
    return is_one_of_three and (enable or not copy_disable)


@guard
def is_a_change(
    state: Topic,
    enable: bool,
    copy_disable: bool,
    delete_on_disable: bool,
    local_matches: bool,
    scope: TieredTopic,
) -> bool:
    """ConfigurationControlManager writes a record only for a value that differs."""
    settings = state.settings
    return (
        enable != settings.remote_storage_enable
        or copy_disable != settings.remote_log_copy_disable
        or delete_on_disable != settings.remote_log_delete_on_disable
        or local_bytes(local_matches, scope) != settings.local_retention_bytes
    )


@fence(protects="disabling_decides_on_remote_data", scope="alone")
def decides_on_remote_data(state: Topic, enable: bool, delete_on_disable: bool) -> bool:
    """InvalidConfigurationException: disabling must say that remote data goes (step 2.2.1).

    A broker deletes the remote log only where delete-on-disable is set. Without it the
    objects of a disabled topic would have no owner: no task reads, expires or deletes them.
    """
    return not disables_without_delete(
        state.settings.remote_storage_enable, enable, delete_on_disable
    )


@fence(protects="read_only_topic_has_one_retention", scope="alone")
def aligns_local_retention(
    state: Topic, enable: bool, copy_disable: bool, local_matches: bool
) -> bool:
    """InvalidConfigurationException: read-only needs local retention = retention (step 2.2.2).

    A topic that copies nothing keeps its newest records locally until they expire, so that a
    shorter local retention would silently not apply.
    """
    return not local_retention_differs(enable, copy_disable, local_matches)


@CONTROLLER.action(
    guards=[
        topic_exists,
        has_room_in_cluster_log,
        is_in_vocabulary,
        is_a_change,
        decides_on_remote_data,
        aligns_local_retention,
    ],
    budget="config_changes",
)
def controller_alters_config(
    state: Topic,
    enable: bool,
    copy_disable: bool,
    delete_on_disable: bool,
    local_matches: bool,
    scope: TieredTopic,
) -> None:
    """Accept an alter-config and append a ConfigRecord.

    Kafka: ControllerConfigurationValidator,
    ConfigurationControlManager#incrementalAlterConfigs.
    Left out: rejected requests (`model.kafka.topic_config_validation` answers them and
    they change nothing); other settings; controller failover; one record per key of a request.
    """
    wanted = local_bytes(local_matches, scope)
    set_tiering(state.settings, enable, copy_disable, delete_on_disable, wanted)
    state.tiering = tiering_state(enable, copy_disable)
    log_settings(state)
