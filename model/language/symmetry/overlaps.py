"""Overlaps: which parts of the state the iterations of a loop store at, and which they read."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from tierproof.model.language.reading import collected, tree
from tierproof.model.language.reading.types import (
    ArrayType,
    BagType,
    RecordType,
    SequenceType,
    Type,
)
from tierproof.model.language.reading.walking import nodes_in
from tierproof.model.language.symmetry.sorts import Row, Sort

PARTS = (tree.Field, tree.Element)
REFERENCES = (RecordType, ArrayType, SequenceType, BagType)
Clash = tuple[str, Any]
"""The name of a field, and the expression that reads it."""


class Places:
    """The places of a loop's body; `own` are those that no other iteration has."""

    def __init__(self, loop: tree.For, sort_of: Callable[[tree.Expression], Sort]) -> None:
        self.loop = loop
        source = loop.source
        # The items of an array are places; those of a range or a set are all different indexes.
        self.has_own_items = isinstance(source, tree.Over) and _is_alike(sort_of(source.array))
        self.is_index = not isinstance(source, tree.Over)
        self.sort_of = sort_of
        self.aliases = _aliases(loop)

    def resolved(self, node: tree.Expression) -> tree.Expression:
        """A place with the variable that it begins with replaced by what that stands for."""
        if isinstance(node, tree.Local):
            known = self.aliases.get(node.name)
            return node if known is None else self.resolved(known)
        if isinstance(node, tree.Field):
            return tree.Field(node.type, self.resolved(node.record), node.name)
        if isinstance(node, tree.Element):
            return tree.Element(node.type, self.resolved(node.array), node.index, node.spot)
        return node

    def is_own(self, place: tree.Expression) -> bool:
        """Whether a place belongs to this iteration alone."""
        node = self.resolved(place)
        while isinstance(node, PARTS):
            if isinstance(node, tree.Element) and self.is_index and self._is_item(node.index):
                return True
            node = node.record if isinstance(node, tree.Field) else node.array
        return self.has_own_items and self._is_item(node)

    def _is_item(self, node: tree.Expression) -> bool:
        return isinstance(node, tree.Local) and node.name == self.loop.name

    def reads(self, part: Any, written: Collection[str]) -> Clash | None:
        """A read of a field among `written` that is not at a place of this iteration's own."""
        if not written:
            return None
        if isinstance(part, tuple):
            return next(filter(None, (self.reads(one, written) for one in part)), None)
        if not is_dataclass(part) or isinstance(part, tree.Function):
            return None
        if isinstance(part, (*PARTS, tree.Local)):
            return self._reads_place(part, written)
        if isinstance(part, tree.Call):
            clash = read_in(part.function) & set(written)
            return (min(clash), part) if clash else self._of_references(part.arguments, written)
        if isinstance(part, tree.Length) and isinstance(part.whole.type, ArrayType):
            return self._of_indexes(part.whole, written)
        if isinstance(part, tree.SetLocal):
            return self._of_references((part.value,), written)
        if isinstance(part, (tree.Store, tree.Update)):
            found = self._of_indexes(part.place, written)
            return found or self.reads(part.value, written)
        if isinstance(part, collected.Alter):
            return self._of_indexes(part.place, written) or self.reads(part.member, written)
        inside = (getattr(part, field.name) for field in fields(part) if field.name != "type")
        return next(filter(None, (self.reads(one, written) for one in inside)), None)

    def _of_references(self, nodes: tuple[Any, ...], written: Collection[str]) -> Clash | None:
        """As `reads`, of nodes that may be references, whose fields are not read here."""
        for node in nodes:
            is_place = isinstance(node, (*PARTS, tree.Local))
            if is_place and isinstance(node.type, REFERENCES):
                found = self._of_indexes(node, written)
                if not self.is_own(node):
                    found = found or _named(self.resolved(node), written)
            else:
                found = self.reads(node, written)
            if found:
                return found
        return None

    def _reads_place(self, node: Any, written: Collection[str]) -> Clash | None:
        found = self._of_indexes(node, written)
        if found or self.is_own(node):
            return found
        inside = sorted(nested_names(node.type) & set(written))
        return _named(self.resolved(node), written) or ((inside[0], node) if inside else None)

    def _of_indexes(self, node: Any, written: Collection[str]) -> Clash | None:
        """The reads of the indexes of a place, and of what it begins with."""
        found = None
        while isinstance(node, PARTS):
            if isinstance(node, tree.Element):
                found = found or self.reads(node.index, written)
            node = node.record if isinstance(node, tree.Field) else node.array
        return found if isinstance(node, tree.Local) else found or self.reads(node, written)


def _is_alike(sort: Sort) -> bool:
    return isinstance(sort, Row) and sort.is_alike


def _aliases(loop: tree.For) -> dict[str, tree.Expression]:
    """The variables of an iteration that stand for one place."""
    given: dict[str, list[tree.Expression]] = {}
    for node in nodes_in(loop.body):
        if isinstance(node, tree.SetLocal):
            given.setdefault(node.name, []).append(node.value)
    return {
        name: values[0]
        for name, values in given.items()
        if len(values) == 1
        and isinstance(values[0], PARTS)
        and isinstance(values[0].type, REFERENCES)
    }


def _named(place: tree.Expression, written: Collection[str]) -> Clash | None:
    """The first field on the way to a place that is among `written`.

    An array that a variable stands for, from before the loop, may be any of them.
    """
    node, is_named = place, False
    while isinstance(node, PARTS):
        if isinstance(node, tree.Field):
            if node.name in written:
                return node.name, node
            is_named = True
        node = node.record if isinstance(node, tree.Field) else node.array
    is_unknown = not is_named and isinstance(node, tree.Local)
    if is_unknown and isinstance(node.type, (ArrayType, SequenceType, BagType)):
        return min(written), place
    return None


def written_names(place: tree.Expression) -> set[str]:
    """The fields that an assignment to a place changes: its own, and those inside it."""
    node = place
    while isinstance(node, tree.Element):
        node = node.array
    return {node.name, *nested_names(place.type)} if isinstance(node, tree.Field) else set()


def nested_names(kind: Type) -> set[str]:
    """The fields inside of a value of this type."""
    if isinstance(kind, RecordType):
        return set(kind.fields).union(*map(nested_names, kind.fields.values()))
    return nested_names(kind.element) if isinstance(kind, (ArrayType, SequenceType)) else set()


@cache
def read_in(function: tree.Function) -> frozenset[str]:
    """The fields that a function, or one that it calls, may read."""
    found: set[str] = set()
    for node in nodes_in(function.body):
        if isinstance(node, tree.Field):
            found |= {node.name} | nested_names(node.type)
        elif isinstance(node, tree.Call):
            found |= read_in(node.function)
    compared = (node for node in nodes_in(function.body) if isinstance(node, tree.Comparison))
    for node in compared:
        for operand in (node.first, *(one for _, one in node.rest)):
            found |= nested_names(operand.type)
    return frozenset(found)
