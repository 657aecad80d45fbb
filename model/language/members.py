"""Members: the value of a Set, and how values are shown.

A set is an immutable value, like a number. A set that was read from a field of the state knows that
field, so `state.in_sync.add(broker)` assigns a new value to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Any

MOST_MEMBERS = 62
"""The most members of a bit set in a signed 64-bit integer, with one spare bit."""


class Members(frozenset[Any]):
    """The members of a Set, in ascending order. If read from a field, methods assign to it."""

    __slots__ = ("_assign",)

    _assign: Callable[[Members], None]

    @classmethod
    def at(cls, members: Members, assign: Callable[[Members], None]) -> Members:
        """The members in a field; `assign` gives the field another value."""
        found = cls(members)
        found._assign = assign
        return found

    def add(self, member: int) -> None:
        """Add a member to the field."""
        self._replace(frozenset.__or__(self, {member}))

    def discard(self, member: int) -> None:
        """Remove a member from the field, if present."""
        self._replace(frozenset.__sub__(self, {member}))

    def remove(self, member: int) -> None:
        """Remove a member from the field. Raises KeyError if it is absent."""
        if member not in self:
            raise KeyError(f"{shown(member)} is not in {self}")
        self.discard(member)

    def clear(self) -> None:
        """Remove every member from the field."""
        self._replace(frozenset())

    def _replace(self, members: Iterable[Any]) -> None:
        if not hasattr(self, "_assign"):
            raise TypeError(f"{self} is in no field: a set does not change, assign another one")
        self._assign(Members(members))
        del self._assign  # this object now holds the old value

    def __iter__(self) -> Iterator[Any]:
        return iter(sorted(super().__iter__()))

    def __or__(self, other: Any) -> Any:
        return _members(super().__or__(other))

    def __and__(self, other: Any) -> Any:
        return _members(super().__and__(other))

    def __sub__(self, other: Any) -> Any:
        return _members(super().__sub__(other))

    def __xor__(self, other: Any) -> Any:
        return _members(super().__xor__(other))

    def __repr__(self) -> str:
        return f"{{{', '.join(map(shown, self))}}}"

    def __reduce__(self) -> Any:
        return Members, (tuple(self),)


def _members(found: Any) -> Any:
    return found if found is NotImplemented else Members(found)


def members_of(bits: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    return (number for number in range(bits.bit_length()) if bits >> number & 1)


def bits_of(value: object) -> int | None:
    """The bit set of a set of small numbers, None for anything else."""
    if not isinstance(value, (set, frozenset)):
        return None
    members = set(value)
    if not all(isinstance(one, int) and 0 <= one < MOST_MEMBERS for one in members):
        return None
    return sum(1 << int(one) for one in members)


def as_json(value: Any) -> int | list[int]:
    """The value of a parameter as stored in JSON: a number, or the numbers of a set."""
    return [int(one) for one in value] if isinstance(value, frozenset) else int(value)


def shown(value: object) -> str:
    """A value as shown to a reader: a member of an enum by its name."""
    return value.name if isinstance(value, Enum) else str(value)
