"""Bars in a terminal: the progress of running searches."""

from __future__ import annotations

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

from tierproof.spark_explorer.display import Display, Point


class ProgressBars:
    """A bar for each search, on standard error."""

    def __init__(self, console: Console) -> None:
        self.bars = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[numbers]}"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        )

    def start(self) -> None:
        """Begin to show."""
        self.bars.start()

    def stop(self) -> None:
        """Take the bars down."""
        self.bars.stop()

    def add(self, title: str, words: str) -> int:
        """Show a search that has only begun, and what it does; returns its number."""
        return self.bars.add_task(title, total=None, numbers=words)

    def update(self, number: int, title: str, point: Point) -> None:
        """Show how far a search has come."""
        self.bars.update(
            TaskID(number),
            description=f"{title}  {point.where}",
            total=1.0,
            completed=point.share,
            numbers=point.numbers,
        )

    def remove(self, number: int) -> None:
        """Take the bar of a search down."""
        self.bars.remove_task(TaskID(number))


def bars_in_a_terminal() -> Display | None:
    """Bars, or None where standard error is no terminal."""
    console = Console(stderr=True)
    return ProgressBars(console) if console.is_terminal else None
