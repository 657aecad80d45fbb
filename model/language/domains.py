"""Finite domains: the values that a field of a State or a parameter of an action can have.

Domains are written as annotations, `Annotated[int, Range(0, Cluster.last_offset)]`,
and usually given a name once (`Offset = Annotated[int, Range(...)]`). A Scope sizes
them: `Range(0, n).sized(scope)` is a `Sized` with plain integer limits.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Any

from tierproof.model.language.errors import DesignError, ScopeError
from tierproof.model.language.lifecycle import Lifecycle, lifecycle_of
from tierproof.model.language.members import MOST_MEMBERS, Members, bits_of, members_of
from tierproof.model.language.scope import Expression, Scope, Size, size_in

NONE = -1
"""The usual value for "none": no node, no element, no offset."""


class Kind(Enum):
    """The purpose of a field: protocol, budget of the environment, or ghost of a property."""

    PROTOCOL = "protocol"
    BUDGET = "budget"
    GHOST = "ghost"


GHOST = Kind.GHOST
"""Marks a field that properties read and guards must not: `Annotated[int, Range(0, 3), GHOST]`."""


@dataclass(frozen=True)
class Sized:
    """A domain in one scope: integers `low` to `high`, both inclusive, shown as `enum` if any.

    With `is_set` each integer is a bit set, shown as the set of numbers, or of members of `enum`.
    `of` is the size whose indexes the values, or the members of the sets, are; None for others.
    """

    low: int
    high: int
    start: int
    enum: type[IntEnum] | type[bool] | None = None
    is_set: bool = False
    of: Size | None = field(default=None, compare=False, repr=False)
    is_alike: bool = field(default=False, compare=False, repr=False)

    @property
    def size(self) -> int:
        """How many values there are; 0 for an empty domain."""
        return max(0, self.high - self.low + 1)

    @property
    def lifecycle(self) -> Lifecycle | None:
        """The lifecycle that a field of this domain obeys, if any."""
        if self.enum is None or not issubclass(self.enum, IntEnum) or self.is_set:
            return None
        return lifecycle_of(self.enum)

    def value(self, raw: int) -> Any:
        """The Python value of a raw integer: a set, an enum member, a bool, or the integer."""
        if self.is_set:
            numbers = members_of(raw)
            return Members(numbers if self.enum is None else map(self.enum, numbers))
        return raw if self.enum is None else self.enum(raw)

    def raw(self, value: object) -> int | None:
        """The integer of a Python value, None where it has none or is outside of the domain."""
        if self.is_set:
            found = bits_of(value)
        else:
            found = operator.index(value) if hasattr(value, "__index__") else None
        return found if found is not None and found in self else None

    def __contains__(self, raw: int) -> bool:
        return self.low <= raw <= self.high

    def __str__(self) -> str:
        if self.is_set:
            whole = self.enum.__name__ if self.enum else f"0..{self.high.bit_length() - 1}"
            return f"subsets of {whole}"
        if self.enum is bool:
            return "False, True"
        return self.enum.__name__ if self.enum else f"{self.low}..{self.high}"


class Domain:
    """A finite set of integers, sized by a Scope."""

    kind = Kind.PROTOCOL

    def sized(self, scope: Scope | None) -> Sized:
        """The domain's limits in `scope`."""
        raise NotImplementedError


@dataclass(frozen=True)
class Range(Domain):
    """Integers `low` to `high`, both inclusive; the initial value is `start`, by default `low`."""

    low: Size
    high: Size
    start: Size | None = None

    def sized(self, scope: Scope | None) -> Sized:
        low, high = size_in(self.low, scope), size_in(self.high, scope)
        return Sized(low, high, low if self.start is None else size_in(self.start, scope))


