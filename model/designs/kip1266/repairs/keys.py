"""Repairs of keys: the segment's UUID instead of its end offset, and what a tombstone hits."""

from tierproof.invariants.compacted_topic import has_key, keys_of_an_object
from tierproof.model.designs.kip1266.clean_up import (
    RecordPlace,
    clean_up_publishes_tombstone,
    is_message_expired,
)
from tierproof.model.designs.kip1266.deleting import needs_tombstone
from tierproof.model.designs.kip1266.keys import (
    WIDTH,
    first_key_of_no_segment,
    key_to_tombstone,
    kind_of,
    partition_key,
    segment_key,
    segment_of,
)
from tierproof.model.designs.kip1266.readings import TEXT_PARTITION_KEY_WITH_END_OFFSET
from tierproof.model.designs.kip1266.state import Kind, Topic
from tierproof.model.kafka.compacted_topic import latest
from tierproof.model.language import NONE, Variant, fence, guard

# -- the UUID of the segment


def key_of_id(state: Topic, segment: int, epoch: int, kind: int) -> int:
    """The key is the segment's UUID."""
    return segment * WIDTH


def only_key(state: Topic, segment: int, term: int, n: int) -> int:
    """A segment has one key."""
    return segment * WIDTH if n == 0 else NONE


def is_of_id(state: Topic, segment: int, key: int) -> bool:
    """The segment has been copied, and the key has its id."""
    return state.segment[segment].copy_term != NONE and key // WIDTH == segment


def one_key(state: Topic) -> int:
    """One key for each object."""
    return 1


@fence(protects="tombstone_only_after_deletion", scope="deletion")
def is_segment_deleted(state: Topic, place: RecordPlace) -> bool:
    """The record is of an id that is deleted; the one that says so is tombstoned last.

    As long as a record is left, so is the one that says that the segment is deleted.
    """
    topic = state.metadata
    value, is_deleted, has_other = topic.record[place].value, False, False
    for n in range(topic.end):
        other = topic.record[n]
        is_of_segment = 0 < kind_of(other.value) <= Kind.DELETE_SEGMENT_FINISHED
        if is_of_segment and segment_of(other.value) == segment_of(value):
            if kind_of(other.value) == Kind.DELETE_SEGMENT_FINISHED:
                is_deleted = True
            if n != place and latest(topic, other.key) == n:
                has_other = True
    return is_deleted and not (kind_of(value) == Kind.DELETE_SEGMENT_FINISHED and has_other)


KEY_DIFFERS = "a property of keys is of the keys that records are written with"

UUID_IN_KEY = Variant(
    name="repair_uuid_in_key",
    because="a retry has the key of the attempt before",
    define={
        segment_key: key_of_id,
        key_to_tombstone: only_key,
        has_key: is_of_id,
        keys_of_an_object: one_key,
    },
    redefines={
        has_key: KEY_DIFFERS,
        keys_of_an_object: "the bound is of keys for each object: here a segment has one",
    },
    test={is_message_expired: is_segment_deleted},
)

# -- what a tombstone hits


def needs_tombstone_of_its_own(state: Topic, segment: int, key: int) -> bool:
    """The key is alive, and its last value is of the deleted segment."""
    value = state.metadata.record[latest(state.metadata, key)].value
    return needs_tombstone(state, segment, key) and segment_of(value) == segment


@guard
def is_its_own_segment_deleted(state: Topic, place: RecordPlace) -> bool:
    """The record that the scan takes for expired is itself of a deleted segment."""
    return is_segment_deleted(state, place)


CONDITIONAL_TOMBSTONES = Variant(
    name="repair_conditional_tombstones",
    because="a tombstone hits whatever has the key by then",
    define={needs_tombstone: needs_tombstone_of_its_own},
    fence={clean_up_publishes_tombstone: is_its_own_segment_deleted},
)

# -- beside a reading


def partition_key_with_kind(state: Topic, term: int, offsets: int) -> int:
    """The key says that it is the partition's, and has its epoch."""
    return first_key_of_no_segment(state, offsets) + term


KIND_IN_KEY = Variant(
    name="repair_kind_in_key",
    because="beside `text_partition_key_with_end_offset`: a marker has a segment's key",
    define={partition_key: partition_key_with_kind},
    after=(TEXT_PARTITION_KEY_WITH_END_OFFSET,),
)
