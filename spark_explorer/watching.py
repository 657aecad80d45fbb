"""Progress of running searches on standard error: bars in a terminal, otherwise occasional lines.

Several searches may run in parallel and share one display. `interrupt` passes Ctrl-C to searches
that run on threads.
"""

from __future__ import annotations

import time
from contextlib import suppress
from threading import Event, Thread
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from tierproof.spark_explorer.native.stopping import stop_all
from tierproof.spark_explorer.progress import Point

SECONDS_BETWEEN_LINES = 5.0
QUIET_SECONDS = 10.0
"""The time without progress that is worth a word."""


BEGINNING = "compiling (in a new environment the engine, too, once)"
"""What a search does before it says anything itself."""


class Watching:
    """Context manager that shows the progress of searches; each search gets a `Watch`."""

    def __init__(self, visible: bool) -> None:
        self.console = Console(stderr=True)
        self.bars = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[numbers]}"),
            TimeElapsedColumn(),
            console=self.console,
            transient=True,
            disable=not (visible and self.console.is_terminal),
        )
        self.watches: list[Watch] = []
        self.is_interrupted = False
        self._ended = Event()
        self._teller: Thread | None = None
        if visible and not self.console.is_terminal:
            self._teller = Thread(target=self._tell, daemon=True)

    def __enter__(self) -> Watching:
        self.bars.start()
        if self._teller is not None:
            self._teller.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # What was searched has its result: Ctrl-C while the bars are taken down must not lose it.
        with suppress(KeyboardInterrupt):
            self.bars.stop()
        self._ended.set()

    def search(self, title: str) -> Watch:
        """A watch for another search."""
        watch = Watch(title, self)
        self.watches.append(watch)
        return watch

    def interrupt(self) -> None:
        """End every watched search as if Ctrl-C had been pressed in it."""
        self.is_interrupted = True
        stop_all()

    def _tell(self) -> None:
        while not self._ended.wait(SECONDS_BETWEEN_LINES):
            for watch in self.watches:
                if not watch.is_done:
                    self.console.print(watch.line, highlight=False, soft_wrap=True)


class Watch:
    """The progress of one search, which calls it."""

    def __init__(self, title: str, watching: Watching) -> None:
        self.title, self.watching = title, watching
        self.is_done = False
        self.point = BEGINNING
        self.heard = time.monotonic()
        self.task = watching.bars.add_task(title, total=None, numbers=BEGINNING)

    def __enter__(self) -> Watch:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.is_done = True
        self.watching.bars.remove_task(self.task)

    @property
    def line(self) -> str:
        """The progress in a line, which says so if there has been none for long."""
        quiet = time.monotonic() - self.heard
        told = f"  (nothing new for {quiet:.0f} s)" if quiet > QUIET_SECONDS else ""
        return f"{self.title}: {self.point}{told}"

    def __call__(self, point: Point) -> None:
        """Show the progress of the search. Raises KeyboardInterrupt if `interrupt` was called."""
        self.point, self.heard = f"{point.where}  {point.numbers}", time.monotonic()
        self.watching.bars.update(
            self.task,
            description=f"{self.title}  {point.where}",
            total=1.0,
            completed=point.share,
            numbers=point.numbers,
        )
        if self.watching.is_interrupted:
            raise KeyboardInterrupt
