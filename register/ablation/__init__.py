"""Ablation: each part of a design, left out alone; what breaks without it is what it is for.

A part is a fence, another guard, or one of several repairs that were chosen. A fence of a
variant is left out of the design with that variant, of the closed design, and of the design with
the part of the variant that adds it: beside a stronger fence, or beside other causes, it may
break nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from tierproof.model.language.actions import Guard, GuardKind
from tierproof.model.language.design import Design
from tierproof.model.language.editing import edited
from tierproof.model.language.edits import Variant, in_order, several
from tierproof.model.language.errors import closest
from tierproof.register.isolation import closed

ABLATED = (GuardKind.FENCE, GuardKind.CONDITION)
"""Guards that can be left out: the others bound the scope, or say where a thread is."""


class PartKind(StrEnum):
    """What is left out."""

    FENCE = "fence"
    GUARD = "guard"
    REPAIR = "repair"


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A design with some variants, from which a part is left out.

    `change` is a variant that stands for one of a design's own, cut down: to the part of it that
    adds a fence, or to all parts but one. `title` says what it is, if it is not what was asked.
    """

    design: Design
    title: str = ""
    variants: tuple[str, ...] = ()
    change: Variant | None = None
    guards: tuple[str, ...] = ()

    @cached_property
    def resolved(self) -> Design:
        """The design of this setting. Raises DesignError if what is left does not compose."""
        found = self.design
        if self.change is not None:
            found = edited(found, in_order([self.change], found.variants))
        elif self.variants:
            found = found.with_variants(*self.variants)
        return found.without(*self.guards) if self.guards else found

    @property
    def key(self) -> tuple[object, ...]:
        """Settings with the same key are the same design."""
        return (self.design.name, self.variants, self.change, self.guards)


@dataclass(frozen=True, kw_only=True)
class Part:
    """A part that can be left out, and the pairs of settings with it and without it.

    `protects`, `scope` and `stays` are those of a fence. `variant` is the one that adds it.
    """

    name: str
    kind: PartKind
    statement: str
    protects: tuple[str, ...] = ()
    scope: str = ""
    stays: str = ""
    variant: str = ""
    settings: tuple[tuple[Setting, Setting], ...]


def parts_of(
    design: Design,
    variants: Sequence[str] = (),
    *,
    known: Collection[str] = (),
    with_guards: bool = False,
    only: Sequence[str] = (),
) -> tuple[Part, ...]:
    """The parts that can be left out of a design with these variants.

    Without variants these are the fences of the design, and those that each of its variants
    adds; with variants those of the design so changed, and each of several repairs. Guards in
    `known` are left to another design; `with_guards` adds the ordinary guards; `only` names the
    parts that are wanted. Raises UnknownName.
    """
    chosen = design.with_variants(*variants) if variants else design
    found = {one.name: one for one in _guards_in(design, chosen, tuple(variants))}
    found |= {one.name: one for one in _repairs(design, variants)}
    if not variants:
        added = {one.name: one for one in _added_guards(design, {*found, *known})}
        found |= added
    if only:
        return tuple(found[closest("part", name, found)] for name in only)
    return tuple(
        one
        for one in found.values()
        if one.name not in known and (with_guards or one.kind is not PartKind.GUARD)
    )


def added_by(variant: Variant) -> tuple[Guard, ...]:
    """The guards that a variant adds to actions, each once."""
    given = [given for part in variant.whole for given in part.fence.values()]
    return tuple(dict.fromkeys(one for those in given for one in several(those)))


def guards_of(design: Design) -> set[str]:
    """The names of the guards of a design and of those that its variants add."""
    return {*design.guards, *(one.name for v in design.variants for one in added_by(v))}


def _part(guard: Guard, settings: tuple[tuple[Setting, Setting], ...], variant: str = "") -> Part:
    return Part(
        name=guard.name,
        kind=PartKind.FENCE if guard.kind is GuardKind.FENCE else PartKind.GUARD,
        statement=guard.statement,
        protects=guard.protects,
        scope=guard.scope,
        stays=guard.stays,
        variant=variant,
        settings=settings,
    )


def _without(setting: Setting, guard: Guard) -> tuple[Setting, Setting]:
    return setting, replace(setting, guards=(guard.name,))


def _guards_in(design: Design, chosen: Design, variants: tuple[str, ...]) -> Iterator[Part]:
    setting = Setting(design=design, variants=variants)
    for guard in chosen.guards.values():
        if guard.kind in ABLATED:
            yield _part(guard, (_without(setting, guard),))


def _added_guards(design: Design, known: set[str]) -> Iterator[Part]:
    """Guards that variants add, each with the first variant that does."""
    met = set(known)
    for variant in design.variants:
        for guard in added_by(variant):
            if guard.name not in met and guard.kind in ABLATED:
                met.add(guard.name)
                settings = tuple(_without(one, guard) for one in _beside(design, variant, guard))
                yield _part(guard, settings, variant.name)


def _beside(design: Design, variant: Variant, guard: Guard) -> Iterator[Setting]:
    """The settings of a guard that a variant adds: what it protects may break otherwise, too."""
    yield Setting(design=design, title=variant.name, variants=(variant.name,))
    if variant.name in (whole := closed(design)):
        yield Setting(design=design, title="all repairs", variants=whole)
    for part in variant.parts:
        if guard in added_by(part):
            yield Setting(design=design, title=f"a part of {variant.name}", change=part)


def _repairs(design: Design, variants: Sequence[str]) -> Iterator[Part]:
    """Each part of a composed variant, or each of several variants, without it alone."""
    named = {one.name: one for one in design.variants}
    whole = Setting(design=design, variants=tuple(variants))
    if len(variants) == 1 and named[variants[0]].parts:
        one = named[variants[0]]
        for part in one.parts:
            left = replace(one, parts=tuple(other for other in one.parts if other != part))
            yield _repair(part, whole, Setting(design=design, change=left))
    elif len(variants) > 1:
        for name in variants:
            left_over = tuple(other for other in variants if other != name)
            yield _repair(named[name], whole, Setting(design=design, variants=left_over))


def _repair(variant: Variant, whole: Setting, less: Setting) -> Part:
    return Part(
        name=variant.name,
        kind=PartKind.REPAIR,
        statement=variant.because,
        settings=((whole, less),),
    )
