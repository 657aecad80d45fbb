"""The picture of a tiered partition: what consumers can read, each broker's log, the remote tier.

A state of KIP-405 or of a design derived from it. Shown are committed offsets that the leader
cannot serve, objects without metadata, and copies left in DELETE_SEGMENT_STARTED.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tierproof.invariants.offset_continuity import is_anywhere
from tierproof.invariants.vocabulary import (
    committed_end,
    has_locally,
    has_replica,
    is_led,
    is_readable,
    removable_end,
    serving_id,
    told_state,
)
from tierproof.model.kafka.leader_epoch_lineage import earliest_epoch, epoch_for_offset
from tierproof.model.kafka.local_segments import first_base, next_base, segment_end
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.replica import is_leading, presumes_to_lead
from tierproof.model.language import NONE, Design
from tierproof.model.language.offset_picture import Box, Look, Mark, OffsetPicture, Row

LOCAL = "local segment"
ACTIVE = "active segment"
LEFT = "local segment not served: below the local log start"
HOLE = "unreadable: committed, and the leader serves it from nowhere"
SERVED = "committed, and the leader serves it"
REMOVED = "committed, and deleted as retention or a user permits"
ORPHAN = "object without metadata"
OVERLAP = "finished copies that overlap"

DANGLING = "deletion started: the copy dangles if it is left so"

COPIES: dict[SegmentState, tuple[Look, str, str]] = {
    SegmentState.COPY_SEGMENT_STARTED: (Look.BEGUN, "copy started", "copy started"),
    SegmentState.COPY_SEGMENT_FINISHED: (Look.DONE, "copy finished", "copy finished"),
    SegmentState.DELETE_SEGMENT_STARTED: (Look.ENDING, DANGLING, "deletion started"),
}
"""State of a copy by the metadata topic -> how it is drawn, what that means, and a word."""

GONE: dict[SegmentState, str] = {
    SegmentState.COPY_SEGMENT_STARTED: "copy started, no object",
    SegmentState.COPY_SEGMENT_FINISHED: "copy finished, no object",
    SegmentState.DELETE_SEGMENT_STARTED: "deletion started, no object",
}
"""The same where the remote store has no object."""

LOST, UNREADABLE, STALE, TWICE = "lost", "unreadable", "stale", "twice"
"""What is wrong, in a word: it is nowhere any more; consumers do not get it; something later is
true by now; it is there again."""

WRONG: dict[Look, str] = {Look.STRAY: "leaked", Look.DOUBLE: TWICE, Look.MISSING: "object lost"}
"""How a copy is drawn -> what is wrong with it, in a word."""

KNOWN = "what a broker has read of the metadata topic"
OUTDATED = f"{STALE}: the metadata topic has a later record, which the broker has not read"

READ = "remote metadata"
"""The row of what a broker has read of the metadata topic; what it says beside segments:"""
ALL_READ, NOT_READ, NO_SEGMENT = "all read", "not read", "no segment listed"

READABLE = "consumers can read"
"""The row of what is committed, and from where it is served."""


def epoch_of_record(state: Any, holder: Any, offset: int) -> str:
    """The leader epoch that wrote the record, where there has been more than one."""
    epoch = epoch_for_offset(holder.lineage, offset) if state.leader_epoch else NONE
    return "" if epoch == NONE else f"epoch {epoch}"


@dataclass(frozen=True, kw_only=True)
class Words:
    """What a design adds to the picture of KIP-405.

    `record` describes the record of a replica or a remote segment at an offset, `copy` a remote
    segment; offsets below `removable_end` may be removed. `marks` are of a replica, `details` are
    rows below a broker's log, `stored` rows below the remote tier.
    """

    record: Callable[[Any, Any, int], str] = epoch_of_record
    removable_end: Callable[[Any], int] = removable_end
    copy: Callable[[Any], str] = lambda segment: ""
    marks: Callable[[Any], Iterable[Mark]] = lambda replica: ()
    details: Callable[[Any, int], Iterable[Row]] = lambda state, broker: ()
    stored: Callable[[Any], Iterable[Row]] = lambda state: ()


PLAIN = Words()


def tiering(design: Design, state: Any, scope: Any, words: Words = PLAIN) -> OffsetPicture:
    """A state of KIP-405: what is committed, then each broker's log and cache, the remote tier."""
    rows = (
        committed_row(state, words),
        *(row for b in range(len(state.broker)) for row in rows_of_broker(state, b, words)),
        remote_row(state, words),
        *words.stored(state),
    )
    return OffsetPicture(end=axis_end(rows), rows=rows)


