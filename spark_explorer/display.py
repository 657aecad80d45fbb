"""What shows the progress of searches to a person; who asks brings it, the explorer has none."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Protocol


class Point(Protocol):
    """How far a search, or the walks of a simulation, have come."""

    @property
    def where(self) -> str:
        """What is under way, in words."""

    @property
    def numbers(self) -> str:
        """The counts, in words."""

    @property
    def share(self) -> float:
        """The part that is done of what is under way, 0 to 1."""


class Display(Protocol):
    """A place where several searches are shown at once, each under a number."""

    def start(self) -> None:
        """Begin to show."""

    def stop(self) -> None:
        """Show nothing from here on."""

    def add(self, title: str, words: str) -> int:
        """Show a search that has only begun, and what it does; returns its number."""

    def update(self, number: int, title: str, point: Point) -> None:
        """Show how far a search has come."""

    def remove(self, number: int) -> None:
        """Show a search no longer."""


def no_display() -> Display | None:
    """Progress is written to standard error, a line now and then."""
    return None


DISPLAYS: ContextVar[Callable[[], Display | None]] = ContextVar("displays", default=no_display)
"""Makes the display of searches that begin from here on; None where lines are better."""
