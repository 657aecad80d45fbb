"""The assumption register: what a design takes for granted, and which published bugs that hides.

A verdict rests on the assumptions of its design and of every design that this one is derived of,
but for those whose other reading is a variant that was chosen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import yaml

from tierproof.model.language.design import Design
from tierproof.model.language.scope import Scope

REGISTER = Path(__file__).with_name("assumptions.yaml")

DESIGNS = Path(__file__).with_name("assumption_designs.yaml")
"""Which designs rest on which of them."""

OURS = "tierproof."
"""What the modules begin with that have the states of the designs of the register."""

LISTS = ("hides", "lifted_by")


@dataclass(frozen=True, kw_only=True)
class Assumption:
    """A choice where a document is silent, contradicts itself, or differs from Kafka.

    `asks` is the question to the authors; empty where `text` says all of it. `hides` are
    published bugs that nothing can show while it is assumed. `lifted_by` are bounds of scopes:
    where one is above 0, the other reading is explored.
    """

    name: str
    document: str
    text: str
    choice: str
    other: str
    asks: str = ""
    hides: tuple[str, ...] = ()
    lifted_by: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """As plain values: what a result says of it."""
        return {"id": self.name, "says": self.choice, "hides": list(self.hides)}

    @property
    def variants(self) -> set[str]:
        """The variants that have the other reading."""
        return set(re.findall(r"`(\w+)`", self.other))


@cache
def assumptions() -> Mapping[str, Assumption]:
    """The register: id ("B6") -> what is chosen there."""
    found = yaml.safe_load(REGISTER.read_text("utf-8"))
    return {
        name: Assumption(name=name, **{**told, **{one: tuple(told.get(one, ())) for one in LISTS}})
        for name, told in found.items()
    }


@cache
def _designs() -> Mapping[str, list[str]]:
    found: Mapping[str, list[str]] = yaml.safe_load(DESIGNS.read_text("utf-8"))
    return found


def designs_of(name: str) -> tuple[str, ...]:
    """The designs that an assumption was made for; those that are derived of them rest on it."""
    known = _designs()
    return tuple(known[name] if name in known else known[name[0]])


def rests_on(design: Design, scope: Scope | None = None) -> tuple[Assumption, ...]:
    """What a design takes for granted: what it says itself, then the entries of the register.

    An id that the design uses itself is its own. In a scope, those are left out that it lifts.
    """
    own = (
        Assumption(name=name, document=design.document, text="", choice=words, other="")
        for name, words in design.assumptions.items()
    )
    bounds = {} if scope is None else dict(scope)
    lifted = {name for name, bound in bounds.items() if bound > 0}
    return (*own, *(one for one in _registered(design) if not lifted & set(one.lifted_by)))


def _registered(design: Design) -> Iterator[Assumption]:
    names = {one.name for one in _line(design) if one.state.__module__.startswith(OURS)}
    chosen = {part for one in _line(design) for part in one.chosen_variants}
    for name, one in assumptions().items():
        if name in design.assumptions:
            continue
        if names & set(designs_of(name)) and not one.variants & chosen:
            yield one


def _line(design: Design) -> Iterator[Design]:
    """The design, and those that it is derived of."""
    yield design
    if design.base is not None:
        yield from _line(design.base)


def in_short(names: Iterable[str]) -> str:
    """Ids in a line, as `B1 to B11, K1`: those that follow each other by the first and the last."""
    numbered = list(enumerate(names))
    runs = ([name for _, name in run] for _, run in groupby(numbered, lambda it: _place(*it)))
    return ", ".join(_run(run) for run in runs)


def _place(rank: int, name: str) -> tuple[str, int]:
    """What the ids of one run have in common: the letter, and the number less the rank."""
    found = re.fullmatch(r"([A-Z])(\d+)", name)
    return (found[1], int(found[2]) - rank) if found else (name, 0)


def _run(names: Sequence[str]) -> str:
    if len(names) < 3:
        return ", ".join(names)
    return f"{names[0]} to {names[-1]}"
