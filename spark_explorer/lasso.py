"""A lasso: a shortest path to a fair set, and a short fair cycle in that set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tierproof.model.language.errors import NonDeterministic
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.fairness import (
    FREE,
    ROOT,
    SWITCH,
    UNSEEN,
    Links,
    keep_idle,
    owe,
    settle,
    walk,
)

Choice = tuple[int, list[int], list[int]]
"""An initial state, the edges of the path from it, and those of the cycle."""
OTHER_STARTS = 8
"""How many states of a cycle are tried as its start; another start may shorten the cycle."""
SMALL = 50_000
"""The largest fair set for which other starts are tried."""


@dataclass(frozen=True)
class Waiting:
    """A graph with the states in which a goal is awaited, as `reach` found them.

    `how` is the fairness of each label. `came` and `queue` are those of `reach`: a node below
    the number of states is a state, a node above is a state in which the goal is awaited.
    """

    links: Links
    how: Array
    came: Array
    queue: Array

    @property
    def states(self) -> Array:
        """Whether the goal is awaited in each state; the array is a copy."""
        return self.came[len(self.came) // 2 :] != UNSEEN


class Lasso:
    """Finds a lasso into fair states; `home` numbers the fair set of each.

    The cycle begins in one of `starts`: fair states in which the goal is false.
    """

    def __init__(self, waiting: Waiting, starts: Array, home: Array) -> None:
        self.waiting, self.links = waiting, waiting.links
        self.starts, self.home = starts, home
        self.count, labels = len(starts), len(waiting.how)
        self.enabled, self.flags = np.zeros(labels, np.int64), np.zeros(labels, np.bool_)
        self.came = np.full(self.count, UNSEEN, np.int64)
        self.queue = np.empty(self.count, np.int64)

    def found(self) -> Choice:
        """The initial state, the edges of the path, and those of the cycle (none: an end)."""
        nearest = next(self._by_distance(self.starts))
        root, way = self._way(nearest)
        choices = [(root, way, self._cycle(nearest))]
        if (self.home == self.home[nearest]).sum() <= SMALL:
            choices += self._turned(*choices[0])
        ends = self.starts.copy()
        keep_idle(self.links, self.waiting.how, ends)
        for end in self._by_distance(ends):
            choices.append((*self._way(end), []))
            break
        return min(choices, key=lambda choice: len(choice[1]) + len(choice[2]))

    def _turned(self, root: int, way: list[int], cycle: list[int]) -> Iterator[Choice]:
        """The cycle rebuilt from a later state of it."""
        for later in range(1, min(len(cycle), OTHER_STARTS + 1)):
            start = self._source(cycle[later])
            if self.starts[start]:
                yield root, way + cycle[:later], self._cycle(start)

    def _by_distance(self, chosen: Array) -> Iterator[int]:
        """The chosen states in which the goal is awaited, nearest first."""
        queue = self.waiting.queue
        nodes = queue[queue >= self.count] - self.count
        return (int(state) for state in nodes[chosen[nodes]])

    def _source(self, edge: int) -> int:
        return int(np.searchsorted(self.links.first, edge, side="right")) - 1

    def _way(self, state: int) -> tuple[int, list[int]]:
        """The initial state and the edges from it to `state`, in which the goal is awaited."""
        edges: list[int] = []
        node = state + self.count
        while (edge := int(self.waiting.came[node])) != ROOT:
            if edge == SWITCH:
                node -= self.count
                continue
            edges.append(edge)
            node = self._source(edge) + (self.count if node >= self.count else 0)
        return node, edges[::-1]

    def _cycle(self, start: int) -> list[int]:
        """Edges from `start` back to it that pay every debt, always the nearest one next."""
        debts, edges, state = self._debts(start), list[int](), start
        settle(self.links, state, debts, self.flags)
        while debts.any():
            for edge in self._leg(state, -1, debts):
                edges.append(edge)
                state = int(self.links.targets[edge])
                debts[self.links.labels[edge]] = FREE
                settle(self.links, state, debts, self.flags)
        return edges if state == start else edges + self._leg(state, start, debts)

    def _debts(self, state: int) -> Array:
        """The debts of a cycle in the fair set of `state`, for each label."""
        debts = np.zeros(len(self.waiting.how), np.int8)
        members = np.flatnonzero(self.home == self.home[state])
        owe(self.links, self.waiting.how, members, self.home, self.enabled, self.flags, debts)
        return debts

    def _leg(self, start: int, goal: int, debts: Array) -> list[int]:
        """The edges from `start` to `goal`; if it is -1, to the nearest that pays a debt."""
        last, seen = walk(
            self.links, self.home, start, goal, debts, self.came, self.queue, self.flags
        )
        if last < 0:
            raise NonDeterministic("a fair set of states is not connected")
        edges, edge = [], int(last)
        while edge != ROOT:
            edges.append(edge)
            edge = int(self.came[self._source(edge)])
        self.came[self.queue[:seen]] = UNSEEN
        return edges[::-1]
