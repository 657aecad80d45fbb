"""Execution: the interface between the search loop and its execution, in memory or on Spark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from tierproof.model.language.errors import TierproofError
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.expansion import Checks
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.seeking import Origins
from tierproof.spark_explorer.provenance import OnSpark

STATE_ITSELF = -1
"""Label of an occurrence that is a state; any other label is the step taken from that state."""


class LevelLost(TierproofError):
    """What expanded a level has ended; all levels before it are whole, and so are the counts."""


class Unlike(LevelLost):
    """A worker, or a run's folder, is not what the driver has; the message says what differs."""


@dataclass
class Occurrences:
    """The results of expanding (part of) a level, mergeable in any order.

    `hits[k]`, `where[k]` and `label[k]` describe check k, as in `Checks`.
    """

    hits: list[int]
    where: list[int]
    label: list[int]
    premises: list[int]
    taken: list[int]
    edges: list[bool] = field(default_factory=list)

    @classmethod
    def none(cls, kernel: Kernel) -> Occurrences:
        """Empty occurrences."""
        zeros = [0] * kernel.checks
        actions, edges = len(kernel.design.actions), len(kernel.tables.law_edges)
        return cls(zeros[:], zeros[:], zeros[:], zeros[:], [0] * actions, [False] * edges)

    @classmethod
    def taken_from(cls, checks: Checks) -> Occurrences:
        """Take the contents of a worker's checks, and empty them."""
        found = cls(*(array.tolist() for array in checks))
        for array in checks:
            array[:] = 0
        return found

    def add(self, other: Occurrences) -> None:
        """Merge: add counts; of two occurrences, keep the smaller (fingerprint, label)."""
        for k, hits in enumerate(other.hits):
            mine, theirs = (self.where[k], self.label[k]), (other.where[k], other.label[k])
            if hits and (not self.hits[k] or theirs < mine):
                self.where[k], self.label[k] = theirs
            self.hits[k] += hits
            self.premises[k] += other.premises[k]
        self.taken = [a + b for a, b in zip(self.taken, other.taken, strict=True)]
        self.edges = [a or b for a, b in zip(self.edges, other.edges, strict=True)]


@dataclass(frozen=True)
class FirstOccurrence:
    """The first occurrence of a check: at a state of `level`, or on a step out of it."""

    level: int
    where: int
    label: int


@dataclass
class Standing:
    """What a search has counted once it has all states of a level: what a kept run goes on from."""

    total: Occurrences
    first: dict[int, FirstOccurrence] = field(default_factory=dict)
    frontier_sizes: list[int] = field(default_factory=list)
    generated: int = 0
    seconds: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)

    @classmethod
    def of(cls, told: dict[str, Any]) -> Standing:
        """From plain values, those of `as_dict` among others."""
        first = {int(number): FirstOccurrence(**one) for number, one in told["first"].items()}
        rest = {name: told[name] for name in ("frontier_sizes", "generated", "seconds")}
        return cls(Occurrences(**told["total"]), first, **rest)


class Execution(Protocol):
    """Holds the visited set and the frontier, and expands one level at a time."""

    name: str

    @property
    def distinct(self) -> int:
        """The number of visited states."""

    @property
    def frontier(self) -> int:
        """The number of states in the frontier that are not expanded yet."""

    @property
    def bytes_held(self) -> int | None:
        """Bytes that states take in this process, None if they are elsewhere."""

    @property
    def room(self) -> int | None:
        """The distinct states that memory has room for, these included; None if nobody knows."""

    @property
    def on_spark(self) -> OnSpark | None:
        """What Spark has done, None if it is not asked."""

    def states(self) -> Sequence[Array]:
        """The packed states of each level; those of a kept run are read whenever one is taken."""

    def seed(self, initial: Array, labels: Array) -> Standing | None:
        """Begin with these packed states, all different, as level 0; labels are their numbers.

        Where a kept run goes on, the frontier is that of its last level; returns what was counted.
        """

    def advance(self, level: int, *, in_order: bool = False) -> Iterator[Occurrences]:
        """Expand the frontier, which is `level`; yields occurrences part by part.

        After the last part the frontier is the new states of the next level; with `in_order` they
        are in the same order in every run. A caller that stops iterating early has cut the search.
        Raises LevelLost, which cuts it, too.
        """

    def commit(self, standing: Standing) -> None:
        """All states of a level are found, and this is counted: from here a kept run can go on."""

    def origins(self, wanted: Iterable[tuple[int, int]]) -> Origins:
        """How states, given by level and fingerprint, and all on the way to them were reached."""

    def close(self) -> None:
        """Release what the execution holds."""
