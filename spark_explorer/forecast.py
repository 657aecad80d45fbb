"""Forecast: how many states a running search will find, from the sizes of its levels.

Most state spaces have levels that grow, and then shrink, ever less steeply or ever more: the
logarithm of the ratio of two levels falls along a line. Where it did so lately, and the forecasts
of the levels before agree, the line is continued; otherwise nothing is said.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

WINDOW = 6
"""Ratios that the line is drawn through."""
EARLIER = 3
"""Forecasts, of the levels before the last, that have to agree with this one."""
WORST_FACTOR = 1.5
"""The factor by which they may differ."""
SHRUNK = 2
"""How many times in a row the levels must have shrunk: before, their shape promises too much."""
SURE = 1.05
"""The least factor by which a forecast may be off."""
LEAST_STATES = 10_000
"""Fewer are found at once, and small spaces have ragged levels."""
MOST_LEVELS = 10_000


@dataclass(frozen=True, kw_only=True)
class Forecast:
    """How many states there are in all, about, and the factor by which that may be off.

    The factor is the square of that by which earlier forecasts differ. It bounds the error where
    the levels go on as they do; nobody knows that they will, as some grow again.
    """

    total: float
    factor: float

    @property
    def low(self) -> float:
        """The fewest states that there may be."""
        return self.total / self.factor

    @property
    def high(self) -> float:
        """The most states that there may be."""
        return self.total * self.factor


def forecast(levels: Sequence[int]) -> Forecast | None:
    """The forecast from the sizes of whole levels; None if their shape does not tell."""
    totals = [_total(levels[: len(levels) - back]) for back in range(1 + EARLIER)]
    known = [one for one in totals if one is not None]
    if len(known) < len(totals):
        return None
    differing = max(known) / min(known)
    is_shrinking = all(after < before for before, after in pairwise(levels[-SHRUNK - 1 :]))
    if differing > WORST_FACTOR or not is_shrinking or sum(levels) < LEAST_STATES:
        return None
    factor = max(differing**2, SURE)
    return Forecast(total=known[0], factor=factor)


def _total(levels: Sequence[int]) -> float | None:
    """All states, if the line of the last ratios goes on; None if there is no such line."""
    recent = levels[-WINDOW - 1 :]
    if len(recent) <= WINDOW or min(recent) <= 0:
        return None
    ratios = [math.log(after / before) for before, after in pairwise(recent)]
    middle = (WINDOW - 1) / 2
    slope = sum((at - middle) * one for at, one in enumerate(ratios)) / sum(
        (at - middle) ** 2 for at in range(WINDOW)
    )
    if slope >= 0:
        return None
    ratio = sum(ratios) / WINDOW + slope * (WINDOW - 1 - middle)
    found, size = float(sum(levels)), float(recent[-1])
    for _ in range(MOST_LEVELS):
        ratio += slope
        size *= math.exp(ratio)
        found += size
        if size < 1 and ratio < 0:
            return found
    return None
