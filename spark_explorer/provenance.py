"""Provenance: where a result comes from: a run that was resumed, levels that Spark expanded."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Resumed:
    """That a kept run was gone on with: how many `times`, and the last time from which `level`."""

    times: int
    level: int

    def as_dict(self) -> dict[str, Any]:
        """As plain values, and in words."""
        return {**asdict(self), "statement": str(self)}

    def __str__(self) -> str:
        times = "once" if self.times == 1 else f"{self.times} times"
        return f"resumed {times}, the last time from level {self.level}"


@dataclass(frozen=True, kw_only=True)
class OnSpark:
    """How many `levels` Spark has expanded, in so many `jobs`; the process that asked did the rest.

    `states` were found in them. If cores sent states to those that own them, they were `shuffled`
    bytes, before Spark compresses them. Of a run that was resumed, all of this since then.
    """

    levels: int
    jobs: int
    states: int
    shuffled: int | None

    def __str__(self) -> str:
        if not self.levels:
            return "Spark had no job: this process was done with every level before"
        levels = "1 level" if self.levels == 1 else f"{self.levels} levels"
        jobs = "1 job" if self.jobs == 1 else f"{self.jobs} jobs"
        told = f"Spark expanded {levels} in {jobs}"
        if self.shuffled is None:
            return told
        each = self.shuffled / max(1, self.states)
        return f"{told}; {self.shuffled:,} bytes shuffled, {each:.1f} for each distinct state"
