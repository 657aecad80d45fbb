"""Temporary folders of a process that a later one removes if this one is killed.

A folder is its process's as long as a lock on a file in it is held; a lock ends with its process,
however that ends. Folders of other users, of live processes, and without such a file stay.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from tierproof.spark_explorer.locking import lock

NAME = "tierproof-run-"
MAKING = ".tierproof-making-"
LOCK = "held"
SHARED = Path("/dev/shm")
"""Memory-backed storage of this machine, where an operator may have Spark's files."""

SECONDS_TO_NAME = 60
"""How long a folder may be without its name, at most."""

_HELD: dict[Path, int] = {}
"""The folders of this process, with the handle of each lock."""


def make(base: Path) -> Path:
    """A new folder of this process in `base`; it has its name only once the lock is held."""
    making = Path(tempfile.mkdtemp(prefix=MAKING, dir=base))
    (making / LOCK).touch()
    handle = lock(making / LOCK)
    made = making.rename(base / f"{NAME}{uuid4().hex[:12]}")
    _HELD[made] = handle
    return made


def remove(folder: Path) -> None:
    """Remove a folder of this process, as far as possible."""
    shutil.rmtree(folder, ignore_errors=True)
    handle = _HELD.pop(folder, None)
    if handle is not None:
        os.close(handle)


def sweep() -> list[Path]:
    """Remove the folders of processes that have ended; returns those removed."""
    bases = [temporary(), *([SHARED] if SHARED.is_dir() else [])]
    named = [folder for base in bases for folder in sorted(base.glob(f"{NAME}*"))]
    unnamed = [folder for base in bases for folder in sorted(base.glob(f"{MAKING}*"))]
    return [one for one in named if _is_left(one)] + [one for one in unnamed if _is_old(one)]


def _is_left(folder: Path) -> bool:
    """Remove a folder of this user that nobody holds; whether it was one."""
    with suppress(OSError):
        if not _is_own(folder):
            return False
        handle = lock(folder / LOCK)
        shutil.rmtree(folder, ignore_errors=True)
        os.close(handle)
        return True
    return False


def _is_old(folder: Path) -> bool:
    """Remove a folder of this user that nobody is about to name any more; whether it was one."""
    with suppress(OSError):
        if _is_own(folder) and time.time() - folder.stat().st_mtime > SECONDS_TO_NAME:
            shutil.rmtree(folder, ignore_errors=True)
            return True
    return False


def _is_own(folder: Path) -> bool:
    return not folder.is_symlink() and folder.stat().st_uid == os.getuid()


def temporary() -> Path:
    """The folder for temporary files."""
    return Path(tempfile.gettempdir())
