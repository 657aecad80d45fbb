"""Histories of deeds on one topic of one broker, and what the model lets be seen after each.

A deed is what a user, an operator or a fault does. The model answers with all that may be seen
once the broker has come to rest; what is seen then tells in which of its states the model goes on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import Any

from tierproof.conformance.brokers.driven_design import DRIVEN, driven_scope, normal_form
from tierproof.conformance.brokers.resting import Deed, Resting
from tierproof.invariants.vocabulary import is_readable
from tierproof.model.designs.kip950.state import TieredTopic, Topic
from tierproof.model.kafka.local_retention import UNSET
from tierproof.model.kafka.local_segments import next_base
from tierproof.model.kafka.topic_config import ConfigError, rejection
from tierproof.model.language import NONE, Step

SETTINGS: Mapping[str, dict[str, bool]] = {
    "disable": {"enable": False, "delete_on_disable": True},
    "enable": {"enable": True, "delete_on_disable": False},
    "disable_without_delete": {"enable": False, "delete_on_disable": False},
    "read_only": {"copy_disable": True, "local_matches": True},
    "copy_again": {"copy_disable": False},
    "keep_little_locally": {"local_matches": False},
    "keep_all_locally": {"local_matches": True},
}
"""Deed -> the settings that it changes; `local_matches` is local.retention.bytes=-2, else 1."""

NEW = {"enable": True, "copy_disable": False, "delete_on_disable": False, "local_matches": True}
"""The settings of a new topic."""

NUMBERED = ("produce", "retain", "delete_records")
"""Deeds with a number: of records, of records that retention.bytes leaves, or an offset."""

PLAIN = (*SETTINGS, "retain_all", "restart", "kill")
"""Deeds without one."""


@dataclass(frozen=True)
class Done:
    """A deed: its name, and its number if it has one."""

    name: str
    number: int = 0

    def __str__(self) -> str:
        return f"{self.name} {self.number}" if self.name in NUMBERED else self.name


@dataclass(frozen=True)
class Sight:
    """What is seen of the topic. `latest_tiered` is -1 if nothing is, or the topic is not tiered.

    `files` are the first offsets of local segments, `objects` those of objects in the store;
    `readable` are the offsets at which a consumer gets a record. `is_refused`: the last
    change of settings was.
    """

    earliest: int
    earliest_local: int
    latest_tiered: int
    latest: int
    files: tuple[int, ...]
    objects: tuple[int, ...]
    readable: tuple[int, ...] = ()
    is_refused: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(self).items()}

    @classmethod
    def of_dict(cls, kept: Mapping[str, Any]) -> Sight:
        """The sight that was kept as plain values."""
        plain: dict[str, Any] = {
            name: tuple(v) if isinstance(v, list) else v for name, v in kept.items()
        }
        return cls(**plain)


@dataclass(frozen=True)
class Answer:
    """The states of the model at rest, and what may be seen of them."""

    states: tuple[Topic, ...]
    is_refused: bool
    passed: int

    @property
    def sights(self) -> list[Sight]:
        """What may be seen, each once."""
        return list(dict.fromkeys(sight_of(state, self.is_refused) for state in self.states))

    def seen(self, sight: Sight) -> tuple[Topic, ...]:
        """The states of which that is seen."""
        return tuple(one for one in self.states if sight_of(one, self.is_refused) == sight)


def sight_of(state: Topic, is_refused: bool) -> Sight:
    """What is seen of a state of the model."""
    log = state.broker[0]
    is_tiered = log.settings.remote_storage_enable
    stored = [int(copy.start_offset) for copy in state.segment if copy.object_exists]
    offsets = range(log.log_end_offset)
    return Sight(
        earliest=int(log.log_start_offset),
        earliest_local=int(log.local_log_start_offset),
        latest_tiered=int(log.highest_remote_offset) if is_tiered else NONE,
        latest=int(log.high_watermark),
        files=tuple(_bases(log)),
        objects=tuple(sorted(stored)),
        readable=tuple(offset for offset in offsets if is_readable(state, 0, offset)),
        is_refused=is_refused,
    )


def _bases(log: Any) -> list[int]:
    found, base = [], next_base(log, NONE)
    while base != NONE:
        found.append(base)
        base = next_base(log, base)
    return found


class Model:
    """The model in a scope; it remembers its answers, as histories share their beginnings."""

    def __init__(self, scope: TieredTopic, fixes: tuple[str, ...]) -> None:
        self.scope, self.fixes = scope, fixes
        self._resting = Resting(DRIVEN.with_variants(*fixes), scope, normal_form)
        self._answered: dict[tuple[tuple[Topic, ...], Done], Answer] = {}

    def beginning(self) -> Answer:
        """What may be seen of a new topic."""
        rest = self._resting.beginning()
        return Answer(rest.states, False, rest.passed)

    def after(self, states: tuple[Topic, ...], done: Done) -> Answer:
        """What may be seen after a deed in one of these states. Raises OutOfScope."""
        asked = (states, done)
        if asked not in self._answered:
            deed, is_refused = self._meant(done, states[0])
            rest = self._resting.after(states, deed)
            self._answered[asked] = Answer(rest.states, is_refused, rest.passed)
        return self._answered[asked]

    def _meant(self, done: Done, state: Topic) -> tuple[Deed, bool]:
        """The steps that a deed is, and whether it is refused."""
        if done.name in SETTINGS:
            return self._altered(SETTINGS[done.name], state)
        if done.name in ("retain", "retain_all"):
            bytes = done.number if done.name == "retain" else -1
            step = Step("controller_alters_retention", (("bytes", bytes),))
            return ([[step]], False)
        return (_steps(done), False)

    def _altered(self, changed: dict[str, bool], state: Topic) -> tuple[Deed, bool]:
        was = state.settings
        now = {
            "enable": bool(was.remote_storage_enable),
            "copy_disable": bool(was.remote_log_copy_disable),
            "delete_on_disable": bool(was.remote_log_delete_on_disable),
            "local_matches": was.local_retention_bytes == UNSET,
        }
        if now | changed == now:
            return ((), False)
        step = Step("controller_alters_config", tuple((now | changed).items()))
        return ([[step]], not self._resting.enables(state, step))


def _steps(done: Done) -> Deed:
    append = Step("leader_appends_record", (("leader", 0), ("bytes", 1), ("timestamp", 0)))
    crash = Step("lone_leader_restarts", (("broker", 0),))
    checkpoint = Step("broker_checkpoints_log_start", (("broker", 0),))
    deletion = Step("user_deletes_records", (("leader", 0), ("offset", done.number)))
    return {
        "produce": [[append]] * done.number,
        "delete_records": [[deletion]],
        "kill": [[crash]],
        # An orderly shutdown writes the checkpoint last.
        "restart": [[checkpoint, crash]],
    }[done.name]


def within(scope: TieredTopic, history: Sequence[Done]) -> list[Done]:
    """A history that a scope has room for, without deeds that ask for what is so already."""
    found: list[Done] = []
    asked = _Asked(scope)
    for done in history:
        if (kept := asked.fitting(done)) is not None:
            found.append(kept)
    return found


@dataclass
class _Asked:
    """What a history has asked for so far."""

    scope: TieredTopic
    end: int = 0
    deleted: int = 0
    restarts: int = 0
    retained: int = -1
    settings: dict[str, bool] = field(default_factory=lambda: dict(NEW))

    def fitting(self, done: Done) -> Done | None:
        """The deed with a number that fits, or None if it would change nothing, or not fit."""
        was, number = replace(self, settings=self.settings), done.number
        if done.name == "produce":
            number = min(number, self.scope.offsets - self.end)
            self.end += number
        elif done.name == "delete_records":
            number = min(number, self.end)
            self.deleted = max(self.deleted, number)
        elif done.name in ("retain", "retain_all"):
            self.retained = number if done.name == "retain" else -1
        elif done.name in SETTINGS:
            self.settings = self.settings | SETTINGS[done.name]
            if is_refused(was.settings, self.settings):
                self.settings = was.settings
                return done
        elif self.restarts < self.scope.restarts:
            self.restarts += 1
        return None if self == was else Done(done.name, number)


def is_refused(was: Mapping[str, bool], now: Mapping[str, bool]) -> bool:
    """Whether the controller refuses a change of settings."""
    return rejection(was["enable"], **now) != ConfigError.NONE


@lru_cache
def model_of(records: int, restarts: int, *fixes: str) -> Model:
    """The model in the scope for so many records and restarts, with fixes that a release has."""
    return Model(driven_scope(records, restarts), fixes)
