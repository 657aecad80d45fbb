"""Refusals: the guards that keep a step from being taken, and the parts that make them false."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tierproof.model.language.actions import SCOPE, Action, Guard, Step
from tierproof.model.language.design import Design
from tierproof.model.language.explaining.explainer import Explainer
from tierproof.model.language.explaining.folding import folded
from tierproof.model.language.explaining.part import Part
from tierproof.model.language.interpreter import Interpreter, Steps
from tierproof.model.language.scope import Scope
from tierproof.model.language.state import State

Refusal = tuple[str, Part]
"""A guard's name and what makes it false."""


def why_disabled(
    design: Design, scope: Scope, state: State, action: str, parameters: Mapping[str, Any]
) -> tuple[Refusal, ...]:
    """Each guard that keeps a step from being taken in a state; empty if the step is enabled.

    The first is the one at which CPython stops. A later guard that relies on an earlier one has
    no answer and is left out, as are those that the design has dropped. A budget that is spent
    comes first, under the name of its field. Raises UnknownName for an action or a parameter that
    does not exist, DesignError for a value outside its domain.
    """
    steps = Steps(design, scope)
    step = steps.step(steps.label(Step(action, tuple(parameters.items()))))
    return refusals(Interpreter(design, scope), state, step)


def refusals(interpreter: Interpreter, state: State, step: Step) -> tuple[Refusal, ...]:
    """Each guard, or budget, that refuses a step that exists."""
    act = interpreter.design.action(step.action)
    found = list(_spent(interpreter, act, state))
    given = dict(step.arguments) | {SCOPE: interpreter.scope}
    is_refused = False
    for entry in act.guards:
        if entry.name in interpreter.design.dropped_guards:
            continue
        part = _asked(interpreter.design, entry, state, given, is_guarded=is_refused)
        if part is not None and not part.truth:
            found.append((entry.name, part))
            is_refused = True
    return tuple(found)


def _spent(interpreter: Interpreter, act: Action, state: State) -> list[Refusal]:
    """The budget of an action, if nothing of it is left."""
    if act.budget is None or state.leaves[interpreter.budgets[act.name]] > 0:
        return []
    return [(act.budget, Part(f"{act.budget} > 0", "False", False, fields=((act.budget, "0"),)))]


def _asked(
    design: Design, entry: Guard, state: State, given: Mapping[str, Any], *, is_guarded: bool
) -> Part | None:
    """A guard, explained; None if it has no answer because an earlier one is false."""
    explainer = Explainer(design)
    arguments = [state, *(given[name] for name in entry.arguments)]
    if not is_guarded:
        return explainer.function(entry, arguments)
    with explainer.reads.strict():
        try:
            return explainer.function(entry, arguments)
        except Exception:  # whatever it raises, an earlier guard is there to prevent it
            return None


def why_nothing_happens(design: Design, scope: Scope, state: State, name: str) -> Part:
    """The first guard that refuses each step, for a state in which none is enabled."""
    interpreter = Interpreter(design, scope)
    parts = []
    for act in design.actions:
        told = list(_refused_steps(interpreter, act, state))
        kept, more = folded(told)
        if told:
            parts.append(Part(act.name, "is not enabled", None, parts=kept, more=more))
    is_stuck = interpreter.within_bounds(state) and not interpreter.enabled(state)
    return Part(name, str(not is_stuck), not is_stuck, parts=tuple(parts) if is_stuck else ())


def _refused_steps(interpreter: Interpreter, act: Action, state: State) -> list[Part]:
    steps = interpreter.steps.of_action(act.name)
    found = (refusals(interpreter, state, step) for step in steps)
    return [refused[0][1] for refused in found if refused]
