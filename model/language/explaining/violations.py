"""Violations: the parts that make a property false in a state or a step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tierproof.model.language.actions import SCOPE, STEP, Step
from tierproof.model.language.design import Design
from tierproof.model.language.errors import DesignError, closest
from tierproof.model.language.explaining.explainer import Explainer
from tierproof.model.language.explaining.part import Part
from tierproof.model.language.explaining.predicates import given_to
from tierproof.model.language.explaining.refusals import why_nothing_happens
from tierproof.model.language.interpreter import Interpreter
from tierproof.model.language.properties import Property, PropertyKind
from tierproof.model.language.scope import Scope
from tierproof.model.language.state import State

Move = tuple[State, Step, State]
"""A step, between the states before and after it."""


def why_violated(design: Design, scope: Scope, name: str, where: State | Move) -> Part:
    """The parts that make a property, or a lifecycle law, false: in a state, or by a step.

    A step property and a law are asked of a step, everything else of a state. A property that
    holds there is explained, too: its `truth` is True. Raises UnknownName for a name that the
    design lacks, DesignError for a state in place of a step or the reverse, and for a liveness
    property, which `why_never` explains.
    """
    claims = {claim.name: claim for claim in design.checked}
    laws = {law.law_name for law in design.laws(scope)}
    closest("property", name, {*claims, *laws})
    kind = claims[name].kind if name in claims else PropertyKind.LAW
    if kind is PropertyKind.LIVENESS:
        raise DesignError(f"{name!r} is a liveness property: no single state violates it")
    of_a_step = kind in (PropertyKind.STEP, PropertyKind.LAW)
    if isinstance(where, State) == of_a_step:
        asked = "a step: give (before, step, after)" if of_a_step else "a state: give one"
        raise DesignError(f"{name!r}, a {kind}, is asked of {asked}")
    if isinstance(where, State):
        return _of_state(design, scope, claims[name], where)
    if kind is PropertyKind.LAW:
        return _of_law(design, scope, name, where)
    return _of_step(design, scope, claims[name], where)


def _of_state(design: Design, scope: Scope, claim: Property, state: State) -> Part:
    if claim.kind is PropertyKind.DEADLOCK:
        return why_nothing_happens(design, scope, state, claim.name)
    told = Explainer(design).function(claim, given_to(claim, scope, state))
    if claim.premise is None:
        return told
    explainer = Explainer(design)
    with explainer.shallow():
        premise = explainer.function(claim.premise, given_to(claim.premise, scope, state))
    if not premise.truth:
        why = Explainer(design).function(claim.premise, given_to(claim.premise, scope, state))
        return Part(claim.name, "True", True, parts=(why,))
    return replace(told, parts=(*told.parts, premise))


def _of_step(design: Design, scope: Scope, claim: Property, move: Move) -> Part:
    before, step, after = move
    given = {SCOPE: scope, STEP: step}
    rest = [given[name] for name in claim.arguments if name in given]
    return Explainer(design).function(claim, [before, after, *rest])


def _of_law(design: Design, scope: Scope, name: str, move: Move) -> Part:
    """The fields that a step changed along an undeclared edge."""
    parts = tuple(_unlawful(Interpreter(design, scope), name, move[0], move[2]))
    return Part(name, str(not parts), not parts, parts=parts)


def _unlawful(interpreter: Interpreter, name: str, before: State, after: State) -> Iterator[Part]:
    for offset, law in interpreter.lifecycle_leaves:
        old, new = before.leaves[offset], after.leaves[offset]
        if law.law_name == name and not law.allows(old, new):
            edge = f"{law.values(old).name} -> {law.values(new).name}"
            path = interpreter.layout.leaves[offset].path
            text = f"{edge} is an edge of {law.name}"
            yield Part(text, "False", False, fields=((path, edge),))
