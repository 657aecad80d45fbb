"""Where compiled code is kept between runs: in a folder that nobody else can write to."""

from __future__ import annotations

import atexit
import fcntl
import hashlib
import os
import shutil
import stat
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

ROOM = 64 << 20
"""Bytes that the engine's code and that of some designs take; with less, a disk counts as full."""
COMPILER = __name__.rpartition(".")[0]
"""The package of the compiler's modules."""
ENGINE = "engine"
"""The key under which one process compiles the engine's own functions, and others wait for it."""
SEAL = 32
"""Bytes of the digest before the content of a sealed file."""


class NotKept(UserWarning):
    """A cache folder that others can write to is not used: what is in it would be executed."""


@lru_cache(maxsize=1)
def folder() -> Path:
    """The cache folder: $TIERPROOF_CACHE, else tierproof's in the user's cache folder.

    If that folder cannot be written, its disk is full, or another user can write to it, a temporary
    folder of this user; if that is not this user's alone either, a fresh one, removed at exit.
    """
    chosen = os.environ.get("TIERPROOF_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
    path = Path(chosen) if chosen else Path(base) / "tierproof"
    instead = Path(tempfile.gettempdir()) / f"tierproof-{os.getuid()}"
    if _is_usable(path.absolute()):
        return path
    return instead if _is_usable(instead) else _fresh()


def _is_usable(path: Path) -> bool:
    """Make the folder if there is none; whether it is this user's alone, and has room."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            path.mkdir(mode=0o700)
        reason = why_not_own(path)
        if reason:
            warnings.warn(NotKept(f"{path} is not used for compiled code: {reason}"), stacklevel=3)
            return False
        return os.access(path, os.W_OK | os.X_OK) and shutil.disk_usage(path).free >= ROOM
    except OSError:
        return False


def why_not_own(path: Path) -> str:
    """Why code that is found in a folder may be that of another user; empty if it cannot be."""
    found = path.lstat()
    if stat.S_ISLNK(found.st_mode):
        return "it is a link, which may lead anywhere; name the folder itself"
    if not stat.S_ISDIR(found.st_mode):
        return "it is no folder; name another one in TIERPROOF_CACHE"
    if found.st_uid != os.getuid():
        return "it belongs to another user; name a folder of your own in TIERPROOF_CACHE"
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "others can write to it; remove it, or name another one in TIERPROOF_CACHE"
    return ""


def _fresh() -> Path:
    """A folder for this process alone."""
    made = Path(tempfile.mkdtemp(prefix="tierproof-cache-"))
    owner = os.getpid()

    def remove() -> None:
        if os.getpid() == owner:  # a fork of this process inherits what is done at exit
            shutil.rmtree(made, ignore_errors=True)

    atexit.register(remove)
    return made


def read_sealed(path: Path) -> bytes | None:
    """The content of a sealed file, if it exists, is whole and was written under this name."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    seal, inside = content[:SEAL], content[SEAL:]
    return inside if _seal(path, inside) == seal else None


def write_sealed(path: Path, content: bytes) -> None:
    """Write a sealed file atomically; where it cannot be written, write nothing."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_seal(path, content) + content)
            Path(name).replace(path)
        except OSError:
            Path(name).unlink(missing_ok=True)


@lru_cache
def digest_of(package: str) -> str:
    """The digest of the text of every module of a package, wherever Python has it from."""
    found = hashlib.sha256()
    for name, text in sorted(texts_of(files(package))):
        found.update(name.encode() + b"\0" + text + b"\0")
    return found.hexdigest()


def texts_of(folder: Traversable, within: str = "") -> Iterator[tuple[str, bytes]]:
    """The name and the text of each module in a folder, or in one of a wheel, and below it."""
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from texts_of(entry, f"{within}{entry.name}/")
        elif entry.name.endswith(".py"):
            yield within + entry.name, entry.read_bytes()


def _seal(path: Path, content: bytes) -> bytes:
    return hashlib.sha256(path.name.encode() + b"\0" + content).digest()


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
