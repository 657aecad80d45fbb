"""The picture of KIP-1266: closed segments, remote objects, caches, and the metadata topic."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tierproof.model.designs.kip1266.key_words import key_in_words, value_in_words
from tierproof.model.designs.kip1266.keys import kind_of, segment_of
from tierproof.model.designs.kip1266.state import Kind
from tierproof.model.designs.pictures.tiering import (
    HOLE,
    LOCAL,
    NOT_READ,
    READ,
    READABLE,
    REMOVED,
    SERVED,
    UNREADABLE,
    WRONG,
    believed_boxes,
    highest_remote,
    look_of_copy,
    mark,
    not_led,
    overlaps,
)
from tierproof.model.kafka.remote_metadata_cache import lookup
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import NONE, Design
from tierproof.model.language.offset_picture import Box, Look, Mark, OffsetPicture, Row

EPOCH = 0
"""The epoch in which all records were written."""


def metadata(design: Design, state: Any, scope: Any) -> OffsetPicture:
    """A state of KIP-1266: every offset is a closed segment."""
    rows = (
        _committed_row(state, scope.offsets),
        *(row for b in range(len(state.broker)) for row in _broker_rows(state, b, scope.offsets)),
        _remote_row(state),
        Row(name="metadata topic", notes=(_policy(state),), text=_records(design, state, scope)),
    )
    return OffsetPicture(end=scope.offsets, rows=rows)


def _policy(state: Any) -> str:
    return f"cleanup.policy={state.policy.name.lower().replace('_', ',')}"


# -- what is committed


def _committed_row(state: Any, offsets: int) -> Row:
    if state.is_topic_deleted:
        return Row(name=READABLE, text="the topic is deleted")
    leader = state.broker[state.elected_leader]
    is_led = leader.is_leader and leader.cache.is_initialized
    boxes = tuple(_committed(state, offset, is_led) for offset in range(offsets))
    notes = () if is_led else (not_led(state.elected_leader),)
    return Row(name=READABLE, notes=notes, boxes=boxes)


def _committed(state: Any, offset: int, is_led: bool) -> Box:
    leader = state.broker[state.elected_leader]
    if offset >= leader.local_log_start:
        look, meaning, label = Look.FAINT, SERVED, "local"
    elif serving := _serving(state, offset, is_led):
        look, meaning, label = Look.FAINT, SERVED, serving
    elif offset < state.expired_end:
        look, meaning, label = Look.DELETED, REMOVED, "expired"
    else:
        look, meaning, label = Look.MISSING, HOLE, UNREADABLE
    wrong = UNREADABLE if look is Look.MISSING else ""
    return Box(first=offset, end=offset + 1, look=look, meaning=meaning, label=label, wrong=wrong)


def _serving(state: Any, offset: int, is_led: bool) -> str:
    """The copy that the leader serves the offset from; before it does, that an object has it."""
    leader = state.broker[state.elected_leader]
    if not is_led:
        has_object = any(
            segment.object_exists and segment.start_offset <= offset <= segment.end_offset
            for segment in state.segment
        )
        return "in the store" if has_object else ""
    id = lookup(leader.cache, state.segment, EPOCH, offset)
    is_there = offset >= leader.log_start and id != NONE and state.segment[id].object_exists
    return f"remote, id {id}" if is_there else ""


# -- brokers


def _broker_rows(state: Any, broker: int, offsets: int) -> Iterator[Row]:
    replica = state.broker[broker]
    is_elected = state.elected_leader == broker
    notes: tuple[str, ...] = ("follower",)
    alarm = ""
    if replica.is_leader and is_elected:
        notes = (f"leader, epoch {replica.term}",)
    elif replica.is_leader:
        notes, alarm = (), f"old leader (epoch {replica.term})"
    elif is_elected:
        notes = (f"elected, epoch {state.leader_epoch}", "not told yet")
    yield Row(
        name=f"broker {broker}",
        notes=(*notes, *(("older version",) if replica.is_old_version else ())),
        alarm=alarm,
        boxes=tuple(_local_boxes(replica, offsets)),
        marks=tuple(_marks(replica)),
    )
    yield _cache_row(state, broker)


def _local_boxes(replica: Any, offsets: int) -> Iterator[Box]:
    for offset in range(replica.local_log_start, offsets):
        yield Box(first=offset, end=offset + 1, look=Look.PLAIN, meaning=LOCAL)


def _marks(replica: Any) -> Iterator[Mark]:
    yield mark("log start", replica.log_start)
    yield mark("local log start", replica.local_log_start)
    yield highest_remote(replica.cache.epoch[EPOCH].highest_offset)


def _cache_row(state: Any, broker: int) -> Row:
    reader, name = state.broker[broker], f"{READ} of broker {broker}"
    boxes = tuple(believed_boxes(reader.cache, state.segment))
    read = f"{reader.position} of {state.metadata.end} read"
    if reader.is_consumer_dead:
        read = "its consumer has ended"
    text = ""
    if not reader.cache.is_initialized:
        boxes, text = (), NOT_READ
    return Row(name=name, notes=(read,), boxes=boxes, text=text, is_detail=True)


# -- the remote tier and its metadata


def _remote_row(state: Any) -> Row:
    boxes = tuple(
        box
        for i, segment in enumerate(state.segment)
        if segment.copy_term != NONE
        for box in _remote_boxes(state, i)
    )
    return Row(name="remote tier", boxes=boxes, text="" if boxes else "empty")


def _remote_boxes(state: Any, id: int) -> Iterator[Box]:
    """The copy of an id, by what the metadata topic still has of it."""
    segment = state.segment[id]
    is_doubled = overlaps(state.segment, id, lambda i: state_in_topic(state, i))
    found = look_of_copy(state_in_topic(state, id), segment.object_exists, is_doubled)
    if found is not None:
        look, meaning, label = found
        yield Box(
            first=segment.start_offset,
            end=segment.end_offset + 1,
            look=look,
            meaning=meaning,
            label=f"id {id} {label}",
            wrong=WRONG.get(look, ""),
        )


def state_in_topic(state: Any, id: int) -> int:
    """What the last record of an id in the metadata topic says: a SegmentState."""
    found = int(SegmentState.ABSENT)
    for record in _live(state.metadata):
        kind = kind_of(record.value)
        is_of_segment = Kind.COPY_SEGMENT_STARTED <= kind <= Kind.DELETE_SEGMENT_FINISHED
        if is_of_segment and segment_of(record.value) == id:
            found = kind
    return found


def _live(topic: Any) -> list[Any]:
    return [topic.record[n] for n in range(topic.end)]


def _records(design: Design, state: Any, scope: Any) -> str:
    """The records of the metadata topic, a line each."""
    lines = []
    for record in _live(state.metadata):
        named = key_in_words(design, scope, record.key)
        key = named if record.key == NONE else f"key ({named})"
        lines.append(f"{key}: {value_in_words(design, scope, record.value)}")
    return "\n".join(lines) or "empty"
