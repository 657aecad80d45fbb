"""What the controller accepts, by Kafka version; trunk itself is held against recordings."""

from itertools import product

import pytest

from tierproof.conformance.config import answer_to
from tierproof.model.kafka.topic_config import ConfigError, rejection
from tierproof.model.kafka.topic_config_validation import (
    CleanupPolicy,
    ConfigRejection,
    KafkaVersion,
    TopicSettings,
    copy_lag_rejection,
    message_of,
    rejection_of,
    stored_rejection,
    zookeeper_rejection,
)

TIERED = TopicSettings(remote_storage_enable=True)
COMPACTED = "ConfigException: Remote log storage is unsupported for the compacted topics"
ONLY_DELETE = "ConfigException: Remote log storage only supports topics with cleanup.policy=delete"
OR_EMPTY = ONLY_DELETE + " or cleanup.policy being an empty list."


@pytest.mark.parametrize(
    ("version", "compact", "both", "empty"),
    [
        (KafkaVersion.V3_9, COMPACTED, COMPACTED, "OK"),
        (KafkaVersion.V4_0, COMPACTED, COMPACTED, "OK"),
        (KafkaVersion.V4_1, ONLY_DELETE, ONLY_DELETE, ONLY_DELETE),
        (KafkaVersion.V4_2, OR_EMPTY, OR_EMPTY, "OK"),
        (KafkaVersion.V4_3, OR_EMPTY, OR_EMPTY, "OK"),
        (KafkaVersion.V4_4, OR_EMPTY, OR_EMPTY, "OK"),
        (KafkaVersion.TRUNK, OR_EMPTY, OR_EMPTY, "OK"),
    ],
)
def test_each_version_has_its_own_rule_for_the_cleanup_policy(version, compact, both, empty):
    def answer(policy):
        return answer_to("", f"remote.storage.enable=true;cleanup.policy={policy}", True, version)

    assert (answer("compact"), answer("compact,delete"), answer("")) == (compact, both, empty)
    assert answer("delete") == answer("delete,delete") == "OK"


@pytest.mark.parametrize("version", list(KafkaVersion))
def test_the_lag_of_copying_is_checked_from_4_4_on(version):
    answer = answer_to("", "remote.storage.enable=true;remote.copy.lag.bytes=-2", True, version)
    assert (answer == "OK") == (version < KafkaVersion.V4_4)
    late = TIERED._replace(retention_ms=1000, remote_copy_lag_ms=1001)
    accepted = rejection_of(late, False, True, version) == ConfigRejection.NONE
    assert accepted == (version < KafkaVersion.V4_4)


def test_size_is_checked_before_time():
    both = TIERED._replace(
        retention_ms=10, local_retention_ms=20, retention_bytes=10, local_retention_bytes=20
    )
    found = rejection_of(both, False, True, KafkaVersion.TRUNK)
    assert found == ConfigRejection.LOCAL_RETENTION_BYTES_TOO_LARGE
    lags = TIERED._replace(
        retention_ms=10, remote_copy_lag_ms=20, retention_bytes=10, remote_copy_lag_bytes=20
    )
    assert copy_lag_rejection(lags) == ConfigRejection.COPY_LAG_BYTES_TOO_LARGE
    assert message_of(copy_lag_rejection(lags), lags, KafkaVersion.TRUNK) == (
        "ConfigException: Invalid value 20 for configuration remote.copy.lag.bytes: "
        "Value must not exceed local.retention.bytes (effective value: 10)"
    )


def test_local_retention_may_equal_retention():
    equal = TIERED._replace(
        retention_ms=10, local_retention_ms=10, retention_bytes=10, local_retention_bytes=10
    )
    for settings in (equal, equal._replace(remote_log_copy_disable=True)):
        found = rejection_of(settings, False, True, KafkaVersion.TRUNK)
        assert found == ConfigRejection.NONE


@pytest.mark.parametrize("lag", [-1, 0, 10])
def test_a_lag_within_local_retention_is_accepted(lag):
    settings = TIERED._replace(local_retention_ms=10, remote_copy_lag_ms=lag)
    assert copy_lag_rejection(settings) == ConfigRejection.NONE


def test_the_system_flag_comes_before_the_policy():
    settings = TIERED._replace(cleanup_policy=CleanupPolicy.COMPACT)
    found = rejection_of(settings, True, False, KafkaVersion.TRUNK)
    assert found == ConfigRejection.SYSTEM_DISABLED


@pytest.mark.parametrize(
    ("setting", "value", "least"),
    [("retention.ms", -2, -1), ("local.retention.ms", -3, -2), ("local.retention.bytes", -3, -2)],
)
def test_a_value_below_its_range_is_rejected_even_where_nothing_is_tiered(setting, value, least):
    assert answer_to("", f"{setting}={value}", False) == (
        f"ConfigException: Invalid value {value} for configuration {setting}: "
        f"Value must be at least {least}"
    )


def test_a_broker_without_tiered_storage_refuses_what_it_reads():
    refused = stored_rejection(TIERED, False)
    assert message_of(refused, TIERED, KafkaVersion.V3_9) == (
        "ConfigException: You have to delete all topics with the property "
        "remote.storage.enable=true before disabling tiered storage cluster-wide"
    )
    assert stored_rejection(TIERED, True) == ConfigRejection.NONE
    assert stored_rejection(TopicSettings(), False) == ConfigRejection.NONE


@pytest.mark.parametrize(("copy_disable", "delete"), list(product([False, True], repeat=2)))
def test_zookeeper_knows_no_kip_950(copy_disable, delete):
    settings = TIERED._replace(
        remote_log_copy_disable=copy_disable, remote_log_delete_on_disable=delete
    )
    refused = zookeeper_rejection(settings) == ConfigRejection.UNDER_ZOOKEEPER
    assert refused == (copy_disable or delete)


def test_every_rejection_has_its_message():
    texts = {message_of(r, TIERED, KafkaVersion.TRUNK) for r in ConfigRejection}
    assert len(texts) == len(ConfigRejection)
    assert all(text == "OK" or "Exception: " in text for text in texts)


@pytest.mark.parametrize(
    ("was_enable", "enable", "copy_disable", "delete", "matches"),
    list(product([False, True], repeat=5)),
)
def test_the_one_bit_of_kip950_says_the_same_as_the_values(
    was_enable, enable, copy_disable, delete, matches
):
    settings = TopicSettings(
        remote_storage_enable=enable,
        remote_log_copy_disable=copy_disable,
        remote_log_delete_on_disable=delete,
        local_retention_ms=-2 if matches else 1,
    )
    meaning = {
        ConfigError.NONE: ConfigRejection.NONE,
        ConfigError.DISABLE_WITHOUT_DELETE: ConfigRejection.DISABLE_WITHOUT_DELETE,
        ConfigError.LOCAL_RETENTION_DIFFERS: ConfigRejection.LOCAL_RETENTION_MS_DIFFERS,
    }
    in_bits = rejection(was_enable, enable, copy_disable, delete, matches)
    assert rejection_of(settings, was_enable, True, KafkaVersion.TRUNK) == meaning[in_bits]
