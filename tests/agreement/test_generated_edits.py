"""On generated designs an edit changes what its difference names, and two compose in any order.

Each seed is a design (`generated.py`), and each request of each of its slots is an edit of it. Two
are taken together at random: they are refused in both orders, or give the same in both.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.agreement.test_generated_designs import folder, generated
from tests.language.contents import changed, content, named
from tierproof.model.language import Design, TierproofError, Variant
from tierproof.model.language.definitions import called_by, reached_by
from tierproof.model.language.difference import difference
from tierproof.model.language.editing import edited
from tierproof.model.language.properties import functions_of

__all__ = ["folder"]
SEEDS, MORE_SEEDS = range(4), range(4, 100)
PAIRS = 25


def requests(design: Design) -> Iterator[dict[str, Any]]:
    """Each request of each slot, as the fields of an Edit; some of them may be refused."""
    for act in design.actions:
        other = "add_environment" if act in design.system else "add_system"
        yield {"drop": (act,)}
        yield {"drop": (act,), other: (act,)}
        yield {"stutters": (act,)}
        yield from ({"unfence": {act: guard}} for guard in act.guards)
        yield from ({"fence": {act: guard}} for guard in design.guards.values())
        for model in design.actions:
            if model.arguments == act.arguments:
                yield {"effect": {act: model.effect}}
                yield {"first": {act: model.effect}}
                yield {"also": {act: model.effect}}
    yield from ({"drop": (entry,)} for entry in (*design.guards.values(), *design.checked))
    for old, new in itertools.permutations(design.guards.values(), 2):
        if old.arguments == new.arguments:
            yield {"test": {old: new}}
    yield from definitions(design)


def definitions(design: Design) -> Iterator[dict[str, Any]]:
    """Helpers that take the place of others with as many arguments."""
    parts = [part for act in design.actions for part, _ in act.parts]
    helpers = sorted(called_by(parts), key=lambda one: one.__name__)
    asked = reached_by([part for one in design.checked for part in functions_of(one)], {})
    for old, new in itertools.permutations(helpers, 2):
        if (
            old.__code__.co_varnames[: old.__code__.co_argcount]
            == (new.__code__.co_varnames[: new.__code__.co_argcount])
        ):
            reasons = {old: "a test"} if old in asked else {}
            yield {"define": {old: new}, "redefines": reasons}


def chosen(design: Design, *fields: dict[str, Any]) -> Design | None:
    """The design with these edits, as variants; None if they are refused."""
    try:
        variants = [Variant(name=f"v{n}", because="a test", **one) for n, one in enumerate(fields)]
        return edited(design, variants)
    except TierproofError:
        return None


def check(folder: Any, seed: int) -> tuple[int, int]:
    """Check the edits of a seed; how many were made, and how many pairs composed."""
    design: Design = generated(folder, seed).DESIGN
    made = [(one, after) for one in requests(design) if (after := chosen(design, one))]
    for request, after in made:
        assert named(difference(design, after)) == changed(design, after) != set(), request
    composed = 0
    for (one, _), (other, _) in random.Random(seed).choices(
        list(itertools.combinations(made, 2)), k=PAIRS
    ):
        there, back = chosen(design, one, other), chosen(design, other, one)
        assert (there is None) == (back is None), (one, other)
        if there is not None and back is not None:
            are_joined = {*one, *other} & {"first", "also"}
            assert content(there) == content(back) or are_joined, (one, other)
            assert named(difference(design, there)) == changed(design, there)
            composed += 1
    return len(made), composed


@pytest.mark.parametrize("seed", SEEDS)
def test_an_edit_of_a_generated_design_is_what_the_difference_says(folder, seed):
    made, composed = check(folder, seed)
    assert made > 10
    assert composed > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", MORE_SEEDS)
def test_an_edit_of_more_generated_designs_is_what_the_difference_says(folder, seed):
    check(folder, seed)
