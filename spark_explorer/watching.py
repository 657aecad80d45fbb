"""Progress of running searches: on the display that there is, otherwise occasional lines.

Several searches may run in parallel and share one display. `interrupt` passes Ctrl-C to searches
that run on threads.
"""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from threading import Event, Thread
from types import TracebackType

from tierproof.spark_explorer.display import DISPLAYS, Point
from tierproof.spark_explorer.native.stopping import stop_all

SECONDS_BETWEEN_LINES = 5.0
QUIET_SECONDS = 10.0
"""The time without progress that is worth a word."""


BEGINNING = "compiling (in a new environment the engine, too, once)"
"""What a search does before it says anything itself."""


class Watching:
    """Context manager that shows the progress of searches; each search gets a `Watch`."""

    def __init__(self, visible: bool) -> None:
        self.display = DISPLAYS.get()() if visible else None
        self.watches: list[Watch] = []
        self.is_interrupted = False
        self._ended = Event()
        self._writer: Thread | None = None
        if visible and self.display is None:
            self._writer = Thread(target=self._write_lines, daemon=True)

    def __enter__(self) -> Watching:
        if self.display is not None:
            self.display.start()
        if self._writer is not None:
            self._writer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # What was searched has its result: Ctrl-C while the display is stopped must not lose it.
        with suppress(KeyboardInterrupt):
            if self.display is not None:
                self.display.stop()
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

    def _write_lines(self) -> None:
        while not self._ended.wait(SECONDS_BETWEEN_LINES):
            for watch in self.watches:
                if not watch.is_done:
                    sys.stderr.write(f"{watch.line}\n")


class Watch:
    """The progress of one search, which calls it."""

    def __init__(self, title: str, watching: Watching) -> None:
        self.title, self.watching = title, watching
        self.is_done = False
        self.point = BEGINNING
        self.heard = time.monotonic()
        self.display = watching.display
        self.number = self.display.add(title, BEGINNING) if self.display is not None else 0

    def __enter__(self) -> Watch:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.is_done = True
        if self.display is not None:
            self.display.remove(self.number)

    @property
    def line(self) -> str:
        """The progress in a line, which says so if there has been none for long."""
        quiet = time.monotonic() - self.heard
        remark = f"  (nothing new for {quiet:.0f} s)" if quiet > QUIET_SECONDS else ""
        return f"{self.title}: {self.point}{remark}"

    def __call__(self, point: Point) -> None:
        """Show the progress of the search. Raises KeyboardInterrupt if `interrupt` was called."""
        self.point, self.heard = f"{point.where}  {point.numbers}", time.monotonic()
        if self.display is not None:
            self.display.update(self.number, self.title, point)
        if self.watching.is_interrupted:
            raise KeyboardInterrupt
