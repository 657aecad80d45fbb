"""What producers and their snapshots can do at all: states that must be reachable (KIP-952)."""

from __future__ import annotations

from tierproof.invariants.producer_fields import (
    ProducedSegment,
    ProducedTopic,
    ProducerLimits,
    ProducingBroker,
)
from tierproof.invariants.recovered_producers import known_entry
from tierproof.invariants.vocabulary import current_leader, has_replica
from tierproof.model.kafka.local_segments import first_base, next_base
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.language import NONE, witness


def is_remembered(state: ProducedTopic, broker: int, producer: int, epoch: int, at: int) -> bool:
    """The broker remembers the producer's batch of that epoch and sequence."""
    entry = state.broker[broker].producer[producer]
    return (
        entry.is_known
        and entry.epoch == epoch
        and any(batch.first_sequence == at for batch in entry.batches)
    )


@witness(source="UnifiedLog#analyzeAndValidateProducerState")
def leader_will_recognise_a_duplicate(state: ProducedTopic) -> bool:
    """A request is in flight of a batch that the leader remembers."""
    leader = current_leader(state)
    if leader == NONE:
        return False
    return any(
        state.in_flight[p][epoch][sequence] > 0 and is_remembered(state, leader, p, epoch, sequence)
        for p in range(len(state.in_flight))
        for epoch in range(len(state.in_flight[p]))
        for sequence in range(len(state.in_flight[p][epoch]))
    )


@witness(source="KIP-98: zombie instances")
def leader_will_fence_a_zombie(state: ProducedTopic) -> bool:
    """A request is in flight of an epoch below the one that the leader knows of its producer."""
    leader = current_leader(state)
    if leader == NONE:
        return False
    for p in range(len(state.in_flight)):
        known, _ = known_entry(state.broker[leader].producer[p])
        for epoch in range(len(state.in_flight[p])):
            if epoch < known and any(number > 0 for number in state.in_flight[p][epoch]):
                return True
    return False


@witness(source="ProducerAppendInfo#checkSequence")
def producer_is_forgotten(state: ProducedTopic) -> bool:
    """A replica does not know a producer of which its local log has a batch."""
    for b in range(len(state.broker)):
        log = state.broker[b]
        for offset in range(log.log_end_offset):
            producer = log.batch[offset].producer
            if has_replica(state, b) and producer != NONE and not log.producer[producer].is_known:
                return True
    return False


@witness(source="KIP-952, Proposed Changes")
def old_segment_is_copied(state: ProducedTopic, scope: ProducerLimits) -> bool:
    """The object exists of a segment that Kafka before 2.8 wrote."""
    return any(copy.object_exists and copy.end_offset < scope.old_end for copy in state.segment)


@witness(source="KIP-952, Motivation: tiering is enabled at once after the upgrade")
def topic_with_old_segments_is_tiered(state: ProducedTopic, scope: ProducerLimits) -> bool:
    """The topic is tiered while its leader still has a segment that Kafka before 2.8 wrote."""
    leader = current_leader(state)
    if leader == NONE or not state.broker[leader].settings.remote_storage_enable:
        return False
    following = next_base(state.broker[leader], first_base(state.broker[leader]))
    return state.is_tiered and following != NONE and following <= scope.old_end


@witness(source="KIP-405: LogSegmentData#producerSnapshotIndex")
def snapshot_is_stored_with_producers(state: ProducedTopic) -> bool:
    """An object has a snapshot that knows a producer."""
    return any(
        copy.object_exists and copy.has_snapshot and any(entry.is_known for entry in copy.snapshot)
        for copy in state.segment
    )


@witness(source="TierStateMachine#buildProducerSnapshotFile")
def follower_begins_after_a_snapshot(state: ProducedTopic) -> bool:
    """A follower's log is empty and begins after a segment whose snapshot knows a producer."""
    return any(
        has_replica(state, b)
        and not presumes_to_lead(state, b)
        and any(begins_after(state.broker[b], copy) for copy in state.segment)
        for b in range(len(state.broker))
    )


def begins_after(log: ProducingBroker, copy: ProducedSegment) -> bool:
    """The log has nothing locally, and what lies before is in the segment, with producers."""
    return (
        first_base(log) == log.log_end_offset == copy.end_offset + 1
        and copy.object_exists
        and copy.has_snapshot
        and any(entry.is_known for entry in copy.snapshot)
    )
