"""Interpreter and compiled code side by side: one state at a time, to the last detail.

    found = SideBySide(design, scope, module).compare(states=300, drawn=50, seed=7)

CPython's result for a state is the reference. If CPython raises, compiled code must stop for
the same reason at the same line; if not, every successor, check and mark must be equal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from types import ModuleType
from typing import Any

import numpy as np

from tests.agreement.interpreted_states import Interpreted, States
from tests.agreement.large_numbers import LargeNumbers
from tierproof.model.language import Design, DesignError, Scope, State
from tierproof.model.language.errors import (
    FunctionRaised,
    OutOfDomain,
    OutsideLanguage,
    SequenceFull,
)
from tierproof.spark_explorer.compiler.faults import Fault, FaultKind
from tierproof.spark_explorer.native.edges import connect
from tierproof.spark_explorer.native.expansion import (
    check_state,
    check_step,
    enabled_steps,
    is_inside,
)
from tierproof.spark_explorer.native.graph import Connector
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.packing import pack
from tierproof.spark_explorer.native.taking import OUTSIDE, stand, take
from tierproof.spark_explorer.native.worker import Worker

CAUSES: dict[FaultKind, type[Exception]] = {
    FaultKind.INDEX: IndexError,
    FaultKind.DIVISION: ZeroDivisionError,
    FaultKind.SHIFT: ValueError,
    FaultKind.DOMAIN: OutOfDomain,
    FaultKind.MEMBER: ValueError,
    FaultKind.LENGTH: TypeError,
    FaultKind.FULL: SequenceFull,
    FaultKind.ABSENT: KeyError,
    FaultKind.EMPTY: ValueError,
    FaultKind.NO_MEMBER: OutOfDomain,  # where the set goes into a field
    FaultKind.OVERFLOW: ValueError,  # of `1 << n` with any n that gives no 64 bits, or below 0
}
"""What CPython raises where compiled code stops. After an OVERFLOW it mostly computes on."""


class Disagreement(AssertionError):
    """Compiled code says of a state what CPython does not."""


@dataclass
class Compared:
    """How much was compared, and how often compiled code stopped for which reason."""

    states: int = 0
    steps: int = 0
    faults: Counter[FaultKind] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)


class SideBySide:
    """A design in a scope in both executions. `module` is where its functions stand.

    With `is_thorough` it is the code that a long search comes to use.
    """

    def __init__(
        self, design: Design, scope: Scope, module: ModuleType, *, is_thorough: bool = False
    ) -> None:
        self.kernel = Kernel(design, scope)
        if is_thorough:
            self.kernel.optimise()
            self.kernel.close()
        self.worker = Worker(self.kernel, batch=self.kernel.steps.count + 1)
        self.work = self.kernel.work()
        self.states = States(self.kernel.interpreter)
        self.large = LargeNumbers(module)
        self.file = str(module.__file__)
        self.found = Compared()

    def compare(self, states: int, drawn: int, seed: int) -> Compared:
        """Compare the first `states` reached from the initial ones, and from some `drawn`."""
        begin = self.kernel.interpreter.initial_states()
        begin += self.states.drawn(drawn, Random(seed))
        return self.compare_all(self.states.reached(begin, states))

    def compare_all(self, chosen: list[State]) -> Compared:
        """Compare these states."""
        edges = _EdgesSideBySide(self, chosen)
        for state in chosen:
            self.found.states += 1
            if self._is_same_expansion(state):
                edges.compare(state)
            else:
                self._compare_parts(state)
        return self.found

    def differ(self, what: str, state: State, *both: object) -> Disagreement:
        """The error that shows a state and what either side says of it."""
        said = "".join(
            f"\n{side}: {one}" for side, one in zip(("CPython", "compiled"), both, strict=False)
        )
        return Disagreement(f"{self.file}: {what}{said}\nin the state\n{state.describe()}")

    # -- a whole state

    def _is_same_expansion(self, state: State) -> bool:
        """Compare what is found in a state; False where it cannot be expanded."""
        interpreted = self.states.expanded(state)
        error = self._expand(state)
        if isinstance(interpreted, DesignError):
            self.found.errors[type(interpreted).__name__] += 1
            if type(error) is not type(interpreted) or str(error) != str(interpreted):
                raise self.differ("an error", state, repr(interpreted), repr(error))
            return False
        if error is not None:
            is_overflow = isinstance(error, OutsideLanguage) and "64 bits" in str(error)
            if not is_overflow or not self.large.are_met(lambda: self.states.expand(state)):
                raise self.differ("an error", state, "none", repr(error))
            self.found.errors["OutsideLanguage"] += 1
            return False
        self.found.steps += sum(interpreted.taken)
        for what, one, other in self._expansion(interpreted):
            if one != other:
                raise self.differ(what, state, one, other)
        return True

    def _expand(self, state: State) -> DesignError | None:
        checks = self.worker.checks
        for array in (checks.hits, checks.premises, checks.taken, checks.edges):
            array[:] = 0
        try:
            self.successors = self.worker.expand(self.kernel.pack(state))
        except DesignError as error:
            return error
        finally:
            self.note(int(self.worker.work.context[0]))
        return None

    def note(self, number: int) -> Fault | None:
        fault = self.kernel.fault(number)
        if fault is not None:
            self.found.faults[fault.kind] += 1
        return fault

    def _expansion(self, interpreted: Interpreted) -> list[tuple[str, object, object]]:
        """What was found in a state by either side."""
        checks = self.worker.checks
        hits = {n: (int(k), int(checks.label[n])) for n, k in enumerate(checks.hits) if k}
        *premises, _fault = checks.premises.tolist()
        words, labels = self.successors
        wanted = [
            (label, tuple(map(int, self.kernel.pack(after))))
            for label, after, inside in interpreted.successors
            if inside
        ]
        return [
            ("checks that hit, with the least label", interpreted.hits, hits),
            ("premises that hold", interpreted.premises, premises),
            ("steps by action", interpreted.taken, checks.taken.tolist()),
            ("edges of lifecycles", interpreted.edges, np.flatnonzero(checks.edges).tolist()),
            (
                "successors",
                wanted,
                [
                    (label, tuple(after))
                    for label, after in zip(labels.tolist(), words.tolist(), strict=True)
                ],
            ),
        ]

    # -- a state that cannot be expanded: its parts, each by itself

    def _compare_parts(self, state: State) -> None:
        """Compare the checks, the guards and then each step with its checks."""
        kernel, work = self.kernel, self.work
        stand(kernel.pack(state), kernel.packing, work.flat)
        self._part("the checks", state, lambda: self._checks(state, 0), self._check_compiled)
        ways = (work, kernel.tables.dropped, kernel.tables, work.steps)
        labels = self._part(
            "enabled steps",
            state,
            lambda: [kernel.steps.label(step) for step in kernel.interpreter.enabled(state)],
            lambda: work.steps[: enabled_steps(kernel.code.enabled_here, *ways), 0].tolist(),
        )
        for place, label in enumerate(labels or ()):
            self._compare_step(state, place, label)

    def _checks(self, state: State, label: int) -> list[int]:
        found = self.states.nothing()
        self.states.check(found, state, label)
        return sorted(found.hits)

    def _check_compiled(self, row: int = 0) -> list[int]:
        self.worker.checks.hits[:] = 0
        checks = self.worker.checks
        check_state(self.kernel.code, self.work.flat[row], self.work, checks, np.uint64(0), 0)
        return np.flatnonzero(checks.hits).tolist()

    def _compare_step(self, state: State, place: int, label: int) -> None:
        """The effect of one step, the step properties, the bounds, and the checks beyond them."""
        kernel, interpreter = self.kernel, self.kernel.interpreter
        step, afters = kernel.steps.step(label), []
        self.found.steps += 1

        def interpreted() -> list[int]:
            afters.append(interpreter.take(state, step))
            return list(afters[0].leaves)

        what = f"the step {step}"
        if self._part(what, state, interpreted, lambda: self._take(place)) is None:
            return
        (after,) = afters

        def violated() -> list[int]:
            entries = interpreter.violated_by(state, step, after)
            return sorted(kernel.design.checked.index(entry) for entry in entries)

        def inside() -> list[int]:
            return [int(interpreter.within_bounds(after))]

        self._part(
            f"{what}: step properties", state, violated, lambda: self._check_step_compiled(place)
        )
        bounds = self._part(
            f"{what}: bounds", state, inside, lambda: [int(is_inside(kernel.code, self.work))]
        )
        if bounds == [0]:
            checked: Callable[[], list[int]] = lambda: self._checks(after, label)  # noqa: E731
            self._part(f"{what}: checks", state, checked, lambda: self._check_compiled(1))

    def _check_step_compiled(self, place: int) -> list[int]:
        checks = self.worker.checks
        checks.hits[:] = 0
        check_step(self.kernel.code, self.work, self.work.steps[place], checks, np.uint64(0), 0)
        return np.flatnonzero(checks.hits).tolist()

    def _take(self, place: int) -> list[int] | str:
        """The leaves of a successor, or the error that the engine finds."""
        kernel, work = self.kernel, self.work
        step = work.steps[place]
        work.flat[1] = work.flat[0]
        before, after = (np.zeros(kernel.words, np.uint64) for _ in range(2))
        pack(work.flat[0], kernel.packing, before)
        ways = (kernel.code, before, step, kernel.tables, kernel.packing, work, after)
        _, is_changed = take(*ways)
        if work.context[0] > 0:
            return []
        if work.context[0] == OUTSIDE:
            return "OutOfDomain"
        if not is_changed and not kernel.tables.stutters[step[1]]:
            return "NothingChanged"
        found: list[int] = work.flat[1].tolist()
        return found

    def _part(
        self,
        what: str,
        state: State,
        interpreted: Callable[[], list[int]],
        compiled: Callable[[], list[int] | str],
    ) -> list[int] | None:
        """Compare a part of an expansion; its value, or None where it failed."""
        error: DesignError | None = None
        wanted: list[int] = []
        try:
            wanted = interpreted()
        except DesignError as raised:
            error = raised
        self.work.context[0] = 0
        found = compiled()
        fault = self.note(int(self.work.context[0]))
        if fault is not None and fault.kind is FaultKind.OVERFLOW:
            is_large = isinstance(error, OutOfDomain) and _is_large(error.value)
            is_large = is_large or (error is not None and self.is_cause(error, fault))
            if not is_large and not self.large.are_met(interpreted):
                raise self.differ(what, state, f"no large number, {error!r}", fault)
        elif fault is not None:
            if error is None or not self.is_cause(error, fault):
                raise self.differ(what, state, repr(error), fault)
        elif error is not None:
            if found != type(error).__name__:
                raise self.differ(what, state, repr(error), found)
        elif found != wanted:
            raise self.differ(what, state, wanted, found)
        else:
            return wanted
        return None

    def is_cause(self, error: DesignError, fault: Fault) -> bool:
        """Whether CPython raised what compiled code stopped for, in the same line."""
        raised = error.__cause__ if isinstance(error, FunctionRaised) else error
        lines, trace = [0], raised.__traceback__ if raised else None
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == self.file:
                lines.append(trace.tb_lineno)
            trace = trace.tb_next
        return type(raised) is CAUSES[fault.kind] and lines[-1] == fault.spot.line


class _EdgesSideBySide:
    """Edges and marks of single states, as the graph of a liveness check has them."""

    def __init__(self, both: SideBySide, states: list[State]) -> None:
        self.both, kernel = both, both.kernel
        known = [kernel.pack(state) for state in states]
        for state in states:
            found = both.states.expanded(state)
            if isinstance(found, Interpreted):
                known += [kernel.pack(after) for _, after, _ in found.successors]
        words = np.unique(np.array(known), axis=0)
        wanted = np.ones(kernel.steps.count, np.bool_)
        connector = Connector(kernel, [words], wanted)
        self.words, self.edges = words, connector.buffers()
        self.is_lifting = bool(connector.is_limited.any())

    def compare(self, state: State) -> None:
        """Compare the marks of a state and its edges, limits lifted."""
        both, edges = self.both, self.edges
        kernel, work = both.kernel, both.work
        wanted: Any = both.states.edges(state)
        edges.total[0] = work.context[0] = 0
        block = kernel.pack(state)[None, :]
        tables = (kernel.tables, kernel.packing)
        connect(block, 0, kernel.code, *tables, work, edges, self.is_lifting)
        fault = both.note(int(work.context[0]))
        if fault is not None and fault.kind is FaultKind.OVERFLOW:
            if not both.large.are_met(lambda: self._run(state)):
                raise both.differ("edges", state, "no large number", fault)
            return
        if isinstance(wanted, DesignError) or fault is not None:
            is_cause = fault is not None and both.is_cause(wanted, fault)
            if not isinstance(wanted, DesignError) or not is_cause:
                raise both.differ("edges", state, repr(wanted), fault)
            return
        count = int(edges.total[0])
        labels, targets = edges.labels[:count].tolist(), edges.targets[:count].tolist()
        shown = [
            (n, tuple(self._leaves(target))) for n, target in zip(labels, targets, strict=True)
        ]
        marks = edges.marks[0].tolist()
        if wanted != (marks, sorted(shown)):
            raise both.differ("marks and edges", state, wanted, (marks, sorted(shown)))

    def _run(self, state: State) -> None:
        """All that CPython computes for the edges of a state."""
        states = self.both.states
        states.expand(state)
        states.marks(state)
        states.lifted.enabled(state)

    def _leaves(self, target: int) -> tuple[int, ...]:
        if target < 0:
            return (target,)
        return self.both.kernel.unpack(self.words[target]).leaves


def _is_large(value: object) -> bool:
    return isinstance(value, int) and not -(1 << 63) <= value < 1 << 63
