"""The progress of a search or of random walks: counts, and the words for them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import StrEnum

from tierproof.spark_explorer.display import Point
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.outlook import UNKNOWN, Outlook


class Phase(StrEnum):
    """The phase of a search."""

    INITIAL = "enumerating initial states"
    STATES = "exploring"
    LIVENESS = "judging liveness"
    MEASURING = "measuring"


@dataclass(frozen=True, kw_only=True)
class Progress:
    """The progress of a running search. `left` counts states of the level not yet expanded.

    While initial states are enumerated, `frontier` and `left` count their candidates.
    """

    phase: Phase
    level: int
    frontier: int
    left: int
    distinct: int
    generated: int
    seconds: float
    outlook: Outlook = UNKNOWN

    @property
    def where(self) -> str:
        """The phase, or the level under way, in words."""
        return f"level {self.level}" if self.phase is Phase.STATES else str(self.phase)

    @property
    def numbers(self) -> str:
        """The counts in words."""
        if self.phase is Phase.INITIAL:
            tried = self.frontier - self.left
            return f"found {self.distinct:,}  tried {tried:,} of {self.frontier:,} candidates"
        counts = f"distinct {self.distinct:,}  generated {self.generated:,}"
        if self.phase is not Phase.STATES:
            return counts
        rate = self.distinct / self.seconds if self.seconds > 0.05 else 0
        largest = f" (largest {self.outlook.largest:,})" * (self.outlook.largest > self.frontier)
        ahead = self.outlook.words(self.distinct, self.seconds)
        now = f"frontier {self.frontier:,}{largest}  {counts}  {rate:,.0f} states/s"
        return "  ".join([now, *ahead])

    @property
    def share(self) -> float:
        """The part of the level that is done, 0 to 1."""
        return max(0.0, 1 - self.left / self.frontier) if self.frontier else 1.0


def enumerating(kernel: Kernel, began: float) -> Progress:
    """The progress of the enumeration of initial states that began at this time."""
    begun = kernel.beginnings
    return Progress(
        phase=Phase.INITIAL,
        level=0,
        frontier=begun.count,
        left=begun.count - begun.tried,
        distinct=len(begun.words),
        generated=0,
        seconds=time.monotonic() - began,
    )


@dataclass(frozen=True, kw_only=True)
class WalkProgress:
    """The progress of running walks. `share` is done of the limit that comes first, 0 to 1."""

    walks: int
    steps: int
    distinct: int
    violated: int
    seconds: float
    share: float

    @property
    def where(self) -> str:
        """What is under way."""
        return "walking"

    @property
    def numbers(self) -> str:
        """The counts in words."""
        rate = self.steps / self.seconds if self.seconds > 0.05 else 0
        return (
            f"walks {self.walks:,}  steps {self.steps:,}  distinct about {self.distinct:,}  "
            f"violated {self.violated}  {rate:,.0f} steps/s"
        )


def no_watch(point: Point) -> None:
    """Ignore progress."""
