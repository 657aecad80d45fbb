"""Reading what a step property reads from its Step: the action and its arguments."""

from __future__ import annotations

import ast

from tierproof.model.language.reading import tree
from tierproof.model.language.reading.asked import StepArgument, StepIs
from tierproof.model.language.reading.body import Body
from tierproof.model.language.reading.types import STEP_TYPE


def read_action_test(body: Body, node: ast.Compare) -> StepIs | None:
    """The tree of `step.action == "..."` or `step.action in ("...", ...)`; None for others."""
    left = node.left
    if not (isinstance(left, ast.Attribute) and left.attr == "action"):
        return None
    step = body.read(left.value)
    if step.type != STEP_TYPE:
        return None
    names = _names(node.comparators[0]) if len(node.ops) == 1 else None
    operator = node.ops[0]
    wanted = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)
    if names is None or not isinstance(operator, wanted):
        raise body.source.refuse(node, "is no test of an action", _INSTEAD)
    if isinstance(operator, (ast.Eq, ast.NotEq)) is isinstance(node.comparators[0], ast.Tuple):
        raise body.source.refuse(node, "is no test of an action", _INSTEAD)
    return StepIs(step, names, isinstance(operator, (ast.NotEq, ast.NotIn)))


def read_argument(body: Body, node: ast.Attribute, step: tree.Expression) -> StepArgument:
    """The tree of `step.segment`. Raises OutsideLanguage if no action has that argument."""
    if node.attr in ("action", "arguments") or node.attr.startswith("_"):
        raise body.source.refuse(node, "is no number", _INSTEAD)
    return StepArgument(step, node.attr)


_INSTEAD = 'compare with names, as in `step.action == "copy_ends"` or `step.action in ("a", "b")`'


def _names(node: ast.expr) -> tuple[str, ...] | None:
    nodes = node.elts if isinstance(node, ast.Tuple) else [node]
    names = [
        one.value for one in nodes if isinstance(one, ast.Constant) and isinstance(one.value, str)
    ]
    return tuple(names) if len(names) == len(nodes) else None
