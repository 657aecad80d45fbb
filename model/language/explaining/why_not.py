"""Why not: why a step is not enabled at a place of a trace, and since when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tierproof.model.language.actions import Guard, Step
from tierproof.model.language.errors import DesignError, NoSuchStep
from tierproof.model.language.explaining.part import Part
from tierproof.model.language.explaining.refusals import refusals
from tierproof.model.language.interpreter import Interpreter
from tierproof.model.language.state import State
from tierproof.model.language.trace import Trace


@dataclass(frozen=True)
class FalseGuard:
    """A guard that is false, or a budget that is spent, and what a trace did to it.

    `made_false_by` is the number of the step, from 1, since which it is false; None if it was
    false from the beginning. `made_true_by` is that of the step that last made it true before;
    None if it was true from the beginning, or never.
    """

    name: str
    statement: str
    part: Part
    made_false_by: int | None
    made_true_by: int | None
    was_true: bool

    def as_dict(self) -> dict[str, Any]:
        """The guard as plain values."""
        return {
            "guard": self.name,
            "statement": self.statement,
            "made_false_by": self.made_false_by,
            "made_true_by": self.made_true_by,
            "was_true": self.was_true,
            "why": self.part.as_dict(),
        }


@dataclass(frozen=True)
class WhyNot:
    """Why a step is not enabled in state `at` of a trace; no guard is false if it is enabled.

    `enabled_in` are the numbers of the states of the trace in which it is.
    """

    trace: Trace
    step: Step
    at: int
    guards: tuple[FalseGuard, ...]
    enabled_in: tuple[int, ...]

    @property
    def is_enabled(self) -> bool:
        """Whether the step can be taken there."""
        return not self.guards

    def as_dict(self) -> dict[str, Any]:
        """The answer as plain values."""
        return {
            "step": str(self.step),
            "state": self.at,
            "is_enabled": self.is_enabled,
            "enabled_in": list(self.enabled_in),
            "guards": [one.as_dict() for one in self.guards],
        }


def why_not(trace: Trace, step: Step, at: int | None = None) -> WhyNot:
    """Why a step is not enabled in a state of a trace, by default its last; 0 is the first.

    Raises NoSuchStep for a state that the trace does not have, UnknownName or DesignError for a
    step that its design does not have.
    """
    states = trace.states
    number = len(states) - 1 if at is None else at
    check_position(trace, number, 0)
    interpreter = Interpreter(trace.design, trace.scope)
    interpreter.steps.label(step)
    refused = refusals(interpreter, states[number], step)
    found = (_false_guard(interpreter, trace, step, number, *one) for one in refused)
    enabled = (n for n, state in enumerate(states) if interpreter.is_enabled(state, step))
    return WhyNot(trace, step, number, tuple(found), tuple(enabled))


def check_position(trace: Trace, number: int, first: int) -> None:
    """Raise NoSuchStep unless a trace has a state, or a step, of that number."""
    if not first <= number <= len(trace):
        what = "state" if first == 0 else "step"
        raise NoSuchStep(f"the trace has {what}s {first} to {len(trace)}, and none of {number}")


def _false_guard(
    interpreter: Interpreter, trace: Trace, step: Step, number: int, name: str, part: Part
) -> FalseGuard:
    act = interpreter.design.action(step.action)
    entry = next((one for one in act.guards if one.name == name), None)
    truths = [_truth(interpreter, entry, state, step) for state in trace.states[: number + 1]]
    last_true = max((n for n, truth in enumerate(truths) if truth), default=None)
    if last_true is None:
        return FalseGuard(name, entry.statement if entry else "", part, None, None, False)
    since = last_true
    while since > 0 and truths[since - 1]:
        since -= 1
    statement = entry.statement if entry else "The budget is not spent."
    return FalseGuard(name, statement, part, last_true + 1, since or None, True)


def _truth(interpreter: Interpreter, entry: Guard | None, state: State, step: Step) -> bool | None:
    """Whether a guard, by itself, is true in a state; None if it has no answer there."""
    if entry is None:
        return state.leaves[interpreter.budgets[step.action]] > 0
    try:
        return interpreter.holds("guard", entry, state, dict(step.arguments))
    except DesignError:  # an earlier guard is there to prevent it
        return None
