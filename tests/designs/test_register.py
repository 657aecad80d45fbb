"""The register's traces are replayed: what a page shows is what the model does.

A trace breaks its property at its end and not before. Where the fix of a published bug is on,
or a repair is in place, the same steps are refused, or they break nothing.
"""

from typing import Any

import pytest

from tests.designs.stored_traces import (
    DESIGNS,
    STORED,
    liveness_of,
    replaced_actions,
    replay,
    steps_of,
    touched,
    trace_of,
    where_broken,
    why_no_lasso,
    with_variants,
)
from tierproof.model.designs import kip405
from tierproof.model.language import Design, DesignError, Interpreter, Step, Trace, UnknownName

BUGS = {bug.name: bug for bug in kip405.DESIGN.published_bugs}
REPAIRS = {
    f"{name}/{one.name}": one.repair
    for name, design in DESIGNS.items()
    for one in design.findings
    if one.repair
}


def is_violated(stored: dict[str, Any]) -> bool:
    """The stored property is violated by the stored trace at its end, and not before."""
    trace, name = trace_of(stored), stored["property"]
    if claim := liveness_of(trace.design, name):
        return why_no_lasso(trace, claim) is None
    broken = where_broken(trace.design, trace.scope, trace.states, name)
    return trace.cycle_start is None and broken == [len(trace)]


def is_refused_or_harmless(design: Design, stored: dict[str, Any], steps: tuple[Step, ...]) -> bool:
    """In another design the steps are refused, or do not break the stored property."""
    scope, name = design.scope(stored["scope"]), stored["property"]
    states, refused = replay(design, scope, steps)
    if claim := liveness_of(design, name):
        if refused is not None or states[stored["cycle_start"]] != states[-1]:
            return True
        lasso = Trace(design, scope, 0, steps, stored["cycle_start"])
        return why_no_lasso(lasso, claim) is not None
    return not where_broken(design, scope, states, name)


def test_every_finding_and_every_published_bug_has_its_trace():
    findings = {f"{n}/{one.name}" for n, design in DESIGNS.items() for one in design.findings}
    bugs = {f"{n}/{one.name}" for n, design in DESIGNS.items() for one in design.published_bugs}
    assert set(STORED) == findings | bugs


@pytest.mark.parametrize("name", STORED)
def test_a_stored_trace_breaks_its_property_at_its_end_and_not_before(name: str):
    assert is_violated(STORED[name])


@pytest.mark.parametrize("name", STORED)
def test_the_length_on_the_page_is_that_of_the_stored_trace(name: str):
    stored = STORED[name]
    told = stored["claims"][stored["property"]]
    assert (told["steps"], told["cycle_start"]) == (len(stored["steps"]), stored["cycle_start"])


@pytest.mark.parametrize("name", BUGS)
def test_with_the_fix_on_the_same_steps_are_refused_or_break_nothing(name: str):
    bug, stored = BUGS[name], STORED[f"{kip405.DESIGN.name}/{name}"]
    fixed = with_variants(kip405.DESIGN, bug.beside)
    (switched_off,) = [one for one in fixed.variants if one.name == bug.variant]
    restored = {new: old for old, new in replaced_actions(fixed, switched_off).items()}
    steps = steps_of(stored, restored)
    assert is_refused_or_harmless(fixed, stored, steps)
    # It is the fix that refuses: up to the first step that it concerns, nothing does.
    concerned = touched(fixed, switched_off)
    first = min(number for number, step in enumerate(steps) if step.action in concerned)
    _, refused = replay(fixed, fixed.scope(stored["scope"]), steps)
    assert refused is None or refused >= first


@pytest.mark.parametrize("name", BUGS)
def test_a_fix_is_not_held_against_steps_that_nobody_knows(name: str):
    stored = STORED[f"{kip405.DESIGN.name}/{name}"]
    fixed = with_variants(kip405.DESIGN, BUGS[name].beside)
    unknown = (Step("nobody_does_this", ()), *steps_of(stored))
    with pytest.raises(UnknownName):
        is_refused_or_harmless(fixed, stored, unknown)


@pytest.mark.parametrize("name", REPAIRS)
def test_with_the_repair_the_same_steps_are_refused_or_break_nothing(name: str):
    stored, repair = STORED[name], REPAIRS[name]
    found = with_variants(DESIGNS[stored["design"]], stored["variants"])
    (variant,) = [one for one in found.variants if one.name == repair]
    steps = steps_of(stored, replaced_actions(found, variant))
    assert is_refused_or_harmless(found.with_variant(repair), stored, steps)


# -- what the checks above are worth: the stored traces, corrupted


@pytest.mark.parametrize("name", STORED)
def test_a_trace_without_its_last_step_is_no_counterexample(name: str):
    stored = STORED[name]
    length, cycle = len(stored["steps"]) - 1, stored["cycle_start"]
    cycle = None if cycle is None else min(cycle, length)
    shorter = {**stored, "steps": stored["steps"][:-1], "cycle_start": cycle}
    assert is_no_counterexample(shorter)


@pytest.mark.parametrize("name", STORED)
def test_a_trace_without_its_first_step_is_no_counterexample(name: str):
    stored = STORED[name]
    cycle = stored["cycle_start"]
    later = {**stored, "steps": stored["steps"][1:], "cycle_start": cycle and cycle - 1}
    assert is_no_counterexample(later)


def test_a_trace_that_goes_on_after_the_violation_is_refused():
    stored = STORED["kip405/interrupted_copy_dangles"]
    trace = trace_of(stored)
    (step, *_) = Interpreter(trace.design, trace.scope).enabled(trace.states[-1])
    further = [step.action, {name: int(value) for name, value in step.arguments}]
    assert not is_violated({**stored, "steps": [*stored["steps"], further]})


def test_a_trace_of_another_property_is_refused():
    stored = STORED["kip405/interrupted_copy_dangles"]
    assert not is_violated({**stored, "property": "no_committed_record_lost"})


def is_no_counterexample(stored: dict[str, Any]) -> bool:
    """The trace cannot be replayed, or what it claims is not violated at its end."""
    try:
        return not is_violated(stored)
    except DesignError:
        return True
