"""Offsets that a truncation, a crash or an election must not leave behind."""

from tierproof.model.designs.kip405.in_sync import leader_expands_in_sync
from tierproof.model.designs.kip405.local import user_deletes_records
from tierproof.model.designs.kip405.replication import follower_truncates
from tierproof.model.designs.kip405.restarting import broker_restarts, lone_leader_restarts
from tierproof.model.designs.kip405.state import Partition
from tierproof.model.kafka.local_retention import raise_log_start
from tierproof.model.language import Variant


def lower_highest_remote_offset(state: Partition, follower: int) -> None:
    """UnifiedLog#truncateTo also lowers the highest offset in remote storage."""
    log = state.broker[follower]
    log.highest_remote_offset = min(log.highest_remote_offset, log.log_end_offset - 1)


FORGET_TRUNCATED = Variant(
    name="repair_truncation_lowers_highest_remote_offset",
    because="what a truncated log has anew was never copied",
    also={follower_truncates: lower_highest_remote_offset},
)


def keep_log_start(state: Partition, broker: int) -> None:
    """UnifiedLog#updateLogStartOffset has written each move of the log start to its checkpoint."""
    state.broker[broker].log_start_checkpoint = state.broker[broker].log_start_offset


WRITE_THROUGH = Variant(
    name="repair_write_log_start_through",
    because="a crash takes the log start back to the last checkpoint",
    first={broker_restarts: keep_log_start, lone_leader_restarts: keep_log_start},
)


def raise_log_starts_in_sync(state: Partition, leader: int, offset: int) -> None:
    """Every replica that may be elected has the log start before DeleteRecords takes effect.

    Left out: how. The controller's record of the partition could carry it.
    """
    for b in range(len(state.broker)):
        if b in state.in_sync:
            raise_log_start(state.broker[b], min(offset, state.broker[b].log_end_offset))


def raise_log_start_to_rejoin(state: Partition, leader: int, follower: int) -> None:
    """A replica that comes back in sync has the leader's log start."""
    log = state.broker[follower]
    raise_log_start(log, min(state.broker[leader].log_start_offset, log.log_end_offset))


DELETE_EVERYWHERE = Variant(
    name="repair_delete_records_at_all_in_sync_replicas",
    because="the next leader may not know of a deletion that this leader has begun",
    also={
        user_deletes_records: raise_log_starts_in_sync,
        leader_expands_in_sync: raise_log_start_to_rejoin,
    },
)
