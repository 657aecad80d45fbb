"""Histories that a scope has room for, and what of them may be done side by side on one cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tierproof.conformance.brokers.histories import NEW, SETTINGS, STOPS, Done
from tierproof.model.designs.kip950.state import TieredTopic
from tierproof.model.kafka.topic_config import ConfigError, rejection

History = tuple[Done, ...]


def within(scope: TieredTopic, history: Sequence[Done]) -> History:
    """A history that a scope has room for, without actions that ask for what is so already."""
    found: list[Done] = []
    asked = _Asked(scope)
    for done in history:
        if (kept := asked.fitting(done)) is not None:
            found.append(kept)
    return tuple(found)


def stops_of(history: Sequence[Done]) -> History:
    """The actions of a history that stop a broker: the same for histories side by side."""
    return tuple(done for done in history if done.name in STOPS)


@dataclass
class _Asked:
    """What a history has asked for so far."""

    scope: TieredTopic
    end: int = 0
    deleted: int = 0
    restarts: int = 0
    elections: int = 0
    leader: int = 0
    retained: int = -1
    settings: dict[str, bool] = field(default_factory=lambda: dict(NEW))

    def fitting(self, done: Done) -> Done | None:
        """The action with a number that fits, or None if it would change nothing, or not fit."""
        was, number = replace(self, settings=self.settings), done.number
        if done.name == "produce":
            number = min(number, self.scope.offsets - self.end)
            self.end += number
        elif done.name == "delete_records":
            number = min(number, self.end)
            self.deleted = max(self.deleted, number)
        elif done.name in ("retain", "retain_all"):
            self.retained = number if done.name == "retain" else -1
        elif done.name == "elect":
            self._elect(number)
        elif done.name in SETTINGS:
            self.settings = self.settings | SETTINGS[done.name]
            if is_refused(was.settings, self.settings):
                self.settings = was.settings
                return done
        else:
            self._stop(number)
        return None if self == was else Done(done.name, number)

    def _elect(self, leader: int) -> None:
        is_new = leader != self.leader
        if is_new and self.elections < self.scope.elections - self.scope.restarts:
            self.elections += 1
            self.leader = leader

    def _stop(self, broker: int) -> None:
        if self.restarts < self.scope.restarts:
            self.restarts += 1
            if self.leader == broker:
                self.leader = (broker + 1) % self.scope.brokers


def is_refused(was: Mapping[str, bool], now: Mapping[str, bool]) -> bool:
    """Whether the controller refuses a change of settings."""
    return rejection(was["enable"], **now) != ConfigError.NONE
