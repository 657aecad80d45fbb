"""The text of one LLVM module: what all of its functions share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from tierproof.model.language.actions import Action
from tierproof.model.language.reading.tree import Function, Spot
from tierproof.model.language.scope import Scope
from tierproof.spark_explorer.compiler.faults import Fault, FaultKind
from tierproof.spark_explorer.compiler.sizes import MOST_NOTED, Sizes


class ModuleText(ABC):
    """The text of one LLVM module under construction; a state has `leaves` integers.

    A state lies in a buffer of four rows of leaves: before, after, the least value of each
    leaf, and the size of its domain less 1. Only `after` is ever assigned to, so the limits
    of a place are one and two rows after it. A loop that may be long ends with a fault once the
    context says LEAVE, and what is assigned to is noted in the context; a module that `is_plain`
    does without both: it says what is explored, and is never run. In one that `is_concrete` the
    bounds of the scope are literals.
    """

    def __init__(
        self,
        scope: Scope,
        leaves: int,
        actions: Sequence[Action] = (),
        *,
        is_plain: bool = False,
        is_concrete: bool = False,
    ) -> None:
        self.sizes, self.leaves, self.actions = Sizes(scope), leaves, actions
        self.is_plain, self.is_concrete = is_plain, is_concrete
        self.faults: list[Fault] = []
        self.first_fault = 1
        self.texts: list[str] = [PRELUDE] if is_plain else [PRELUDE, NOTE]
        self.names: dict[Function, tuple[str, bool]] = {}
        self._tables: dict[str, str] = {}

    @property
    def text(self) -> str:
        """The whole module."""
        return "\n\n".join(self.texts) + "\n"

    @property
    def functions(self) -> tuple[Function, ...]:
        """Every function in the module."""
        return tuple(self.names)

    @abstractmethod
    def compiled(self, function: Function) -> tuple[str, bool]:
        """The LLVM name of a function, and whether it may set a fault."""

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
        return self.first_fault + len(self.faults) - 1


NOTE = f"""declare i64 @llvm.umin.i64(i64, i64)

; note that n bytes at a place are assigned to; if there are too many notes, the last is overwritten
define internal void @note(ptr %notes, ptr %place, i64 %n) alwaysinline nounwind {{
entry:
  %count = load i64, ptr %notes
  %least = call i64 @llvm.umin.i64(i64 %count, i64 {MOST_NOTED})
  %twice = shl i64 %least, 1
  %here = getelementptr i64, ptr %notes, i64 %twice
  %where = getelementptr i64, ptr %here, i64 1
  %bytes = getelementptr i64, ptr %here, i64 2
  store ptr %place, ptr %where
  store i64 %n, ptr %bytes
  %more = add i64 %count, 1
  store i64 %more, ptr %notes
  ret void
}}"""
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
