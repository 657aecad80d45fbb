"""An S3 Inventory: its manifest, and the CSV or Parquet files that the manifest names."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from tierproof.conformance.audit.listing.layouts import Raw
from tierproof.conformance.audit.reading import reasons
from tierproof.conformance.audit.reading.setting_aside import Aside
from tierproof.conformance.audit.reading.splits import NotReadable

COLUMNS = {
    "key": ("Key", "key"),
    "bytes": ("Size", "size"),
    "modified": ("LastModifiedDate", "last_modified_date"),
    "is_latest": ("IsLatest", "is_latest"),
    "is_deleted": ("IsDeleteMarker", "is_delete_marker"),
}
"""Our name -> the column's name in CSV, and in Parquet."""


def is_manifest(content: Any) -> bool:
    """Whether JSON is the manifest of an inventory."""
    return isinstance(content, Mapping) and "fileSchema" in content and "files" in content


def read_inventory(manifest: Path, content: Any, asides: list[Aside]) -> Iterator[Raw]:
    """Objects of an inventory whose files lie beside the manifest, or below its folder.

    Only the latest version of an object counts, and no delete marker. A file that is not there or
    is damaged is appended to `asides`. Raises NotReadable for a format other than CSV and Parquet.
    """
    form = str(content.get("fileFormat", "")).upper()
    if form not in ("CSV", "PARQUET"):
        raise NotReadable(
            f"the inventory {manifest} has files of format {form or 'none'}: "
            "only CSV and Parquet are read"
        )
    names = [name.strip() for name in str(content["fileSchema"]).split(",")]
    for described in content["files"]:
        key = str(described.get("key", ""))
        try:
            path = _beside(manifest, key)
            blocks = _csv(path, names) if form == "CSV" else _parquet(path)
            for block in blocks:
                yield _raw(block, is_quoted=form == "CSV")
        except (OSError, pa.ArrowException, KeyError) as error:
            asides.append(_unreadable(manifest, key, error))


def _beside(manifest: Path, key: str) -> Path:
    """The file of an inventory: copied next to the manifest, or kept in its tree."""
    name = key.rpartition("/")[2]
    places = [manifest.parent / name, manifest.parent / "data" / name]
    places += [above / "data" / name for above in manifest.parents]
    places += [above / key for above in manifest.parents]
    for place in places:
        if name and place.is_file():
            return place
    raise FileNotFoundError(f"there is no file {name} beside the manifest")


def _csv(path: Path, names: list[str]) -> Iterator[Any]:
    options = pyarrow.csv.ConvertOptions(
        column_types={name: pa.string() for name in names}, strings_can_be_null=True
    )
    yield from pyarrow.csv.open_csv(
        path,
        read_options=pyarrow.csv.ReadOptions(column_names=names),
        convert_options=options,
    )


def _parquet(path: Path) -> Iterator[Any]:
    yield from pyarrow.parquet.ParquetFile(path).iter_batches()


def _raw(block: pa.RecordBatch, is_quoted: bool) -> Raw:
    """Rows of an inventory; the keys of a CSV are quoted as in URLs."""
    for name in ("is_latest", "is_deleted"):
        flag = _column(block, name)
        if flag is not None:
            wanted = "true" if name == "is_latest" else "false"
            kept = pc.equal(pc.utf8_lower(pc.cast(flag, pa.string())), wanted)
            block = block.filter(pc.fill_null(kept, True))
    keys = _column(block, "key", required=True)
    if is_quoted:
        keys = pa.array([None if key is None else unquote_plus(key) for key in keys.to_pylist()])
    sizes = _column(block, "bytes", required=True)
    return Raw(
        pc.cast(keys, pa.string()),
        pc.fill_null(pc.cast(sizes, pa.int64()), 0),
        _modified_ms(_column(block, "modified"), block.num_rows),
    )


def _modified_ms(times: Any, count: int) -> pa.Array:
    if times is None:
        return pa.nulls(count, pa.int64())
    if pa.types.is_string(times.type):
        times = pc.cast(pc.replace_substring(times, "Z", ""), pa.timestamp("ms"))
    return pc.cast(pc.cast(times, pa.timestamp("ms"), safe=False), pa.int64())


def _column(block: pa.RecordBatch, name: str, required: bool = False) -> Any:
    for option in COLUMNS[name]:
        if option in block.schema.names:
            return block.column(option)
    if required:
        raise KeyError(f"the inventory has no column {COLUMNS[name][0]}")
    return None


def _unreadable(manifest: Path, key: str, error: Exception) -> Aside:
    return Aside(
        source=str(manifest),
        reason=reasons.UNREADABLE_FILE,
        detail=f"The file {key or 'without a name'} of the inventory is unread: {error}.",
    )


def uploads_of(content: Any) -> Raw | None:
    """The unfinished uploads in the JSON of `aws s3api list-multipart-uploads`; None: it is none.

    How many bytes of each were sent, S3 does not say: 0.
    """
    if not isinstance(content, Mapping) or not isinstance(content.get("Uploads"), list):
        return None
    found = [one for one in content["Uploads"] if isinstance(one, Mapping) and "Key" in one]
    begun = [str(one.get("Initiated", ""))[:19].replace(" ", "T") for one in found]
    times = pc.strptime(pa.array(begun, pa.string()), "%Y-%m-%dT%H:%M:%S", "ms", error_is_null=True)
    return Raw(
        pa.array([str(one["Key"]) for one in found], pa.string()),
        pa.array([0] * len(found), pa.int64()),
        pc.cast(times, pa.int64()),
        unfinished=True,
    )


def json_of(path: Path) -> Any:
    """The content of a JSON file, None if it is none."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, UnicodeDecodeError):
        return None
