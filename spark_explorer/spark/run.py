"""A run: the folder that durably stores an exploration on Spark.

    level=0007/part=0003.parquet     states of level 7 that partition 3 owns:
                                     fingerprint, parent, label, state (packed)

Files are written atomically, and carry the digest of the run's identity. Everything else (visited
tables, frontiers, traces) is rebuilt from these files; on a cluster the folder is on storage that
all executors share.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tierproof.spark_explorer.execution import Unlike
from tierproof.spark_explorer.native.visited import Origin

Array = np.ndarray[Any, Any]
MARK = b"tierproof"
"""Where a file of a run has the digest of the run's identity."""


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

    def write(
        self, level: int, part: int, found: Array, parents: Array, labels: Array, words: Array
    ) -> None:
        """Write the states of a level, replacing the file of an earlier attempt."""
        raw = np.ascontiguousarray(words).tobytes()
        width = 8 * self.words
        states = pa.FixedSizeBinaryArray.from_buffers(
            pa.binary(width), len(words), [None, pa.py_buffer(raw)]
        )
        table = pa.table(
            {"fingerprint": found, "parent": parents, "label": labels, "state": states},
            metadata={MARK: self.identity.encode()},
        )
        path = self.path(level, part)
        path.parent.mkdir(parents=True, exist_ok=True)
        attempt = path.with_suffix(f".{uuid4().hex}.tmp")
        pq.write_table(table, attempt, compression="none", use_dictionary=False)
        attempt.replace(path)

    def states(self, level: int, part: int) -> Array:
        """The packed states of a level that a partition owns."""
        path = self.path(level, part)
        if not path.exists():
            return np.zeros((0, self.words), np.uint64)
        column = self._read(path, "state")["state"].combine_chunks()
        if isinstance(column, pa.ChunkedArray):
            column = column.chunk(0)
        data = np.frombuffer(column.buffers()[1], np.uint64)
        start = column.offset * self.words
        return data[start : start + len(column) * self.words].reshape(-1, self.words)

    def origins(self, level: int, part: int) -> tuple[Array, Array, Array]:
        """Fingerprints, parents and labels of a level that a partition owns."""
        path = self.path(level, part)
        if not path.exists():
            empty = np.zeros(0, np.uint64)
            return empty, empty, np.zeros(0, np.uint32)
        table = self._read(path, "fingerprint", "parent", "label")
        found, parents, labels = (column.to_numpy() for column in table.columns)
        return found, parents, labels

    def _read(self, path: Path, *columns: str) -> pa.Table:
        """Columns of a file of this run."""
        table = pq.read_table(path, columns=list(columns))
        written = (table.schema.metadata or {}).get(MARK, b"").decode()
        if written != self.identity:
            raise Unlike(
                f"{path} was written for another design, or by another version: give each run "
                "a folder that nothing else writes to, and start again"
            )
        return table

    def origin(self, level: int, part: int, found: int) -> Origin | None:
        """How the state with a fingerprint was reached, if it is in this level and partition."""
        fingerprints, parents, labels = self.origins(level, part)
        rows = np.flatnonzero(fingerprints == np.uint64(found))
        if not len(rows):
            return None
        return Origin(int(parents[rows[0]]), int(labels[rows[0]]), level)
