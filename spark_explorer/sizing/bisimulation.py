"""Bisimulation: the blocks of states that no property and no behaviour can tell apart.

States of one block are alike in what is seen of them (`native/observing.py`), and have steps with
the same labels, an action with its parameters, into the same blocks. So every verdict on the graph
of the blocks is that on the graph of the states: of invariants, witnesses and deadlock, of step
properties and lifecycles, and of liveness, whose fairness is that of labels. No coarser blocks are
that: all states begin as one block for each colour, and blocks are divided until none is.

A step that changes nothing is no edge here, as for liveness. If an author forgets a stale field,
steps that changed it alone change nothing, which fairness may notice: verdicts are compared again.

Blocks are known by hashes of 64 bits. Two that collide are merged: of `N` states in `R` rounds that
happens with a probability of at most `R * N**2 / 2**65`, a collision of 10 million states in 100
rounds once in 3,700 runs. It can only make a field look staler than it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from tierproof.model.language.design import Design
from tierproof.model.language.domains import Kind
from tierproof.model.language.errors import NonDeterministic
from tierproof.model.language.properties import Fairness, PropertyKind
from tierproof.model.language.reading import Reader
from tierproof.model.language.reading.footprints import fields_read
from tierproof.spark_explorer.liveness import labels_of
from tierproof.spark_explorer.native import memory_left
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.edges import Edges
from tierproof.spark_explorer.native.fairness import FREE
from tierproof.spark_explorer.native.graph import ROWS, Connector
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.observing import Ghosts, Seen, observe_steps, refine
from tierproof.spark_explorer.native.packing import Packing
from tierproof.spark_explorer.native.projecting import Projector

MOST_VALUES = 16
"""Values of a ghost that are tried, to see whether a property reads it."""


@dataclass(frozen=True)
class Blocks:
    """Packed states, each with the colour of its block; how many blocks, after how many rounds."""

    words: Array
    colours: Array
    count: int
    rounds: int


class Observer:
    """Finds the blocks of states that a complete search has visited, on several threads."""

    def __init__(self, kernel: Kernel, states: Sequence[Array], threads: int) -> None:
        claims = [one for one in kernel.design.checked if one.kind is PropertyKind.LIVENESS]
        fair = np.zeros(kernel.steps.count, np.bool_)
        for one in claims:
            fair |= labels_of(kernel, one.fairness or Fairness()) != FREE
        self.kernel = kernel
        self.words = np.concatenate(list(states))
        self.connector = Connector(kernel, [self.words], fair)
        self.ghosts = ghosts_of(kernel, self.words)
        self.lifts = bool(fair.any() and self.connector.is_limited.any())
        self.threads = [
            _Thread(self, self.connector.buffers(), len(claims)) for _ in range(threads)
        ]
        self.batches: dict[int, list[Array]] = {}

    def blocks(self) -> Blocks:
        """The blocks. Raises NonDeterministic if a step leads to a state that was not visited."""
        starts = iter(range(0, len(self.words), ROWS))
        with ThreadPoolExecutor(len(self.threads)) as pool:
            list(pool.map(lambda one: self._take(one, starts), self.threads))
        self.kernel.stopping.raise_if_asked()
        batches = [self.batches.pop(start) for start in sorted(self.batches)]
        counts, colours, keys, targets = (self._joined(batches, column) for column in range(4))
        if (targets < 0).any():
            raise NonDeterministic("a step that is taken again leads to a state never visited")
        first = np.concatenate([[0], np.cumsum(counts)])
        return self._refined(first, keys, targets, colours)

    def _joined(self, batches: list[list[Array]], column: int) -> Array:
        """One column of all batches, which are emptied of it."""
        parts = [batch[column] for batch in batches]
        for batch in batches:
            batch[column] = parts[0][:0]
        return np.concatenate(parts)

    def _take(self, thread: _Thread, starts: Iterator[int]) -> None:
        for start in starts:
            block = self.words[start : start + ROWS]
            columns = zip(*thread.batch(block), strict=True)
            self.batches[start] = [np.concatenate(one) for one in columns]
            if self.kernel.stopping.asked:
                return

    def _refined(self, first: Array, keys: Array, targets: Array, colours: Array) -> Blocks:
        """Divide the blocks of the colours until none is divided any more."""
        refined = np.empty_like(colours)
        projector = exact_projector(len(colours))
        every = np.array([~np.uint64(0)])
        count, rounds = 0, 0
        while True:
            found, _ = projector.count([colours.reshape(-1, 1)], every)
            if found <= count:
                return Blocks(self.words, colours, count, rounds)
            count, rounds = found, rounds + 1
            refine(first, keys, targets, colours, refined)
            colours, refined = refined, colours
            self.kernel.stopping.raise_if_asked()


class _Thread:
    """One thread's buffers."""

    def __init__(self, observer: Observer, edges: Edges, claims: int) -> None:
        self.observer, self.edges = observer, edges
        self.work, self.checks = observer.kernel.work(), observer.kernel.blank_checks()
        keys = np.empty(len(edges.labels), np.uint64)
        self.seen = Seen(np.empty(ROWS, np.uint64), keys, np.zeros(claims, np.uint8))

    def batch(self, block: Array) -> Iterator[tuple[Array, Array, Array, Array]]:
        """Observe a block; yields how many edges each state has, colours, keys and targets."""
        edges, seen, row = self.edges, self.seen, 0
        while row < len(block) and not self.observer.kernel.stopping.asked:
            edges.total[0], edges.first[row] = 0, 0
            done, ended = self.observe(block, row), int(edges.total[0])
            counts = np.diff(edges.first[row : done + 1])
            colours = seen.colours[row:done].copy()
            yield counts, colours, seen.keys[:ended].copy(), edges.targets[:ended].copy()
            row = done

    def observe(self, block: Array, row: int) -> int:
        """Observe rows of a block from `row` on, as far as there is room; returns the next."""
        it, kernel = self.observer, self.observer.kernel
        engine = (kernel.code, kernel.tables, kernel.packing, self.work)
        written = (self.edges, self.checks, it.ghosts, self.seen)
        return int(observe_steps(block, row, it.lifts, *engine, *written))


