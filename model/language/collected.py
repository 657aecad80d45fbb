"""What CPython gives for the fields that are a Sequence or a Bag: views that check each change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tierproof.model.language.errors import SequenceFull
from tierproof.model.language.layout import BagNode, SequenceNode
from tierproof.model.language.members import shown
from tierproof.model.language.vectors import VIEWS, View


class Queue(View):
    """A Sequence: its operations are those of a list. Elements are values and never change."""

    __slots__ = ()

    _node: SequenceNode

    def __len__(self) -> int:
        found: int = self._vector.leaves[self._offset]
        return found

    def _place(self, index: int) -> int:
        return self._offset + 1 + index * self._node.element.size

    def _at(self, index: int) -> int:
        if not 0 <= index < len(self):
            raise IndexError(
                f"index {index} is outside the {len(self)} elements of "
                f"{self._vector.path(self._offset)}, which are counted from 0"
            )
        return self._place(index)

    def __getitem__(self, index: int) -> Any:
        return self._vector.kept(self._at(index), self._node.element)

    def __setitem__(self, index: int, value: Any) -> None:
        self._vector.assign(self._at(index), self._node.element, value)

    def __iter__(self) -> Iterator[Any]:
        index = 0
        while index < len(self):
            yield self[index]
            index += 1

    def append(self, value: Any) -> None:
        """Append an element. Raises SequenceFull, which names the bound."""
        vector, node = self._vector, self._node
        path = vector.path(self._offset)
        vector.check_writer(self._offset, f"appends {value!r} to")
        if len(self) == node.length:
            raise SequenceFull(path, node.length, str(node.count), vector.writer)
        vector.assign(self._place(len(self)), node.element, value)
        vector.leaves[self._offset] += 1

    def pop(self, index: int | None = None) -> Any:
        """Remove an element: the first by `pop(0)`, the last by `pop()`. Raises IndexError."""
        vector, size = self._vector, self._node.element.size
        vector.check_writer(self._offset, "takes an element out of")
        place = self._at(len(self) - 1 if index is None else index)
        found = vector.kept(place, self._node.element)
        end = self._place(self._node.length)
        low = [vector.layout.leaves[at].leaf.domain.low for at in range(end - size, end)]
        vector.leaves[place:end] = vector.leaves[place + size : end] + low
        vector.leaves[self._offset] -= 1
        return found

    def clear(self) -> None:
        """Remove every element."""
        self._vector.check_writer(self._offset, "clears")
        while len(self):
            self.pop()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (Queue, list)) and list(self) == list(other)

    def __repr__(self) -> str:
        return f"[{', '.join(map(shown, self))}]"


class Counts(View):
    """A Bag: its operations are those of a Counter. An absent member has the count 0."""

    __slots__ = ()

    _node: BagNode

    def _at(self, member: int) -> int:
        if not 0 <= member < self._node.length:
            path = self._vector.path(self._offset).removesuffix("[0]")
            raise IndexError(
                f"{member} is none of the {self._node.length} members that {path} counts"
            )
        return self._offset + member

    def __getitem__(self, member: int) -> Any:
        return self._vector.read(self._at(member), self._node.element)

    def __setitem__(self, member: int, count: Any) -> None:
        self._vector.assign(self._at(member), self._node.element, count)

    def __contains__(self, member: object) -> bool:
        return any(member == one for one in self)

    def __iter__(self) -> Iterator[Any]:
        for member in range(self._node.length):
            if self[member]:
                yield member if self._node.enum is None else self._node.enum(member)

    def __bool__(self) -> bool:
        return self.total() > 0

    def total(self) -> int:
        """The sum of all counts."""
        return sum(self._vector.leaves[self._offset : self._offset + self._node.length])

    def clear(self) -> None:
        """Set every count to 0."""
        for member in range(self._node.length):
            self[member] = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counts) and self._counted() == other._counted()

    def _counted(self) -> dict[Any, int]:
        return {member: self[member] for member in self}

    def __repr__(self) -> str:
        inside = ", ".join(f"{shown(one)}: {count}" for one, count in self._counted().items())
        return f"{{{inside}}}"


VIEWS[SequenceNode] = Queue
VIEWS[BagNode] = Counts
