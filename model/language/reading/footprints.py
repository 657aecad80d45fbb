"""Footprints: which fields a function can read.

It reads a field by naming it, or as part of a value that it takes whole: two records compared, say.
What it does not read cannot change what it returns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from tierproof.model.language.reading import collected, tree
from tierproof.model.language.reading.types import (
    ArrayType,
    MadeType,
    RecordType,
    SequenceType,
    TupleType,
    Type,
)
from tierproof.model.language.reading.walking import nodes_in

_LEADS_ON = {
    tree.Field: "record",
    tree.Element: "array",
    tree.Length: "whole",
    tree.Over: "array",
    tree.Each: "whole",
    tree.TupleOf: "items",
    tree.Item: "whole",
    tree.Pick: "whole",
    tree.Call: "arguments",
    tree.SetLocal: "value",
    tree.Return: "value",
    collected.Part: "record",
    collected.InTurn: "sequence",
}
"""Where a reference is handed on, and nothing below it is read: node -> its attribute."""
Names = frozenset[str]


@cache
def fields_read(function: tree.Function) -> Names:
    """The names of all fields that a function, read to its end, or one that it calls may read."""
    found: set[str] = set()
    for node in nodes_in(function.body):
        if isinstance(node, tree.Field):
            found.add(node.name)
        elif isinstance(node, collected.Part):
            kind = node.record.type
            assert isinstance(kind, MadeType)
            found.add(kind.names[node.place])
        elif isinstance(node, tree.Call):
            found |= fields_read(node.function)
        for value in _taken_whole(node):
            found |= _names_below(value.type)
    return frozenset(found)


def _taken_whole(node: Any) -> Iterator[Any]:
    """The expressions below a node that it does not merely hand on."""
    leads_on = _LEADS_ON.get(type(node))
    is_loop = isinstance(node, (tree.For, tree.Quantified))
    for field in fields(node):
        if field.name not in (leads_on, "function"):
            for one in _typed(getattr(node, field.name)):
                if not (is_loop and isinstance(one, _ITERATIONS)):
                    yield one


_ITERATIONS = (tree.Count, tree.Over, tree.Each, collected.Ascending, collected.InTurn)
"""What a loop runs over is handed on, item by item."""


def _typed(part: Any) -> Iterator[Any]:
    if isinstance(part, tuple):
        for one in part:
            yield from _typed(one)
    elif is_dataclass(part) and hasattr(part, "type"):
        yield part


def _names_below(kind: Type) -> Names:
    """The fields of the records that a value of this type consists of."""
    if isinstance(kind, RecordType):
        inside = [_names_below(one) for one in kind.fields.values()]
        return frozenset(kind.fields).union(*inside)
    if isinstance(kind, MadeType):
        return frozenset(kind.names).union(*map(_names_below, kind.items))
    if isinstance(kind, (ArrayType, SequenceType)):
        return _names_below(kind.element)
    if isinstance(kind, TupleType):
        return frozenset[str]().union(*map(_names_below, kind.items))
    return frozenset()
