"""What can be done at the end of a path, by actor; what cannot, with the guard that is false."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from tierproof.diagrams.extract import ENVIRONMENT, SYSTEM
from tierproof.model.language.actions import Guard, GuardKind, Step
from tierproof.model.language.members import shown
from tierproof.serve import reasons
from tierproof.serve.settings import MOST_SETTINGS, Setting
from tierproof.serve.walks import Halt, Walk, refused

EXPLAINED = (GuardKind.CONDITION, GuardKind.FENCE, GuardKind.LIMIT)
"""The guards whose false parts are told without being asked for; of others a sentence says all."""
MOST_EXPLAINED = 200
"""Explanations of a page, each of which takes some milliseconds; of other steps, `why_not` asks."""
EDGE = re.compile(r"`(.+)` is (.+)\.")
"""The statement of a guard that tests where a thread stands."""
INDEX = re.compile(r"\[([a-z_]\w*)\]")
"""An index of such a statement that is a parameter; others are numbers."""


def enabled_by_actor(here: Walk) -> list[dict[str, Any]]:
    """Each actor with the steps that it can take here, in the order of declaration."""
    told = [_told(here, step) for step in here.enabled]
    for number, one in enumerate(told, start=1):
        one["number"] = number
    return _by_actor(told)


def disabled_by_actor(here: Walk) -> list[dict[str, Any]]:
    """Each actor with the actions that it cannot take here, and the guard that is false.

    Steps of one action are told together (`steps`) if the same guard refuses them for the same
    reason: what `says` and `why` have was found for each of them. After MOST_EXPLAINED
    explanations, `why` is None.
    """
    enabled, reasons_here = set(here.enabled), _Reasons(here)
    together: dict[tuple[str, str, str], dict[str, Any]] = {}
    for step in (one for one in here.setting.words if one not in enabled):
        halt = refused(here, step)
        assert halt is not None
        told, reason = _told(here, step), reasons_here.of(halt, step)
        key = (told["actor"], step.action, json.dumps(reason, sort_keys=True))
        if key not in together:
            together[key] = {**{name: told[name] for name in OF_ACTIONS}, **reason, "steps": []}
        together[key]["steps"].append({"step": told["step"], "word": told["word"]})
    return _by_actor(together.values())


OF_ACTIONS = ("actor", "is_environment", "action", "statement")


class _Reasons:
    """Why steps cannot be taken in one state; a guard is explained once for equal arguments."""

    def __init__(self, here: Walk) -> None:
        self.here = here
        self.fields = here.state.fields()
        self.explained: dict[tuple[object, ...], reasons.Reason] = {}

    def of(self, halt: Halt, step: Step) -> dict[str, Any]:
        """The guard that refuses a step, in words, and its parts that are false."""
        guard = halt.guard
        if guard is None:
            return {"guard": None, "kind": "budget", "says": halt.why, "why": None}
        says, why = halt.why, None
        if guard.kind is GuardKind.EDGE and (edge := EDGE.fullmatch(guard.statement)):
            given = dict(step.arguments)
            path = INDEX.sub(lambda it: f"[{int(given[it[1]])}]", edge[1])
            says = f"{path} is {shown(self.fields[path])}, not {edge[2]}"
        elif guard.kind in EXPLAINED:
            why = self._explained(guard, step)
        return {"guard": guard.name, "kind": str(guard.kind), "says": says, "why": why}

    def _explained(self, guard: Guard, step: Step) -> reasons.Reason | None:
        given = dict(step.arguments)
        key = (guard.name, *map(given.get, guard.arguments))
        if key not in self.explained:
            if len(self.explained) == MOST_EXPLAINED:
                return None
            self.explained[key] = reasons.of_guard(self.here, guard, step)
        return self.explained[key]


def why_not_taken(here: Walk, step: Step) -> dict[str, Any]:
    """A step that was asked about: whether it is enabled, and if not, why and since when."""
    halt = refused(here, step)
    told = reasons.of_step(here, step)
    return {
        **_told(here, step),
        "says": "it can be taken here" if halt is None else halt.why,
        **{name: told[name] for name in ("is_enabled", "enabled_in", "guards")},
    }


def _told(here: Walk, step: Step) -> dict[str, Any]:
    """A step as plain values: who acts, and what its action says."""
    known = _told_in(here.setting).get(step)
    return dict(known or _plain(here.setting, step, here.word(step)))


@lru_cache(maxsize=MOST_SETTINGS)
def _told_in(setting: Setting) -> dict[Step, dict[str, Any]]:
    """The listed steps as plain values: they say nothing of the state."""
    return {step: _plain(setting, step, word) for step, word in setting.words.items()}


def _plain(setting: Setting, step: Step, word: str) -> dict[str, Any]:
    design = setting.design
    act, given = design.action(step.action), dict(step.arguments)
    is_environment = act in design.environment
    return {
        "actor": act.actor.format(**given) or (ENVIRONMENT if is_environment else SYSTEM),
        "is_environment": is_environment,
        "action": step.action,
        "step": str(step),
        "word": word,
        "statement": act.statement,
    }


def _by_actor(told: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Entries gathered by their actor; one that also disturbs, as the environment, comes apart."""
    found: dict[tuple[str, bool], list[dict[str, Any]]] = {}
    for one in told:
        found.setdefault((one["actor"], one["is_environment"]), []).append(one)
    return [
        {"actor": actor, "is_environment": outside, "steps": entries}
        for (actor, outside), entries in found.items()
    ]
