"""A command that is tried in this process, with the files of its folder, and how it ended."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from tierproof.command_line import entry
from tierproof.register import ledger

JUGS, TANK = "tests.toys.jugs:DESIGN", "tests.toys.leaky_tank:DESIGN"
USAGE, FAULT, DISAGREES = 2, 4, 1
REFUSED = frozenset({USAGE, FAULT})


@dataclass(frozen=True)
class Attempt:
    """Words of a command line, and the files of the folder in which it runs."""

    kind: str
    words: tuple[str, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)
    statuses: frozenset[int] = REFUSED


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    status: int | None
    output: str
    errors: str

    def complaint(self, attempt: Attempt) -> str:
        """Why it did not end as it should; empty if it did."""
        told = self.output + self.errors
        if self.status is None or "Traceback" in told or "fault of tierproof itself" in told:
            return "a traceback"
        if not self.errors.strip() and self.status != DISAGREES:
            return "silent"
        if self.status not in attempt.statuses:
            return f"ignored: exit status {self.status}"
        return ""


def run(attempt: Attempt, folder: Path) -> Ended:
    """Run a command in a folder that has its files."""
    for name, content in attempt.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    output, errors = io.StringIO(), io.StringIO()
    known = set(sys.modules)
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        patched.setattr(sys, "argv", ["tierproof", *attempt.words])
        patched.setattr(sys, "path", [*sys.path])
        patched.setattr(sys, "stdin", io.StringIO())
        patched.setattr(ledger, "read", partial(ledger.read, folder / "ledger"))
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            status = _status()
    for name in set(sys.modules) - known:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
            del sys.modules[name]
    return Ended(status, output.getvalue(), errors.getvalue())


def _status() -> int | None:
    try:
        entry.main()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else None
    except BaseException as error:  # whatever it is, a user would see its traceback
        sys.stderr.write(f"Traceback: {error!r}")
    return None
