"""Typed trees of sets, sequences, bags and record values; `tree.py` has the other trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierproof.model.language.reading.types import INT, NOTHING, Type

if TYPE_CHECKING:
    from tierproof.model.language.reading.tree import Element, Expression, Field, Spot


@dataclass(frozen=True, slots=True)
class SetOf:
    """A set of listed members."""

    type: Type
    items: tuple[Expression, ...]
    spot: Spot


@dataclass(frozen=True, slots=True)
class Made:
    """A record that is a value. `order` is the order in which its items are evaluated."""

    type: Type
    items: tuple[Expression, ...]
    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A field of a record that is a value."""

    type: Type
    record: Expression
    place: int


@dataclass(frozen=True, slots=True)
class Edge:
    """The lowest or the highest member of a set, which must not be empty."""

    type: Type
    is_min: bool
    members: Expression
    spot: Spot


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of a bag's counts."""

    bag: Expression
    type: Type = INT


@dataclass(frozen=True, slots=True)
class Alter:
    """`add`, `discard` or `remove` (by `how`) of a member, in a set at a place."""

    how: str
    place: Field | Element
    member: Expression
    spot: Spot
    type: Type = NOTHING


@dataclass(frozen=True, slots=True)
class Append:
    """Append an element to a sequence, if there is room."""

    sequence: Expression
    value: Expression
    spot: Spot
    type: Type = NOTHING


@dataclass(frozen=True, slots=True)
class Pop:
    """Remove an element of a sequence, the last if no index is given, and return it."""

    type: Type
    sequence: Expression
    index: Expression | None
    spot: Spot


@dataclass(frozen=True, slots=True)
class Clear:
    """Empty a sequence or a bag."""

    whole: Expression
    spot: Spot
    type: Type = NOTHING


def place_changed(node: object) -> Expression | None:
    """What a method changes: a set at its place, a sequence or a bag; None for anything else."""
    if isinstance(node, Alter):
        return node.place
    if isinstance(node, (Append, Pop)):
        return node.sequence
    return node.whole if isinstance(node, Clear) else None


Collected = SetOf | Made | Part | Edge | Total | Alter | Append | Pop | Clear


# -- what a loop runs over


@dataclass(frozen=True, slots=True)
class Ascending:
    """The members of a set in ascending order; it is evaluated before the first iteration."""

    type: Type
    members: Expression


@dataclass(frozen=True, slots=True)
class InTurn:
    """The elements of a sequence; its length is read before each iteration."""

    type: Type
    sequence: Expression


@dataclass(frozen=True, slots=True)
class Distinct:
    """The members of a bag in ascending order, each once; its count is read at its iteration."""

    type: Type
    bag: Expression


Collecting = Ascending | InTurn | Distinct
