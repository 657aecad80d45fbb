"""A run: the states of an exploration, level by level, in a store.

    run.json                              the manifest: what is explored, by what, since when
    attempts/0001-3f9c.json               who explored into it, and from which level on
    level=0007/part=0003-61b2.parquet     a piece: packed states of level 7
    level=0007/commit.json                which pieces are the level, and what was counted until it
    result.json                           what the last attempt found

A level is there once its commit is; pieces that no commit names are those of a process that died.
Everything else (visited tables, frontiers, traces) is made again from these files. They are the
same whatever engine writes them.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tierproof.spark_explorer.execution import LevelLost, Unlike
from tierproof.spark_explorer.kept.store import Store, reason_of, store_at
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.packing import fingerprints, partitions_of

MARK = b"tierproof"
"""Where a piece has the identity of its run."""
ROWS = 1 << 20
"""States of a row group, which is read as a whole."""
DISK_FULL = "the disk is full that holds the run, or its tables"
DAMAGED = "the run is damaged"
COMMIT = "commit.json"
NOTHING: Mapping[str, Any] = {}


class Piece(NamedTuple):
    """A file of a level: its name, its states, and which of so many partitions own them."""

    name: str
    rows: int
    part: int
    parts: int


@dataclass(frozen=True)
class Run:
    """The levels of a run; `words` is the width of a packed state, `identity` what is explored.

    Raises LevelLost for what cannot be written or read, Unlike for a piece of another run.
    """

    address: str
    words: int
    identity: str

    @property
    def store(self) -> Store:
        """Where it is kept."""
        return store_at(self.address)

    # -- writing

    def write(self, level: int, blocks: Iterable[Array], part: int = 0, parts: int = 1) -> Piece:
        """Write states of a level, all of this partition, as a piece that nobody knows yet."""
        kind = pa.binary(8 * self.words)
        schema = pa.schema([pa.field("state", kind, nullable=False)], {MARK: self.identity})
        name = f"part={part:04d}-{uuid4().hex[:8]}.parquet"
        rows = 0
        how = {"compression": "none", "use_dictionary": False, "write_statistics": False}
        with (
            self._of(level, name, "written"),
            self.store.opened(_in(level, name)) as file,
            pq.ParquetWriter(file, schema, write_page_checksum=True, **how) as writer,
        ):
            for block in _gathered(blocks, self.words):
                raw = pa.py_buffer(np.ascontiguousarray(block))
                states = pa.FixedSizeBinaryArray.from_buffers(kind, len(block), [None, raw])
                writer.write_table(pa.table([states], schema), row_group_size=ROWS)
                rows += len(block)
        return Piece(name, rows, part, parts)

    def commit(
        self, level: int, pieces: Sequence[Piece], told: Mapping[str, Any] = NOTHING
    ) -> None:
        """Make these pieces the level; `told` is what was counted until it."""
        content = {"pieces": [piece._asdict() for piece in pieces], **told}
        with self._of(level, COMMIT, "written"):
            self.store.put(_in(level, COMMIT), json.dumps(content).encode())

    # -- reading

    @property
    def levels(self) -> int:
        """How many levels it has, one after the other."""
        with self._of(0, COMMIT, "read"):
            found = {int(name[6:]) for name in self.store.names() if name.startswith("level=")}
            is_there = (COMMIT in self.store.names(_in(level)) for level in sorted(found))
            committed = [
                level for level, known in zip(sorted(found), is_there, strict=True) if known
            ]
        if committed != list(range(len(committed))):
            missing = next(n for n, level in enumerate(committed) if n != level)
            raise LevelLost(f"{DAMAGED}: {self.address} has no level {missing}")
        return len(committed)

    def told(self, level: int) -> dict[str, Any]:
        """The commit of a level."""
        with self._of(level, COMMIT, "read"):
            found: dict[str, Any] = json.loads(self.store.read(_in(level, COMMIT)))
        return found

    def pieces(self, level: int) -> list[Piece]:
        """The pieces of a level."""
        return [Piece(**piece) for piece in self.told(level)["pieces"]]

    def blocks(self, level: int) -> Iterator[Array]:
        """The packed states of a level, in blocks that fit into memory."""
        for piece in self.pieces(level):
            yield from self._read(level, piece)

    def states(self, level: int, part: int = 0, parts: int = 1) -> Array:
        """The packed states of a level, those that a partition owns.

        Where the level was written for other partitions, all of it is read.
        """
        found = [np.zeros((0, self.words), np.uint64)]
        for piece in self.pieces(level):
            if piece.parts != parts or piece.part == part:
                for block in self._read(level, piece):
                    is_own = (
                        piece.parts == parts or partitions_of(fingerprints(block), parts) == part
                    )
                    found.append(block if is_own is True else block[is_own])
        return np.concatenate(found)

    def check_first(self, initial: Array) -> None:
        """Raise Unlike if these are not the states that the run begins with."""
        if not np.array_equal(np.unique(self.states(0), axis=0), np.unique(initial, axis=0)):
            raise Unlike(
                f"the initial states are not those that {self.address} was explored with: take "
                "that version of the design again, or begin another run"
            )

    def _read(self, level: int, piece: Piece) -> Iterator[Array]:
        rows = 0
        with self._of(level, piece.name, "read"):
            path, files = self.store.path(_in(level, piece.name)), self.store.files
            with pq.ParquetFile(path, filesystem=files, page_checksum_verification=True) as file:
                self._check(level, piece, file.schema_arrow)
                for group in range(file.num_row_groups):
                    block = _states(file.read_row_group(group)["state"], self.words)
                    rows += len(block)
                    yield block
        if rows != piece.rows:
            raise LevelLost(
                f"{DAMAGED}: {self._name(level, piece.name)} has {rows:,} states, and "
                f"{piece.rows:,} were written"
            )

    def _check(self, level: int, piece: Piece, schema: pa.Schema) -> None:
        written = (schema.metadata or {}).get(MARK, b"").decode()
        if written != self.identity:
            raise Unlike(
                f"{self._name(level, piece.name)} was written for another design, or by another "
                "version: give each run a folder that nothing else writes to, and start again"
            )

    def _name(self, level: int, name: str) -> str:
        return f"{self.address}/{_in(level, name)}"

    @contextmanager
    def _of(self, level: int, name: str, done: str) -> Iterator[None]:
        """Say which file of the run it is that is damaged or missing, or cannot be written."""
        try:
            yield
        except (OSError, pa.ArrowException, ValueError, KeyError, TypeError) as error:
            is_full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
            what = DISK_FULL if is_full else DAMAGED
            told = f"{what}: {self._name(level, name)} cannot be {done}: {reason_of(error)}"
            raise LevelLost(told) from None


def _in(level: int, name: str = "") -> str:
    folder = f"level={level:04d}"
    return f"{folder}/{name}" if name else folder


def _gathered(blocks: Iterable[Array], words: int) -> Iterator[Array]:
    """Blocks of at least ROWS states, but for the last."""
    waiting: list[Array] = []
    for block in blocks:
        if len(block) >= ROWS and not waiting:
            yield block
            continue
        waiting.append(block)
        if sum(map(len, waiting)) >= ROWS:
            yield np.concatenate(waiting)
            waiting = []
    yield np.concatenate([np.zeros((0, words), np.uint64), *waiting])


def _states(column: pa.ChunkedArray, words: int) -> Array:
    """The packed states of a column; copied, as compiled code is for arrays that one may write."""
    found = [np.zeros((0, words), np.uint64)]
    for chunk in column.chunks:
        data = np.frombuffer(chunk.buffers()[1], np.uint64)
        start = chunk.offset * words
        found.append(data[start : start + len(chunk) * words].reshape(-1, words))
    return np.concatenate(found)
