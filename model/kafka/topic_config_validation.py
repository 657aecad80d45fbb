"""What the controller says to the settings of a topic: Kafka's checks, in order, by version.

LogConfig#validateTopicLogConfigValues and the ranges of ConfigDef. `rejection_of` decides;
`message_of` is what the user reads.
Left out: settings that tiering has no part in, values that are no numbers or booleans.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

LIKE_RETENTION = -2
"""local.retention.*: the value of retention.* holds."""
UNLIMITED = -1
"""retention.*: nothing expires."""


class KafkaVersion(IntEnum):
    """A release whose validation differs from the one before, or was compared with it."""

    V3_9 = 0
    V4_0 = 1
    V4_1 = 2
    V4_2 = 3
    V4_3 = 4
    V4_4 = 5
    """The first with KIP-1241."""
    TRUNK = 6
    """4.5.0-SNAPSHOT."""


class CleanupPolicy(IntEnum):
    """cleanup.policy as a set; EMPTY is allowed from 4.2 on."""

    DELETE = 0
    COMPACT = 1
    COMPACT_AND_DELETE = 2
    EMPTY = 3


class TopicSettings(NamedTuple):
    """The effective settings of a topic that tiering depends on, with Kafka's defaults."""

    remote_storage_enable: bool = False
    remote_log_copy_disable: bool = False
    remote_log_delete_on_disable: bool = False
    cleanup_policy: CleanupPolicy = CleanupPolicy.DELETE
    retention_ms: int = 604_800_000
    retention_bytes: int = UNLIMITED
    local_retention_ms: int = LIKE_RETENTION
    local_retention_bytes: int = LIKE_RETENTION
    remote_copy_lag_ms: int = 0
    remote_copy_lag_bytes: int = 0


class ConfigRejection(IntEnum):
    """Why settings are rejected; NONE accepts them."""

    NONE = 0
    RETENTION_MS_BELOW_RANGE = 1
    LOCAL_RETENTION_MS_BELOW_RANGE = 2
    LOCAL_RETENTION_BYTES_BELOW_RANGE = 3
    COPY_LAG_MS_BELOW_RANGE = 4
    COPY_LAG_BYTES_BELOW_RANGE = 5
    SYSTEM_DISABLED = 6
    CLEANUP_POLICY = 7
    LOCAL_RETENTION_BYTES_UNLIMITED = 8
    LOCAL_RETENTION_BYTES_TOO_LARGE = 9
    LOCAL_RETENTION_MS_UNLIMITED = 10
    LOCAL_RETENTION_MS_TOO_LARGE = 11
    COPY_LAG_BYTES_TOO_LARGE = 12
    COPY_LAG_MS_TOO_LARGE = 13
    LOCAL_RETENTION_BYTES_DIFFERS = 14
    LOCAL_RETENTION_MS_DIFFERS = 15
    DISABLE_WITHOUT_DELETE = 16
    STORED_WHILE_SYSTEM_DISABLED = 17
    UNDER_ZOOKEEPER = 18


def rejection_of(
    settings: TopicSettings, was_enable: bool, is_system_enabled: bool, version: int
) -> ConfigRejection:
    """The controller's answer to an alter-config, or a creation, that leads to `settings`.

    `was_enable`: remote.storage.enable among the topic's own settings so far (false for a
    new topic); `is_system_enabled`: remote.log.storage.system.enable of the controller.
    """
    outcome = range_rejection(settings, version)
    if outcome != ConfigRejection.NONE:
        return outcome
    if not settings.remote_storage_enable:
        if was_enable and not settings.remote_log_delete_on_disable:
            return ConfigRejection.DISABLE_WITHOUT_DELETE
        return ConfigRejection.NONE
    if not is_system_enabled:
        return ConfigRejection.SYSTEM_DISABLED
    if not is_policy_supported(settings.cleanup_policy, version):
        return ConfigRejection.CLEANUP_POLICY
    outcome = local_retention_rejection(settings)
    if outcome == ConfigRejection.NONE and version >= KafkaVersion.V4_4:
        outcome = copy_lag_rejection(settings)
    if outcome == ConfigRejection.NONE and settings.remote_log_copy_disable:
        outcome = copy_disable_rejection(settings)
    return outcome


