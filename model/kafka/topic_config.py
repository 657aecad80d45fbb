"""The topic settings of KIP-950: what they mean, what the controller rejects, how a broker reacts.

Only settings of tiering are here. Local retention is one bit: whether local.retention.ms
and local.retention.bytes are -2 or equal to retention.ms and retention.bytes.
Validation with values in place of that bit, the cleanup policy and the cluster-wide flag is
in `tierproof.model.kafka.topic_config_validation`, which says the same where both can speak.
"""

from __future__ import annotations

from enum import IntEnum

from tierproof.model.language import Lifecycle


class TieringState(IntEnum):
    """The tiering of a topic, as its settings say (KIP-950, "State Transitions")."""

    ENABLED = 0
    READ_ONLY = 1
    DISABLED = 2


TIERING = Lifecycle(
    TieringState,
    [
        ("disable_copy", TieringState.ENABLED, TieringState.READ_ONLY),
        ("enable_copy", TieringState.READ_ONLY, TieringState.ENABLED),
        ("disable", [TieringState.ENABLED, TieringState.READ_ONLY], TieringState.DISABLED),
        ("enable", TieringState.DISABLED, TieringState.ENABLED),
    ],
    source='KIP-950: "The possible transition from DISABLED state is to the ENABLED"',
)
"""The edges that the KIP names. The validation that ships accepts DISABLED -> READ_ONLY as well."""


class RemoteData(IntEnum):
    """What a combination of the three settings does to remote data (KIP-950, "Configuration")."""

    UPLOADABLE_AND_READABLE = 0
    READABLE = 1
    INVALID = 2
    DELETED = 3


class ConfigError(IntEnum):
    """The answer to an alter-config, with the beginning of Kafka's message as value's meaning."""

    NONE = 0
    DISABLE_WITHOUT_DELETE = 1
    """It is invalid to disable remote storage without deleting remote data."""
    LOCAL_RETENTION_DIFFERS = 2
    """When `remote.log.copy.disable` is true, local retention and retention must be identical."""


def remote_data(enable: bool, copy_disable: bool, delete_on_disable: bool) -> RemoteData:
    """The row of the KIP's combination table."""
    if enable and not copy_disable:
        return RemoteData.UPLOADABLE_AND_READABLE
    if enable:
        return RemoteData.READABLE
    if delete_on_disable:
        return RemoteData.DELETED
    return RemoteData.INVALID


def tiering_state(enable: bool, copy_disable: bool) -> TieringState:
    """The tiering that the settings stand for; delete-on-disable has no part in it."""
    if not enable:
        return TieringState.DISABLED
    return TieringState.READ_ONLY if copy_disable else TieringState.ENABLED


def disables_without_delete(was_enable: bool, enable: bool, delete_on_disable: bool) -> bool:
    """LogConfig#validateTopicLogConfigValues: remote data would be left without an owner.

    Only a change from enabled is rejected: a topic that is not tiered may have any setting.
    """
    return was_enable and not enable and not delete_on_disable


def local_retention_differs(enable: bool, copy_disable: bool, local_matches: bool) -> bool:
    """LogConfig#validateTopicLogConfigValues: local retention would silently stop to apply.

    KIP-950 step 2.2.1 says delete-on-disable where the code, and its own message, mean
    remote.log.copy.disable.
    """
    return enable and copy_disable and not local_matches


def rejection(
    was_enable: bool,
    enable: bool,
    copy_disable: bool,
    delete_on_disable: bool,
    local_matches: bool,
) -> ConfigError:
    """The controller's answer to an alter-config that leads to these settings."""
    if local_retention_differs(enable, copy_disable, local_matches):
        return ConfigError.LOCAL_RETENTION_DIFFERS
    if disables_without_delete(was_enable, enable, delete_on_disable):
        return ConfigError.DISABLE_WITHOUT_DELETE
    return ConfigError.NONE


def starts_tasks(
    was_enable: bool, was_copy_disable: bool, enable: bool, copy_disable: bool
) -> bool:
    """TopicConfigHandler#maybeUpdateRemoteLogComponents calls onLeadershipChange."""
    return enable and (not was_enable or (was_copy_disable and not copy_disable))


def stops_copying(was_copy_disable: bool, enable: bool, copy_disable: bool) -> bool:
    """TopicConfigHandler#maybeUpdateRemoteLogComponents calls stopLeaderCopyRLMTasks."""
    return enable and not was_copy_disable and copy_disable


def deletes_remote_log(was_enable: bool, enable: bool, delete_on_disable: bool) -> bool:
    """TopicConfigHandler#maybeUpdateRemoteLogComponents raises the log start, stops partitions."""
    return was_enable and not enable and delete_on_disable
