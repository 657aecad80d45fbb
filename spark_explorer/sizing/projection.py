"""The share of each part of a state in the number of states, by projection."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import local
from typing import Any

import numpy as np

from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.packing import Packing, bits_of
from tierproof.spark_explorer.native.projecting import Projector, fingerprints_by
from tierproof.spark_explorer.sizing.parts import Part


@dataclass(frozen=True, kw_only=True)
class PartSize:
    """How much a part adds to the state space.

    `values` are the different values that it has in the states, `bits` the width of its fields.
    Without the part the states are `left`, and the `factor` is how many times fewer that is.
    Both counts are exact, or have a standard error of 0.4 %, if `is_exact` is False. `stale` is how
    many times fewer the states are if those are merged that differ in the part alone and that no
    behaviour tells apart: an exact count, or None if it was not sought.
    """

    part: Part
    values: int
    bits: int
    left: int
    factor: float
    is_exact: bool
    stale: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "name": self.part.name,
            "kind": str(self.part.kind),
            "values": self.values,
            "bits": self.bits,
            "states_without_it": self.left,
            "factor": round(self.factor, 4),
            "is_exact": self.is_exact,
            "stale": None if self.stale is None else round(self.stale, 4),
        }


def sizes_of(
    parts: Sequence[Part], states: list[Array], packing: Packing, threads: int
) -> list[PartSize]:
    """The size of each part in these blocks of packed states, the greatest factor first."""
    space, mine = Space(states, packing), local()

    def measured(part: Part) -> PartSize:
        if not hasattr(mine, "projector"):
            mine.projector = Projector()
        return space.size_of(part, mine.projector)

    pool = ThreadPoolExecutor(threads)
    try:
        found = list(pool.map(measured, parts))
    finally:
        pool.shutdown(cancel_futures=True)
    return sorted(found, key=lambda one: -one.factor)


class Space:
    """The states, and their fingerprints by the bits that are not the same in all of them."""

    def __init__(self, states: list[Array], packing: Packing) -> None:
        self.packing = packing
        self.states = [block for block in states if len(block)]
        self.total = sum(len(block) for block in self.states)
        self.varying = np.zeros(packing.words, np.uint64)
        for block in self.states:
            self.varying |= np.bitwise_or.reduce(block ^ self.states[0][0], axis=0)
        self.whole = fingerprints_by(self.states, self.varying)

    def size_of(self, part: Part, projector: Projector) -> PartSize:
        """How much a part adds."""
        mask = bits_of(list(part.leaves), self.packing)
        changing = mask & self.varying
        values, left, is_exact = 1, self.total, True
        if changing.any():
            values, is_exact = projector.count(self.states, changing)
            left, is_left_exact = projector.count_without(
                self.states, self.whole, self.varying, changing
            )
            is_exact = is_exact and is_left_exact
            # No estimate says that there are more states without a part than with it.
            values, left = min(values, self.total), min(max(left, 1), self.total)
        return PartSize(
            part=part,
            values=values,
            bits=sum(int(word).bit_count() for word in mask),
            left=left,
            factor=self.total / left,
            is_exact=is_exact,
        )
