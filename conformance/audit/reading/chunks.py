"""Batches that are decoded at once: decompressed, and their records located and decoded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa

from tierproof.conformance.audit.reading import batches, reasons, records
from tierproof.conformance.audit.reading.decoding import decode_records
from tierproof.conformance.audit.reading.decompression import (
    CannotDecompress,
    UnknownCodec,
    decompress,
)
from tierproof.conformance.audit.reading.fields import integer
from tierproof.conformance.audit.reading.setting_aside import Aside

Numbers = np.ndarray[Any, Any]
Marker = tuple[int, int, bool]
"""Producer, offset, and whether it aborts the transaction."""

ABORT = 0


@dataclass
class Chunk:
    """Batches of `data`, uint8, which begins at byte `origin` of the file `source`.

    `spans` has the records of each batch, in `data` or behind it once decompressed.
    """

    source: str
    origin: int
    metadata_partition: int
    data: Numbers
    batches: Numbers
    asides: list[Aside] = field(default_factory=list)
    transactions: list[tuple[int, int, int]] = field(default_factory=list)
    markers: list[Marker] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.is_left_out = np.zeros(len(self.batches), np.bool_)
        positions = self.batches[:, batches.POSITION]
        magic = self.batches[:, batches.MAGIC]
        codecs = self.batches[:, batches.ATTRIBUTES] & batches.CODEC
        within = np.where(magic == 2, batches.RECORDS_AT, 0)
        self.spans = np.stack(
            [positions + within, positions + self.batches[:, batches.SIZE]], axis=1
        )
        self.compressed = np.flatnonzero(codecs)

    def aside(self, number: int, reason: str, detail: str) -> Aside:
        """A row for a batch."""
        row = self.batches[number]
        return Aside(
            source=self.source,
            position=self.origin + int(row[batches.POSITION]),
            record_offset=int(row[batches.FIRST]),
            bytes=int(row[batches.SIZE]),
            records=int(row[batches.COUNT]),
            reason=reason,
            detail=detail,
        )

    def groups(self, which: Numbers, reason: str, detail: str) -> Iterator[Aside]:
        """Rows for some batches, bool[batches]; one row for those that follow each other."""
        numbers = np.flatnonzero(which)
        for group in np.split(numbers, np.flatnonzero(np.diff(numbers) != 1) + 1):
            if len(group):
                row = self.aside(int(group[0]), reason, detail)
                sums = self.batches[group][:, [batches.SIZE, batches.COUNT]].sum(axis=0)
                yield replace(row, bytes=int(sums[0]), records=int(sums[1]))

    def leave_out(self, which: Numbers) -> None:
        """Read no record of some batches, bool[batches]."""
        self.is_left_out |= which

    def decompress(self) -> None:
        """Append the records of compressed batches to the data."""
        parts, length = [self.data], len(self.data)
        for number in self.compressed.tolist():
            try:
                part = self._decompressed(number)
            except CannotDecompress as error:
                is_unknown = isinstance(error, UnknownCodec)
                reason = reasons.UNKNOWN_CODEC if is_unknown else reasons.DAMAGED_BATCH
                self.asides.append(self.aside(number, reason, f"The batch is unread: {error}."))
                self.is_left_out[number] = True
                continue
            self.spans[number] = length, length + len(part)
            parts.append(part)
            length += len(part)
        if len(parts) > 1:
            self.data = np.concatenate(parts)

    def _decompressed(self, number: int) -> Numbers:
        """The records of a batch; of a message of magic 0 or 1 also its offsets are corrected."""
        row = self.batches[number]
        start, end = self.spans[number]
        codec = int(row[batches.ATTRIBUTES]) & batches.CODEC
        if row[batches.MAGIC] == 2:
            content = decompress(self.data[start:end].tobytes(), codec, 2)
            return np.frombuffer(bytearray(content), np.uint8)
        key_at = start + 18 + 8 * row[batches.MAGIC]
        value_at = key_at + 8 + max(integer(self.data, key_at, 4), 0)
        content = decompress(self.data[value_at:end].tobytes(), codec, int(row[batches.MAGIC]))
        inner = np.frombuffer(bytearray(content), np.uint8)
        count = int(records.count_messages(inner, 0, len(inner)))
        if count <= 0:
            raise CannotDecompress("the messages within it are damaged")
        row[batches.COUNT] = count
        row[batches.FIRST] = integer(inner, 0, 8)
        if row[batches.MAGIC] == 1:
            last = integer(inner, records.last_message(inner, 0, len(inner)), 8)
            row[batches.FIRST] += row[batches.LAST] - last
        return inner

    def decode(self) -> Iterator[pa.RecordBatch]:
        """Rows of RECORDS for what is understood; the rest is in `asides` then."""
        self._check_counts()
        kept = self.batches[~self.is_left_out]
        located = np.empty((int(kept[:, batches.COUNT].sum()), records.COLUMNS), np.int64)
        is_damaged = self.is_left_out.copy()
        count = records.locate(self.data, self.batches, self.spans, located, is_damaged)
        for number in np.flatnonzero(is_damaged & ~self.is_left_out).tolist():
            detail = "The checksum of the batch is right, but its records do not fit into it."
            self.asides.append(self.aside(number, reasons.DAMAGED_BATCH, detail))
        located = self._without_markers(located[:count])
        if len(located) == 0:
            return
        places = self.origin + self.batches[located[:, records.BATCH], batches.POSITION]
        decoded = decode_records(self.data, located, self.source, self.metadata_partition, places)
        self.asides += decoded.asides
        if decoded.rows is not None:
            yield decoded.rows

    def _check_counts(self) -> None:
        """A record has seven bytes at least: a count that cannot be is not believed."""
        sizes = self.spans[:, 1] - self.spans[:, 0]
        least = np.where(self.batches[:, batches.MAGIC] == 2, 7, 14)
        is_wrong = (self.batches[:, batches.COUNT] * least > sizes) & ~self.is_left_out
        for number in np.flatnonzero(is_wrong).tolist():
            detail = "The batch says that it has more records than fit into it."
            self.asides.append(self.aside(number, reasons.DAMAGED_BATCH, detail))
        self.leave_out(is_wrong)

    def _without_markers(self, located: Numbers) -> Numbers:
        """Records without those of control batches; transactions are noted."""
        attributes = self.batches[:, batches.ATTRIBUTES]
        is_batch = (self.batches[:, batches.MAGIC] == 2) & ~self.is_left_out
        in_transaction = is_batch & (attributes & batches.TRANSACTIONAL != 0)
        is_control = is_batch & (attributes & batches.CONTROL != 0)
        for number in np.flatnonzero(in_transaction & ~is_control).tolist():
            row = self.batches[number]
            offsets = (int(row[batches.FIRST]), int(row[batches.LAST]))
            self.transactions.append((int(row[batches.PRODUCER]), *offsets))
        if not is_control.any():
            return located
        of_control = is_control[located[:, records.BATCH]]
        for record in located[of_control]:
            self._note_marker(record)
        for number in np.flatnonzero(is_control).tolist():
            detail = "A marker that ends a transaction; it says nothing of segments."
            self.asides.append(self.aside(number, reasons.CONTROL_RECORD, detail))
        return located[~of_control]

    def _note_marker(self, record: Numbers) -> None:
        """A control record's key is its version and its type, two bytes each."""
        if record[records.KEY_BYTES] < 4:
            return
        kind = int(integer(self.data, record[records.KEY] + 2, 2))
        producer = int(self.batches[record[records.BATCH], batches.PRODUCER])
        self.markers.append((producer, int(record[records.OFFSET]), kind == ABORT))
