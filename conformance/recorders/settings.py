"""`config_validation.json.gz` and `copy_lag_validation.json.gz`, asked again: LogConfig#validate.

The configured settings are those of a controller that has none of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from tierproof.conformance.config import values_of
from tierproof.conformance.recorders.asking import Answer, Asked, Recorder, expected
from tierproof.conformance.recorders.bridge import CannotRecord, Classes, Thrown

LOG_CONFIG = "org.apache.kafka.storage.internals.log.LogConfig"
MAP = "java.util.Map"
REFUSALS = ("ConfigException", "InvalidConfigurationException")
CONTROLLER = {
    "process.roles": "controller",
    "node.id": "1",
    "controller.quorum.voters": "1@localhost:9093",
    "controller.listener.names": "CONTROLLER",
    "listeners": "CONTROLLER://localhost:9093",
}
"""What a controller cannot do without."""


def read(content: Any) -> list[Asked]:
    """The rows of the file."""
    outcomes = content["outcomes"]
    return [Asked(row[:-1], outcomes[row[-1]]) for row in content["rows"]]


def written(before: Any, rows: Sequence[Asked], version: str) -> Any:
    """The content of a new file; it names its release."""
    found = {row.answer for row in rows if isinstance(row.answer, str)}
    outcomes = sorted(found, key=lambda outcome: (outcome != "OK", outcome))
    place = {outcome: number for number, outcome in enumerate(outcomes)}
    told = [[*row.question, place[str(row.answer)]] for row in rows]
    return {"kafka": version, "columns": before["columns"], "outcomes": outcomes, "rows": told}


def asker(classes: Classes) -> Callable[[list[Any]], Answer]:
    """LogConfig#validate of the release; until 4.0 it takes Properties, and asks for ZooKeeper."""
    is_old = classes.release.number < (4, 0)
    new = "java.util.Properties" if is_old else MAP
    flags = ("boolean", "boolean") if is_old else ("boolean",)
    method = classes.method(LOG_CONFIG, "validate", MAP, new, MAP, *flags)
    controller = classes.jvm.classes.kafka.server.KafkaConfig(classes.strings(CONTROLLER))
    configured = controller.extractLogConfigMap()
    overrides = cache(lambda words: classes.strings(values_of(words)))

    def answer(question: list[Any]) -> str:
        is_system_enabled, existing, settings = question
        if not isinstance(is_system_enabled, bool):
            raise CannotRecord(f"{is_system_enabled!r} is no boolean, in {question}")
        told = classes.strings(values_of(settings), as_properties=is_old)
        under_zookeeper = [False] if is_old else []
        arguments = classes.arguments(
            overrides(existing),
            told,
            configured,
            is_system_enabled,
            *under_zookeeper,
        )
        try:
            classes.call(method, None, arguments)
        except Thrown as thrown:
            name = expected(thrown, REFUSALS, question)
            if thrown.message is None:
                raise CannotRecord(f"{name} has no message, for {question}") from None
            return f"{name}: {thrown.message}"
        return "OK"

    return answer


RECORDER = Recorder(
    file="config_validation.json.gz",
    title="Topic config validation",
    asked_of="LogConfig#validate",
    read=read,
    asker=asker,
    written=written,
)
COPY_LAG_RECORDER = replace(
    RECORDER,
    file="copy_lag_validation.json.gz",
    title="Validation of the settings of KIP-1241",
)
"""`remote.copy.lag.*`, which releases know from 4.4 on."""
