"""Outlook: what a running search has ahead: states, time, and the end of memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tierproof.spark_explorer.execution import Execution
from tierproof.spark_explorer.forecast import Forecast, forecast
from tierproof.spark_explorer.quantities import in_bytes, in_states, in_time


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """The outlook at the beginning of a level.

    `largest` is the size of the largest level so far, `held` the bytes that the execution holds,
    `room` the distinct states at which memory ends; None if nobody knows. `expected` is None where
    the shape of the levels does not tell.
    """

    largest: int = 0
    held: int | None = None
    room: int | None = None
    expected: Forecast | None = None

    @classmethod
    def of(cls, execution: Execution, levels: Sequence[int]) -> Outlook:
        """The outlook of a search with these levels, the last of which it begins to expand."""
        return cls(
            largest=max(levels),
            held=execution.bytes_held,
            room=execution.room,
            expected=forecast(levels),
        )

    def words(self, distinct: int, seconds: float) -> list[str]:
        """What is ahead of a search that has found so many states in so long, in words."""
        rate = distinct / seconds if seconds > 0.05 else 0.0
        told = [] if self.held is None else [f"held {in_bytes(self.held)}"]
        most = None if self.expected is None else self.expected.high - distinct
        if self.expected is not None and most is not None and most > 0:
            told.append(_left(self.expected.low - distinct, most, rate))
        if self.room is not None and (most is None or distinct + most > self.room):
            told.append(_memory(self.room - distinct, rate))
        return told


UNKNOWN = Outlook()
"""The outlook of a search that has only begun."""


def _left(least: float, most: float, rate: float) -> str:
    """How many states are left, and how long they take."""
    begun = f"{in_states(least)} to " if least > 0 else "at most "
    time = f" ({in_time(most / rate)} at most)" if rate else ""
    return f"left {begun}{in_states(most)}{time}"


def _memory(more: int, rate: float) -> str:
    """How many more states memory holds, and how long they take."""
    time = f" ({in_time(more / rate)})" if rate and more > 0 else ""
    return f"memory for {in_states(max(more, 0))} more{time}"
