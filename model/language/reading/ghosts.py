"""What a function assigns besides ghosts: bookkeeping must leave the protocol alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from tierproof.model.language.reading import tree


def assigned_besides(
    function: tree.Function, ghosts: Collection[str], given: Collection[str] = ()
) -> Iterator[tree.Spot]:
    """Where a function, or one that it calls, assigns to what is no ghost.

    `ghosts` are the names of ghost fields, `given` the parameters that are part of one.
    """
    local = set(given)
    for node in _nodes(function.body):
        if isinstance(node, (tree.Store, tree.Update)):
            if not _is_ghost(node.place, ghosts, local):
                yield node.spot
        elif isinstance(node, tree.SetLocal) and _is_ghost(node.value, ghosts, local):
            local.add(node.name)
        elif isinstance(node, tree.For) and isinstance(node.source, tree.Over):
            if _is_ghost(node.source.array, ghosts, local):
                local.add(node.name)
        elif isinstance(node, tree.Call):
            pairs = zip(node.function.parameters, node.arguments, strict=True)
            parts = [name for (name, _), value in pairs if _is_ghost(value, ghosts, local)]
            yield from assigned_besides(node.function, ghosts, parts)


def _is_ghost(node: tree.Expression, ghosts: Collection[str], local: Collection[str]) -> bool:
    """Whether an expression is a ghost field, or lies in one."""
    if isinstance(node, tree.Field):
        return node.name in ghosts or _is_ghost(node.record, ghosts, local)
    if isinstance(node, tree.Element):
        return _is_ghost(node.array, ghosts, local)
    return isinstance(node, tree.Local) and node.name in local


def _nodes(part: Any) -> Iterator[Any]:
    """The statements and expressions below, in the order of the text; not those of calls."""
    if isinstance(part, tuple):
        for one in part:
            yield from _nodes(one)
    elif is_dataclass(part) and not isinstance(part, tree.Function):
        yield part
        for field in fields(part):
            yield from _nodes(getattr(part, field.name))
