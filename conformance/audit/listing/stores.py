"""Stores that are listed here: a directory, or what pyarrow.fs opens by a URI."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.fs

from tierproof.conformance.audit.listing.layouts import Raw
from tierproof.conformance.audit.reading.splits import NotReadable

OBJECTS_AT_ONCE = 50_000
SCHEMES = ("s3://", "gs://", "gcs://", "abfs://", "abfss://")


def read_directory(folder: Path) -> Iterator[Raw]:
    """The files below a folder; keys are their paths from it on."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    while block := list(islice(found, OBJECTS_AT_ONCE)):
        keys, sizes, times = [], [], []
        for path in block:
            try:
                known = path.stat()
            except FileNotFoundError:
                continue  # deleted while the folder is read, as an object of a bucket may be
            keys.append(path.relative_to(folder).as_posix())
            sizes.append(known.st_size)
            times.append(known.st_mtime_ns // 1_000_000)
        yield _raw(keys, sizes, times)


def read_store(uri: str) -> Iterator[Raw]:
    """The objects below a URI; keys begin behind the bucket. Raises NotReadable."""
    try:
        system, path = pyarrow.fs.FileSystem.from_uri(uri)
        bucket, _, prefix = path.strip("/").partition("/")
        for folder in _folders(system, f"{bucket}/{prefix}".rstrip("/")):
            yield from _listed(folder, bucket)
    except (pa.ArrowException, OSError) as error:
        raise NotReadable(f"{uri} cannot be listed: {str(error).splitlines()[0]}") from error


def _folders(system: Any, path: str) -> Iterator[Sequence[Any]]:
    """The entries of one folder after the other, so that no whole bucket is in memory."""
    waiting = [path]
    while waiting:
        found = system.get_file_info(pyarrow.fs.FileSelector(waiting.pop(), recursive=False))
        waiting += [one.path for one in found if one.type == pyarrow.fs.FileType.Directory]
        yield [one for one in found if one.type == pyarrow.fs.FileType.File]


def _listed(files: Sequence[Any], bucket: str) -> Iterator[Raw]:
    if files:
        keys = [one.path.removeprefix(f"{bucket}/") for one in files]
        yield _raw(keys, [one.size for one in files], [_ms(one.mtime) for one in files])


def _ms(time: datetime | None) -> int | None:
    return None if time is None else int(time.timestamp() * 1000)


def _raw(keys: list[str], sizes: list[int], times: Sequence[int | None]) -> Raw:
    return Raw(
        pa.array(keys, pa.string()), pa.array(sizes, pa.int64()), pa.array(times, pa.int64())
    )
