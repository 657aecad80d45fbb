"""Steps in words: `copy_ends(segment=0)`, as traces print them and people write them."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from tierproof.model.language.actions import Action, Step
from tierproof.model.language.domains import Sized
from tierproof.model.language.errors import DesignError, NoSuchStep, closest
from tierproof.model.language.interpreter import Steps
from tierproof.model.language.members import shown


def step_named(steps: Steps, words: str) -> Step:
    """The step that `ACTION(parameter=value, ...)` names; a member of an enum by its name.

    Raises UnknownName for an action or a parameter that does not exist, with the closest ones;
    NoSuchStep for what is no step, a parameter without a value, and a value outside its domain.
    """
    name, written = _parts(words)
    acts = {act.name: act for act in steps.actions}
    act = acts[closest("action", name, acts)]
    for parameter in written:
        closest(f"parameter of {name}", parameter, act.parameters)
    sized = _domains(steps, act)
    if missing := [parameter for parameter in act.parameters if parameter not in written]:
        wanted = ", ".join(f"{one} ({_values(sized[one])})" for one in missing)
        raise NoSuchStep(f"{words!r} leaves out a parameter: say {wanted}")
    given = tuple((one, _value(words, one, sized[one], written[one])) for one in act.parameters)
    try:
        return steps.step(steps.label(Step(name, given)))
    except DesignError as error:
        raise NoSuchStep(str(error)) from None


def _parts(words: str) -> tuple[str, Mapping[str, ast.expr]]:
    """The action and the written arguments."""
    refused = NoSuchStep(f"{words!r} is no step: write ACTION(parameter=value, ...)")
    try:
        node = ast.parse(words.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        raise refused from None
    if isinstance(node, ast.Name):
        return node.id, {}
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.args:
        raise refused
    found = {one.arg: one.value for one in node.keywords if one.arg is not None}
    if len(found) < len(node.keywords):
        raise refused
    return node.func.id, found


def _domains(steps: Steps, act: Action) -> dict[str, Sized]:
    sizes = steps.sized[[one.name for one in steps.actions].index(act.name)]
    return dict(zip(act.parameters, sizes, strict=True))


def _values(domain: Sized) -> str:
    """The values of a domain in words."""
    if domain.enum is not None and not domain.is_set:
        return ", ".join(shown(domain.value(raw)) for raw in range(domain.low, domain.high + 1))
    return str(domain)


def _value(words: str, name: str, domain: Sized, node: ast.expr) -> Any:
    """The value that is written. Raises NoSuchStep."""
    found = _written(domain, node)
    if found is None or domain.raw(found) is None:
        raise NoSuchStep(
            f"{words!r} gives {name} the value {ast.unparse(node)}, which is none of "
            f"{_values(domain)}"
        )
    return found


def _written(domain: Sized, node: ast.expr) -> Any:
    """A number, a truth, a member by its name, or a set of these; None for anything else."""
    if isinstance(node, (ast.Set, ast.Dict)) and domain.is_set:
        members = [_single(domain, one) for one in getattr(node, "elts", ())]
        return None if None in members else frozenset(members)
    return None if domain.is_set else _single(domain, node)


def _single(domain: Sized, node: ast.expr) -> Any:
    if isinstance(node, ast.Attribute):
        node = ast.Name(node.attr)
    if isinstance(node, ast.Name) and domain.enum is not None:
        return getattr(domain.enum, "__members__", {}).get(node.id)
    try:
        found = ast.literal_eval(node)
    except ValueError:
        return None
    is_truth = isinstance(found, bool)
    return found if isinstance(found, int) and is_truth == (domain.enum is bool) else None