def axis_end(rows: tuple[Row, ...]) -> int:
    """The first offset that nothing of these rows reaches."""
    boxes = [box.end for row in rows for box in row.boxes]
    return max([1, *boxes, *(mark.offset + mark.is_on for row in rows for mark in row.marks)])


# -- what is committed


def committed_row(state: Any, words: Words) -> Row:
    """Every committed offset, and from where the elected leader serves it, or where it is."""
    boxes = tuple(
        _committed(state, offset, words.removable_end(state))
        for offset in range(committed_end(state))
    )
    if state.is_topic_deleted:
        return Row(name=READABLE, text="the topic is deleted")
    notes = () if is_led(state) else (not_led(state.elected_leader),)
    return Row(name=READABLE, notes=notes, boxes=boxes)


def not_led(broker: int) -> str:
    """What is said where the elected leader does not serve consumers yet."""
    return f"once broker {broker} serves:"


def _committed(state: Any, offset: int, removable: int) -> Box:
    leader, wrong = state.elected_leader, ""
    start = min(state.broker[leader].log_start_offset, removable)
    is_kept = is_anywhere(state, offset)
    if is_readable(state, leader, offset) if is_led(state) else is_kept:
        look, meaning, label = Look.FAINT, SERVED, _source(state, leader, offset)
    elif offset >= start:
        look, meaning, label = Look.MISSING, HOLE, UNREADABLE
        wrong = UNREADABLE if is_kept else LOST
    else:
        look, meaning, label = Look.DELETED, REMOVED, "deleted"
    return Box(first=offset, end=offset + 1, look=look, meaning=meaning, label=label, wrong=wrong)


def _source(state: Any, leader: int, offset: int) -> str:
    """From where the leader serves the offset."""
    replica = state.broker[leader]
    has_file = has_locally(state, leader, offset)
    if has_file and offset >= replica.local_log_start_offset:
        return "local"
    if not is_led(state):
        return "below log start" if has_file and offset < replica.log_start_offset else "not local"
    return f"remote, id {serving_id(state, leader, offset)}"


# -- brokers


def rows_of_broker(state: Any, broker: int, words: Words) -> Iterator[Row]:
    """The broker's log with its offsets, then what it has read of the remote tier."""
    replica, name = state.broker[broker], f"broker {broker}"
    if not has_replica(state, broker):
        yield Row(name=name, text="no replica")
        return
    notes, alarm = leadership(state, broker)
    yield Row(
        name=name,
        notes=(*notes, *_settings(replica.settings)),
        alarm=alarm,
        boxes=tuple(
            segment_boxes(
                replica,
                lambda offset: words.record(state, replica, offset),
                replica.local_log_start_offset,
            )
        ),
        marks=(*marks_of(replica), *words.marks(replica)),
    )
    yield from words.details(state, broker)
    yield cache_row(state, broker)


def leadership(state: Any, broker: int) -> tuple[tuple[str, ...], str]:
    """Whether the broker leads, by the controller's record and by its own belief; and an alarm."""
    epoch = state.broker[broker].leader_epoch
    if is_leading(state, broker):
        return (f"leader, epoch {epoch}",), ""
    if state.elected_leader == broker:
        return (f"elected, epoch {state.leader_epoch}", "not told yet"), ""
    if presumes_to_lead(state, broker):
        return (), f"old leader (epoch {epoch})"
    return ("follower",), ""


def _settings(settings: Any) -> Iterator[str]:
    """The settings that the broker has applied, where they are not those of a tiered topic."""
    if not settings.remote_storage_enable:
        yield "remote storage disabled"
    elif settings.remote_log_copy_disable:
        yield "copying disabled"


def segment_boxes(
    log: Any, record: Callable[[int], str], local_log_start_offset: int = 0
) -> Iterator[Box]:
    """The local segments of a log; `record` describes the record at an offset."""
    base = first_base(log)
    while base != NONE:
        following, end = next_base(log, base), segment_end(log, base)
        if following == NONE:
            look, meaning = Look.ACTIVE, ACTIVE
        elif end <= local_log_start_offset:
            look, meaning = Look.UNREAD, LEFT
        else:
            look, meaning = Look.PLAIN, LOCAL
        records = tuple(record(offset) for offset in range(base, end))
        yield Box(first=base, end=end, look=look, meaning=meaning, records=records)
        base = following


