"""A survey of the steps of explored states: what actors change, what is enabled, the cycles.

States are surveyed in the order of their fingerprints. So those of a survey that had to end early
are a sample, in which each state is as likely.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from tierproof.spark_explorer.native import memory_left
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.edges import Edges
from tierproof.spark_explorer.native.graph import ROWS, Connector
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.packing import fingerprints
from tierproof.spark_explorer.native.surveying import Habits, survey_steps

SAMPLED = 1 << 18
"""States that are surveyed, about, where the graph of all does not fit into memory."""
TOO_LONG = "the steps of all states take longer than the search did"
NO_MEMORY = "the machine, or its container, has no memory for the graph of states"


@dataclass(frozen=True, kw_only=True)
class Cycles:
    """The cycles of the graph: strongly connected components of more than one state.

    `steps` counts by action the steps that stay in their component.
    """

    components: int
    states: int
    largest: int
    steps: dict[str, int]


@dataclass(frozen=True, kw_only=True)
class Survey:
    """What the steps of `surveyed` states do.

    `enabled` counts by action the states in which it is enabled; `own` has the leaves that the
    steps of one actor alone have changed. `first_reached` counts by action the states that it was
    the first to reach: of the steps that lead to a state from the level before, the one with the
    least label. `cycles` is None for a reason, `no_cycles`, and so is `first_reached`.
    """

    surveyed: int
    enabled: dict[str, int]
    own: dict[str, tuple[int, ...]]
    first_reached: dict[str, int] | None
    cycles: Cycles | None
    no_cycles: str


class Surveyor:
    """Surveys states on several threads, for at most so many seconds."""

    def __init__(self, kernel: Kernel, states: Sequence[Array], threads: int) -> None:
        self.kernel = kernel
        words = np.concatenate(list(states))
        order = np.argsort(fingerprints(words))
        self.words = words[order]
        self.levels = np.repeat(np.arange(len(states)), list(map(len, states)))[order]
        self.connector = Connector(kernel, [self.words], np.zeros(kernel.steps.count, np.bool_))
        self.threads = [_Thread(kernel, self.connector.buffers()) for _ in range(threads)]
        self.batches: dict[int, tuple[Array, Array, Array]] = {}

    def survey(self, seconds: float, *, fits: bool) -> Survey:
        """The survey; whether the graph of the states `fits` into memory."""
        ended = time.monotonic() + seconds
        starts = iter(range(0, len(self.words), ROWS))
        with ThreadPoolExecutor(len(self.threads)) as pool:
            list(pool.map(lambda one: self._take(one, starts, ended, fits), self.threads))
        self.kernel.stopping.raise_if_asked()
        surveyed = sum(one.surveyed for one in self.threads)
        is_whole = surveyed == len(self.words)
        graph = self._graph() if is_whole and fits else None
        return Survey(
            surveyed=surveyed,
            enabled=self._enabled(),
            own=self._own(),
            first_reached=None if graph is None else self._first_reached(*graph),
            cycles=None if graph is None else self._cycles(*graph),
            no_cycles="" if is_whole and fits else TOO_LONG if fits else NO_MEMORY,
        )

    def _take(self, thread: _Thread, starts: Iterator[int], ended: float, fits: bool) -> None:
        """Survey batch after batch."""
        for start in starts:
            block = self.words[start : start + ROWS]
            parts = list(thread.batch(block))
            if fits:
                columns = zip(*parts, strict=True)
                counts, labels, targets = (np.concatenate(one) for one in columns)
                self.batches[start] = counts, labels, targets
            if time.monotonic() > ended or self.kernel.stopping.asked:
                return

    def _enabled(self) -> dict[str, int]:
        counts = np.sum([one.habits.enabled for one in self.threads], axis=0)
        names = (act.name for act in self.kernel.design.actions)
        return dict(zip(names, counts.tolist(), strict=True))

    def _own(self) -> dict[str, tuple[int, ...]]:
        """The leaves that one actor alone has changed, by the actor's name."""
        changed = np.bitwise_or.reduce([one.habits.changed for one in self.threads], axis=0)
        actors: dict[str, set[int]] = {}
        for label in np.flatnonzero(changed.any(axis=1)):
            step = self.kernel.steps.step(int(label))
            template = self.kernel.design.action(step.action).actor
            leaves = self._leaves(changed[label])
            actors.setdefault(template.format(**dict(step.arguments)), set()).update(leaves)
        found = {}
        for name in sorted(filter(None, actors)):
            others = set().union(*(leaves for other, leaves in actors.items() if other != name))
            if own := actors[name] - others:
                found[name] = tuple(sorted(own))
        return found

    def _leaves(self, bits: Array) -> list[int]:
        """The leaves that these bits belong to."""
        packing = self.kernel.packing
        word = np.repeat(np.arange(packing.words), np.diff(packing.first))
        inside = (bits[word] >> packing.shift) & packing.mask
        found: list[int] = np.flatnonzero(inside).tolist()
        return found

    def _graph(self) -> tuple[Array, Array, Array]:
        """Sources, labels and targets of the steps between states that were visited."""
        columns = zip(*(self.batches.pop(one) for one in sorted(self.batches)), strict=True)
        counts, labels, targets = (np.concatenate(one) for one in columns)
        sources = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        known = targets >= 0  # a search that was cut has not visited every target
        return sources[known], labels[known], targets[known]

    def _first_reached(self, sources: Array, labels: Array, targets: Array) -> dict[str, int]:
        goes_on = self.levels[targets] == self.levels[sources] + 1
        first = np.full(len(self.levels), self.kernel.steps.count, np.int64)
        np.minimum.at(first, targets[goes_on], labels[goes_on])
        count = self.kernel.steps.count
        return by_action(self.kernel, np.bincount(first, minlength=count + 1)[:count])

    def _cycles(self, sources: Array, labels: Array, targets: Array) -> Cycles:
        # Imported late: it is the slowest import of all.
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        count = len(self.levels)
        ones = np.ones(len(targets), np.int8)
        matrix = csr_array((ones, (sources, targets)), shape=(count, count))
        _, component = connected_components(matrix, directed=True, connection="strong")
        members = np.bincount(component)
        stays = labels[component[sources] == component[targets]]
        return Cycles(
            components=int((members > 1).sum()),
            states=int(members[members > 1].sum()),
            largest=int(members.max()) if (members > 1).any() else 0,
            steps=by_action(self.kernel, np.bincount(stays, minlength=self.kernel.steps.count)),
        )


