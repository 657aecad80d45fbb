"""The explored states as a graph: their steps are taken again and stored as edges.

The search keeps no edges, and most explorations never need them. If they are needed, the
compiled functions expand every state again, on every core. States are numbered level by level.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from tierproof.model.language.actions import Step
from tierproof.model.language.errors import FunctionRaised, NonDeterministic
from tierproof.model.language.properties import PropertyKind
from tierproof.model.language.state import State
from tierproof.spark_explorer.compiler.entries import STEP
from tierproof.spark_explorer.compiler.faults import unexplained
from tierproof.spark_explorer.dividing import Divided
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.edges import BEYOND, Edges, connect
from tierproof.spark_explorer.native.fairness import Links
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.numbering import UNKNOWN, Collision, number_of, numbered
from tierproof.spark_explorer.native.packing import fingerprints

ROWS = 1 << 14
"""States that are connected in one batch."""
MOST_INTERPRETED = 10_000
"""States whose guards may be tested by the interpreter, which takes about a millisecond each."""


class TooManyInterpreted(Exception):
    """Too many states have guards behind a limit that compiled code cannot test."""


@dataclass(frozen=True)
class Graph:
    """States and steps. `N` states, `E` edges, `K` liveness properties.

    The edges of state `s` are those from `first[s]` to before `first[s + 1]`, no two with the
    same label: first the steps taken, ascending by label, then those that the scope hides.
    """

    first: Array  # int64[N + 1]
    labels: Array  # int32[E]
    targets: Array  # int32[E]: a state, or BEYOND for a fair step that the scope hides
    marks: Array  # uint8[N, K]: GOAL and PREMISE of each liveness property
    initial: Array  # int64[...]: the initial states, in the design's order

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self.first) - 1

    @property
    def links(self) -> Links:
        """The edges, as compiled code takes them."""
        return Links(self.first, self.labels, self.targets)


class Connector:
    """Connects the states that a search visited; `wanted` are the fair labels.

    States have the numbers of their order in `states`: blocks, such as the levels of a search.
    """

    def __init__(self, kernel: Kernel, states: Sequence[Array], wanted: Array) -> None:
        self.kernel, self.states, self.wanted = kernel, states, wanted
        self.known, self.doubles = numbered(states)
        self.is_limited = np.zeros(kernel.steps.count, np.bool_)
        for act, label in zip(kernel.design.actions, kernel.steps.first_label, strict=True):
            self.is_limited[label:] = any(entry.is_limit for entry in act.guards)
        self.interpreted = 0

    def buffers(self) -> Edges:
        """Buffers for the edges that one thread writes."""
        kernel = self.kernel
        limits = [entry.is_limit for entry in kernel.design.guards.values()]
        claims = [e for e in kernel.design.checked if e.kind is PropertyKind.LIVENESS]
        capacity = max(1 << 18, 4 * kernel.steps.count)
        return Edges(
            np.zeros(ROWS + 1, np.int64),
            np.empty(capacity, np.int32),
            np.empty(capacity, np.int32),
            np.zeros((ROWS, len(claims)), np.uint8),
            np.zeros(1, np.int64),
            np.zeros(kernel.words, np.uint64),
            np.zeros((kernel.steps.count, STEP), np.int64),
            kernel.tables.dropped | np.array(limits or [False]),
            self.wanted,
            np.empty(capacity, np.uint64),
            self.known,
        )

    def graph(self, threads: int) -> Graph:
        """The graph of all states.

        Raises NonDeterministic if a step leads to another state, Collision if 64 bits, by which an
        edge knows its target, stand for two states.
        """
        if self.doubles:
            raise Collision("64 bits of two states are the same, so that liveness was not judged")
        batches: dict[int, list[Part]] = {}
        blocks = Divided(self._blocks())

        def connect(thread: ConnectingThread) -> None:
            for start, block in blocks:
                batches[start] = list(thread.parts(block))

        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(connect, [ConnectingThread(self) for _ in range(threads)]))
        parts = [part for start in sorted(batches) for part in batches.pop(start)]
        counts, labels, targets, marks = (_joined(parts, column) for column in range(4))
        if (targets == UNKNOWN).any():
            raise NonDeterministic("a step that is taken again leads to a state never visited")
        first = np.concatenate([[0], np.cumsum(counts)])
        numbers = [number_of(self.known, one) for one in fingerprints(self.kernel.initial())]
        return Graph(first, labels, targets, marks, np.array(numbers, np.int64))

    def _blocks(self) -> Iterator[tuple[int, Array]]:
        """The states in blocks of at most ROWS, each with the number of its first state."""
        start = 0
        for block in self.states:  # one at a time: those of a kept run are read now
            for row in range(0, len(block), ROWS):
                yield start + row, block[row : row + ROWS]
            start += len(block)


Part: TypeAlias = list[Array]
"""How many edges each state of a part of a block has, their labels and targets, and marks."""


def _joined(parts: list[Part], column: int) -> Array:
    """One column of all parts, which are emptied of it."""
    columns = [part[column] for part in parts]
    for part in parts:
        part[column] = part[column][:0]
    return np.concatenate(columns)


class ConnectingThread:
    """One thread's buffers."""

    def __init__(self, connector: Connector) -> None:
        self.connector, self.kernel = connector, connector.kernel
        self.edges, self.work = connector.buffers(), connector.kernel.work()

    def parts(self, block: Array) -> Iterator[Part]:
        """The edges of a block."""
        row, edges = 0, self.edges
        while row < len(block):
            rows = self._connect(block[row:])
            ended = int(edges.total[0])
            counts = np.diff(edges.first[: rows + 1])
            columns = (edges.labels[:ended], edges.targets[:ended], edges.marks[:rows])
            yield [counts, *(column.copy() for column in columns)]
            row += rows

    def _connect(self, block: Array) -> int:
        """Write the edges of the first rows of `block`, as many as fit; returns how many."""
        self.edges.total[0] = row = 0
        while row < len(block):
            done = self._run(block, row, bool(self.connector.is_limited.any()))
            if self.work.context[0]:
                row = self._connect_in_python(block, int(self.work.row[0]))
                continue
            if done < len(block):
                return done
            row = done
        return row

    def _run(self, block: Array, row: int, is_lifting: bool) -> int:
        kernel = self.kernel
        self.work.context[0] = 0
        done = connect(
            block,
            row,
            kernel.code,
            kernel.tables,
            kernel.packing,
            self.work,
            self.edges,
            is_lifting,
        )
        kernel.stopping.raise_if_asked()
        return int(done)

    def _connect_in_python(self, block: Array, row: int) -> int:
        """Write a row whose guards behind a limit only CPython can test; returns the next."""
        self.connector.interpreted += 1
        if self.connector.interpreted > MOST_INTERPRETED:
            raise TooManyInterpreted
        self.edges.total[0] = self.edges.first[row]
        state = self.kernel.unpack(block[row])
        self._run(block[: row + 1], row, False)
        if self.work.context[0]:
            self._explain(state, int(self.work.context[0]))
        start, count = int(self.edges.first[row]), int(self.edges.total[0])
        taken = dict(
            zip(self.edges.labels[start:count], self.edges.targets[start:count], strict=True)
        )
        taken |= dict.fromkeys(self._refused(state), BEYOND)
        for at, label in enumerate(sorted(taken), start=start):
            self.edges.labels[at], self.edges.targets[at] = label, taken[label]
        self.edges.total[0] = self.edges.first[row + 1] = start + len(taken)
        return row + 1

    def _explain(self, state: State, number: int) -> None:
        """Raise the interpreter's error for the state in which compiled code failed."""
        for entry in self.kernel.design.properties:
            if entry.kind is PropertyKind.LIVENESS:
                self.kernel.interpreter.holds("goal", entry, state)
                if entry.premise is not None:
                    self.kernel.interpreter.holds("premise", entry.premise, state)
        raise unexplained(self.kernel.fault(number), "a value outside its domain", state)

    def _refused(self, state: State) -> list[int]:
        """Labels of fair steps that only a limit refuses, or whose later guards a limit hides."""
        labels = (
            int(label) for label in np.flatnonzero(self.edges.wanted & self.connector.is_limited)
        )
        return [label for label in labels if self._is_refused(state, self.kernel.steps.step(label))]

    def _is_refused(self, state: State, step: Step) -> bool:
        interpreter, design = self.kernel.interpreter, self.kernel.design
        budget = interpreter.budgets.get(step.action)
        if budget is not None and state.leaves[budget] == 0:
            return False
        refused = False
        for entry in design.action(step.action).guards:
            if entry.name in design.dropped_guards:
                continue
            try:
                if interpreter.holds("guard", entry, state, dict(step.arguments)):
                    continue
            except FunctionRaised:
                if refused:
                    return True  # guards after the limit rely on it
                raise
            if not entry.is_limit:
                return False
            refused = True
        return refused
