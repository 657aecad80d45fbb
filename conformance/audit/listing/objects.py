"""Listings of a bucket: what each source is, and who reads it into OBJECTS."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow.parquet

from tierproof.conformance.audit.listing import inventory, lines, stores
from tierproof.conformance.audit.listing.layouts import BUILT_IN, Layout, Raw, layout_of
from tierproof.conformance.audit.reading import setting_aside
from tierproof.conformance.audit.reading.kept import (
    OBJECTS_FOLDER,
    OF_OBJECTS,
    SET_ASIDE_FOLDER,
    Listing,
)
from tierproof.conformance.audit.reading.setting_aside import Aside
from tierproof.conformance.audit.reading.splits import NotReadable
from tierproof.conformance.audit.tables import OBJECTS


def list_objects(
    sources: Sequence[str | Path], into: Path, *, layout: str | None = None
) -> Listing:
    """Read listings of one bucket into Parquet below `into`, which is made.

    A source is a directory, a URI (s3://, gs://, abfs://), or a file: the lines of
    `aws s3 ls --recursive` or `gsutil ls -l`, the manifest.json of an S3 Inventory, or the JSON of
    `aws s3api list-multipart-uploads`. `layout` is the name of a built-in layout ("aiven",
    "local-tiered-storage") or a template of keys; None tries the built-in ones. An object whose
    key fits no layout is kept with a null `file`.

    Raises NotReadable if a source is none of these, a template cannot be used, or `into` holds a
    listing already.
    """
    layouts = BUILT_IN if layout is None else (layout_of(layout),)
    folder = into / OBJECTS_FOLDER
    if folder.exists():
        raise NotReadable(f"{into} holds a listing already: give another folder, or remove it")
    folder.mkdir(parents=True)
    asides: list[Aside] = []
    try:
        for number, source in enumerate(sources):
            _write(raw_objects(source, asides), layouts, folder / f"{number:06d}.parquet")
    except NotReadable:
        shutil.rmtree(folder)  # half a listing would accuse all that it lacks
        raise
    setting_aside.keep(asides, into / SET_ASIDE_FOLDER, OF_OBJECTS)
    return Listing(into)


def _write(found: Iterator[Raw], layouts: tuple[Layout, ...], path: Path) -> None:
    with pyarrow.parquet.ParquetWriter(path, OBJECTS, compression="lz4") as writer:
        for raw in found:
            if len(raw.keys):
                writer.write_batch(raw.laid_out(layouts))


def raw_objects(source: str | Path, asides: list[Aside]) -> Iterator[Raw]:
    """The objects of a source; what is not understood is appended. Raises NotReadable."""
    if isinstance(source, str) and source.startswith(stores.SCHEMES):
        yield from stores.read_store(source)
        return
    path = Path(source)
    if path.is_dir():
        yield from stores.read_directory(path)
    elif path.is_file():
        yield from _of_file(path, asides)
    elif "://" in str(source):
        raise NotReadable(f"{source}: only {', '.join(stores.SCHEMES)} can be listed")
    else:
        raise NotReadable(f"there is no file or folder {source}")


def _of_file(path: Path, asides: list[Aside]) -> Iterator[Raw]:
    content = inventory.json_of(path) if path.suffix == ".json" else None
    if inventory.is_manifest(content):
        yield from inventory.read_inventory(path, content, asides)
        return
    uploads = inventory.uploads_of(content)
    if uploads is not None:
        yield uploads
        return
    tool = lines.tool_of(path)
    if tool is None and path.stat().st_size:
        raise NotReadable(
            f"{path} is no listing that is known: give the output of `aws s3 ls --recursive`, "
            "`gsutil ls -l` or `aws s3api list-multipart-uploads`, or the manifest.json of an "
            "S3 Inventory"
        )
    if tool is not None:
        yield from lines.read_lines(path, tool, asides)
