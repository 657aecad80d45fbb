"""The command `tierproof`, run within this process: a start of Python takes longer than most of
what is asked. That it is a process, with signals, pipes and exit statuses, is tested elsewhere.
"""

import io
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from tierproof.command_line import entry

HEARD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def heeds_signals() -> None:
    """In a process that starts: heed signals, also if the test runs in the background."""
    for number in HEARD:
        signal.signal(number, signal.SIG_DFL)


def tierproof(
    *arguments: str, folder: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """What the command prints, and its exit status. Raises what a user would see as a traceback.

    It runs in `folder`, and what it imports of there is forgotten.
    """
    output, errors = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patched, handlers_kept(), warnings.catch_warnings():
        for name, value in {"COLUMNS": "160", **environment}.items():
            patched.setenv(name, value)
        patched.setattr(sys, "argv", ["tierproof", *arguments])
        patched.setattr(sys, "path", [*sys.path])
        patched.setattr(sys, "stdin", io.StringIO())
        if folder is not None:
            patched.chdir(folder)
        with forgetting(folder), redirect_stdout(output), redirect_stderr(errors):
            status = status_of_this_process()
    return subprocess.CompletedProcess(arguments, status, output.getvalue(), errors.getvalue())


def as_a_process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The same of a process of its own: for what its end cleans up, or what it must not leave."""
    command = [sys.executable, "-m", "tierproof", *arguments]
    given = {**os.environ, "COLUMNS": "160", **environment}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=given)


def status_of_this_process() -> int:
    """What the command would exit with."""
    with pytest.raises(SystemExit) as ended:
        entry.main()
    assert isinstance(ended.value.code, int)
    return ended.value.code


@contextmanager
def handlers_kept() -> Iterator[None]:
    """The command hears signals itself: afterwards whoever runs the tests does again."""
    before = {number: signal.getsignal(number) for number in HEARD}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def forgetting(folder: Path | None) -> Iterator[None]:
    """Modules of the folder are imported anew each time: others may have their names."""
    known = set(sys.modules)
    try:
        yield
    finally:
        for name in set(sys.modules) - known if folder is not None else ():
            if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
                del sys.modules[name]
