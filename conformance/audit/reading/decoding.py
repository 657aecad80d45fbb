"""Located records as rows of RECORDS, and rows for those that are none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tierproof.conformance.audit.reading import batches, messages, reasons, records
from tierproof.conformance.audit.reading.columns import record_batch
from tierproof.conformance.audit.reading.setting_aside import Aside

Numbers = np.ndarray[Any, Any]

WHY = {
    messages.UNKNOWN_MESSAGE: reasons.UNKNOWN_MESSAGE,
    messages.UNKNOWN_VERSION: reasons.UNKNOWN_VERSION,
    messages.FOREIGN: reasons.FOREIGN_RECORD,
}


@dataclass(frozen=True)
class Decoded:
    """Rows of RECORDS, None if there are none, and what was set aside of `located`."""

    rows: pa.RecordBatch | None
    asides: list[Aside]
    located: Numbers

    @property
    def as_batches(self) -> Numbers:
        """Each record as a batch of its own, for SeenOffsets."""
        table = np.zeros((len(self.located), batches.COLUMNS), np.int64)
        for column in (batches.FIRST, batches.LAST):
            table[:, column] = self.located[:, records.OFFSET]
        return table


def decode_records(
    data: Numbers,
    located: Numbers,
    source: str,
    metadata_partition: int,
    positions: Numbers | None = None,
) -> Decoded:
    """Decode records of `data`, uint8, which are located by int64[n, records.COLUMNS].

    `positions` has the byte of the file at which each one's batch begins.
    """
    rows = np.empty((len(located), messages.COLUMNS), np.int64)
    messages.decode(data, located, rows)
    is_known = rows[:, messages.KIND] <= messages.TOMBSTONE
    asides: list[Aside] = []
    kept = located
    if not is_known.all():
        places = None if positions is None else positions[~is_known]
        asides = list(_unknown(located[~is_known], rows[~is_known], source, places))
        kept, rows = located[is_known], rows[is_known]
    found = record_batch(data, kept, rows, source, metadata_partition) if len(rows) else None
    return Decoded(found, asides, located)


def _unknown(
    located: Numbers, rows: Numbers, source: str, positions: Numbers | None
) -> Iterator[Aside]:
    """Rows for records that are set aside, one for neighbours that are so for one reason."""
    same = np.ones(len(rows), np.bool_)
    for column in (messages.KIND, messages.API_KEY, messages.VERSION):
        same[1:] &= rows[1:, column] == rows[:-1, column]
    same[1:] &= located[1:, records.OFFSET] == located[:-1, records.OFFSET] + 1
    same[:1] = False
    starts = np.flatnonzero(~same).tolist()
    for start, end in zip(starts, [*starts[1:], len(rows)], strict=True):
        group = located[start:end]
        sizes = np.maximum(group[:, [records.KEY_BYTES, records.VALUE_BYTES]], 0)
        yield Aside(
            source=source,
            position=None if positions is None else int(positions[start]),
            record_offset=int(group[0, records.OFFSET]),
            bytes=int(sizes.sum()),
            records=len(group),
            reason=WHY[int(rows[start, messages.KIND])],
            detail=why(rows[start]),
        )


def why(row: Numbers) -> str:
    """Why a record is set aside, as one sentence."""
    kind, version = int(row[messages.API_KEY]), int(row[messages.VERSION])
    if row[messages.KIND] == messages.UNKNOWN_MESSAGE:
        return f"The api key {kind} is none of the topic's messages, which have 0 to 3."
    if row[messages.KIND] == messages.UNKNOWN_VERSION:
        newest = messages.NEWEST_VERSION
        return f"Version {version} of the message with api key {kind} is newer than {newest}."
    return "Neither value nor key is such as a broker writes to this topic."
