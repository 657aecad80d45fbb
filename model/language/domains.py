"""Finite domains: what a field of a State or a parameter of an action can be.

Domains are written as annotations, `Annotated[int, Range(0, Cluster.last_offset)]`,
and usually given a name once (`Offset = Annotated[int, Range(...)]`). A Scope sizes
them: `Range(0, n).sized(scope)` is a `Sized` with plain integer limits.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Any

from tierproof.model.language.errors import DesignError, ScopeError
from tierproof.model.language.lifecycle import Lifecycle, lifecycle_of
from tierproof.model.language.scope import Scope, Size, size_in

NONE = -1
"""The usual value for "no broker", "no segment", "no offset" (Kafka's -1)."""


_MOST_MEMBERS = 62
"""What a bit set in a signed 64-bit integer holds, with one bit to spare."""


class Kind(Enum):
    """What a field is for: the protocol, a budget of the environment, or a ghost of a property."""

    PROTOCOL = "protocol"
    BUDGET = "budget"
    GHOST = "ghost"


GHOST = Kind.GHOST
"""Marks a field that properties read and guards must not: `Annotated[int, Range(0, 3), GHOST]`."""


@dataclass(frozen=True)
class Sized:
    """A domain in one scope: integers `low` to `high`, both inclusive, shown as `enum` if any."""

    low: int
    high: int
    start: int
    enum: type[IntEnum] | type[bool] | None = None

    @property
    def size(self) -> int:
        """How many values there are; 0 for an empty domain."""
        return max(0, self.high - self.low + 1)

    @property
    def lifecycle(self) -> Lifecycle | None:
        """The lifecycle that a field of this domain obeys, if any."""
        if self.enum is None or not issubclass(self.enum, IntEnum):
            return None
        return lifecycle_of(self.enum)

    def value(self, raw: int) -> Any:
        """The Python value of a raw integer: an enum member, a bool, or the integer."""
        return raw if self.enum is None else self.enum(raw)

    def __contains__(self, raw: int) -> bool:
        return self.low <= raw <= self.high

    def __str__(self) -> str:
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
    """Integers from `low` to `high`, both inclusive, at first `start` (if given) or `low`."""

    low: Size
    high: Size
    start: Size | None = None

    def sized(self, scope: Scope | None) -> Sized:
        low, high = size_in(self.low, scope), size_in(self.high, scope)
        return Sized(low, high, low if self.start is None else size_in(self.start, scope))


@dataclass(frozen=True)
class Index(Domain):
    """Indexes 0 to `count` - 1; with `optional`, also `NONE` (-1), which is then the start."""

    count: Size
    optional: bool = False

    def sized(self, scope: Scope | None) -> Sized:
        low = NONE if self.optional else 0
        return Sized(low, size_in(self.count, scope) - 1, low)


@dataclass(frozen=True)
class Subset(Domain):
    """Subsets of 0 to `count` - 1 as a bit set in one integer (at most 62 members)."""

    count: Size

    def sized(self, scope: Scope | None) -> Sized:
        count = size_in(self.count, scope)
        if not 0 <= count <= _MOST_MEMBERS:
            raise ScopeError(f"a Subset has 0 to {_MOST_MEMBERS} members, not {count} ({scope})")
        return Sized(0, (1 << count) - 1, 0)


@dataclass(frozen=True)
class Budget(Domain):
    """What the environment may still spend: `count` at first; actions that name it spend it."""

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
        members = [int(member) for member in self.enum]
        if members != list(range(len(members))):
            raise DesignError(f"enum {self.enum.__name__} must be numbered 0, 1, 2, ...")
        lifecycle = lifecycle_of(self.enum)
        start = int(lifecycle.initial) if lifecycle else 0
        return Sized(0, len(members) - 1, start, self.enum)


class Array:
    """`Annotated[list[Element], Array(count)]`: a fixed number of elements; `Array(m, n)` nests."""

    def __init__(self, *counts: Size) -> None:
        if not counts:
            raise DesignError("Array needs at least one length")
        self.counts = counts
