"""What the cleaner of a tiered topic owes to other brokers and to those who wait for it.

Versions, claims and filters; and what must happen in the end. What it owes to readers stands
in `tiered_compaction`.
"""

from __future__ import annotations

from typing import Protocol

from tierproof.invariants.fields import TieredCompactedTopic
from tierproof.invariants.vocabulary import committed_end
from tierproof.model.kafka.compacted_topic import is_compacted
from tierproof.model.kafka.leader_epoch_lineage import latest_epoch
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.segment_versions import (
    LOCAL,
    bytes_served,
    first_undecided_offset,
    has_record,
    record_in,
    source_of,
)
from tierproof.model.language import NONE, Step, guard, invariant, liveness, step_property

# -- versions, claims, filters


@invariant(source="KIP-1272: one version")
def object_is_of_one_version(state: TieredCompactedTopic) -> bool:
    """An object has the bytes and the indexes of one version of its segment."""
    return not any(copy.is_mixed for copy in state.segment)


@invariant(source="KIP-1272: FenceCO")
def accepted_claims_are_of_leaders(state: TieredCompactedTopic) -> bool:
    """A cleaned segment serves reads only if the leader of that time published it.

    `was_led` is noted when COPY_SEGMENT_FINISHED is appended. The design decides by a comparison
    of offsets, which is meant to decide the same.
    """
    return not any(
        state.segment[i].is_cleaned and not state.segment[i].was_led and is_served(state, b, i)
        for b in range(len(state.broker))
        for i in range(len(state.segment))
    )


@invariant(source="KIP-1272: the table of brokers A and B")
def contradicted_claims_serve_no_reads(state: TieredCompactedTopic) -> bool:
    """A segment serves no reads if it claims more for an epoch than a later leader's vector says.

    "The cache validation rejects Seg-1 regardless of arrival order." Checked at each broker,
    for what it has read.
    """
    return not any(
        is_served(state, b, i) and is_known_finished(state, b, j) and contradicts(state, j, i)
        for b in range(len(state.broker))
        for i in range(len(state.segment))
        for j in range(len(state.segment))
    )


def is_known_finished(state: TieredCompactedTopic, broker: int, id: int) -> bool:
    """The broker knows the segment as finished."""
    return state.broker[broker].cache.state[id] == SegmentState.COPY_SEGMENT_FINISHED


def contradicts(state: TieredCompactedTopic, later: int, id: int) -> bool:
    """The vector of `later` has a later epoch, and less for an epoch of the other."""
    told, claimed = state.segment[later].cleaner_offsets, state.segment[id].cleaner_offsets
    if latest_epoch(told) <= latest_epoch(claimed):
        return False
    return any(NONE < told[e] < claimed[e] for e in range(len(told)))


def is_served(state: TieredCompactedTopic, broker: int, id: int) -> bool:
    """The broker's cache lets the segment serve reads."""
    return any(id in epoch.referenced for epoch in state.broker[broker].cache.epoch)


@step_property(source="KIP-1272: inputs deleted only once the output is irrevocable")
def leaders_claims_are_never_rejected(
    before: TieredCompactedTopic, after: TieredCompactedTopic
) -> bool:
    """A segment that the leader of its time published keeps serving until another one replaces it.

    Its inputs are deleted in the meantime. Checked at each broker: a finished segment that
    served reads is no longer served only if it is deleted, or if a segment that finished
    covers it, or if the broker dropped its cache.
    """
    for b in range(len(after.broker)):
        cache = after.broker[b].cache
        for i in range(len(after.segment)):
            is_due = after.segment[i].is_cleaned and after.segment[i].was_led
            is_finished = cache.state[i] == SegmentState.COPY_SEGMENT_FINISHED
            is_dropped = is_served(before, b, i) and not is_served(after, b, i)
            if is_due and is_finished and is_dropped and not is_replaced_by_another(after, b, i):
                return False
    return True


def is_replaced_by_another(state: TieredCompactedTopic, broker: int, id: int) -> bool:
    """A segment with a higher or equal claim serves reads at the start of the segment.

    What lies below the log start is not read, and has no part in it; of a segment that lies
    below it as a whole the last offset counts.
    """
    copy = state.segment[id]
    log_start = state.broker[broker].log_start_offset
    start = min(max(copy.start_offset, log_start), copy.end_offset)
    return any(
        i != id
        and is_served(state, broker, i)
        and state.segment[i].start_offset <= start <= state.segment[i].end_offset
        and state.segment[i].was_led
        and state.segment[i].is_cleaned
        for i in range(len(state.segment))
    )


