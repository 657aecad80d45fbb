"""A compacted metadata topic is still the truth (KIP-1266).

`state.truth` is what a broker would know that had read every record ever appended, and
`state.replayed` what one knows that reads the topic as it is now. Both are ghosts. Further
terms: `metadata` (the topic), `segment[i]`, `broker[b]`, `expired_end`.
"""

from __future__ import annotations

from typing import Any

from tierproof.invariants.compacted_topic import (
    DELETE_PARTITION_STARTED,
    HIGHEST_OFFSET,
    has_key,
    is_described,
    is_of_segment,
    is_tracked,
    says,
)
from tierproof.invariants.vocabulary import know_the_same
from tierproof.model.kafka.compacted_topic import NULL, is_compacted, latest
from tierproof.model.kafka.remote_metadata_cache import CachedState, lookup
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import NONE, invariant, step_property, witness

# -- confluence


@invariant(source="KIP-1266: Confluence")
def compaction_changes_no_cache(state: Any) -> bool:
    """Reading the topic as it is gives the same segments, states and lookups as all its history.

    The KIP believes it because "compaction keeps the latest state". A tombstone changes
    nothing here: what it stands for was deleted before. Highest offsets are asked for by
    `compaction_keeps_highest_offsets`.
    """
    return know_the_same(state.truth, state.replayed)


@invariant(source="KIP-1266: Confluence, high(epoch)")
def compaction_keeps_highest_offsets(state: Any) -> bool:
    """Reading the topic as it is gives the same highest offset of each epoch as all its history.

    A cache keeps it when the segments are deleted: the copy task goes on above it.
    """
    for e in range(len(state.truth.epoch)):
        if state.truth.epoch[e].highest_offset != state.replayed.epoch[e].highest_offset:
            return False
    return True


@invariant(source="KIP-1266: Confluence, of a consumer that runs")
def brokers_that_have_read_all_know_the_truth(state: Any) -> bool:
    """A broker that has read to the end knows what all of the history says.

    Also one that lagged while the topic was cleaned under it. A consumer that died is left
    out: `consumers_survive`.
    """
    for b in range(len(state.broker)):
        me = state.broker[b]
        has_read = me.position == state.metadata.end and not me.is_consumer_dead
        answers = has_read and me.cache.is_initialized
        if answers and not know_the_same(me.cache, state.truth):
            return False
    return True


@invariant(source="KIP-1266, Broker Read Path: no change")
def consumers_survive(state: Any) -> bool:
    """No consumer of the metadata topic dies of a record.

    Not excused: a consumer of an old version beside writers of a new one.
    """
    return all(not state.broker[b].is_consumer_dead for b in range(len(state.broker)))


# -- keys and values


@invariant(source="KIP-1266: UniqueKey")
def key_names_one_live_segment(state: Any) -> bool:
    """The last record of each key that a segment with an object has used speaks of it.

    Unless its history says that it is deleted. "Since a single broker attempts to upload a
    given segment only once at a time, only one writer will try to write the value".
    """
    for n in range(state.metadata.end):
        key = state.metadata.record[n].key
        if key == NONE or latest(state.metadata, key) != n:
            continue
        if says(state.metadata.record[n]) >= DELETE_PARTITION_STARTED:
            continue
        for i in range(len(state.segment)):
            if state.segment[i].object_exists and is_tracked(state.truth, i):
                is_other = not is_of_segment(state.metadata.record[n], i)
                if is_other and has_key(state, i, key):
                    return False
    return True


@invariant(source="KIP-1266: SelfContained")
def latest_values_are_self_contained(state: Any) -> bool:
    """The last records of its keys say everything about a segment that has an object.

    Its offsets, epochs and size stand in COPY_SEGMENT_STARTED only. Not checked: records
    without keys, which have no last one.
    """
    for i in range(len(state.segment)):
        if not (state.segment[i].object_exists and is_tracked(state.truth, i)):
            continue
        if not is_described(state, i):
            return False
    return True


@invariant(source="KIP-1266: every record of a compacted topic has a key")
def compacted_topic_has_keys_only(state: Any) -> bool:
    """A topic that is compacted has no record without a key.

    The cleaner drops such records without asking what they say.
    """
    if not is_compacted(state.policy):
        return True
    return all(state.metadata.record[n].key != NONE for n in range(state.metadata.end))


@invariant(source="KIP-1266: segment keys and partition keys are disjoint")
def partition_keys_are_their_own(state: Any) -> bool:
    """No record of the partition's deletion has the key of a segment."""
    for n in range(state.metadata.end):
        it = state.metadata.record[n]
        if says(it) >= DELETE_PARTITION_STARTED:
            for i in range(len(state.segment)):
                if has_key(state, i, it.key):
                    return False
    return True


# -- tombstones


@step_property(source="KIP-1266: TombstoneSafe")
def tombstone_only_after_deletion(before: Any, after: Any) -> bool:
    """A tombstone is appended only if every segment that ever had its key is deleted.

    Its object is gone, and DELETE_SEGMENT_FINISHED was appended before.
    """
    for n in range(before.metadata.end, after.metadata.end):
        it = after.metadata.record[n]
        for i in range(len(before.segment)):
            is_alive = before.segment[i].object_exists or is_tracked(before.truth, i)
            if it.value == NULL and is_alive and has_key(before, i, it.key):
                return False
    return True


