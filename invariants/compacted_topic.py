"""Terms of a compacted metadata topic: what a record says, what a cache knows (KIP-1266)."""

from __future__ import annotations

from typing import Any

from model.kafka.compacted_topic import latest
from model.kafka.remote_metadata_cache import CachedState
from model.kafka.remote_segment import SegmentState
from model.language import NONE

WIDTH = 8
"""A value is an id times this, plus what the record says; a key is likewise made."""

END_OFFSET_AND_EPOCH = 0
"""The KIP's own scheme of keys, among those that a design may choose."""

DELETE_PARTITION_STARTED = 5
"""What a record says, beyond the states of a segment: 5 and 6 are the partition's."""


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
    """A record of the segment has ever had the key."""
    it = state.segment[segment]
    if it.copy_term == NONE or key == NONE:
        return False
    if state.choices.key == END_OFFSET_AND_EPOCH:
        return bool(key // WIDTH == it.end_offset and it.keyed_terms >> (key % WIDTH) & 1)
    return bool(key // WIDTH == segment)


def appended(before: Any, after: Any) -> bool:
    """The step has appended a record, which is now the last."""
    return bool(after.metadata.end > before.metadata.end)


def is_described(state: Any, segment: int) -> bool:
    """A record that is the last of its key, or has none, says all about the segment."""
    for n in range(state.metadata.end):
        it = state.metadata.record[n]
        is_last = it.key == NONE or latest(state.metadata, it.key) == n
        says_all = says(it) == SegmentState.COPY_SEGMENT_STARTED or state.choices.is_self_contained
        if is_of_segment(it, segment) and is_last and says_all:
            return True
    return False
