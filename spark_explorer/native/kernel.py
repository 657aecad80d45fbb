"""Kernel: a design in a scope, compiled. Block of packed states in, successors and findings out.

    kernel = Kernel(design, scope)
    worker = kernel.worker(partitions=2, capacity=100_000)
    row = worker.expand(block, 0, level=1)      rows expanded; successors in worker.output

When compiled code meets a fault (an exception, a value outside its domain, an action
that changes nothing) the interpreter is run on the same state, and its error, which
names the function and shows the state, is what the caller gets.
"""

from __future__ import annotations

import os
import sys
import tempfile
import types
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numba import __version__ as numba_version
from numba.core.errors import NumbaError

from model.language.design import Design
from model.language.errors import DesignError, NonDeterministic
from model.language.interpreter import Interpreter, Steps
from model.language.scope import Scope
from model.language.state import State
from spark_explorer.native import cache
from spark_explorer.native.expansion import FILTER, Checks, Output, Tables
from spark_explorer.native.packing import Packing, fingerprint, packed, packing_of, unpacked
from spark_explorer.native.rebuild import Rebuilder, digest
from spark_explorer.native.source import deadlock_number, enabled_functions, source_of

Array = np.ndarray[Any, Any]
MOST_PARAMETERS = 4


class Kernel:
    """The compiled explorer of one design in one scope; makes workers, which hold the buffers."""

    def __init__(self, design: Design, scope: Scope) -> None:
        self.design, self.scope = design, scope
        self.interpreter = Interpreter(design, scope)
        self.layout = design.layout(scope)
        self.packing = packing_of(self.layout)
        self.words = self.packing.words
        self.steps = Steps(design, scope)
        self.laws = list(dict.fromkeys(law for _, law in self.interpreter.lifecycle_leaves))
        self.tables = self._tables()
        self.checks = len(design.checked) + len(self.laws)
        self.scopes = np.zeros(1, [(name, np.int64) for name, _ in scope] or [("none", np.int64)])
        for name, value in scope:
            self.scopes[name] = value

    @cached_property
    def expand(self) -> Callable[..., int]:
        """The compiled function; compiled at the first call and kept on disk."""
        return self._module.expand

    @cached_property
    def connect(self) -> Callable[..., int]:
        """The compiled function that writes states and steps as a graph, see `graph.py`."""
        return self._module.connect

    @cached_property
    def _module(self) -> types.ModuleType:
        return _load(self.design, self.layout.shape)

    def prepare(self) -> None:
        """Compile, or load what was compiled before: expand no state at all."""
        self.worker(1, 1).expand(np.zeros((0, self.words), np.uint64), 0, 0)

    def pack(self, state: State) -> Array:
        """The packed state of `state`."""
        return packed(state.leaves, self.packing)

    def unpack(self, words: Array) -> State:
        """The state of a packed state."""
        made: State = self.design.state.of_leaves(self.layout, unpacked(words, self.packing))
        return made

    def fingerprint(self, state: State) -> int:
        """The fingerprint of a state."""
        return int(fingerprint(self.pack(state)))

    def worker(self, partitions: int, capacity: int) -> Worker:
        """Buffers for one thread; `capacity` successors for each of `partitions`."""
        return Worker(self, partitions, max(capacity, self.steps.count + 1))

    def _tables(self) -> Tables:
        actions = self.design.actions
        low = np.zeros((len(actions), MOST_PARAMETERS), np.int64)
        count = np.zeros_like(low)
        for index, sizes in enumerate(self.steps.sized):
            if len(sizes) > MOST_PARAMETERS:
                raise DesignError(
                    f"action {actions[index].name!r} has {len(sizes)} parameters, "
                    f"at most {MOST_PARAMETERS} are compiled"
                )
            low[index, : len(sizes)] = [sized.low for sized in sizes]
            count[index, : len(sizes)] = [sized.size for sized in sizes]
        leaves = self.interpreter.lifecycle_leaves
        bases = np.cumsum([0, *(len(law.values) ** 2 for law in self.laws)])
        numbers = [self.laws.index(law) for _, law in leaves]
        edges = np.zeros(int(bases[-1]), np.bool_)
        for law, base in zip(self.laws, bases, strict=False):
            for source, target in law.legal:
                edges[base + source * len(law.values) + target] = True
        return Tables(
            low,
            count,
            np.array(self.steps.first_label, np.int64),
            np.array(
                [name in self.design.dropped_guards for name in self.design.guards] or [False]
            ),
            np.array([self.design.may_stutter(act) for act in actions], np.bool_),
            np.array([offset for offset, _ in leaves], np.int64),
            np.array([bases[number] for number in numbers], np.int64),
            np.array([len(law.values) for _, law in leaves], np.int64),
            np.array([len(self.design.checked) + number for number in numbers], np.int64),
            edges,
            _bits_of([offset for offset, _ in leaves], self.packing),
            deadlock_number(self.design),
        )


