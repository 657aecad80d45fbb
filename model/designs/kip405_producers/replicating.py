"""Followers: producer state from fetched batches, after a truncation, and on the remote tier."""

from tierproof.model.designs.kip405.rebuilding import segment_before_local_log
from tierproof.model.designs.kip405.replication import begin_log, truncate_follower
from tierproof.model.designs.kip405_producers.state import ProducedTopic, ProducingBroker
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.kafka.producer_entries import remember_batch
from tierproof.model.kafka.producer_recovery import (
    rebuild_on_remote_tier,
    truncate_producers,
    truncate_producers_fully,
)
from tierproof.model.kafka.producer_snapshots import take_snapshot


def fetch_batch(state: ProducedTopic, follower: int) -> None:
    """The fetched batch says what its producer's entry is; a follower checks no sequence.

    Kafka: UnifiedLog#appendAsFollower, AppendOrigin.REPLICATION.
    """
    log = state.broker[follower]
    leader = state.broker[log.presumed_leader]
    offset = log.log_end_offset
    if leader.starts_segment[offset] and not log.starts_segment[offset]:
        take_snapshot(log)
    if offset < leader.log_end_offset:
        log.batch[offset] = leader.batch[offset]
        remember_batch(log, offset)


def begin_log_without_producers(log: ProducingBroker, offset: int) -> None:
    """UnifiedLog#truncateFullyAndStartAt: no producer is known."""
    begin_log(log, offset)
    truncate_producers_fully(log, offset)


def truncate_follower_and_producers(log: ProducingBroker, offset: int) -> None:
    """UnifiedLog#truncateTo: producer state from the newest snapshot that is left, and the log."""
    is_within = offset >= first_base(log)
    truncate_follower(log, offset)
    if is_within:
        truncate_producers(log, offset)


def build_producers(state: ProducedTopic, follower: int) -> None:
    """A log that is built on the remote tier gets its producer state."""
    load_fetched_snapshot(state, follower, segment_before_local_log(state, follower))


def load_fetched_snapshot(state: ProducedTopic, follower: int, segment: int) -> None:
    """The snapshot stored with the segment before the log is fetched, placed and loaded.

    As shipped the reload removes the file that was just placed, so that no producer is known.

    Kafka: TierStateMachine#buildProducerSnapshotFile, UnifiedLog#loadProducerState.
    """
    log = state.broker[follower]
    rebuild_on_remote_tier(log, log.log_end_offset, state.segment[segment].snapshot)
