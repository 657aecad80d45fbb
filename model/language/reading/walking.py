"""Walking through typed trees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from tierproof.model.language.reading import tree


def nodes_in(part: Any) -> Iterator[Any]:
    """The statements and expressions below a tree, in text order; called functions excluded."""
    if isinstance(part, tuple):
        for one in part:
            yield from nodes_in(one)
    elif is_dataclass(part) and not isinstance(part, tree.Function):
        yield part
        for field in fields(part):
            yield from nodes_in(getattr(part, field.name))


def nodes_of(function: tree.Function) -> Iterator[Any]:
    """The statements and expressions of a function and of all functions that it calls."""
    for node in nodes_in(function.body):
        yield node
        if isinstance(node, tree.Call):
            yield from nodes_of(node.function)