class Worker:
    """One thread's buffers over a kernel. Not shared between threads."""

    def __init__(self, kernel: Kernel, partitions: int, capacity: int) -> None:
        self.kernel = kernel
        self.work = np.zeros(2, kernel.layout.dtype)
        self.flat = self.work.view(np.int64).reshape(2, -1)
        self.step_buffer = np.zeros((kernel.steps.count, 2 + MOST_PARAMETERS), np.int64)
        self.spot = np.zeros(2, np.int64)
        self.checks = Checks(
            np.zeros(kernel.checks, np.int64),
            np.zeros(kernel.checks, np.uint64),
            np.zeros(kernel.checks, np.int64),
            np.zeros(kernel.checks, np.int64),
            np.zeros(len(kernel.design.actions), np.int64),
            np.zeros(len(kernel.tables.law_edges), np.bool_),
        )
        self.output = Output(
            np.empty((partitions, capacity, kernel.words), np.uint64),
            np.empty((partitions, capacity), np.uint64),
            np.empty((partitions, capacity), np.uint64),
            np.empty((partitions, capacity), np.uint32),
            np.zeros(partitions, np.int64),
            np.zeros((FILTER, 3), np.uint64),
            np.zeros(1, np.int64),
            np.zeros(kernel.words, np.uint64),
        )

    def expand(self, block: Array, row: int, level: int) -> int:
        """Expand `block[row:]` into successors of `level` until done or full; returns the next row.

        The output is emptied first. Raises DesignError when the design is at fault.
        """
        kernel = self.kernel
        self.output.sent[:] = 0
        self.output.level[0] = level
        self.spot[:] = 0
        try:
            row = kernel.expand(
                block,
                row,
                kernel.tables,
                kernel.packing,
                kernel.scopes,
                self.work,
                self.flat,
                self.step_buffer,
                self.checks,
                self.output,
                self.spot,
            )
        except (DesignError, OSError):
            raise
        except NumbaError as error:
            raise DesignError(compilation_problem(kernel.design, error)) from error
        except Exception as error:
            self._explain(block[self.spot[0]], error)
        if self.spot[1]:
            self._explain(block[row], None)
        return int(row)

    def forget_sent(self) -> None:
        """Begin anew: what an earlier attempt sent may never have arrived."""
        self.output.recent[:] = 0

    def _explain(self, words: Array, error: Exception | None) -> None:
        """Raise what the interpreter says of the state in which compiled code failed."""
        interpreter, state = self.kernel.interpreter, self.kernel.unpack(words)
        interpreter.violated_in(state)
        for entry in self.kernel.design.witnesses:
            interpreter.holds("witness", entry, state)
        for _, after in interpreter.successors(state):
            interpreter.violated_by(state, after)
            if not interpreter.within_bounds(after):
                interpreter.violated_in(after)
        raise NonDeterministic(
            f"compiled code failed ({error or 'a value outside its domain'}) "
            f"where CPython does not, in the state\n{state.describe()}\n"
        ) from error


def _bits_of(leaves: list[int], packing: Packing) -> Array:
    """The bits that the given leaves take in a packed state."""
    bits = np.zeros(packing.words, np.uint64)
    for leaf in leaves:
        word = int(np.searchsorted(packing.first, leaf, side="right")) - 1
        bits[word] |= packing.mask[leaf] << packing.shift[leaf]
    return bits


def _load(design: Design, shape: str) -> types.ModuleType:
    """The generated module of a design whose layout has that shape."""
    rebuilder, names = Rebuilder(), _functions(design)
    engine = "".join(p.read_text() for p in sorted(Path(__file__).parent.glob("*.py")))
    key = digest(
        names.values(), engine, shape, numba_version, np.__version__, source_of(design, "")
    )
    text = source_of(design, key)
    path = cache.folder() / "native" / f"{design.name.replace('-', '_')}_{key}.py"
    _write_once(path, text)
    module = types.ModuleType(f"tierproof_native_{key}")
    sys.modules[module.__name__] = module  # compiled code loaded from disk looks its module up
    vars(module).update({name: rebuilder.compiled(part) for name, part in names.items()})
    exec(compile(text, str(path), "exec"), vars(module))
    for index, (act, part) in enumerate(
        zip(design.actions, enabled_functions(design), strict=True)
    ):
        guards = [entry.function for entry in act.guards]
        cache.keep(vars(module)[f"enabled_{index}"], rebuilder.digest(guards, engine, part))
    return module


def _functions(design: Design) -> dict[str, Callable[..., Any]]:
    found: dict[str, Callable[..., Any]] = {}
    for number, entry in enumerate(design.guards.values()):
        found[f"guard_{number}"] = entry.function
    for number, act in enumerate(design.actions):
        found[f"effect_{number}"] = act.effect
    for number, claim in enumerate(design.checked):
        found[f"property_{number}"] = claim.function
        if claim.premise is not None:
            found[f"premise_{number}"] = claim.premise.function
    if design.bounds is not None:
        found["bounds_0"] = design.bounds.function
    return found


def _write_once(path: Path, text: str) -> None:
    """Put the generated module on disk, whole or not at all, and not again when it is there."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    with os.fdopen(handle, "w") as file:
        file.write(text)
    Path(name).replace(path)


def compilation_problem(design: Design, error: NumbaError) -> str:
    """One paragraph from Numba's report: which function, which line, what is not supported."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    places = [line for line in lines if line.startswith("File ") and "/native/" not in line]
    dull = ("File", "During", "-", "Failed in nopython", "[", "<", "def ", "^")
    reason = next((line for line in lines if not line.startswith(dull)), "")
    place = f" at {places[-1].removeprefix('File ')}" if places else ""
    return (
        f"design {design.name!r} cannot be compiled{place}: {reason} "
        "Guards, effects and properties are limited to integers, booleans, enum members, "
        "tuples and loops over fields."
    )
