"""Keys and values of the metadata topic: what names a record, and what the record says.

topicId, topicName and partition are the same in every key of the one partition modelled.
"""

from typing import Any

from tierproof.model.designs.kip1266.state import EpochOfKey, KeyScheme, Kind
from tierproof.model.language import NONE

WIDTH = 8
"""A key is a number: end offset or id times this, plus epoch or state; so is a value."""


def value_of(segment: int, kind: int) -> int:
    """The number of a value: of which id it speaks, and what it says."""
    return max(segment, 0) * WIDTH + kind


def kind_of(value: int) -> int:
    """What a value says; NULL is Kind.TOMBSTONE."""
    return value % WIDTH


def segment_of(value: int) -> int:
    """Of which id a value speaks."""
    return value // WIDTH


def segment_key(state: Any, segment: int, term: int, kind: int) -> int:
    """The key of a record of `segment` that a broker publishes in epoch `term`."""
    it, scheme = state.segment[segment], state.choices.key
    if scheme == KeyScheme.SEGMENT_ID:
        return segment * WIDTH
    if scheme == KeyScheme.SEGMENT_ID_AND_STATE:
        return segment * WIDTH + kind
    return int(it.end_offset * WIDTH + epoch_of_key(state, segment, term))


def epoch_of_key(state: Any, segment: int, term: int) -> int:
    """brokerLeaderEpoch of a record: of the copy, or of the publication."""
    if state.choices.epoch == EpochOfKey.AT_COPY:
        return int(state.segment[segment].copy_term)
    return term


def partition_key(state: Any, term: int, offsets: int) -> int:
    """The key of a partition's deletion: topic and partition, or with the end offset as well."""
    own = first_key_of_no_segment(state, offsets)
    if not state.choices.is_partition_key_like_segment:
        return own
    return own + term if state.choices.is_kind_in_key else (offsets - 1) * WIDTH + term


def highest_offset_key(state: Any, epoch: int, offsets: int) -> int:
    """The key under which the highest offset of an epoch is told: one for each epoch."""
    return first_key_of_no_segment(state, offsets) + WIDTH + epoch


def first_key_of_no_segment(state: Any, offsets: int) -> int:
    """Keys below it are of end offsets, or of ids: behind them no scheme has a segment's key."""
    return max(offsets, len(state.segment)) * WIDTH


def nth_key(state: Any, segment: int, term: int, n: int) -> int:
    """The n-th key that is tombstoned once `segment` is deleted, or NONE after the last.

    The text: every key with the same end offset and no bigger epoch than the writer's.
    """
    scheme = state.choices.key
    if scheme == KeyScheme.END_OFFSET_AND_EPOCH:
        return int(state.segment[segment].end_offset * WIDTH + n) if n <= term else NONE
    if scheme == KeyScheme.SEGMENT_ID:
        return segment * WIDTH if n == 0 else NONE
    if scheme == KeyScheme.SEGMENT_ID_AND_STATE:
        return segment * WIDTH + n + 1 if n < Kind.DELETE_SEGMENT_FINISHED else NONE
    return NONE


def is_key_of(state: Any, segment: int, key: int) -> bool:
    """A record of this id has ever had the key."""
    it, scheme = state.segment[segment], state.choices.key
    if it.copy_term == NONE or key == NONE:
        return False
    if scheme == KeyScheme.END_OFFSET_AND_EPOCH:
        is_range = key // WIDTH == it.end_offset
        return bool(is_range and it.keyed_terms >> (key % WIDTH) & 1)
    return bool(key // WIDTH == segment)
