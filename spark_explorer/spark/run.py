"""A run: the folder that durably stores an exploration on Spark.

    level=0007/part=0003.parquet     packed states of level 7 that partition 3 owns

Files are written atomically, and carry the digest of the run's identity. Everything else (visited
tables, frontiers, traces) is rebuilt from these files; on a cluster the folder is on storage that
all executors share.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tierproof.spark_explorer.execution import LevelLost, Unlike
from tierproof.spark_explorer.native.arrays import Array

MARK = b"tierproof"
"""Where a file of a run has the digest of the run's identity."""
DISK_FULL = "the disk is full that holds the run, or its tables"
DAMAGED = "the run is damaged"


@dataclass(frozen=True)
class Run:
    """The folder of a run, the width of its packed states, and the identity of what writes it.

    Raises Unlike for a file that something else has written.
    """

    folder: str
    words: int
    identity: str

    def path(self, level: int, part: int) -> Path:
        """The file of the states of a level that a partition owns."""
        return Path(self.folder) / f"level={level:04d}" / f"part={part:04d}.parquet"

    def write(self, level: int, part: int, words: Array) -> None:
        """Write the states of a level, replacing the file of an earlier attempt."""
        raw = np.ascontiguousarray(words).tobytes()
        width = 8 * self.words
        states = pa.FixedSizeBinaryArray.from_buffers(
            pa.binary(width), len(words), [None, pa.py_buffer(raw)]
        )
        table = pa.table({"state": states}, metadata={MARK: self.identity.encode()})
        path = self.path(level, part)
        with _of(path, "written"):
            path.parent.mkdir(parents=True, exist_ok=True)
            attempt = path.with_suffix(f".{uuid4().hex}.tmp")
            pq.write_table(
                table, attempt, compression="none", use_dictionary=False, write_page_checksum=True
            )
            attempt.replace(path)

    def states(self, level: int, part: int) -> Array:
        """The packed states of a level that a partition owns."""
        column = self._read(level, part)["state"].combine_chunks()
        if isinstance(column, pa.ChunkedArray):
            column = column.chunk(0)
        data = np.frombuffer(column.buffers()[1], np.uint64)
        start = column.offset * self.words
        states = data[start : start + len(column) * self.words].reshape(-1, self.words)
        return states.copy()  # compiled code is for arrays that may be written to

    def _read(self, level: int, part: int) -> pa.Table:
        """A file, which is there: a partition without new states writes an empty one."""
        path = self.path(level, part)
        with _of(path, "read"):
            table = pq.read_table(path, page_checksum_verification=True)
        written = (table.schema.metadata or {}).get(MARK, b"").decode()
        if written != self.identity:
            raise Unlike(
                f"{path} was written for another design, or by another version: give each run "
                "a folder that nothing else writes to, and start again"
            )
        return table


@contextmanager
def _of(path: Path, done: str) -> Iterator[None]:
    """Say which file of the run it is that is damaged or missing, or cannot be written."""
    try:
        yield
    except (OSError, pa.ArrowException) as error:
        why = f"{path} cannot be {done}: {str(error).splitlines()[0]}"
        is_full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
        raise LevelLost(f"{DISK_FULL if is_full else DAMAGED}: {why}") from None
