"""A follower that rolls by itself: its segments begin elsewhere than its leader's.

Each replica decides by itself when to roll: by the size of what one fetch appends, segment.ms with
a jitter of its own, an index that is full (LogSegment#shouldRoll). In KIP-405 followers roll as
their leader.
"""

from tierproof.model.designs.kip405.actors import FOLLOWER
from tierproof.model.designs.kip405.replication import (
    agrees_with_leader,
    fetched_high_watermark,
    fetches_from_a_leader,
    is_local_at_leader,
    raise_high_watermark,
)
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip405_faults.state import FaultyTopic
from tierproof.model.kafka.leader_epoch_lineage import assign, epoch_for_offset
from tierproof.model.kafka.local_retention import raise_log_start
from tierproof.model.kafka.local_segments import append_record
from tierproof.model.language import guard


@guard
def has_rolled_at_leader_only(state: FaultyTopic, follower: Broker) -> bool:
    """The leader has the follower's log end as the beginning of a segment with records."""
    log = state.broker[follower]
    leader = state.broker[log.presumed_leader]
    is_behind = log.log_end_offset < leader.log_end_offset
    return (
        is_behind
        and leader.starts_segment[log.log_end_offset]
        and not log.starts_segment[log.log_end_offset]
    )


@FOLLOWER.action(
    guards=[
        fetches_from_a_leader,
        agrees_with_leader,
        is_local_at_leader,
        has_rolled_at_leader_only,
    ],
    budget="own_rolls",
)
def follower_fetches_without_rolling(state: FaultyTopic, follower: Broker) -> None:
    """Fetch a record that begins a segment at the leader, and append it to the active segment.

    Kafka: LogSegment#shouldRoll at the follower. Left out: a follower that rolls where its leader
    does not.
    """
    log = state.broker[follower]
    leader = state.broker[log.presumed_leader]
    offset = log.log_end_offset
    watermark = fetched_high_watermark(state, follower)
    raise_high_watermark(state, log.presumed_leader)
    assign(log.lineage, epoch_for_offset(leader.lineage, offset), offset)
    append_record(log, leader.records[offset].bytes, leader.records[offset].timestamp)
    log.high_watermark = watermark
    raise_log_start(log, min(leader.log_start_offset, log.log_end_offset))
