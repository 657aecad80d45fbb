"""What the key of an object says: layouts of stores, as patterns that Arrow matches in bulk."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from tierproof.conformance.audit.reading.splits import NotReadable
from tierproof.conformance.audit.tables import FILES, OBJECTS

UUID = "[A-Za-z0-9_-]{22}"
TOPIC = "[A-Za-z0-9._-]+"

FIELDS = {
    "topic": TOPIC,
    "topic_id": UUID,
    "partition": r"\d{1,9}",
    "start_offset": r"0*\d{1,18}",
    "segment_id": UUID,
}
"""Name of a field in a template -> the pattern of its values."""

NUMBERS = {"partition": pa.int32(), "start_offset": pa.int64()}

AIVEN_FILES = {"log": "log", "indexes": "indexes", "rsm-manifest": "manifest"}
KAFKA_FILES = {
    "log": "log",
    "index": "offset_index",
    "timeindex": "time_index",
    "txnindex": "transaction_index",
    "leader_epoch_checkpoint": "leader_epoch_checkpoint",
    "snapshot": "producer_snapshot",
}


@dataclass(frozen=True)
class Layout:
    """A template of keys, and the suffix of each kind of file.

    `template` names fields in braces: `{topic}-{topic_id}/{partition}/{start_offset}-{segment_id}`
    and `{file}` for the suffix. Whatever stands before it in a key is the prefix of the store.
    """

    name: str
    template: str
    files: Mapping[str, str]

    @property
    def pattern(self) -> str:
        """The template as a pattern for RE2, with a named group for each field."""
        parts = re.split(r"\{([a-z_]*)\}", self.template)
        found = []
        for number, part in enumerate(parts):
            found.append(self._group(part) if number % 2 else re.escape(part))
        return rf"(?:^|/){''.join(found)}$"

    def _group(self, name: str) -> str:
        if name == "file":
            return f"(?P<file>{'|'.join(map(re.escape, self.files))})"
        return f"(?P<{name}>{FIELDS[name]})"

    @property
    def fields(self) -> list[str]:
        """The names of its fields."""
        return re.findall(r"\{([a-z_]*)\}", self.template)


AIVEN = Layout(
    "aiven",
    "{topic}-{topic_id}/{partition}/{start_offset}-{segment_id}.{file}",
    AIVEN_FILES,
)
LOCAL_TIERED_STORAGE = Layout(
    "local-tiered-storage",
    "{topic}-{partition}-{topic_id}/{start_offset}-{segment_id}.{file}",
    KAFKA_FILES,
)
BUILT_IN = (AIVEN, LOCAL_TIERED_STORAGE)


def layout_of(template: str) -> Layout:
    """The layout of a template that an operator gives. Raises NotReadable.

    The suffixes of `{file}` are those of Kafka and of Aiven's plugin.
    """
    named = {layout.name: layout for layout in BUILT_IN}
    if template in named:
        return named[template]
    layout = Layout("template", template, KAFKA_FILES | AIVEN_FILES)
    unknown = [name for name in layout.fields if name not in FIELDS and name != "file"]
    known = ", ".join(f"{{{name}}}" for name in (*FIELDS, "file"))
    if unknown:
        raise NotReadable(f"a layout has no field {{{unknown[0]}}}: its fields are {known}")
    if len(set(layout.fields)) < len(layout.fields):
        raise NotReadable(f"the layout {template!r} names a field twice: each may be there once")
    if "segment_id" not in layout.fields or "file" not in layout.fields:
        raise NotReadable(
            f"the layout {template!r} needs {{segment_id}} and {{file}}: without them no object "
            "can be matched with a record"
        )
    return layout


@dataclass(frozen=True)
class Raw:
    """Objects as a listing has them, before their keys are understood: columns of equal length."""

    keys: pa.Array
    bytes: pa.Array
    modified_ms: pa.Array
    unfinished: bool = False

    def laid_out(self, layouts: tuple[Layout, ...]) -> pa.RecordBatch:
        """Rows of OBJECTS; a key that fits none of the layouts has a null `file`."""
        columns: dict[str, pa.Array] = {
            "key": self.keys,
            "bytes": self.bytes,
            "modified_ms": self.modified_ms,
            "unfinished": pa.repeat(self.unfinished, len(self.keys)),
        }
        found = []
        for layout in layouts:
            found.append(dict(_matched(self.keys, layout)))
            if not found[-1]["file"].null_count:
                break  # a bucket of one layout, as most are
        for field in OBJECTS:
            if field.name not in columns:
                options = [one[field.name] for one in found if field.name in one]
                columns[field.name] = _first(options, field.type, len(self.keys))
        arrays = [columns[field.name] for field in OBJECTS]
        return pa.RecordBatch.from_arrays(arrays, schema=OBJECTS)


def _matched(keys: pa.Array, layout: Layout) -> Iterator[tuple[str, pa.Array]]:
    """The fields of keys that fit a layout, null elsewhere."""
    groups = pc.extract_regex(keys, layout.pattern)
    for name in layout.fields:
        values = pc.struct_field(groups, name)
        if name == "file":
            suffixes = list(layout.files)
            at = pc.index_in(values, pa.array(suffixes))
            values = pa.array([layout.files[suffix] for suffix in suffixes]).take(at)
        elif name in NUMBERS:
            values = pc.cast(values, NUMBERS[name])
        yield name, values


def _first(options: list[pa.Array], kind: pa.DataType, length: int) -> pa.Array:
    """The first of several columns that is not null."""
    return pc.coalesce(*options) if options else pa.nulls(length, kind)


assert set(AIVEN_FILES.values()) | set(KAFKA_FILES.values()) == set(FILES)
