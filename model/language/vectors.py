"""A state as a vector of integers, and views of it: fields, elements, records."""

from __future__ import annotations

from typing import Any

from tierproof.model.language.errors import AssignmentInPredicate, OutOfDomain
from tierproof.model.language.layout import (
    ArrayNode,
    Layout,
    Leaf,
    Node,
    RecordNode,
    SequenceNode,
)
from tierproof.model.language.members import Members

VIEWS: dict[type, type] = {}
"""The class of a node -> the class of its views; records are not included."""


class Vector:
    """The leaves that a tree of views shares, and the action that may write them."""

    __slots__ = ("layout", "leaves", "reader", "writer")

    def __init__(self, layout: Layout, leaves: list[int]) -> None:
        self.layout, self.leaves = layout, leaves
        self.writer: str | None = None
        self.reader = "a predicate"

    def path(self, offset: int) -> str:
        """The path of a leaf."""
        return self.layout.leaves[offset].path

    def check_writer(self, offset: int, what: str) -> None:
        """Raise AssignmentInPredicate, with `what` is attempted, if the state is frozen."""
        if self.writer is None:
            raise AssignmentInPredicate(f"{self.reader} {what} {self.path(offset)}")

    def assign(self, offset: int, node: Node, value: Any) -> None:
        """Assign a value to a place. Raises OutOfDomain."""
        self.check_writer(offset, f"assigns {value!r} to")
        if isinstance(node, Leaf):
            self.leaves[offset] = self._checked(offset, value)
        elif isinstance(value, View) and value._vector is None:
            value._assign_to(self, offset, node)
        else:
            self._assign_whole(offset, node, value)

    def _checked(self, offset: int, value: Any) -> int:
        placed = self.layout.leaves[offset]
        raw = placed.leaf.domain.raw(value)
        if raw is None:
            raise OutOfDomain(placed.path, value, str(placed.leaf.domain), self.writer)
        return raw

    def _assign_whole(self, offset: int, node: Node, value: Any) -> None:
        if not isinstance(value, View) or value._node.size != node.size:
            raise TypeError(f"cannot assign {value!r} to {self.path(offset)}")
        given = value._vector.leaves[value._offset : value._offset + node.size]
        self._lower(offset, node, given, 0)
        for place, raw in enumerate(given, start=offset):
            domain = self.layout.leaves[place].leaf.domain
            if raw not in domain:
                raise OutOfDomain(self.path(place), raw, str(domain), self.writer)
        self.leaves[offset : offset + node.size] = given

    def _lower(self, offset: int, node: Node, given: list[int], at: int) -> None:
        """Set the unused room of sequences in the given leaves to this place's lowest values."""
        if isinstance(node, ArrayNode):
            for index in range(node.length):
                self._lower(offset, node.element, given, at + index * node.element.size)
        elif isinstance(node, SequenceNode):
            for rest in range(at + 1 + given[at] * node.element.size, at + node.size):
                given[rest] = self.layout.leaves[offset + rest].leaf.domain.low

    def read(self, offset: int, node: Node) -> Any:
        """The content of a place: a value, or a view."""
        if isinstance(node, Leaf):
            raw = self.leaves[offset]
            if node.shown is None:
                return raw
            found = node.shown(raw)
            if node.domain.is_set:
                return Members.at(found, lambda members: self.assign(offset, node, members))
            return found
        kind = node.record if isinstance(node, RecordNode) else VIEWS[type(node)]
        return view(kind, self, offset, node)

    def kept(self, offset: int, node: Node) -> Any:
        """The current value of a place; later assignments do not change it."""
        if isinstance(node, Leaf):
            return node.domain.value(self.leaves[offset])
        apart = Vector(self.layout, list(self.leaves))
        apart.reader = "what holds an old value"
        return apart.read(offset, node)


class View:
    """A part of a state at a place, or a record value, which has no place (`_vector`)."""

    __slots__ = ("_node", "_offset", "_vector")

    _vector: Any
    _offset: int
    _node: Any

    def _assign_to(self, vector: Vector, offset: int, node: Any) -> None:
        raise NotImplementedError


def view(kind: type, vector: Vector, offset: int, node: Node) -> Any:
    """A view of a class."""
    made: Any = _new(kind)
    _set_vector(made, vector)
    _set_offset(made, offset)
    _set_node(made, node)
    return made


_new = object.__new__
# A record assigns to the state; these assign to the view itself.
_set_vector, _set_offset, _set_node = (
    vars(View)[name].__set__ for name in ("_vector", "_offset", "_node")
)
