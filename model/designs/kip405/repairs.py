"""Repairs of what ships, all of them ours; the findings say what each is for."""

from typing import Any

from tierproof.model.designs.kip405.expiring import (
    expiration_task_plans_retention,
    seed_highest_remote_offset,
)
from tierproof.model.designs.kip405.replication import (
    divergence,
    follower_truncates,
    truncate_follower,
)
from tierproof.model.designs.kip405.restarting import (
    broker_restarts,
    lone_leader_restarts,
    restart_as_follower,
    restart_as_leader,
)
from tierproof.model.designs.kip405.state import Broker, Partition, RunStep
from tierproof.model.kafka.expiration_task import is_counted, next_real_epoch, plan_retention
from tierproof.model.kafka.local_segments import bytes_between, first_base
from tierproof.model.kafka.remote_metadata_cache import is_referenced
from tierproof.model.language import NONE, Variant, action

# -- repair_count_each_record_once


def serves_reads(me: Any, id: int) -> bool:
    """The id serves reads in an epoch of the lineage: no other has taken its place."""
    epoch = next_real_epoch(me.lineage, NONE)
    while epoch != NONE:
        if is_referenced(me.cache, epoch, id):
            return True
        epoch = next_real_epoch(me.lineage, epoch)
    return False


def bytes_counted_once(state: Any, broker: int) -> int:
    """The bytes of the remote segments that serve reads, and of the local log above them."""
    me, total, end = state.broker[broker], 0, 0
    for id in range(len(state.segment)):
        it = state.segment[id]
        if is_counted(me, state.segment, id) and serves_reads(me, id):
            total += it.bytes
            end = max(end, it.end_offset + 1)
    return total + bytes_between(me.records, max(end, first_base(me)), me.log_end_offset)


@action(guards=expiration_task_plans_retention.guards, actor="broker {broker}")
def expiration_task_counts_each_record_once(state: Partition, broker: Broker) -> None:
    """Choose what goes; the local log counts from where the counted remote segments end.

    **Who**: the expiration task of a broker that believes to lead.
    **Kafka**: ours, in place of UnifiedLog#onlyLocalLogSegmentsSize.
    **Left out**: a run cancelled within the loop.
    """
    me = state.broker[broker]
    seed_highest_remote_offset(me)
    surplus = 0
    if me.settings.retention_bytes >= 0:
        surplus = max(bytes_counted_once(state, broker) - me.settings.retention_bytes, 0)
    plan_retention(me, state.segment, surplus, state.clock)
    me.run_step = RunStep.PLANNED


# -- repair_truncation_lowers_highest_remote_offset


@action(guards=follower_truncates.guards, actor="broker {broker}")
def follower_truncates_and_forgets_remote(state: Partition, broker: Broker) -> None:
    """Give up what the leader does not have, and the belief that it was copied.

    **Who**: the replica fetcher of a follower.
    **Kafka**: ours: UnifiedLog#truncateTo lowers the highest offset in remote storage.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    offset = divergence(state.broker[me.presumed_leader], me)
    truncate_follower(me, offset)
    me.highest_remote_offset = min(me.highest_remote_offset, offset - 1)


# -- repair_write_log_start_through


@action(guards=broker_restarts.guards, actor="broker {broker}", budget="restarts", stutters=True)
def broker_restarts_with_its_log_start(state: Partition, broker: Broker) -> None:
    """The broker comes back with the log start that it had: each move was written to disk.

    **Who**: a broker that does not lead (any more).
    **Kafka**: ours: UnifiedLog#updateLogStartOffset writes the checkpoint.
    **Left out**: as in `broker_restarts`.
    """
    state.broker[broker].log_start_checkpoint = state.broker[broker].log_start_offset
    restart_as_follower(state, broker)


@action(guards=lone_leader_restarts.guards, actor="broker {broker}", budget="restarts")
def lone_leader_restarts_with_its_log_start(state: Partition, broker: Broker) -> None:
    """The leader comes back with the log start that it had: each move was written to disk.

    **Who**: the broker, and the controller that fences it.
    **Kafka**: ours: UnifiedLog#updateLogStartOffset writes the checkpoint.
    **Left out**: as in `lone_leader_restarts`.
    """
    state.broker[broker].log_start_checkpoint = state.broker[broker].log_start_offset
    restart_as_leader(state, broker)


REPAIRS = (
    Variant(
        name="repair_count_each_record_once",
        because="a segment counts as remote and as only local at the same time",
        replace={"expiration_task_plans_retention": expiration_task_counts_each_record_once},
    ),
    Variant(
        name="repair_truncation_lowers_highest_remote_offset",
        because="what a truncated log has anew was never copied",
        replace={"follower_truncates": follower_truncates_and_forgets_remote},
    ),
    Variant(
        name="repair_write_log_start_through",
        because="a crash takes the log start back to the last checkpoint",
        replace={
            "broker_restarts": broker_restarts_with_its_log_start,
            "lone_leader_restarts": lone_leader_restarts_with_its_log_start,
        },
    ),
)
