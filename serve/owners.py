"""Owners: the fields of a state, gathered by the actor or the element that they belong to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from tierproof.model.language.design import Design
from tierproof.model.language.domains import Kind
from tierproof.serve.settings import MOST_SETTINGS, Setting
from tierproof.serve.walks import Walk
from tierproof.spark_explorer.results import in_words

SHARED = "shared"
BUDGETS = "what the environment may still do"
GHOSTS = "bookkeeping of properties, which nobody has"
ELEMENT = re.compile(r"(\w+)\[(\d+)\](\.)?")


def fields_by_owner(here: Walk) -> list[dict[str, Any]]:
    """Each owner with its fields: path, value, and what it was before the last step.

    A thread owns the record that its program counter is in; other fields belong to the actor, or
    to the record, that their array counts, or are shared. `is_as_declared` marks a value that the
    domain of its field starts with.
    """
    states = here.trace.states
    start = type(here.state).at_start(here.setting.scope).fields()
    before = states[-2].fields() if len(states) > 1 else None
    known = _owners_in(here.setting)
    found: dict[str, list[dict[str, Any]]] = {}
    for path, value in here.state.fields().items():
        owner, kind = known[path]
        is_changed = before is not None and before[path] != value
        found.setdefault(owner, []).append(
            {
                "path": path,
                "value": in_words(here.trace, path, value),
                "before": in_words(here.trace, path, before[path]) if before else None,
                "is_changed": is_changed,
                "is_as_declared": value == start[path],
                "kind": str(kind.value),
            }
        )
    ordered = sorted(found, key=lambda owner: (owner in (BUDGETS, GHOSTS), owner == GHOSTS))
    return [{"owner": owner, "fields": found[owner]} for owner in ordered]


@lru_cache(maxsize=MOST_SETTINGS)
def _owners_in(setting: Setting) -> Mapping[str, tuple[str, Kind]]:
    """Path of a field -> its owner, and its kind."""
    layout, owner_of = setting.interpreter.layout, _Owners(setting.design)
    kinds = {path: layout.leaves[offset].leaf.kind for path, offset, _ in layout.shown}
    return {path: (owner_of(path, kind), kind) for path, kind in kinds.items()}


class _Owners:
    """The owner of a field, by its path."""

    def __init__(self, design: Design) -> None:
        self.threads = dict(_threads(design))
        single = (re.fullmatch(r"[^{]*\{(\w+)\}[^{]*", act.actor) for act in design.actions)
        self.actors = {found[1]: found[0] for found in single if found is not None}

    def __call__(self, path: str, kind: Kind) -> str:
        if kind is not Kind.PROTOCOL:
            return BUDGETS if kind is Kind.BUDGET else GHOSTS
        for pattern, name in self.threads.items():
            if found := pattern.match(path):
                return name.format(**found.groupdict())
        element = ELEMENT.match(path)
        if element is None:
            return SHARED
        array, number, dot = element.groups()
        if array in self.actors:
            return self.actors[array].format(**{array: number})
        return f"{array} {number}" if dot else SHARED


def _threads(design: Design) -> Iterator[tuple[re.Pattern[str], str]]:
    """What a path begins with that belongs to a thread, and the thread's name.

    A thread whose name says more than the indexes of its program counter owns no field by itself.
    """
    for act in design.actions:
        if act.move is None:
            continue
        record, dot, counter = act.move.at.rpartition(".")
        names = re.findall(r"\[([a-z_]\w*)\]", act.move.at)
        if set(re.findall(r"\{(\w+)", act.move.actor)) - set(names):
            continue
        text = record + dot if record else counter
        parts = re.split(r"\[([a-z_]\w*)\]", text)
        pattern = "".join(
            re.escape(part) if n % 2 == 0 else rf"\[{_group(part, parts[:n])}\]"
            for n, part in enumerate(parts)
        )
        yield re.compile(pattern + ("" if record else r"(?![\w])")), act.move.actor


def _group(name: str, before: list[str]) -> str:
    """A number under a name; under no name where the path has it again."""
    return r"\d+" if name in before[1::2] else rf"(?P<{name}>\d+)"
