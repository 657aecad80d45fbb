"""One split: its batches found, decompressed, located, decoded, and kept as Parquet.

What is the same for threads of this process and for tasks of Spark. A summary goes back, which is
small; the rows go to a file of the split, which a task that is repeated writes again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from tierproof.conformance.audit.reading import batches, damage, reasons
from tierproof.conformance.audit.reading.chunks import Chunk, Marker
from tierproof.conformance.audit.reading.offsets import Interval, SeenOffsets, renumber
from tierproof.conformance.audit.reading.setting_aside import Aside
from tierproof.conformance.audit.reading.splits import Piece, Split
from tierproof.conformance.audit.tables import RECORDS

LOOKAHEAD = 1 << 20
"""Bytes behind a piece that are read with it, as a batch may begin within and end behind it."""

CHUNK_BATCHES = 1 << 15
CHUNK_BYTES = 1 << 23
"""Of batches that are decoded at once."""

MOST_GAPS = 100
"""Gaps of a split that have rows of their own."""

Numbers = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Summary:
    """What a task says of its split. Offsets of `intervals` were seen.

    `is_out_of_place`: a batch has another base offset than its neighbours leave it.
    """

    number: int
    metadata_partition: int
    records: int
    bytes: int
    asides: tuple[Aside, ...]
    intervals: tuple[Interval, ...]
    transactions: tuple[tuple[int, int, int], ...]
    markers: tuple[Marker, ...]
    is_out_of_place: bool


@dataclass
class Sink:
    """The file of a split, which appears when it is whole; no rows, no file."""

    folder: Path
    number: int
    rows: int = 0
    writer: Any = None

    @property
    def path(self) -> Path:
        """Where the rows are in the end."""
        return self.folder / f"{self.number:06d}.parquet"

    @property
    def being_written(self) -> Path:
        """Where they are until then, a name of this process alone."""
        return self.folder / f".{self.number:06d}.{os.getpid()}"

    def write(self, rows: pa.RecordBatch) -> None:
        """Append rows."""
        if self.writer is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.writer = pyarrow.parquet.ParquetWriter(
                self.being_written, RECORDS, compression="lz4"
            )
        self.writer.write_batch(rows)
        self.rows += rows.num_rows

    def close(self) -> None:
        """Show the file under its name."""
        if self.writer is not None:
            self.writer.close()
            self.being_written.replace(self.path)


@dataclass
class SplitReader:
    """A split while it is read: what was seen so far, across its pieces."""

    split: Split
    sink: Sink
    seen: SeenOffsets = field(default_factory=SeenOffsets)
    asides: list[Aside] = field(default_factory=list)
    damages: list[damage.Damage] = field(default_factory=list)
    transactions: list[tuple[int, int, int]] = field(default_factory=list)
    markers: list[Marker] = field(default_factory=list)
    bytes: int = 0
    is_out_of_place: bool = False

    def read(self) -> Summary:
        """Read all pieces."""
        behind: int | None = None
        for piece in self.split.pieces:
            behind = self._read_piece(piece)
        self.sink.close()
        self._account(behind)
        return Summary(
            number=self.split.number,
            metadata_partition=self.split.metadata_partition,
            records=self.sink.rows,
            bytes=self.bytes,
            asides=tuple(self.asides),
            intervals=tuple(self.seen.intervals),
            transactions=tuple(self.transactions),
            markers=tuple(self.markers),
            is_out_of_place=self.is_out_of_place,
        )

    def _read_piece(self, piece: Piece) -> int | None:
        """Read the batches that begin in a piece. Returns the offset of what follows it."""
        try:
            data, boundary, is_end = window(piece)
        except OSError as error:
            self.asides.append(unreadable(piece, error))
            return piece.next_base
        at = 0 if piece.first == 0 else int(batches.next_batch(data, 0, len(data)))
        self.bytes += max(boundary - at, 0)
        while at < boundary:
            at = self._read_chunk(piece, data, at, boundary, is_end)
        behind = piece.next_base if is_end else self._first_offset(piece, data, boundary)
        self._close_damages(behind)
        return behind

    def _read_chunk(self, piece: Piece, data: Numbers, at: int, boundary: int, is_end: bool) -> int:
        """Decode batches from `at` on. Returns where the next ones begin."""
        table = np.empty((CHUNK_BATCHES, batches.COLUMNS), np.int64)
        spans = np.empty((CHUNK_BATCHES, 3), np.int64)
        last = min(at + CHUNK_BYTES, boundary)
        rows, passed_over, behind = batches.fill(data, at, last, boundary, table, spans)
        chunk = Chunk(piece.path, piece.first, self.split.metadata_partition, data, table[:rows])
        chunk.decompress()
        self._note_damages(piece, data, chunk.batches, spans[:passed_over], boundary, is_end)
        self._note_offsets(chunk)
        for found in chunk.decode():
            self.sink.write(found)
        self.asides += chunk.asides
        self.transactions += chunk.transactions
        self.markers += chunk.markers
        return int(behind)

    def _note_offsets(self, chunk: Chunk) -> None:
        """Leave out batches whose offsets cannot be or were seen, and say which come late."""
        is_wrong = renumber(chunk.batches, self._next_offset())
        self.asides += chunk.groups(
            is_wrong, reasons.DAMAGED_BATCH, "Its base offset is not that of its place in the file."
        )
        chunk.leave_out(is_wrong)
        self.is_out_of_place |= bool(is_wrong.any())
        repeats, is_late = self.seen.admit(chunk.batches)
        repeats &= ~is_wrong
        self.asides += chunk.groups(
            repeats,
            reasons.DUPLICATE_OFFSET,
            "An earlier batch has these offsets: what stands there is written twice.",
        )
        chunk.leave_out(repeats)
        for late in chunk.groups(
            is_late,
            reasons.OUT_OF_ORDER,
            "This stands behind a batch with later offsets; its records were read.",
        ):
            self.asides.append(replace(late, bytes=0, records=0))

    def _next_offset(self) -> int | None:
        """The offset that the next batch should have."""
        first = self.split.pieces[0]
        if self.seen.highest is not None:
            return self.seen.highest + 1
        return first.base if first.first == 0 else None

    def _note_damages(
        self,
        piece: Piece,
        data: Numbers,
        table: Numbers,
        spans: Numbers,
        boundary: int,
        is_end: bool,
    ) -> None:
        if len(table):
            self._close_damages(int(table[0, batches.FIRST]))
        for start, end, row in spans.tolist():
            ends = is_end and end == boundary
            rows = damage.rows_of(data, start, end, piece.first, piece.path, ends)
            before = int(table[row - 1, batches.LAST]) if row else self.seen.highest
            behind = int(table[row, batches.FIRST]) if row < len(table) else None
            self.damages.append(damage.Damage(tuple(rows), before, behind))

    def _close_damages(self, first_behind: int | None) -> None:
        """The offset behind damages that stood at the end of what was read."""
        self.damages = [
            one if one.first_behind is not None else replace(one, first_behind=first_behind)
            for one in self.damages
        ]

    def _first_offset(self, piece: Piece, data: Numbers, at: int) -> int | None:
        """The first offset of the batch at `at`, which is another split's."""
        table = np.empty((1, batches.COLUMNS), np.int64)
        size = batches.whole_batch(data, at, len(data))
        batches.describe(data, at, size, table[0])
        chunk = Chunk(piece.path, piece.first, self.split.metadata_partition, data, table)
        chunk.decompress()
        return int(table[0, batches.FIRST])

    def _account(self, behind: int | None) -> None:
        """Say which offsets are missing, and how many of them damages explain."""
        first = self.split.pieces[0]
        expected = first.base if first.first == 0 else None
        rows, gaps = damage.lost_in(
            self.damages, self.seen.missing(expected, behind), self.seen.highest
        )
        self.asides += rows
        self.asides += gap_rows(gaps, self.split.pieces[0].path)


