"""The entry of the command `tierproof`: light, so that Ctrl-C ends it well from the first moment.

Everything else is imported below, where an interrupt is an exit status and no traceback.
"""

from __future__ import annotations

import signal
import sys
import threading
from types import FrameType

INTERRUPTED = "interrupted before the search began: INCOMPLETE"


class _Interrupts:
    """Turns SIGINT, SIGTERM and SIGHUP into KeyboardInterrupt, and remembers that one came.

    What interrupts an import does not always arrive as KeyboardInterrupt.
    """

    def __init__(self) -> None:
        self.has_come = False
        if threading.current_thread() is not threading.main_thread():
            return
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
                signal.signal(number, self._come)

    def _come(self, number: int, frame: FrameType | None) -> None:
        self.has_come = True
        raise KeyboardInterrupt


def main() -> None:
    """Run the command, and exit with a status that has one meaning: see `exits`."""
    interrupts = _Interrupts()
    try:
        status = _run(interrupts)
    except KeyboardInterrupt:
        status = _incomplete()
    sys.exit(status)


def _run(interrupts: _Interrupts) -> int:
    try:
        from tierproof.command_line.cli import run
        from tierproof.command_line.exits import end_for
        from tierproof.command_line.printable import make_printable
    except Exception:
        if not interrupts.has_come:
            raise
        return _incomplete()
    try:
        make_printable()
        return run()
    except Exception as error:
        if interrupts.has_come:
            return _incomplete()
        return end_for(error)


def _incomplete() -> int:
    """Say that the command was interrupted; returns the exit status, which is that of `exits`."""
    sys.stderr.write(f"tierproof: {INTERRUPTED}\n")
    return 3


if __name__ == "__main__":
    main()
