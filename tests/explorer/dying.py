"""Commands that die: a process that forks one for each order, and says where it was killed.

    with Dying(folder) as dying:
        dying.command(["resume", "run"], at=Moment("a commit", 2, is_after=False))
        dying.command(["resume", "run"], after_seconds=0.3)

A process is forked from one that has loaded what a search needs, and has no threads: a command
takes a tenth of a second, and is killed with -9 as any other process. Where it is, its own wrappers
of the functions below note in memory that it shares with who has forked it.

    python -m tests.explorer.dying      reads an order a line, answers a line
"""

from __future__ import annotations

import json
import mmap
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet

from tests.toys import jugs, mutex
from tierproof.command_line import (  # noqa: F401  # what a command imports late
    cli,
    entry,
    result_table,
)
from tierproof.spark_explorer import liveness, memory, runs, search  # noqa: F401
from tierproof.spark_explorer.ancestry import Ancestry
from tierproof.spark_explorer.kept import keeping, opening, run, store  # noqa: F401
from tierproof.spark_explorer.kept.attempt import Attempt
from tierproof.spark_explorer.native.graph import Connector
from tierproof.spark_explorer.native.worker import Worker

ROOT = Path(__file__).parents[2]
PHASES: dict[str, tuple[Any, str]] = {
    "a run is begun or resumed": (Attempt, "__init__"),
    "what no commit names is swept": (Attempt, "_sweep"),
    "a file is removed": (store.Store, "remove"),
    "the levels are read": (memory.MemoryExecution, "go_on_with"),
    "a level is expanded": (Worker, "survey"),
    "a piece is written": (run.Run, "write"),
    "a piece has rows and no end": (pyarrow.parquet.ParquetWriter, "write_table"),
    "a level is committed": (Attempt, "commit"),
    "a file is put": (store.Store, "put"),
    "a file has no name yet": (store.Store, "_write"),
    "liveness is judged": (liveness, "judge"),
    "the graph is connected": (Connector, "graph"),
    "traces are rebuilt": (search.Search, "rebuild"),
    "a trace is sought": (Ancestry, "of"),
    "the result is kept": (keeping.Keeping, "keep"),
}
"""What a command does, and the function that does it."""
ELSEWHERE = "set-up, or output"


class Moment(NamedTuple):
    """A call of the function of a phase: the first is 1; before it, or as it returns."""

    phase: str
    call: int
    is_after: bool


class Death(NamedTuple):
    """How a command ended: its exit status, negative if a signal killed it, and in which phase."""

    status: int
    phase: str

    @property
    def is_one(self) -> bool:
        """Whether it was killed."""
        return self.status == -signal.SIGKILL


class Dying:
    """Runs commands that die; `environment` is for all of them."""

    def __init__(self, **environment: str) -> None:
        words = [sys.executable, "-m", "tests.explorer.dying"]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        given = {**os.environ, **environment}
        self.server = subprocess.Popen(words, text=True, cwd=ROOT, env=given, **pipes)

    def __enter__(self) -> Dying:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.communicate()

    def command(
        self,
        words: Sequence[str],
        at: Moment | None = None,
        after_seconds: float | None = None,
        number: int = signal.SIGKILL,
    ) -> Death:
        """What becomes of `tierproof` with these words, killed at a moment, or after a time.

        `number` is the signal that is sent after a time.
        """
        assert self.server.stdin is not None
        assert self.server.stdout is not None
        order = {"words": list(words), "at": at, "seconds": after_seconds, "number": number}
        self.server.stdin.write(json.dumps(order) + "\n")
        self.server.stdin.flush()
        return Death(*json.loads(self.server.stdout.readline()))


# -- in the process that forks


def serve() -> None:
    """Carry out the orders of standard input."""
    phase = mmap.mmap(-1, 1)
    for one in (mutex.DESIGN, jugs.DESIGN):
        search.explore(one, next(iter(one.scopes.values())), memory.MemoryExecution)
    while line := sys.stdin.readline():
        order = json.loads(line)
        phase[0] = len(PHASES)
        child = os.fork()
        if child == 0:
            _become(order["words"], order["at"], phase)
        status = _ended(child, order["seconds"], order["number"])
        where = [*PHASES, ELSEWHERE][phase[0]]
        sys.stdout.write(json.dumps([os.waitstatus_to_exitcode(status), where]) + "\n")
        sys.stdout.flush()


def _ended(child: int, seconds: float | None, number: int) -> int:
    """The wait status of a child, which gets a signal if it has not ended by then."""
    end = time.monotonic() + (seconds or 0)
    while seconds is not None and time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        time.sleep(0.001)
    if seconds is not None:
        with suppress(ProcessLookupError):
            os.kill(child, number)
    return os.waitpid(child, 0)[1]


def _become(words: Sequence[str], at: Sequence[Any] | None, phase: mmap.mmap) -> None:
    """Run the command in this process, and never return."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    status = 70
    try:
        for number, (name, (place, function)) in enumerate(PHASES.items()):
            die = Moment(*at) if at and at[0] == name else None
            setattr(place, function, _watched(getattr(place, function), number, die, phase))
        sys.argv = ["tierproof", *words]
        entry.main()
    except SystemExit as ended:
        status = int(ended.code or 0)
    finally:
        os._exit(status)


def _watched(
    called: Callable[..., Any], number: int, die: Moment | None, phase: mmap.mmap
) -> Callable[..., Any]:
    """A function that notes where it is, and dies at its call."""
    calls = [0]

    @wraps(called)
    def watched(*given: Any, **named: Any) -> Any:
        calls[0] += 1
        before, phase[0] = phase[0], number
        is_last = die is not None and calls[0] == die.call
        if is_last and die is not None and not die.is_after:
            os.kill(os.getpid(), signal.SIGKILL)
        try:
            result = called(*given, **named)
        finally:
            if is_last:
                os.kill(os.getpid(), signal.SIGKILL)
            phase[0] = before
        return result

    return watched


if __name__ == "__main__":
    serve()
