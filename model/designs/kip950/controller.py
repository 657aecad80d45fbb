"""The controller: validates settings, elects, deletes the topic, and logs all in one order.

The cluster log is what brokers learn it from, each at its own pace.
"""

from typing import Any

from tierproof.model.designs.kip405.leadership import is_in_sync, topic_exists
from tierproof.model.designs.kip405.restarting import has_leader_epoch_left
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950.state import ClusterRecordKind, Topic
from tierproof.model.kafka.local_retention import UNSET
from tierproof.model.kafka.topic_config import (
    RemoteData,
    disables_without_delete,
    local_retention_differs,
    remote_data,
    tiering_state,
)
from tierproof.model.language import action, guard, limit


def set_tiering(
    settings: Any, enable: bool, copy_disable: bool, delete_on_disable: bool, local_bytes: int
) -> None:
    """Assign the settings that tiering depends on; local.retention.ms is never set."""
    settings.remote_storage_enable = enable
    settings.remote_log_copy_disable = copy_disable
    settings.remote_log_delete_on_disable = delete_on_disable
    settings.local_retention_bytes = local_bytes
    settings.local_retention_ms = UNSET


def copy_settings(to: Any, given: Any) -> None:
    """Make `to` equal to `given`."""
    set_tiering(
        to,
        given.remote_storage_enable,
        given.remote_log_copy_disable,
        given.remote_log_delete_on_disable,
        given.local_retention_bytes,
    )
    to.retention_ms = given.retention_ms
    to.retention_bytes = given.retention_bytes


def clear_record(record: Any) -> None:
    """A place of the cluster log that is not used."""
    record.kind = ClusterRecordKind.NOTHING
    set_tiering(record.settings, False, False, False, UNSET)
    record.settings.retention_ms = -1
    record.settings.retention_bytes = -1
    record.leader = 0
    record.leader_epoch = 0


def local_bytes(local_matches: bool, scope: Any) -> int:
    """local.retention.bytes: unset, or as little as keeps one record."""
    return UNSET if local_matches else min(1, scope.retention_bytes)


def note_legal_removal(state: Any, broker: int) -> None:
    """Ghost: a disable with delete lets go of what `broker`, a leader, has no longer locally."""
    me = state.broker[broker]
    state.legal_end = max(state.legal_end, min(me.local_log_start_offset, me.log_end_offset))


def log_leadership(state: Any) -> None:
    """A PartitionChangeRecord of the elected leader."""
    record = state.cluster_log[state.cluster_end]
    record.kind = ClusterRecordKind.LEADERSHIP
    record.leader = state.elected_leader
    record.leader_epoch = state.leader_epoch
    state.cluster_end += 1


@limit
def has_room_in_cluster_log(state: Topic) -> bool:
    """Some broker lags by fewer records than the scope holds."""
    return state.cluster_end < len(state.cluster_log)


@limit
def is_in_vocabulary(
    state: Topic,
    enable: bool,
    copy_disable: bool,
    delete_on_disable: bool,
    local_matches: bool,
    scope: Any,
) -> bool:
    """Small scopes know three settings: tiered, read-only, and disabled with delete."""
    if scope.all_settings == 1:
        return True
    if enable and not copy_disable:
        return bool(not delete_on_disable and not local_matches)
    if enable:
        return bool(not delete_on_disable and local_matches)
    return bool(not copy_disable and delete_on_disable and not local_matches)


@guard
def is_a_change(
    state: Topic,
    enable: bool,
    copy_disable: bool,
    delete_on_disable: bool,
    local_matches: bool,
    scope: Any,
) -> bool:
    """ConfigurationControlManager writes a record only for a value that differs."""
    settings = state.settings
    return bool(
        enable != settings.remote_storage_enable
        or copy_disable != settings.remote_log_copy_disable
        or delete_on_disable != settings.remote_log_delete_on_disable
        or local_bytes(local_matches, scope) != settings.local_retention_bytes
    )


@guard
def decides_on_remote_data(state: Topic, enable: bool, delete_on_disable: bool) -> bool:
    """InvalidConfigurationException: disabling must say that remote data goes (step 2.2.1)."""
    return not disables_without_delete(
        state.settings.remote_storage_enable, enable, delete_on_disable
    )


@guard
def aligns_local_retention(
    state: Topic, enable: bool, copy_disable: bool, local_matches: bool
) -> bool:
    """InvalidConfigurationException: read-only needs local retention = retention (step 2.2.2)."""
    return not local_retention_differs(enable, copy_disable, local_matches)


@action(
    guards=[
        topic_exists,
        has_room_in_cluster_log,
        is_in_vocabulary,
        is_a_change,
        decides_on_remote_data,
        aligns_local_retention,
    ],
    actor="controller",
    budget="config_changes",
)
def controller_alters_config(
    state: Topic,
    enable: bool,
    copy_disable: bool,
    delete_on_disable: bool,
    local_matches: bool,
    scope: Any,
) -> None:
    """Accept an alter-config and append a ConfigRecord.

    **Who**: the active controller, for a user.
    **Kafka**: ControllerConfigurationValidator,
    ConfigurationControlManager#incrementalAlterConfigs.
    **Left out**: rejected requests (`model.kafka.topic_config_validation` answers them and
    they change nothing); other settings; controller failover; one record per key of a request.
    """
    wanted = local_bytes(local_matches, scope)
    set_tiering(state.settings, enable, copy_disable, delete_on_disable, wanted)
    state.tiering = tiering_state(enable, copy_disable)
    if remote_data(enable, copy_disable, delete_on_disable) == RemoteData.DELETED:
        note_legal_removal(state, state.elected_leader)
    record = state.cluster_log[state.cluster_end]
    record.kind = ClusterRecordKind.CONFIG
    copy_settings(record.settings, state.settings)
    state.cluster_end += 1


@action(
    guards=[topic_exists, is_in_sync, has_leader_epoch_left, has_room_in_cluster_log],
    actor="controller",
    to="broker {broker}",
    budget="elections",
)
def controller_elects_leader(state: Topic, broker: Broker) -> None:
    """A replica leads in a new epoch; it may be the one that led before.

    **Who**: the active controller; the old leader was fenced, or leadership was moved.
    **Kafka**: PartitionChangeBuilder, PartitionChangeRecord.
    **Left out**: a partition without a leader; records of replicas in sync.
    """
    state.elected_leader = broker
    state.leader_epoch += 1
    log_leadership(state)


@action(
    guards=[topic_exists, has_room_in_cluster_log],
    actor="user",
    to="controller",
    budget="topic_deletions",
)
def user_deletes_topic(state: Topic) -> None:
    """The topic is to be deleted.

    **Who**: a user, through the controller.
    **Kafka**: ReplicationControlManager#deleteTopics, RemoveTopicRecord.
    **Left out**: a topic of the same name that is created again (another topic id).
    """
    state.is_topic_deleted = True
    state.cluster_log[state.cluster_end].kind = ClusterRecordKind.REMOVAL
    state.cluster_end += 1
