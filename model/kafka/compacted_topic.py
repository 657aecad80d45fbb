"""A partition of keyed records that Kafka's log cleaner compacts, and what may go from it when.

Records lie in a dense array, in the order of their offsets: what is cleaned away leaves no
hole, and whoever holds a place in the topic moves down with it (`place_after_cleaning`). So
a history of any length fits, and only the order of offsets, which is all that matters here,
is kept. A key is a number; NONE is Kafka's null key. A value is a number; NULL is a tombstone.
Cleaner, LogCleanerManager, LogToClean, MemoryRecords.filterTo; UnifiedLog#append.
Left out: transactions, empty batches that are retained, `segment.bytes` and grouping,
`min.compaction.lag.ms` (the caller may clean less), replicas that have cleaned less.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Any

from tierproof.model.kafka.scope import TieredScope
from tierproof.model.language import NONE, Array, Index, Range, Record, bound

NULL = 0
"""The value of a tombstone."""


class TopicScope(TieredScope):
    """How many records the topic holds at a time, how many keys and kinds of values there are."""

    topic_records: int = bound(1, 100_000, default=6, unit="records")
    topic_keys: int = bound(1, 1_000_000, default=64)
    topic_values: int = bound(1, 1_000_000, default=64)


class CleanupPolicy(IntEnum):
    """cleanup.policy."""

    DELETE = 0
    COMPACT = 1
    COMPACT_DELETE = 2


class TopicRecord(Record):
    """A record; `is_stamped`: a tombstone whose delete horizon an earlier cleaning has set."""

    key: Annotated[int, Index(TopicScope.topic_keys, optional=True)]
    value: Annotated[int, Range(0, TopicScope.topic_values)]
    is_stamped: bool


class CompactedTopic(Record):
    """The partition: records 0 to `end` - 1. What lies behind the end is blank."""

    record: Annotated[list[TopicRecord], Array(TopicScope.topic_records)]
    end: Annotated[int, Range(0, TopicScope.topic_records)]


# -- appending


def is_compacted(policy: int) -> bool:
    """The cleaner works on the topic."""
    return policy != CleanupPolicy.DELETE


def accepts(policy: int, key: int) -> bool:
    """A compacted topic refuses records without a key (InvalidRecordException of the append)."""
    return key != NONE or not is_compacted(policy)


def has_place(topic: Any) -> bool:
    """The array has place for another record."""
    return bool(topic.end < len(topic.record))


def append(topic: Any, key: int, value: int) -> None:
    """Append a record; the caller has seen to it that the topic takes it, and has place."""
    at = topic.end
    topic.record[at].key = key
    topic.record[at].value = value
    topic.record[at].is_stamped = False
    topic.end = at + 1


# -- asking


def latest(topic: Any, key: int) -> int:
    """The place of the last record of `key`, or NONE."""
    for n in range(topic.end - 1, -1, -1):
        if topic.record[n].key == key:
            return int(n)
    return NONE


def is_live(topic: Any, key: int) -> bool:
    """The last record of `key` is there, and is no tombstone."""
    at = latest(topic, key)
    return bool(at != NONE and topic.record[at].value != NULL)


def first_uncleanable(topic: Any, active_records: int) -> int:
    """The base of the active segment, which holds the last `active_records` and is never cleaned.

    A segment rolls when a record is appended after `segment.ms`, so the active one is empty
    only where the topic is.
    """
    return max(0, int(topic.end) - max(1, active_records))


# -- cleaning


def is_removed(topic: Any, n: int, clean_end: int, is_late: bool) -> bool:
    """Whether a cleaning with an offset map of the records below `clean_end` removes record n.

    A keyless record goes, so does one that a later record of its key in the map supersedes,
    and a tombstone that an earlier cleaning stamped if `is_late`: delete.retention.ms is over.
    """
    if n >= clean_end:
        return False
    mine = topic.record[n]
    if mine.key == NONE:
        return True
    for later in range(n + 1, clean_end):
        if topic.record[later].key == mine.key:
            return True
    return bool(is_late and mine.value == NULL and mine.is_stamped)


def is_stamped_by(topic: Any, n: int, clean_end: int) -> bool:
    """A cleaning up to `clean_end` sets the delete horizon of this tombstone."""
    it = topic.record[n]
    return bool(n < clean_end and it.value == NULL and not it.is_stamped)


def changes_something(topic: Any, clean_end: int, is_late: bool) -> bool:
    """The cleaning removes or stamps a record."""
    for n in range(clean_end):
        if is_removed(topic, n, clean_end, is_late) or is_stamped_by(topic, n, clean_end):
            return True
    return False


def place_after_cleaning(topic: Any, place: int, clean_end: int, is_late: bool) -> int:
    """Where `place` (records below it are read) lies once the cleaning is done; ask before."""
    kept = 0
    for n in range(place):
        if not is_removed(topic, n, clean_end, is_late):
            kept += 1
    return kept


def clean(topic: Any, clean_end: int, is_late: bool) -> None:
    """One run of the cleaner; tombstones that stay have their horizon from now on.

    It goes from the front, and what decides about a record lies behind it, so nothing is
    overwritten before it was asked.
    """
    kept = 0
    end = int(topic.end)
    for n in range(end):
        if is_removed(topic, n, clean_end, is_late):
            continue
        is_stamped = bool(topic.record[n].is_stamped) or is_stamped_by(topic, n, clean_end)
        topic.record[kept].key = topic.record[n].key
        topic.record[kept].value = topic.record[n].value
        topic.record[kept].is_stamped = is_stamped
        kept += 1
    _blank_from(topic, kept, end)


def remove_oldest(topic: Any, count: int) -> None:
    """cleanup.policy delete: the first `count` records, whole segments of them, have expired."""
    end = int(topic.end)
    for n in range(count, end):
        topic.record[n - count].key = topic.record[n].key
        topic.record[n - count].value = topic.record[n].value
        topic.record[n - count].is_stamped = topic.record[n].is_stamped
    _blank_from(topic, end - count, end)


def _blank_from(topic: Any, new_end: int, old_end: int) -> None:
    for n in range(new_end, old_end):
        topic.record[n].key = NONE
        topic.record[n].value = NULL
        topic.record[n].is_stamped = False
    topic.end = new_end
