"""What a design consists of, compared name by name: the judge of what a difference says."""

from __future__ import annotations

from typing import Any

from tierproof.model.language import Design
from tierproof.model.language.definitions import as_written
from tierproof.model.language.difference import Difference


def content(design: Design) -> dict[str, Any]:
    """Everything that a design consists of, with functions as they are written in their file."""
    found: dict[str, Any] = {}
    for group in ("system", "environment"):
        for act in getattr(design, group):
            functions = [as_written(part) for part, _ in act.parts]
            guards = sorted((one.name, as_written(one.function).__name__) for one in act.guards)
            found[act.name] = (group, functions, guards, act.stutters)
    for begin in design.initial:
        found[begin.name] = [as_written(part) for part, _ in begin.parts]
    for claim in design.checked:
        found[claim.name] = as_written(claim.function)
    for helper, new in design.defined.items():
        found[helper.__name__] = new
    return found


def changed(before: Design, after: Design) -> set[str]:
    """The names whose content differs, by comparison of all that there is."""
    old, new = content(before), content(after)
    return {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}


def named(found: Difference) -> set[str]:
    """The names of which a difference says something."""
    groups = (found.actions, found.initial, found.properties, found.helpers)
    return {one.name for changes in groups for one in changes}
