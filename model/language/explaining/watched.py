"""Watched states: a state that notes which of its fields are read.

It can also refuse an index below 0. CPython takes the last element for -1, which in a design
means "none": a condition that stands behind `x != NONE` has no answer where x is NONE.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tierproof.model.language.design import Design
from tierproof.model.language.explaining.part import Named
from tierproof.model.language.layout import ArrayNode, Layout, Leaf, Node, RecordNode
from tierproof.model.language.members import shown
from tierproof.model.language.state import Elements, Record, State
from tierproof.model.language.vectors import Vector, View, view


class OutsideTheList(IndexError):
    """An index below 0, where it is refused."""


class Reads:
    """The fields that were read of the watched states, and whether an index may be below 0."""

    def __init__(self) -> None:
        self.states: list[_WatchedVector] = []
        self.read: dict[int, None] = {}
        self.is_strict = False

    def watch(self, value: Any) -> Any:
        """A state that notes its reads here; any other value as it is."""
        if not isinstance(value, State):
            return value
        vector = _WatchedVector(value._vector.layout, list(value.leaves), self)
        self.states.append(vector)
        return view(type(value), vector, 0, vector.layout.root)

    @contextmanager
    def collected(self) -> Iterator[dict[int, None]]:
        """The leaves that are read inside, in order."""
        outer, self.read = self.read, {}
        try:
            yield self.read
        finally:
            outer.update(self.read)
            self.read = outer

    @contextmanager
    def strict(self) -> Iterator[None]:
        """Refuse indexes below 0 inside."""
        was, self.is_strict = self.is_strict, True
        try:
            yield
        finally:
            self.is_strict = was


class _WatchedVector(Vector):
    """Leaves that are frozen, and note what is read of them."""

    __slots__ = ("reads",)

    def __init__(self, layout: Layout, leaves: list[int], reads: Reads) -> None:
        super().__init__(layout, leaves)
        self.reads = reads

    def read(self, offset: int, node: Node) -> Any:
        if isinstance(node, Leaf):
            self.reads.read[offset] = None
        elif isinstance(node, ArrayNode):
            return view(_WatchedElements, self, offset, node)
        return super().read(offset, node)

    def kept(self, offset: int, node: Node) -> Any:
        return self.read(offset, node)  # a frozen state keeps its values


class _WatchedElements(Elements):
    """An array that can refuse indexes below 0."""

    __slots__ = ()

    def _at(self, index: int) -> int:
        if index < 0 and self._vector.reads.is_strict:
            raise OutsideTheList(index)
        return super()._at(index)


class Words:
    """Values and fields in the words of their domains, and of the design if it has any."""

    def __init__(self, reads: Reads, design: Design | None) -> None:
        self.reads, self.design = reads, design

    def of_value(self, value: Any, read: Mapping[int, None] | None = None) -> str:
        """A value; `read` are the leaves it was read from."""
        if isinstance(value, State):
            return "the state"
        if isinstance(value, Record) and value._vector is not None:
            return self._place(value)
        if isinstance(value, tuple):
            return f"({', '.join(map(self.of_value, value))})"
        if isinstance(value, Elements):
            return f"[{', '.join(map(self.of_value, value))}]"
        if isinstance(value, frozenset | set) and not isinstance(value, View):
            return f"{{{', '.join(shown(one) for one in sorted(value))}}}"
        if read is not None and len(read) == 1 and self.reads.states:
            (offset,) = read
            if any(vector.leaves[offset] == value for vector in self.reads.states):
                return self._leaf(offset, value)
        return shown(value)

    def _place(self, value: Any) -> str:
        """A record by its place, such as `broker 0`; one of a list by its fields."""
        layout, offset, node = value._vector.layout, value._offset, value._node
        path = layout.leaves[offset].path
        inside = _first_path(node)
        return place_in_words(path.removesuffix(inside).rstrip(".")) if inside else path

    def of_fields(self, read: Mapping[int, None]) -> Named:
        """Each field that was read, with its value; `old -> new` where two states differ."""
        found = []
        for offset in read:
            path = self.reads.states[0].layout.leaves[offset].path
            values = [self._leaf(offset, one.leaves[offset]) for one in self.reads.states[:2]]
            found.append((path, " -> ".join(dict.fromkeys(values))))
        return tuple(found)

    def _leaf(self, offset: int, raw: Any) -> str:
        placed = self.reads.states[0].layout.leaves[offset]
        words = (
            self.design.words.get(re.sub(r"\[\d+\]", "[*]", placed.path)) if self.design else None
        )
        if words is not None and self.design is not None:
            return str(words(self.design, self.reads.states[0].layout.scope, int(raw)))
        domain = placed.leaf.domain
        return shown(domain.value(int(raw)) if isinstance(raw, int) else raw)


def place_in_words(path: str) -> str:
    """`broker[0]` as `broker 0`; deeper places keep their path."""
    return re.sub(r"^(\w+)\[(\d+)\]$", r"\1 \2", path)


def _first_path(node: Node) -> str:
    """The path from a record to its first leaf."""
    if isinstance(node, RecordNode):
        name, (_, child) = next(iter(node.fields.items()))
        inside = _first_path(child)
        return f"{name}{'' if not inside or inside.startswith('[') else '.'}{inside}"
    if isinstance(node, Leaf):
        return ""
    inside = _first_path(node.element)
    return f"[0]{'' if not inside or inside.startswith('[') else '.'}{inside}"
