"""Kernel: a design in a scope, compiled. What workers expand states with.

    kernel = Kernel(design, scope)
    worker = Worker(kernel, capacity=100_000)
    row = worker.survey(block, 0, table)        rows expanded; new successors: worker.fresh

When compiled code sets a fault (an index outside, a value outside its domain, an action
that changes nothing), its state counts as an occurrence of the check `faults`. `explain` runs
the interpreter on the same state: its error names the function and shows the state.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from threading import Thread

import numpy as np

from tierproof.model.language.actions import Step
from tierproof.model.language.design import Design
from tierproof.model.language.errors import DesignError, closest
from tierproof.model.language.interpreter import Interpreter, Steps
from tierproof.model.language.properties import PropertyKind
from tierproof.model.language.scope import Scope
from tierproof.model.language.state import State
from tierproof.model.language.trace import Trace
from tierproof.spark_explorer.compiler.concrete import HERE, MOST_STEPS, Concrete
from tierproof.spark_explorer.compiler.entries import (
    ENTRIES,
    STEP,
    Entries,
    check_unchanged,
)
from tierproof.spark_explorer.compiler.faults import Fault, FaultKind, unexplained
from tierproof.spark_explorer.compiler.functions import Module
from tierproof.spark_explorer.compiler.loading import (
    QUICK,
    THOROUGH,
    Loaded,
    Source,
    kept,
    load,
)
from tierproof.spark_explorer.compiler.sizes import NOTES
from tierproof.spark_explorer.compiler.storage import COMPILER, digest_of
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.beginning import BLOCK, Beginnings, first_outside
from tierproof.spark_explorer.native.calling import Code
from tierproof.spark_explorer.native.expansion import (
    Checks,
    Work,
)
from tierproof.spark_explorer.native.packing import (
    fingerprint,
    packed,
    packing_of,
    unpacked,
)
from tierproof.spark_explorer.native.stopping import Stopping
from tierproof.spark_explorer.native.tabling import tables_of
from tierproof.spark_explorer.native.taking import UNCHANGED
from tierproof.spark_explorer.symmetry import Reducing

UNASKED = "nobody asked for it"


class Kernel:
    """The compiled explorer of one design in one scope; a worker has the buffers.

    Alike things are told apart for the reason `unreduced`; if it is empty, they are not.
    """

    def __init__(
        self,
        design: Design,
        scope: Scope,
        unreduced: str = UNASKED,
        fingerprint_bits: int = 64,
    ) -> None:
        self.design, self.scope = design, scope
        self.fingerprint_bits = fingerprint_bits
        self.interpreter = Interpreter(design, scope)
        self.layout = design.layout(scope)
        self.packing = packing_of(self.layout)
        self.words = self.packing.words
        self.steps = Steps(design, scope)
        self.laws = design.laws(scope)
        self.tables = tables_of(design, self.interpreter, self.steps, self.laws, self.packing)
        self.reducing = Reducing(design, scope, self.packing, unreduced)
        self.faults = len(design.checked) + len(self.laws)
        self.checks = self.faults + 1
        self.stopping = Stopping()
        self.works: list[Work] = []
        self.beginnings = Beginnings(self.interpreter, self.packing)
        self._loaded: Loaded | None = None
        self._optimiser: Thread | None = None
        self.compile_seconds = self.load_seconds = self.optimise_seconds = 0.0

    @cached_property
    def entries(self) -> Entries:
        """What writes the code of the design, as its functions are when this is first asked for."""
        return Entries(self.design, self.scope)

    @cached_property
    def module(self) -> Module:
        """The LLVM module of the design, for every scope with arrays of these lengths."""
        return self.entries.write()

    @cached_property
    def concrete(self) -> Module:
        """The LLVM module for this scope alone."""
        return Concrete(self.entries, len(self.module.faults)).write()

    @property
    def loaded(self) -> Loaded:
        """The machine code in use; compiled or loaded at first use."""
        if self._loaded is None:
            began = time.perf_counter()
            self._loaded = kept(self.thorough) or load(self._quick, QUICK)
            self._count(self._loaded, began)
        return self._loaded

    @property
    def _quick(self) -> Source:
        return Source.of(self.module.text, ENTRIES)

    @property
    def thorough(self) -> Source:
        """The source of thorough code."""
        if self.steps.count > MOST_STEPS:
            return self._quick
        dropped, tables = sorted(self.design.dropped_guards), self.tables
        literals = (dict(self.scope), dropped, tables.low.tolist(), tables.sizes.tolist())
        key = f"{self.module.text}{literals}{digest_of(COMPILER)}"
        return Source(key, HERE, lambda: self.concrete.text)

    def _count(self, loaded: Loaded, began: float) -> None:
        """Add the time that code took since `began` to that of compiling or of loading."""
        seconds = time.perf_counter() - began
        if loaded.was_kept:
            self.load_seconds += seconds
        else:
            self.compile_seconds += seconds

    @property
    def code(self) -> Code:
        """The addresses of the design's compiled functions."""
        addresses = self.loaded.addresses
        return Code(**{"enabled_here": addresses["enabled"], **addresses})

    @cached_property
    def identity(self) -> str:
        """A digest of what is explored: initial states, code and tables, the scope, the claims.

        A result that is kept under it is that of any design and scope with the same identity.
        """
        module = Entries(self.design, self.scope, is_plain=True).write()
        found = hashlib.sha256(module.text.encode())
        claims = [entry.identity for entry in self.design.checked]
        found.update(repr((claims, dict(self.scope), [law.law_name for law in self.laws])).encode())
        tables = self.tables._replace(law_of=self.tables.law_of[:0])  # it says what others do
        for table in (*tables, *(self.reducing.reduction if self.reducing.is_on else ())):
            found.update(np.asarray(table).tobytes())
        self._enumerate(module, None, lambda: None)
        found.update(self.beginnings.words.tobytes())
        return found.hexdigest()[:12]

    def optimise(self) -> None:
        """Begin to compile faster code in parallel with a long search."""
        if self._optimiser is None and self.loaded.level != THOROUGH:
            self._optimiser = Thread(target=self._use_thorough_code)
            self._optimiser.start()

    def _use_thorough_code(self) -> None:
        self._loaded = load(self.thorough, THOROUGH)
        self.optimise_seconds = self._loaded.seconds

    @property
    def is_optimising(self) -> bool:
        """Whether faster code is still being compiled."""
        return self._optimiser is not None and self._optimiser.is_alive()

    def close(self) -> None:
        """Wait for a running compilation; LLVM cannot be interrupted."""
        if self._optimiser is not None:
            self._optimiser.join()

    def fault(self, number: int) -> Fault | None:
        """The fault in a context, or None for a fault that the engine found."""
        if number <= 0:
            return None
        known = self.module.faults
        if number > len(known):
            known = [*known, *self.concrete.faults]
        return known[number - 1]

    @property
    def check_names(self) -> list[str]:
        """The name of each check, by its number, but for that of a fault."""
        laws = (law.law_name for law in self.laws)
        return [*(entry.name for entry in self.design.checked), *laws]

    def numbers(self, only: Collection[str]) -> list[int]:
        """The numbers of the named checks; if none is named, of all but the witnesses.

        Raises UnknownName.
        """
        checked = [(entry.name, entry.kind) for entry in self.design.checked]
        checked += [(law.law_name, PropertyKind.LAW) for law in self.laws]
        for name in only:
            closest("property", name, [known for known, _ in checked])
        return [
            number
            for number, (name, kind) in enumerate(checked)
            if (name in only if only else kind is not PropertyKind.WITNESS)
        ]

    def unended(self, work: Work) -> str | None:
        """Where a thread was that had to be stopped inside of a loop; None if it had not."""
        fault, label = self.fault(int(work.context[0])), int(work.row[1])
        if fault is None or fault.kind is not FaultKind.STOPPED:
            return None
        step = "a guard or a property" if label < 0 else f"step {self.steps.step(label)}"
        return f"{step} has not ended: {fault.spot}, `{fault.spot.text}`"

    def work(self) -> Work:
        """Buffers for one thread."""
        flat = np.zeros((4, len(self.layout.leaves)), np.int64)
        flat[2], flat[3] = self.packing.low, self.packing.span.view(np.int64)
        bounds = [value for _, value in self.scope]
        context = np.array([0, *bounds, *([0] * NOTES), 0], np.int64)
        self.stopping.reach(context)
        made = Work(
            flat,
            context,
            np.zeros((self.steps.count, STEP), np.int64),
            np.zeros(len(self.design.checked), np.int64),
            np.zeros(2, np.int64),
            np.zeros(len(self.layout.leaves), np.int64),
            np.array([flat[1].ctypes.data, 1 + len(bounds)], np.int64),
        )
        self.works.append(made)
        return made

    def blank_checks(self) -> Checks:
        """The results of nothing, for one thread to fill."""
        return Checks(
            np.zeros(self.checks, np.int64),
            np.zeros(self.checks, np.uint64),
            np.zeros(self.checks, np.int64),
            np.zeros(self.checks, np.int64),
            np.zeros(len(self.design.actions), np.int64),
            np.zeros(len(self.tables.law_edges), np.bool_),
        )

    def initial(self, most: int | None = None, report: Callable[[], None] = lambda: None) -> Array:
        """The packed initial states, in the design's order; `report` is called now and then.

        The first that are found if there are more than `most`: `beginnings.is_whole` says so.
        Raises DesignError for one that is outside the bounds.
        """
        words = self._enumerate(self.module, most, report)
        for row in self._suspects(words):
            state = self.unpack(words[row])
            if not self.interpreter.within_bounds(state):
                raise DesignError(f"an initial state is outside the bounds:\n{state.describe()}")
        return words

    def _enumerate(self, module: Module, most: int | None, report: Callable[[], None]) -> Array:
        """The packed initial states, made when the code of `module` is written."""
        self.beginnings.enumerate(self.work(), most, report)
        again = Entries(self.design, self.scope, is_plain=module.is_plain)
        check_unchanged(module, again)
        return self.beginnings.words

    def _suspects(self, words: Array) -> Iterator[int]:
        """The rows of initial states that compiled code does not find within the bounds."""
        work, row = self.work(), 0
        while self.tables.has_bounds and row < len(words):
            end = min(len(words), row + BLOCK)
            row = first_outside(words[:end], row, self.code, self.packing, work)
            if row < end:
                yield row
                row += 1

    def trace(self, number: int, steps: tuple[Step, ...], cycle_start: int | None = None) -> Trace:
        """The trace of these steps from an initial state, which the interpreter makes alone."""
        trace = Trace(self.design, self.scope, number, steps, cycle_start)
        return trace.begun_in(self.beginnings.first(number))

    def load(self) -> None:
        """Compile or load the code of the design."""
        self.loaded  # noqa: B018  # compiled under a lock of its own
        began = time.perf_counter()
        loaded = self.beginnings.prepare()
        if loaded is not None:
            self._count(loaded, began)

    def pack(self, state: State) -> Array:
        """The packed state of `state`."""
        return packed(state.leaves, self.packing)

    def unpack(self, words: Array) -> State:
        """The state of a packed state."""
        made: State = self.design.state.of_leaves(self.layout, unpacked(words, self.packing))
        return made

    def fingerprint(self, state: State) -> int:
        """The fingerprint under which a search knows a state: that of its canonical state."""
        return int(fingerprint(self.reducing.canonical(self.pack(state))[0]))

    def explain(self, words: Array, number: int) -> DesignError:
        """The interpreter's error for a state in which compiled code failed, and for which step."""
        state, step = self.unpack(words), None
        try:
            self._check_in_python(state)
            for step in self.interpreter.enabled(state):
                after = self.interpreter.take(state, step)
                self.interpreter.violated_by(state, step, after)
                if not self.interpreter.within_bounds(after):
                    self._check_in_python(after)
        except DesignError as error:
            error.step = step
            return error
        engine = "nothing changed" if number == UNCHANGED else "a value outside its domain"
        return unexplained(self.fault(number), engine, state)

    def _check_in_python(self, state: State) -> None:
        """Check the invariants and witnesses of a state."""
        self.interpreter.violated_in(state)
        for entry in self.design.witnesses:
            self.interpreter.holds("witness", entry, state)


def collision_probability(kernel: Kernel, distinct: int) -> float:
    """Chance that two of the states share a fingerprint: 0 when packed states fit one word."""
    used = kernel.fingerprint_bits if kernel.fingerprint_bits == 64 else 127
    return 0.0 if kernel.words == 1 else distinct * (distinct - 1) / 2.0 ** (used + 1)