def window(piece: Piece) -> tuple[Numbers, int, bool]:
    """The bytes of a piece with what follows, where the next split begins, whether the file ends.

    The next split begins at the first batch from the piece's end on. Raises OSError.
    """
    ahead = LOOKAHEAD
    while True:
        count = piece.last - piece.first + ahead
        data = np.fromfile(piece.path, np.uint8, count, offset=piece.first)
        is_end = len(data) < count
        length = min(piece.last - piece.first, len(data))
        boundary = int(batches.next_batch(data, length, len(data)))
        if boundary < len(data) or is_end:
            return data, boundary, boundary == len(data)
        ahead *= 4


def gap_rows(gaps: list[Interval], source: str) -> Iterator[Aside]:
    """Rows for offsets that no batch has; those beyond MOST_GAPS in one row."""
    for first, last in gaps[:MOST_GAPS]:
        yield Aside(
            source=source,
            record_offset=first,
            bytes=0,
            records=last - first + 1,
            reason=reasons.OFFSET_GAP,
            detail=f"No batch has the offsets {first} to {last}: compacted, deleted or lost.",
        )
    if others := gaps[MOST_GAPS:]:
        yield Aside(
            source=source,
            record_offset=others[0][0],
            bytes=0,
            records=sum(last - first + 1 for first, last in others),
            reason=reasons.OFFSET_GAP,
            detail=f"{len(others):,} more gaps follow, up to offset {others[-1][1]}.",
        )


def unreadable(piece: Piece, error: OSError) -> Aside:
    """The row for a file that cannot be read."""
    return Aside(
        source=piece.path,
        position=piece.first,
        bytes=piece.last - piece.first,
        reason=reasons.UNREADABLE_FILE,
        detail=f"{error.strerror or error}.",
    )


def read_split(split: Split, folder: Path) -> Summary:
    """Read a split into a file of `folder`."""
    return SplitReader(split, Sink(folder, split.number)).read()
