"""Walking through typed trees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from tierproof.model.language.reading import tree
from tierproof.model.language.reading.asked import StepArgument


def nodes_in(part: Any) -> Iterator[Any]:
    """The statements and expressions below a tree, in text order; called functions excluded."""
    if isinstance(part, tuple):
        for one in part:
            yield from nodes_in(one)
    elif is_dataclass(part) and not isinstance(part, tree.Function):
        yield part
        for field in fields(part):
            yield from nodes_in(getattr(part, field.name))


@cache
def asked_of_a_step(function: tree.Function) -> frozenset[str]:
    """The arguments of a step that a function, read to its end, or one that it calls asks for."""
    found: set[str] = set()
    for node in nodes_in(function.body):
        if isinstance(node, StepArgument):
            found.add(node.name)
        elif isinstance(node, tree.Call):
            found |= asked_of_a_step(node.function)
    return frozenset(found)
