"""The processes that were started and still run, so that all of them can be ended at once."""

from __future__ import annotations

import subprocess
import threading

from tierproof.conformance.brokers.errors import Ended

Process = subprocess.Popen[bytes]

_processes: set[Process] = set()
_is_ending = threading.Event()


def begin() -> None:
    """Let processes be started, after an `end_all` too."""
    _is_ending.clear()


def note(process: Process) -> None:
    """A process was started."""
    _processes.add(process)


def end(process: Process) -> None:
    """Kill a process, and wait until it has ended."""
    process.kill()
    process.wait()
    _processes.discard(process)


def end_all() -> None:
    """End every process, also those that other threads started, and start none any more."""
    _is_ending.set()
    for process in list(_processes):
        end(process)


def check() -> None:
    """Raise Ended if all is being ended."""
    if _is_ending.is_set():
        raise Ended("all brokers are being ended")


def is_any() -> bool:
    """Whether a process still runs."""
    return any(process.poll() is None for process in _processes)
