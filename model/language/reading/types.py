"""Types of expressions, known before anything runs.

A type says exactly which values CPython has at that place: `BOOL` is True or False,
`Enumerated(E)` a member of E, `INT` any number, including bools and members. Types
do not depend on a Scope: the length of an array is the bound that its annotation names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Any

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
from tierproof.model.language.reading.classes import check_field_enum, check_record
from tierproof.model.language.scope import Scope, Size


class Plain(Enum):
    """The types without parameters."""

    INT = "a number"
    BOOL = "True or False"
    NOTHING = "nothing"

    def __str__(self) -> str:
        return self.value


INT, BOOL, NOTHING = Plain.INT, Plain.BOOL, Plain.NOTHING


@dataclass(frozen=True)
class Enumerated:
    """A member of an IntEnum."""

    enum: type[IntEnum]

    def __str__(self) -> str:
        return f"a member of {self.enum.__name__}"


@dataclass(frozen=True)
class RecordType:
    """A reference to a Record or State of a class; its fields with their types, in order."""

    record: type
    fields: Mapping[str, Type] = field(compare=False, repr=False)

    def __str__(self) -> str:
        return f"a {self.record.__name__}"


@dataclass(frozen=True)
class ArrayType:
    """A reference to an array of `count` elements, a size that a Scope evaluates."""

    element: Type
    count: Size

    def __str__(self) -> str:
        return f"an array ({self.count} times {self.element})"


@dataclass(frozen=True)
class TupleType:
    """A tuple, of any types."""

    items: tuple[Type, ...]

    def __str__(self) -> str:
        return f"a tuple of {len(self.items)}"


@dataclass(frozen=True)
class ScopeType:
    """The Scope, whose bounds can be read."""

    scope: type[Scope]

    def __str__(self) -> str:
        return f"the scope {self.scope.__name__}"


@dataclass(frozen=True)
class StepType:
    """The Step that a step property judges."""

    def __str__(self) -> str:
        return "a step"


STEP_TYPE = StepType()


@dataclass(frozen=True)
class SetType:
    """A set of small numbers, a value: its members have the type `member`, NOTHING if empty.

    `is_ordered` is true for a Set of the language, which is iterated in ascending order; a set
    that Python makes, such as `{1, 2}`, has no order.
    """

    member: Type
    is_ordered: bool = False

    def __str__(self) -> str:
        return "an empty set" if self.member == NOTHING else f"a set (each {self.member})"


@dataclass(frozen=True)
class MadeType:
    """A record that is a value: constructed, or read from a sequence. It never changes."""

    record: type
    names: tuple[str, ...]
    items: tuple[Type, ...]

    def __str__(self) -> str:
        return f"the value of a {self.record.__name__}"


@dataclass(frozen=True)
class SequenceType:
    """A reference to a sequence of at most `count` elements, which are values."""

    element: Type
    count: Size

    def __str__(self) -> str:
        return f"a sequence (each {self.element})"


@dataclass(frozen=True)
class BagType:
    """A reference to a bag: how often each of `of` members is there."""

    member: Type
    of: Any

    def __str__(self) -> str:
        return f"a bag (each {self.member})"


Type = (
    Plain
    | Enumerated
    | RecordType
    | ArrayType
    | TupleType
    | ScopeType
    | StepType
    | SetType
    | MadeType
    | SequenceType
    | BagType
)


def is_scalar(one: Type) -> bool:
    """Whether values of this type fit in one integer."""
    return one in (INT, BOOL) or isinstance(one, Enumerated)


def joined(one: Type, other: Type) -> Type | None:
    """The type of a value that has one type or the other; None if there is no such type."""
    if one == other:
        return one
    if is_scalar(one) and is_scalar(other):
        return INT
    if isinstance(one, SetType) and isinstance(other, SetType):
        return SetType(joined_members(one, other), one.is_ordered and other.is_ordered)
    if isinstance(one, MadeType) and isinstance(other, MadeType) and one.record is other.record:
        both = joined(TupleType(one.items), TupleType(other.items))
        return MadeType(one.record, one.names, both.items) if isinstance(both, TupleType) else None
    if not (isinstance(one, TupleType) and isinstance(other, TupleType)):
        return None
    if len(one.items) != len(other.items):
        return None
    items = [joined(*pair) for pair in zip(one.items, other.items, strict=True)]
    known = tuple(item for item in items if item is not None)
    return TupleType(known) if len(known) == len(items) else None


def joined_members(one: SetType, other: SetType) -> Type:
    """The type of a member of one set or the other."""
    if NOTHING in (one.member, other.member):
        return other.member if one.member == NOTHING else one.member
    return one.member if one.member == other.member else INT


def value_type(kind: Type) -> Type:
    """The type of a value read from a place: of a record, its current value."""
    if isinstance(kind, RecordType) and not any(map(_is_many, kind.fields.values())):
        items = tuple(map(value_type, kind.fields.values()))
        return MadeType(kind.record, tuple(kind.fields), items)
    return kind


def _is_many(kind: Type) -> bool:
    """Whether a field is, or contains, something that no value can hold."""
    if isinstance(kind, RecordType):
        return any(map(_is_many, kind.fields.values()))
    return isinstance(kind, (ArrayType, SequenceType, BagType))


def is_row_of_sequences(kind: Type) -> bool:
    """Whether the elements of an array are sequences, compared and assigned one by one."""
    if not isinstance(kind, ArrayType):
        return False
    return isinstance(kind.element, SequenceType) or is_row_of_sequences(kind.element)


def holds_row_of_sequences(kind: Type) -> bool:
    """Whether a value is an array of sequences, or a tuple with one."""
    if isinstance(kind, TupleType):
        return any(map(holds_row_of_sequences, kind.items))
    return is_row_of_sequences(kind)


def is_collection(kind: Type) -> bool:
    """Whether a value is true if it is not empty."""
    return isinstance(kind, (SetType, SequenceType, BagType))


def holds_scope(kind: Type) -> bool:
    """Whether a value is a scope or a step, or a tuple with one."""
    if isinstance(kind, TupleType):
        return any(holds_scope(item) for item in kind.items)
    return isinstance(kind, (ScopeType, StepType))


_RECORDS: dict[type, RecordType] = {}


def type_of(node: Node) -> Type:
    """The type at a node of a layout, the same in every scope."""
    if isinstance(node, Leaf):
        return type_of_values(node.domain)
    if isinstance(node, ArrayNode):
        return ArrayType(type_of(node.element), node.count)
    if isinstance(node, SequenceNode):
        return SequenceType(value_type(type_of(node.element)), node.count)
    if isinstance(node, BagNode):
        return BagType(_type_shown_as(node.enum), node.of)
    return _record_type(node)


def _record_type(node: RecordNode) -> RecordType:
    if node.record not in _RECORDS:
        check_record(node.record)
        fields = {name: type_of(child) for name, (_, child) in node.fields.items()}
        _RECORDS[node.record] = RecordType(node.record, fields)
    return _RECORDS[node.record]


def state_type(layout: Layout) -> RecordType:
    """The type of a State."""
    return _record_type(layout.root)


def type_of_values(domain: Sized) -> Type:
    """The type of the values of a domain. Raises OutsideLanguage."""
    kind = _type_shown_as(domain.enum)
    return SetType(kind, is_ordered=True) if domain.is_set else kind


def _type_shown_as(enum: Any) -> Type:
    """The type of integers that are shown as an enum, if any."""
    if enum is None:
        return INT
    if enum is bool:
        return BOOL
    check_field_enum(enum)
    return Enumerated(enum)
