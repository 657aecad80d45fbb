"""Terms of a compacted metadata topic: what a record says, what a cache knows (KIP-1266)."""

from __future__ import annotations

from tierproof.invariants.fields import MetadataTopic
from tierproof.model.kafka.compacted_topic import NULL, CompactedTopic, TopicRecord, latest
from tierproof.model.kafka.remote_metadata_cache import MetadataCache
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import NONE

WIDTH = 8
"""A value is an id times this, plus what the record says; a key is likewise made."""

DELETE_PARTITION_STARTED = 5
"""What a record says, beyond the states of a segment: 5 and 6 are the partition's."""

HIGHEST_OFFSET = 7
"""How far an epoch was copied, in designs whose topic records it."""


def says(record: TopicRecord) -> int:
    """What the record says of its segment; 0 for a tombstone."""
    return record.value % WIDTH


def names(record: TopicRecord) -> int:
    """The id of which the record speaks."""
    return record.value // WIDTH


def is_of_segment(record: TopicRecord, segment: int) -> bool:
    """The record speaks of the segment."""
    return 0 < says(record) < DELETE_PARTITION_STARTED and names(record) == segment


def is_tracked(cache: MetadataCache, segment: int) -> bool:
    """The cache knows the id."""
    return cache.state[segment] != SegmentState.ABSENT


def has_key(state: MetadataTopic, segment: int, key: int) -> bool:
    """A record of the segment has ever had the key: its end offset, and an epoch."""
    copy = state.segment[segment]
    if copy.copy_term == NONE or key == NONE:
        return False
    return key // WIDTH == copy.end_offset and copy.keyed_terms >> (key % WIDTH) & 1 == 1


def is_alive(topic: CompactedTopic, n: int) -> bool:
    """Record n is the last of its key, and no tombstone."""
    record = topic.record[n]
    return record.value != NULL and record.key != NONE and latest(topic, record.key) == n


def living_keys(topic: CompactedTopic) -> int:
    """How many keys have a last record with a value: what compaction leaves in the end."""
    return sum(is_alive(topic, n) for n in range(topic.end))


def living_highest_offsets(topic: CompactedTopic) -> int:
    """How many of them have a record of a highest offset."""
    return sum(
        is_alive(topic, n) and says(topic.record[n]) == HIGHEST_OFFSET for n in range(topic.end)
    )


def keys_of_an_object(state: MetadataTopic) -> int:
    """How many keys one segment that has an object may have: one for each leader epoch so far."""
    return state.leader_epoch + 1


def describes(record: TopicRecord) -> bool:
    """The record says all about its segment."""
    return says(record) == SegmentState.COPY_SEGMENT_STARTED


def is_described(state: MetadataTopic, segment: int) -> bool:
    """A record that is the last of its key, or has none, says all about the segment."""
    for n in range(state.metadata.end):
        record = state.metadata.record[n]
        is_last = record.key == NONE or latest(state.metadata, record.key) == n
        if is_of_segment(record, segment) and is_last and describes(record):
            return True
    return False
