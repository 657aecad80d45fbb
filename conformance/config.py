"""LogConfig.validate, with the exact exception and message.

`config_validation.json.gz`, and `copy_lag_validation.json.gz` for the settings of KIP-1241.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from tierproof.conformance.row_reading import read_rows
from tierproof.conformance.rows import NOT_REPLAYED, Row, reading
from tierproof.model.kafka.topic_config_validation import (
    CleanupPolicy,
    KafkaVersion,
    TopicSettings,
    message_of,
    rejection_of,
)

RECORDED_VERSION = KafkaVersion.TRUNK
"""The version of a recording that names no release: the committed one."""

ENABLE = "remote.storage.enable"
POLICY = "cleanup.policy"


def replay(content: Any) -> Iterator[Row]:
    """The rows of the file."""
    with reading("config_validation"):
        outcomes, rows = list(content["outcomes"]), content["rows"]
        version = version_of(content["kafka"]) if "kafka" in content else RECORDED_VERSION
    yield from read_rows(rows, partial(row_for, outcomes, version))


def row_for(outcomes: Sequence[str], version: KafkaVersion, number: int, row: Any) -> Row:
    """One question, and the place of its answer in `outcomes`."""
    is_system_enabled, existing, new, outcome = row
    recorded = outcomes[outcome]
    modelled = answer_to(existing, new, is_system_enabled, version)
    return Row(f"row {number}", row[:-1], recorded, modelled)


def version_of(release: str) -> KafkaVersion:
    """The version of the model for a release, "4.3.1". Raises ValueError if there is none."""
    major, minor, *_ = release.split(".")
    name = f"V{major}_{minor}"
    if name not in KafkaVersion.__members__:
        raise ValueError(f"the model has no version for Kafka {release}")
    return KafkaVersion[name]


def answer_to(
    existing: str,
    new: str,
    is_system_enabled: bool,
    version: KafkaVersion = RECORDED_VERSION,
) -> str:
    """Kafka's answer according to the model: OK, or the exception with its message.

    For a setting or value that the model lacks, the answer says so and matches no recording.
    """
    was_enable = values_of(existing).get(ENABLE, "false").lower() == "true"
    try:
        settings = settings_of(values_of(new))
    except ValueError as error:
        return f"{NOT_REPLAYED}: {error}"
    rejection = rejection_of(settings, was_enable, bool(is_system_enabled), version)
    return message_of(rejection, settings, version)


def values_of(words: str) -> dict[str, str]:
    """`retention.ms=1000;cleanup.policy=delete` as name -> value."""
    pairs = (setting.partition("=") for setting in words.split(";") if setting)
    return {name.strip(): value.strip() for name, _, value in pairs}


def settings_of(values: Mapping[str, str]) -> TopicSettings:
    """Effective settings; what is absent has Kafka's default. Raises ValueError on others."""
    known: dict[str, Any] = {}
    for name, value in values.items():
        field = name.replace(".", "_")
        if field not in TopicSettings._fields:
            raise ValueError(f"the model knows no setting {name}")
        if name == POLICY:
            known[field] = policy_of(value)
        elif isinstance(TopicSettings._field_defaults[field], bool):
            known[field] = truth_of(value)
        else:
            known[field] = int(value)
    return TopicSettings(**known)


def truth_of(value: str) -> bool:
    """A boolean as Kafka reads it. Raises ValueError on others."""
    if value.lower() not in ("true", "false"):
        raise ValueError(f"{value} is no boolean")
    return value.lower() == "true"


def policy_of(value: str) -> CleanupPolicy:
    """cleanup.policy as a set: order and repetition do not matter."""
    policies = {word.strip() for word in value.split(",") if word.strip()}
    if not policies <= {"delete", "compact"}:
        raise ValueError(f"{POLICY} is {value}")
    if len(policies) == 2:
        return CleanupPolicy.COMPACT_AND_DELETE
    if not policies:
        return CleanupPolicy.EMPTY
    return CleanupPolicy.COMPACT if "compact" in policies else CleanupPolicy.DELETE
