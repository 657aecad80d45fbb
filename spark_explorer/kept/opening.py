"""Kept runs, to be read: what a run explored, how far it came, and what it has found."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

from tierproof.spark_explorer.identity import compiled
from tierproof.spark_explorer.kept.attempt import ATTEMPTS
from tierproof.spark_explorer.kept.keeping import RESULT
from tierproof.spark_explorer.kept.manifest import NAME, Manifest
from tierproof.spark_explorer.kept.results import Reader
from tierproof.spark_explorer.kept.run import Run
from tierproof.spark_explorer.kept.store import NoSuchRun, NotKept, Store, store_at
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.results import Result, Verdict


@dataclass(frozen=True)
class KeptRun:
    """A run at an address. What is read of its levels raises LevelLost and Unlike."""

    store: Store
    manifest: Manifest

    @classmethod
    def open(cls, address: str) -> KeptRun:
        """The run at an address. Raises NotKept."""
        store = store_at(address)
        return cls(store, Manifest.read(store))

    @property
    def run(self) -> Run:
        """Its levels."""
        return Run(self.store.address, self.manifest.words, self.manifest.digest)

    @cached_property
    def levels(self) -> int:
        """How many levels are committed."""
        return self.run.levels

    def blocks(self, level: int) -> Iterator[Array]:
        """The packed states of a level, in blocks that fit into memory."""
        return self.run.blocks(level)

    def kernel(self) -> Kernel:
        """The compiled design. Raises Unlike if it is not what the run was explored with."""
        kernel = compiled(self.manifest.question)
        self.manifest.check(kernel, self.store)
        return kernel

    @cached_property
    def found(self) -> dict[str, Any] | None:
        """The result as it is kept; None while no attempt has ended. Raises NotKept."""
        try:
            kept: dict[str, Any] = json.loads(self.store.read(RESULT))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, pa.ArrowException) as error:
            raise NotKept(f"the result in {self.store} cannot be read: {error}") from None
        return kept

    def result(self) -> Result:
        """The result, as the search returned it. Raises NoSuchRun while no attempt has ended."""
        if self.found is None:
            raise NoSuchRun(
                f"no search into {self.store} has come to its end: tierproof resume {self.store}"
            )
        kernel = self.kernel()
        return Reader(kernel.design, kernel.scope).result(self.found)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to explore, or to judge where there was no room for it."""
        if self.found is None or self.found["cut"]:
            return False
        return all(one["verdict"] != Verdict.INCOMPLETE for one in self.found["properties"])

    @property
    def attempts(self) -> list[dict[str, Any]]:
        """Who has explored into it."""
        names = self.store.names(ATTEMPTS)
        return [json.loads(self.store.read(f"{ATTEMPTS}/{name}")) for name in names]

    def summary(self) -> dict[str, Any]:
        """What it explores and how far it came, as plain values."""
        told = self.run.told(self.levels - 1) if self.levels else None
        attempts = self.attempts
        found = self.found or {}
        return {
            "run": self.store.address,
            "design": self.manifest.design,
            "scope": self.manifest.title,
            "variants": list(self.manifest.question.variants),
            "without": list(self.manifest.question.without),
            "begun": self.manifest.made,
            "engine": attempts[-1]["engine"] if attempts else "",
            "resumed": max(0, len(attempts) - 1),
            "levels": self.levels,
            "states": sum(told["frontier_sizes"]) + _last(told) if told else 0,
            "generated": told["generated"] if told else 0,
            "seconds": round(told["seconds"], 3) if told else 0.0,
            "is_whole": self.is_whole,
            "verdict": found.get("verdict", "INCOMPLETE"),
        }


def _last(told: dict[str, Any]) -> int:
    """The states of the level that a commit is of."""
    return sum(piece["rows"] for piece in told["pieces"])


def runs_in(address: str) -> list[KeptRun]:
    """The runs in a folder, by name. Raises NotKept if there is none."""
    store = store_at(address)
    found = []
    for name in store.names():
        if store.has(f"{name}/{NAME}"):
            found.append(KeptRun.open(store.child(name).address))
    if not found:
        raise NoSuchRun(f"there is no run in {address}")
    return found
