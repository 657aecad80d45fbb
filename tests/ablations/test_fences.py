"""Every fence that a design declares: left out in its scope, what it protects breaks.

A fence stands in the design that introduces it, or in the variant that does. One that breaks
nothing in any committed scope says why it stays, and is not explored.
"""

from collections.abc import Iterator
from functools import cache

import pytest

from tierproof.model.language import Design
from tierproof.register import ledger
from tierproof.register.ablation import Part, parts_of
from tierproof.register.ablation.matrix import Ablating, known_before
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.registry import DESIGNS

MOST_STATES = 400_000
SLOW = 500_000
"""A scope that generates more states than this is explored by the slow tests only."""


@cache
def design_of(name: str) -> Design:
    return Question(design=name).resolve()[0]


@cache
def ablating(name: str) -> Ablating:
    """One for each design, so that what holds with a fence is explored once for several fences."""
    return Ablating(design_of(name), is_brief=True, max_states=MOST_STATES)


def fences() -> Iterator[tuple[str, Part]]:
    """Those of each design that its base has not, and those that its variants add."""
    for name in DESIGNS:
        design = design_of(name)
        for part in parts_of(design, known=known_before(design)):
            if part.protects:
                yield name, part


def is_slow(design: str, part: Part) -> bool:
    entry = ledger.read().get(design, {}).get(part.scope)
    return entry is not None and entry["generated_states"] > SLOW


CASES = [
    pytest.param(
        name,
        part,
        id="-".join(word for word in (name, part.variant, part.name) if word),
        marks=pytest.mark.slow if is_slow(name, part) else (),
    )
    for name, part in fences()
]


@pytest.mark.parametrize(("name", "part"), CASES)
def test_without_a_fence_what_it_protects_breaks(name: str, part: Part) -> None:
    (row,) = ablating(name).run([part], watched=False).rows
    assert row.is_needed
    assert row.scope == part.scope


def test_every_fence_of_every_design_is_left_out() -> None:
    assert len(CASES) >= 42
