"""Why: the parts that make a property false, or keep a step from being taken, as plain values."""

from __future__ import annotations

from typing import Any

from tierproof.model.language.actions import SCOPE, Guard, Step
from tierproof.model.language.errors import DesignError
from tierproof.model.language.explaining import explain, why_never, why_not, why_violated
from tierproof.model.language.properties import PropertyKind
from tierproof.serve.walks import Walk, repeated

Reason = dict[str, Any]
"""A Part as plain values: text, value, truth, bindings, fields, parts, more."""
OF_A_STEP = (PropertyKind.STEP, PropertyKind.LAW)


def of_step(here: Walk, step: Step) -> dict[str, Any]:
    """Why a step is not enabled: each false guard, since when, and when the step was enabled."""
    return why_not(here.trace, step).as_dict()


def of_guard(here: Walk, guard: Guard, step: Step) -> Reason:
    """The parts that make one guard of a step false."""
    given = dict(step.arguments) | {SCOPE: here.setting.scope}
    arguments = [here.state, *(given[name] for name in guard.arguments)]
    return explain(guard, *arguments, design=here.setting.design).as_dict()


def of_property(here: Walk, name: str, kind: str, cycle: int | None) -> Reason | None:
    """The parts that decide a property here, by the last step or on a cycle; None if unasked."""
    if kind == PropertyKind.LIVENESS:
        return None if cycle is None else why_never(repeated(here, cycle), name).as_dict()
    where: Any = here.state
    if kind in OF_A_STEP:
        if not here.path:
            return None
        *_, before, after = here.trace.states
        where = (before, here.trace.steps[-1], after)
    try:
        return why_violated(here.setting.design, here.setting.scope, name, where).as_dict()
    except DesignError:  # nothing divides it: the word that is said of it has to do
        return None
