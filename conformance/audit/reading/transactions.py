"""Records of aborted transactions: known only once the markers behind them were read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from tierproof.conformance.audit.reading import reasons
from tierproof.conformance.audit.reading.chunks import Marker
from tierproof.conformance.audit.reading.offsets import Interval
from tierproof.conformance.audit.reading.setting_aside import Aside
from tierproof.conformance.audit.reading.split_reading import Summary

DETAIL = (
    "The transaction of these records was aborted. A broker applies them all the same: it reads "
    "this topic uncommitted."
)


def aborted(summaries: Iterable[Summary]) -> list[Interval]:
    """Offsets of batches of a partition whose transaction ends in an abort, in order.

    A transaction that has no marker is open, and not among them.
    """
    batches: list[tuple[int, int, int]] = []
    markers: list[Marker] = []
    for summary in summaries:
        batches += summary.transactions
        markers += summary.markers
    return aborted_of(batches, markers)


def aborted_of(
    batches: Iterable[tuple[int, int, int]], markers: Iterable[Marker]
) -> list[Interval]:
    """The same of batches as producer, first and last offset, and of markers."""
    by_producer: dict[int, list[tuple[int, bool]]] = defaultdict(list)
    for producer, offset, aborts in markers:
        by_producer[producer].append((offset, aborts))
    return sorted(
        (first, last) for producer, first, last in batches if _aborts(by_producer[producer], last)
    )


def _aborts(markers: Sequence[tuple[int, bool]], last: int) -> bool:
    """Whether the next marker behind an offset is an abort."""
    behind = [marker for marker in markers if marker[0] > last]
    return bool(behind) and min(behind)[1]


def leave_out(path: Path, offsets: Sequence[Interval]) -> list[Aside]:
    """Write a file of RECORDS again without some offsets. Returns rows for what was in it."""
    table = pyarrow.parquet.read_table(path)
    is_out = within(table["record_offset"].to_numpy(), offsets)
    if not is_out.any():
        return []
    out = table.filter(pa.array(is_out))
    pyarrow.parquet.write_table(table.filter(pa.array(~is_out)), path, compression="lz4")
    return [
        Aside(
            source=row["source"],
            record_offset=row["record_offset"],
            bytes=row["record_bytes"],
            records=1,
            reason=reasons.ABORTED_TRANSACTION,
            detail=DETAIL,
        )
        for row in out.select(["source", "record_offset", "record_bytes"]).to_pylist()
    ]


def within(offsets: Any, intervals: Sequence[Interval]) -> Any:
    """Which offsets lie in one of intervals that are in order and disjoint, bool[offsets]."""
    bounds = np.array(intervals, np.int64).reshape(-1, 2)
    before = np.searchsorted(bounds[:, 0], offsets, "right") - 1
    return (before >= 0) & (offsets <= bounds[before, 1])
