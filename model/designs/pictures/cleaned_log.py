"""The picture of a log that the cleaner cleans: keys and values, checkpoint, uncleanable part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tierproof.model.designs.pictures.tiering import (
    LOST,
    STALE,
    axis_end,
    mark,
    segment_boxes,
)
from tierproof.model.kafka.cleanable_range import (
    first_dirty_offset,
    first_uncleanable_base,
    uncleanable_offset,
)
from tierproof.model.kafka.keyed_log import BatchKind, is_control, last_stable_offset
from tierproof.model.kafka.read_committed import latest_read
from tierproof.model.language import NONE, Design
from tierproof.model.language.offset_picture import Mark, OffsetPicture, Row


def cleaned_log(design: Design, state: Any, scope: Any) -> OffsetPicture:
    """A state of the log cleaner: the log, the offset map, and what readers must still get."""
    rows = (
        Row(
            name="log",
            notes=(f"cleaner {state.cleaner.name.lower()}",),
            boxes=tuple(segment_boxes(state.log, lambda offset: record_at(state.log, offset))),
            marks=tuple(_marks(state)),
        ),
        Row(name="offset map", text=_mapped(state.map.mapped_offset), is_detail=True),
        Row(
            name="last committed",
            text=_committed(state),
            is_detail=True,
            wrong=tuple(_misread(state)),
        ),
    )
    return OffsetPicture(end=axis_end(rows), rows=rows)


def record_at(log: Any, offset: int) -> str:
    """The record, or the marker, at an offset; what the cleaner has removed."""
    batch, record = log.batch[offset], log.record[offset]
    if is_control(batch.kind):
        return BatchKind(batch.kind).name.lower().replace("_", " ")
    if not record.is_there:
        return "removed" if batch.kind == BatchKind.ABSENT else "empty batch"
    return f"key {record.key}={valued(record.value)}"


def valued(value: int) -> str:
    """A value; a tombstone's is null."""
    return "null" if value == NONE else str(value)


def _marks(state: Any) -> Iterator[Mark]:
    log = state.log
    dirty = first_dirty_offset(log, state.checkpoint)
    end = first_uncleanable_base(log, uncleanable_offset(log, dirty, 0, 0))
    yield mark("log start", log.log_start_offset)
    yield mark("cleaner checkpoint", state.checkpoint)
    yield mark("first uncleanable", end)
    yield mark("last stable offset", last_stable_offset(log))
    yield mark("high watermark", log.high_watermark)
    yield mark("log end", log.log_end_offset)


def _mapped(offsets: Any) -> str:
    """The last offset of each key in the map."""
    found = [f"key {key} at {offset}" for key, offset in enumerate(offsets) if offset != NONE]
    return ", ".join(found) or "empty"


def _committed(state: Any) -> str:
    """The last committed record of each key."""
    found = [
        f"key {key}={valued(state.committed_value[key])} at {offset}"
        for key, offset in enumerate(state.committed_offset)
        if offset != NONE
    ]
    return ", ".join(found) or "nothing"


def _misread(state: Any) -> Iterator[str]:
    """The keys whose last record, as consumers read it, is not the last that was committed.

    A tombstone may be gone, once it has no value to delete.
    """
    log, end = state.log, last_stable_offset(state.log)
    for key, offset in enumerate(state.committed_offset):
        read = latest_read(log, key, end)
        is_gone = read == NONE and state.committed_value[key] == NONE
        if offset not in (NONE, read) and not is_gone:
            found = "nothing" if read == NONE else f"{valued(log.record[read].value)} at {read}"
            yield f"{LOST if read == NONE else STALE}: consumers read {found} for key {key}"
