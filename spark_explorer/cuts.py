"""Why a search was cut: the reasons that others than the search tell apart."""

from __future__ import annotations

INTERRUPTED = "interrupted"
"""Ctrl-C, or another signal, has ended it; where a loop had to be left, more follows."""
FAULTY = "a fault of the design"
"""A function of the design has failed in its last level."""
FIRST = "the first violation was asked for"
"""It ended with the level of the first violation."""


def limit_of(max_states: int) -> str:
    """It came to so many distinct states."""
    return f"the limit of {max_states:,} states"
