"""What was read, kept as Parquet: tables that do not fit into memory are read like small ones."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet

from tierproof.conformance.audit.tables import OBJECTS, RECORDS, SET_ASIDE

RECORDS_FOLDER = "records"
OBJECTS_FOLDER = "objects"
SET_ASIDE_FOLDER = "set_aside"
OF_METADATA, OF_OBJECTS = "metadata", "objects"


@dataclass(frozen=True)
class Reading:
    """Records of the metadata topic, and what was set aside, below `folder` as Parquet.

    `records/*.parquet` in the order of their names hold RECORDS: by metadata partition, and in
    the order of the file within it. That is the order of offsets, unless set-aside rows of
    OUT_OF_ORDER say otherwise. No two rows have the same metadata partition and offset.
    """

    folder: Path

    @property
    def records(self) -> Any:
        """A pyarrow Dataset with schema RECORDS: `.to_batches()` streams, `.to_table()` loads."""
        return dataset_of(self.folder / RECORDS_FOLDER, RECORDS)

    @property
    def record_files(self) -> list[Path]:
        """The files of `records`, in order: for DuckDB or Spark."""
        return files_of(self.folder / RECORDS_FOLDER)

    @property
    def set_aside(self) -> pa.Table:
        """The rows of SET_ASIDE of the metadata."""
        return _set_aside(self.folder, OF_METADATA)


@dataclass(frozen=True)
class Listing:
    """Objects of a bucket, and lines that were not understood, below `folder` as Parquet."""

    folder: Path

    @property
    def objects(self) -> Any:
        """A pyarrow Dataset with schema OBJECTS."""
        return dataset_of(self.folder / OBJECTS_FOLDER, OBJECTS)

    @property
    def object_files(self) -> list[Path]:
        """The files of `objects`, in order."""
        return files_of(self.folder / OBJECTS_FOLDER)

    @property
    def set_aside(self) -> pa.Table:
        """The rows of SET_ASIDE of the listing."""
        return _set_aside(self.folder, OF_OBJECTS)


def _set_aside(folder: Path, name: str) -> pa.Table:
    """One of the files of SET_ASIDE; a reading and a listing may share the folder."""
    path = folder / SET_ASIDE_FOLDER / f"{name}.parquet"
    if not path.is_file():
        return SET_ASIDE.empty_table()
    return pyarrow.parquet.read_table(path, schema=SET_ASIDE)


def files_of(folder: Path) -> list[Path]:
    """The Parquet files of a folder, by name; none if there is no such folder."""
    return sorted(folder.glob("*.parquet"))


def dataset_of(folder: Path, schema: pa.Schema) -> Any:
    """The Parquet files of a folder as one Dataset; an empty one if it has none."""
    files = [str(path) for path in files_of(folder)]
    return pyarrow.dataset.dataset(files, schema=schema, format="parquet")
