"""The memory that is left: of the machine, and of the container that this process is in.

Checked before anything large is allocated: the operating system grants more memory than there is,
and later kills the process, with all that it has found. The limits of a container are those of its
control group and of every group above it (cgroups, versions 1 and 2).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

RESERVE = 96 << 20
"""Bytes that a search leaves, to report with: traces are rebuilt, drawn and written."""


@dataclass(frozen=True)
class Accounts:
    """The files in which a version of cgroups keeps the account of a group."""

    limits: tuple[str, ...]
    used: str
    cache: str


VERSION_1 = Accounts(("memory.limit_in_bytes",), "memory.usage_in_bytes", "total_inactive_file")
VERSION_2 = Accounts(("memory.max", "memory.high"), "memory.current", "inactive_file")


def free_memory(root: Path = Path("/")) -> int:
    """Bytes that can be allocated without swapping, and without being killed.

    `root` is where /proc and the mounted control groups are. Infinite if nothing says.
    """
    return min([_of_machine(root), *_of_groups(root)])


def is_exhausted() -> bool:
    """Whether no more is left than it takes to report."""
    return free_memory() < RESERVE


def _of_machine(root: Path) -> int:
    found = re.search(r"MemAvailable:\s+(\d+) kB", _text(root / "proc/meminfo"))
    return int(found[1]) << 10 if found else sys.maxsize


def _of_groups(root: Path) -> Iterator[int]:
    """What each control group that this process is in still grants."""
    for folder, accounts in _groups(root):
        limits = [_number(_text(folder / name)) for name in accounts.limits]
        used = _number(_text(folder / accounts.used))
        known = [limit for limit in limits if limit is not None]
        if known and used is not None:
            yield max(0, min(known) - used + _reclaimable(folder, accounts))


@lru_cache(maxsize=8)
def _groups(root: Path) -> tuple[tuple[Path, Accounts], ...]:
    """The folders of the control groups that this process is in, each with those above it."""
    found = []
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, names, path = (*line.split(":", 2), "", "")[:3]
        for kind, options, mount in _mounts(root):
            is_first = "memory" in names.split(",") and "memory" in options and kind == "cgroup"
            if is_first or (names == "" and kind == "cgroup2"):
                accounts = VERSION_1 if is_first else VERSION_2
                found += [(one, accounts) for one in _above(root / mount.lstrip("/"), path)]
    return tuple(found)


def _mounts(root: Path) -> Iterator[tuple[str, list[str], str]]:
    """Kind, options and folder of each mounted file system."""
    for line in _text(root / "proc/self/mountinfo").splitlines():
        before, _, after = line.partition(" - ")
        first, last = before.split(), after.split()
        if len(first) > 4 and len(last) > 2:
            yield last[0], last[2].split(","), first[4]


def _above(mount: Path, path: str) -> list[Path]:
    """A group and those above it that are there; a container may see its own group alone."""
    group = mount / path.lstrip("/")
    return [one for one in (group, *group.parents) if one.is_relative_to(mount) and one.is_dir()]


def _reclaimable(folder: Path, accounts: Accounts) -> int:
    """Bytes of files that a group has in memory and can do without."""
    found = re.search(rf"^{accounts.cache} (\d+)$", _text(folder / "memory.stat"), re.MULTILINE)
    return int(found[1]) if found else 0


def _number(text: str) -> int | None:
    """The number in a file; None for `max`, and if there is no such file."""
    return int(text) if text.strip().isdecimal() else None


def _text(path: Path) -> str:
    with suppress(OSError):
        return path.read_text("utf-8", "replace")
    return ""
