"""Repairs of what the alternatives of KIP-952 do, which are ours; Kafka's own are not here.

How the proposal and the regenerating alternatives are repaired is in `readings` and
`alternatives`.
"""

from tierproof.model.designs.kip405.actors import LEADER
from tierproof.model.designs.kip405.copying import copy_publishes_started
from tierproof.model.designs.kip405.local import leads
from tierproof.model.designs.kip405.missing_snapshots import has_snapshot
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip405_producers.repairs import copy_finds_no_batches
from tierproof.model.designs.kip405_producers.replicating import load_fetched_snapshot
from tierproof.model.designs.kip405_producers.state import ProducedTopic, ProducingBroker
from tierproof.model.designs.kip952.alternatives import (
    ASKS_LEADER,
    has_snapshots_everywhere,
    read_remote_log,
)
from tierproof.model.kafka.local_retention import raise_log_start
from tierproof.model.kafka.local_segments import (
    bytes_between,
    first_base,
    largest_timestamp,
    next_base,
)
from tierproof.model.kafka.producer_recovery import rebuild_on_remote_tier
from tierproof.model.kafka.replica import is_copy_enabled
from tierproof.model.kafka.snapshot_copy import has_registered_snapshot
from tierproof.model.language import NONE, Variant, guard

# -- wait


def is_past_retention(log: ProducingBroker, base: int, end: int, now: int) -> bool:
    """The first local segment breaches retention.ms or retention.bytes, of which none is copied."""
    most_ms, most_bytes = log.settings.retention_ms, log.settings.retention_bytes
    is_old = most_ms >= 0 and now - largest_timestamp(log.records, base, end) > most_ms
    kept = bytes_between(log.records, end, log.log_end_offset)
    return is_old or 0 <= most_bytes <= kept


@guard
def has_expired_segment_that_waits(state: ProducedTopic, leader: Broker) -> bool:
    """The first local segment has no snapshot after it, is committed, and breaches retention."""
    log = state.broker[leader]
    base = first_base(log)
    end = next_base(log, base)
    if not is_copy_enabled(log) or end == NONE or end > log.high_watermark:
        return False
    waits = not has_registered_snapshot(log, end) and log.log_start_offset < end
    return waits and is_past_retention(log, base, end, state.clock)


@LEADER.action(guards=[leads, has_expired_segment_that_waits])
def leader_expires_segment_that_waits(state: ProducedTopic, leader: Broker) -> None:
    """Move the log start past an expired segment that will never be copied.

    Kafka: none. UnifiedLog#isSegmentEligibleForDeletion keeps a segment that is not copied.
    """
    log = state.broker[leader]
    raise_log_start(log, next_base(log, first_base(log)))


EXPIRES_WHAT_WAITS = Variant(
    name="repair_retention_expires_what_waits",
    because="a segment that is not to be copied is under the retention of the whole topic",
    add_system=(leader_expires_segment_that_waits,),
)

# -- wait, or refuse


GIVES_UP_WHAT_IS_GONE = Variant(
    name="repair_give_up_what_is_gone",
    because="a segment that was chosen may be removed, with its snapshot, before it is published",
    fence={copy_publishes_started: has_snapshot},
    add_system=(copy_finds_no_batches,),
)
"""`has_snapshot` is asked with the publication: what is gone between the two fails as ever."""

# -- refuse


ASKS_EVERY_REPLICA = Variant(
    name="repair_every_replica_is_asked",
    because="whichever replica leads next copies what it has",
    test={has_snapshots_everywhere: has_snapshots_everywhere},
    after=(ASKS_LEADER,),
)

# -- create on read


def load_snapshot_or_read_remote_log(state: ProducedTopic, follower: int, segment: int) -> None:
    """The snapshot of the segment, or what the remote log says where it has none."""
    log = state.broker[follower]
    if state.segment[segment].has_snapshot:
        rebuild_on_remote_tier(log, log.log_end_offset, state.segment[segment].snapshot)
    else:
        read_remote_log(state, follower, segment)


READS_REMOTE_LOG = Variant(
    name="repair_read_the_remote_log_instead",
    because="that there is no snapshot does not say that there are no producers",
    define={load_fetched_snapshot: load_snapshot_or_read_remote_log},
)
