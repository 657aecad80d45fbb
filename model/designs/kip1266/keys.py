"""Keys and values of the metadata topic: what names a record, and what the record says.

KIP-1266: the key of a segment's record is topic id, name, partition, end offset and
brokerLeaderEpoch. topicId, topicName and partition are the same in every key of the one
partition modelled.
"""

from tierproof.model.designs.kip1266.state import Topic
from tierproof.model.language import NONE

WIDTH = 8
"""A key is a number: end offset times this, plus epoch; a value: id times this, plus kind."""


def value_of(segment: int, kind: int) -> int:
    """The number of a value: the id, and what the record says of it."""
    return max(segment, 0) * WIDTH + kind


def kind_of(value: int) -> int:
    """What a value says; NULL is Kind.TOMBSTONE."""
    return value % WIDTH


def segment_of(value: int) -> int:
    """The id that a value names."""
    return value // WIDTH


def epoch_of_key(state: Topic, segment: int, term: int) -> int:
    """brokerLeaderEpoch of a record that a broker publishes in epoch `term`: this epoch."""
    return term


def segment_key(state: Topic, segment: int, epoch: int, kind: int) -> int:
    """The key of a record that says `kind` of the segment: its end offset, and the epoch."""
    return state.segment[segment].end_offset * WIDTH + epoch


def key_to_tombstone(state: Topic, segment: int, term: int, n: int) -> int:
    """The n-th key that is tombstoned once `segment` is deleted, or NONE after the last.

    Every key with the same end offset and no bigger epoch than the writer's.
    """
    return state.segment[segment].end_offset * WIDTH + n if n <= term else NONE


def partition_key(state: Topic, term: int, offsets: int) -> int:
    """The key of the partition's markers: topic and partition (scenario 5)."""
    return first_key_of_no_segment(state, offsets)


def first_key_of_no_segment(state: Topic, offsets: int) -> int:
    """Keys below it are of end offsets, or of ids: from it on, no segment has a key."""
    return max(offsets, len(state.segment)) * WIDTH
