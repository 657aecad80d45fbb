"""The picture of KIP-1272: keys in each version of a segment, and the cleaner's offsets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tierproof.model.designs.kip1272.deleting import removable_by_policy
from tierproof.model.designs.pictures.tiering import Words, mark, tiering
from tierproof.model.kafka.segment_versions import Kept, RecordType
from tierproof.model.language import NONE, Design
from tierproof.model.language.offset_picture import Mark, OffsetPicture

REMOVED = "removed"
"""What stands in a cleaned segment at the offset of a record that the cleaner has removed."""


def compaction(design: Design, state: Any, scope: Any) -> OffsetPicture:
    """A state of KIP-1272."""
    return tiering(design, state, scope, WORDS)


def keyed_record(state: Any, holder: Any, offset: int) -> str:
    """The record of this version: its key, a tombstone or a marker.

    An ABORT marker that has a delete horizon has no entry in the transaction index any more.
    """
    record = holder.records[offset]
    if record.kept == Kept.GONE:
        return REMOVED
    if record.kept == Kept.EMPTY:
        return "empty batch"
    if record.type == RecordType.ABORT and record.kept == Kept.STAMPED:
        return "ABORT, no entry"
    if record.type in (RecordType.COMMIT, RecordType.ABORT):
        return RecordType(record.type).name
    value = "" if record.type == RecordType.VALUE else "=null"
    return f"key {record.key}{value}{', txn' if record.is_transactional else ''}"


def _copy(segment: Any) -> str:
    return "cleaned" if segment.is_cleaned else ""


def _marks(replica: Any) -> Iterator[Mark]:
    yield mark("cleaner offset", replica.cleaner_offset)
    for epoch, offset in enumerate(replica.cleaner_offsets):
        if offset not in (NONE, replica.cleaner_offset):
            yield mark(f"published for epoch {epoch}: cleaner offset", offset)


WORDS = Words(record=keyed_record, copy=_copy, marks=_marks, removable_end=removable_by_policy)
