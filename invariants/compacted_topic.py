"""Terms of a compacted metadata topic: what a record says, what a cache knows (KIP-1266)."""

from __future__ import annotations

from typing import Any

from tierproof.model.kafka.compacted_topic import NULL, latest
from tierproof.model.kafka.remote_metadata_cache import CachedState
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import NONE

WIDTH = 8
"""A value is an id times this, plus what the record says; a key is likewise made."""

DELETE_PARTITION_STARTED = 5
"""What a record says, beyond the states of a segment: 5 and 6 are the partition's."""

HIGHEST_OFFSET = 7
"""How far an epoch was copied, where the topic tells it."""


def says(record: Any) -> int:
    """What the record says of its segment; 0 for a tombstone."""
    return int(record.value % WIDTH)


def names(record: Any) -> int:
    """The id of which the record speaks."""
    return int(record.value // WIDTH)


def is_of_segment(record: Any, segment: int) -> bool:
    """The record speaks of the segment."""
    return 0 < says(record) < DELETE_PARTITION_STARTED and names(record) == segment


def is_tracked(cache: Any, segment: int) -> bool:
    """The cache knows the id."""
    return bool(cache.state[segment] != CachedState.UNKNOWN)


def has_key(state: Any, segment: int, key: int) -> bool:
    """A record of the segment has ever had the key: its end offset, and an epoch."""
    it = state.segment[segment]
    if it.copy_term == NONE or key == NONE:
        return False
    return bool(key // WIDTH == it.end_offset and it.keyed_terms >> (key % WIDTH) & 1)


def is_alive(topic: Any, n: int) -> bool:
    """Record n is the last of its key, and no tombstone."""
    it = topic.record[n]
    return bool(it.value != NULL and it.key != NONE and latest(topic, it.key) == n)


def living_keys(topic: Any) -> int:
    """How many keys have a last record with a value: what compaction leaves in the end."""
    count = 0
    for n in range(topic.end):
        if is_alive(topic, n):
            count += 1
    return count


def living_highest_offsets(topic: Any) -> int:
    """How many of them tell a highest offset."""
    count = 0
    for n in range(topic.end):
        if is_alive(topic, n) and says(topic.record[n]) == HIGHEST_OFFSET:
            count += 1
    return count


def keys_of_an_object(state: Any) -> int:
    """How many keys one segment that has an object may have: one for each leader epoch so far."""
    return int(state.leader_epoch) + 1


def describes(record: Any) -> bool:
    """The record says all about its segment."""
    return says(record) == SegmentState.COPY_SEGMENT_STARTED


def is_described(state: Any, segment: int) -> bool:
    """A record that is the last of its key, or has none, says all about the segment."""
    for n in range(state.metadata.end):
        it = state.metadata.record[n]
        is_last = it.key == NONE or latest(state.metadata, it.key) == n
        if is_of_segment(it, segment) and is_last and describes(it):
            return True
    return False
