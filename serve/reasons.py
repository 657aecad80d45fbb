"""Why: the parts that make a property false, or keep a step from being taken, as plain values."""

from __future__ import annotations

from typing import Any

from tierproof.model.language.actions import SCOPE, Guard, Step
from tierproof.model.language.errors import DesignError
from tierproof.model.language.explaining import explain, why_violated
from tierproof.model.language.explaining.refusals import refusals
from tierproof.model.language.properties import PropertyKind
from tierproof.serve.walks import Walk

Reason = dict[str, Any]
"""A Part as plain values: text, value, truth, bindings, fields, parts, more."""
OF_A_STEP = (PropertyKind.STEP, PropertyKind.LAW)


def of_step(here: Walk, step: Step) -> list[Reason]:
    """Each guard, or budget, that keeps a step from being taken: its name, and its parts."""
    found = refusals(here.setting.interpreter, here.state, step)
    return [{"guard": name, "part": part.as_dict()} for name, part in found]


def of_guard(here: Walk, guard: Guard, step: Step) -> Reason:
    """The parts that make one guard of a step false."""
    given = dict(step.arguments) | {SCOPE: here.setting.scope}
    arguments = [here.state, *(given[name] for name in guard.arguments)]
    return explain(guard, *arguments, design=here.setting.design).as_dict()


def of_property(here: Walk, name: str, kind: PropertyKind) -> Reason | None:
    """The parts that decide a property here, or by the last step; None where it is not asked."""
    where: Any = here.state
    if kind in OF_A_STEP:
        if not here.path:
            return None
        *_, before, after = here.trace.states
        where = (before, here.trace.steps[-1], after)
    try:
        return why_violated(here.setting.design, here.setting.scope, name, where).as_dict()
    except DesignError as error:
        return {
            "text": str(error),
            "value": "",
            "truth": None,
            "bindings": {},
            "fields": {},
            "parts": [],
            "more": 0,
        }
