"""Expressions over the fields of a state, as a link has them; read as data, never run as Python.

    elected_leader == 1 and broker[elected_leader].tiering == DISABLED
    any(b.log_start_offset > 0 for b in broker) or 2 in in_sync

Fields, indexes, members of enums, bounds of the scope (`scope.brokers`), NONE, whole numbers, + and
-, comparisons, `in`, `and`, `or`, `not`, `len`, `any` and `all` over an array: nothing else has a
meaning here. An index outside of its array makes a comparison false.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tierproof.model.language.domains import NONE
from tierproof.model.language.errors import Misused, closest_to
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

MOST_CHARACTERS = 1000
MOST_PARTS = 20_000
"""Parts that one evaluation has at most: `any` in `any` in `any` has many."""
COMPARED: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class BadExpression(Misused):
    """An expression that cannot be read; the message says which part, and what to write."""


@dataclass(frozen=True)
class Value:
    """A number of each state; truths are 0 and 1. `is_there` is false where an index is outside."""

    numbers: Any
    is_truth: bool = False
    is_there: Any = True


@dataclass(frozen=True)
class Place:
    """A part of each state: its node, and where its first leaf is."""

    node: Node
    offset: Any
    is_there: Any = True


Found = Value | Place


class Expression:
    """A condition on states. Raises BadExpression for what it cannot be read as."""

    def __init__(self, words: str, layout: Layout, packing: Packing) -> None:
        if len(words) > MOST_CHARACTERS:
            raise BadExpression(f"an expression has at most {MOST_CHARACTERS} characters")
        self.words, self.layout, self.packing = words, layout, packing
        try:
            self.tree = ast.parse(words.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise BadExpression(f"{words!r} is no expression: {error}") from None
        self(np.zeros((1, packing.words), np.uint64))

    def __call__(self, block: Array) -> Array:
        """bool[states]: of which packed states it is true."""
        reading = _Reading(block, self.layout, self.packing)
        found = reading.truth(self.tree, {})
        return np.broadcast_to(np.asarray(found, np.bool_), (len(block),))


class _Reading:
    """Evaluates one expression on a block of packed states."""

    def __init__(self, block: Array, layout: Layout, packing: Packing) -> None:
        self.block, self.layout, self.packing = block, layout, packing
        self.rows = np.arange(len(block))
        self.parts = 0

    # -- truths

    def truth(self, node: ast.expr, names: Mapping[str, Found]) -> Any:
        """Where a condition is true."""
        found = self.value(node, names)
        if not found.is_truth:
            raise BadExpression(f"`{ast.unparse(node)}` is no condition: compare it with something")
        return (np.asarray(found.numbers) != 0) & found.is_there

    def value(self, node: ast.expr, names: Mapping[str, Found]) -> Value:
        """The number or the truth of an expression."""
        found = self.read(node, names)
        if isinstance(found, Value):
            return found
        if not isinstance(found.node, Leaf):
            raise BadExpression(
                f"`{ast.unparse(node)}` is a whole record, array or bag: name a field of it"
            )
        return self._leaf(found)

    def _leaf(self, place: Place) -> Value:
        assert isinstance(place.node, Leaf)
        packing, offset = self.packing, place.offset
        words = self.block[self.rows, packing.word[offset]]
        raw = (words >> packing.shift[offset]) & packing.mask[offset]
        numbers = raw.astype(np.int64) + packing.low[offset]
        return Value(numbers, place.node.domain.enum is bool, place.is_there)

    # -- parts

    def read(self, node: ast.expr, names: Mapping[str, Found]) -> Found:
        """What an expression names or computes."""
        self.parts += 1
        if self.parts > MOST_PARTS:
            raise BadExpression("the expression asks too much of a state: write a shorter one")
        reader = READERS.get(type(node))
        if reader is None:
            raise BadExpression(
                f"`{ast.unparse(node)}` has no meaning here: fields, indexes, members of enums, "
                "numbers, comparisons, and, or, not, in, len, any and all have"
            )
        return reader(self, node, names)

    def constant(self, node: ast.Constant, names: Mapping[str, Found]) -> Found:
        """A whole number, True or False."""
        if not isinstance(node.value, int) or abs(node.value) >= 1 << 62:
            raise BadExpression(f"`{node.value!r}` is no whole number of a state")
        return Value(int(node.value), isinstance(node.value, bool))

    def name(self, node: ast.Name, names: Mapping[str, Found]) -> Found:
        """A variable of `any` or `all`, a field of the state, NONE, or a member of an enum."""
        if node.id in names:
            return names[node.id]
        fields = self.layout.root.fields
        if node.id in fields:
            offset, child = fields[node.id]
            return Place(child, offset)
        if node.id == "NONE":
            return Value(NONE)
        members = {
            enum.__name__: int(enum[node.id])
            for enum in self._enums().values()
            if node.id in enum.__members__
        }
        if len(set(members.values())) > 1:
            told = " or ".join(f"{one}.{node.id}" for one in members)
            raise BadExpression(f"`{node.id}` is a member of several enums: write {told}")
        if members:
            return Value(next(iter(members.values())))
        raise _unknown("field or member of an enum", node.id, [*fields, *self._names()])

    def attribute(self, node: ast.Attribute, names: Mapping[str, Found]) -> Found:
        """A field of a record, a member of an enum by its class, or a bound of the scope."""
        if isinstance(node.value, ast.Name) and node.value.id not in {
            *names,
            *self.layout.root.fields,
        }:
            return self._qualified(node.value.id, node.attr)
        found = self.read(node.value, names)
        if not isinstance(found, Place) or not isinstance(found.node, RecordNode):
            raise BadExpression(f"`{ast.unparse(node.value)}` is no record, and has no fields")
        if node.attr not in found.node.fields:
            raise _unknown("field", node.attr, list(found.node.fields))
        inside, child = found.node.fields[node.attr]
        return Place(child, found.offset + inside, found.is_there)

    def _qualified(self, owner: str, name: str) -> Value:
        if owner == "scope" and self.layout.scope is not None:
            bounds = dict(self.layout.scope)
            if name not in bounds:
                raise _unknown("bound", name, list(bounds))
            return Value(bounds[name])
        enum = self._enums().get(owner)
        if enum is None:
            raise _unknown("field or enum", owner, [*self.layout.root.fields, *self._enums()])
        if name not in enum.__members__:
            raise _unknown(f"member of {owner}", name, list(enum.__members__))
        return Value(int(enum[name]))

    def item(self, node: ast.Subscript, names: Mapping[str, Found]) -> Found:
        """An element of an array or a sequence, the count of a member of a bag."""
        found = self.read(node.value, names)
        if not isinstance(found, Place) or isinstance(found.node, (Leaf, RecordNode)):
            raise BadExpression(f"`{ast.unparse(node.value)}` has no elements")
        index = self.value(node.slice, names)
        return self._element(found, index.numbers, index.is_there)

    def _element(self, place: Place, index: Any, is_there: Any = True) -> Place:
        node = place.node
        assert isinstance(node, (ArrayNode, SequenceNode, BagNode))
        length = self._length(place)
        inside = (np.asarray(index) >= 0) & (np.asarray(index) < length)
        first = place.offset + (1 if isinstance(node, SequenceNode) else 0)
        offset = first + np.clip(index, 0, node.length - 1) * node.element.size
        return Place(node.element, offset, inside & place.is_there & is_there)

    def _length(self, place: Place) -> Any:
        node = place.node
        if isinstance(node, SequenceNode):
            return self._leaf(Place(node.used, place.offset)).numbers
        assert isinstance(node, (ArrayNode, BagNode))
        return node.length

    # -- operators

    def unary(self, node: ast.UnaryOp, names: Mapping[str, Found]) -> Found:
        """`not` and a minus."""
        if isinstance(node.op, ast.Not):
            return Value(~np.asarray(self.truth(node.operand, names), np.bool_), True)
        found = self.value(node.operand, names)
        if not isinstance(node.op, ast.USub):
            raise BadExpression(f"`{ast.unparse(node)}` has no meaning here")
        return Value(-found.numbers, False, found.is_there)

    def both(self, node: ast.BoolOp, names: Mapping[str, Found]) -> Found:
        """`and` and `or`."""
        parts = [self.truth(one, names) for one in node.values]
        joined = np.logical_and if isinstance(node.op, ast.And) else np.logical_or
        found = parts[0]
        for part in parts[1:]:
            found = joined(found, part)
        return Value(found, True)

    def sum(self, node: ast.BinOp, names: Mapping[str, Found]) -> Found:
        """+ and - of numbers."""
        if not isinstance(node.op, (ast.Add, ast.Sub)):
            raise BadExpression(f"`{ast.unparse(node)}`: numbers are added and subtracted only")
        left, right = self.value(node.left, names), self.value(node.right, names)
        sign = 1 if isinstance(node.op, ast.Add) else -1
        return Value(left.numbers + sign * right.numbers, False, left.is_there & right.is_there)

    def compare(self, node: ast.Compare, names: Mapping[str, Found]) -> Found:
        """Comparisons, also several in a row, and `in`."""
        found: Any = True
        left = node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, (ast.In, ast.NotIn)):
                is_in = self._is_in(self.value(left, names), self.read(right, names), right)
                found = found & (is_in if isinstance(op, ast.In) else ~np.asarray(is_in, np.bool_))
            elif type(op) in COMPARED:
                one, other = self.value(left, names), self.value(right, names)
                is_so = COMPARED[type(op)](one.numbers, other.numbers)
                found = found & is_so & one.is_there & other.is_there
            else:
                raise BadExpression("compare numbers with == and !=")
            left = right
        return Value(found, True)

    def _is_in(self, value: Value, whole: Found, node: ast.expr) -> Any:
        if isinstance(whole, Place) and isinstance(whole.node, Leaf) and whole.node.domain.is_set:
            bits, member = self._leaf(whole), np.asarray(value.numbers)
            is_one = (member >= 0) & (member < 62)
            inside = (bits.numbers >> np.clip(member, 0, 62)) & 1
            return (inside != 0) & is_one & value.is_there & bits.is_there
        if isinstance(whole, Place) and isinstance(whole.node, (ArrayNode, SequenceNode)):
            found: Any = False
            for index in range(whole.node.length):
                element = self._element(whole, index)
                if not isinstance(element.node, Leaf):
                    break
                one = self._leaf(element)
                found = found | ((one.numbers == value.numbers) & one.is_there & value.is_there)
            else:
                return found
        raise BadExpression(f"`{ast.unparse(node)}` is no set, and no array of numbers")

    # -- calls

    def call(self, node: ast.Call, names: Mapping[str, Found]) -> Found:
        """`len`, `any` and `all`."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in ("any", "all", "len") and len(node.args) == 1 and not node.keywords:
            argument = node.args[0]
            if name == "len":
                return self._len(self.read(argument, names), argument)
            if isinstance(argument, ast.GeneratorExp) and len(argument.generators) == 1:
                return self._quantified(name, argument, names)
        raise BadExpression(
            f"`{ast.unparse(node)}` has no meaning here: len(FIELD), any(... for x in FIELD) and "
            "all(... for x in FIELD) have"
        )

    def _len(self, found: Found, node: ast.expr) -> Value:
        if isinstance(found, Place) and isinstance(found.node, (ArrayNode, SequenceNode)):
            return Value(self._length(found), False, found.is_there)
        if isinstance(found, Place) and isinstance(found.node, Leaf) and found.node.domain.is_set:
            bits = self._leaf(found)
            return Value(np.bitwise_count(bits.numbers).astype(np.int64), False, bits.is_there)
        raise BadExpression(f"`{ast.unparse(node)}` has no length")

    def _quantified(self, name: str, node: ast.GeneratorExp, names: Mapping[str, Found]) -> Value:
        loop = node.generators[0]
        over = self.read(loop.iter, names)
        if not isinstance(loop.target, ast.Name) or not (
            isinstance(over, Place) and isinstance(over.node, (ArrayNode, SequenceNode))
        ):
            raise BadExpression(f"`{ast.unparse(loop)}`: write `for x in` an array or a sequence")
        is_any = name == "any"
        found: Any = not is_any
        for index in range(over.node.length):
            element = self._element(over, index)
            inside = {**names, loop.target.id: element}
            chosen: Any = element.is_there
            for test in loop.ifs:
                chosen = chosen & self.truth(test, inside)
            told = self.truth(node.elt, inside)
            found = found | (told & chosen) if is_any else found & (told | ~np.asarray(chosen))
        return Value(found, True)

    # -- names

    def _enums(self) -> dict[str, Any]:
        enums = (placed.leaf.domain.enum for placed in self.layout.leaves)
        return {enum.__name__: enum for enum in enums if enum not in (None, bool)}

    def _names(self) -> list[str]:
        return [name for enum in self._enums().values() for name in enum.__members__]


def _unknown(kind: str, name: str, known: list[str]) -> BadExpression:
    close = closest_to(name, sorted(set(known))) or sorted(set(known))[:8]
    return BadExpression(f"unknown {kind} {name!r}: did you mean {', '.join(close)}?")


READERS: Mapping[type, Callable[[_Reading, Any, Mapping[str, Found]], Found]] = {
    ast.Constant: _Reading.constant,
    ast.Name: _Reading.name,
    ast.Attribute: _Reading.attribute,
    ast.Subscript: _Reading.item,
    ast.UnaryOp: _Reading.unary,
    ast.BoolOp: _Reading.both,
    ast.BinOp: _Reading.sum,
    ast.Compare: _Reading.compare,
    ast.Call: _Reading.call,
}
"""What each kind of syntax means; every other kind is refused."""
