"""The folder of kept searches, and how many of them were not made again. Imports pytest alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

FOLDER = pytest.StashKey[Path | None]()
"""The folder in which every search is kept, or None."""
USES = pytest.StashKey[Counter[str]]()
"""How the kept searches of this process and of its workers came about."""
COUNTED = "tierproof_uses"
"""Where a worker of pytest-xdist leaves them."""


def configure(config: pytest.Config) -> None:
    """Read the option, else the value of the file. Raises UsageError."""
    config.stash[USES] = Counter()
    given, base = config.getoption("tierproof_runs"), config.invocation_params.dir
    if given is None:
        given, base = config.getini("tierproof_runs") or None, config.rootpath
    if given is not None and (not given or "://" in given):
        raise pytest.UsageError(
            "--tierproof-runs takes a folder of this machine, where processes wait for each other: "
            f"{given!r} is none; explore(..., run=ADDRESS) takes any store"
        )
    config.stash[FOLDER] = None if given is None else base / given


def report_to_controller(config: pytest.Config) -> None:
    """Leave the counts of a worker where its controller finds them."""
    uses = config.stash[USES]
    if hasattr(config, "workeroutput"):
        config.workeroutput[COUNTED] = dict(uses)


def add(node: Any) -> None:
    """Add the counts of a worker, which has left none if it was killed."""
    counted: dict[str, int] = getattr(node, "workeroutput", {}).get(COUNTED, {})
    node.config.stash[USES].update(counted)


def summary(uses: Counter[str]) -> str:
    """How the kept searches came about, in a line; empty if none was asked for."""
    if not uses:
        return ""
    told = [f"{uses['reused']} reused", f"{uses['searched']} made"]
    told += [f"{uses['resumed']} resumed"] if uses["resumed"] else []
    return f"tierproof: kept searches: {', '.join(told)}"
