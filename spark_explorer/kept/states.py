"""States of a kept run, by level and id, with a shortest trace to each."""

from __future__ import annotations

import numpy as np

from tierproof.model.language.trace import Trace
from tierproof.spark_explorer.ancestry import Ancestry
from tierproof.spark_explorer.execution import STATE_ITSELF, FirstOccurrence
from tierproof.spark_explorer.kept.attempt import changed_in
from tierproof.spark_explorer.kept.opening import KeptRun
from tierproof.spark_explorer.kept.store import NoSuchRun
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.packing import fingerprints
from tierproof.spark_explorer.native.worker import prepare
from tierproof.spark_explorer.ways import way_to


class KeptStates:
    """The states of a run whose design is compiled once. Raises as `KeptRun.kernel` does."""

    def __init__(self, run: KeptRun) -> None:
        self.run = run
        self.kernel: Kernel = run.kernel()
        prepare(self.kernel)
        shape = (self.kernel.steps.count, self.kernel.words)
        initial, labels = self.kernel.reducing.seeds(self.kernel.initial())
        changed = changed_in(run.run.told(run.levels - 1), shape)
        seeds = fingerprints(initial), labels
        self._ancestry = Ancestry(self.kernel, run.blocks, seeds, changed)

    def has(self, level: int, id: int) -> bool:
        """Whether the run has a state with this id at a level. Raises NoSuchRun for no level."""
        self._check_level(level)
        if not 0 <= id < 1 << 64:
            return False
        return any(np.isin(np.uint64(id), fingerprints(it)) for it in self.run.blocks(level))

    def trace(self, level: int, id: int) -> Trace:
        """A shortest trace to the state of a level with this id.

        Raises NoSuchRun for a level that the run does not have, NonDeterministic for a state.
        """
        self._check_level(level)
        found = FirstOccurrence(level, id, STATE_ITSELF)
        return way_to(self.kernel, self._ancestry.of([(level, id)]), found)

    def _check_level(self, level: int) -> None:
        if not 0 <= level < self.run.levels:
            raise NoSuchRun(f"{self.run.store} has the levels 0 to {self.run.levels - 1}")