@step_property(source="KIP-1266: NoResurrect")
def tombstoned_key_stays_dead(before: Any, after: Any) -> bool:
    """After its tombstone no record is appended under a key."""
    for n in range(before.metadata.end, after.metadata.end):
        it = after.metadata.record[n]
        if it.value != NULL and it.key != NONE and before.tombstoned_keys[it.key]:
            return False
    return True


@step_property(source="KIP-1266: tombstones by the current epoch's leader")
def only_the_leader_writes_tombstones(before: Any, after: Any) -> bool:
    """Tombstones come from the elected leader, in its own epoch."""
    for n in range(before.metadata.end, after.metadata.end):
        if after.metadata.record[n].value == NULL and not after.was_writer_elected:
            return False
    return True


@step_property(source="KIP-1266: MetaFirst in scenario 4")
def deletion_is_told_first(before: Any, after: Any) -> bool:
    """An object is deleted only after DELETE_SEGMENT_STARTED, stored only after COPY_ of it.

    Whoever dies in between leaves what the next leader can go on with.
    """
    for i in range(len(before.segment)):
        was, is_there = before.segment[i].object_exists, after.segment[i].object_exists
        is_finished = before.truth.state[i] == CachedState.COPY_SEGMENT_FINISHED
        if was and not is_there and is_finished:
            return False
        if is_there and not was and before.segment[i].copy_term == NONE:
            return False
    return True


# -- what is at stake


@invariant(source="KIP-1266: NoOrphan")
def compaction_loses_no_object(state: Any) -> bool:
    """An object that the history tracks is tracked by whoever reads the topic as it is.

    What even the whole history has forgotten is a matter of KIP-405.
    """
    for i in range(len(state.segment)):
        is_lost = is_tracked(state.truth, i) and not is_tracked(state.replayed, i)
        if state.segment[i].object_exists and is_lost:
            return False
    return True


@invariant(source="KIP-1266: migration preserves what is live")
def live_segments_stay_known(state: Any) -> bool:
    """A segment that is copied, has its object and is within its retention serves reads.

    By the topic as it is, if by its history.
    """
    for i in range(len(state.segment)):
        it = state.segment[i]
        is_live = it.object_exists and it.end_offset >= state.expired_end
        was_served = state.truth.state[i] == CachedState.COPY_SEGMENT_FINISHED
        is_served = state.replayed.state[i] == CachedState.COPY_SEGMENT_FINISHED
        if is_live and was_served and not is_served:
            return False
    return True


@invariant(source="KIP-1266: NoResurrect, in caches")
def deleted_segments_stay_dead(state: Any) -> bool:
    """Whoever reads the topic as it is knows of no segment whose object is gone as finished."""
    for i in range(len(state.segment)):
        is_gone = not state.segment[i].object_exists and not is_tracked(state.truth, i)
        if is_gone and state.replayed.state[i] == CachedState.COPY_SEGMENT_FINISHED:
            return False
    return True


@invariant(source="KIP-1266: the remote log is not lost")
def leader_serves_what_is_within_retention(state: Any, scope: Any) -> bool:
    """The elected leader has what its log start promises, and promises what must be kept.

    Suspended until it has heard of its election and its tasks have begun; and once the topic
    is deleted.
    """
    me = state.broker[state.elected_leader]
    if state.is_topic_deleted or not (me.is_leader and me.has_begun):
        return True
    if not me.cache.is_initialized or me.term < state.leader_epoch:
        return True
    if me.log_start > state.expired_end:
        return False
    for offset in range(state.expired_end, min(me.local_log_start, scope.offsets)):
        found = lookup(me.cache, state.segment, 0, offset)
        if found == NONE or not state.segment[found].object_exists:
            return False
    return True


# -- what it can do


@witness(source="KIP-1266, scenario 1")
def topic_is_compacted(state: Any) -> bool:
    """The topic has a copied segment, and its COPY_SEGMENT_STARTED is gone."""
    if state.metadata.end == 0:
        return False
    return says(state.metadata.record[0]) == SegmentState.COPY_SEGMENT_FINISHED


@witness(source="KIP-1266, scenario 2")
def segment_is_copied_by_two_leaders(state: Any) -> bool:
    """Two brokers have finished copies of one segment in two epochs."""
    finished = CachedState.COPY_SEGMENT_FINISHED
    for i in range(len(state.segment)):
        for j in range(i):
            a, b = state.segment[i], state.segment[j]
            both = state.truth.state[i] == finished and state.truth.state[j] == finished
            if both and a.end_offset == b.end_offset and a.copy_term != b.copy_term:
                return True
    return False


@witness(source="KIP-1266, scenario 4")
def segment_is_forgotten(state: Any) -> bool:
    """A segment was copied and deleted, and its keys have tombstones only, or nothing."""
    if state.truth.epoch[0].highest_offset == NONE or state.metadata.end == 0:
        return False
    for n in range(state.metadata.end):
        it = state.metadata.record[n]
        is_last = it.value != NULL and latest(state.metadata, it.key) == n
        if is_last and says(it) != HIGHEST_OFFSET:
            return False
    return True


@witness(source="KIP-1266, migration")
def plan_is_carried_out(state: Any) -> bool:
    """Every broker has the KIP, and the topic is compacted."""
    return bool(is_compacted(state.policy) and state.is_new_feature)


@witness(source="KIP-1266, migration")
def topic_was_migrated(state: Any) -> bool:
    """Every broker has the KIP, the topic is compacted, and a segment is served from it."""
    if not (is_compacted(state.policy) and state.is_new_feature):
        return False
    for i in range(len(state.segment)):
        if state.replayed.state[i] == CachedState.COPY_SEGMENT_FINISHED:
            return True
    return False
