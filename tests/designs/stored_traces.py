"""The traces that the register stores, replayed by the interpreter: what each breaks, and where."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tierproof.model.designs import DESIGNS as REGISTERED
from tierproof.model.language import Design, DesignError, Interpreter, State, Step, Trace
from tierproof.model.language.interpreter import Steps
from tierproof.model.language.properties import Property, PropertyKind
from tierproof.spark_explorer.question import Question

PAGES = Path(__file__).parents[2] / "docs" / "findings"
DESIGNS = {name: Question(design=name).resolve()[0] for name in REGISTERED}
STORED: dict[str, dict[str, Any]] = {
    f"{path.parent.name}/{path.stem}": json.loads(path.read_text("utf-8"))
    for path in sorted(PAGES.glob("*/*.json"))
}


def steps_of(stored: dict[str, Any]) -> tuple[Step, ...]:
    """The stored steps."""
    return tuple(Step(name, tuple(given.items())) for name, given in stored["steps"])


def trace_of(stored: dict[str, Any]) -> Trace:
    """The stored trace, of the design with the variants that it is shown with."""
    design = DESIGNS[stored["design"]].with_variants(*stored["variants"])
    scope = design.scope(stored["scope"])
    named = Steps(design, scope)
    steps = (named.step(named.label(step)) for step in steps_of(stored))
    return Trace(design, scope, 0, tuple(steps), stored["cycle_start"])


# -- safety


def where_broken(
    interpreter: Interpreter, states: Sequence[State], steps: Sequence[Step], name: str
) -> list[int]:
    """The indices of the states at which an invariant, step property or law is violated."""
    found = []
    for number, state in enumerate(states):
        broken = {entry.name for entry in interpreter.violated_in(state)}
        if number:
            before = states[number - 1]
            broken |= {
                entry.name for entry in interpreter.violated_by(before, steps[number - 1], state)
            }
            broken |= _broken_laws(interpreter, before, state)
        if name in broken:
            found.append(number)
    return found


def _broken_laws(interpreter: Interpreter, before: State, after: State) -> set[str]:
    return {
        law.law_name
        for offset, law in interpreter.lifecycle_leaves
        if not law.allows(before.leaves[offset], after.leaves[offset])
    }


# -- liveness


def liveness_of(design: Design, name: str) -> Property | None:
    """The liveness property of that name, None where the name is of something else."""
    kind = PropertyKind.LIVENESS
    return next((p for p in design.properties if p.name == name and p.kind is kind), None)


def why_no_lasso(trace: Trace, claim: Property) -> str | None:
    """Why the trace is no counterexample to a liveness property; None if it is one."""
    if trace.cycle_start is None:
        return "it ends"
    interpreter = Interpreter(trace.design, trace.scope)
    if not _awaits_the_goal(interpreter, claim, trace.states, trace.cycle_start):
        return "the goal is not awaited for ever"
    for step, is_strong in _fair_steps(interpreter, claim):
        able = [
            would_change(interpreter, state, step) for state in trace.states[trace.cycle_start :]
        ]
        owed = any(able) if is_strong else all(able)
        if owed and step not in trace.steps[trace.cycle_start :]:
            return f"{step} is put off for ever"
    return None


def _awaits_the_goal(
    interpreter: Interpreter, claim: Property, states: Sequence[State], cycle_start: int
) -> bool:
    """The premise holds somewhere, and the goal neither there nor in any later state."""
    without_goal = len(states)
    while without_goal and not interpreter.holds("liveness", claim, states[without_goal - 1]):
        without_goal -= 1
    if without_goal > cycle_start:
        return False
    premise = claim.premise
    return premise is None or any(
        interpreter.holds("premise", premise, state) for state in states[without_goal:]
    )


def _fair_steps(interpreter: Interpreter, claim: Property) -> list[tuple[Step, bool]]:
    """Every step that is fair, and whether strongly."""
    fair = claim.fairness
    assert fair is not None
    weak = {act.name for act in interpreter.design.system} if fair.weak is None else fair.weak
    steps = map(interpreter.steps.step, range(interpreter.steps.count))
    return [
        (step, step.action in fair.strong)
        for step in steps
        if step.action in weak or step.action in fair.strong
    ]


def would_change(interpreter: Interpreter, state: State, step: Step) -> bool:
    """The step is enabled, or refused by a limit of the scope alone, and changes the state."""
    act, given = interpreter.design.action(step.action), dict(step.arguments)
    if act.name in interpreter.budgets and not state.leaves[interpreter.budgets[act.name]]:
        return False
    fences = [entry for entry in act.guards if not entry.is_limit]
    if not all(interpreter.holds("guard", entry, state, given) for entry in fences):
        return False
    try:
        return interpreter.take(state, step).leaves != state.leaves
    except DesignError:  # beyond the limit the state has no room
        return True
