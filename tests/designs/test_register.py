"""The register's traces are replayed: what a page shows is what the model does.

Where the fix of a published bug is on, or a repair is in place, the same steps are not
possible, or they break nothing.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tierproof.model.designs import DESIGNS as REGISTERED
from tierproof.model.designs import kip405
from tierproof.model.language import (
    Design,
    DesignError,
    Interpreter,
    Property,
    Step,
    Trace,
    UnknownName,
)
from tierproof.model.language.errors import NonDeterministic
from tierproof.model.language.properties import PropertyKind
from tierproof.spark_explorer.question import Question

PAGES = Path(__file__).parents[2] / "docs" / "findings"
DESIGNS = {name: Question(design=name).resolve()[0] for name in REGISTERED}
STORED = {
    f"{path.parent.name}/{path.stem}": json.loads(path.read_text())
    for path in sorted(PAGES.glob("*/*.json"))
}
SAFETY = {name: stored for name, stored in STORED.items() if stored["cycle_start"] is None}


def design_of(stored: dict[str, Any], *, with_variants: bool = True) -> Design:
    design = DESIGNS[stored["design"]]
    for name in stored["variants"] if with_variants else ():
        design = design.with_variant(name)
    return design


def trace_of(stored: dict[str, Any], design: Design) -> Trace:
    steps = tuple(Step(name, tuple(given.items())) for name, given in stored["steps"])
    return Trace(design, design.scope(stored["scope"]), 0, steps, stored["cycle_start"])


def is_broken_at_the_end(trace: Trace, name: str) -> bool:
    """The last state, or the last step, violates the property; or a lifecycle law of that name."""
    interpreter = Interpreter(trace.design, trace.scope)
    before, last = trace.states[-2:]
    if interpreter.unlawful_changes(before, last):
        return True
    broken: list[Property] = [
        *interpreter.violated_in(last),
        *interpreter.violated_by(before, trace.steps[-1], last),
    ]
    return name in {entry.name for entry in broken}


def test_every_finding_and_every_published_bug_has_its_trace():
    findings = {f"{n}/{one.name}" for n, design in DESIGNS.items() for one in design.findings}
    published = {
        f"{n}/{one.name}" for n, design in DESIGNS.items() for one in design.published_bugs
    }
    assert set(STORED) == findings | published


@pytest.mark.parametrize("name", SAFETY)
def test_a_stored_trace_breaks_its_property_on_replay(name: str):
    stored = SAFETY[name]
    assert is_broken_at_the_end(trace_of(stored, design_of(stored)), stored["property"])


@pytest.mark.parametrize("name", sorted(STORED.keys() - SAFETY.keys()))
def test_a_stored_lasso_comes_back_or_rests_without_its_goal(name: str):
    stored = STORED[name]
    design = design_of(stored)
    (claim,) = [entry for entry in design.properties if entry.name == stored["property"]]
    assert claim.kind is PropertyKind.LIVENESS
    trace = trace_of(stored, design)
    interpreter = Interpreter(design, trace.scope)
    for state in trace.states[stored["cycle_start"] :]:
        assert not interpreter.holds("liveness", claim, state)


@pytest.mark.parametrize("bug", kip405.DESIGN.published_bugs, ids=lambda bug: bug.name)
def test_with_the_fix_on_the_same_steps_break_nothing(bug: Any):
    stored = STORED[f"{kip405.DESIGN.name}/{bug.name}"]
    fixed = kip405.DESIGN
    for name in bug.beside:
        fixed = fixed.with_variant(name)
    try:
        broken = is_broken_at_the_end(trace_of(stored, fixed), stored["property"])
    except (DesignError, NonDeterministic, UnknownName):
        return  # the fix does not allow the steps
    assert not broken
