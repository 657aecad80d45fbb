"""What is copied does not fill the disks of the brokers."""

from __future__ import annotations

from tierproof.invariants.fields import Broker, Partition, RemoteSegment
from tierproof.invariants.vocabulary import finished_ids, has_locally, has_replica
from tierproof.model.kafka.leader_epoch_lineage import is_in_lineage
from tierproof.model.kafka.local_retention import local_retention
from tierproof.model.kafka.local_segments import bytes_between
from tierproof.model.kafka.replica import is_copy_enabled
from tierproof.model.language import guard, liveness


def is_surplus(log: Broker, segment: RemoteSegment, clock: int) -> bool:
    """Local retention of the replica allows no record of a copied segment any more.

    By size, what follows the segment reaches the limit alone; by time, its latest record is older.
    """
    most = local_retention(log.settings.local_retention_bytes, log.settings.retention_bytes, True)
    most_ms = local_retention(log.settings.local_retention_ms, log.settings.retention_ms, True)
    rest = bytes_between(log.records, segment.end_offset + 1, log.log_end_offset)
    is_too_much = most >= 0 and rest >= most
    return is_too_much or (most_ms >= 0 and clock - segment.max_timestamp > most_ms)


@guard
def has_copied_surplus(state: Partition) -> bool:
    """A replica still has locally the end of a copied segment that its local retention drops."""
    finished = finished_ids(state)
    for b in range(len(state.broker)):
        log = state.broker[b]
        if not has_replica(state, b) or not is_copy_enabled(log) or state.is_topic_deleted:
            continue
        for i in range(len(state.segment)):
            copy = state.segment[i]
            if (
                finished >> i & 1
                and copy.object_exists
                and has_locally(state, b, copy.end_offset)
                and is_in_lineage(copy, log.lineage, log.log_end_offset)
                and is_surplus(log, copy, state.clock)
            ):
                return True
    return False


@liveness(
    source="KIP-405: local.retention.ms and local.retention.bytes", premise=has_copied_surplus
)
def copied_surplus_is_removed(state: Partition) -> bool:
    """Every replica removes, in the end, copied segments that its local retention does not keep.

    Unlike `expired_local_segments_are_removed` it asks of records that the remote tier still has.
    Kafka believes it because a copied segment may be deleted locally at once, and all replicas
    have about the same segments. Not checked: a segment that is in part within local retention.
    """
    return not has_copied_surplus(state)