@dataclass(frozen=True)
class Index(Domain):
    """Indexes 0 to `count` - 1; with `optional`, also `NONE` (-1), which is then initial.

    With `alike` the things that `count` counts are interchangeable: a search visits one of the
    states that differ only in which is which. Said once, it is true of each field of that count.
    """

    count: Size
    optional: bool = False
    alike: bool = False

    def __post_init__(self) -> None:
        if self.alike and not isinstance(self.count, Expression):
            raise DesignError(
                f"Index({self.count!r}, alike=True): give it a bound of the scope, as in "
                "Index(Cluster.brokers, alike=True), by which the fields of the state are sized"
            )

    def sized(self, scope: Scope | None) -> Sized:
        low, high = NONE if self.optional else 0, size_in(self.count, scope) - 1
        return Sized(low, high, low, of=self.count, is_alike=self.alike)


@dataclass(frozen=True)
class Subset(Domain):
    """Subsets of 0 to `count` - 1 as a bit set in one integer (at most 62 members)."""

    count: Size

    def sized(self, scope: Scope | None) -> Sized:
        count = size_in(self.count, scope)
        if not 0 <= count <= MOST_MEMBERS:
            raise ScopeError(f"a Subset has 0 to {MOST_MEMBERS} members, not {count} ({scope})")
        return Sized(0, (1 << count) - 1, 0)


@dataclass(frozen=True)
class Set(Domain):
    """`Annotated[set[int], Set(count)]`: sets of 0 to `count` - 1, or of the members of an enum.

    One integer holds a set (at most 62 members); it is initially empty.
    """

    of: Size | type[IntEnum]

    def sized(self, scope: Scope | None) -> Sized:
        count, enum = _members(self.of, scope)
        if not 0 <= count <= MOST_MEMBERS:
            raise ScopeError(f"a Set has 0 to {MOST_MEMBERS} members, not {count} ({scope})")
        of = self.of if enum is None else None
        return Sized(0, (1 << count) - 1, 0, enum, is_set=True, of=of)


@dataclass(frozen=True)
class Budget(Domain):
    """What the environment may still spend: initially `count`; actions that name it spend it."""

    count: Size
    kind = Kind.BUDGET

    def sized(self, scope: Scope | None) -> Sized:
        count = size_in(self.count, scope)
        return Sized(0, count, count)


@dataclass(frozen=True)
class Enumeration(Domain):
    """The members of an IntEnum, or False and True."""

    enum: type[IntEnum] | type[bool]

    def sized(self, scope: Scope | None) -> Sized:
        if issubclass(self.enum, bool):
            return Sized(0, 1, 0, bool)
        count = _numbered(self.enum)
        lifecycle = lifecycle_of(self.enum)
        start = int(lifecycle.initial) if lifecycle else 0
        return Sized(0, count - 1, start, self.enum)


def _numbered(enum: type[IntEnum]) -> int:
    """The number of members of an enum, whose members are numbered from 0."""
    members = [int(member) for member in enum]
    if members != list(range(len(members))):
        raise DesignError(f"enum {enum.__name__} must be numbered 0, 1, 2, ...")
    return len(members)


def _members(of: Any, scope: Scope | None) -> tuple[int, type[IntEnum] | None]:
    """How many members there are, and the enum that they belong to, if any."""
    if isinstance(of, type) and issubclass(of, IntEnum):
        return _numbered(of), of
    return size_in(of, scope), None


class Array:
    """`Annotated[list[Element], Array(count)]`: a fixed number of elements; `Array(m, n)` nests."""

    def __init__(self, *counts: Size) -> None:
        if not counts:
            raise DesignError("Array needs at least one length")
        self.counts = counts


@dataclass(frozen=True)
class Sequence:
    """`Annotated[list[Element], Sequence(count)]`: 0 to `count` elements in their order.

    An element is a number, an enum member, a bool, a Set, or a Record of these. It is initially
    empty.
    """

    count: Size


@dataclass(frozen=True)
class Bag:
    """`Annotated[Counter[int], Bag(of, at_most=2)]`: a count for each member.

    The members are 0 to `of` - 1, or those of an enum. It is initially empty.
    """

    of: Size | type[IntEnum]
    at_most: Size

    def counted(self, scope: Scope | None) -> tuple[int, type[IntEnum] | None, Sized]:
        """How many members there are, their enum if any, and the domain of each count."""
        return *_members(self.of, scope), Range(0, self.at_most).sized(scope)
