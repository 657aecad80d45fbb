"""A partition of keyed records that Kafka's log cleaner compacts, and which records it removes.

Records lie in a dense array, in the order of their offsets: what is cleaned away leaves no
gap, and a consumer's position moves down with it (`place_after_cleaning`). So a history of
any length fits, and only the order of offsets is kept, which is all that matters here. A key
is a number; NONE is Kafka's null key. A value is a number; NULL is a tombstone.
Cleaner, LogCleanerManager, LogToClean, MemoryRecords.filterTo; UnifiedLog#append.
Left out: transactions, empty batches that are retained, `segment.bytes` and grouping,
`min.compaction.lag.ms` (the caller may clean less), replicas that have cleaned less. The
modules `keyed_log` and `log_cleaner` have these, at more cost.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

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


def has_place(topic: CompactedTopic) -> bool:
    """The array has place for another record."""
    return topic.end < len(topic.record)


def append(topic: CompactedTopic, key: int, value: int) -> None:
    """Append a record. The caller has checked that the topic accepts it, and has place."""
    record = topic.record[topic.end]
    record.key = key
    record.value = value
    record.is_stamped = False
    topic.end += 1


# -- asking


def latest(topic: CompactedTopic, key: int) -> int:
    """The place of the last record of `key`, or NONE."""
    for n in range(topic.end - 1, -1, -1):
        if topic.record[n].key == key:
            return n
    return NONE


def is_live(topic: CompactedTopic, key: int) -> bool:
    """The last record of `key` is there, and is no tombstone."""
    place = latest(topic, key)
    return place != NONE and topic.record[place].value != NULL


def first_uncleanable(topic: CompactedTopic, active_records: int) -> int:
    """The base of the active segment, which holds the last `active_records` and is never cleaned.

    A segment rolls when a record is appended after `segment.ms`, so the active one is empty
    only where the topic is.
    """
    return max(0, topic.end - max(1, active_records))


# -- cleaning


def is_removed(topic: CompactedTopic, n: int, clean_end: int, is_late: bool) -> bool:
    """Whether a cleaning with an offset map of the records below `clean_end` removes record n.

    It removes a record without a key, a record that a later one of its key in the map
    supersedes, and, if `is_late` (delete.retention.ms is over), a tombstone that an earlier
    cleaning stamped.
    """
    if n >= clean_end:
        return False
    record = topic.record[n]
    if record.key == NONE:
        return True
    if any(topic.record[later].key == record.key for later in range(n + 1, clean_end)):
        return True
    return is_late and record.value == NULL and record.is_stamped


def is_stamped_by(topic: CompactedTopic, n: int, clean_end: int) -> bool:
    """A cleaning up to `clean_end` sets the delete horizon of this tombstone."""
    record = topic.record[n]
    return n < clean_end and record.value == NULL and not record.is_stamped


def changes_something(topic: CompactedTopic, clean_end: int, is_late: bool) -> bool:
    """The cleaning removes or stamps a record."""
    return any(
        is_removed(topic, n, clean_end, is_late) or is_stamped_by(topic, n, clean_end)
        for n in range(clean_end)
    )


def place_after_cleaning(topic: CompactedTopic, place: int, clean_end: int, is_late: bool) -> int:
    """Where a position lies once the cleaning is done; to be asked before the cleaning.

    `place` is the position of a consumer that has read the records below it.
    """
    return sum(not is_removed(topic, n, clean_end, is_late) for n in range(place))


def clean(topic: CompactedTopic, clean_end: int, is_late: bool) -> None:
    """One run of the cleaner. Tombstones that stay have their delete horizon from now on.

    Records are moved from the front. Whether a record stays depends only on records behind
    it, so none is overwritten before the others have been compared with it.
    """
    kept, end = 0, topic.end
    for n in range(end):
        if is_removed(topic, n, clean_end, is_late):
            continue
        is_stamped = topic.record[n].is_stamped or is_stamped_by(topic, n, clean_end)
        topic.record[kept] = topic.record[n]
        topic.record[kept].is_stamped = is_stamped
        kept += 1
    _blank_from(topic, kept, end)


def remove_oldest(topic: CompactedTopic, count: int) -> None:
    """cleanup.policy delete: the first `count` records, whole segments of them, have expired."""
    end = topic.end
    for n in range(count, end):
        topic.record[n - count] = topic.record[n]
    _blank_from(topic, end - count, end)


def _blank_from(topic: CompactedTopic, new_end: int, old_end: int) -> None:
    for n in range(new_end, old_end):
        topic.record[n].key = NONE
        topic.record[n].value = NULL
        topic.record[n].is_stamped = False
    topic.end = new_end
