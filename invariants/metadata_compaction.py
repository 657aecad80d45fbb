"""A compacted metadata topic is still the truth (KIP-1266).

`state.truth` is what a broker would know that had read every record ever appended, and
`state.replayed` what one knows that reads the topic as it is now. Both are ghosts.
"""

from __future__ import annotations

from tierproof.invariants.compacted_topic import (
    DELETE_PARTITION_STARTED,
    HIGHEST_OFFSET,
    has_key,
    is_described,
    is_of_segment,
    is_tracked,
    says,
)
from tierproof.invariants.fields import MetadataTopic, SegmentLimits
from tierproof.invariants.vocabulary import know_the_same
from tierproof.model.kafka.compacted_topic import NULL, is_compacted, latest
from tierproof.model.kafka.remote_metadata_cache import lookup
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import NONE, invariant, step_property, witness

# -- confluence


@invariant(source="KIP-1266: Confluence")
def compaction_changes_no_cache(state: MetadataTopic) -> bool:
    """Reading the topic as it is gives the same segments, states and lookups as all its history.

    The KIP believes it because "compaction keeps the latest state". A tombstone changes
    nothing here: its segment was deleted before. Not checked: highest offsets
    (`compaction_keeps_highest_offsets`).
    """
    return know_the_same(state.truth, state.replayed)


@invariant(source="KIP-1266: Confluence, high(epoch)")
def compaction_keeps_highest_offsets(state: MetadataTopic) -> bool:
    """Reading the topic as it is gives the same highest offset of each epoch as all its history.

    A cache keeps it when the segments are deleted: the copy task resumes above it.
    """
    return all(
        state.truth.epoch[e].highest_offset == state.replayed.epoch[e].highest_offset
        for e in range(len(state.truth.epoch))
    )


@invariant(source="KIP-1266: Confluence, of a consumer that runs")
def brokers_that_have_read_all_know_the_truth(state: MetadataTopic) -> bool:
    """A broker that has read to the end knows what all of the history says.

    Also a broker that lagged while the topic was cleaned. Not checked: brokers whose consumer
    died (`consumers_survive`).
    """
    return all(
        know_the_same(broker.cache, state.truth)
        for broker in state.broker
        if broker.position == state.metadata.end
        and not broker.is_consumer_dead
        and broker.cache.is_initialized
    )


@invariant(source="KIP-1266, Broker Read Path: no change")
def consumers_survive(state: MetadataTopic) -> bool:
    """No consumer of the metadata topic dies of a record.

    Checked, too: a consumer of an old version beside writers of a new one.
    """
    return all(not broker.is_consumer_dead for broker in state.broker)


# -- keys and values


@invariant(source="KIP-1266: UniqueKey")
def key_names_one_live_segment(state: MetadataTopic) -> bool:
    """The last record of each key that a segment with an object has used is of that segment.

    The KIP believes it: "Since a single broker attempts to upload a given segment only once at
    a time, only one writer will try to write the value". Suspended for a segment whose history
    says that it is deleted.
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
def latest_values_are_self_contained(state: MetadataTopic) -> bool:
    """The last records of its keys say everything about a segment that has an object.

    Only COPY_SEGMENT_STARTED has its offsets, epochs and size. Not checked: records without
    keys, which have no last one.
    """
    return all(
        is_described(state, i)
        for i in range(len(state.segment))
        if state.segment[i].object_exists and is_tracked(state.truth, i)
    )


@invariant(source="KIP-1266: every record of a compacted topic has a key")
def compacted_topic_has_keys_only(state: MetadataTopic) -> bool:
    """A topic that is compacted has no record without a key.

    The cleaner removes such records, whatever they say.
    """
    return not is_compacted(state.policy) or all(
        state.metadata.record[n].key != NONE for n in range(state.metadata.end)
    )


@invariant(source="KIP-1266: segment keys and partition keys are disjoint")
def partition_keys_are_their_own(state: MetadataTopic) -> bool:
    """No record of the partition's deletion has the key of a segment."""
    return not any(
        says(state.metadata.record[n]) >= DELETE_PARTITION_STARTED
        and has_key(state, i, state.metadata.record[n].key)
        for n in range(state.metadata.end)
        for i in range(len(state.segment))
    )


# -- tombstones


@step_property(source="KIP-1266: TombstoneSafe")
def tombstone_only_after_deletion(before: MetadataTopic, after: MetadataTopic) -> bool:
    """A tombstone is appended only if every segment that ever had its key is deleted.

    Its object no longer exists, and DELETE_SEGMENT_FINISHED was appended before.
    """
    for n in range(before.metadata.end, after.metadata.end):
        record = after.metadata.record[n]
        for i in range(len(before.segment)):
            is_there = before.segment[i].object_exists or is_tracked(before.truth, i)
            if record.value == NULL and is_there and has_key(before, i, record.key):
                return False
    return True


@step_property(source="KIP-1266: NoResurrect")
def tombstoned_key_stays_dead(before: MetadataTopic, after: MetadataTopic) -> bool:
    """After its tombstone no record is appended under a key."""
    for n in range(before.metadata.end, after.metadata.end):
        record = after.metadata.record[n]
        is_keyed_value = record.value != NULL and record.key != NONE
        if is_keyed_value and before.tombstoned_keys[record.key]:
            return False
    return True


