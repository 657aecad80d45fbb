"""The progress bar of a running search, on standard error and only where somebody watches."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from spark_explorer.search import Progress as Point


class Watch:
    """Context manager that shows level, frontier, distinct states and rate; a search calls it."""

    def __init__(self, title: str, visible: bool) -> None:
        console = Console(stderr=True)
        self.bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[numbers]}"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not (visible and console.is_terminal),
        )
        self.title = title
        self.task = self.bar.add_task(title, total=None, numbers="compiling")

    def __enter__(self) -> Watch:
        self.bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.bar.stop()

    def __call__(self, point: Point) -> None:
        """Show how far the search is."""
        rate = point.distinct / point.seconds if point.seconds > 0.05 else 0
        self.bar.update(
            self.task,
            description=f"{self.title}  level {point.level}",
            total=point.frontier,
            completed=max(0, point.frontier - point.left),
            numbers=(
                f"frontier {point.frontier:,}  distinct {point.distinct:,}  "
                f"generated {point.generated:,}  {rate:,.0f} states/s"
            ),
        )
