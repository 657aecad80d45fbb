"""Functions as LLVM functions: one for each reading of a function, all in one module.

The first argument of every function is the context (the fault, then the bounds of the scope, then
whether to stop). If a call sets a fault, the caller returns at once, as with an exception.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tierproof.model.language.actions import Action
from tierproof.model.language.reading.tree import (
    Constant,
    Count,
    Expression,
    Function,
    Iteration,
    Length,
    Spot,
)
from tierproof.model.language.reading.types import NOTHING, ArrayType, MadeType, TupleType, Type
from tierproof.model.language.scope import Scope
from tierproof.spark_explorer.compiler.expressions import number_of, value_of
from tierproof.spark_explorer.compiler.faults import LEAVE, Fault, FaultKind
from tierproof.spark_explorer.compiler.sizes import Sizes, parts_of, result_of
from tierproof.spark_explorer.compiler.statements import compile_block, store_number, store_value
from tierproof.spark_explorer.compiler.values import coerced
from tierproof.spark_explorer.compiler.writer import Writer


class Module:
    """The text of one LLVM module under construction; a state has `leaves` integers.

    A state lies in a buffer of four rows of leaves: before, after, the least value of each
    leaf, and the size of its domain less 1. Only `after` is ever assigned to, so the limits
    of a place are one and two rows after it. If it `is_stoppable`, a loop that may be long ends
    with a fault once the context says LEAVE.
    """

    def __init__(
        self,
        scope: Scope,
        leaves: int,
        actions: Sequence[Action] = (),
        *,
        is_stoppable: bool = False,
    ) -> None:
        self.sizes, self.leaves, self.actions = Sizes(scope), leaves, actions
        self.is_stoppable = is_stoppable
        self.faults: list[Fault] = []
        self.texts: list[str] = [PRELUDE]
        self._compiled: dict[Function, tuple[str, bool]] = {}
        self._tables: dict[str, str] = {}

    @property
    def text(self) -> str:
        """The whole module."""
        return "\n\n".join(self.texts) + "\n"

    @property
    def functions(self) -> tuple[Function, ...]:
        """Every function in the module."""
        return tuple(self._compiled)

    def compiled(self, function: Function) -> tuple[str, bool]:
        """The LLVM name of a function, and whether it may set a fault."""
        if function not in self._compiled:
            name = f"f{len(self._compiled)}_{re.sub(r'[^a-zA-Z0-9_]', '_', function.name)}"
            self._compiled[function] = name, False  # reserve its number
            frame = Frame(self, function)
            frame.compile()
            self._compiled[function] = name, frame.may_fail
            self.texts.append(frame.text(name))
        return self._compiled[function]

    def table(self, numbers: Sequence[int]) -> str:
        """The global that holds these numbers."""
        inside = ", ".join(f"i64 {number}" for number in numbers)
        text = f"private constant [{len(numbers)} x i64] [{inside}]"
        if text not in self._tables:
            self._tables[text] = f"@table{len(self._tables)}"
            self.texts.append(f"{self._tables[text]} = {text}")
        return self._tables[text]

    def declare(self, text: str) -> None:
        """Declare an LLVM intrinsic, once."""
        if text not in self.texts:
            self.texts.append(text)

    def fault(self, kind: FaultKind, spot: Spot) -> int:
        """The number of a fault that may occur."""
        self.faults.append(Fault(kind, spot))
        return len(self.faults)


class Frame:
    """One function under construction: its variables, enclosing loops and instructions."""

    def __init__(self, module: Module, function: Function) -> None:
        self.module, self.function, self.sizes = module, function, module.sizes
        self.writer = Writer()
        self.loops: list[tuple[str, str]] = []
        self.limits: dict[str, int] = {}
        self.low, self.span = module.leaves, 2 * module.leaves
        self.may_fail = False
        self._rooms = {name: self.room_for(kind) for name, kind in function.variables.items()}

    def value(self, node: Expression) -> Any:
        """The value of an expression."""
        return value_of(self, node)

    def number(self, node: Expression) -> str:
        """The value of an expression as an i64."""
        return number_of(self, node)

    # -- variables

    def room_for(self, kind: Type) -> list[str]:
        """Slots for a value."""
        return [self.writer.slot(part) for part in parts_of(kind)]

    def put(self, room: list[str], kind: Type, value: Any) -> None:
        """Store a value in its slots."""
        for slot, part, one in zip(room, parts_of(kind), _flat(value), strict=True):
            self.writer.store(one, slot, part)

    def get(self, room: list[str], kind: Type) -> Any:
        """The value in its slots."""
        parts = parts_of(kind)
        loaded = [self.writer.load(slot, part) for slot, part in zip(room, parts, strict=True)]
        return _shaped(kind, iter(loaded))

    def variable(self, name: str, kind: Type) -> Any:
        """The value of a local variable."""
        return self.get(self._rooms[name], kind)

    def set_variable(self, name: str, value: Any, kind: Type) -> None:
        """Assign a value of this type to a local variable, converted to the variable's type."""
        own = self.function.variables[name]
        self.put(self._rooms[name], own, coerced(self, value, kind, own))

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

    def call(self, function: Function, arguments: Sequence[Any]) -> Any:
        """Call a function; return at once if it sets a fault."""
        name, may_fail = self.module.compiled(function)
        given = ["ptr %ctx"]
        for (_, kind), argument in zip(function.parameters, arguments, strict=True):
            given += [f"{p} {v}" for p, v in zip(parts_of(kind), _flat(argument), strict=True)]
        result = result_of(function.result)
        call = f"call {result} @{name}({', '.join(given)})"
        found: Any = None
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

    def _unwrapped(self, found: Any, kind: Type, shown: str) -> Any:
        parts = parts_of(kind)
        if not isinstance(kind, (TupleType, MadeType)):
            return found
        if len(parts) == 1:
            return _shaped(kind, iter([found]))
        values = [
            self.writer.value(f"extractvalue {shown} {found}, {n}") for n in range(len(parts))
        ]
        return _shaped(kind, iter(values))

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
        if self.module.is_stoppable:
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

    def store_number(self, place: str, kind: Type, value: Any, held: Type, spot: Spot) -> None:
        """Store a number or a set at its place if its domain contains it."""
        store_number(self, place, kind, value, held, spot)

    def store_value(self, place: str, kind: Type, value: Any, held: Type, spot: Spot) -> None:
        """Store a value of any type at its place if the domains contain it."""
        store_value(self, place, kind, value, held, spot)

    # -- the function

    def give_back(self, value: Any) -> None:
        """Return a value of the function's type, or none."""
        kind = result_of(self.function.result)
        parts = parts_of(self.function.result)
        if not parts:
            self.writer.give("void")
        elif len(parts) == 1:
            self.writer.give(kind, _flat(value)[0])
        else:
            whole = "undef"
            for number, (part, one) in enumerate(zip(parts, _flat(value), strict=True)):
                whole = self.writer.value(f"insertvalue {kind} {whole}, {part} {one}, {number}")
            self.writer.give(kind, whole)

    def compile(self) -> None:
        """Compile the body."""
        number = 0
        for name, kind in self.function.parameters:
            values = [f"%a{number + n}" for n in range(len(parts_of(kind)))]
            number += len(values)
            self.set_variable(name, _shaped(kind, iter(values)), kind)
        compile_block(self, self.function.body)
        if not self.writer.is_ended:
            if self.function.result == NOTHING:
                self.writer.give("void")
            else:
                self.writer.do("unreachable")
                self.writer.is_ended = True
        if self.may_fail:
            self.writer.begin("fault")
            result = result_of(self.function.result)
            self.writer.give(*((result,) if result == "void" else (result, "zeroinitializer")))

    def text(self, name: str) -> str:
        """The LLVM function."""
        kinds = [part for _, kind in self.function.parameters for part in parts_of(kind)]
        arguments = ["ptr %ctx", *(f"{kind} %a{n}" for n, kind in enumerate(kinds))]
        kind = result_of(self.function.result)
        return self.writer.text(f"define internal {kind} @{name}({', '.join(arguments)}) nounwind")


