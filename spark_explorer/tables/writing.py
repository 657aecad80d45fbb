"""The tables of a run as Parquet files beside it, written once and extended as the run grows.

    tables/tables.json               what the files are of, and which of them count
    tables/states/0007-0000.parquet  the first block of the states of level 7
    tables/steps/0007-0000.parquet   the steps out of them, once somebody asked for steps

A file counts once `tables.json` names it: those of a process that died do not. Any program that
reads Parquet can read the folders.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from tierproof.spark_explorer.dividing import Divided
from tierproof.spark_explorer.kept.store import Store
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.stopping import stoppable
from tierproof.spark_explorer.tables.tabulating import BLOCK, Tabulation, Tabulator

FORMAT = 1
"""Changes with what the tables are; those of another format are written anew."""
MANIFEST = "tables.json"
STATES, STEPS = "states", "steps"
Job = tuple[int, int, Array]
"""A level, the number of a block in it, and its packed states."""


class Explored(Protocol):
    """The packed states of an exploration, level by level."""

    @property
    def levels(self) -> int:
        """How many levels there are."""

    def blocks(self, level: int) -> Iterator[Array]:
        """The packed states of a level, in the same order each time."""


@dataclass(frozen=True)
class File:
    """A file of a table: rows of one level."""

    name: str
    level: int
    rows: int


@dataclass
class Manifest:
    """The files that count. `stamp` is the run that they are of, in this format.

    `layout` stands for the fields of a state, and for what its id is made of. `levels` is how many
    a table has, by its name.
    """

    stamp: str
    layout: str = ""
    levels: dict[str, int] = field(default_factory=dict)
    files: dict[str, list[File]] = field(default_factory=dict)

    @classmethod
    def read(cls, store: Store, run: str) -> Manifest:
        """That of a folder; an empty one if there is none, or one of another run."""
        stamp = f"{FORMAT}-{run}"
        with suppress(OSError, ValueError, KeyError, TypeError):
            found = json.loads(store.read(MANIFEST))
            if found["stamp"] == stamp:
                files = {
                    name: [File(**one) for one in rows] for name, rows in found["files"].items()
                }
                return cls(stamp, found["layout"], found["levels"], files)
        return cls(stamp)

    def has(self, table: str, levels: int) -> bool:
        """Whether a table has all levels of a run."""
        return self.levels.get(table) == levels

    def put(self, store: Store) -> None:
        """Write it."""
        store.put(MANIFEST, json.dumps(asdict(self)).encode())

    def rows(self, table: str) -> list[int]:
        """The rows of each level."""
        found = [0] * self.levels.get(table, 0)
        for one in self.files.get(table, ()):
            found[one.level] += one.rows
        return found


class Tables:
    """Writes the tables of what was `explored` with a kernel, beside what a manifest names."""

    def __init__(
        self, kernel: Kernel, explored: Explored, store: Store, manifest: Manifest
    ) -> None:
        self.kernel, self.explored, self.store = kernel, explored, store
        self.tabulation = Tabulation(kernel)
        layout = layout_of(self.tabulation)
        is_alike = manifest.layout == layout
        self.manifest = manifest if is_alike else Manifest(manifest.stamp, layout)

    def add(self, table: str, check: Callable[[Manifest], None] = lambda _: None) -> None:
        """Write the levels that a table does not have, on every core.

        They count once `check` has not raised. Raises KeyboardInterrupt, and OSError.
        """
        known = self.manifest
        first, levels = known.levels.get(table, 0), self.explored.levels
        if first == levels:
            return
        with stoppable(self.kernel.stopping):
            written = self._write(table, range(first, levels))
        made = replace(
            known,
            levels={**known.levels, table: levels},
            files={**known.files, table: [*known.files.get(table, ()), *written]},
        )
        check(made)
        made.put(self.store)
        self.manifest = made

    def _write(self, table: str, levels: range) -> list[File]:
        jobs, files = Divided(self._jobs(levels)), list[File]()

        def work() -> None:
            tabulator = Tabulator(self.tabulation)
            rows_of = tabulator.states if table == STATES else tabulator.steps
            for level, number, block in jobs:
                name = f"{table}/{level:04d}-{number:04d}.parquet"
                rows = self._write_file(
                    name, getattr(self.tabulation, table), rows_of(level, block)
                )
                files.append(File(name, level, rows))

        threads = os.cpu_count() or 1
        with ThreadPoolExecutor(threads) as pool:
            for done in [pool.submit(work) for _ in range(threads)]:
                done.result()
        return sorted(files, key=lambda one: one.name)

    def _jobs(self, levels: range) -> Iterator[Job]:
        for level in levels:
            number = 0
            for block in self.explored.blocks(level):
                for row in range(0, len(block), BLOCK):
                    yield level, number, block[row : row + BLOCK]
                    number += 1

    def _write_file(self, name: str, schema: pa.Schema, parts: Iterator[pa.Table]) -> int:
        rows = 0
        how = {"compression": "zstd", "compression_level": 1}
        with self.store.opened(name) as file, pq.ParquetWriter(file, schema, **how) as writer:
            for part in parts:
                writer.write_table(part)
                rows += len(part)
        return rows


def write_batches(batches: pa.RecordBatchReader, path: Path) -> int:
    """Write rows to a Parquet file; returns how many they are."""
    rows = 0
    with pq.ParquetWriter(path, batches.schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
            rows += batch.num_rows
    return rows


def layout_of(tabulation: Tabulation) -> str:
    """A digest of the columns, the names in them, and what an id is the fingerprint of."""
    kernel = tabulation.kernel
    told = [str(tabulation.states), str(tabulation.steps), kernel.reducing.is_on]
    for placed in kernel.layout.leaves:
        domain = placed.leaf.domain
        told.append((placed.path, str(domain), list(getattr(domain.enum, "__members__", ()))))
    return hashlib.sha256(repr(told).encode()).hexdigest()[:12]
