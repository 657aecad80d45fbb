"""The controller: it validates alter-configs, elects leaders, and logs both in one order."""

from typing import Any

from model.designs.kip950.state import Broker, MetadataKind, Partition
from model.kafka.topic_config import (
    RemoteData,
    disables_without_delete,
    local_retention_differs,
    remote_data,
    tiering_state,
)
from model.language import action, guard, limit


def set_settings(
    settings: Any, enable: bool, copy_disable: bool, delete_on_disable: bool, local_matches: bool
) -> None:
    """Assign the four settings."""
    settings.remote_storage_enable = enable
    settings.remote_log_copy_disable = copy_disable
    settings.remote_log_delete_on_disable = delete_on_disable
    settings.local_retention_matches = local_matches


def copy_settings(target: Any, given: Any) -> None:
    """Assign `given` to `target`, field by field."""
    set_settings(
        target,
        given.remote_storage_enable,
        given.remote_log_copy_disable,
        given.remote_log_delete_on_disable,
        given.local_retention_matches,
    )


def note_legal_removal(state: Any, broker: int) -> None:
    """Ghost: a disable with delete lets go of what `broker`, a leader, no longer has locally."""
    state.legal_end = max(
        state.legal_end,
        min(state.broker[broker].local_log_start_offset, state.broker[broker].log_end_offset),
    )


@limit
def has_room_in_metadata_log(state: Partition) -> bool:
    """Some broker lags by fewer records than the scope holds."""
    return state.metadata_end < len(state.metadata_log)


@limit
def is_in_vocabulary(
    state: Partition,
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
    state: Partition,
    enable: bool,
    copy_disable: bool,
    delete_on_disable: bool,
    local_matches: bool,
) -> bool:
    """ConfigurationControlManager writes a record only for a value that differs."""
    settings = state.settings
    return bool(
        enable != settings.remote_storage_enable
        or copy_disable != settings.remote_log_copy_disable
        or delete_on_disable != settings.remote_log_delete_on_disable
        or local_matches != settings.local_retention_matches
    )


@guard
def decides_on_remote_data(state: Partition, enable: bool, delete_on_disable: bool) -> bool:
    """InvalidConfigurationException: disabling must say that remote data goes (step 2.2.1)."""
    return not disables_without_delete(
        state.settings.remote_storage_enable, enable, delete_on_disable
    )


@guard
def aligns_local_retention(
    state: Partition, enable: bool, copy_disable: bool, local_matches: bool
) -> bool:
    """InvalidConfigurationException: read-only needs local retention = retention (step 2.2.2)."""
    return not local_retention_differs(enable, copy_disable, local_matches)


@action(
    guards=[
        has_room_in_metadata_log,
        is_in_vocabulary,
        is_a_change,
        decides_on_remote_data,
        aligns_local_retention,
    ],
    actor="controller",
    budget="config_changes",
)
def controller_alters_config(
    state: Partition,
    enable: bool,
    copy_disable: bool,
    delete_on_disable: bool,
    local_matches: bool,
) -> None:
    """Accept an alter-config and append a ConfigRecord.

    **Who**: the active controller, for a user.
    **Kafka**: ControllerConfigurationValidator,
    ConfigurationControlManager#incrementalAlterConfigs.
    **Left out**: rejected requests (`model.kafka.topic_config.rejection` answers them and
    they change nothing); controller failover; one record per key of a request.
    """
    set_settings(state.settings, enable, copy_disable, delete_on_disable, local_matches)
    state.tiering = tiering_state(enable, copy_disable)
    if remote_data(enable, copy_disable, delete_on_disable) == RemoteData.DELETED:
        note_legal_removal(state, state.elected_leader)
    record = state.metadata_log[state.metadata_end]
    record.kind = MetadataKind.CONFIG
    copy_settings(record.settings, state.settings)
    state.metadata_end += 1


@guard
def is_not_elected(state: Partition, broker: Broker) -> bool:
    """The broker does not lead the partition, as the controller has it."""
    return broker != state.elected_leader


@guard
def is_in_sync(state: Partition, broker: Broker) -> bool:
    """The broker has every record: elections are clean."""
    for other in range(len(state.broker)):
        if state.broker[other].log_end_offset > state.broker[broker].log_end_offset:
            return False
    return True


@action(
    guards=[has_room_in_metadata_log, is_not_elected, is_in_sync],
    actor="controller",
    budget="elections",
)
def controller_elects_leader(state: Partition, broker: Broker) -> None:
    """Elect another leader and append a PartitionChangeRecord.

    **Who**: the active controller; the old leader was fenced, or leadership was moved.
    **Kafka**: ReplicationControlManager, PartitionChangeBuilder.
    **Left out**: ISR changes (a replica is in sync when it has every record), unclean election.
    """
    state.elected_leader = broker
    state.leader_epoch += 1
    record = state.metadata_log[state.metadata_end]
    record.kind = MetadataKind.LEADERSHIP
    record.leader = broker
    record.leader_epoch = state.leader_epoch
    state.metadata_end += 1