def marks_of(replica: Any) -> Iterator[Mark]:
    """The offsets of a replica, by Kafka's names."""
    yield mark("log start", replica.log_start_offset)
    yield mark("local log start", replica.local_log_start_offset)
    highest = replica.highest_remote_offset
    yield highest_remote(highest)
    yield mark("high watermark", replica.high_watermark)
    yield mark("log end", replica.log_end_offset)


def highest_remote(offset: int) -> Mark:
    """The highest remote offset, or that there is none."""
    label = f"highest remote {'none' if offset == NONE else offset}"
    return Mark(offset=offset, label=label, is_on=True)


def mark(name: str, offset: int) -> Mark:
    """An offset with its name."""
    return Mark(offset=offset, label=f"{name} {offset}")


def cache_row(state: Any, broker: int) -> Row:
    """What the broker has read of the remote log metadata, or that it has read all of them."""
    cache, name, text = state.broker[broker].cache, f"{READ} of broker {broker}", ""
    boxes = tuple(believed_boxes(cache, state.segment, lambda id: _state_in_topic(state, id)))
    if not cache.is_initialized:
        text = NOT_READ
    elif state.broker[broker].metadata_position >= state.metadata_end:
        text = ALL_READ
    elif not boxes:
        text = NO_SEGMENT
    return Row(name=name, text=text, boxes=() if text else boxes, is_detail=True)


def believed_boxes(
    cache: Any, segments: Any, told: Callable[[int], int] | None = None
) -> Iterator[Box]:
    """What a cache knows of each id: stale where `told` has another state of the id."""
    for i, segment in enumerate(segments):
        known = SegmentState(cache.state[i])
        is_stale = told is not None and told(i) != known
        if known in COPIES:
            yield Box(
                first=segment.start_offset,
                end=segment.end_offset + 1,
                look=Look.BELIEVED,
                meaning=OUTDATED if is_stale else KNOWN,
                label=f"id {i} {COPIES[known][2]}",
                wrong=STALE if is_stale else "",
            )


# -- the remote tier


def remote_row(state: Any, words: Words) -> Row:
    """Every copy that has metadata or an object."""
    boxes = tuple(
        box
        for i, segment in enumerate(state.segment)
        if earliest_epoch(segment.lineage) != NONE
        for box in remote_boxes(state, i, words)
    )
    return Row(name="remote tier", boxes=boxes, text="" if boxes else "empty")


def remote_boxes(state: Any, id: int, words: Words) -> Iterator[Box]:
    """The copy of an id; nothing if it has neither metadata nor an object."""
    segment = state.segment[id]
    is_doubled = overlaps(state.segment, id, lambda i: _state_in_topic(state, i))
    found = look_of_copy(_state_in_topic(state, id), segment.object_exists, is_doubled)
    if found is not None:
        look, meaning, label = found
        first, end = segment.start_offset, segment.end_offset + 1
        records = [words.record(state, segment, offset) for offset in range(first, end)]
        yield Box(
            first=first,
            end=end,
            look=look,
            meaning=meaning,
            label=", ".join(part for part in (f"id {id} {label}", words.copy(segment)) if part),
            records=tuple(records) if segment.object_exists else (),
            wrong=WRONG.get(look, ""),
        )


def look_of_copy(told: int, has_object: bool, is_doubled: bool) -> tuple[Look, str, str] | None:
    """How a copy is drawn, what that means, and a word; None if there is nothing to draw."""
    if told not in COPIES:
        return (Look.STRAY, ORPHAN, ORPHAN) if has_object else None
    copy = SegmentState(told)
    look, meaning, word = COPIES[copy]
    is_finished = copy == SegmentState.COPY_SEGMENT_FINISHED
    if not has_object:
        absent = Look.MISSING if is_finished else Look.UNREAD
        return absent, GONE[copy], f"{word}, no object"
    return (Look.DOUBLE, OVERLAP, word) if is_finished and is_doubled else (look, meaning, word)


def _state_in_topic(state: Any, id: int) -> int:
    return told_state(state, state.metadata_end, id)


def overlaps(segments: Sequence[Any], id: int, state_in_topic: Callable[[int], int]) -> bool:
    """Another copy, which is told to be finished and has an object, has an offset of this one."""
    one = segments[id]
    return any(
        i != id
        and other.object_exists
        and state_in_topic(i) == SegmentState.COPY_SEGMENT_FINISHED
        and other.start_offset <= one.end_offset
        and one.start_offset <= other.end_offset
        for i, other in enumerate(segments)
    )
