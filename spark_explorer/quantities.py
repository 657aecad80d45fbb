"""Estimated quantities in words: rounded, as their last digits say nothing."""

from __future__ import annotations


def in_states(count: float) -> str:
    """A number of states, to three digits: 123,000."""
    return f"{float(f'{count:.3g}'):,.0f}"


def in_time(seconds: float) -> str:
    """A time, in the unit in which it is at least 2."""
    for length, unit in ((86_400, "days"), (3_600, "h"), (60, "min")):
        if seconds >= 2 * length:
            return f"{seconds / length:,.0f} {unit}"
    return f"{seconds:.0f} s"


def in_bytes(count: float) -> str:
    """A number of bytes."""
    return f"{count / 2**30:.1f} GiB" if count >= 2**30 else f"{count / 2**20:.1f} MiB"
