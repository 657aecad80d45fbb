"""Sorts: what a value says of alike things; a type says only that an index is a number."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from tierproof.model.language.domains import Sized
from tierproof.model.language.layout import (
    ArrayNode,
    BagNode,
    Leaf,
    Node,
    RecordNode,
    SequenceNode,
)
from tierproof.model.language.scope import Expression, Size


@dataclass(frozen=True)
class Number:
    """A value that is the same whichever is which of the alike things; an index of `of`, if any."""

    of: Size | None = None


@dataclass(frozen=True)
class One:
    """One of the alike things that `of` counts, or NONE if it `is_optional`."""

    of: Expression
    is_optional: bool = False


@dataclass(frozen=True)
class NoOne:
    """The constant NONE."""


@dataclass(frozen=True)
class Several:
    """A set of the alike things that `of` counts, of numbers if it is None; or the empty set."""

    of: Size | None
    is_empty: bool = False


@dataclass(frozen=True)
class Row:
    """An array of `count` elements, one for each of the alike things if it `is_alike`."""

    count: Size
    is_alike: bool
    element: Sort


@dataclass(frozen=True)
class Queue:
    """A sequence."""

    element: Sort


@dataclass(frozen=True)
class Tally:
    """A bag of the alike things that `of` counts, of numbers if it is None."""

    of: Size | None


@dataclass(frozen=True)
class Group:
    """A record, or the value of one."""

    fields: tuple[tuple[str, Sort], ...]

    def field(self, name: str) -> Sort:
        """The sort of a field."""
        return dict(self.fields)[name]


@dataclass(frozen=True)
class Items:
    """A tuple."""

    items: tuple[Sort, ...]


@dataclass(frozen=True)
class Opaque:
    """A scope, a step, or nothing."""


Sort = Number | One | NoOne | Several | Row | Queue | Tally | Group | Items | Opaque
NUMBER, NO_ONE, EMPTY, OPAQUE = Number(), NoOne(), Several(None, is_empty=True), Opaque()


def joined(one: Sort, other: Sort) -> Sort | None:
    """The sort of a value that has one sort or the other; None if there is no such sort."""
    if one == other:
        return one
    for first, second in ((one, other), (other, one)):
        if isinstance(first, NoOne) and isinstance(second, (Number, One)):
            return Number() if isinstance(second, Number) else One(second.of, is_optional=True)
        if isinstance(first, Several) and first.is_empty and isinstance(second, Several):
            return second
    if isinstance(one, Number) and isinstance(other, Number):
        return Number()
    if isinstance(one, One) and isinstance(other, One) and one.of is other.of:
        return One(one.of, is_optional=True)
    return _joined_parts(one, other)


def _joined_parts(one: Any, other: Any) -> Sort | None:
    if type(one) is not type(other):
        return None
    if isinstance(one, Row) and one.is_alike == other.is_alike:
        element = joined(one.element, other.element)
        count = one.count if one.count is other.count else None
        is_known = element is not None and (count is not None or not one.is_alike)
        return Row(count, one.is_alike, element) if element and is_known else None
    if isinstance(one, Queue):
        element = joined(one.element, other.element)
        return Queue(element) if element else None
    if isinstance(one, Items) and len(one.items) == len(other.items):
        items = [joined(*pair) for pair in zip(one.items, other.items, strict=True)]
        known = tuple(item for item in items if item)
        return Items(known) if len(known) == len(items) else None
    if isinstance(one, Group) and [n for n, _ in one.fields] == [n for n, _ in other.fields]:
        fields = [(name, joined(sort, other.field(name))) for name, sort in one.fields]
        whole = tuple((name, sort) for name, sort in fields if sort)
        return Group(whole) if len(whole) == len(fields) else None
    return None


def is_one_of(size: Size | None, alike: Collection[Expression]) -> bool:
    """Whether a size is that of alike things."""
    return any(size is one for one in alike)


def sort_of_values(domain: Sized, alike: Collection[Expression]) -> Sort:
    """The sort of the values of a domain."""
    if domain.is_set:
        return Several(domain.of if is_one_of(domain.of, alike) else None)
    if isinstance(domain.of, Expression) and is_one_of(domain.of, alike):
        return One(domain.of, is_optional=domain.low < 0)
    return Number(domain.of)


def sort_of(node: Node, alike: Collection[Expression]) -> Sort:
    """The sort of what stands at a node of a layout."""
    if isinstance(node, Leaf):
        return sort_of_values(node.domain, alike)
    if isinstance(node, ArrayNode):
        return Row(node.count, is_one_of(node.count, alike), sort_of(node.element, alike))
    if isinstance(node, SequenceNode):
        return Queue(sort_of(node.element, alike))
    if isinstance(node, BagNode):
        return Tally(node.of if is_one_of(node.of, alike) else None)
    assert isinstance(node, RecordNode)
    return Group(tuple((name, sort_of(child, alike)) for name, (_, child) in node.fields.items()))


def in_words(sort: Sort) -> str:
    """What a value of this sort is."""
    if isinstance(sort, One):
        return f"one of the alike {sort.of.text}"
    if isinstance(sort, Several) and isinstance(sort.of, Expression):
        return f"a set of the alike {sort.of.text}"
    if isinstance(sort, Row) and sort.is_alike:
        return f"an array with an element for each of the alike {sort.count.text}"
    return "NONE" if isinstance(sort, NoOne) else _PLAIN[type(sort)]


_PLAIN: dict[type, str] = {
    Number: "a number",
    Several: "a set of numbers",
    Row: "an array",
    Queue: "a sequence",
    Tally: "a bag",
    Group: "a record",
    Items: "a tuple",
    Opaque: "no value",
}
