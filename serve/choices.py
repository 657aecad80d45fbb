"""What can be done at the end of a path, by actor; what cannot, with the guard that is false."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from tierproof.diagrams.extract import ENVIRONMENT, SYSTEM
from tierproof.model.language.actions import GuardKind, Step
from tierproof.model.language.members import shown
from tierproof.serve import reasons
from tierproof.serve.settings import MOST_SETTINGS, Setting
from tierproof.serve.walks import Halt, Walk, refused

EXPLAINED = (GuardKind.CONDITION, GuardKind.FENCE, GuardKind.LIMIT)
"""The guards whose false parts are told without being asked for; of others a sentence says all."""
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

    Steps of one action that the same guard refuses are told together: `steps` has all of them,
    `why` the parts that are false for the first.
    """
    enabled, fields = set(here.enabled), here.state.fields()
    together: dict[tuple[str, str, str], dict[str, Any]] = {}
    for step in (one for one in here.setting.words if one not in enabled):
        halt = refused(here, step)
        assert halt is not None
        told = _told(here, step)
        key = (told["actor"], step.action, halt.guard.name if halt.guard else "")
        if key not in together:
            together[key] = {
                **{name: told[name] for name in OF_ACTIONS},
                **_reason(here, halt, step, fields),
                "steps": [],
            }
        together[key]["steps"].append({"step": told["step"], "word": told["word"]})
    return _by_actor(together.values())


OF_ACTIONS = ("actor", "is_environment", "action", "statement")


def _reason(here: Walk, halt: Halt, step: Step, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The guard that refuses a step, in words, and its parts that are false."""
    guard = halt.guard
    if guard is None:
        return {"guard": None, "kind": "budget", "says": halt.why, "why": None}
    told: dict[str, Any] = {
        "guard": guard.name,
        "kind": str(guard.kind),
        "says": halt.why,
        "why": None,
    }
    if guard.kind is GuardKind.EDGE and (edge := EDGE.fullmatch(guard.statement)):
        given = dict(step.arguments)
        path = INDEX.sub(lambda it: f"[{int(given[it[1]])}]", edge[1])
        told["says"] = f"{path} is {shown(fields[path])}, not {edge[2]}"
    elif guard.kind in EXPLAINED:
        told["why"] = reasons.of_guard(here, guard, step)
    return told


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
