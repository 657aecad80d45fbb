"""What a function assigns besides ghosts: bookkeeping must leave the protocol alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from tierproof.model.language.reading import collected, tree
from tierproof.model.language.reading.walking import nodes_in


def assigned_besides(
    function: tree.Function, ghosts: Collection[str], given: Collection[str] = ()
) -> Iterator[tree.Spot]:
    """Where a function, or one that it calls, assigns to what is no ghost.

    `ghosts` are the names of ghost fields, `given` the parameters that are part of one.
    """
    parts = _Parts(ghosts, given)
    for node in nodes_in(function.body):
        if (place := _assigned(node)) is not None:
            if not parts.is_ghost(place):
                yield node.spot
        elif isinstance(node, tree.SetLocal):
            parts.bind(node.name, node.value)
        elif isinstance(node, tree.For) and isinstance(node.source, tree.Over):
            parts.bind(node.name, node.source.array)
        elif isinstance(node, tree.Call):
            pairs = zip(node.function.parameters, node.arguments, strict=True)
            handed = [name for (name, _), value in pairs if parts.is_ghost(value)]
            yield from assigned_besides(node.function, ghosts, handed)


def _assigned(node: Any) -> tree.Expression | None:
    """What a node assigns to, None for one that assigns to nothing."""
    is_assignment = isinstance(node, (tree.Store, tree.Update))
    return node.place if is_assignment else collected.place_changed(node)


class _Parts:
    """Which local variables are part of a ghost; those that hold tuples, with their items."""

    def __init__(self, ghosts: Collection[str], given: Collection[str]) -> None:
        self.ghosts, self.local = ghosts, set(given)
        self.tuples: dict[str, tree.TupleOf] = {}

    def bind(self, name: str, value: tree.Expression) -> None:
        """A variable gets a value."""
        if isinstance(value, tree.TupleOf):
            self.tuples[name] = value
        elif self.is_ghost(value):
            self.local.add(name)

    def is_ghost(self, node: tree.Expression) -> bool:
        """Whether an expression is a ghost field, or lies in one."""
        if isinstance(node, tree.Field):
            return node.name in self.ghosts or self.is_ghost(node.record)
        if isinstance(node, tree.Element):
            return self.is_ghost(node.array)
        if isinstance(node, tree.Item):
            whole = node.whole
            known = self.tuples.get(whole.name) if isinstance(whole, tree.Local) else whole
            return isinstance(known, tree.TupleOf) and self.is_ghost(known.items[node.place])
        if isinstance(node, tree.Call):  # a reference that it returns lies in what it is given
            return any(map(self.is_ghost, node.arguments))
        return isinstance(node, tree.Local) and node.name in self.local
