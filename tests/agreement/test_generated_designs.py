"""Interpreter and compiled code agree on generated designs, state by state.

Each seed is a design (see `generated.py`). What is compared is in `side_by_side.py`: every
successor, check, premise, mark and edge, and where CPython raises the reason and the line.

A few seconds for FIRST; minutes for the rest of SEEDS and MORE_SEEDS, which are slow; and any
others, at length, by

    GENERATED_SEEDS=1000-2000 .venv/bin/python -m pytest tests/agreement/test_generated_designs.py

Where they disagree, the error names the module that was written, the state and both answers.
"""

import importlib.util
import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.agreement.generated import module_text
from tests.agreement.side_by_side import Compared, SideBySide
from tierproof.model.language import Design
from tierproof.model.language.reading import Reader, asked, collected, expressions, tree
from tierproof.spark_explorer.compiler.faults import FaultKind

TREES = (tree.__name__, asked.__name__, collected.__name__)
FIRST = range(16)
"""These designs have every construct between them, which is tested, too."""
SEEDS = range(40)
"""These have every fault and every error."""
MORE_SEEDS = range(len(FIRST), 400)
CHOSEN = os.environ.get("GENERATED_SEEDS", "")
STATES, DRAWN = 50, 25
"""Of each design so many states are compared: reached from the initial ones and from some drawn."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Where the modules are written: the reader wants the source of what it reads."""
    return tmp_path_factory.mktemp("generated")


def generated(folder: Path, seed: int) -> ModuleType:
    """The module of a seed, imported."""
    name = f"generated_{seed}"
    path = folder / f"{name}.py"
    if name not in sys.modules or sys.modules[name].__file__ != str(path):
        path.write_text(module_text(seed), encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except Exception:
            del sys.modules[name]
            raise
    return sys.modules[name]


COMPARED: dict[int, Compared] = {}


def compared(folder: Path, seed: int) -> Compared:
    """What was compared of a seed's design; now and then in thorough code, or ablated."""
    if seed not in COMPARED:
        module = generated(folder, seed)
        design: Design = module.DESIGN
        fences = [entry.name for entry in design.guards.values() if not entry.is_limit]
        if fences and seed % 5 == 4:
            design = design.without(fences[0])
        both = SideBySide(design, design.scope("small"), module, is_thorough=seed % 5 == 3)
        COMPARED[seed] = both.compare(STATES, DRAWN, seed)
    return COMPARED[seed]


def chosen_seeds() -> range:
    """The seeds that the environment asks for."""
    first, _, last = CHOSEN.partition("-")
    return range(int(first), int(last or first) + 1) if CHOSEN else FIRST


@pytest.mark.parametrize("seed", chosen_seeds())
def test_compiled_code_says_of_every_state_what_cpython_says(folder, seed):
    assert compared(folder, seed).states > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", MORE_SEEDS)
def test_compiled_code_says_of_more_states_what_cpython_says(folder, seed):
    assert compared(folder, seed).states > 0


# -- the designs do not go blind


def test_every_construct_of_the_language_is_generated(folder):
    met: Counter[Any] = Counter()
    for seed in FIRST:
        for function in functions_of(generated(folder, seed).DESIGN):
            met.update(constructs_in(function, set()))
    named = [*vars(tree).values(), *vars(collected).values()]
    known = [one for one in named if isinstance(one, type) and is_dataclass(one)]
    assert [one.__name__ for one in known if one.__module__ in TREES and not met[one]] == []
    signs = {*expressions.BINARY.values(), *expressions.UNARY.values(), "abs", "any", "all", "sum"}
    signs |= set(expressions.COMPARISONS.values()) - {"is", "is not", "in", "not in"}
    assert [sign for sign in sorted(signs) if not met[sign]] == []


def functions_of(design: Design) -> Iterator[tree.Function]:
    """The functions of a design as they are compiled, without those that they call."""
    reader = Reader(design)
    for act in design.actions:
        yield from (reader.guard(act, entry) for entry in act.guards)
        yield from (function for function, _ in reader.effects(act))
    for claim in design.checked:
        yield reader.predicate(claim)


def constructs_in(node: Any, visited: set[int]) -> Iterator[Any]:
    """The class of every node of a tree, called functions included, and the signs in it."""
    if isinstance(node, tuple):
        for item in node:
            yield from constructs_in(item, visited)
    elif is_dataclass(node) and type(node).__module__ in TREES and id(node) not in visited:
        visited.add(id(node))
        yield type(node)
        for one in fields(node):
            yield from constructs_in(getattr(node, one.name), visited)
    elif isinstance(node, str):
        yield node


@pytest.mark.slow
def test_every_fault_and_every_error_occurs_and_most_states_have_none(folder):
    found = [compared(folder, seed) for seed in SEEDS]
    faults = sum((one.faults for one in found), Counter[FaultKind]())
    errors = sum((one.errors for one in found), Counter[str]())
    # constructs/overflows.py has the first; the other is no error (test_endless_loops.py).
    assert set(faults) == set(FaultKind) - {FaultKind.NO_MEMBER, FaultKind.STOPPED}
    raised = {"FunctionRaised", "OutOfDomain", "NothingChanged", "OutsideLanguage", "SequenceFull"}
    assert set(errors) == raised
    assert errors.total() < sum(one.states for one in found) / 2
    assert sum(one.steps for one in found) > 100 * len(SEEDS)
