"""What if: another step at a place of a trace, and the rest of it as far as it goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tierproof.model.language.actions import Step
from tierproof.model.language.errors import DesignError
from tierproof.model.language.explaining.refusals import Refusal, refusals
from tierproof.model.language.explaining.why_not import check_position
from tierproof.model.language.interpreter import Interpreter
from tierproof.model.language.properties import PropertyKind
from tierproof.model.language.replaying import where_broken
from tierproof.model.language.state import State
from tierproof.model.language.trace import Trace


@dataclass(frozen=True)
class Stopped:
    """The step at which a behaviour ends: number `number`, from 1, of what was to be taken.

    `guards` are those that refuse it; if none does, its effect fails, and `failure` says how.
    `original` is its number in the trace, None for the step that is not of the trace.
    """

    number: int
    step: Step
    original: int | None
    guards: tuple[Refusal, ...] = ()
    failure: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The stop as plain values."""
        return {
            "number": self.number,
            "step": str(self.step),
            "original": self.original,
            "guards": [{"guard": name, "why": part.as_dict()} for name, part in self.guards],
            "failure": self.failure,
        }


@dataclass(frozen=True)
class WhatIf:
    """A trace with another step: `trace` is what could be taken, `stop` where it stops, if it does.

    `at` is the number of the step, from 1, that was taken instead; if it `is_inserted`, before.
    `broken` has the properties and laws that `trace` violates, each with the number of the state
    that does, or to which the step leads that does; `broken_anyway` has those of the trace as it
    was. Liveness is not judged.
    """

    trace: Trace
    at: int
    step: Step
    is_inserted: bool
    stop: Stopped | None
    broken: tuple[tuple[str, int], ...]
    broken_anyway: tuple[tuple[str, int], ...]

    def as_dict(self) -> dict[str, Any]:
        """The answer as plain values, without the states of the trace."""
        return {
            "at": self.at,
            "step": str(self.step),
            "is_inserted": self.is_inserted,
            "taken": [str(step) for step in self.trace.steps],
            "stop": None if self.stop is None else self.stop.as_dict(),
            "broken": dict(self.broken),
            "broken_anyway": dict(self.broken_anyway),
        }


def what_if(trace: Trace, at: int, step: Step, *, is_inserted: bool = False) -> WhatIf:
    """Take another step in place of step `at` of a trace, from 1, and then the rest.

    If it `is_inserted`, step `at` follows it. Raises NoSuchStep for a step that the trace does
    not have, UnknownName or DesignError for one that its design does not have.
    """
    check_position(trace, at, 1)
    interpreter = Interpreter(trace.design, trace.scope)
    interpreter.steps.label(step)
    rest = at if is_inserted else at + 1
    planned = [
        *((old, number) for number, old in enumerate(trace.steps[: at - 1], start=1)),
        (step, None),
        *((old, number) for number, old in enumerate(trace.steps[rest - 1 :], start=rest)),
    ]
    states, stop = [trace.first], None
    for number, (one, original) in enumerate(planned, start=1):
        stop = _stop(interpreter, states, number, one, original)
        if stop is not None:
            break
    taken = tuple(one for one, _ in planned[: len(states) - 1])
    made = Trace(trace.design, trace.scope, trace.initial, taken).begun_in(trace.first)
    broken, anyway = _broken(interpreter, made), _broken(interpreter, trace)
    return WhatIf(made, at, step, is_inserted, stop, broken, anyway)


def _stop(
    interpreter: Interpreter, states: list[State], number: int, step: Step, original: int | None
) -> Stopped | None:
    """Take a step, which adds its state; or why it cannot be taken."""
    guards = refusals(interpreter, states[-1], step)
    if guards:
        return Stopped(number, step, original, guards)
    try:
        states.append(interpreter.take(states[-1], step))
    except DesignError as error:  # the effect relies on what the other step has changed
        return Stopped(number, step, original, failure=str(error).partition("\n")[0])
    return None


def _broken(interpreter: Interpreter, trace: Trace) -> tuple[tuple[str, int], ...]:
    """The properties and laws that a trace violates, each where it first does."""
    found = []
    liveness = PropertyKind.LIVENESS
    names = [one.name for one in interpreter.design.properties if one.kind is not liveness]
    laws = [law.law_name for law in interpreter.design.laws(interpreter.scope)]
    for name in (*names, *laws):
        if broken := where_broken(interpreter, trace.states, trace.steps, name):
            found.append((name, broken[0]))
    return tuple(found)