@step_property(source="KIP-1266: tombstones by the current epoch's leader")
def only_the_leader_writes_tombstones(before: MetadataTopic, after: MetadataTopic) -> bool:
    """Tombstones come from the elected leader, in its own epoch."""
    return after.was_writer_elected or all(
        after.metadata.record[n].value != NULL
        for n in range(before.metadata.end, after.metadata.end)
    )


@step_property(source="KIP-1266: MetaFirst in scenario 4")
def deletion_is_told_first(before: MetadataTopic, after: MetadataTopic) -> bool:
    """An object is deleted after DELETE_SEGMENT_STARTED, and stored after COPY_SEGMENT_STARTED.

    So a leader that crashes in between leaves metadata by which the next one can resume.
    """
    for i in range(len(before.segment)):
        was, is_there = before.segment[i].object_exists, after.segment[i].object_exists
        is_finished = before.truth.state[i] == SegmentState.COPY_SEGMENT_FINISHED
        if was and not is_there and is_finished:
            return False
        if is_there and not was and before.segment[i].copy_term == NONE:
            return False
    return True


# -- what is at stake


@invariant(source="KIP-1266: NoOrphan")
def compaction_loses_no_object(state: MetadataTopic) -> bool:
    """A reader of the topic as it is knows of every object that its whole history knows of.

    Not checked: objects that not even the whole history knows of, as KIP-405 leaves them.
    """
    return all(
        is_tracked(state.replayed, i) or not is_tracked(state.truth, i)
        for i in range(len(state.segment))
        if state.segment[i].object_exists
    )


@invariant(source="KIP-1266: migration preserves what is live")
def live_segments_stay_known(state: MetadataTopic) -> bool:
    """A copied segment with an object, within retention, is finished by the topic as it is.

    Suspended where the topic's whole history does not say so either.
    """
    for i in range(len(state.segment)):
        copy = state.segment[i]
        is_live = copy.object_exists and copy.end_offset >= state.expired_end
        was_served = state.truth.state[i] == SegmentState.COPY_SEGMENT_FINISHED
        is_served = state.replayed.state[i] == SegmentState.COPY_SEGMENT_FINISHED
        if is_live and was_served and not is_served:
            return False
    return True


@invariant(source="KIP-1266: NoResurrect, in caches")
def deleted_segments_stay_dead(state: MetadataTopic) -> bool:
    """By the topic as it is, no segment is finished whose object is deleted."""
    return all(
        state.segment[i].object_exists
        or is_tracked(state.truth, i)
        or state.replayed.state[i] != SegmentState.COPY_SEGMENT_FINISHED
        for i in range(len(state.segment))
    )


@invariant(source="KIP-1266: the remote log is not lost")
def leader_serves_what_is_within_retention(state: MetadataTopic, scope: SegmentLimits) -> bool:
    """The elected leader serves every record that is within retention.

    Its log start is not above such a record. Suspended until it has learned of its election
    and its tasks have begun; and once the topic is deleted.
    """
    leader = state.broker[state.elected_leader]
    if state.is_topic_deleted or not (leader.is_leader and leader.has_begun):
        return True
    if not leader.cache.is_initialized or leader.term < state.leader_epoch:
        return True
    if leader.log_start > state.expired_end:
        return False
    for offset in range(state.expired_end, min(leader.local_log_start, scope.offsets)):
        found = lookup(leader.cache, state.segment, 0, offset)
        if found == NONE or not state.segment[found].object_exists:
            return False
    return True


# -- what it can do


@witness(source="KIP-1266, scenario 1")
def topic_is_compacted(state: MetadataTopic) -> bool:
    """The topic has a copied segment, and no longer its COPY_SEGMENT_STARTED."""
    first = state.metadata.record[0]
    return state.metadata.end > 0 and says(first) == SegmentState.COPY_SEGMENT_FINISHED


@witness(source="KIP-1266, scenario 2")
def segment_is_copied_by_two_leaders(state: MetadataTopic) -> bool:
    """Two brokers have finished copies of one segment in two epochs."""
    finished = SegmentState.COPY_SEGMENT_FINISHED
    for i in range(len(state.segment)):
        for j in range(i):
            a, b = state.segment[i], state.segment[j]
            both = state.truth.state[i] == finished and state.truth.state[j] == finished
            if both and a.end_offset == b.end_offset and a.copy_term != b.copy_term:
                return True
    return False


@witness(source="KIP-1266, scenario 4")
def segment_is_forgotten(state: MetadataTopic) -> bool:
    """A segment was copied and deleted, and its keys have only tombstones, or no record."""
    if state.truth.epoch[0].highest_offset == NONE or state.metadata.end == 0:
        return False
    for n in range(state.metadata.end):
        record = state.metadata.record[n]
        is_last = record.value != NULL and latest(state.metadata, record.key) == n
        if is_last and says(record) != HIGHEST_OFFSET:
            return False
    return True


@witness(source="KIP-1266, migration")
def plan_is_carried_out(state: MetadataTopic) -> bool:
    """Every broker has the KIP, and the topic is compacted."""
    return is_compacted(state.policy) and state.is_new_feature


@witness(source="KIP-1266, migration")
def topic_was_migrated(state: MetadataTopic) -> bool:
    """Every broker has the KIP, the topic is compacted, and a segment is served from it."""
    return plan_is_carried_out(state) and any(
        known == SegmentState.COPY_SEGMENT_FINISHED for known in state.replayed.state
    )
