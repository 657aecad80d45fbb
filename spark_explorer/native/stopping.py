"""Ctrl-C ends native code: the context of each thread has a word that says whether to stop.

Python calls a signal's handler only when native code returns, and a loop of a design may never
end. So a thread listens for the signal, and asks the running searches: first to begin no further
state, and after a while to leave the loops that they are in.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from weakref import WeakSet

from tierproof.spark_explorer.compiler.faults import LEAVE, NO_MORE_STATES
from tierproof.spark_explorer.native.arrays import Array

PATIENCE_SECONDS = 1.0
"""How long a state may still take before its loops are left."""
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""The signals that end a search if Python has a handler for them."""


class Stopping:
    """What one search has been asked: 0, NO_MORE_STATES or LEAVE."""

    def __init__(self) -> None:
        self.asked = 0
        self._contexts: list[Array] = []

    def reach(self, context: Array) -> None:
        """From now on, tell the thread with this context; its last word is the one."""
        context[-1] = self.asked
        self._contexts.append(context)

    def ask(self, what: int) -> None:
        """Ask every thread."""
        self.asked = what
        for context in self._contexts:
            context[-1] = what

    def stop(self) -> None:
        """Ask every thread to begin no further state, and soon to leave its loops; returns at once.

        A context that is reached later is told, too.
        """
        self.ask(NO_MORE_STATES)
        later = threading.Timer(PATIENCE_SECONDS, self._leave_loops)
        later.daemon = True
        later.start()

    def _leave_loops(self) -> None:
        if self.asked:
            self.ask(LEAVE)

    def raise_if_asked(self) -> None:
        """Raise KeyboardInterrupt if native code may have ended too early."""
        if self.asked:
            raise KeyboardInterrupt


_RUNNING: WeakSet[Stopping] = WeakSet()
"""Of the searches of this process."""


@contextmanager
def stoppable(stopping: Stopping) -> Iterator[None]:
    """While a search runs: `stop_all` reaches it and, in the main thread, signals do."""
    _RUNNING.add(stopping)
    with ExitStack() as stack:
        if threading.current_thread() is threading.main_thread():
            stack.enter_context(_listening())
        try:
            yield
        finally:
            _RUNNING.discard(stopping)
    stopping.ask(0)


def stop_all() -> None:
    """Ask every running search of this process to end; returns at once."""
    for one in list(_RUNNING):
        one.stop()


@contextmanager
def _listening() -> Iterator[None]:
    """Call `stop_all` as soon as a signal comes, also while the main thread runs native code."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    listener = threading.Thread(target=_listen, args=(reading, before), daemon=True)
    listener.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(writing)
        listener.join()


def _listen(reading: int, before: int) -> None:
    """Hear of signals until the pipe is closed; passes them on to who listened before."""
    with os.fdopen(reading, "rb", buffering=0) as signals:
        while numbers := signals.read(64):
            if before >= 0:
                with suppress(OSError):
                    os.write(before, numbers)
            if any(number in ENDING for number in numbers):
                stop_all()
