"""State and Record: what guards read and effects assign when CPython runs them.

An instance is a view of a vector of integers (see `layout.py`). Reading gives enum
members, booleans and integers; assigning checks the field's domain at once and names
the field, the value and the action. A state handed to a guard or a property is frozen.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, dataclass_transform, get_origin

import tierproof.model.language.collected  # noqa: F401  its views are registered
from tierproof.model.language.layout import ArrayNode, Layout, RecordNode, hints_of, layout_of
from tierproof.model.language.members import Members, shown
from tierproof.model.language.scope import Scope
from tierproof.model.language.vectors import VIEWS, Vector, View, view


class Elements(View):
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


VIEWS[ArrayNode] = Elements


@dataclass_transform(kw_only_default=True)
class Record(View):
    """A group of fields, declared by annotations, that a State holds once or in an Array.

    `Message(sender=0, term=1)` makes a record that is a value: it can be assigned, appended and
    compared, and never changes.
    """

    __slots__ = ()

    is_record: ClassVar[bool] = True
    _node: RecordNode

    def __init__(self, **values: Any) -> None:
        names = field_names(type(self))
        if set(values) != set(names):
            raise TypeError(f"{type(self).__name__} takes each of {', '.join(names)} by its name")
        object.__setattr__(self, "_vector", None)
        object.__setattr__(self, "_node", {name: _kept(values[name]) for name in names})

    def _assign_to(self, vector: Vector, offset: int, node: Any) -> None:
        if getattr(node, "record", None) is not type(self):
            raise TypeError(f"cannot assign {self!r} to {vector.path(offset)}")
        for name, (inside, child) in node.fields.items():
            vector.assign(offset + inside, child, getattr(self, name))

    def __getattr__(self, name: str) -> Any:
        vector = self._vector
        node: Any = self._node
        try:
            if vector is None:
                return node[name]
            inside, child = node.fields[name]
        except KeyError:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}") from None
        return vector.read(self._offset + inside, child)

    def __setattr__(self, name: str, value: Any) -> None:
        if self._vector is None:
            raise TypeError(f"{self!r} was made and does not change: make another one")
        found = self._node.fields.get(name)
        if found is None:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}")
        self._vector.assign(self._offset + found[0], found[1], value)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            getattr(self, name) == getattr(other, name) for name in field_names(type(self))
        )

    def __repr__(self) -> str:
        names = field_names(type(self))
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__name__}({inside})"

    def __str__(self) -> str:
        names = field_names(type(self))
        inside = ", ".join(f"{name}={shown(getattr(self, name))}" for name in names)
        return f"{type(self).__name__}({inside})"


_NAMES: dict[type, tuple[str, ...]] = {}


def field_names(record: type) -> tuple[str, ...]:
    """The names of a record's fields, in the order of declaration."""
    if record not in _NAMES:
        hints = hints_of(record, record.__name__).items()
        fields = [name for name, kind in hints if get_origin(kind) is not ClassVar]
        _NAMES[record] = tuple(name for name in fields if not name.startswith("_"))
    return _NAMES[record]


def _kept(value: Any) -> Any:
    """The content of a field of a record value; it is a value, too, if it was read from a place."""
    if isinstance(value, Members):
        return Members(value)
    is_placed = isinstance(value, View) and value._vector is not None
    return value._vector.kept(value._offset, value._node) if is_placed else value


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
        return view(cls, Vector(layout, list(leaves)), 0, layout.root)

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
        """This state, closed for assignment; an attempt to assign names `reader`."""
        self._vector.writer, self._vector.reader = None, reader
        return self

    def fields(self) -> dict[str, Any]:
        """Path -> value for every number, set, sequence and bag, in the order of declaration."""
        layout = self._vector.layout
        return {path: self._vector.kept(offset, node) for path, offset, node in layout.shown}

    def changes_to(self, after: State) -> list[tuple[str, Any, Any]]:
        """(path, before, after) of every leaf in which the two states differ."""
        before, later = self.fields(), after.fields()
        return [(p, v, later[p]) for p, v in before.items() if v != later[p]]

    def describe(self) -> str:
        """One line for each top-level field, for error messages and debuggers."""
        return "\n".join(f"  {name} = {getattr(self, name)!r}" for name in self._node.fields)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.leaves == other.leaves

    def __hash__(self) -> int:
        return hash(self.leaves)
