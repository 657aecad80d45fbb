"""Overlaps: which parts of the state the iterations of a loop store at, and which they read.

A place is an iteration's own if it lies under an element that the loop's index names. The own
places of two iterations are apart if these elements are equally far from the field: `table[i][j]`
and `table[j][i]` are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from tierproof.model.language.reading import collected, tree
from tierproof.model.language.reading.types import (
    INT,
    ArrayType,
    BagType,
    RecordType,
    SequenceType,
    Type,
)
from tierproof.model.language.reading.walking import nodes_in

PARTS = (tree.Field, tree.Element)
ROWS = (ArrayType, SequenceType, BagType)
REFERENCES = (RecordType, *ROWS)
EACH = "each element"
"""The index of a loop over the elements of an array; no variable has this name."""
UNKNOWN = ""
"""The field that an array is in which was given to the function."""
NOWHERE = tree.Spot("", 0)
Depths = frozenset[int]
"""How many steps below elements of the loop's index a field lies; empty if it is shared."""
Written = Mapping[str, Depths]
Clash = tuple[str, Any]
"""The name of a field, and the expression that reads it."""


class Places:
    """The places of the body of a loop in a function."""

    def __init__(self, loop: tree.For, function: tree.Function) -> None:
        self.loop, source = loop, loop.source
        self.aliases = _aliases(function)
        self.index = loop.name
        if isinstance(source, tree.Over):
            self.index = EACH
            self.aliases[loop.name] = _element(source.array, source.type, EACH)

    def fields(self, place: tree.Expression, *, inside: bool = True) -> dict[str, Depths]:
        """The field that a place is in, and those inside of it."""
        node, own, name, at, height = self._resolved(place), [], UNKNOWN, 0, 0
        while isinstance(node, PARTS):
            if isinstance(node, tree.Field):
                name, at = (name, at) if name else (_name(node.record.type, node.name), height)
                node = node.record
            else:
                own += [height] if _is_index(node.index, self.index) else []
                node = node.array
            height += 1
        is_array = isinstance(node.type, ROWS)
        found = {name: frozenset(top - at for top in own)} if name or is_array else {}
        for one, below in nested(place.type) if inside else ():
            depths = frozenset(top + below for top in own)
            found[one] = found.get(one, depths) & depths
        return found

    def _resolved(self, node: tree.Expression) -> tree.Expression:
        """A place with the variable that it begins with replaced by what that stands for."""
        if isinstance(node, tree.Local):
            known = self.aliases.get(node.name)
            return node if known is None else self._resolved(known)
        if isinstance(node, tree.Field):
            return tree.Field(node.type, self._resolved(node.record), node.name)
        if isinstance(node, tree.Element):
            return tree.Element(node.type, self._resolved(node.array), node.index, node.spot)
        return node

    def reads(self, written: Written) -> Clash | None:
        """A read, within the loop, of what another iteration may have stored."""
        source = self.loop.source
        if isinstance(source, collected.Distinct):  # whether a member is there is asked in its turn
            counted = _element(source.bag, INT, self.loop.name)
            return self._read((counted, self.loop.body), written)
        return self._read(self.loop.body, written)

    def _read(self, part: Any, written: Written) -> Clash | None:
        if isinstance(part, tuple):
            return next(filter(None, (self._read(one, written) for one in part)), None)
        if not is_dataclass(part) or isinstance(part, tree.Function):
            return None
        if isinstance(part, (*PARTS, tree.Local)):
            return self._read_place(part, written)
        if isinstance(part, tree.Call):
            clash = read_in(part.function) & set(written)
            return (min(clash), part) if clash else self._read_references(part.arguments, written)
        if isinstance(part, tree.Length) and isinstance(part.whole.type, ArrayType):
            return self._read_indexes(part.whole, written)
        if isinstance(part, tree.SetLocal):
            return self._read_references((part.value,), written)
        if isinstance(part, (tree.Store, tree.Update)):
            found = self._read_indexes(part.place, written)
            return found or self._read(part.value, written)
        if isinstance(part, collected.Alter):
            return self._read_indexes(part.place, written) or self._read(part.member, written)
        inside = (getattr(part, field.name) for field in fields(part) if field.name != "type")
        return self._read(tuple(inside), written)

    def _read_references(self, nodes: tuple[Any, ...], written: Written) -> Clash | None:
        """As `_read`, of nodes that may refer to records, whose fields are not read here."""
        for node in nodes:
            is_place = isinstance(node, (*PARTS, tree.Local))
            if is_place and isinstance(node.type, REFERENCES):
                found = self._read_place(node, written, inside=False)
            else:
                found = self._read(node, written)
            if found:
                return found
        return None

    def _read_place(self, node: Any, written: Written, *, inside: bool = True) -> Clash | None:
        found = self._read_indexes(node, written)
        for name, depths in self.fields(node, inside=inside).items() if written else ():
            clash = min(written) if name == UNKNOWN else name
            if clash in written and (name == UNKNOWN or not depths & written[name]):
                found = found or (clash, node)
        return found

    def _read_indexes(self, node: Any, written: Written) -> Clash | None:
        """The reads of the indexes of a place, and of what it begins with."""
        found = None
        while isinstance(node, PARTS):
            if isinstance(node, tree.Element):
                found = found or self._read(node.index, written)
            node = node.record if isinstance(node, tree.Field) else node.array
        return found if isinstance(node, tree.Local) else found or self._read(node, written)


def _element(array: tree.Expression, kind: Type, index: str) -> tree.Element:
    return tree.Element(kind, array, tree.Local(INT, index), NOWHERE)


def _name(record: Type, field: str) -> str:
    """A field by the class that has it: two classes may have one of the same name."""
    return f"{record.record.__name__}.{field}" if isinstance(record, RecordType) else field


def _is_index(node: tree.Expression, name: str) -> bool:
    return isinstance(node, tree.Local) and node.name == name


def _aliases(function: tree.Function) -> dict[str, tree.Expression]:
    """The variables of a function that stand for one place."""
    given: dict[str, list[tree.Expression]] = {}
    others = {name for name, _ in function.parameters}
    for node in nodes_in(function.body):
        if isinstance(node, tree.SetLocal):
            given.setdefault(node.name, []).append(node.value)
        elif isinstance(node, tree.For):
            others.add(node.name)
    return {
        name: values[0]
        for name, values in given.items()
        if len(values) == 1
        and name not in others
        and isinstance(values[0], PARTS)
        and isinstance(values[0].type, REFERENCES)
    }


def nested(kind: Type, below: int = 1) -> Iterator[tuple[str, int]]:
    """The fields inside of a value of this type, and how many steps below it they lie."""
    if isinstance(kind, RecordType):
        for name, inside in kind.fields.items():
            yield _name(kind, name), below
            yield from nested(inside, below + 1)
    elif isinstance(kind, ArrayType):
        yield from nested(kind.element, below + 1)


@cache
def read_in(function: tree.Function) -> frozenset[str]:
    """The fields that a function, or one that it calls, may read."""
    found: set[str] = set()
    for node in nodes_in(function.body):
        if isinstance(node, tree.Field):
            found |= {_name(node.record.type, node.name), *(name for name, _ in nested(node.type))}
        elif isinstance(node, tree.Call):
            found |= read_in(node.function)
        elif isinstance(node, tree.Comparison):
            for operand in (node.first, *(one for _, one in node.rest)):
                found |= {name for name, _ in nested(operand.type)}
    return frozenset(found)
