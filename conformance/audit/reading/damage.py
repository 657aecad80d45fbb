"""Bytes that are no batch: what they were, as far as their headers say, and what was lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tierproof.conformance.audit.reading import reasons
from tierproof.conformance.audit.reading.batches import BEYOND, HEADER, plausible_size
from tierproof.conformance.audit.reading.fields import integer
from tierproof.conformance.audit.reading.offsets import Interval
from tierproof.conformance.audit.reading.setting_aside import Aside


@dataclass(frozen=True)
class Damage:
    """Bytes passed over between two batches: rows for them, and the offsets on either side."""

    rows: tuple[Aside, ...]
    last_before: int | None
    first_behind: int | None

    def lacks(self, interval: Interval) -> bool:
        """Whether offsets that are missing may have been in these bytes."""
        begins = self.last_before is None or interval[0] > self.last_before
        return begins and (self.first_behind is None or interval[1] < self.first_behind)


def rows_of(data: Any, start: int, end: int, origin: int, source: str, ends: bool) -> list[Aside]:
    """Rows for data[start:end], which is no batch. `ends`: the file ends at `end`.

    `origin` is the byte of the file at which `data` begins.
    """
    found = list(_damaged_batches(data, start, end, origin, source))
    at = start + sum(row.bytes or 0 for row in found)
    if at < end:
        found.append(_rest(data, at, end, origin, source, ends))
    return found


def _damaged_batches(data: Any, start: int, end: int, origin: int, source: str) -> Iterator[Aside]:
    """Batches whose headers can be followed from one to the next, but whose checksum is wrong."""
    at = start
    while (size := int(plausible_size(data, at, end))) > 0:
        is_batch = data[at + 16] == 2
        yield Aside(
            source=source,
            position=origin + at,
            record_offset=int(integer(data, at, 8)),
            bytes=size,
            records=int(integer(data, at + 57, 4)) if is_batch else None,
            reason=reasons.DAMAGED_BATCH,
            detail="The checksum of the batch is wrong; a broker does not read it either.",
        )
        at += size


def _rest(data: Any, at: int, end: int, origin: int, source: str, ends: bool) -> Aside:
    """What no header describes."""
    is_cut = ends and (end - at < HEADER or int(plausible_size(data, at, end)) == BEYOND)
    is_zero = not np.any(data[at:end])
    base = int(integer(data, at, 8)) if is_cut and end - at >= HEADER and not is_zero else None
    if is_zero:
        detail = "The bytes are all zero, as of a file that was allocated and not written."
    elif is_cut:
        detail = (
            "The file ends within a batch: it was cut, or its broker was writing. "
            "What stood behind is not known."
        )
    else:
        detail = "No batch begins in these bytes."
    return Aside(
        source=source,
        position=origin + at,
        record_offset=base,
        bytes=end - at,
        reason=reasons.TRUNCATED if is_cut else reasons.UNREADABLE_BYTES,
        detail=detail,
    )


def lost_in(
    damages: Sequence[Damage], missing: Sequence[Interval], highest: int | None
) -> tuple[list[Aside], list[Interval]]:
    """Rows of all damages with the number of records that they lost, and the gaps that remain.

    The offsets that are missing between the batches on either side are known better than what
    damaged headers say; but of offsets above `highest`, the last that was read, only these speak.
    """
    rows: list[Aside] = []
    gaps = list(missing)
    for damage in damages:
        lost = [gap for gap in gaps if damage.lacks(gap)]
        gaps = [gap for gap in gaps if gap not in lost]
        rows += _with_records(damage, lost, -1 if highest is None else highest)
    return rows, gaps


def _with_records(damage: Damage, lost: Sequence[Interval], highest: int) -> Sequence[Aside]:
    count = sum(last - first + 1 for first, last in lost)
    said = [row.records for row in damage.rows]
    is_open = damage.first_behind is None and not lost
    if is_open or (None not in said and sum(map(int, filter(None, said))) == count):
        return damage.rows
    if not lost:
        return [_repeated(row, highest) for row in damage.rows]
    first, *others = damage.rows
    if first.record_offset is None:
        first = replace(first, record_offset=lost[0][0])
    return [replace(first, records=count), *(replace(row, records=0) for row in others)]


def _repeated(row: Aside, highest: int) -> Aside:
    """A row where no offset is missing: nothing is lost, unless its own come after all others."""
    is_last = row.record_offset is not None and row.record_offset > highest
    return row if is_last else replace(row, records=0)
