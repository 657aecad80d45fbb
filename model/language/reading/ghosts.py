"""What a function assigns besides ghosts: bookkeeping must leave the protocol alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from tierproof.model.language.reading import tree
from tierproof.model.language.reading.walking import nodes_in


def assigned_besides(
    function: tree.Function, ghosts: Collection[str], given: Collection[str] = ()
) -> Iterator[tree.Spot]:
    """Where a function, or one that it calls, assigns to what is no ghost.

    `ghosts` are the names of ghost fields, `given` the parameters that are part of one.
    """
    local = set(given)
    for node in nodes_in(function.body):
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
