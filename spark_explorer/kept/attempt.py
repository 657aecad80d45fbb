"""An attempt: one process that explores into a run, from its beginning or from its last level."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import zlib
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

import numpy as np
import pyarrow as pa

from tierproof.spark_explorer.execution import LevelLost, Standing, Unlike
from tierproof.spark_explorer.kept.levels import KeptLevels
from tierproof.spark_explorer.kept.manifest import NAME, Manifest, machine, now
from tierproof.spark_explorer.kept.run import COMMIT, Piece, Run
from tierproof.spark_explorer.kept.store import NoSuchRun, NotKept, Store, reason_of
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.question import Question

ATTEMPTS = "attempts"


class Attempt:
    """What commits levels to a run, as long as no other process has begun to.

    `number` counts the attempts before it, the last level of which it has `resumed_from`.
    `committed` counts the levels of the run; a memory execution adds to them in `levels`.
    """

    def __init__(self, store: Store, manifest: Manifest, engine: str) -> None:
        """Raises NotKept if the store refuses, or another process explores into the run."""
        self.store = store
        self.run = Run(store.address, manifest.words, manifest.digest)
        self._lock = _locked(store)
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
        except (OSError, pa.ArrowException) as error:
            self.close()
            raise NotKept(f"a run cannot be kept at {store}: {reason_of(error)}") from None
        except LevelLost as error:
            self.close()
            raise NotKept(str(error)) from None

    @classmethod
    def begin(cls, store: Store, question: Question, kernel: Kernel, engine: str) -> Attempt:
        """The first attempt at a run. Raises NotKept where something is already."""
        try:
            found = store.names()
            if NAME in found:
                raise NoSuchRun(
                    f"there is a run at {store}: tierproof resume {store} goes on with it, and "
                    "tierproof show tells what it has found; name another folder for a new one"
                )
            if found:
                raise NoSuchRun(f"{store} is not empty: a run has a folder of its own")
            manifest = Manifest.of(kernel, question)
            manifest.write(store)
        except (OSError, pa.ArrowException) as error:
            raise NotKept(f"a run cannot be kept at {store}: {reason_of(error)}") from None
        return cls(store, manifest, engine)

    @classmethod
    def resume(cls, store: Store, kernel: Kernel, engine: str) -> Attempt:
        """The next attempt at a run. Raises NotKept, and Unlike for another design."""
        manifest = Manifest.read(store)
        manifest.check(kernel, store)
        return cls(store, manifest, engine)

    @property
    def last_size(self) -> int:
        """The states of the last level."""
        return sum(piece.rows for piece in self.run.pieces(self.committed - 1))

    def check_first(self, initial: Array) -> None:
        """Raise Unlike if these are not the states that the run begins with."""
        if not np.array_equal(np.unique(self.run.states(0), axis=0), np.unique(initial, axis=0)):
            raise Unlike(
                f"the initial states are not those that {self.store} was explored with: take that "
                "version of the design again, or begin another run"
            )

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
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

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


def _locked(store: Store) -> int | None:
    """A lock on a run of this machine, which ends with this process. Raises NotKept."""
    if store.folder is None:
        return None
    try:
        handle = os.open(store.folder, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            raise NoSuchRun(f"another process explores into {store}: wait for its end") from None
    except OSError as error:
        raise NotKept(f"a run cannot be kept at {store}: {reason_of(error)}") from None
    return handle
