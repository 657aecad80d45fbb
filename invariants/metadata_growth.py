"""A compacted metadata topic stays as big as the remote tier, and is read to its end (KIP-1266).

Liveness: fair is the system, each step of each broker. The terms are those of
`invariants.metadata_compaction`.
"""

from __future__ import annotations

from typing import Any

from tierproof.invariants.compacted_topic import (
    DELETE_PARTITION_STARTED,
    is_tracked,
    keys_of_an_object,
    living_highest_offsets,
    living_keys,
    names,
    says,
)
from tierproof.model.kafka.compacted_topic import NULL, latest
from tierproof.model.language import NONE, guard, liveness


@guard
def is_bootstrapping(state: Any) -> bool:
    """A broker reads the topic from its beginning, and does not answer yet."""
    return any(not state.broker[b].cache.is_initialized for b in range(len(state.broker)))


@liveness(source="KIP-1266: bootstrap terminates", premise=is_bootstrapping)
def bootstrap_ends(state: Any) -> bool:
    """A broker that reads the topic from its beginning answers in the end.

    Although the records that it waits for may be cleaned away: one of the active segment
    comes after them. Fair is the system; that others write is not needed.
    """
    return not is_bootstrapping(state)


@guard
def has_record_of_deleted_segment(state: Any) -> bool:
    """A key's last record speaks of a segment that is deleted, object and all."""
    for n in range(state.metadata.end):
        it = state.metadata.record[n]
        if it.value == NULL or says(it) >= DELETE_PARTITION_STARTED or it.key == NONE:
            continue
        i = names(it)
        is_gone = not state.segment[i].object_exists and not is_tracked(state.truth, i)
        if is_gone and latest(state.metadata, it.key) == n:
            return True
    return False


@liveness(source="KIP-1266: Bounded", premise=has_record_of_deleted_segment)
def deleted_segments_leave_no_record(state: Any) -> bool:
    """Every key of a deleted segment is tombstoned in the end.

    So that the topic grows with what is in the remote tier, not with its history.
    """
    return not has_record_of_deleted_segment(state)


@guard
def has_more_keys_than_objects(state: Any) -> bool:
    """More keys are alive than the objects in the remote store account for."""
    objects = 0
    for i in range(len(state.segment)):
        if state.segment[i].object_exists:
            objects += 1
    highest = min(living_highest_offsets(state.metadata), len(state.truth.epoch))
    return living_keys(state.metadata) > objects * keys_of_an_object(state) + highest


@liveness(source="KIP-1266: Bounded, counted", premise=has_more_keys_than_objects)
def topic_is_as_big_as_the_remote_tier(state: Any) -> bool:
    """In the end the topic has no more keys alive than the objects account for.

    Counted: keys whose last record is no tombstone, the partition's own among them, against c
    keys for each object, c being the leader epochs there have been (`keys_of_an_object`, which
    a repair with other keys defines anew). Where highest offsets are told, a key for each
    epoch of records is allowed. That it is so in the end, and not at once, stands for records
    younger than `delete.retention.ms`. An attempt that stored nothing is no object. Not
    counted: records without keys, and superseded ones, which the cleaner takes.
    """
    return not has_more_keys_than_objects(state)


@guard
def has_object_to_delete(state: Any) -> bool:
    """An object is past its retention."""
    for i in range(len(state.segment)):
        it = state.segment[i]
        if it.object_exists and it.end_offset < state.expired_end:
            return True
    return False


@liveness(source="KIP-1266: an object without a live key is deleted", premise=has_object_to_delete)
def expired_objects_go(state: Any) -> bool:
    """Objects that are past their retention are deleted in the end: also failed attempts."""
    return not has_object_to_delete(state)
