"""Assignments to anything but ghosts: bookkeeping must not change the protocol."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from tierproof.model.language.reading import collected, tree
from tierproof.model.language.reading.walking import nodes_in


def assigned_besides(
    function: tree.Function, ghosts: Collection[str], given: Collection[str] = ()
) -> Iterator[tree.Spot]:
    """The first assignment of a function, or of one it calls, to something that is no ghost.

    `ghosts` are the names of ghost fields; `given` are the parameters that are part of a ghost.
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
    """The target of a node's assignment, None for a node that assigns nothing."""
    is_assignment = isinstance(node, (tree.Store, tree.Update))
    return node.place if is_assignment else collected.place_changed(node)


class _Parts:
    """The local variables that are part of a ghost; for tuples, also their items."""

    def __init__(self, ghosts: Collection[str], given: Collection[str]) -> None:
        self.ghosts, self.local = ghosts, set(given)
        self.tuples: dict[str, tree.TupleOf] = {}

    def bind(self, name: str, value: tree.Expression) -> None:
        """Record the assignment of a value to a variable."""
        if isinstance(value, tree.TupleOf):
            self.tuples[name] = value
        elif self.is_ghost(value):
            self.local.add(name)

    def is_ghost(self, node: tree.Expression) -> bool:
        """Whether an expression is a ghost field, or part of one."""
        if isinstance(node, tree.Field):
            return node.name in self.ghosts or self.is_ghost(node.record)
        if isinstance(node, tree.Element):
            return self.is_ghost(node.array)
        if isinstance(node, tree.Item):
            whole = node.whole
            known = self.tuples.get(whole.name) if isinstance(whole, tree.Local) else whole
            return isinstance(known, tree.TupleOf) and self.is_ghost(known.items[node.place])
        if isinstance(node, tree.Call):  # a returned reference is part of one of the arguments
            return any(map(self.is_ghost, node.arguments))
        return isinstance(node, tree.Local) and node.name in self.local
