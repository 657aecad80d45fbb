"""Replaying: the same steps taken again, in this design or a changed one, and what they break.

CPython takes the steps and tests the property, so that nothing here depends on the search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tierproof.model.language.actions import Step
from tierproof.model.language.design import Design
from tierproof.model.language.errors import DesignError, closest
from tierproof.model.language.interpreter import Interpreter, Steps
from tierproof.model.language.properties import Fairness, Property, PropertyKind
from tierproof.model.language.scope import Scope
from tierproof.model.language.state import State
from tierproof.model.language.trace import Stop, Trace


@dataclass(frozen=True, kw_only=True)
class Replay:
    """Steps taken again: the `trace` of those that the design takes, and what came of the rest.

    `stop` is the step that the design refuses, None if it takes all. `is_violated` says whether
    the property fails on the trace; `why_not` says why it does not.
    """

    trace: Trace
    stop: Stop | None
    is_violated: bool
    why_not: str = ""


def replay(
    design: Design,
    scope: Scope,
    steps: Sequence[Step],
    name: str,
    *,
    initial: int = 0,
    cycle_start: int | None = None,
) -> Replay:
    """Take `steps` from an initial state, and test the property, or lifecycle law, called `name`.

    `cycle_start` makes a lasso of them, see Trace; a liveness property needs one. A lasso that a
    changed design does not close again is no counterexample. Raises UnknownName for a name or an
    action that the design lacks, DesignError if it has no such step or initial state.
    """
    interpreter = Interpreter(design, scope)
    laws = {law.law_name for law in design.laws(scope)}
    closest("property", name, {*laws, *(entry.name for entry in design.properties)})
    named = Steps(design, scope)
    taken = tuple(named.step(named.label(step)) for step in steps)
    first = interpreter.initial_state(initial)
    states, stop = Trace(design, scope, initial, taken).begun_in(first).follow_in(design)
    if stop is not None:
        reached = Trace(design, scope, initial, taken[: stop.number - 1]).begun_in(first)
        by = f" by {stop.refused_by}" if stop.refused_by else ""
        why = f"step {stop.number}, {stop.step}, is refused{by}"
        return Replay(trace=reached, stop=stop, is_violated=False, why_not=why)
    whole = Trace(design, scope, initial, taken, cycle_start).begun_in(first)
    claim = liveness_of(design, name)
    if claim is None:
        found = where_broken(interpreter, states, taken, name)
        why = "" if found else "the property holds in every state and step"
        return Replay(trace=whole, stop=None, is_violated=bool(found), why_not=why)
    if cycle_start is not None and states[cycle_start] != states[-1]:
        why = f"the steps no longer lead back to state {cycle_start}"
        ended = Trace(design, scope, initial, taken).begun_in(first)
        return Replay(trace=ended, stop=None, is_violated=False, why_not=why)
    lasso = why_no_lasso(whole, claim)
    return Replay(trace=whole, stop=None, is_violated=lasso is None, why_not=lasso or "")


# -- safety


def where_broken(
    interpreter: Interpreter, states: Sequence[State], steps: Sequence[Step], name: str
) -> list[int]:
    """The indices of the states at which a property is violated that is no liveness property."""
    kind = PropertyKind.DEADLOCK
    deadlocks = {entry.name for entry in interpreter.design.properties if entry.kind is kind}
    found = []
    for number, state in enumerate(states):
        broken = {entry.name for entry in interpreter.violated_in(state)}
        if number:
            before = states[number - 1]
            broken |= {
                entry.name for entry in interpreter.violated_by(before, steps[number - 1], state)
            }
            broken |= _broken_laws(interpreter, before, state)
        if name in broken or (name in deadlocks and _is_stuck(interpreter, state)):
            found.append(number)
    return found


def _is_stuck(interpreter: Interpreter, state: State) -> bool:
    """The state is within the bounds and has no step."""
    return interpreter.within_bounds(state) and not interpreter.enabled(state)


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
    """The premise holds somewhere, and the goal neither there nor in any later state.

    Of a goal that is to stay: the premise holds somewhere, and the goal is false on the cycle.
    """
    if claim.stays:
        held = [interpreter.holds("liveness", claim, one) for one in states[cycle_start:]]
        return not all(held) and _is_asked(interpreter, claim, states)
    without_goal = len(states)
    while without_goal and not interpreter.holds("liveness", claim, states[without_goal - 1]):
        without_goal -= 1
    if without_goal > cycle_start:
        return False
    return _is_asked(interpreter, claim, states[without_goal:])


def _is_asked(interpreter: Interpreter, claim: Property, states: Sequence[State]) -> bool:
    """The premise holds in one of the states, or there is none."""
    premise = claim.premise
    return premise is None or any(interpreter.holds("premise", premise, state) for state in states)


def _fair_steps(interpreter: Interpreter, claim: Property) -> list[tuple[Step, bool]]:
    """Every step that is fair, and whether strongly."""
    fair = claim.fairness or Fairness()
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
