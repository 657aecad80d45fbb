"""What a compacted, tiered topic can do at all: states that must be reachable (KIP-1272)."""

from __future__ import annotations

from tierproof.invariants.fields import TieredCompactedTopic
from tierproof.invariants.tiered_cleaning import is_served
from tierproof.invariants.tiered_compaction import latest_written, was_decided
from tierproof.invariants.vocabulary import committed_end, current_leader, ids_told
from tierproof.model.kafka.leader_epoch_lineage import latest_epoch
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.kafka.segment_versions import (
    LOCAL,
    Kept,
    RecordType,
    has_record,
    is_local,
    record_in,
    serving_segment,
    source_of,
)
from tierproof.model.language import NONE, witness


def is_remote(source: int) -> bool:
    """An object serves the offset."""
    return source not in (NONE, LOCAL)


def is_gone(state: TieredCompactedTopic, broker: int, source: int, offset: int) -> bool:
    """The source has the offset, and neither a record nor a batch there."""
    return source != NONE and record_in(state, broker, source, offset).kept == Kept.GONE


@witness(source="KIP-1272, Swap Old/New Log Segment Files")
def cleaned_version_is_read_from_remote(state: TieredCompactedTopic) -> bool:
    """The leader serves a record from a cleaned segment that it no longer has locally."""
    leader = current_leader(state)
    if leader == NONE:
        return False
    for offset in range(committed_end(state)):
        source = source_of(state, leader, offset)
        is_cleaned = is_remote(source) and state.segment[source].is_cleaned
        if is_cleaned and has_record(record_in(state, leader, source, offset)):
            return True
    return False


@witness(source="KIP-1272, Message Deletion")
def tombstone_leaves_the_remote_tier(state: TieredCompactedTopic) -> bool:
    """The last record of a key is a tombstone, and the version that the leader serves lacks it."""
    leader = current_leader(state)
    if leader == NONE:
        return False
    return any(
        state.committed[offset].type == RecordType.TOMBSTONE
        and was_decided(state, offset)
        and latest_written(state, state.committed[offset].key) == offset
        and is_gone(state, leader, source_of(state, leader, offset), offset)
        for offset in range(state.broker[leader].log_start_offset, committed_end(state))
    )


@witness(source="KIP-1272, Bloom Filter Index on Skip Optimization")
def filter_skips_a_segment(state: TieredCompactedTopic) -> bool:
    """A pass has gone past a segment with a filter, and has not written it anew.

    What the pass writes anew claims the end of its chunk.
    """
    return any(
        has_filter_at(state, b, offset) and not is_of_this_pass(state, b, offset)
        for b in range(len(state.broker))
        for offset in range(state.broker[b].log_start_offset, state.broker[b].group_start)
    )


def has_filter_at(state: TieredCompactedTopic, broker: int, offset: int) -> bool:
    """An object serves the offset, and the broker has its filter."""
    source = source_of(state, broker, offset)
    if not is_remote(source):
        return False
    return state.broker[broker].filters[state.segment[source].start_offset].segment == source


def is_of_this_pass(state: TieredCompactedTopic, broker: int, offset: int) -> bool:
    """The object that serves the offset claims the end of the broker's chunk."""
    log = state.broker[broker]
    source = source_of(state, broker, offset)
    return state.segment[source].cleaner_offsets[log.cleaner_epoch] == log.map_end


@witness(source="KIP-1272, Swap Old/New Log Segment Files")
def old_version_is_deleted(state: TieredCompactedTopic) -> bool:
    """A segment was deleted to the end, and the leader serves a cleaned one in its place."""
    leader = current_leader(state)
    if leader == NONE:
        return False
    deleted = ids_told(state, SegmentState.DELETE_SEGMENT_FINISHED)
    for i in range(len(state.segment)):
        if deleted >> i & 1:
            found = serving_segment(state, leader, state.segment[i].start_offset)
            if found not in (NONE, i) and state.segment[found].is_cleaned:
                return True
    return False


@witness(source="KIP-1272, Fencing off zombie broker")
def zombie_claim_is_rejected(state: TieredCompactedTopic) -> bool:
    """A zombie's cleaned segment is finished, and serves no reads, for it claims too much."""
    for b in range(len(state.broker)):
        cache = state.broker[b].cache
        for i in range(len(state.segment)):
            is_zombie = state.segment[i].is_cleaned and not state.segment[i].was_led
            is_finished = cache.state[i] == SegmentState.COPY_SEGMENT_FINISHED
            is_rejected = is_zombie and is_finished and not is_served(state, b, i)
            if is_rejected and claims_more_than_another(state, b, i):
                return True
    return False


def claims_more_than_another(state: TieredCompactedTopic, broker: int, id: int) -> bool:
    """For some epoch the segment claims more than a finished one that claims for a later epoch."""
    cache, claims = state.broker[broker].cache, state.segment[id].cleaner_offsets
    return any(
        cache.state[i] == SegmentState.COPY_SEGMENT_FINISHED
        and NONE < state.segment[i].cleaner_offsets[e] < claims[e]
        and latest_epoch(state.segment[i].cleaner_offsets) > e
        for i in range(len(state.segment))
        for e in range(len(claims))
    )


@witness(source="KIP-1272, Compaction on the follower broker")
def follower_is_ahead_of_the_remote_tier(state: TieredCompactedTopic) -> bool:
    """A follower's cleaner has removed a record, and the leader's remote tier still has it."""
    leader = current_leader(state)
    if leader == NONE:
        return False
    return any(
        state.broker[b].presumed_leader != NONE
        and not presumes_to_lead(state, b)
        and has_removed_what_is_remote(state, b, leader)
        for b in range(len(state.broker))
    )


def has_removed_what_is_remote(state: TieredCompactedTopic, broker: int, leader: int) -> bool:
    """A record that the leader finds in the remote tier is gone from the broker's local log."""
    log = state.broker[broker]
    for offset in range(log.log_end_offset):
        found = serving_segment(state, leader, offset)
        is_removed = is_local(log, offset) and log.records[offset].kept == Kept.GONE
        if found != NONE and is_removed and has_record(state.segment[found].records[offset]):
            return True
    return False


@witness(source="KIP-1272, Processing multiple Log segment files in a group")
def group_becomes_one_segment(state: TieredCompactedTopic) -> bool:
    """The leader serves one cleaned segment where two were copied."""
    leader = current_leader(state)
    if leader == NONE:
        return False
    for offset in range(committed_end(state)):
        found = serving_segment(state, leader, offset)
        is_cleaned = found != NONE and state.segment[found].is_cleaned
        if is_cleaned and number_copied_in(state, found) > 1:
            return True
    return False


def number_copied_in(state: TieredCompactedTopic, id: int) -> int:
    """How many segments that were copied, and are not cleaned, begin in a segment."""
    group = state.segment[id]
    return sum(
        1
        for i in range(len(state.segment))
        if state.broker[state.elected_leader].cache.state[i] != SegmentState.ABSENT
        and not state.segment[i].is_cleaned
        and group.start_offset <= state.segment[i].start_offset <= group.end_offset
    )


@witness(source="KIP-1272: a consumer that walks the log")
def consumer_crosses_a_gap(state: TieredCompactedTopic) -> bool:
    """A consumer has read a record of the local log, before which the remote tier has a gap."""
    leader, before = current_leader(state), state.consumer_position - 2
    if leader == NONE or before < state.broker[leader].log_start_offset:
        return False
    source = source_of(state, leader, before)
    return (
        is_remote(source)
        and is_gone(state, leader, source, before)
        and source_of(state, leader, before + 1) == LOCAL
    )
