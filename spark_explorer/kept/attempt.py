"""An attempt: one process that explores into a run, from its beginning or from its last level."""

from __future__ import annotations

import base64
import json
import os
import zlib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any
from uuid import uuid4

import numpy as np
import pyarrow as pa

from tierproof.spark_explorer import folders
from tierproof.spark_explorer.execution import LevelLost, Standing
from tierproof.spark_explorer.kept.levels import KeptLevels
from tierproof.spark_explorer.kept.manifest import NAME, Manifest, machine, now
from tierproof.spark_explorer.kept.run import COMMIT, Piece, Run
from tierproof.spark_explorer.kept.store import NoSuchRun, NotKept, Store, reason_of
from tierproof.spark_explorer.locking import lock
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.question import Question

ATTEMPTS = "attempts"


class Busy(NoSuchRun):
    """Another process explores into a run of this machine."""


class Begun(NoSuchRun):
    """There is a run where a new one is to begin."""


class Attempt:
    """What commits levels to a run, as long as no other process has begun to.

    `number` counts the attempts before it, the last level of which it has `resumed_from`.
    `committed` counts the levels of the run; a memory execution adds to them in `levels`.
    """

    def __init__(self, store: Store, manifest: Manifest, engine: str) -> None:
        """Of a process that has locked the run. Raises NotKept if the store refuses."""
        self.store = store
        self.run = Run(store.address, manifest.words, manifest.digest)
        self._lock = ExitStack()
        try:
            store.sweep()
            self.committed = self.run.levels
            self.levels = KeptLevels(self.run, self.committed)
            self.resumed_from = max(0, self.committed - 1)
            before = store.names(ATTEMPTS)
            self.number = len(before)
            self.name = f"{self.number:04d}-{uuid4().hex[:8]}.json"
            told = {"engine": engine, "from_level": self.resumed_from, "begun": now(), **machine()}
            store.put(f"{ATTEMPTS}/{self.name}", json.dumps(told).encode())
            if before:
                self._sweep()
                folders.sweep()  # of the attempts that were killed
        except (OSError, pa.ArrowException) as error:
            raise _not_kept(store, error) from None
        except LevelLost as error:
            raise NotKept(str(error)) from None

    @classmethod
    def begin(cls, store: Store, question: Question, kernel: Kernel, engine: str) -> Attempt:
        """The first attempt at a run. Raises NotKept where something is already, Busy and Begun."""
        try:
            if store.folder is not None:
                store.folder.mkdir(parents=True, exist_ok=True)
            with _locked(store) as lock:
                _check_empty(store)
                manifest = Manifest.of(kernel, question)
                manifest.write(store)
                return cls(store, manifest, engine)._holding(lock)
        except (OSError, pa.ArrowException) as error:
            raise _not_kept(store, error) from None

    @classmethod
    def resume(cls, store: Store, kernel: Kernel, engine: str) -> Attempt:
        """The next attempt at a run. Raises NotKept, Busy, and Unlike for another design."""
        manifest = Manifest.read(store)
        manifest.check(kernel, store)
        with _locked(store) as lock:
            return cls(store, manifest, engine)._holding(lock)

    def _holding(self, lock: ExitStack) -> Attempt:
        """This one, which keeps the lock until it is closed."""
        self._lock = lock.pop_all()
        return self

    @property
    def last_size(self) -> int:
        """The states of the last level."""
        return sum(piece.rows for piece in self.run.pieces(self.committed - 1))

    def standing(self, shape: tuple[int, ...]) -> tuple[Standing, Array]:
        """What was counted until the last level, and what each step had changed."""
        told = self.run.told(self.committed - 1)
        return Standing.of(told), changed_in(told, shape)

    def commit(self, pieces: Sequence[Piece], standing: Standing, changed: Array) -> None:
        """Commit the next level. Raises LevelLost if that fails, or another attempt has begun."""
        try:
            newest = self.store.names(ATTEMPTS)[-1:]
        except OSError as error:
            raise LevelLost(f"{self.store} cannot be read: {reason_of(error)}") from None
        if newest != [self.name]:
            raise LevelLost(f"another process has resumed {self.store}, or removed it")
        told = {**standing.as_dict(), "changed": _as_text(changed), "committed": now()}
        self.run.commit(self.committed, pieces, told)
        self.committed += 1

    def close(self) -> None:
        """Let another process explore into the run."""
        self._lock.close()

    def _sweep(self) -> None:
        """Remove what no commit names."""
        for name in self.store.names():
            if name.startswith("level="):
                level = int(name.removeprefix("level="))
                is_there = level < self.committed
                known = {piece.name for piece in self.run.pieces(level)} if is_there else set()
                for one in set(self.store.names(name)) - known - {COMMIT}:
                    self.store.remove(f"{name}/{one}")


def changed_in(told: Mapping[str, Any], shape: tuple[int, ...]) -> Array:
    """The bits that the step with each label had changed, of the commit of a level."""
    raw = zlib.decompress(base64.b64decode(told["changed"]))
    return np.frombuffer(raw, np.uint64).reshape(shape).copy()


def _as_text(changed: Array) -> str:
    return base64.b64encode(zlib.compress(changed.tobytes(), 1)).decode()


def _check_empty(store: Store) -> None:
    """Raise Begun where there is a run, and NoSuchRun where something else is."""
    found = store.names()
    if NAME in found:
        raise Begun(
            f"there is a run at {store}: tierproof resume {store} goes on with it, and "
            "tierproof show tells what it has found; name another folder for a new one"
        )
    if found:
        raise NoSuchRun(f"{store} is not empty: a run has a folder of its own")


def _locked(store: Store) -> ExitStack:
    """Holds the lock on a run of this machine, until it is closed. Raises Busy and NotKept."""
    stack = ExitStack()
    if store.folder is not None:
        try:
            stack.callback(os.close, lock(store.folder))
        except BlockingIOError:
            raise Busy(f"another process explores into {store}: wait for its end") from None
        except OSError as error:
            raise _not_kept(store, error) from None
    return stack


def _not_kept(store: Store, error: Exception) -> NotKept:
    return NotKept(f"a run cannot be kept at {store}: {reason_of(error)}")
