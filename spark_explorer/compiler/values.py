"""Values as LLVM operands: an `i1` for a boolean, an `i64` for another number, a `ptr` for a
record, an array, a sequence or a bag, the bits of a set, and a tuple of these for a tuple or for a
record that is a value."""

from __future__ import annotations

from tierproof.model.language.reading import tree
from tierproof.model.language.reading.types import (
    BOOL,
    INT,
    ArrayType,
    BagType,
    MadeType,
    RecordType,
    SequenceType,
    TupleType,
    Type,
)
from tierproof.spark_explorer.compiler.faults import FaultKind
from tierproof.spark_explorer.compiler.frame import Frame, Value, parts_in, single


def as_number(frame: Frame, value: Value, kind: Type) -> str:
    """A number of any type as an i64."""
    if kind != BOOL:
        return str(value)
    if value in ("true", "false"):
        return "1" if value == "true" else "0"
    return frame.writer.value(f"zext i1 {value} to i64")


def as_truth(frame: Frame, value: Value, kind: Type) -> str:
    """Whether a number is not 0."""
    return str(value) if kind == BOOL else frame.writer.value(f"icmp ne i64 {value}, 0")


def coerced(frame: Frame, value: Value, kind: Type, wanted: Type) -> Value:
    """A value of one type, converted to the type of the variable that holds it."""
    if isinstance(kind, TupleType) and isinstance(wanted, TupleType):
        triples = zip(parts_in(value), kind.items, wanted.items, strict=True)
        return tuple(coerced(frame, *triple) for triple in triples)
    if isinstance(wanted, MadeType):
        if isinstance(kind, RecordType):
            return read_place(frame, single(value), wanted)
        assert isinstance(kind, MadeType)
        triples = zip(parts_in(value), kind.items, wanted.items, strict=True)
        return tuple(coerced(frame, *triple) for triple in triples)
    return as_number(frame, value, kind) if kind == BOOL and wanted != BOOL else value


def within(frame: Frame, index: str, length: int, spot: tree.Spot) -> str:
    """The index counted from the front; a fault if it is outside the length."""
    writer = frame.writer
    if index.lstrip("-").isdigit() and -length <= int(index) < length:
        return str(int(index) % length)
    is_negative = writer.value(f"icmp slt i64 {index}, 0")
    wrapped = writer.value(f"add i64 {index}, {length}")
    found = writer.value(f"select i1 {is_negative}, i64 {wrapped}, i64 {index}")
    frame.require(writer.value(f"icmp ult i64 {found}, {length}"), FaultKind.INDEX, spot)
    return found


def read_place(frame: Frame, pointer: str, kind: Type) -> Value:
    """The value at a pointer: a number, or a reference to the record or array."""
    if isinstance(kind, (RecordType, ArrayType, SequenceType, BagType)):
        return pointer
    if isinstance(kind, MadeType):
        found, offset = [], 0
        for item in kind.items:
            found.append(read_place(frame, frame.writer.ahead(pointer, offset), item))
            offset += frame.sizes.of(item)
        return tuple(found)
    number = frame.writer.load(pointer)
    return as_truth(frame, number, INT) if kind == BOOL else number
