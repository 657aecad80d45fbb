"""Retention by size counts each record once."""

from tierproof.model.designs.kip405.expiring import expiration_task_plans_retention, forget_plan
from tierproof.model.designs.kip405.state import BrokerState, Partition
from tierproof.model.kafka.expiration_task import is_counted, next_real_epoch, plan_retention
from tierproof.model.kafka.local_segments import bytes_between, first_base
from tierproof.model.kafka.remote_metadata_cache import is_referenced
from tierproof.model.language import NONE, Variant


def serves_reads(log: BrokerState, id: int) -> bool:
    """The id serves reads in an epoch of the lineage: no other has taken its place."""
    epoch = next_real_epoch(log.lineage, NONE)
    while epoch != NONE:
        if is_referenced(log.cache, epoch, id):
            return True
        epoch = next_real_epoch(log.lineage, epoch)
    return False


def bytes_counted_once(state: Partition, broker: int) -> int:
    """The bytes of the remote segments that serve reads, and of the local log above them."""
    log, total, end = state.broker[broker], 0, 0
    for id in range(len(state.segment)):
        if is_counted(log, state.segment, id) and serves_reads(log, id):
            total += state.segment[id].bytes
            end = max(end, state.segment[id].end_offset + 1)
    return total + bytes_between(log.records, max(end, first_base(log)), log.log_end_offset)


def plan_by_bytes_counted_once(state: Partition, broker: int) -> None:
    """Plan again: the local log counts from where the counted remote segments end."""
    log, surplus = state.broker[broker], 0
    if log.settings.retention_bytes >= 0:
        surplus = max(bytes_counted_once(state, broker) - log.settings.retention_bytes, 0)
    forget_plan(log)
    plan_retention(log, state.segment, surplus, state.clock)


COUNT_ONCE = Variant(
    name="repair_count_each_record_once",
    because="a segment counts as remote and as only local at the same time",
    also={expiration_task_plans_retention: plan_by_bytes_counted_once},
)
