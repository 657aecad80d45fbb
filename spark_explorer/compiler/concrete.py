"""Code for one scope alone: what other code reads from tables at each call is constant here.

    enabled_here(ctx, state, dropped, low, sizes, first, steps) -> how many, as `enabled`

The bounds of the scope, which guards are dropped, and the arguments of each step are literals. The
guards of all steps are one function without loops and stores: LLVM then tests once what several of
them have in common, and knows the place of every leaf. Ablations and scopes share none of it, so
only a long search has it compiled.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from tierproof.model.language.actions import Action
from tierproof.model.language.interpreter import Steps
from tierproof.spark_explorer.compiler.collecting import LOWEST_BIT
from tierproof.spark_explorer.compiler.entries import ENABLED, ENTRIES, STEP, Entries
from tierproof.spark_explorer.compiler.functions import Module
from tierproof.spark_explorer.compiler.writer import Writer

HERE = (*ENTRIES, "enabled_here")
"""The entry points of such a module."""
MOST_STEPS = 1_000
"""Steps that are compiled one by one."""
WIDTH = 64
"""Bits of a mask of steps."""


class Concrete(Entries):
    """Writes the entry points of a design in one scope alone, from functions that are read.

    The numbers of its faults follow those of the code for every scope.
    """

    def __init__(self, known: Entries, faults: int) -> None:
        super().__init__(known.design, known.scope, reader=known.reader, is_concrete=True)
        self.module.first_fault += faults
        self.steps = Steps(self.design, self.scope)

    def write(self) -> Module:
        """The module, with the entry points for any tables, too."""
        super().write()
        self._enabled_here()
        return self.module

    # -- which steps are enabled

    def _enabled_here(self) -> None:
        writer = Writer()
        masks = [writer.slot("i64") for _ in range(-(-self.steps.count // WIDTH))]
        for mask in masks:
            writer.store("0", mask)
        for index, act in enumerate(self.design.actions):
            end = writer.label()
            if act.budget:
                left = writer.load(writer.ahead("%state", self.offsets[act.budget]))
                self._go_on_if(writer, writer.value(f"icmp sgt i64 {left}, 0"), end)
            self._unroll(writer, index, {}, end, masks, self.steps.first_label[index])
            writer.begin(end)
        self._write_rows(writer, masks)
        writer.begin("out")
        writer.give("i64", "0")
        self.module.texts.append(writer.text(f"define i64 @enabled_here({ENABLED}) nounwind"))

    def _unroll(
        self,
        writer: Writer,
        index: int,
        values: Mapping[str, str],
        otherwise: str,
        masks: list[str],
        label: int,
    ) -> None:
        """Test the guards of the steps with these arguments; `label` is that of the first."""
        act, sized = self.design.actions[index], self.steps.sized[index][len(values) :]
        self._test(writer, act, values, otherwise)
        if len(values) == len(act.parameters):
            mask, bit = masks[label // WIDTH], 1 << label % WIDTH
            signed = bit - (1 << WIDTH) if bit >> (WIDTH - 1) else bit
            writer.store(writer.value(f"or i64 {writer.load(mask)}, {signed}"), mask)
            return
        name = list(act.parameters)[len(values)]
        width = prod(one.size for one in sized[1:])
        for digit in range(sized[0].size):
            following = writer.label()
            known = {**values, name: str(sized[0].low + digit)}
            self._unroll(writer, index, known, following, masks, label + digit * width)
            writer.begin(following)

    def _test(self, writer: Writer, act: Action, values: Mapping[str, str], otherwise: str) -> None:
        """Test the guards that need these arguments, and no others."""
        for entry in act.guards_by_depth[len(values)]:
            if entry.name not in self.design.dropped_guards:
                function = self.reader.guard(act, entry)
                given = self._arguments(writer, function, entry.arguments, values, "%state")
                self._go_on_if(writer, self._truth(writer, function, given), otherwise)

    def _write_rows(self, writer: Writer, masks: list[str]) -> None:
        """Write the steps in the masks, and return how many there are."""
        rows = [number for label in range(self.steps.count) for number in self._row(label)]
        table = self.module.table(rows)
        self.module.texts.append(WRITE_ROWS.replace("TABLE", table))
        self.module.declare(LOWEST_BIT)
        count = "0"
        for number, mask in enumerate(masks):
            given = f"i64 {writer.load(mask)}, i64 {WIDTH * number}, ptr %steps, i64 {count}"
            count = writer.value(f"call i64 @write_rows({given})")
        writer.give("i64", count)

    def _row(self, label: int) -> list[int]:
        """What describes a step: its label, its action, then the parameters."""
        index, arguments = self.steps.raw(label)
        row = [label, index, *arguments]
        return row + [0] * (STEP - len(row))


WRITE_ROWS = f"""; write the row of each step whose bit is set; a mask begins with the step `first`
define internal i64 @write_rows(i64 %mask, i64 %first, ptr %steps, i64 %n) nounwind {{
entry:
  br label %head
head:
  %bits = phi i64 [ %mask, %entry ], [ %rest, %on ]
  %k = phi i64 [ %n, %entry ], [ %next, %on ]
  %is_more = icmp ne i64 %bits, 0
  br i1 %is_more, label %on, label %done
on:
  %bit = call i64 @llvm.cttz.i64(i64 %bits, i1 true)
  %label = add i64 %bit, %first
  %from = mul i64 %label, {STEP}
  %to = mul i64 %k, {STEP}
  %row = getelementptr i64, ptr TABLE, i64 %from
  %place = getelementptr i64, ptr %steps, i64 %to
  call void @llvm.memmove.p0.p0.i64(ptr %place, ptr %row, i64 {8 * STEP}, i1 false)
  %less = sub i64 %bits, 1
  %rest = and i64 %bits, %less
  %next = add i64 %k, 1
  br label %head
done:
  ret i64 %k
}}"""
