"""Random designs that tell no dog apart: none is refused, and no verdict is another.

GENERATED_SEEDS=1000-2000 .venv/bin/python -m pytest tests/agreement/test_generated_symmetry.py
"""

import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.agreement.generated_symmetry import Writer
from tierproof.model.language import Design, DesignError
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.search import explore

CHOSEN = os.environ.get("GENERATED_SEEDS", "")
FEW, MANY = range(8), range(8, 300)


def chosen_seeds() -> range:
    """The seeds that the environment asks for."""
    first, _, last = CHOSEN.partition("-")
    return range(int(first), int(last or first) + 1) if CHOSEN else FEW


def design_of(folder: Path, seed: int) -> Design:
    """The design of a seed. Raises Asymmetric if it is refused."""
    name = f"pack_{seed}"
    path = folder / f"{name}.py"
    path.write_text(Writer(seed).module(), encoding="utf-8")
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
    check_agreement(design_of(tmp_path, seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", MANY)
def test_more_designs_that_tell_no_dog_apart_are_taken_and_verdicts_are_the_same(tmp_path, seed):
    check_agreement(design_of(tmp_path, seed))
