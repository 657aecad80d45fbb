"""Every fence that a design declares: dropped in its scope, what it protects breaks.

A fence stands in the design that introduces it, or in the variant that does. One that breaks
nothing in any committed scope says why it stays, and is not explored.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from tierproof.model.designs import DESIGNS
from tierproof.model.language import Design, Guard, Variant
from tierproof.model.language.actions import GuardKind
from tierproof.model.language.edits import several
from tierproof.model.language.isolation import closed
from tierproof.spark_explorer import ledger
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.results import Verdict
from tierproof.spark_explorer.search import explore

MOST_STATES = 400_000
SLOW = 500_000
"""A scope that generates more states than this is explored by the slow tests only."""


class Fence(NamedTuple):
    """A fence, and where it stands."""

    design: str
    variant: str
    guard: Guard

    def __str__(self) -> str:
        return "-".join(part for part in (self.design, self.variant, self.guard.name) if part)


@cache
def design_of(name: str, *variants: str) -> Design:
    return Question(design=name).resolve()[0].with_variants(*variants)


def registered_base(design: Design) -> Design | None:
    """The nearest design that it is derived from, and that is explored by itself."""
    base = design.base
    while base is not None and base.name not in DESIGNS:
        base = base.base
    return base


def added_by(variant: Variant) -> tuple[Guard, ...]:
    """The guards that a variant adds to actions, each once."""
    given = [given for part in variant.whole for given in part.fence.values()]
    return tuple(dict.fromkeys(one for those in given for one in several(those)))


def known_from(base: Design | None) -> dict[str, Guard]:
    """The guards of a base and of its variants, which are ablated there."""
    if base is None:
        return {}
    added = {one.name: one for variant in base.variants for one in added_by(variant)}
    return {**added, **base.guards}


def fences() -> Iterator[Fence]:
    """Those of each design that its base has not, and those that its variants add."""
    for name in DESIGNS:
        design = design_of(name)
        known = known_from(registered_base(design))
        yield from (Fence(name, "", one) for key, one in design.guards.items() if key not in known)
        known |= design.guards
        for variant in design.variants:
            for guard in added_by(variant):
                if guard.name not in known:
                    known[guard.name] = guard
                    yield Fence(name, variant.name, guard)


def is_slow(fence: Fence) -> bool:
    entry = ledger.read().get(fence.design, {}).get(fence.guard.scope)
    return entry is not None and entry["generated_states"] > SLOW


CASES = [
    pytest.param(one, id=str(one), marks=pytest.mark.slow if is_slow(one) else ())
    for one in fences()
    if one.guard.kind is GuardKind.FENCE and one.guard.protects
]


@cache
def violated(
    name: str, variants: tuple[str, ...], scope: str, without: tuple[str, ...] = ()
) -> frozenset[str]:
    return broken(design_of(name, *variants).without(*without), scope)


def broken(design: Design, scope: str) -> frozenset[str]:
    result = explore(design, design.scope(scope), MemoryExecution, max_states=MOST_STATES)
    return frozenset(one.name for one in result.properties if one.verdict is Verdict.VIOLATED)


def beside(fence: Fence) -> Iterator[tuple[str, ...]]:
    """The variants with which a fence is tried: its own; if that is a repair, then all repairs.

    What a repair protects may break by other causes, too, until all of them are mended.
    """
    yield (fence.variant,) if fence.variant else ()
    if fence.variant in (whole := closed(design_of(fence.design))):
        yield whole


def parts_with(fence: Fence) -> Iterator[Design]:
    """The design with a part alone of the variant that adds the fence.

    A variant may add to its part a stronger fence, beside which this one breaks nothing; designs
    that take the part alone need it.
    """
    design = design_of(fence.design)
    for variant in design.variants:
        if variant.name == fence.variant:
            for part in variant.parts:
                if fence.guard in added_by(part):
                    yield design.derive(name=design.name, title=design.title, change=part)


@pytest.mark.parametrize("fence", CASES)
def test_without_a_fence_what_it_protects_breaks(fence: Fence) -> None:
    name, scope = fence.design, fence.guard.scope
    assert any(
        set(fence.guard.protects)
        & (violated(name, variants, scope, (fence.guard.name,)) - violated(name, variants, scope))
        for variants in beside(fence)
    ) or any(
        set(fence.guard.protects)
        & (broken(part.without(fence.guard.name), scope) - broken(part, scope))
        for part in parts_with(fence)
    )
