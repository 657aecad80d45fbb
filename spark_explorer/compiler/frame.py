"""A function under construction, as what compiles its parts has it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from tierproof.model.language.reading.tree import (
    Constant,
    Count,
    Expression,
    Function,
    Iteration,
    Length,
    Spot,
)
from tierproof.model.language.reading.types import ArrayType, MadeType, TupleType, Type
from tierproof.spark_explorer.compiler.faults import LEAVE, FaultKind
from tierproof.spark_explorer.compiler.module import ModuleText
from tierproof.spark_explorer.compiler.sizes import parts_of, result_of
from tierproof.spark_explorer.compiler.writer import WORD, Writer

Value: TypeAlias = "str | tuple[Value, ...] | None"
"""What an expression is in LLVM: a number, the values of its parts, or nothing."""


class Frame(ABC):
    """One function under construction: its variables, enclosing loops and instructions.

    What compiles a construct takes a Frame, and asks it for the values of the parts; how each
    construct is compiled is not known here.
    """

    def __init__(self, module: ModuleText, function: Function) -> None:
        self.module, self.function, self.sizes = module, function, module.sizes
        self.writer = Writer()
        self.loops: list[tuple[str, str]] = []
        self.limits: dict[str, int] = {}
        self.low, self.span = module.leaves, 2 * module.leaves
        self.may_fail = False
        self.rooms = {name: self.room_for(kind) for name, kind in function.variables.items()}

    @abstractmethod
    def value(self, node: Expression) -> Value:
        """The value of an expression."""

    def single(self, node: Expression) -> str:
        """The value of an expression that has no parts: a number, a set, or a reference."""
        return single(self.value(node))

    def parts(self, node: Expression) -> tuple[Value, ...]:
        """The parts of the value of an expression."""
        return parts_in(self.value(node))

    @abstractmethod
    def number(self, node: Expression) -> str:
        """The value of an expression as an i64."""

    # -- variables

    def room_for(self, kind: Type) -> list[str]:
        """Slots for a value."""
        return [self.writer.slot(part) for part in parts_of(kind)]

    def put(self, room: list[str], kind: Type, value: Value) -> None:
        """Store a value in its slots."""
        for slot, part, one in zip(room, parts_of(kind), flat(value), strict=True):
            self.writer.store(one, slot, part)

    def get(self, room: list[str], kind: Type) -> Value:
        """The value in its slots."""
        parts = parts_of(kind)
        loaded = [self.writer.load(slot, part) for slot, part in zip(room, parts, strict=True)]
        return shaped(kind, iter(loaded))

    def variable(self, name: str, kind: Type) -> Value:
        """The value of a local variable."""
        return self.get(self.rooms[name], kind)

    @abstractmethod
    def set_variable(self, name: str, value: Value, kind: Type) -> None:
        """Assign a value of this type to a local variable, converted to the variable's type."""

    def note_limit(self, name: str, source: Iteration) -> None:
        """Remember that a loop variable is at least 0 and below the end of the loop."""
        if isinstance(source, Count) and isinstance(source.start, Constant):
            if source.start.value < 0 or source.step < 0:
                return
            if isinstance(source.stop, Constant):
                self.limits[name] = source.stop.value
            elif isinstance(source.stop, Length) and isinstance(source.stop.whole.type, ArrayType):
                self.limits[name] = self.sizes.length(source.stop.whole.type)

    def is_below(self, name: str, length: int) -> bool:
        """Whether a variable is known to be an index, not negative, into so many elements."""
        return self.limits.get(name, length + 1) <= length

    # -- calls and faults

    def call(self, function: Function, arguments: Sequence[Value]) -> Value:
        """Call a function; return at once if it sets a fault."""
        name, may_fail = self.module.compiled(function)
        given = ["ptr %ctx"]
        for (_, kind), argument in zip(function.parameters, arguments, strict=True):
            given += [f"{p} {v}" for p, v in zip(parts_of(kind), flat(argument), strict=True)]
        result = result_of(function.result)
        call = f"call {result} @{name}({', '.join(given)})"
        found: Value = None
        if result == "void":
            self.writer.do(call)
        else:
            found = self.writer.value(call)
        if may_fail:
            self.may_fail = True
            fault = self.writer.load("%ctx")
            on = self.writer.label()
            self.writer.branch(self.writer.value(f"icmp eq i64 {fault}, 0"), on, "fault")
            self.writer.begin(on)
        return self._unwrapped(found, function.result, result)

    def _unwrapped(self, found: Value, kind: Type, shown: str) -> Value:
        parts = parts_of(kind)
        if not isinstance(kind, (TupleType, MadeType)):
            return found
        if len(parts) == 1:
            return shaped(kind, iter([single(found)]))
        values = [
            self.writer.value(f"extractvalue {shown} {found}, {n}") for n in range(len(parts))
        ]
        return shaped(kind, iter(values))

    def require(self, test: str, kind: FaultKind, spot: Spot) -> None:
        """Continue only if the test holds, otherwise set a fault."""
        on = self.writer.label()
        self._check(test, kind, spot, on, is_fault_when=False)

    def refuse_if(self, test: str, kind: FaultKind, spot: Spot) -> None:
        """Continue only if the test does not hold, otherwise set a fault."""
        on = self.writer.label()
        self._check(test, kind, spot, on, is_fault_when=True)

    def stop_if_asked(self, spot: Spot) -> None:
        """Set a fault if the context says that loops are to be left."""
        if not self.module.is_plain:
            place = self.writer.ahead("%ctx", self.sizes.place_of_stop)
            asked = self.writer.value(f"load volatile i64, ptr {place}")
            test = self.writer.value(f"icmp eq i64 {asked}, {LEAVE}")
            self.refuse_if(test, FaultKind.STOPPED, spot)

    def _check(
        self, test: str, kind: FaultKind, spot: Spot, on: str, *, is_fault_when: bool
    ) -> None:
        failed = self.writer.label()
        ways = (failed, on) if is_fault_when else (on, failed)
        self.writer.branch(test, *ways)
        self.writer.begin(failed)
        self.writer.do(f"store i64 {self.module.fault(kind, spot)}, ptr %ctx")
        self.writer.jump("fault")
        self.writer.begin(on)
        self.may_fail = True

    # -- what is assigned to the state

    def assign(self, place: str, value: str) -> None:
        """Store a number, or a set, at a place of the state."""
        self._note(place, WORD)
        self.writer.store(value, place)

    def copy(self, place: str, source: str, size: str | int) -> None:
        """Copy bytes to a place of the state; source and target may overlap."""
        self._note(place, size)
        self.writer.do(
            f"call void @llvm.memmove.p0.p0.i64(ptr {place}, ptr {source}, i64 {size}, i1 false)"
        )

    def _note(self, place: str, size: str | int) -> None:
        """Note in the context that bytes at a place of the state are assigned to."""
        if not self.module.is_plain:
            notes = self.writer.ahead("%ctx", self.sizes.place_of_notes)
            self.writer.do(f"call void @note(ptr {notes}, ptr {place}, i64 {size})")

    @abstractmethod
    def store_number(self, place: str, kind: Type, value: Value, held: Type, spot: Spot) -> None:
        """Store a number or a set at its place if its domain contains it."""

    @abstractmethod
    def store_value(self, place: str, kind: Type, value: Value, held: Type, spot: Spot) -> None:
        """Store a value of any type at its place if the domains contain it."""

    # -- the function

    def give_back(self, value: Value) -> None:
        """Return a value of the function's type, or none."""
        kind = result_of(self.function.result)
        parts = parts_of(self.function.result)
        if not parts:
            self.writer.give("void")
        elif len(parts) == 1:
            self.writer.give(kind, flat(value)[0])
        else:
            whole = "undef"
            for number, (part, one) in enumerate(zip(parts, flat(value), strict=True)):
                whole = self.writer.value(f"insertvalue {kind} {whole}, {part} {one}, {number}")
            self.writer.give(kind, whole)

    def text(self, name: str) -> str:
        """The LLVM function."""
        kinds = [part for _, kind in self.function.parameters for part in parts_of(kind)]
        arguments = ["ptr %ctx", *(f"{kind} %a{n}" for n, kind in enumerate(kinds))]
        kind = result_of(self.function.result)
        return self.writer.text(f"define internal {kind} @{name}({', '.join(arguments)}) nounwind")


def single(value: Value) -> str:
    """A value that has no parts."""
    assert isinstance(value, str)
    return value


def parts_in(value: Value) -> tuple[Value, ...]:
    """The parts of a value."""
    assert isinstance(value, tuple)
    return value


def flat(value: Value) -> list[str]:
    """The parts of a value, one after the other."""
    if value is None:
        return []
    if isinstance(value, tuple):
        return [part for item in value for part in flat(item)]
    return [value]


def shaped(kind: Type, values: Iterator[str]) -> Value:
    """The value of a type from the flat list of its parts."""
    if isinstance(kind, (TupleType, MadeType)):
        return tuple(shaped(item, values) for item in kind.items)
    return next(values) if parts_of(kind) else None
