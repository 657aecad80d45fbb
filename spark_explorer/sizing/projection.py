"""The share of each part of a state in the number of states, by projection."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import local
from typing import Any

import numpy as np

from tierproof.spark_explorer.native.packing import Packing, bits_of
from tierproof.spark_explorer.native.projecting import Projector
from tierproof.spark_explorer.sizing.parts import Part

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, kw_only=True)
class PartSize:
    """How much a part adds to the state space.

    `values` are the different values that it has in the states, `bits` the width of its fields.
    Without the part the states are `left`, and the `factor` is how many times fewer that is.
    Both counts are exact, or have a standard error of 0.4 %, if `is_exact` is False.
    """

    part: Part
    values: int
    bits: int
    left: int
    factor: float
    is_exact: bool

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
        }


def sizes_of(
    parts: Sequence[Part], states: list[Array], packing: Packing, threads: int
) -> list[PartSize]:
    """The size of each part in these blocks of packed states, the greatest factor first."""
    mine, varying = local(), _varying(states, packing)

    def measured(part: Part) -> PartSize:
        if not hasattr(mine, "projector"):
            mine.projector = Projector()
        return _size(part, states, packing, varying, mine.projector)

    pool = ThreadPoolExecutor(threads)
    try:
        found = list(pool.map(measured, parts))
    finally:
        pool.shutdown(cancel_futures=True)
    return sorted(found, key=lambda one: -one.factor)


def _varying(states: list[Array], packing: Packing) -> Array:
    """The bits that are not the same in all states."""
    bits = np.zeros(packing.words, np.uint64)
    blocks = [block for block in states if len(block)]
    for block in blocks:
        bits |= np.bitwise_or.reduce(block ^ blocks[0][0], axis=0)
    return bits


def _size(
    part: Part, states: list[Array], packing: Packing, varying: Array, projector: Projector
) -> PartSize:
    mask = bits_of(list(part.leaves), packing)
    bits = sum(int(word).bit_count() for word in mask)
    total = sum(len(block) for block in states)
    values, left, is_exact = 1, total, True
    if (mask & varying).any():
        values, is_exact = projector.count(states, mask & varying)
        left, is_left_exact = projector.count(states, varying & ~mask)
        is_exact = is_exact and is_left_exact
        # No estimate says that there are more states without a part than with it.
        values, left = min(values, total), min(max(left, 1), total)
    return PartSize(
        part=part, values=values, bits=bits, left=left, factor=total / left, is_exact=is_exact
    )
