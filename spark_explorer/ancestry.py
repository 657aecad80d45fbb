"""Ancestry: the states on the way to those that were found, sought backwards, level by level.

A visited table knows no parents. So one pass from the deepest level to the first finds those of all
wanted states at once, by taking again the steps of the states that could lead to them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from tierproof.model.language.errors import NonDeterministic
from tierproof.spark_explorer.dividing import Divided
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.packing import fingerprints
from tierproof.spark_explorer.native.seeking import (
    BITS_EACH,
    MOST_BITS,
    Best,
    Origin,
    Origins,
    Sieve,
    fill,
    merge,
    rows_of,
    seek,
)
from tierproof.spark_explorer.native.visited import Visited
from tierproof.spark_explorer.native.worker import Worker

MOST_MASKS = 100
"""Masks of an action above which there is one for all of its labels."""
BLOCK = 1 << 16
"""States that are looked at between two looks at whether somebody wants to stop."""


class Ancestry:
    """Finds origins; `blocks` gives the packed states of a level.

    `seeds` are the fingerprints of the initial states and their numbers, `changed` the bits that
    the step with each label has changed in the search.
    """

    def __init__(
        self,
        kernel: Kernel,
        blocks: Callable[[int], Iterable[Array]],
        seeds: tuple[Array, Array],
        changed: Array,
    ) -> None:
        self.kernel, self.blocks, self.seeds = kernel, blocks, seeds
        batch = kernel.steps.count + 1  # the successors of one state, and none goes to the table
        self.workers = [Worker(kernel, batch=batch) for _ in range(os.cpu_count() or 1)]
        self.table = Visited(1).table
        # Where things are renamed, a step may change any bit.
        self.masks = [] if kernel.reducing.is_on else _by_action(kernel, changed)

    def of(self, wanted: Iterable[tuple[int, int]]) -> Origins:
        """The origins of states, given by level and fingerprint, and of all on the way to them.

        Raises NonDeterministic if a state is not where it should be, or nothing leads to it.
        """
        asked: dict[int, set[int]] = {}
        for level, found in wanted:
            asked.setdefault(level, set()).add(found)
        origins: Origins = {}
        known = np.zeros((0, self.kernel.words), np.uint64)
        for level in range(max(asked, default=-1), -1, -1):
            missing = asked.get(level, set()) - set(fingerprints(known).tolist())
            known = np.concatenate([known, self._found(level, sorted(missing))])
            if level:
                best = self._sought(level - 1, known)
                pairs = zip(best.parents.tolist(), best.labels.tolist(), strict=True)
                made = [Origin(*pair) for pair in pairs]
                known = np.unique(best.words, axis=0)
            else:
                best = self._best(known)
                made = [Origin(0, label) for label in self._numbers(best.found)]
            origins |= {
                (level, found): origin
                for found, origin in zip(best.found.tolist(), made, strict=True)
            }
        return origins

    def _found(self, level: int, missing: Sequence[int]) -> Array:
        """The packed states of a level with these fingerprints."""
        states = np.zeros((len(missing), self.kernel.words), np.uint64)
        left = set(missing)
        for block in self.blocks(level) if missing else ():
            rows = np.full(len(missing), -1, np.int64)
            rows_of(block, np.array(missing, np.uint64), rows)
            states[rows >= 0] = block[rows[rows >= 0]]
            left -= {missing[int(place)] for place in np.flatnonzero(rows >= 0)}
        for found in left:
            raise NonDeterministic(f"no state of level {level} has the fingerprint {found:#x}")
        return states

    def _numbers(self, wanted: Array) -> list[int]:
        """The numbers of initial states."""
        found, labels = self.seeds
        order = np.argsort(found)
        return labels[order[np.searchsorted(found, wanted, sorter=order)]].tolist()

    def _best(self, wanted: Array) -> Best:
        """No origins of these packed states yet."""
        found = np.sort(fingerprints(wanted))
        count, words = wanted.shape
        labels = np.full(count, -1, np.int64)
        return Best(found, np.zeros(count, np.uint64), labels, np.zeros((count, words), np.uint64))

    def _sought(self, level: int, wanted: Array) -> Best:
        """The best origins, among the states of a level, of wanted packed states."""
        sieve, found = self._sieve(wanted), [self._best(wanted) for _ in self.workers]
        blocks = Divided(
            block[row : row + BLOCK]
            for block in self.blocks(level)
            for row in range(0, len(block), BLOCK)
        )

        def work(worker: Worker, best: Best) -> None:
            for block in blocks:
                self._seek(block, worker, sieve, best)

        with ThreadPoolExecutor(len(self.workers)) as pool:
            list(pool.map(work, self.workers, found))
        best = found[0]
        for other in found[1:]:
            merge(best, other)
        for one, label in zip(best.found.tolist(), best.labels, strict=True):
            if label < 0:
                raise NonDeterministic(f"no step leads again to the state {one:#x}")
        return best

    def _seek(self, block: Array, worker: Worker, sieve: Sieve, best: Best) -> None:
        kernel = self.kernel
        engine = (kernel.code, kernel.tables, kernel.packing, kernel.reducing.reduction)
        buffers = (worker.bench, worker.work, worker.checks, self.table, worker.output)
        seek(block, *engine, *buffers, sieve, best)
        kernel.stopping.raise_if_asked()

    def _sieve(self, wanted: Array) -> Sieve:
        none = np.zeros((0, self.kernel.words), np.uint64)
        unions = [np.bitwise_or.reduce(masks)[None] for masks in self.masks]
        by_action, kept = (~np.concatenate([none, *each]) for each in (unions, self.masks))
        entries = (len(by_action) + len(kept)) * len(wanted)
        power = 6
        while 1 << power < min(MOST_BITS, BITS_EACH * entries):
            power += 1
        first = np.cumsum([0, *map(len, self.masks)])
        bits = np.zeros(1 << (power - 6), np.uint64)
        sieve = Sieve(by_action, first, kept, bits, np.uint64(64 - power))
        fill(sieve, kept, 0, wanted)
        fill(sieve, by_action, len(kept), wanted)
        return sieve


def _by_action(kernel: Kernel, changed: Array) -> list[Array]:
    """For each action, masks that contain the bits of each of its labels: as few as that takes."""
    ends = [*kernel.steps.first_label[1:], len(changed)]
    pairs = zip(kernel.steps.first_label, ends, strict=True)
    parts = [changed[first:end] for first, end in pairs]
    return [_largest(np.unique(part, axis=0)) for part in parts if part.any()]


def _largest(masks: Array) -> Array:
    """Those of different masks that no other one contains; their union, if they are many."""
    if len(masks) > MOST_MASKS:
        return np.bitwise_or.reduce(masks)[None]
    inside = ((masks[:, None, :] & ~masks[None, :, :]) == 0).all(axis=2)
    return masks[inside.sum(axis=1) == 1]
