"""Which offsets of a partition were seen: twice, out of order, or not at all."""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from typing import Any

import numpy as np

from tierproof.conformance.audit.reading.batches import FIRST, LAST

Numbers = np.ndarray[Any, Any]
Interval = tuple[int, int]
"""First and last offset, inclusive."""


def renumber(batches: Numbers, expected: int | None) -> Numbers:
    """Give batches whose base offset alone is wrong the right one; returns which, bool[batches].

    No checksum covers it. Such a batch breaks the sequence, and would not with the offset that its
    neighbours leave it, which no other batch has (else they changed places). `expected` is the
    offset of the first, None if it is not known.
    """
    firsts, lasts = batches[:, FIRST], batches[:, LAST]
    before = np.full(len(batches), -2 if expected is None else expected, np.int64)
    before[1:] = lasts[:-1] + 1
    width = lasts - firsts + 1
    fits = np.zeros(len(batches), np.bool_)
    fits[:-1] = before[:-1] + width[:-1] == firsts[1:]
    if expected is None:
        fits[:1] = False
    is_wrong = fits & (firsts != before)
    is_wrong &= ~np.isin(before, firsts)
    batches[is_wrong, FIRST] = before[is_wrong]
    batches[is_wrong, LAST] = before[is_wrong] + width[is_wrong] - 1
    return is_wrong


class SeenOffsets:
    """The offsets of batches so far, as intervals; one as long as offsets follow each other."""

    def __init__(self) -> None:
        self.intervals: list[Interval] = []

    @property
    def highest(self) -> int | None:
        """The highest offset that was seen."""
        return self.intervals[-1][1] if self.intervals else None

    def admit(self, batches: Numbers) -> tuple[Numbers, Numbers]:
        """Which batches repeat offsets that were seen, and which come late; bool[batches] each.

        The offsets of all others, and of late ones, are seen from now on.
        """
        repeats = np.zeros(len(batches), np.bool_)
        is_late = np.zeros(len(batches), np.bool_)
        firsts, lasts = batches[:, FIRST], batches[:, LAST]
        breaks = np.flatnonzero(firsts[1:] != lasts[:-1] + 1) + 1
        bounds = [0, *breaks.tolist(), len(batches)]
        for start, end in pairwise(bounds):
            if start < end:
                self._admit_run(firsts, lasts, start, end, repeats, is_late)
        return repeats, is_late

    def _admit_run(
        self, firsts: Numbers, lasts: Numbers, start: int, end: int, repeats: Numbers, late: Numbers
    ) -> None:
        """Admit batches whose offsets follow each other."""
        if self.highest is None or firsts[start] > self.highest:
            self._add(int(firsts[start]), int(lasts[end - 1]))
            return
        known = np.array(self.intervals)
        before = np.searchsorted(known[:, 0], lasts[start:end], "right") - 1
        overlaps = (before >= 0) & (known[before, 1] >= firsts[start:end])
        repeats[start:end] = overlaps
        late[start:end] = ~overlaps & (lasts[start:end] < self.highest)
        fresh = np.flatnonzero(~overlaps) + start
        for group in np.split(fresh, np.flatnonzero(np.diff(fresh) != 1) + 1):
            if len(group):
                self._add(int(firsts[group[0]]), int(lasts[group[-1]]))

    def _add(self, first: int, last: int) -> None:
        """Add offsets, none of which was seen."""
        at = bisect_left(self.intervals, (first, last))
        if at < len(self.intervals) and self.intervals[at][0] == last + 1:
            last = self.intervals.pop(at)[1]
        if at > 0 and self.intervals[at - 1][1] == first - 1:
            at -= 1
            first = self.intervals.pop(at)[0]
        self.intervals.insert(at, (first, last))

    def missing(self, first: int | None, end: int | None) -> list[Interval]:
        """The offsets from `first` up to and without `end` that were not seen.

        None: where the first interval begins, or where the last one ends.
        """
        bounds = list(self.intervals)
        if first is not None:
            bounds.insert(0, (first, first - 1))
        if end is not None:
            bounds.append((end, end))
        bounds.sort()
        found, reached = [], None
        for start, last in bounds:
            if reached is not None and start > reached + 1:
                found.append((reached + 1, start - 1))
            reached = last if reached is None else max(reached, last)
        return found
