"""Random designs that declare dogs alike: no wrong verdict, and none refused that is fair.

GENERATED_SEEDS=1000-2000 .venv/bin/python -m pytest tests/agreement/test_generated_symmetry.py
"""

import importlib.util
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.agreement.generated_symmetry import Writer
from tierproof.model.language import Design, DesignError
from tierproof.model.language.errors import Asymmetric
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.search import explore

CHOSEN = os.environ.get("GENERATED_SEEDS", "")
FEW, MANY = range(8), range(8, 300)


def chosen_seeds() -> range:
    """The seeds that the environment asks for."""
    first, _, last = CHOSEN.partition("-")
    return range(int(first), int(last or first) + 1) if CHOSEN else FEW


def design_of(folder: Path, seed: int, *, is_wild: bool) -> Design:
    """The design of a seed. Raises Asymmetric if it is refused."""
    name = f"pack_{'wild' if is_wild else 'fair'}_{seed}"
    path = folder / f"{name}.py"
    path.write_text(Writer(seed, is_wild=is_wild).module(), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[name]
    found: Design = module.DESIGN
    return found


def taken_or_refused(folder: Path, seed: int) -> tuple[Design | None, str]:
    """The design of a seed that may do anything with a dog, or the sentence that refuses it."""
    try:
        return design_of(folder, seed, is_wild=True), ""
    except Asymmetric as error:
        return None, str(error)


def outcome(design: Design, *, symmetry: bool) -> list[Any]:
    """What a search says, without its counts; traces replay in CPython.

    The depth is among what it says if all initial states are the same in other names: one that a
    dog begins differently is reached by fewer steps in the names of another.
    """
    try:
        result = explore(
            design,
            design.scope("three"),
            lambda kernel: MemoryExecution(kernel, 1),
            symmetry=symmetry,
        )
    except DesignError as error:
        return [type(error).__name__, error.trace and len(error.trace)]
    is_even = design.initial[0].name == "nobody_leads"
    return [result.depth if is_even else None, result.never_taken, *_told(result)]


def _told(result: Any) -> Iterator[Any]:
    for entry in (*result.properties, *result.witnesses):
        told = getattr(entry, "verdict", None) or getattr(entry, "reached", None)
        steps = None if entry.trace is None else len(entry.trace.states)
        yield entry.name, told, steps, bool(entry.occurrences)


def check_agreement(design: Design) -> None:
    """Assert that a search says the same with symmetry and without."""
    assert outcome(design, symmetry=True) == outcome(design, symmetry=False)


@pytest.mark.parametrize("seed", chosen_seeds())
def test_a_design_that_tells_no_dog_apart_is_taken_and_verdicts_are_the_same(tmp_path, seed):
    check_agreement(design_of(tmp_path, seed, is_wild=False))


@pytest.mark.parametrize("seed", chosen_seeds())
def test_a_design_that_may_tell_dogs_apart_is_refused_or_verdicts_are_the_same(tmp_path, seed):
    design, refusal = taken_or_refused(tmp_path, seed)
    if design is None:
        assert re.search(r"\.py:\d+: in '\w+', .*; ", refusal)
    else:
        check_agreement(design)


@pytest.mark.slow
@pytest.mark.parametrize("seed", MANY)
def test_more_designs_that_tell_no_dog_apart_are_taken_and_verdicts_are_the_same(tmp_path, seed):
    check_agreement(design_of(tmp_path, seed, is_wild=False))


@pytest.mark.slow
@pytest.mark.parametrize("seed", MANY)
def test_more_designs_are_refused_or_verdicts_are_the_same(tmp_path, seed):
    design, refusal = taken_or_refused(tmp_path, seed)
    if design is None:
        assert re.search(r"\.py:\d+: in '\w+', .*; ", refusal)
    else:
        check_agreement(design)


def test_some_wild_designs_are_refused_and_some_are_taken(tmp_path):
    found = [taken_or_refused(tmp_path, seed)[0] for seed in range(30)]
    refused = found.count(None)
    assert 5 < refused < 30