def range_rejection(settings: TopicSettings, version: int) -> ConfigRejection:
    """ConfigDef#parse: a value below the least that its definition allows."""
    if settings.retention_ms < UNLIMITED:
        return ConfigRejection.RETENTION_MS_BELOW_RANGE
    if settings.local_retention_ms < LIKE_RETENTION:
        return ConfigRejection.LOCAL_RETENTION_MS_BELOW_RANGE
    if settings.local_retention_bytes < LIKE_RETENTION:
        return ConfigRejection.LOCAL_RETENTION_BYTES_BELOW_RANGE
    if version >= KafkaVersion.V4_4 and settings.remote_copy_lag_ms < -1:
        return ConfigRejection.COPY_LAG_MS_BELOW_RANGE
    if version >= KafkaVersion.V4_4 and settings.remote_copy_lag_bytes < -1:
        return ConfigRejection.COPY_LAG_BYTES_BELOW_RANGE
    return ConfigRejection.NONE


def is_policy_supported(policy: int, version: int) -> bool:
    """LogConfig#validateRemoteStorageRequiresDeleteCleanupPolicy.

    Until 4.0 whatever does not compact, in 4.1 only delete, from 4.2 on nothing as well.
    """
    if policy == CleanupPolicy.EMPTY:
        return version != KafkaVersion.V4_1
    return policy == CleanupPolicy.DELETE


def local_retention_rejection(settings: TopicSettings) -> ConfigRejection:
    """LogConfig#validateRemoteStorageRetentionSize, then #validateRemoteStorageRetentionTime.

    What is kept locally is a part of what is kept.
    """
    size = settings.local_retention_bytes
    if settings.retention_bytes > UNLIMITED and size != LIKE_RETENTION:
        if size == UNLIMITED:
            return ConfigRejection.LOCAL_RETENTION_BYTES_UNLIMITED
        if size > settings.retention_bytes:
            return ConfigRejection.LOCAL_RETENTION_BYTES_TOO_LARGE
    time = settings.local_retention_ms
    if settings.retention_ms != UNLIMITED and time != LIKE_RETENTION:
        if time == UNLIMITED:
            return ConfigRejection.LOCAL_RETENTION_MS_UNLIMITED
        if time > settings.retention_ms:
            return ConfigRejection.LOCAL_RETENTION_MS_TOO_LARGE
    return ConfigRejection.NONE


def copy_lag_rejection(settings: TopicSettings) -> ConfigRejection:
    """LogConfig#validateRemoteCopyLagSize, then #validateRemoteCopyLagTime (KIP-1241).

    A segment must be copied before local retention may remove it.
    """
    size = effective(settings.local_retention_bytes, settings.retention_bytes)
    if settings.remote_copy_lag_bytes > size >= 0:
        return ConfigRejection.COPY_LAG_BYTES_TOO_LARGE
    time = effective(settings.local_retention_ms, settings.retention_ms)
    if settings.remote_copy_lag_ms > time >= 0:
        return ConfigRejection.COPY_LAG_MS_TOO_LARGE
    return ConfigRejection.NONE


def effective(local: int, whole: int) -> int:
    """The local retention that holds: the topic's where no other is set."""
    return whole if local == LIKE_RETENTION else local


def copy_disable_rejection(settings: TopicSettings) -> ConfigRejection:
    """LogConfig#validateRetentionConfigsWhenRemoteCopyDisabled, for a topic that stays tiered.

    Where nothing is copied any more, the local copy is all there will be of new records.
    """
    if effective(settings.local_retention_bytes, settings.retention_bytes) != (
        settings.retention_bytes
    ):
        return ConfigRejection.LOCAL_RETENTION_BYTES_DIFFERS
    if effective(settings.local_retention_ms, settings.retention_ms) != settings.retention_ms:
        return ConfigRejection.LOCAL_RETENTION_MS_DIFFERS
    return ConfigRejection.NONE


def stored_rejection(settings: TopicSettings, is_system_enabled: bool) -> ConfigRejection:
    """LogManager#updateTopicConfig: a broker reads settings that its own system flag forbids."""
    if settings.remote_storage_enable and not is_system_enabled:
        return ConfigRejection.STORED_WHILE_SYSTEM_DISABLED
    return ConfigRejection.NONE


def zookeeper_rejection(settings: TopicSettings) -> ConfigRejection:
    """Kafka 3.9 without KRaft knows no KIP-950: its settings are refused before all others."""
    if settings.remote_log_copy_disable or settings.remote_log_delete_on_disable:
        return ConfigRejection.UNDER_ZOOKEEPER
    return ConfigRejection.NONE


# -- what the user reads

_RANGE = "ConfigException: Invalid value {value} for configuration {name}: "
_AT_LEAST = _RANGE + "Value must be at least {least}"
_UNLIMITED = _RANGE + "Value must not be -1 as {whole_name} value is set as {whole}."
_TOO_LARGE = _RANGE + "Value must not be more than {whole_name} property value: {whole}"
_LAG = _RANGE + "Value must not exceed {name_of_limit} (effective value: {limit})"
_DIFFERS = (
    "InvalidConfigurationException: When `remote.log.copy.disable` is set to true, the `{name}` "
    "and `{whole_name}` must be set to the identical value because there will be no more logs "
    "copied to the remote storage."
)