def _flat(value: Any) -> list[str]:
    if value is None:
        return []
    if isinstance(value, tuple):
        return [part for item in value for part in _flat(item)]
    return [value]


def _shaped(kind: Type, values: Any) -> Any:
    """The value of a type from the flat list of its parts."""
    if isinstance(kind, (TupleType, MadeType)):
        return tuple(_shaped(item, values) for item in kind.items)
    return next(values) if parts_of(kind) else None


PRELUDE = """declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.ssub.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)

; whether n leaves at one place equal those at another
define internal i1 @same(ptr %one, ptr %other, i64 %n) nounwind {
entry:
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %next, %on ]
  %is_more = icmp slt i64 %k, %n
  br i1 %is_more, label %test, label %yes
test:
  %p = getelementptr i64, ptr %one, i64 %k
  %q = getelementptr i64, ptr %other, i64 %k
  %a = load i64, ptr %p
  %b = load i64, ptr %q
  %is_equal = icmp eq i64 %a, %b
  br i1 %is_equal, label %on, label %no
on:
  %next = add nsw i64 %k, 1
  br label %head
yes:
  ret i1 true
no:
  ret i1 false
}

; whether n leaves are in the domains of a place; low and span are how far ahead its limits lie
define internal i1 @inside(ptr %place, ptr %given, i64 %n, i64 %low, i64 %span) nounwind {
entry:
  %lows = getelementptr i64, ptr %place, i64 %low
  %spans = getelementptr i64, ptr %place, i64 %span
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %next, %on ]
  %is_more = icmp slt i64 %k, %n
  br i1 %is_more, label %test, label %yes
test:
  %p = getelementptr i64, ptr %given, i64 %k
  %q = getelementptr i64, ptr %lows, i64 %k
  %r = getelementptr i64, ptr %spans, i64 %k
  %value = load i64, ptr %p
  %least = load i64, ptr %q
  %most = load i64, ptr %r
  %above = sub i64 %value, %least
  %is_inside = icmp ule i64 %above, %most
  br i1 %is_inside, label %on, label %no
on:
  %next = add nsw i64 %k, 1
  br label %head
yes:
  ret i1 true
no:
  ret i1 false
}"""
