"""Rows of SET_ASIDE, gathered while something is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from tierproof.conformance.audit.tables import SET_ASIDE


@dataclass(frozen=True, kw_only=True)
class Aside:
    """One row of SET_ASIDE. Null: what is not known."""

    source: str
    reason: str
    detail: str
    position: int | None = None
    record_offset: int | None = None
    bytes: int | None = None
    records: int | None = None


def table_of(rows: Sequence[Aside]) -> pa.Table:
    """Rows as a table with schema SET_ASIDE."""
    return pa.Table.from_pylist([asdict(row) for row in rows], schema=SET_ASIDE)


def keep(rows: Sequence[Aside], folder: Path, name: str) -> None:
    """Write rows to `name`.parquet in a folder; nothing where there are none."""
    if rows:
        folder.mkdir(parents=True, exist_ok=True)
        pyarrow.parquet.write_table(table_of(rows), folder / f"{name}.parquet")
