"""Temporary folders of a process that a later one removes if this one is killed.

A folder is its process's as long as a lock on a file in it is held; a lock ends with its process,
however that ends. Folders of other users, of live processes, and without such a file stay.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from uuid import uuid4

NAME = "tierproof-run-"
MAKING = ".tierproof-making-"
LOCK = "held"
SHARED = Path("/dev/shm")
"""Memory-backed storage of this machine, where an operator may have Spark's files."""

_HELD: dict[Path, TextIOWrapper] = {}
"""The folders of this process, with the open file that holds each lock."""


def make(base: Path) -> Path:
    """A new folder of this process in `base`; it has its name only once the lock is held."""
    making = Path(tempfile.mkdtemp(prefix=MAKING, dir=base))
    lock = (making / LOCK).open("w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    made = making.rename(base / f"{NAME}{uuid4().hex[:12]}")
    _HELD[made] = lock
    return made


def remove(folder: Path) -> None:
    """Remove a folder of this process, as far as possible."""
    shutil.rmtree(folder, ignore_errors=True)
    lock = _HELD.pop(folder, None)
    if lock is not None:
        lock.close()


def sweep() -> list[Path]:
    """Remove the folders of processes that have ended; returns those removed."""
    bases = [temporary(), *([SHARED] if SHARED.is_dir() else [])]
    found = [folder for base in bases for folder in sorted(base.glob(f"{NAME}*"))]
    return [folder for folder in found if _is_left(folder)]


def _is_left(folder: Path) -> bool:
    """Remove a folder of this user that nobody holds; whether it was one."""
    with suppress(OSError):
        if folder.is_symlink() or folder.stat().st_uid != os.getuid():
            return False
        with (folder / LOCK).open("r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
            return True
    return False


def temporary() -> Path:
    """The folder for temporary files."""
    return Path(tempfile.gettempdir())