@step_property(source="KIP-1272: FilterSound")
def filters_never_say_a_wrong_no(
    before: TieredCompactedTopic, after: TieredCompactedTopic, step: Step
) -> bool:
    """A segment that the cleaner skips has no record of a key in the offset map."""
    if step.action != "cleaner_skips_segment":
        return True
    for b in range(len(after.broker)):
        for offset in range(before.broker[b].group_start, after.broker[b].group_start):
            source = source_of(before, b, offset)
            if source != NONE and is_in_map(before, b, source, offset):
                return False
    return True


def is_in_map(state: TieredCompactedTopic, broker: int, source: int, offset: int) -> bool:
    """The record is there, and the offset map of the broker has its key."""
    record = record_in(state, broker, source, offset)
    is_there = has_record(record) and record.key != NONE
    return is_there and state.broker[broker].offset_map[record.key] != NONE


@step_property(source="KIP-1272: resolve CO at election only at the end of the metadata")
def new_leader_reads_all_claims(
    before: TieredCompactedTopic, after: TieredCompactedTopic, step: Step
) -> bool:
    """A new leader resolves the cleaner offset when it has read all metadata.

    What the old leader published before the election counts. That nothing of it follows is
    `only_the_leader_publishes_copies`.
    """
    if step.action != "leader_resolves_cleaner_offset":
        return True
    for b in range(len(after.broker)):
        resolves = before.broker[b].is_cleaner_behind and not after.broker[b].is_cleaner_behind
        if resolves and after.broker[b].metadata_position < after.metadata_end:
            return False
    return True


# -- disk and progress


class CleanerLimits(Protocol):
    """The free disk, and min.cleanable.dirty.ratio in percent."""

    disk_bytes: int
    min_dirty_percent: int


@invariant(source="KIP-1272: bounded disk")
def cleaner_stays_within_its_disk(state: TieredCompactedTopic, scope: CleanerLimits) -> bool:
    """The chunk that a cleaner has fetched and its output fit into the free disk together.

    Of the chunk what the broker has not locally counts; a pass that cleans local segments alone
    fetches nothing. The inputs of the second pass are streamed, as the text allows.
    """
    for b in range(len(state.broker)):
        log, used = state.broker[b], 0
        for offset in range(log.cleaner_offset, log.map_end if log.cleans_remote else 0):
            source = source_of(state, b, offset)
            if source not in (NONE, LOCAL):
                used += record_in(state, b, source, offset).bytes
        used += sum(record.bytes for record in log.output)
        if used > scope.disk_bytes:
            return False
    return True


def rolled_end(state: TieredCompactedTopic, broker: int) -> int:
    """The end of the rolled segments below the last stable offset of the broker's log."""
    log, end = state.broker[broker], 0
    for offset in range(first_undecided_offset(log) + 1):
        if log.starts_segment[offset]:
            end = offset
    return end


@guard
def is_log_dirty(state: TieredCompactedTopic, scope: CleanerLimits) -> bool:
    """The dirty ratio of the elected leader's log exceeds min.cleanable.dirty.ratio.

    Dirty are the rolled, stable segments above its cleaner offset; each offset counts once.
    """
    leader = state.elected_leader
    log, end = state.broker[leader], rolled_end(state, leader)
    if state.is_topic_deleted or not is_compacted(log.settings.cleanup_policy):
        return False
    start = max(log.cleaner_offset, log.log_start_offset)
    dirty = bytes_served(state, leader, start, end)
    return dirty * 100 > scope.min_dirty_percent * bytes_served(
        state, leader, log.log_start_offset, log.log_end_offset
    )


@liveness(source="KIP-1272: a dirty log is cleaned", premise=is_log_dirty)
def dirty_tiered_log_is_cleaned(state: TieredCompactedTopic, scope: CleanerLimits) -> bool:
    """A log whose dirty ratio exceeds the threshold is cleaned in the end."""
    return not is_log_dirty(state, scope)


@guard
def has_replaced_object(state: TieredCompactedTopic) -> bool:
    """An object exists that serves no reads at the elected leader, and no thread works on it."""
    cache = state.broker[state.elected_leader].cache
    return any(
        state.segment[i].object_exists
        and state.segment[i].copier == NONE
        and cache.state[i] != SegmentState.ABSENT
        and not is_served(state, state.elected_leader, i)
        for i in range(len(state.segment))
    )


@liveness(source="KIP-1272: unreferenced objects are deleted", premise=has_replaced_object)
def replaced_objects_are_deleted(state: TieredCompactedTopic) -> bool:
    """The objects of old versions are deleted in the end."""
    return not has_replaced_object(state)


@guard
def has_more_to_read(state: TieredCompactedTopic) -> bool:
    """There is a consumer, and it has not reached the end of what is committed."""
    return NONE < state.consumer_position < committed_end(state)


@liveness(source="KIP-1272: ReadProgress", premise=has_more_to_read)
def consumer_reaches_the_end(state: TieredCompactedTopic) -> bool:
    """A consumer that reads the log gets to its end, across gaps and from tier to tier."""
    return not has_more_to_read(state)
