"""Walking through typed trees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, NamedTuple

from tierproof.model.language.reading import tree
from tierproof.model.language.reading.asked import StepArgument, StepIs


def nodes_in(part: Any) -> Iterator[Any]:
    """The statements and expressions below a tree, in text order; called functions excluded."""
    if isinstance(part, tuple):
        for one in part:
            yield from nodes_in(one)
    elif is_dataclass(part) and not isinstance(part, tree.Function):
        yield part
        for field in fields(part):
            yield from nodes_in(getattr(part, field.name))


def is_table(node: tree.Expression) -> bool:
    """Whether a tuple consists of constants and of tuples of constants, or is part of one."""
    if isinstance(node, (tree.Item, tree.Pick)):
        return is_table(node.whole)
    return isinstance(node, tree.TupleOf) and all(
        isinstance(item, tree.Constant) or (isinstance(item, tree.TupleOf) and is_table(item))
        for item in node.items
    )


class Asked(NamedTuple):
    """The actions and the arguments that a function asks a step for."""

    actions: frozenset[str] = frozenset()
    arguments: frozenset[str] = frozenset()


@cache
def asked_of_a_step(function: tree.Function) -> Asked:
    """What a function, read to its end, or one that it calls asks a step for."""
    found = Asked()
    for node in nodes_in(function.body):
        if isinstance(node, StepArgument):
            found = found._replace(arguments=found.arguments | {node.name})
        elif isinstance(node, StepIs):
            found = found._replace(actions=found.actions | set(node.names))
        elif isinstance(node, tree.Call):
            called = asked_of_a_step(node.function)
            found = Asked(found.actions | called.actions, found.arguments | called.arguments)
    return found
