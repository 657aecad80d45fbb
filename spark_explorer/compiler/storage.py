"""Where compiled code is kept between runs."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path

ROOM = 64 << 20
"""Bytes that the engine's code and that of some designs take; with less, a disk counts as full."""
ENGINE = "engine"
"""The key under which one process compiles the engine's own functions, and others wait for it."""


@lru_cache(maxsize=1)
def folder() -> Path:
    """The cache folder: $TIERPROOF_CACHE, else tierproof's in the user's cache folder.

    If that folder cannot be written, or its disk is full, a temporary folder of this user.
    """
    chosen = os.environ.get("TIERPROOF_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
    path = Path(chosen) if chosen else Path(base) / "tierproof"
    try:
        path.mkdir(parents=True, exist_ok=True)
        is_roomy = shutil.disk_usage(path).free >= ROOM
    except OSError:
        is_roomy = False
    if not is_roomy:
        path = Path(tempfile.gettempdir()) / f"tierproof-{os.getuid()}"
        path.mkdir(exist_ok=True)
    return path


@contextmanager
def held(key: str) -> Iterator[None]:
    """Wait until no other process, or thread, is in here with this key: a digest, or ENGINE.

    It only saves work: files are written as a whole, so nothing breaks where the folder cannot
    hold a lock, and then nobody waits. A lock ends with its process.
    """
    file = None
    with suppress(OSError):
        path = folder() / "locks" / key[:2]
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("w")
        fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if file is not None:
            file.close()
