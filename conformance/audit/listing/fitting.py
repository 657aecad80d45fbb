"""Whether a bucket is the one that the records are about, before it is held against them."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pyarrow as pa
import pyarrow.compute as pc

from tierproof.conformance.audit.asked import Keys
from tierproof.conformance.audit.listing.layouts import BUILT_IN, layout_of
from tierproof.conformance.audit.reading.splits import NotReadable

SHOWN = 3


def check_layout(objects: pa.Table, layout: str | None) -> None:
    """Raise NotReadable if there are objects, and the key of none fits the layout."""
    stored = _stored(objects)
    if not len(stored) or stored["file"].null_count < len(stored):
        return
    which = "a layout that is known" if layout is None else f"the layout {layout}"
    raise NotReadable(f"no key of the bucket fits {which}: {_seen(stored)}; {_layouts()}")


def keys_of(objects: pa.Table, layout: str | None) -> tuple[Keys | None, str | None]:
    """How the bucket builds its keys, by one that fits, and the name of its layout.

    None for both if none fits.
    """
    fitting = objects.filter(pc.is_valid(objects["file"])).slice(0, 1)["key"].to_pylist()
    for key in fitting:
        for one in BUILT_IN if layout is None else (layout_of(layout),):
            match = re.search(one.pattern, key)
            if match is None:
                continue
            prefix = key[: match.start()] + "/" * key[match.start() :].startswith("/")
            escaped = prefix.replace("{", "{{").replace("}", "}}")
            start = match.groupdict().get("start_offset", "")
            keys = Keys(
                template=escaped + one.template,
                suffixes={kind: suffix for suffix, kind in one.files.items()},
                is_padded=len(start) != len(str(int(start or 0))),
            )
            return keys, one.name
    return None, None


def names_any(objects: pa.Table, records: Iterable[pa.RecordBatch]) -> bool:
    """Whether a record names the segment of an object; `records` have a column segment_id."""
    ids = pc.unique(_stored(objects)["segment_id"].drop_null())
    return len(ids) > 0 and any(
        pc.any(pc.is_in(batch["segment_id"], value_set=ids)).as_py() for batch in records
    )


def refuse_another(objects: pa.Table, live_segments: int) -> None:
    """Raise NotReadable for objects of which none is of a record, beside live segments."""
    stored = _stored(objects)
    if not len(stored) or not live_segments:
        return
    raise NotReadable(
        "no object of the bucket is of any record, though live segments should have some: "
        f"{_seen(stored)}; is this the right bucket, prefix and --layout? {_layouts()}"
    )


def _stored(objects: pa.Table) -> pa.Table:
    return objects.filter(pc.invert(objects["unfinished"]))


def _seen(objects: pa.Table) -> str:
    keys = objects["key"].slice(0, SHOWN).to_pylist()
    more = ", ..." if len(objects) > SHOWN else ""
    return f"seen were {', '.join(keys)}{more}"


def _layouts() -> str:
    named = ", ".join(f"{one.name} ({one.template})" for one in BUILT_IN)
    return f"layouts are {named}, or a template of your own"
