"""The parts of a generated design: the kinds of its values, and what its functions share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random


@dataclass(frozen=True)
class Number:
    """Any number; between `low` and `high` where these are known."""

    low: int | None = None
    high: int | None = None

    def is_within(self, low: int, high: int) -> bool:
        """Whether it is known to lie between two others."""
        return (
            self.low is not None and self.high is not None and low <= self.low <= self.high <= high
        )


@dataclass(frozen=True)
class Truth:
    """True or False."""


@dataclass(frozen=True)
class Member:
    """A member of an enum."""

    enum: str


@dataclass(frozen=True)
class Group:
    """A record of a class."""

    record: str


@dataclass(frozen=True)
class Row:
    """An array; `count` is its length as it is declared."""

    element: Kind
    count: str
    length: int


@dataclass(frozen=True)
class Several:
    """A tuple."""

    items: tuple[Kind, ...]


@dataclass(frozen=True)
class Bounds:
    """The scope."""


@dataclass(frozen=True)
class Crowd:
    """A set of three people at most; `is_ordered` if a loop may run over it."""

    is_ordered: bool


Kind = Number | Truth | Member | Group | Row | Several | Bounds | Crowd
Wanted = Callable[[Kind], bool]
NUMBER, TRUTH = Number(), Truth()


def essence(kind: Kind) -> object:
    """A kind without the limits of numbers, but for those that an array may hold."""
    if isinstance(kind, Number):
        return NUMBER
    return tuple(map(essence, kind.items)) if isinstance(kind, Several) else kind


@cache
def like(kind: Kind) -> Wanted:
    """Accepts what may stand for a kind."""
    return lambda other: essence(other) == essence(kind)


def is_scalar(kind: Kind) -> bool:
    """Accepts what one number holds."""
    return isinstance(kind, (Number, Truth, Member))


def is_reference(kind: Kind) -> bool:
    """Accepts records and arrays."""
    return isinstance(kind, (Group, Row))


def is_of_numbers(kind: Kind) -> bool:
    """Accepts a tuple of numbers, which a loop may run over."""
    return isinstance(kind, Several) and all(map(is_scalar, kind.items))


@dataclass
class Helper:
    """A function that others call. `parameters` are (name, kind, how it may be given).

    "place" is by its place alone, "name" by its name alone, "both" either way, and
    "default" may be left out. A light one has no loops, so that loops may call it.
    """

    name: str
    parameters: tuple[tuple[str, Kind, str], ...]
    result: Kind | None
    is_pure: bool
    is_light: bool = False


@dataclass(frozen=True)
class Role:
    """What a function may do, and the kind of what it returns, if anything."""

    is_pure: bool
    reads_ghosts: bool
    result: Kind | None = None


@dataclass
class World:
    """What the functions of a module share.

    `risk`: how often something is written that may fail. Where it is 0 every index is
    inside, no divisor is 0 and every value is in its domain.
    """

    random: Random
    risk: float
    records: dict[str, dict[str, Kind]] = field(default_factory=dict)
    enums: dict[str, list[str]] = field(default_factory=dict)
    constants: dict[str, Kind] = field(default_factory=dict)
    bounds: dict[str, int] = field(default_factory=dict)
    helpers: list[Helper] = field(default_factory=list)
    ghosts: set[str] = field(default_factory=set)
    _leads: dict[tuple[Kind, Wanted], bool] = field(default_factory=dict)

    def chance(self, part: float) -> bool:
        """True in `part` of the cases."""
        return self.random.random() < part

    def children(self, kind: Kind) -> Iterator[tuple[str, Kind]]:
        """How to get at what lies directly within a kind; "[" stands for any index."""
        if isinstance(kind, Group):
            yield from ((f".{name}", child) for name, child in self.records[kind.record].items())
        elif isinstance(kind, Row):
            yield "[", kind.element
        elif isinstance(kind, Several):
            yield from ((f"[{place}]", child) for place, child in enumerate(kind.items))
        elif isinstance(kind, Bounds):
            yield from ((f".{name}", Number(n, n)) for name, n in self.bounds.items())

    def leads(self, kind: Kind, wanted: Wanted) -> bool:
        """Whether something that is wanted is there, or within."""
        if (kind, wanted) not in self._leads:
            within = (self.leads(child, wanted) for _, child in self.children(kind))
            self._leads[kind, wanted] = wanted(kind) or any(within)
        return self._leads[kind, wanted]
