"""The register's traces are replayed: what a page shows is what the model does.

A trace breaks its property at its end and not before. Where the fix of a published bug is on,
or a repair is in place, the same steps are refused, or they break nothing.
"""

from dataclasses import replace

import pytest

from tests.designs.stored_traces import (
    DESIGNS,
    STORED,
    trace_of,
)
from tierproof.model.language import Design, DesignError, Interpreter, Step, Trace, UnknownName
from tierproof.model.language.replaying import liveness_of, where_broken, why_no_lasso
from tierproof.register import register_of
from tierproof.register.traces import Kept

BUGS = {
    f"{name}/{bug.name}": bug
    for name, design in DESIGNS.items()
    for bug in register_of(design).published_bugs
}
REPAIRS = {
    f"{name}/{one.name}": (one.repair, *one.apart)
    for name, design in DESIGNS.items()
    for one in register_of(design).findings
    if one.repair
}
PROPOSALS = {
    f"{name}/{one.name}": one.proposal
    for name, design in DESIGNS.items()
    for one in register_of(design).findings
    if one.proposal
}


def is_violated(stored: Kept) -> bool:
    """The stored property is violated by the stored trace at its end, and not before."""
    trace, name = trace_of(stored), stored.claim
    if claim := liveness_of(trace.design, name):
        return why_no_lasso(trace, claim) is None
    interpreter = Interpreter(trace.design, trace.scope)
    broken = where_broken(interpreter, trace.states, trace.steps, name)
    return trace.cycle_start is None and broken == [len(trace)]


def is_refused_or_harmless(design: Design, trace: Trace, name: str) -> bool:
    """In another design the steps are refused, or do not break the stored property."""
    states, stop = trace.follow_in(design)
    if claim := liveness_of(design, name):
        cycle = trace.cycle_start
        if stop is not None or cycle is None or states[cycle] != states[-1]:
            return True
        return why_no_lasso(replace(trace, design=design), claim) is not None
    return not where_broken(Interpreter(design, trace.scope), states, trace.steps, name)


def concerned_by(design: Design, fixed: Design) -> set[str]:
    """The actions of a design that a fix changes, also through a helper that it redefines."""
    kept = {act.name: act for act in fixed.actions}
    return {act.name for act in design.actions if kept.get(act.name) != act}


@pytest.mark.parametrize("name", STORED)
def test_a_stored_trace_breaks_its_property_at_its_end_and_not_before(name: str):
    assert is_violated(STORED[name])


@pytest.mark.parametrize("name", STORED)
def test_the_length_on_the_page_is_that_of_the_stored_trace(name: str):
    stored = STORED[name]
    told = stored.claims[stored.claim]
    assert (told.steps, told.cycle_start) == (len(stored.steps), stored.cycle_start)


@pytest.mark.parametrize("name", BUGS)
def test_with_the_fix_on_the_same_steps_are_refused_or_break_nothing(name: str):
    bug, stored = BUGS[name], STORED[name]
    trace, fixed = trace_of(stored), DESIGNS[stored.design].with_variants(*bug.beside)
    assert is_refused_or_harmless(fixed, trace, stored.claim)
    # It is the fix that refuses: up to the first step that it concerns, nothing does.
    concerned = concerned_by(trace.design, fixed)
    steps = [n for n, step in enumerate(trace.steps, start=1) if step.action in concerned]
    stop = trace.stop_in(fixed)
    assert stop is None or stop.number >= min(steps)


@pytest.mark.parametrize("name", BUGS)
def test_a_fix_is_not_held_against_steps_that_nobody_knows(name: str):
    stored = STORED[name]
    trace = trace_of(stored)
    unknown = replace(trace, steps=(Step("nobody_does_this", ()), *trace.steps))
    with pytest.raises(UnknownName):
        unknown.stop_in(DESIGNS[stored.design])


@pytest.mark.parametrize("name", REPAIRS)
def test_with_the_repair_the_same_steps_are_refused_or_break_nothing(name: str):
    stored, repair = STORED[name], REPAIRS[name]
    design = DESIGNS[stored.design].with_variants(*dict.fromkeys([*stored.variants, *repair]))
    assert is_refused_or_harmless(design, trace_of(stored), stored.claim)


@pytest.mark.parametrize("name", PROPOSALS)
def test_with_the_proposal_of_the_mail_the_same_steps_are_refused_or_break_nothing(name: str):
    stored, proposal = STORED[name], PROPOSALS[name]
    assert stored.proposal is not None
    assert proposal in stored.proposal
    assert {told.proposed for told in stored.claims.values()} == {"HOLDS"}
    design = DESIGNS[stored.design].with_variants(*stored.variants, proposal)
    assert is_refused_or_harmless(design, trace_of(stored), stored.claim)


# -- what the checks above are worth: the stored traces, corrupted

FIRST_OF_EACH = {path.partition("/")[0]: path for path in reversed(STORED)}.values()
of_every_trace_but_few_by_default = pytest.mark.parametrize(
    "name",
    [pytest.param(it, marks=() if it in FIRST_OF_EACH else pytest.mark.slow) for it in STORED],
)


@of_every_trace_but_few_by_default
def test_a_trace_without_its_last_step_is_no_counterexample(name: str):
    stored = STORED[name]
    length, cycle = len(stored.steps) - 1, stored.cycle_start
    cycle = None if cycle is None else min(cycle, length)
    shorter = replace(stored, steps=stored.steps[:-1], cycle_start=cycle)
    assert is_no_counterexample(shorter)


@of_every_trace_but_few_by_default
def test_a_trace_without_its_first_step_is_no_counterexample(name: str):
    stored = STORED[name]
    cycle = stored.cycle_start
    later = replace(stored, steps=stored.steps[1:], cycle_start=cycle and cycle - 1)
    assert is_no_counterexample(later)


def test_a_trace_that_goes_on_after_the_violation_is_refused():
    stored = STORED["kip405/interrupted_copy_dangles"]
    trace = trace_of(stored)
    (step, *_) = Interpreter(trace.design, trace.scope).enabled(trace.states[-1])
    further = (step.action, {name: int(value) for name, value in step.arguments})
    assert not is_violated(replace(stored, steps=(*stored.steps, further)))


def test_a_trace_of_another_property_is_refused():
    stored = STORED["kip405/interrupted_copy_dangles"]
    assert not is_violated(replace(stored, claim="no_committed_record_lost"))


def is_no_counterexample(stored: Kept) -> bool:
    """The trace cannot be replayed, or what it claims is not violated at its end."""
    try:
        return not is_violated(stored)
    except DesignError:
        return True
