"""Statements as LLVM instructions. Values assigned to the state are checked against domains."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tierproof.model.language.reading import tree
from tierproof.model.language.reading.types import (
    BOOL,
    INT,
    ArrayType,
    BagType,
    Enumerated,
    MadeType,
    RecordType,
    SequenceType,
    SetType,
    Type,
)
from tierproof.spark_explorer.compiler import arithmetic, collecting
from tierproof.spark_explorer.compiler.collecting import combined, store_made
from tierproof.spark_explorer.compiler.expressions import (
    branch_on,
    number_of,
    place_of,
    right_of,
    value_of,
)
from tierproof.spark_explorer.compiler.faults import FaultKind
from tierproof.spark_explorer.compiler.frame import Frame, Value, single
from tierproof.spark_explorer.compiler.loops import loop_over
from tierproof.spark_explorer.compiler.values import as_number, coerced, read_place
from tierproof.spark_explorer.compiler.writer import WORD


def compile_block(frame: Frame, statements: tuple[tree.Statement, ...]) -> None:
    """Compile statements that follow each other."""
    for statement in statements:
        _COMPILERS[type(statement)](frame, statement)


def _set_local(frame: Frame, node: tree.SetLocal) -> None:
    frame.set_variable(node.name, value_of(frame, node.value), node.value.type)


def _store(frame: Frame, node: tree.Store) -> None:
    value = value_of(frame, node.value)
    place = place_of(frame, node.place)
    store_value(frame, place, node.place.type, value, node.value.type, node.spot)


def store_value(
    frame: Frame, place: str, kind: Type, value: Value, held: Type, spot: tree.Spot
) -> None:
    """Store a value of any type at its place; a fault if a domain does not contain it."""
    if isinstance(kind, MadeType) or (isinstance(kind, RecordType) and kind != held):
        store_made(frame, place, kind, value, held, spot)
    elif isinstance(kind, RecordType):
        frame.copy(place, single(value), WORD * frame.sizes.of(kind))
    elif isinstance(kind, ArrayType):
        _store_array(frame, kind, value, held, place, spot)
    elif isinstance(kind, BagType):
        _require_inside(frame, place, value, str(frame.sizes.of(kind)), spot)
        frame.copy(place, single(value), WORD * frame.sizes.of(kind))
    elif isinstance(kind, SequenceType):
        _store_sequence(frame, kind, value, held, place, spot)
    else:
        store_number(frame, place, kind, value, held, spot)


def store_number(
    frame: Frame, place: str, kind: Type, value: Value, held: Type, spot: tree.Spot
) -> None:
    """Store a number or a set at its place; a fault if its domain does not contain it."""
    number = as_number(frame, value, held)
    if not _is_surely_inside(kind, held):
        low = frame.writer.load(frame.writer.ahead(place, frame.low))
        span = frame.writer.load(frame.writer.ahead(place, frame.span))
        above = frame.writer.value(f"sub i64 {number}, {low}")
        is_inside = frame.writer.value(f"icmp ule i64 {above}, {span}")
        frame.require(is_inside, FaultKind.DOMAIN, spot)
    frame.assign(place, number)


def _is_surely_inside(kind: Type, held: Type) -> bool:
    """Whether each value of type `held` is in the domain of a place of type `kind`."""
    return kind == held and (kind == BOOL or isinstance(kind, Enumerated))


def _store_array(
    frame: Frame, kind: ArrayType, value: Value, held: Any, place: str, spot: tree.Spot
) -> None:
    size = frame.sizes.of(kind)
    if size != frame.sizes.of(held) or frame.sizes.length(kind) != frame.sizes.length(held):
        frame.require("false", FaultKind.LENGTH, spot)
        return
    if not _are_surely_inside(kind, held):
        _require_inside(frame, place, value, str(size), spot)
    frame.copy(place, single(value), WORD * size)


def _store_sequence(
    frame: Frame, kind: SequenceType, value: Value, held: Any, place: str, spot: tree.Spot
) -> None:
    size = frame.sizes.of(kind)
    if size != frame.sizes.of(held):
        frame.require("false", FaultKind.LENGTH, spot)
        return
    words = collecting.words_in_use(frame, single(value), kind)
    _require_inside(frame, place, value, words, spot)
    collecting.copy_sequence(frame, place, single(value), words, size)


def _require_inside(frame: Frame, place: str, value: Value, size: str, spot: tree.Spot) -> None:
    """Set a fault unless each leaf is in the domain of its target."""
    test = frame.writer.value(
        f"call i1 @inside(ptr {place}, ptr {value}, i64 {size}, i64 {frame.low}, i64 {frame.span})"
    )
    frame.require(test, FaultKind.DOMAIN, spot)


def _are_surely_inside(kind: Type, held: Type) -> bool:
    if isinstance(kind, ArrayType) and isinstance(held, ArrayType):
        return _are_surely_inside(kind.element, held.element)
    return isinstance(kind, RecordType) or _is_surely_inside(kind, held)


def _update(frame: Frame, node: tree.Update) -> None:
    kind = node.place.type
    place, find_again = _place_and_again(frame, node.place)
    current = read_place(frame, place, kind)
    held: Type = kind
    if isinstance(kind, SetType):
        bits = right_of(frame, node.sign, node.value)
        found: Value = combined(frame, node.sign, single(current), bits)
    else:
        given = value_of(frame, node.value)
        found, held = _computed(frame, node, current, given)
    store_number(frame, find_again(), kind, found, held, node.spot)


def _computed(frame: Frame, node: tree.Update, current: Value, given: Value) -> tuple[Value, Type]:
    """The number that an operator gives, with its type."""
    kind = node.place.type
    if kind == node.value.type == BOOL and node.sign in arithmetic.BITWISE:
        found = frame.writer.value(f"{arithmetic.BITWISE[node.sign]} i1 {current}, {given}")
        return found, BOOL
    numbers = as_number(frame, current, kind), as_number(frame, given, node.value.type)
    return arithmetic.binary(frame, node.sign, *numbers, node.spot), INT


def _place_and_again(
    frame: Frame, node: tree.Field | tree.Element
) -> tuple[str, Callable[[], str]]:
    """A place, and how to find it again: the element of a sequence may have been removed."""
    if isinstance(node, tree.Element) and isinstance(node.array.type, SequenceType):
        kind, sequence = node.array.type, frame.single(node.array)
        index = number_of(frame, node.index)

        def element() -> str:
            return collecting.element_of(frame, sequence, kind, index, node.spot)

        return element(), element
    place = place_of(frame, node)
    return place, lambda: place


def _if(frame: Frame, node: tree.If) -> None:
    writer = frame.writer
    yes, end = writer.label(), writer.label()
    no = writer.label() if node.otherwise else end
    branch_on(frame, node.test, yes, no)
    writer.begin(yes)
    compile_block(frame, node.then)
    if node.otherwise:
        writer.jump(end)
        writer.begin(no)
        compile_block(frame, node.otherwise)
    writer.begin(end)


def _while(frame: Frame, node: tree.While) -> None:
    head, inside, end = (frame.writer.label() for _ in range(3))
    frame.writer.begin(head)
    branch_on(frame, node.test, inside, end)
    frame.writer.begin(inside)
    frame.stop_if_asked(node.spot)
    _looped(frame, node.body, head, end)
    frame.writer.jump(head)
    frame.writer.begin(end)


def _for(frame: Frame, node: tree.For) -> None:
    def turn(value: Value, following: str, end: str) -> None:
        frame.set_variable(node.name, value, node.source.type)
        _looped(frame, node.body, following, end)

    if not _assigns(node.body, node.name):
        frame.note_limit(node.name, node.source)
    loop_over(frame, node.source, turn)
    frame.limits.pop(node.name, None)


def _assigns(body: tuple[tree.Statement, ...], name: str) -> bool:
    """Whether statements assign to a variable."""
    for node in body:
        if isinstance(node, (tree.SetLocal, tree.For)) and node.name == name:
            return True
        if isinstance(node, tree.If) and (
            _assigns(node.then, name) or _assigns(node.otherwise, name)
        ):
            return True
        if isinstance(node, (tree.For, tree.While)) and _assigns(node.body, name):
            return True
    return False


def _looped(frame: Frame, body: tuple[tree.Statement, ...], following: str, end: str) -> None:
    frame.loops.append((following, end))
    compile_block(frame, body)
    frame.loops.pop()


def _break(frame: Frame, node: tree.Break) -> None:
    frame.writer.jump(frame.loops[-1][1])


def _continue(frame: Frame, node: tree.Continue) -> None:
    frame.writer.jump(frame.loops[-1][0])


def _return(frame: Frame, node: tree.Return) -> None:
    if node.value is None:
        frame.give_back(None)
    else:
        value = value_of(frame, node.value)
        frame.give_back(coerced(frame, value, node.value.type, frame.function.result))


def _evaluate(frame: Frame, node: tree.Evaluate) -> None:
    value_of(frame, node.value)


_COMPILERS: dict[type, Any] = {
    tree.SetLocal: _set_local,
    tree.Store: _store,
    tree.Update: _update,
    tree.If: _if,
    tree.While: _while,
    tree.For: _for,
    tree.Break: _break,
    tree.Continue: _continue,
    tree.Return: _return,
    tree.Evaluate: _evaluate,
}
