"""State and Record: what guards read and effects assign when CPython runs them.

An instance is a view of a vector of integers (see `layout.py`). Reading gives enum
members, booleans and integers; assigning checks the field's domain at once and names
the field, the value and the action. A state handed to a guard or a property is frozen.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any, ClassVar, dataclass_transform

from tierproof.model.language.errors import AssignmentInPredicate, OutOfDomain
from tierproof.model.language.layout import ArrayNode, Layout, Leaf, Node, RecordNode, layout_of
from tierproof.model.language.scope import Scope


class _Vector:
    """The leaves that a tree of views shares, and who may write them."""

    __slots__ = ("layout", "leaves", "reader", "writer")

    def __init__(self, layout: Layout, leaves: list[int]) -> None:
        self.layout, self.leaves = layout, leaves
        self.writer: str | None = None
        self.reader = "a predicate"

    def assign(self, offset: int, node: Node, value: Any) -> None:
        if self.writer is None:
            path = self.layout.leaves[offset].path
            raise AssignmentInPredicate(f"{self.reader} assigns {value!r} to {path}")
        if isinstance(node, Leaf):
            self.leaves[offset] = self._checked(offset, value)
        else:
            self._assign_whole(offset, node, value)

    def _checked(self, offset: int, value: Any) -> int:
        placed = self.layout.leaves[offset]
        raw = operator.index(value) if hasattr(value, "__index__") else None
        if raw is None or raw not in placed.leaf.domain:
            raise OutOfDomain(placed.path, value, str(placed.leaf.domain), self.writer)
        return raw

    def _assign_whole(self, offset: int, node: Node, value: Any) -> None:
        if not isinstance(value, _View) or value._node.size != node.size:
            raise TypeError(f"cannot assign {value!r} to {self.layout.leaves[offset].path}")
        given = value._vector.leaves[value._offset : value._offset + node.size]
        checked = [self._checked(place, raw) for place, raw in enumerate(given, start=offset)]
        self.leaves[offset : offset + node.size] = checked

    def read(self, offset: int, node: Node) -> Any:
        if isinstance(node, Leaf):
            return node.domain.value(self.leaves[offset])
        if isinstance(node, RecordNode):
            return _view(node.record, self, offset, node)
        return _view(Elements, self, offset, node)


class _View:
    __slots__ = ("_node", "_offset", "_vector")

    _vector: _Vector
    _offset: int
    _node: Any


def _view(kind: type, vector: _Vector, offset: int, node: Node) -> Any:
    made: Any = object.__new__(kind)
    object.__setattr__(made, "_vector", vector)
    object.__setattr__(made, "_offset", offset)
    object.__setattr__(made, "_node", node)
    return made


class Elements(_View):
    """A fixed-length array field: indexing, `len` and iteration, as on a NumPy array."""

    __slots__ = ()

    _node: ArrayNode

    def _at(self, index: int) -> int:
        length = self._node.length
        if not -length <= index < length:
            path = self._vector.layout.leaves[self._offset].path
            raise IndexError(f"index {index} is outside the {length} elements at {path}")
        return self._offset + (index % length) * self._node.element.size

    def __getitem__(self, index: int) -> Any:
        return self._vector.read(self._at(index), self._node.element)

    def __setitem__(self, index: int, value: Any) -> None:
        self._vector.assign(self._at(index), self._node.element, value)

    def __len__(self) -> int:
        return self._node.length

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(self._node.length))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Elements) and list(self) == list(other)

    def __repr__(self) -> str:
        return f"[{', '.join(map(repr, self))}]"


class Record(_View):
    """A group of fields, declared by annotations, that a State holds once or in an Array."""

    __slots__ = ()

    is_record: ClassVar[bool] = True
    _node: RecordNode

    def __getattr__(self, name: str) -> Any:
        found = self._node.fields.get(name)
        if found is None:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}")
        return self._vector.read(self._offset + found[0], found[1])

    def __setattr__(self, name: str, value: Any) -> None:
        found = self._node.fields.get(name)
        if found is None:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}")
        self._vector.assign(self._offset + found[0], found[1], value)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            getattr(self, name) == getattr(other, name) for name in self._node.fields
        )

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._node.fields)
        return f"{type(self).__name__}({inside})"


@dataclass_transform(kw_only_default=True)
class State(Record):
    """One valuation of the whole system. Subclass it and annotate fields with finite domains."""

    __slots__ = ()

    @classmethod
    def at_start(cls, scope: Scope | None) -> Any:
        """The frozen state with every field at its domain's start value."""
        return cls.of_leaves(layout_of(cls, scope), layout_of(cls, scope).start)

    @classmethod
    def of_leaves(cls, layout: Layout, leaves: list[int]) -> Any:
        """The frozen state whose leaves are a copy of `leaves`."""
        return _view(cls, _Vector(layout, list(leaves)), 0, layout.root)

    @property
    def leaves(self) -> tuple[int, ...]:
        """The state as a tuple of integers, in the order of declaration."""
        return tuple(self._vector.leaves)

    def copy_for(self, writer: str) -> Any:
        """A copy that the effect of action `writer` may assign to."""
        made = type(self).of_leaves(self._vector.layout, self._vector.leaves)
        made._vector.writer = writer
        return made

    def frozen_for(self, reader: str) -> Any:
        """This state, closed for assignment; `reader` is named if it tries."""
        self._vector.writer, self._vector.reader = None, reader
        return self

    def fields(self) -> dict[str, Any]:
        """Path -> value for every leaf, in the order of declaration."""
        layout = self._vector.layout
        return {
            placed.path: placed.leaf.domain.value(self._vector.leaves[placed.offset])
            for placed in layout.leaves
        }

    def changes_to(self, after: State) -> list[tuple[str, Any, Any]]:
        """(path, before, after) of every leaf in which the two states differ."""
        before, later = self.fields(), after.fields()
        return [(p, v, later[p]) for p, v in before.items() if v != later[p]]

    def describe(self) -> str:
        """One line a top-level field: what an error message or a debugger shows."""
        return "\n".join(f"  {name} = {getattr(self, name)!r}" for name in self._node.fields)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.leaves == other.leaves

    def __hash__(self) -> int:
        return hash(self.leaves)