def exact_projector(states: int) -> Projector:
    """A projector that counts up to so many projections, and estimates none."""
    return Projector(1 << max(10, (2 * states).bit_length()))


def ghosts_of(kernel: Kernel, words: Array) -> Ghosts:
    """The leaves that are ghosts, with the values that each has in these packed states."""
    placed = [one for one in kernel.layout.leaves if one.leaf.kind is Kind.GHOST]
    values = [_held(one.offset, kernel.packing, words) for one in placed]
    is_many = [len(held) > MOST_VALUES for held in values]
    tried = [held[: 0 if many else None] for held, many in zip(values, is_many, strict=True)]
    named = _named_by_step_properties(kernel.design) if placed else frozenset()
    return Ghosts(
        np.array([one.offset for one in placed], np.int64),
        np.cumsum([0, *map(len, tried)]).astype(np.int64),
        np.concatenate([np.zeros(0, np.int64), *tried]),
        np.array(is_many, np.bool_),
        np.array([not named.isdisjoint(re.findall(r"\w+", one.path)) for one in placed], np.bool_),
    )


def _held(leaf: int, packing: Packing, words: Array) -> Array:
    """The values that a leaf has in packed states."""
    word = int(np.searchsorted(packing.first, leaf, side="right")) - 1
    raw = np.unique((words[:, word] >> packing.shift[leaf]) & packing.mask[leaf])
    held: Array = raw.astype(np.int64) + packing.low[leaf]
    return held


def _named_by_step_properties(design: Design) -> frozenset[str]:
    """The names of fields in step properties, and in what they call."""
    reader = Reader(design)
    steps = [one for one in design.checked if one.kind is PropertyKind.STEP]
    return frozenset().union(*(fields_read(reader.predicate(one)) for one in steps))


def bytes_for_blocks(kernel: Kernel, states: int, steps: int) -> int:
    """The most bytes that finding blocks takes: 12 for each step, twice while they are joined."""
    return states * (16 * kernel.words + 160) + steps * 24


def why_no_blocks(kernel: Kernel, states: int, steps: int, cut: str | None) -> str:
    """Why blocks of so many states cannot be found, and what to do; empty if they can."""
    if cut:
        return (
            f"the search was cut ({cut}), and stale is what no way on reads: choose a scope that "
            "is explored to its end"
        )
    needed, free = bytes_for_blocks(kernel, states, steps), memory_left.free_memory()
    if needed > free:
        return (
            f"{states:,} states with {steps:,} steps need {needed / 2**30:.1f} GiB, and "
            f"{free / 2**30:.1f} are free: choose a smaller scope"
        )
    return ""


def prepare_blocks(kernel: Kernel) -> None:
    """Compile or load the engine's part by observing no states."""
    none = np.zeros((0, kernel.words), np.uint64)
    observer = Observer(kernel, [none], 1)
    observer.threads[0].observe(none, 0)
    edges = observer.threads[0].edges
    refine(edges.first[:1], observer.threads[0].seen.keys, edges.targets, *2 * [none[:, 0]])
