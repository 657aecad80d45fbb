"""The graph of a design in a scope, to compare with that of a mutant of it.

Two graphs are the same if they have the same states, and from each the same labelled steps to the
same states. States are compared by their fingerprints, steps by a digest for each state, so that
neither the order nor the numbers in which a search meets them count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.edges import BEYOND
from tierproof.spark_explorer.native.graph import Connector, Graph
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.packing import fingerprints


@dataclass(frozen=True)
class Sketch:
    """The graph of a design: `N` states by level, `E` steps that change something.

    `states` are the fingerprints, level by level, and `starts` where each level begins; `steps`
    is a digest of the steps of each state.
    """

    states: Array  # uint64[N]
    starts: tuple[int, ...]
    steps: Array  # uint64[N]
    graph: Graph

    @property
    def edges(self) -> int:
        """The number of steps."""
        return len(self.graph.labels)

    def steps_of(self, number: int) -> dict[int, int]:
        """Label -> the fingerprint of the successor, or BEYOND for one outside the bounds."""
        first, last = self.graph.first[number], self.graph.first[number + 1]
        targets = self.graph.targets[first:last]
        found = [int(self.states[at]) if at != BEYOND else BEYOND for at in targets]
        return dict(zip(self.graph.labels[first:last].tolist(), found, strict=True))


@dataclass(frozen=True)
class Difference:
    """The first state in which two graphs differ: its level, fingerprint, and number in each."""

    level: int
    state: int
    number: int
    number_in_other: int


def sketch(kernel: Kernel, levels: Sequence[Array]) -> Sketch:
    """The graph of the states that a search has visited, all of which it has expanded.

    Raises as `Connector.graph` does.
    """
    connector = Connector(kernel, levels, np.ones(kernel.steps.count, np.bool_))
    connector.is_limited[:] = False  # what a limit of the scope hides is no step
    graph = connector.graph(threads=1)
    sizes = [len(level) for level in levels]
    states = np.concatenate([fingerprints(level) for level in levels])
    starts = (0, *np.cumsum(sizes).tolist())
    targets = np.where(graph.targets == BEYOND, np.uint64(0), states[graph.targets])
    edges = _mixed(targets ^ _mixed(graph.labels.astype(np.uint64) + np.uint64(1)))
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(edges, dtype=np.uint64)])
    steps = sums[graph.first[1:]] - sums[graph.first[:-1]]
    return Sketch(states, starts, steps, graph)


def first_difference(one: Sketch, other: Sketch) -> Difference | None:
    """The first state, nearest to the initial ones, whose steps differ; None if none does.

    Both have the same initial states.
    """
    order = np.argsort(other.states)
    places = np.searchsorted(other.states[order], one.states)
    for level in range(len(one.starts) - 1):
        for number in range(one.starts[level], one.starts[level + 1]):
            there = int(order[places[number]])  # levels above are alike: it is there
            if one.steps[number] != other.steps[there]:
                return Difference(level, int(one.states[number]), number, there)
    return None


def _mixed(words: Array) -> Array:
    """The words with their bits mixed: splitmix64."""
    found = (words + np.uint64(0x9E3779B97F4A7C15)).astype(np.uint64)
    found = (found ^ (found >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    found = (found ^ (found >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(found ^ (found >> np.uint64(31)))
