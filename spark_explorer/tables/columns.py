"""Columns: packed states as Arrow arrays, a column for each field of the design's State.

    bool                     BOOLEAN
    IntEnum                  VARCHAR, the name of the member
    number, index            the smallest signed integer in which sums and differences fit
    Set                      LIST of the members, ascending
    Record                   STRUCT
    Array, Sequence          LIST of the elements; the first has the number 1 in SQL
    Bag                      MAP from every member to its count

A column is made leaf by leaf, from a word, a shift and a mask: no state is unpacked by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import IntEnum

import numpy as np
import pyarrow as pa

from tierproof.model.language.domains import Sized
from tierproof.model.language.layout import (
    ArrayNode,
    BagNode,
    Layout,
    Leaf,
    Node,
    RecordNode,
    SequenceNode,
)
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.packing import Packing


def columns_of(block: Array, layout: Layout, packing: Packing) -> list[pa.Array]:
    """The fields of packed states, in the order of declaration."""
    unpacking = _Unpacking(block, packing)
    return [
        unpacking.array(node, np.array([offset])) for offset, node in layout.root.fields.values()
    ]


def fields_of(layout: Layout, packing: Packing, taken: Collection[str]) -> list[pa.Field]:
    """The names and types of these columns.

    SQL does not tell upper case from lower: a name that is taken, or comes twice, ends with `_`.
    """
    nothing = columns_of(np.zeros((0, packing.words), np.uint64), layout, packing)
    names = _free_names(layout.root.fields, {name.lower() for name in taken})
    return [pa.field(name, one.type) for name, one in zip(names, nothing, strict=True)]


def _free_names(names: Collection[str], used: set[str]) -> Iterator[str]:
    for name in names:
        while name.lower() in used:
            name += "_"
        used.add(name.lower())
        yield name


def integer_type(sized: Sized) -> pa.DataType:
    """The smallest signed integer that holds a sum and a difference of any two values.

    Where none does, 64 bits, which hold every value.
    """
    most = 2 * max(abs(sized.low), abs(sized.high))
    for kind in (pa.int8(), pa.int16(), pa.int32()):
        if most < 1 << kind.bit_width - 1:
            return kind
    return pa.int64()


def names_of(enum: type[IntEnum], numbers: Array) -> pa.Array:
    """Members of an enum, which are numbered from 0, as their names."""
    names = pa.array([member.name for member in enum], pa.string())
    return pa.DictionaryArray.from_arrays(pa.array(numbers, pa.int32()), names)


class _Unpacking:
    """Arrays of leaves: the k offsets of a node give k values of each state, state after state."""

    def __init__(self, block: Array, packing: Packing) -> None:
        self.block, self.packing = block, packing

    def array(self, node: Node, offsets: Array) -> pa.Array:
        """The values of a node that stands at these offsets."""
        if isinstance(node, RecordNode):
            children = [self.array(one, offsets + at) for at, one in node.fields.values()]
            return pa.StructArray.from_arrays(children, list(node.fields))
        if isinstance(node, ArrayNode):
            return _lists(self._elements(node, offsets, 0), node.length)
        if isinstance(node, BagNode):
            return self._bags(node, offsets)
        if isinstance(node, SequenceNode):
            return self._sequences(node, offsets)
        return self._leaves(node, offsets)

    def _elements(
        self, node: ArrayNode | BagNode | SequenceNode, offsets: Array, first: int
    ) -> pa.Array:
        """All elements, of which the first is so many leaves behind the node's own place."""
        places = first + node.element.size * np.arange(node.length)
        return self.array(node.element, np.add.outer(offsets, places).ravel())

    def _sequences(self, node: SequenceNode, offsets: Array) -> pa.Array:
        lengths = self._raw(offsets)
        used = np.arange(node.length) < lengths[:, np.newaxis]
        elements = self._elements(node, offsets, 1).filter(pa.array(used.ravel()))
        return pa.ListArray.from_arrays(_ends(lengths), elements)

    def _bags(self, node: BagNode, offsets: Array) -> pa.Array:
        counts = self._elements(node, offsets, 0)
        count = len(counts) // node.length
        members = np.tile(np.arange(node.length, dtype=np.int32), count)
        keys = pa.array(members) if node.enum is None else names_of(node.enum, members)
        return pa.MapArray.from_arrays(_ends(np.full(count, node.length)), keys, counts)

    def _leaves(self, leaf: Leaf, offsets: Array) -> pa.Array:
        raw, domain = self._raw(offsets), leaf.domain
        if domain.is_set:
            return _members(domain, raw)
        if domain.enum is bool:
            return pa.array(raw != 0)
        if domain.enum is not None and issubclass(domain.enum, IntEnum):
            return names_of(domain.enum, raw)
        return pa.array(raw.astype(integer_type(domain).to_pandas_dtype()))

    def _raw(self, offsets: Array) -> Array:
        """int64[states * offsets]: the leaves."""
        packing = self.packing
        found = np.empty((len(self.block), len(offsets)), np.int64)
        for column, leaf in enumerate(offsets):
            word = self.block[:, packing.word[leaf]]
            found[:, column] = (word >> packing.shift[leaf]) & packing.mask[leaf]
            if packing.low[leaf]:
                found[:, column] += packing.low[leaf]
        return found.ravel()


def _members(domain: Sized, raw: Array) -> pa.Array:
    """Bit sets as lists of their members."""
    count = max(1, int(domain.high).bit_length())
    held = (raw[:, np.newaxis] >> np.arange(count)) & 1 != 0
    numbers = np.nonzero(held)[1].astype(np.int8)  # at most 62 members
    members = pa.array(numbers) if domain.enum is None else names_of(_enum(domain), numbers)
    return pa.ListArray.from_arrays(_ends(held.sum(axis=1)), members)


def _enum(domain: Sized) -> type[IntEnum]:
    assert domain.enum is not None
    assert issubclass(domain.enum, IntEnum)
    return domain.enum


def _lists(elements: pa.Array, length: int) -> pa.Array:
    return pa.ListArray.from_arrays(_ends(np.full(len(elements) // length, length)), elements)


def _ends(lengths: Array) -> pa.Array:
    """Where each list begins, and where the last ends."""
    return pa.array(np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32))
