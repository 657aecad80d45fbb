"""A lock on a folder or a file of this machine, which ends with its process, however that ends."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


def lock(path: Path, *, waits: bool = False) -> int:
    """Hold a lock on a folder or a file until the handle that is returned is closed.

    Raises BlockingIOError if somebody else holds it, unless it `waits` for that to end, and OSError
    if there is no such path, or its file system has no locks.
    """
    handle = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
    except BaseException:
        os.close(handle)
        raise
    return handle
