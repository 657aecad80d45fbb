"""The rows of the tables: a block of packed states, or the steps out of it, as an Arrow table.

    states   level, id, a column for each field of the State, violates, reaches
    steps    level, source, target, action, parameters, step, is_inside, violates, reaches

`id` is the fingerprint by which the search knows a state; under symmetry it is that of the state
which stands for all that are alike, as is the target of a step. A step out of the bounds leads to
a state that the search checks and does not visit: its target is no id, `is_inside` is false, and
what that state violates and reaches stands at the step. A function of the design that fails, in a
state or in a step, is FAULT among what is violated; such a step has no target.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from tierproof.model.language.domains import Sized
from tierproof.model.language.members import shown
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.packing import fingerprints
from tierproof.spark_explorer.native.tabulating import (
    FAILED,
    INSIDE,
    Reports,
    Taken,
    report_states,
    tabulate_steps,
)
from tierproof.spark_explorer.tables.columns import columns_of, fields_of, integer_type

FAULT = "a fault of the design"
"""What a state, or a step, violates in which a function of the design fails."""
NAMES = pa.list_(pa.dictionary(pa.int16(), pa.string()))
OF_STATES = ("level", "id", "violates", "reaches")
"""The columns of `states` beside the fields."""
BLOCK = 1 << 16
"""States that are tabulated at once."""
CAPACITY = 1 << 18
"""Steps, or reports, that a thread has room for, at least."""


class Tabulation:
    """How the rows of a design in a scope are made: their schemas, and what they name."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        checked = kernel.design.checked
        names = [*(one.name for one in checked), *(law.law_name for law in kernel.laws), FAULT]
        self.names = pa.array(names, pa.string())
        first = len(kernel.design.properties)
        self.is_witness = np.zeros(len(names), np.bool_)
        self.is_witness[first : len(checked)] = True

    @cached_property
    def states(self) -> pa.Schema:
        """The schema of `states`."""
        kernel = self.kernel
        return pa.schema(
            [
                pa.field("level", pa.int32()),
                pa.field("id", pa.uint64()),
                *fields_of(kernel.layout, kernel.packing, OF_STATES),
                pa.field("violates", NAMES),
                pa.field("reaches", NAMES),
            ]
        )

    @cached_property
    def steps(self) -> pa.Schema:
        """The schema of `steps`."""
        word = pa.dictionary(pa.int32(), pa.string())
        return pa.schema(
            [
                pa.field("level", pa.int32()),
                pa.field("source", pa.uint64()),
                pa.field("target", pa.uint64()),
                pa.field("action", word),
                pa.field("parameters", self._of_labels.parameters.type),
                pa.field("step", word),
                pa.field("is_inside", pa.bool_()),
                pa.field("violates", NAMES),
                pa.field("reaches", NAMES),
            ]
        )

    @cached_property
    def _of_labels(self) -> _Labels:
        return _Labels(self.kernel)

    def reported(self, reports: Reports, rows: int) -> tuple[pa.Array, pa.Array]:
        """What rows violate, and the witnesses that they reach."""
        ends = reports.first[: rows + 1]
        numbers = reports.numbers[: ends[-1]].astype(np.int16)
        row_of = np.repeat(np.arange(rows), np.diff(ends))
        found = []
        for chosen in (~self.is_witness[numbers], self.is_witness[numbers]):
            counts = np.bincount(row_of[chosen], minlength=rows)
            first = pa.array(np.concatenate([[0], np.cumsum(counts)]).astype(np.int32))
            values = pa.DictionaryArray.from_arrays(pa.array(numbers[chosen]), self.names)
            found.append(pa.ListArray.from_arrays(first, values))
        return found[0], found[1]

    def rows_of_steps(self, level: int, sources: Array, taken: Taken, reports: Reports) -> pa.Table:
        """The steps of states with these fingerprints."""
        counts = np.diff(taken.first[: len(sources) + 1])
        count = int(counts.sum())
        kinds, labels = taken.kinds[:count], taken.labels[:count]
        columns = [
            np.full(count, level, np.int32),
            np.repeat(sources, counts),
            pa.array(taken.targets[:count], mask=kinds == FAILED),
            *self._of_labels.columns(labels),
            pa.array(kinds == INSIDE),
            *self.reported(reports, count),
        ]
        return pa.table(columns, self.steps)


