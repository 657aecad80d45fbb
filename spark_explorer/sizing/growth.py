"""Growth: how the states of a scope grow with one bound, and what that says of a larger bound.

Each rule predicts the next count from those before. The rule that predicted the known counts best
is the one that is believed, and its error on them is the error of the estimate.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

LEAST_KNOWN = 4
"""Counts that are needed: the last two, at least, are predicted from those before, as a check."""
WORST_FACTOR = 2.0
"""An estimate that may be off by more than this factor is not given."""

Rule = Callable[[Sequence[float]], float]
"""The next logarithm of a sequence."""


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """An estimate, and the factor by which it may be off, by what the same rule missed before."""

    value: float
    factor: float

    @property
    def low(self) -> float:
        """The least that it may be."""
        return self.value / self.factor

    @property
    def high(self) -> float:
        """The most that it may be."""
        return self.value * self.factor


def _same_ratio(logs: Sequence[float]) -> float:
    """Each count is the one before, times the same."""
    return 2 * logs[-1] - logs[-2]


def _drifting_ratio(logs: Sequence[float]) -> float:
    """The ratio of two counts changes by the same factor each time."""
    return 3 * logs[-1] - 3 * logs[-2] + logs[-3]


def _settling_ratio(logs: Sequence[float]) -> float:
    """The ratio comes nearer to a last one, as much nearer as before."""
    first, second = logs[-2] - logs[-3], logs[-1] - logs[-2]
    return logs[-1] + (second * second / first if first > 0 else second)


def _polynomial(degree: int) -> Rule:
    """The counts are the values of a polynomial of this degree."""

    def following(logs: Sequence[float]) -> float:
        values = [math.exp(one) for one in logs[-degree - 1 :]]
        found = 0.0
        while values:
            found += values[-1]
            values = [after - before for before, after in pairwise(values)]
        return math.log(max(found, 1.0))

    return following


RULES: tuple[tuple[int, Rule], ...] = (
    (2, _same_ratio),
    (3, _drifting_ratio),
    (3, _settling_ratio),
    (2, _polynomial(1)),
    (3, _polynomial(2)),
    (4, _polynomial(3)),
)
"""Each rule, with the counts that it needs."""


def estimate(counts: Sequence[float], ahead: int) -> Estimate | None:
    """The count so many places after the last of `counts`; None where no rule fits them."""
    if len(counts) < LEAST_KNOWN or ahead < 1 or min(counts) <= 0:
        return None
    logs = [math.log(one) for one in counts]
    errors = [(error, rule) for need, rule in RULES if (error := _error(rule, need, logs, ahead))]
    if not errors:
        return None
    error, rule = min(errors, key=lambda pair: pair[0])
    found = Estimate(value=math.exp(_after(rule, logs, ahead)), factor=math.exp(error))
    return found if found.factor <= WORST_FACTOR else None


def _after(rule: Rule, logs: Sequence[float], ahead: int) -> float:
    """The logarithm so many places after the last; none overflows."""
    known = list(logs)
    for _ in range(ahead):
        known.append(min(rule(known), 500.0))
    return known[-1]


def _error(rule: Rule, need: int, logs: Sequence[float], ahead: int) -> float | None:
    """How far the rule may be off so many places ahead; None if it cannot be checked twice.

    It is the worst of what it missed in the last two known counts. An error of one place adds to
    the ratio of each later one, so that it grows with the square of the distance; where the rule
    can be checked as far ahead as is asked, and missed more there, that counts.
    """
    if len(logs) < need + 2:
        return None
    missed = max(abs(_after(rule, logs[:-back], 1) - logs[-back or None :][0]) for back in (1, 2))
    far = len(logs) - ahead
    as_far = abs(_after(rule, logs[:far], ahead) - logs[-1]) if far >= need else 0.0
    return max(missed * ahead * (ahead + 1) / 2, as_far, 1e-3)
