"""Traces: why a property is violated at the end of a trace, or on its cycle."""

from __future__ import annotations

from tierproof.model.language.explaining.never import why_never
from tierproof.model.language.explaining.part import Part
from tierproof.model.language.explaining.violations import why_violated
from tierproof.model.language.interpreter import Interpreter
from tierproof.model.language.properties import PropertyKind
from tierproof.model.language.replaying import liveness_of, where_broken
from tierproof.model.language.trace import Trace


def why_of(trace: Trace, name: str) -> Part | None:
    """Why a trace violates a property or a lifecycle law; None if it does not violate it.

    A trace that passes a violation is explained where it first does. Raises UnknownName for
    a name that the design lacks, NonDeterministic for a trace that its design does not take.
    """
    if liveness_of(trace.design, name) is not None:
        return None if trace.cycle_start is None else why_never(trace, name)
    interpreter = Interpreter(trace.design, trace.scope)
    broken = where_broken(interpreter, trace.states, trace.steps, name)
    if not broken:
        return None
    number, states = broken[0], trace.states
    kinds = {claim.name: claim.kind for claim in trace.design.checked}
    if kinds.get(name, PropertyKind.LAW) in (PropertyKind.STEP, PropertyKind.LAW):
        move = states[number - 1], trace.steps[number - 1], states[number]
        return why_violated(trace.design, trace.scope, name, move)
    return why_violated(trace.design, trace.scope, name, states[number])