class _Labels:
    """The action, the parameters and the words of each step, by its label.

    `parameters` is a STRUCT of the names that parameters of any action have; those that the action
    of a step has not are null. Where two actions mean different domains by a name, the values are
    text.
    """

    def __init__(self, kernel: Kernel) -> None:
        steps = kernel.steps
        self.found = [steps.step(label) for label in range(steps.count)]
        first = np.array(steps.first_label)
        index = np.searchsorted(first, np.arange(steps.count), side="right") - 1
        names = pa.array([act.name for act in kernel.design.actions], pa.string())
        self.actions = pa.DictionaryArray.from_arrays(pa.array(index.astype(np.int32)), names)
        self.words = pa.array([str(one) for one in self.found], pa.string())
        domains: dict[str, list[Sized]] = {}
        for act, sized in zip(kernel.design.actions, steps.sized, strict=True):
            for name, one in zip(act.parameters, sized, strict=True):
                domains.setdefault(name, []).append(one)
        self.parameters = self._parameters(domains)

    def _parameters(self, domains: dict[str, list[Sized]]) -> pa.Array:
        given = [dict(one.arguments) for one in self.found]
        if not domains:
            return pa.nulls(len(given), pa.struct([pa.field("none", pa.bool_())]))
        values = [
            pa.array([_plain(one.get(name), kind) for one in given], kind)
            for name, kind in ((name, _type_of(sized)) for name, sized in domains.items())
        ]
        return pa.StructArray.from_arrays(values, list(domains))

    def columns(self, labels: Array) -> tuple[pa.Array, pa.Array, pa.Array]:
        """The columns `action`, `parameters` and `step` of steps."""
        chosen = pa.array(labels)
        words = pa.DictionaryArray.from_arrays(chosen, self.words)
        return self.actions.take(chosen), self.parameters.take(chosen), words


def _type_of(domains: list[Sized]) -> pa.DataType:
    """The type of a parameter; text where actions do not agree on what it is."""
    kinds = {(one.enum, one.is_set) for one in domains}
    if len(kinds) > 1:
        return pa.string()
    enum, is_set = kinds.pop()
    if enum is bool:
        return pa.bool_()
    if enum is not None:
        return pa.list_(pa.string()) if is_set else pa.string()
    if is_set:
        return pa.list_(pa.int8())
    return max(map(integer_type, domains), key=lambda kind: kind.bit_width)


def _plain(value: Any, kind: pa.DataType) -> Any:
    if value is None:
        return None
    if pa.types.is_list(kind):
        return [one.name if isinstance(one, IntEnum) else int(one) for one in value]
    if pa.types.is_string(kind):
        return shown(value)
    return bool(value) if pa.types.is_boolean(kind) else int(value)


class Tabulator:
    """One thread's buffers."""

    def __init__(self, tabulation: Tabulation) -> None:
        self.tabulation, self.kernel = tabulation, tabulation.kernel
        kernel = self.kernel
        self.work, self.bench = kernel.work(), kernel.reducing.bench()
        self.checks = kernel.blank_checks()
        most = kernel.steps.count + 1
        steps = max(CAPACITY, 2 * most)
        self.reports = Reports(
            np.zeros(max(BLOCK, steps) + 1, np.int64),
            np.empty(max(CAPACITY, 2 * most * kernel.checks), np.uint16),
        )
        self.taken = Taken(
            np.zeros(BLOCK + 1, np.int64),
            np.empty(steps, np.int32),
            np.empty(steps, np.uint64),
            np.empty(steps, np.uint8),
            np.zeros(kernel.words, np.uint64),
        )

    def states(self, level: int, block: Array) -> Iterator[pa.Table]:
        """The rows of states."""
        kernel, tabulation = self.kernel, self.tabulation
        for part in self._parts(block, report_states, (self.checks, self.reports)):
            columns = [
                np.full(len(part), level, np.int32),
                fingerprints(part),
                *columns_of(part, kernel.layout, kernel.packing),
                *tabulation.reported(self.reports, len(part)),
            ]
            yield pa.table(columns, tabulation.states)

    def steps(self, level: int, block: Array) -> Iterator[pa.Table]:
        """The rows of the steps out of states."""
        reduction = self.kernel.reducing.reduction
        written = (reduction, self.bench, self.work, self.checks, self.taken, self.reports)
        for part in self._parts(block, tabulate_steps, written, has_work=True):
            yield self.tabulation.rows_of_steps(level, fingerprints(part), *written[-2:])

    def _parts(
        self, block: Array, native: Callable[..., int], written: Any, *, has_work: bool = False
    ) -> Iterator[Array]:
        """Run native code on a block, part by part, as far as there is room for what it writes."""
        kernel, row = self.kernel, 0
        code_of_design = (kernel.code, kernel.tables, kernel.packing)
        rest = written if has_work else (self.work, *written)
        while row < len(block):
            part = np.ascontiguousarray(block[row : row + BLOCK])
            done = int(native(part, 0, *code_of_design, *rest))
            kernel.stopping.raise_if_asked()
            yield part[:done]
            row += done
