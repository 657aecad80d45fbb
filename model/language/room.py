"""Room: where a scope, and nothing else, kept something from happening along a trace.

A trace that ends where the scope has no place left proves little: what the design would do
next cannot happen. So it is told which limits cut behaviours off, and from which step on.
"""

from __future__ import annotations

from collections.abc import Iterator

from tierproof.model.language.actions import Guard, Step
from tierproof.model.language.interpreter import Interpreter
from tierproof.model.language.state import State
from tierproof.model.language.trace import Trace


def cut_off(trace: Trace) -> dict[str, int]:
    """Each limit that alone refused a step -> the first state (from 0) in which it did."""
    interpreter = Interpreter(trace.design, trace.scope)
    limited = {act.name for act in trace.design.actions if any(g.is_limit for g in act.guards)}
    steps = [interpreter.steps.step(label) for label in range(interpreter.steps.count)]
    wanted = [step for step in steps if step.action in limited]
    found: dict[str, int] = {}
    for number, state in enumerate(trace.states):
        for step in wanted:
            for name in _limits(interpreter, state, step):
                found.setdefault(name, number)
    return found


def _limits(interpreter: Interpreter, state: State, step: Step) -> Iterator[str]:
    """The limits that refuse a step which no other guard refuses."""
    act, given = interpreter.design.action(step.action), dict(step.arguments)
    if act.name in interpreter.budgets and not state.leaves[interpreter.budgets[act.name]]:
        return
    refusing: list[Guard] = []
    for entry in act.guards:
        if entry.name in interpreter.design.dropped_guards:
            continue
        if not interpreter.holds("guard", entry, state, given):
            if not entry.is_limit:
                return
            refusing.append(entry)
    yield from (entry.name for entry in refusing)
