"""The picture of producers: batches in logs and objects, and what a broker remembers of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from tierproof.invariants.producer_history import (
    is_batch_of,
    last_batch_below,
    last_sequence_below,
    must_be_known,
    was_committed_below,
)
from tierproof.invariants.recovered_producers import known_entry
from tierproof.invariants.vocabulary import committed_end, is_led
from tierproof.model.designs.pictures.tiering import (
    LOST,
    READABLE,
    TWICE,
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

IN_MEMORY = "producers in memory"
"""The row of what a broker knows of producers."""
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
    """A state of KIP-405 with producers; marked is what the elected leader no longer knows."""
    picture = tiering(design, state, scope, WORDS)
    rows, place = [], ""
    for row in picture.rows:
        place = place if row.is_detail else row.name
        if row.name == READABLE:
            row = replace(row, wrong=tuple(_committed_twice(state)))
        if row.name == IN_MEMORY and is_led(state) and place == f"broker {state.elected_leader}":
            row = replace(row, wrong=tuple(_forgotten(state, scope)))
        rows.append(row)
    return replace(picture, rows=tuple(rows), reading=READING)


def _committed_twice(state: Any) -> Iterator[str]:
    """The committed batches that were committed before, at a lower offset."""
    for offset, batch in enumerate(state.committed):
        is_batch = batch.producer != NONE and batch.kind == BatchKind.DATA
        if (
            is_batch
            and is_batch_of(state, offset, batch.producer)
            and was_committed_below(
                state, offset, batch.producer, batch.producer_epoch, batch.sequence
            )
        ):
            yield f"{TWICE}: the batch at offset {offset} was committed before"


def _forgotten(state: Any, scope: Any) -> Iterator[str]:
    """The producers whose last committed batch the elected leader does not know, and must."""
    leader = state.broker[state.elected_leader]
    end = min(committed_end(state), leader.log_end_offset)
    for number, entry in enumerate(leader.producer):
        last = last_batch_below(state, end, number)
        if last == NONE or not must_be_known(state, last, scope):
            continue
        epoch = state.committed[last].producer_epoch
        if known_entry(entry) < (epoch, last_sequence_below(state, end, number, epoch)):
            yield f"{LOST}: P{number} with its batch at offset {last}"


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
    yield Row(name=IN_MEMORY, text=remembered(replica.producer), is_detail=True)
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
        Row(name=IN_MEMORY, text=remembered(log.producer), is_detail=True),
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
