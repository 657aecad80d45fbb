"""Never: why the goal of a liveness property is not reached on a cycle, and what could reach it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from operator import itemgetter

from tierproof.model.language.actions import Step
from tierproof.model.language.errors import DesignError
from tierproof.model.language.explaining.explainer import Explainer
from tierproof.model.language.explaining.folding import SHOWN, folded, with_bindings
from tierproof.model.language.explaining.part import Part
from tierproof.model.language.explaining.predicates import given_to
from tierproof.model.language.explaining.refusals import refusals
from tierproof.model.language.interpreter import Interpreter
from tierproof.model.language.properties import Fairness, Property
from tierproof.model.language.replaying import liveness_of
from tierproof.model.language.state import State
from tierproof.model.language.trace import Trace

NEVER, NOT_FOR_GOOD = "never on the cycle", "not always on the cycle"
"""The value of a liveness property that a cycle violates, and of one whose goal is to stay."""
MOST_STATES = 12
"""In how many states of a cycle steps are tried."""
STATE = "state"
"""The binding that says of which states of the trace, counted from 0, a part speaks."""

Numbered = tuple[int, State]


def why_never(trace: Trace, name: str) -> Part:
    """Why a cycle violates a liveness property: its goal, and the steps that would reach it.

    The parts are the goal, as it is false in the states of the cycle; where the premise held;
    then each step whose effect, tried in a state of the cycle, makes the goal true, with the
    guards that refuse it there. Where no single step does, they are the fair actions that are
    refused. What was enabled in some state of the trace comes first: it could have been taken
    there. Of a goal that is to stay, they are the states of the cycle in which it is false, and the
    premise. Raises DesignError for a trace without a cycle, or a name of another property.
    """
    claim = liveness_of(trace.design, name)
    if claim is None or trace.cycle_start is None:
        raise DesignError(f"{name!r} is no liveness property that a trace with a cycle violates")
    interpreter = Interpreter(trace.design, trace.scope)
    states = list(enumerate(trace.states))[trace.cycle_start :]
    states = states[:-1] or states  # the last state of a cycle is its first
    if claim.stays:
        states = [one for one in states if not interpreter.holds("liveness", claim, one[1])]
    goal, more = folded(_goal(interpreter, claim, states[:MOST_STATES]), len(states[MOST_STATES:]))
    awaited = [] if claim.premise is None else _premise(interpreter, claim, trace)
    if claim.stays:
        return Part(claim.name, NOT_FOR_GOOD, False, parts=(*goal, *awaited), more=more)
    enabled = {step for state in trace.states for step in interpreter.enabled(state)}
    helpful = _helpful(interpreter, claim, states[:MOST_STATES], enabled)
    steps = helpful or _fair(interpreter, claim, states[0], enabled)
    parts = (*goal, *awaited, *steps)
    return Part(claim.name, NEVER, False, parts=parts, more=more)


def _goal(interpreter: Interpreter, claim: Property, states: Iterable[Numbered]) -> Iterator[Part]:
    for number, state in states:
        found = Explainer(interpreter.design).function(
            claim, given_to(claim, interpreter.scope, state)
        )
        yield with_bindings(found, ((STATE, str(number)),))


def _premise(interpreter: Interpreter, claim: Property, trace: Trace) -> list[Part]:
    """That the premise held, in the last state in which it did."""
    assert claim.premise is not None
    for number in range(len(trace.states) - 1, -1, -1):
        state = trace.states[number]
        if interpreter.holds("premise", claim.premise, state):
            explainer = Explainer(interpreter.design)
            with explainer.shallow():
                given = given_to(claim.premise, interpreter.scope, state)
                found = explainer.function(claim.premise, given)
            return [with_bindings(found, ((STATE, str(number)),))]
    return []


# -- the steps that could bring it about


def _helpful(
    interpreter: Interpreter, claim: Property, states: Sequence[Numbered], enabled: Set[Step]
) -> list[Part]:
    """Each step that makes the goal true in a state of the cycle: first those of the system, of
    them what the trace `enabled`, then what is refused least."""
    found = []
    system = {act.name for act in interpreter.design.system}
    for label in range(interpreter.steps.count):
        step = interpreter.steps.step(label)
        reached = [one for one in states if _reaches(interpreter, claim, one[1], step)]
        if reached:
            part = _refused(interpreter, step, reached)
            order = (step.action not in system, step not in enabled, len(part.parts))
            found.append((order, part))
    return [part for _, part in sorted(found, key=itemgetter(0))]


def _reaches(interpreter: Interpreter, claim: Property, state: State, step: Step) -> bool:
    """Whether the effect alone, tried in a state, makes the goal true."""
    try:
        after = interpreter.take(state, step)
        return interpreter.holds("liveness", claim, after)
    except Exception:  # an effect may rely on the guards that are false here
        return False


def _refused(interpreter: Interpreter, step: Step, reached: Sequence[Numbered]) -> Part:
    """What keeps a step from being taken in the states in which it would reach the goal."""
    told = [(number, refusals(interpreter, state, step)) for number, state in reached]
    refused = [one for one in told if one[1]]
    if len(refused) < len(told):
        numbers = ", ".join(str(number) for number, guards in told if not guards)
        value = "would reach it, and no fairness asks that it is taken"
        return Part(str(step), value, True, ((STATE, numbers),))
    number, guards = refused[0]
    parts = tuple(replace(part, text=name) for name, part in guards)
    value = "would reach it, and is not enabled"
    return Part(str(step), value, False, ((STATE, str(number)),), parts)


def _fair(
    interpreter: Interpreter, claim: Property, where: Numbered, enabled: Set[Step]
) -> list[Part]:
    """Each fair action that is refused with all its parameters, by its first false guard: first
    those that the trace `enabled`."""
    were_enabled = {step.action for step in enabled}
    told = _refused_actions(interpreter, claim, where)
    return sorted(told, key=lambda part: part.text not in were_enabled)


def _refused_actions(interpreter: Interpreter, claim: Property, where: Numbered) -> Iterator[Part]:
    fair = claim.fairness or Fairness()
    system = tuple(act.name for act in interpreter.design.system)
    names = {*(system if fair.weak is None else fair.weak), *fair.strong}
    number, state = where
    for act in interpreter.design.actions:
        if act.name not in names:
            continue
        steps = list(interpreter.steps.of_action(act.name))
        found = [refusals(interpreter, state, step) for step in steps]
        if all(found):
            firsts = [replace(one[0][1], text=one[0][0]) for one in found]
            parts, more = folded(firsts)
            bindings = ((STATE, str(number)),)
            yield Part(
                act.name, "is fair, and not enabled", False, bindings, parts[:SHOWN], (), more
            )
