"""The display of running searches: bars if standard error is a terminal."""

from __future__ import annotations

from tierproof.spark_explorer.display import DISPLAYS, Display


def show_bars() -> None:
    """From now on, show the progress of searches as bars where standard error is a terminal."""
    DISPLAYS.set(_bars)


def _bars() -> Display | None:
    from tierproof.command_line.progress_bars import bars_in_a_terminal

    return bars_in_a_terminal()
