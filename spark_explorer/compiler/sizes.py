"""Sizes and offsets of types in one scope, and their LLVM types."""

from __future__ import annotations

from enum import EnumMeta

from tierproof.model.language.reading.types import (
    BOOL,
    NOTHING,
    ArrayType,
    BagType,
    MadeType,
    RecordType,
    ScopeType,
    SequenceType,
    StepType,
    TupleType,
    Type,
)
from tierproof.model.language.scope import Scope, size_in

MOST_NOTED = 64
"""Places that an effect may assign to, and have each noted."""
NOTES = 1 + 2 * (MOST_NOTED + 1)
"""Words of the context for these: how many there are, then the address and the bytes of each."""


class Sizes:
    """Sizes in leaves (words of 8 bytes) of the types of a design, in `scope`."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.bounds = [name for name, _ in scope]

    def of(self, kind: Type) -> int:
        """The number of leaves of a value in the state."""
        if isinstance(kind, RecordType):
            return sum(self.of(part) for part in kind.fields.values())
        if isinstance(kind, ArrayType):
            return self.length(kind) * self.of(kind.element)
        if isinstance(kind, MadeType):
            return sum(map(self.of, kind.items))
        if isinstance(kind, SequenceType):
            return 1 + self.room(kind) * self.of(kind.element)
        return self.members(kind) if isinstance(kind, BagType) else 1

    def room(self, kind: SequenceType) -> int:
        """The most elements that a sequence may have."""
        return size_in(kind.count, self.scope)

    def members(self, kind: BagType) -> int:
        """The number of members that a bag counts."""
        is_enum = isinstance(kind.of, EnumMeta)
        return len(kind.of) if is_enum else size_in(kind.of, self.scope)

    def length(self, kind: ArrayType) -> int:
        """The number of elements of an array."""
        return size_in(kind.count, self.scope)

    def offset(self, kind: RecordType, name: str) -> int:
        """The first leaf of a field, counted from the record's first."""
        before = list(kind.fields)[: list(kind.fields).index(name)]
        return sum(self.of(kind.fields[field]) for field in before)

    def place_of_bound(self, name: str) -> int:
        """The index of a bound in the context, where the bounds follow the fault."""
        return 1 + self.bounds.index(name)

    @property
    def place_of_notes(self) -> int:
        """The index, in the context, of the notes of what is assigned to: after the bounds."""
        return 1 + len(self.bounds)

    @property
    def place_of_stop(self) -> int:
        """The index, in the context, of its last word, which says whether to stop."""
        return self.place_of_notes + NOTES


def parts_of(kind: Type) -> list[str]:
    """The LLVM types that hold a value: one, one for each item of a tuple, none for a scope."""
    if isinstance(kind, (TupleType, MadeType)):
        return [part for item in kind.items for part in parts_of(item)]
    if isinstance(kind, ScopeType) or kind == NOTHING:
        return []
    if isinstance(kind, (RecordType, ArrayType, StepType, SequenceType, BagType)):
        return ["ptr"]
    return ["i1" if kind == BOOL else "i64"]


def result_of(kind: Type) -> str:
    """The LLVM type that a function returns."""
    parts = parts_of(kind)
    if not parts:
        return "void"
    return parts[0] if len(parts) == 1 else f"{{ {', '.join(parts)} }}"
