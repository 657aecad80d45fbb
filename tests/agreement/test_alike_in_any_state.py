"""An effect that is taken does the same to a state and to the state in other names, in CPython.

The state is any one, reached or not, so that a few hundred effects say more than a search.

GENERATED_SEEDS=1000-2000 .venv/bin/python -m pytest tests/agreement/test_alike_in_any_state.py
"""

import importlib.util
import os
import sys
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.agreement.generated_effects import Writer
from tierproof.model.language import Design, DesignError, Interpreter, Step, action
from tierproof.model.language.errors import Asymmetric
from tierproof.model.language.layout import SequenceNode
from tierproof.spark_explorer.native.canonical import PLAIN
from tierproof.spark_explorer.symmetry import places_of

CHOSEN = os.environ.get("GENERATED_SEEDS", "")
FEW, MANY, EFFECTS, STATES = range(4), range(4, 200), 40, 25


def chosen_seeds() -> range:
    """The seeds that the environment asks for."""
    first, _, last = CHOSEN.partition("-")
    return range(int(first), int(last or first) + 1) if CHOSEN else FEW


def module_of(folder: Path, seed: int) -> Any:
    """The effects of a seed."""
    name = f"effects_{seed}"
    path = folder / f"{name}.py"
    path.write_text(Writer(seed).module(EFFECTS), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def designs_of(module: Any) -> Iterator[Design]:
    """Each effect that is taken, as a design."""
    for number in range(EFFECTS):
        effect = getattr(module, f"effect_{number}")
        try:
            yield Design(
                name=effect.__name__,
                title="A pack",
                state=module.Pack,
                initial=(module.begins,),
                system=(action(stutters=True)(effect),),
                scopes={"three": module.Yard()},
            )
        except Asymmetric:
            continue


def any_leaves(design: Design, random: Random) -> list[int]:
    """A state that may never be reached."""
    layout = design.layout(design.scopes["three"])
    leaves = [random.randint(one.leaf.domain.low, one.leaf.domain.high) for one in layout.leaves]
    for at, node in layout.root.fields.values():
        if isinstance(node, SequenceNode):  # unused room holds the lowest values
            for place in range(leaves[at], node.length):
                leaves[at + 1 + place] = layout.leaves[at + 1 + place].leaf.domain.low
    return leaves


def renamed(design: Design, leaves: list[int], new: tuple[int, ...]) -> list[int]:
    """The same state, in which dog `i` is called `new[i]`."""
    scope = design.scopes["three"]
    places = places_of(design.layout(scope), design.alike)
    offsets = {(place.shape, place.things): at for at, place in enumerate(places)}
    found = [0] * len(leaves)
    for place, value in zip(places, leaves, strict=True):
        moved = tuple((group, new[i]) for group, i in place.things)
        is_live = place.used < 0 or leaves[place.used] > place.position
        if place.kind != PLAIN and is_live:
            is_set = design.layout(scope).leaves[offsets[place.shape, place.things]].leaf.domain
            value = _set(value, new) if is_set.is_set else new[value] if value >= 0 else value
        found[offsets[place.shape, moved]] = value
    return found


def _set(bits: int, new: tuple[int, ...]) -> int:
    return sum(1 << new[i] for i in range(len(new)) if bits >> i & 1)


def after(design: Design, leaves: list[int], dog: int) -> list[int] | None:
    """The state after the step of a dog, None if that is an error."""
    scope = design.scopes["three"]
    state = design.state.of_leaves(design.layout(scope), leaves)
    try:
        return list(
            Interpreter(design, scope).take(state, Step(design.name, (("dog", dog),))).leaves
        )
    except (DesignError, ArithmeticError, LookupError, ValueError):
        return None


def check(design: Design, seed: int) -> None:
    """Assert that the effect does the same in other names."""
    random = Random(seed)
    for _ in range(STATES):
        leaves, dog = any_leaves(design, random), random.randrange(3)
        new = random.choice(list(permutations(range(3)))[1:])
        first = after(design, leaves, dog)
        told = first and renamed(design, first, new)
        assert after(design, renamed(design, leaves, new), new[dog]) == told, (leaves, dog, new)


def check_seed(folder: Path, seed: int) -> None:
    taken = 0
    for design in designs_of(module_of(folder, seed)):
        check(design, seed)
        taken += 1
    assert 0 < taken < EFFECTS


@pytest.mark.parametrize("seed", chosen_seeds())
def test_an_effect_that_is_taken_does_the_same_in_other_names(tmp_path, seed):
    check_seed(tmp_path, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", MANY)
def test_more_effects_that_are_taken_do_the_same_in_other_names(tmp_path, seed):
    check_seed(tmp_path, seed)