_POLICY_UNTIL_4_0 = "ConfigException: Remote log storage is unsupported for the compacted topics"
_POLICY_IN_4_1 = (
    "ConfigException: Remote log storage only supports topics with cleanup.policy=delete"
)
_POLICY_FROM_4_2 = _POLICY_IN_4_1 + " or cleanup.policy being an empty list."

_PLAIN = {
    ConfigRejection.NONE: "OK",
    ConfigRejection.SYSTEM_DISABLED: (
        "ConfigException: Tiered Storage functionality is disabled in the broker. "
        "Topic cannot be configured with remote log storage."
    ),
    ConfigRejection.DISABLE_WITHOUT_DELETE: (
        "InvalidConfigurationException: It is invalid to disable remote storage without deleting "
        "remote data. If you want to keep the remote data and turn to read only, please set "
        "`remote.storage.enable=true,remote.log.copy.disable=true`. If you want to disable remote "
        "storage and delete all remote data, please set "
        "`remote.storage.enable=false,remote.log.delete.on.disable=true`."
    ),
    ConfigRejection.STORED_WHILE_SYSTEM_DISABLED: (
        "ConfigException: You have to delete all topics with the property "
        "remote.storage.enable=true before disabling tiered storage cluster-wide"
    ),
    ConfigRejection.UNDER_ZOOKEEPER: (
        "InvalidConfigurationException: It is invalid to set `remote.log.delete.on.disable` or "
        "`remote.log.copy.disable` under Zookeeper's mode."
    ),
}

_OF_A_VALUE = {
    ConfigRejection.RETENTION_MS_BELOW_RANGE: ("retention.ms", _AT_LEAST),
    ConfigRejection.LOCAL_RETENTION_MS_BELOW_RANGE: ("local.retention.ms", _AT_LEAST),
    ConfigRejection.LOCAL_RETENTION_BYTES_BELOW_RANGE: ("local.retention.bytes", _AT_LEAST),
    ConfigRejection.COPY_LAG_MS_BELOW_RANGE: ("remote.copy.lag.ms", _AT_LEAST),
    ConfigRejection.COPY_LAG_BYTES_BELOW_RANGE: ("remote.copy.lag.bytes", _AT_LEAST),
    ConfigRejection.LOCAL_RETENTION_BYTES_UNLIMITED: ("local.retention.bytes", _UNLIMITED),
    ConfigRejection.LOCAL_RETENTION_BYTES_TOO_LARGE: ("local.retention.bytes", _TOO_LARGE),
    ConfigRejection.LOCAL_RETENTION_MS_UNLIMITED: ("local.retention.ms", _UNLIMITED),
    ConfigRejection.LOCAL_RETENTION_MS_TOO_LARGE: ("local.retention.ms", _TOO_LARGE),
    ConfigRejection.COPY_LAG_BYTES_TOO_LARGE: ("remote.copy.lag.bytes", _LAG),
    ConfigRejection.COPY_LAG_MS_TOO_LARGE: ("remote.copy.lag.ms", _LAG),
    ConfigRejection.LOCAL_RETENTION_BYTES_DIFFERS: ("local.retention.bytes", _DIFFERS),
    ConfigRejection.LOCAL_RETENTION_MS_DIFFERS: ("local.retention.ms", _DIFFERS),
}
"""Rejections that name a setting, with that setting and the text."""


def message_of(rejection: ConfigRejection, settings: TopicSettings, version: KafkaVersion) -> str:
    """Kafka's exception and its exact message; `OK` for settings that are accepted."""
    if rejection == ConfigRejection.CLEANUP_POLICY:
        if version <= KafkaVersion.V4_0:
            return _POLICY_UNTIL_4_0
        return _POLICY_IN_4_1 if version == KafkaVersion.V4_1 else _POLICY_FROM_4_2
    if rejection in _PLAIN:
        return _PLAIN[rejection]
    name, text = _OF_A_VALUE[rejection]
    unit = name.rpartition(".")[2]
    whole = getattr(settings, f"retention_{unit}")
    return text.format(
        name=name,
        value=getattr(settings, name.replace(".", "_")),
        least=LIKE_RETENTION if name.startswith("local") else -1,
        whole_name=f"retention.{unit}",
        whole=whole,
        name_of_limit=f"local.retention.{unit}",
        limit=effective(getattr(settings, f"local_retention_{unit}"), whole),
    )
