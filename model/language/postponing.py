"""The same counterexample with some steps as late as they can go.

A shortest trace is one of many that are as short, and they differ in the order of steps that do
not touch each other. What a user or the controller does early and nobody notices for long reads
as a delay, which the counterexample does not need.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tierproof.model.language.actions import Step
from tierproof.model.language.interpreter import Interpreter
from tierproof.model.language.state import State
from tierproof.model.language.trace import Trace


def postponed(trace: Trace, actions: Collection[str]) -> Trace:
    """The trace with each step of these actions moved past those after it that commute with it.

    A step passes its successor only if both orders lead to the same state, so that the end of
    the trace is the same; none passes the last step, which may be what breaks the property, the
    state from which a lasso repeats, or another step of these actions: so nothing changes if it
    is done again.
    """
    end = len(trace) - 1 if trace.cycle_start is None else trace.cycle_start
    steps, states = list(trace.steps), list(trace.states)
    interpreter = Interpreter(trace.design, trace.scope)
    for begin in reversed(range(end)):
        place = begin
        while place + 1 < end and _is_passed(steps, place, actions):
            between = _between(interpreter, states[place], steps[place + 1], steps[place])
            if between is None or interpreter.take(between, steps[place]) != states[place + 2]:
                break
            steps[place], steps[place + 1] = steps[place + 1], steps[place]
            states[place + 1] = between
            place += 1
    found = Trace(trace.design, trace.scope, trace.initial, tuple(steps), trace.cycle_start)
    return found.begun_in(trace.first)


def _is_passed(steps: Sequence[Step], place: int, actions: Collection[str]) -> bool:
    """The step at `place` is one of the actions, and the next is of another."""
    return steps[place].action in actions and steps[place + 1].action not in actions


def _between(interpreter: Interpreter, state: State, first: Step, second: Step) -> State | None:
    """The state after `first`, None unless both steps are possible in this order."""
    if not interpreter.is_enabled(state, first):
        return None
    after = interpreter.take(state, first)
    return after if interpreter.is_enabled(after, second) else None
