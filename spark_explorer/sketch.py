"""How many different fingerprints a HyperLogLog sketch has counted, estimated.

The sketch is some kilobytes whatever it counts; sketches of several threads merge into one. The
estimate is Ertl's (2017, "New cardinality estimation algorithms for HyperLogLog sketches", improved
raw estimator), which needs no table of corrections and is right for few as for many.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from tierproof.spark_explorer.native.arrays import Array

STANDARD_ERROR = 1.04 / math.sqrt(1 << 14)
"""Of an estimate, as a share of it, with 16,384 registers: 0.8 %."""


def estimate(sketches: Iterable[Array]) -> int:
    """The number of different fingerprints that some of these sketches have counted."""
    registers = np.maximum.reduce(list(sketches))
    size = len(registers)
    ranks = 64 - int(math.log2(size))
    having = np.bincount(registers, minlength=ranks + 2) / size
    total = _saturated(1.0 - float(having[ranks + 1]))
    for rank in range(ranks, 0, -1):
        total = 0.5 * (total + float(having[rank]))
    total += _untouched(float(having[0]))
    return 0 if math.isinf(total) else round(size / (2.0 * math.log(2.0) * total))


def _untouched(share: float) -> float:
    """Ertl's sigma: what the registers that nothing was counted in add."""
    if share == 1.0:
        return math.inf
    total, before, weight = share, -1.0, 1.0
    while total != before:
        share *= share
        before = total
        total += share * weight
        weight += weight
    return total


def _saturated(share: float) -> float:
    """Ertl's tau: what the registers at the greatest rank add."""
    if share in (0.0, 1.0):
        return 0.0
    total, before, weight = 1.0 - share, -1.0, 1.0
    while total != before:
        share = math.sqrt(share)
        before = total
        weight *= 0.5
        total -= (1.0 - share) ** 2 * weight
    return total / 3.0
