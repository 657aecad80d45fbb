"""Symmetry: how the states of a design in a scope are reduced, and why not, as a result says it.

Each state that is visited stands for all that differ from it only in which of the alike things is
which. Up to MOST permutations are tried one by one; more things are sorted, which is exact as long
as no field of one of them names others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product
from math import factorial, prod
from typing import Any

import numpy as np

from tierproof.model.language.actions import Step
from tierproof.model.language.design import Design
from tierproof.model.language.domains import Domain
from tierproof.model.language.layout import ArrayNode, BagNode, Layout, Leaf, Node, RecordNode
from tierproof.model.language.members import Members
from tierproof.model.language.properties import Property, PropertyKind
from tierproof.model.language.scope import Expression, Scope
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.canonical import (
    INDEX,
    PLAIN,
    SET,
    Bench,
    Reduction,
    canonicalise_all,
)
from tierproof.spark_explorer.native.packing import Packing, packing_of

MOST = 24
"""The most permutations that are tried one by one: those of four things."""
TOO_MANY = f"their fields name each other, and they have more than {MOST} permutations"
WALKED = "random walks tell them apart"
SIZED = "a size is that of all states"
LIVENESS = "liveness is judged on every state; --property chooses other properties"
SWITCHED_OFF = "it is switched off"


def why_unreduced(design: Design, only: Collection[str], *, symmetry: bool) -> str:
    """Why a search tells alike things apart, or nothing if it does not."""
    if not symmetry:
        return SWITCHED_OFF
    return LIVENESS if claims(design, only) else ""


def claims(design: Design, only: Collection[str]) -> list[Property]:
    """The liveness properties to be judged: those named in `only`, or all."""
    return [
        entry
        for entry in design.properties
        if entry.kind is PropertyKind.LIVENESS and (not only or entry.name in only)
    ]


@dataclass(frozen=True)
class Place:
    """A leaf: what it is in (`shape`), which of the alike things it belongs to, what it holds."""

    shape: tuple[Any, ...]
    things: tuple[tuple[int, int], ...] = ()
    used: int = -1
    position: int = 0
    kind: int = PLAIN
    of: int = -1

    def touches(self, group: int) -> int:
        """How often the leaf belongs to, or holds, things of a kind."""
        return sum(which == group for which, _ in self.things) + (self.of == group)


def places_of(layout: Layout, alike: Sequence[Expression]) -> list[Place]:
    """The place of each leaf of a layout."""
    return list(_places(layout.root, alike, Place(()), [0]))


def _places(
    node: Node, alike: Sequence[Expression], at: Place, count: list[int]
) -> Iterator[Place]:
    if isinstance(node, RecordNode):
        for name, (_, child) in node.fields.items():
            yield from _places(child, alike, _inside(at, name), count)
    elif isinstance(node, Leaf):
        group = _group(node.domain.of, alike)
        kind = PLAIN if group < 0 else SET if node.domain.is_set else INDEX
        yield Place(at.shape, at.things, at.used, at.position, kind, group)
        count[0] += 1
    elif isinstance(node, (ArrayNode, BagNode)):
        group = _group(node.count if isinstance(node, ArrayNode) else node.of, alike)
        for i in range(node.length):
            inside = _inside(at, "each" if group >= 0 else i)
            things = (*at.things, (group, i)) if group >= 0 else at.things
            there = Place(inside.shape, things, at.used, at.position)
            yield from _places(node.element, alike, there, count)
    else:
        used = count[0]
        yield from _places(node.used, alike, _inside(at, "used"), count)
        for i in range(node.length):
            there = Place(_inside(at, i).shape, at.things, used, i)
            yield from _places(node.element, alike, there, count)


def _inside(at: Place, part: Any) -> Place:
    return Place((*at.shape, part), at.things, at.used, at.position)


def _group(size: Any, alike: Sequence[Expression]) -> int:
    return next((number for number, one in enumerate(alike) if one is size), -1)


@dataclass(frozen=True, kw_only=True)
class Symmetry:
    """What a result says of symmetry: bound -> how many alike things it counts.

    `reduced` are those of which one state stands for all permutations; `unreduced` are the others,
    each with the reason.
    """

    reduced: Mapping[str, int] = field(default_factory=dict)
    unreduced: Mapping[str, str] = field(default_factory=dict)

    @property
    def permutations(self) -> int:
        """For how many states one of them can stand."""
        return prod(map(factorial, self.reduced.values()))

    @property
    def statements(self) -> tuple[str, ...]:
        """It in words, a line each."""
        told = []
        if self.reduced:
            names = ", ".join(f"{count} {name}" for name, count in self.reduced.items())
            told.append(
                f"symmetry: {names} are alike: a state stands for up to {self.permutations:,}; "
                "counts are of such states, verdicts and lengths of shortest traces of all"
            )
        told += [f"symmetry of {name} is not used: {why}" for name, why in self.unreduced.items()]
        return tuple(told)

    def as_dict(self) -> dict[str, Any]:
        """It as plain values."""
        return {
            "reduced": dict(self.reduced),
            "unreduced": dict(self.unreduced),
            "permutations": self.permutations,
            "statements": list(self.statements),
        }


class Reducing:
    """How states of a design in a scope are reduced, by the bounds that count alike things.

    `refusal` says why they are not, empty if they are.
    """

    def __init__(self, design: Design, scope: Scope, packing: Packing, refusal: str) -> None:
        self.alike, self.scope, self.packing = design.alike, scope, packing
        self.sizes = [one.evaluate(scope) for one in self.alike]
        self.places = places_of(design.layout(scope), self.alike)
        self.design = design
        self.refusal = refusal
        groups = [group for group, size in enumerate(self.sizes) if size > 1]
        self.sorted = [] if refusal else self._sorted(groups)
        self.permuted = [g for g in groups if g not in self.sorted and not refusal]
        while prod(factorial(self.sizes[g]) for g in self.permuted) > MOST:
            self.permuted.remove(max(self.permuted, key=self.sizes.__getitem__))
        self.reduction = self._reduction()

    @property
    def is_on(self) -> bool:
        """Whether any states are reduced."""
        return bool(self.sorted or self.permuted)

    @property
    def symmetry(self) -> Symmetry | None:
        """What a result says of it; None for a design that declares nothing alike."""
        if not self.alike:
            return None
        used = {*self.sorted, *self.permuted}
        sizes = {one.text: self.sizes[g] for g, one in enumerate(self.alike) if g in used}
        rest = [one.text for g, one in enumerate(self.alike) if g not in used and self.sizes[g] > 1]
        return Symmetry(reduced=sizes, unreduced=dict.fromkeys(rest, self.refusal or TOO_MANY))

    def bench(self) -> Bench:
        """Buffers for one thread."""
        width = max([1, *self.sizes])
        return Bench(
            np.zeros((2, len(self.places)), np.int64),
            np.zeros((2, max(1, len(self.sizes) * width)), np.int64),
            np.zeros(width, np.int64),
            np.zeros(width, np.int64),
        )

    def canonical(self, words: Array) -> tuple[Array, Bench]:
        """The packed state that stands for a packed state, and the bench with the new names."""
        bench, found = self.bench(), words[np.newaxis].copy()
        if self.is_on:
            leaves = np.zeros(len(self.places), np.int64)
            canonicalise_all(found, self.packing, self.reduction, bench, leaves)
        return found[0], bench

    def seeds(self, initial: Array) -> tuple[Array, Array]:
        """The canonical states of packed initial states, each once, with the first one's number."""
        labels = np.arange(len(initial), dtype=np.uint32)
        if not self.is_on:
            return initial, labels
        found, leaves = initial.copy(), np.zeros(len(self.places), np.int64)
        canonicalise_all(found, self.packing, self.reduction, self.bench(), leaves)
        _, first = np.unique(found, axis=0, return_index=True)
        chosen = np.sort(first)
        return found[chosen], labels[chosen]

    def step_of(self, step: Step, words: Array) -> Step:
        """The step of a packed state that is `step` of the canonical state which stands for it."""
        _, bench = self.canonical(words)
        domains = self.design.action(step.action).parameters
        given = [(name, self._named(domains[name], one, bench)) for name, one in step.arguments]
        return Step(step.action, tuple(given))

    def _named(self, domain: Domain, value: Any, bench: Bench) -> Any:
        group = _group(domain.sized(self.scope).of, self.alike)
        if group < 0 or group not in {*self.sorted, *self.permuted}:
            return value
        width = max([1, *self.sizes])
        names = bench.names[0, group * width : group * width + self.sizes[group]].tolist()
        if isinstance(value, frozenset):
            return Members(names.index(one) for one in value)
        return value if value < 0 else names.index(value)

    # -- tables

    def _sorted(self, groups: Collection[int]) -> list[int]:
        """The kinds of things that can be sorted, the largest first: none shares a leaf."""
        found: list[int] = []
        for group in sorted(groups, key=lambda g: -self.sizes[g]):
            mine = [place for place in self.places if place.touches(group)]
            is_simple = all(place.touches(group) == 1 for place in mine)
            if is_simple and not any(place.touches(g) for place in mine for g in found):
                found.append(group)
        return found

    def _permutations(self) -> list[list[tuple[int, ...]]]:
        """Each permutation of each kind of things, as their new names; the first changes none."""
        choices = [
            list(permutations(range(size))) if group in self.permuted else [tuple(range(size))]
            for group, size in enumerate(self.sizes)
        ]
        return [list(chosen) for chosen in product(*choices)] if self.is_on else []

    def _reduction(self) -> Reduction:
        width, leaves = max([1, *self.sizes]), len(self.places)
        tried = self._permutations()
        source = np.zeros((len(tried), leaves), np.int64)
        names = np.zeros((len(tried), max(1, len(self.sizes) * width)), np.int64)
        offsets = {(place.shape, place.things): k for k, place in enumerate(self.places)}
        for row, chosen in enumerate(tried):
            for group, new in enumerate(chosen):
                names[row, group * width : group * width + len(new)] = new
            for k, place in enumerate(self.places):
                things = tuple((g, chosen[g].index(i)) for g, i in place.things)
                source[row, k] = offsets[place.shape, things]
        columns = [list(self._columns(group)) for group in self.sorted]
        values = [[k for k, place in enumerate(self.places) if place.of == g] for g in self.sorted]
        flat = [[*column, *([0] * (width - len(column)))] for group in columns for column in group]
        return Reduction(
            source,
            names,
            width,
            np.array(self.sizes or [0], np.int64),
            np.array([place.kind for place in self.places], np.int64),
            np.array([place.of for place in self.places], np.int64),
            np.array([place.used for place in self.places], np.int64),
            np.array([place.position for place in self.places], np.int64),
            np.array(self.sorted, np.int64),
            np.cumsum([0, *map(len, columns)]).astype(np.int64),
            np.array(flat, np.int64).reshape(len(flat), width),
            np.cumsum([0, *map(len, values)]).astype(np.int64),
            np.array([k for group in values for k in group], np.int64),
        )

    def _columns(self, group: int) -> Iterator[list[int]]:
        """For each field that things of a kind have: its leaf, by thing."""
        found: dict[Any, dict[int, int]] = {}
        for k, place in enumerate(self.places):
            for number, (which, i) in enumerate(place.things):
                if which == group:
                    others = (*place.things[:number], *place.things[number + 1 :])
                    found.setdefault((place.shape, others), {})[i] = k
        for column in found.values():
            yield [column[i] for i in range(self.sizes[group])]


def symmetry_in(design: Design, scope: Scope) -> Symmetry | None:
    """What the result of a search for all properties will say of symmetry."""
    packing = packing_of(design.layout(scope))
    return Reducing(design, scope, packing, why_unreduced(design, (), symmetry=True)).symmetry
