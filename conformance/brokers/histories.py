"""Histories of actions on a topic of one or two brokers, and what the model shows after each.

An action is what a user, an operator or a fault does. The model answers with all that may be seen
once the broker has come to rest; what is seen then tells in which of its states the model goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from tierproof.conformance.brokers.driven_design import DRIVEN, driven_scope, normal_form
from tierproof.conformance.brokers.observations import Observation, observation_of
from tierproof.conformance.brokers.quiescence import EnvironmentSteps, Quiescence
from tierproof.model.designs.kip950.state import Topic
from tierproof.model.kafka.local_retention import UNSET
from tierproof.model.language import Step

SETTINGS: Mapping[str, dict[str, bool]] = {
    "disable": {"enable": False, "delete_on_disable": True},
    "enable": {"enable": True, "delete_on_disable": False},
    "disable_without_delete": {"enable": False, "delete_on_disable": False},
    "read_only": {"copy_disable": True, "local_matches": True},
    "copy_again": {"copy_disable": False},
    "keep_little_locally": {"local_matches": False},
    "keep_all_locally": {"local_matches": True},
}
"""Action -> the settings that it changes; `local_matches` is local.retention.bytes=-2, else 1."""

NEW = {"enable": True, "copy_disable": False, "delete_on_disable": False, "local_matches": True}
"""The settings of a new topic, which broker 0 leads."""

STOPS = ("restart", "kill")
"""Actions that stop a broker for all topics."""

NUMBERED = ("produce", "retain", "delete_records", "elect", *STOPS)
"""Actions with a number: records, records that retention.bytes leaves, an offset, a broker."""


@dataclass(frozen=True)
class Done:
    """An action: its name, and its number if it has one."""

    name: str
    number: int = 0

    def __str__(self) -> str:
        return f"{self.name} {self.number}" if self.name in NUMBERED else self.name


@dataclass(frozen=True)
class Answer:
    """The states of the model at rest, and what may be seen of them."""

    states: tuple[Topic, ...]
    is_refused: bool
    passed: int

    @property
    def observations(self) -> list[Observation]:
        """What may be seen, each once."""
        return list(dict.fromkeys(observation_of(state, self.is_refused) for state in self.states))

    def seen(self, observation: Observation) -> tuple[Topic, ...]:
        """The states of which that is seen."""
        return tuple(
            one for one in self.states if observation_of(one, self.is_refused) == observation
        )


class Model:
    """The model in a scope; it remembers its answers, as histories share their beginnings."""

    def __init__(self, bounds: Mapping[str, int], variants: tuple[str, ...]) -> None:
        """`bounds` are those of `driven_scope`, `variants` those of `variants_of`."""
        self.bounds, self.variants = dict(bounds), variants
        scope = self.scope = driven_scope(**bounds)
        self._quiescence = Quiescence(DRIVEN.with_variants(*variants), scope, normal_form)
        self._answered: dict[tuple[tuple[Topic, ...], Done], Answer] = {}

    def beginning(self) -> Answer:
        """What may be seen of a new topic."""
        rest = self._quiescence.beginning()
        return Answer(rest.states, False, rest.passed)

    def after(self, states: tuple[Topic, ...], done: Done) -> Answer:
        """What may be seen after an action in one of these states. Raises OutOfScope."""
        asked = (states, done)
        if asked not in self._answered:
            action, is_refused = self._meant(done, states[0])
            rest = self._quiescence.after(states, action)
            self._answered[asked] = Answer(rest.states, is_refused, rest.passed)
        return self._answered[asked]

    def _meant(self, done: Done, state: Topic) -> tuple[EnvironmentSteps, bool]:
        """The steps that an action is, and whether it is refused."""
        if done.name in SETTINGS:
            return self._altered(SETTINGS[done.name], state)
        if done.name in ("retain", "retain_all"):
            bytes = done.number if done.name == "retain" else -1
            step = Step("controller_alters_retention", (("bytes", bytes),))
            return ([[step]], False)
        if done.name in STOPS:
            return (_stop(done, state), False)
        if done.name == "elect":
            leads = state.elected_leader == done.number
            return (() if leads else [[_elect(done.number)]], False)
        return (_steps(done, int(state.elected_leader)), False)

    def _altered(self, changed: dict[str, bool], state: Topic) -> tuple[EnvironmentSteps, bool]:
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
        return ([[step]], not self._quiescence.enables(state, step))


def _steps(done: Done, leader: int) -> EnvironmentSteps:
    append = Step("leader_appends_record", (("leader", leader), ("bytes", 1), ("timestamp", 0)))
    deletion = Step("user_deletes_records", (("leader", leader), ("offset", done.number)))
    return {"produce": [[append]] * done.number, "delete_records": [[deletion]]}[done.name]


def _elect(leader: int) -> Step:
    return Step("controller_elects_leader", (("leader", leader),))


def _stop(done: Done, state: Topic) -> EnvironmentSteps:
    """A broker stops and comes back; another one in sync leads meanwhile.

    An orderly shutdown waits for another leader, and writes the checkpoint last. After a crash
    the broker does nothing until it is back, however long the others lead without it.
    """
    broker, in_sync = done.number, sorted(int(b) for b in state.in_sync)
    leads = state.elected_leader == broker
    is_alone = leads and in_sync == [broker]
    name = "lone_leader_restarts" if is_alone else "broker_restarts"
    crash = Step(name, (("broker", broker),))
    checkpoint = Step("broker_checkpoints_log_start", (("broker", broker),))
    others = [_elect(b) for b in in_sync if b != broker] if leads else []
    if done.name == "kill":
        return [[*others, crash]]
    return [others, [checkpoint, crash]] if others else [[checkpoint, crash]]


@lru_cache
def _model_of(bounds: tuple[tuple[str, int], ...], variants: tuple[str, ...]) -> Model:
    return Model(dict(bounds), variants)


def model_of(bounds: Mapping[str, int], *variants: str) -> Model:
    """The model in the scope for so many records and actions, in the variants that a release is."""
    return _model_of(tuple(sorted(bounds.items())), variants)
