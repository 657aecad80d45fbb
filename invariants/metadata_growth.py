"""A compacted metadata topic stays as big as the remote tier, and is read to its end (KIP-1266).

Liveness: every step of each broker is fair. Further terms are those of
`tierproof.invariants.metadata_compaction`.
"""

from __future__ import annotations

from tierproof.invariants.compacted_topic import (
    DELETE_PARTITION_STARTED,
    is_tracked,
    keys_of_an_object,
    living_highest_offsets,
    living_keys,
    names,
    says,
)
from tierproof.invariants.fields import MetadataTopic
from tierproof.model.kafka.compacted_topic import NULL, latest
from tierproof.model.language import NONE, guard, liveness


@guard
def is_bootstrapping(state: MetadataTopic) -> bool:
    """A broker reads the topic from its beginning, and does not answer yet."""
    return any(not broker.cache.is_initialized for broker in state.broker)


@liveness(source="KIP-1266: bootstrap terminates", premise=is_bootstrapping)
def bootstrap_ends(state: MetadataTopic) -> bool:
    """A broker that reads the topic from its beginning answers in the end.

    The records that it waits for may be cleaned away: a record of the active segment comes
    after them. No other broker need write.
    """
    return not is_bootstrapping(state)


@guard
def has_record_of_deleted_segment(state: MetadataTopic) -> bool:
    """A key's last record speaks of a segment that is deleted, object and all."""
    for n in range(state.metadata.end):
        record = state.metadata.record[n]
        if record.value == NULL or says(record) >= DELETE_PARTITION_STARTED or record.key == NONE:
            continue
        i = names(record)
        is_deleted = not state.segment[i].object_exists and not is_tracked(state.truth, i)
        if is_deleted and latest(state.metadata, record.key) == n:
            return True
    return False


@liveness(source="KIP-1266: Bounded", premise=has_record_of_deleted_segment)
def deleted_segments_leave_no_record(state: MetadataTopic) -> bool:
    """Every key of a deleted segment is tombstoned in the end.

    So that the topic grows with what is in the remote tier, not with its history.
    """
    return not has_record_of_deleted_segment(state)


@guard
def has_more_keys_than_objects(state: MetadataTopic) -> bool:
    """More keys are alive than the objects in the remote store account for."""
    objects = sum(copy.object_exists for copy in state.segment)
    highest = min(living_highest_offsets(state.metadata), len(state.truth.epoch))
    return living_keys(state.metadata) > objects * keys_of_an_object(state) + highest


@liveness(source="KIP-1266: Bounded, counted", premise=has_more_keys_than_objects)
def topic_is_as_big_as_the_remote_tier(state: MetadataTopic) -> bool:
    """In the end the topic has no more keys alive than the objects account for.

    A key is alive if its last record is no tombstone; the partition's own keys count, too. An
    object accounts for as many keys as there have been leader epochs (`keys_of_an_object`, which
    a repair with other keys defines anew). Where the topic records highest offsets, one more key
    for each leader epoch of the records is allowed. "In the end" leaves time for records younger
    than `delete.retention.ms`. An attempt that stored nothing is no object. Not counted:
    records without keys, and superseded ones, which the cleaner removes.
    """
    return not has_more_keys_than_objects(state)


@guard
def has_object_to_delete(state: MetadataTopic) -> bool:
    """An object is past its retention."""
    return any(copy.object_exists and copy.end_offset < state.expired_end for copy in state.segment)


@liveness(source="KIP-1266: an object without a live key is deleted", premise=has_object_to_delete)
def expired_objects_go(state: MetadataTopic) -> bool:
    """Objects that are past their retention are deleted in the end: also failed attempts."""
    return not has_object_to_delete(state)
