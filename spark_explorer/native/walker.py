"""Walker: one thread that takes random walks over a kernel, or takes one of them again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tierproof.spark_explorer.compiler.storage import ENGINE, held
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.walking import (
    NUMBER_BITS,
    REGISTER_BITS,
    Walk,
    retrace,
    take_walks,
)
from tierproof.spark_explorer.shortening import Taken


class Walker:
    """One thread's buffers for walks of at most `depth` steps. Not shared between threads."""

    def __init__(self, kernel: Kernel, initial: Array, seed: int, depth: int) -> None:
        self.kernel, self.initial, self.seed = kernel, initial, np.uint64(seed)
        self.work, self.checks = kernel.work(), kernel.blank_checks()
        self.walk = Walk(
            np.zeros(kernel.words, np.uint64),
            np.zeros(kernel.words, np.uint64),
            np.zeros(depth, np.uint32),
            np.zeros(depth + 1, np.uint64),
            np.zeros(1, np.int64),
            np.zeros(1, np.int64),
            np.zeros(6, np.int64),
            np.zeros(1 << REGISTER_BITS, np.uint8),
        )

    def prepare(self) -> None:
        """Compile or load the design and the engine by zero walks, and zero steps of one."""
        self.kernel.loaded  # noqa: B018  # compiled under a lock of its own
        with held(ENGINE):
            self.take(0, 0)
            self.retrace(0, (), 0)

    def take(self, first: int, count: int) -> None:
        """Take `count` walks from number `first` on; a fault, noted among the checks, ends them."""
        kernel = self.kernel
        self.work.context[0] = 0
        take_walks(
            first,
            count,
            self.initial,
            self.seed,
            kernel.code,
            kernel.tables,
            kernel.packing,
            self.work,
            self.checks,
            self.walk,
        )

    def retrace(self, at: int, labels: Sequence[int], target: int) -> Taken | None:
        """What is taken of these steps from initial state `at` until check `target` reports.

        None if it does not report, or if a fault comes first. Steps that are not enabled are
        passed over.
        """
        kernel = self.kernel
        self.work.context[0] = 0
        taken = retrace(
            self.initial,
            at,
            np.array(labels, np.uint32),
            target,
            kernel.code,
            kernel.tables,
            kernel.packing,
            self.work,
            self.checks,
            self.walk,
        )
        if taken < 0:
            return None
        return Taken(self.walk.path[:taken].tolist(), self.walk.passed[: taken + 1].tolist())

    def again(self, place: int) -> tuple[int, list[int]]:
        """Take the walk to a place again: its initial state, the labels to there, and the next one.

        An empty Walker is needed: it counts what it takes.
        """
        number, length = place & ((1 << NUMBER_BITS) - 1), place >> NUMBER_BITS
        self.take(number, 1)
        return int(self.walk.begun[0]), self.walk.path[: length + 1].tolist()
