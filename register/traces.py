"""The traces of a register: each in a JSON file beside the words that tell it.

design, scope, variants, property     what was explored, and what the trace breaks
steps, cycle_start                    the trace: pairs of an action and its arguments
proposal                              the variants with which the proposal was explored, if that
                                      is another change than the repair
cut_off                               limits that forbade steps along it -> after how many steps
in_force                              repairs without which the design does not take the steps
claims                                property -> `steps` and `cycle_start` of its own shortest
                                      trace, its verdict with the repair or fix (`ended`), and
                                      with the proposal (`proposed`)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tierproof.model.language.actions import Step
from tierproof.model.language.design import Design
from tierproof.model.language.errors import DesignError
from tierproof.model.language.interpreter import Steps
from tierproof.model.language.members import as_json
from tierproof.model.language.trace import Trace
from tierproof.register import json_file
from tierproof.register.entries import Finding, PublishedBug
from tierproof.register.isolation import closed, isolated, proposed
from tierproof.register.registers import folder_of, register_of

Entry = Finding | PublishedBug


@dataclass(frozen=True, kw_only=True)
class Broken:
    """How a property is broken, and its verdict with the repair or fix, and with the proposal."""

    steps: int
    cycle_start: int | None
    ended: str | None = None
    proposed: str | None = None

    @property
    def length(self) -> str:
        """The number of steps, and how many of them repeat for ever."""
        if self.cycle_start is None or self.cycle_start == self.steps:
            return str(self.steps)
        return f"{self.cycle_start} and a cycle of {self.steps - self.cycle_start}"


@dataclass(frozen=True, kw_only=True)
class Kept:
    """A trace that a search found, and what searches said of its properties."""

    design: str
    scope: str
    variants: tuple[str, ...]
    claim: str
    steps: tuple[tuple[str, Mapping[str, Any]], ...]
    cycle_start: int | None
    claims: Mapping[str, Broken]
    proposal: tuple[str, ...] | None = None
    cut_off: Mapping[str, int] = field(default_factory=dict)
    in_force: tuple[str, ...] = ()

    def trace(self, design: Design) -> Trace:
        """The trace, of the design with the variants of the file. Raises DesignError."""
        changed = design.with_variants(*self.variants)
        scope = changed.scope(self.scope)
        named = Steps(changed, scope)
        labels = [named.label(Step(name, tuple(given.items()))) for name, given in self.steps]
        return Trace(changed, scope, 0, tuple(map(named.step, labels)), self.cycle_start)

    @property
    def text(self) -> str:
        """The file."""
        told = {name: _without_nothing(asdict(one)) for name, one in self.claims.items()}
        found = {
            "design": self.design,
            "scope": self.scope,
            "variants": self.variants,
            "property": self.claim,
            **({} if self.proposal is None else {"proposal": self.proposal}),
            "steps": self.steps,
            "cycle_start": self.cycle_start,
            "cut_off": self.cut_off,
            "in_force": self.in_force,
            "claims": told,
        }
        return f"{json.dumps(found, indent=1)}\n"


def _without_nothing(found: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in found.items() if v is not None or k == "cycle_start"}


@dataclass(frozen=True, kw_only=True)
class Shown:
    """An entry of a register and the trace that shows it."""

    design: Design
    entry: Entry
    kept: Kept
    trace: Trace

    @property
    def command(self) -> str:
        """What explores a finding again, and prints its steps."""
        return f"tierproof explore {self.design.name} --finding {self.entry.name}"


def path_of(design: Design, name: str) -> Path:
    """The file of an entry's trace."""
    return folder_of(design) / f"{name}.json"


def kept_of(design: Design, name: str) -> Kept | None:
    """What is kept of an entry; None if nothing is. Raises Unreadable."""
    path = path_of(design, name)
    return read(path) if path.exists() else None


def read(path: Path) -> Kept:
    """The trace that a file keeps. Raises Unreadable."""
    found = json_file.read(path)
    try:
        claims = {name: Broken(**told) for name, told in found.pop("claims").items()}
        steps = tuple((name, given) for name, given in found.pop("steps"))
        for name in {"variants", "proposal", "in_force"} & found.keys():
            found[name] = tuple(found[name])
        return Kept(claim=found.pop("property"), claims=claims, steps=steps, **found)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise json_file.Unreadable(path, f"it is no trace of a register ({error})") from None


def write(shown: Shown) -> Path:
    """Keep the trace of an entry."""
    path = path_of(shown.design, shown.entry.name)
    json_file.write(path, shown.kept.text)
    return path


def shown(design: Design, entry: Entry) -> Shown:
    """An entry with the trace that is kept of it.

    Raises DesignError if there is none, or one of what the entry was before it was changed.
    """
    kept = kept_of(design, entry.name)
    again = f"find it anew: tierproof findings {design.name} --only {entry.name}"
    if kept is None:
        raise DesignError(f"no trace of {entry.name!r} is kept; {again}")
    if (tuple(kept.claims), kept.variants) != (entry.claims, variants_of(design, entry)):
        raise DesignError(f"{entry.name!r} has changed since its trace was kept; {again}")
    if kept.proposal != proposal_of(design, entry):
        raise DesignError(f"{entry.name!r} proposes another change than was explored; {again}")
    return Shown(design=design, entry=entry, kept=kept, trace=kept.trace(design))


def of_design(design: Design) -> dict[str, Kept]:
    """All traces that are kept of a design, by the names of their entries."""
    register = register_of(design)
    names = [
        *(one.name for one in register.findings),
        *(one.name for one in register.published_bugs),
    ]
    return {name: kept for name in sorted(names) if (kept := kept_of(design, name))}


# -- the variants with which an entry is explored


def variants_of(design: Design, entry: Entry) -> tuple[str, ...]:
    """With which an entry is shown."""
    if isinstance(entry, PublishedBug):
        return (*entry.beside, entry.variant)
    return isolated(design, entry)


def ended_of(design: Design, entry: Entry) -> tuple[str, ...]:
    """With which it is over: the fix is on, or every repair in place."""
    return entry.beside if isinstance(entry, PublishedBug) else closed(design, entry.beside)


def proposal_of(design: Design, entry: Entry) -> tuple[str, ...] | None:
    """With which another change than the repair is explored; None without one."""
    if isinstance(entry, PublishedBug) or not entry.proposal:
        return None
    return proposed(design, entry)


def plain(step: Step) -> tuple[str, dict[str, Any]]:
    """A step as a file has it."""
    return step.action, {name: as_json(value) for name, value in step.arguments}
