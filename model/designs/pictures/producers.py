"""The picture of producers: batches in logs and objects, and what a broker remembers of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from tierproof.model.designs.pictures.tiering import (
    Words,
    axis_end,
    mark,
    segment_boxes,
    tiering,
)
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.producer_entries import (
    batch_last_sequence,
    has_marker,
    last_sequence,
)
from tierproof.model.kafka.producer_state import SnapshotFile
from tierproof.model.language import NONE, Design
from tierproof.model.language.offset_picture import Mark, OffsetPicture, Row

READING = "P0 e0 #0: producer 0, its epoch 0, the batch with sequence 0"

# -- in words


def batch_at(batch: Any, base: int) -> str:
    """The batch at its base offset: its producer, epoch and sequences; blank elsewhere."""
    if batch.kind == BatchKind.ABSENT:
        return ""
    if has_marker(batch):
        return f"P{batch.producer} {BatchKind(batch.kind).name}"
    if batch.producer == NONE:
        return "no producer"
    return f"P{batch.producer} e{batch.epoch} {_sequences(batch, base)}"


def _sequences(batch: Any, base: int) -> str:
    last = batch_last_sequence(batch, base)
    first = batch.first_sequence
    return f"#{first}" if last == first else f"#{first}-{last}"


def remembered(entries: Iterable[Any]) -> str:
    """What a broker has in memory: the epoch and the last sequence of each producer."""
    known = [
        f"P{number} e{entry.epoch} {_last(last_sequence(entry))}{_open(entry)}"
        for number, entry in enumerate(entries)
        if entry.is_known
    ]
    return ", ".join(known) or "no producer"


def snapshotted(entries: Iterable[Any]) -> str:
    """What a snapshot says of each producer."""
    known = [
        f"P{number} e{entry.epoch} {_last(entry.last_sequence)}{_open(entry)}"
        for number, entry in enumerate(entries)
        if entry.is_known
    ]
    return ", ".join(known) or "no producer"


def _last(sequence: int) -> str:
    return "without a batch" if sequence == NONE else f"up to #{sequence}"


def _open(entry: Any) -> str:
    """The transaction that is open, if one is."""
    start = entry.transaction_start
    return "" if start == NONE else f", transaction open from {start}"


def snapshot_rows(name: str, snapshots: Iterable[Any]) -> Iterator[Row]:
    """The snapshot files on disk, with what they say."""
    said = {
        offset: "corrupt" if one.file == SnapshotFile.CORRUPT else snapshotted(one.producer)
        for offset, one in enumerate(snapshots)
        if one.file != SnapshotFile.ABSENT
    }
    text = "; ".join(f"at {offset}: {words}" for offset, words in said.items())
    yield Row(name=name, text=text or "none", is_detail=True)


# -- KIP-405 with producers, KIP-952


def tiered_producers(design: Design, state: Any, scope: Any) -> OffsetPicture:
    """A state of KIP-405 with producers."""
    return replace(tiering(design, state, scope, WORDS), reading=READING)


def _copy(segment: Any) -> str:
    return "no snapshot" if segment.object_exists and not segment.has_snapshot else ""


def _stored(state: Any) -> Iterator[Row]:
    """What the producer snapshots say that are stored with the objects."""
    found = [
        f"with id {id}: {snapshotted(segment.snapshot)}"
        for id, segment in enumerate(state.segment)
        if segment.object_exists and segment.has_snapshot
    ]
    if found:
        yield Row(name="producer snapshots", text="; ".join(found), is_detail=True)


def _details(state: Any, broker: int) -> Iterator[Row]:
    replica = state.broker[broker]
    yield Row(name="producers in memory", text=remembered(replica.producer), is_detail=True)
    yield from snapshot_rows("producer snapshots", replica.snapshot)


WORDS = Words(
    record=lambda state, holder, offset: batch_at(holder.batch[offset], offset),
    copy=_copy,
    details=_details,
    stored=_stored,
)


# -- one replica


def one_replica(design: Design, state: Any, scope: Any) -> OffsetPicture:
    """A state of the producer state of one replica."""
    log = state.log
    rows = (
        Row(
            name="log",
            notes=(state.broker.name.lower().replace("_", " "),),
            boxes=tuple(segment_boxes(log, lambda offset: batch_at(log.batch[offset], offset))),
            marks=tuple(_log_marks(log)),
        ),
        Row(name="producers in memory", text=remembered(log.producer), is_detail=True),
        *snapshot_rows("producer snapshots", log.snapshot),
        Row(name="requests on the way", text=_requests(state.request), is_detail=True),
    )
    return OffsetPicture(end=axis_end(rows), rows=rows, reading=READING)


def _log_marks(log: Any) -> Iterator[Mark]:
    yield mark("log start", log.log_start_offset)
    yield mark("producer state covers up to", log.producer_map_end)
    yield mark("log end", log.log_end_offset)


def _requests(requests: Iterable[Any]) -> str:
    """The batches and markers that may still arrive."""
    return "; ".join(_request(one) for one in requests) or "none"


def _request(one: Any) -> str:
    what = f"#{one.first_sequence}"
    if one.kind != BatchKind.DATA:
        what = BatchKind(one.kind).name
    elif one.records > 1:
        what = f"#{one.first_sequence}-{one.first_sequence + one.records - 1}"
    times = " twice" if one.copies == 2 else ""
    return f"P{one.producer} e{one.epoch} {what}{times}"
