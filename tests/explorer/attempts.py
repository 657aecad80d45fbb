"""A command that is tried with the files of its folder, and why it did not end as it should."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.explorer.commands import tierproof
from tierproof.register import ledger

JUGS, TANK = "tests.toys.jugs:DESIGN", "tests.toys.leaky_tank:DESIGN"
USAGE, FAULT, DISAGREES = 2, 4, 1
REFUSED = frozenset({USAGE, FAULT})
RAISED = -1
"""The status of a command that ended in a traceback."""


@dataclass(frozen=True)
class Attempt:
    """Words of a command line, and the files of the folder in which it runs."""

    kind: str
    words: tuple[str, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)
    statuses: frozenset[int] = REFUSED

    def complaint(self, ended: CompletedProcess[str]) -> str:
        """Why it did not end as it should; empty if it did."""
        told = ended.stdout + ended.stderr
        is_traceback = "Traceback" in told or "fault of tierproof itself" in told
        if ended.returncode == RAISED or is_traceback:
            return "a traceback"
        if not ended.stderr.strip() and ended.returncode != DISAGREES:
            return "silent"
        if ended.returncode not in self.statuses:
            return f"ignored: exit status {ended.returncode}"
        return ""


def run(attempt: Attempt, folder: Path) -> CompletedProcess[str]:
    """Run a command in a folder that has its files, and the ledger."""
    for name, content in attempt.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ledger, "read", partial(ledger.read, folder / "ledger"))
        try:
            return tierproof(*attempt.words, folder=folder)
        except BaseException as error:  # whatever it is, a user would see its traceback
            return CompletedProcess(attempt.words, RAISED, "", f"Traceback: {error!r}")
