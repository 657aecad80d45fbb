"""Steps in words: as a link has them, `broker_copies.0.2`, and as people write them."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from tierproof.model.language.actions import Step
from tierproof.model.language.decimals import whole_number
from tierproof.model.language.domains import Sized
from tierproof.model.language.errors import closest
from tierproof.model.language.interpreter import Steps
from tierproof.serve.positions import BadLink

WITHIN = "."


def written(steps: Steps, step: Step) -> str:
    """A step as a link has it. Raises UnknownName or DesignError if there is none such."""
    _, raw = steps.raw(steps.label(step))
    return WITHIN.join([step.action, *map(str, raw)])


def read(steps: Steps, words: str) -> Step:
    """The step of `action.0.2`, or of `action(broker=0, segment=2)`.

    Raises UnknownName for its action, BadLink for the rest.
    """
    if "(" in words:
        name, given = _called(words)
        domains = _domains(steps, name)
    else:
        name, *values = words.split(WITHIN)
        domains = _domains(steps, name)
        if len(values) != len(domains):
            raise BadLink(f"{words}: {name} takes {', '.join(domains) or 'no parameter'}")
        given = {one: _number(words, value) for one, value in zip(domains, values, strict=True)}
    if set(given) != set(domains):
        raise BadLink(f"{words}: {name} takes {', '.join(domains) or 'no parameter'}, by name")
    return Step(name, tuple((one, _value(words, one, domains[one], given[one])) for one in domains))


def _domains(steps: Steps, name: str) -> dict[str, Sized]:
    """The parameters of an action. Raises UnknownName."""
    names = [act.name for act in steps.actions]
    index = names.index(closest("action", name, names))
    return dict(zip(steps.actions[index].parameters, steps.sized[index], strict=True))


def _number(words: str, value: str) -> int:
    try:
        return whole_number(value)
    except ValueError as error:
        raise BadLink(f"{words}: {error}") from None


def _value(words: str, parameter: str, domain: Sized, given: Any) -> Any:
    """The value of a parameter: from its number, the name of a member, or a set of these."""
    raw = given if type(given) is int else _raw(domain, given)
    if raw is None or raw not in domain:
        raise BadLink(f"{words}: {parameter} is {given!r}, outside {domain}")
    return domain.value(raw)


def _raw(domain: Sized, given: Any) -> int | None:
    members: Mapping[str, Any] = getattr(domain.enum, "__members__", {})
    if isinstance(given, frozenset):
        return domain.raw(frozenset(members.get(str(one), one) for one in given))
    if isinstance(given, str):
        return domain.raw(members[given]) if given in members else None
    return domain.raw(given)


def _called(words: str) -> tuple[str, dict[str, Any]]:
    """The name and the arguments of a call, none of which is evaluated. Raises BadLink."""
    try:
        tree = ast.parse(words.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = None
    if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name) or tree.args:
        raise BadLink(f"{words!r} is no step, such as broker_copies(broker=0, segment=2)")
    return tree.func.id, {str(one.arg): _plain(words, one.value) for one in tree.keywords}


def _plain(words: str, node: ast.expr) -> Any:
    """A number, a truth, the name of a member, or a set of these."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        found = _plain(words, node.operand)
        if isinstance(found, int):
            return -found
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Set):
        return frozenset(_plain(words, one) for one in node.elts)
    if isinstance(node, ast.Dict) and not node.keys:  # as an empty set is shown
        return frozenset()
    raise BadLink(f"{words}: {ast.unparse(node)} is no number, name or set")
