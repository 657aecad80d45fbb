"""Offsets that a truncation or a crash must not leave behind."""

from tierproof.model.designs.kip405.replication import follower_truncates
from tierproof.model.designs.kip405.restarting import broker_restarts, lone_leader_restarts
from tierproof.model.designs.kip405.state import Partition
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