def survey_of(
    kernel: Kernel, states: Sequence[Array], generated: int, threads: int, seconds: float
) -> Survey:
    """The survey of states whose steps generated so many; of a sample, if memory is scarce."""
    count = sum(len(block) for block in states)
    needed = count * (16 * kernel.words + 120) + generated * 40
    fits = needed < memory_left.free_memory()
    if not fits:
        every = -(-count // SAMPLED)
        states = [block[::every] for block in states]
    return Surveyor(kernel, states, threads).survey(seconds, fits=fits)


def unsurveyed(reason: str) -> Survey:
    """The survey of nothing, for this reason."""
    return Survey(surveyed=0, enabled={}, own={}, first_reached=None, cycles=None, no_cycles=reason)


def prepare_survey(kernel: Kernel) -> None:
    """Compile or load the engine's part by surveying no states."""
    none = np.zeros((0, kernel.words), np.uint64)
    _Thread(kernel, Surveyor(kernel, [none], 0).connector.buffers()).survey(none, 0)


def by_action(kernel: Kernel, counts: Array) -> dict[str, int]:
    """The counts of the labels of each action added up, of those that are counted at all."""
    totals = np.add.reduceat(counts, kernel.steps.first_label)
    names = (act.name for act in kernel.design.actions)
    return {name: int(count) for name, count in zip(names, totals, strict=True) if count}


class _Thread:
    """One thread's buffers."""

    def __init__(self, kernel: Kernel, edges: Edges) -> None:
        self.kernel, self.edges, self.work = kernel, edges, kernel.work()
        actions = len(kernel.design.actions)
        self.habits = Habits(
            np.zeros((kernel.steps.count, kernel.words), np.uint64),
            np.zeros(actions, np.int64),
            np.zeros(actions, np.int64),
        )
        self.surveyed = 0

    def batch(self, block: Array) -> Iterator[tuple[Array, Array, Array]]:
        """Survey a block; yields how many edges each state has, their labels and targets."""
        kernel, edges, row = self.kernel, self.edges, 0
        while row < len(block) and not kernel.stopping.asked:
            edges.total[0], edges.first[row] = 0, 0
            self.habits.last[:] = -1
            done = self.survey(block, row)
            self.surveyed += done - row
            ended = int(edges.total[0])
            counts = np.diff(edges.first[row : done + 1])
            yield counts, edges.labels[:ended].copy(), edges.targets[:ended].copy()
            row = done

    def survey(self, block: Array, row: int) -> int:
        """Survey rows of a block from `row` on, as far as there is room; returns the next."""
        it = self.kernel
        args = (it.code, it.tables, it.packing, self.work, self.edges, self.habits)
        return int(survey_steps(block, row, *args))
