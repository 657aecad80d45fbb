"""Tables: nested tuples of constants that are read at a computed index."""

from __future__ import annotations

from collections.abc import Iterator

from tierproof.model.language.reading import tree
from tierproof.model.language.reading.types import BOOL, TupleType, Type
from tierproof.spark_explorer.compiler.frame import Frame, Value
from tierproof.spark_explorer.compiler.values import within


def place_in_table(frame: Frame, node: tree.Expression) -> tuple[str, str]:
    """The global that holds a table, and the offset of a part of the table."""
    if isinstance(node, tree.TupleOf):
        return frame.module.table(list(_numbers(node))), "0"
    assert isinstance(node, (tree.Item, tree.Pick))
    table, offset = place_in_table(frame, node.whole)
    kind = node.whole.type
    assert isinstance(kind, TupleType)
    if isinstance(node, tree.Item):
        inside = str(sum(_size(item) for item in kind.items[: node.place]))
    else:
        index = within(frame, frame.number(node.index), len(kind.items), node.spot)
        inside = frame.writer.value(f"mul i64 {index}, {_size(node.type)}")
    return table, frame.writer.value(f"add i64 {offset}, {inside}")


def read_table(frame: Frame, table: str, offset: str, kind: Type) -> Value:
    """The value of a type in a table."""
    if isinstance(kind, TupleType):
        found, places = [], 0
        for item in kind.items:
            place = frame.writer.value(f"add i64 {offset}, {places}")
            found.append(read_table(frame, table, place, item))
            places += _size(item)
        return tuple(found)
    number = frame.writer.load(frame.writer.ahead(table, offset))
    return frame.writer.value(f"icmp ne i64 {number}, 0") if kind == BOOL else number


def _size(kind: Type) -> int:
    return sum(_size(item) for item in kind.items) if isinstance(kind, TupleType) else 1


def _numbers(node: tree.Expression) -> Iterator[int]:
    if isinstance(node, tree.Constant):
        yield node.value
    else:
        assert isinstance(node, tree.TupleOf)
        for item in node.items:
            yield from _numbers(item)
