"""Shortens a trace by leaving steps out, as long as the same check reports at its end.

Delta debugging (Zeller, Hildebrandt 2002): ever smaller pieces are left out. The rest is taken
again, and steps that are no longer enabled are passed over; steps that lead back to a state of the
trace are left out, too. In the end no single step can be left out; a trace with other steps may
nevertheless be shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Taken:
    """The labels of the steps that were taken, and the fingerprints of the states, one more."""

    labels: list[int]
    passed: list[int]

    def __len__(self) -> int:
        return len(self.labels)


Retrace = Callable[[Sequence[int]], Taken | None]
"""Takes what is enabled of these steps until the check reports; None if it does not."""


def shortened(taken: Taken, retrace: Retrace) -> Taken:
    """The steps that are left of a trace when none can be left out."""
    size = max(1, len(taken) // 2)
    while True:
        before = len(taken)
        taken = _without_pieces(_without_cycles(taken, retrace), size, retrace)
        if size == 1 and len(taken) == before:
            return taken
        size = max(1, size // 2)


def _without_pieces(taken: Taken, size: int, retrace: Retrace) -> Taken:
    """Leave out each piece of `size` steps that is not needed."""
    start = 0
    while start < len(taken):
        fewer = retrace(taken.labels[:start] + taken.labels[start + size :])
        if fewer is not None and len(fewer) < len(taken):
            taken = fewer
        else:
            start += size
    return taken


def _without_cycles(taken: Taken, retrace: Retrace) -> Taken:
    """Leave out the steps between two occurrences of the same state."""
    last = {found: number for number, found in enumerate(taken.passed)}
    kept, number = [], 0
    while (number := last[taken.passed[number]]) < len(taken):
        kept.append(taken.labels[number])
        number += 1
    fewer = retrace(kept) if len(kept) < len(taken) else None
    return taken if fewer is None else fewer
