"""Published bugs of Kafka, by switching off the fix; and repairs of what ships."""

from typing import Any

from model.designs.kip405.copying import is_cache_ready, is_copy_task_new
from model.designs.kip405.expiring import (
    expiration_task_plans_retention,
    seed_highest_remote_offset,
)
from model.designs.kip405.state import Broker, Partition, RunStep
from model.kafka.expiration_task import plan_retention, surplus_bytes
from model.kafka.local_segments import bytes_between, only_local_bytes
from model.kafka.remote_log_task import CopyTask
from model.kafka.remote_metadata_cache import CachedState
from model.language import Variant, action


@action(
    guards=expiration_task_plans_retention.guards,
    actor="broker {broker}",
)
def expiration_task_plans_without_seed(state: Partition, broker: Broker) -> None:
    """Choose what goes; a highest remote offset that is not known yet counts all twice.

    **Who**: the expiration task of a broker that believes to lead.
    **Kafka**: RLMExpirationTask#cleanupExpiredRemoteLogSegments before KAFKA-20732.
    **Left out**: a run cancelled within the loop.
    """
    me = state.broker[broker]
    local_bytes = only_local_bytes(me)
    surplus = surplus_bytes(me, state.segment, local_bytes)
    plan_retention(me, state.segment, surplus, state.clock)
    me.run_step = RunStep.PLANNED


def listed_bytes(state: Any, broker: int) -> int:
    """The size of all segments that the broker knows, failed copies too."""
    total = 0
    for i in range(len(state.segment)):
        if state.broker[broker].cache.state[i] != CachedState.UNKNOWN:
            total += state.segment[i].bytes
    return total


@action(guards=expiration_task_plans_retention.guards, actor="broker {broker}")
def expiration_task_counts_failed_copies(state: Partition, broker: Broker) -> None:
    """Choose what goes; every segment that is listed counts, in whatever state.

    **Who**: the expiration task of a broker that believes to lead.
    **Kafka**: RLMExpirationTask#cleanupExpiredRemoteLogSegments before KAFKA-17062.
    **Left out**: a run cancelled within the loop.
    """
    me = state.broker[broker]
    seed_highest_remote_offset(me)
    total = listed_bytes(state, broker) + only_local_bytes(me)
    surplus = total - me.settings.retention_bytes if me.settings.retention_bytes >= 0 else 0
    plan_retention(me, state.segment, max(surplus, 0), state.clock)
    me.run_step = RunStep.PLANNED


@action(guards=expiration_task_plans_retention.guards, actor="broker {broker}")
def expiration_task_counts_only_local_segments_once(state: Partition, broker: Broker) -> None:
    """Choose what goes; what begins at the highest remote offset is remote, and counts there.

    **Who**: the expiration task of a broker that believes to lead.
    **Kafka**: ours: UnifiedLog#onlyLocalLogSegmentsSize with > in place of >=.
    **Left out**: a run cancelled within the loop.
    """
    me = state.broker[broker]
    seed_highest_remote_offset(me)
    local_bytes = 0
    for base in range(me.highest_remote_offset + 1, me.log_end_offset):
        if me.starts_segment[base]:
            local_bytes = bytes_between(me.records, base, me.log_end_offset)
            break
    surplus = surplus_bytes(me, state.segment, local_bytes)
    plan_retention(me, state.segment, surplus, state.clock)
    me.run_step = RunStep.PLANNED


@action(guards=[is_copy_task_new, is_cache_ready], actor="broker {broker}")
def copy_task_keeps_log_start(state: Partition, broker: Broker) -> None:
    """The new leader goes on with the log start that it has.

    **Who**: the copy task, in its first run.
    **Kafka**: RLMCopyTask before KAFKA-15351.
    **Left out**: nothing.
    """
    state.broker[broker].copy_task = CopyTask.LOG_START_FOUND


VARIANTS = (
    Variant(
        name="kafka_20732_highest_offset_not_seeded",
        because="KAFKA-20732: size retention counts the local log twice at a fresh leader",
        replace={"expiration_task_plans_retention": expiration_task_plans_without_seed},
    ),
    Variant(
        name="kafka_17062_failed_copies_counted",
        because="KAFKA-17062: size retention counts attempts that failed",
        replace={"expiration_task_plans_retention": expiration_task_counts_failed_copies},
    ),
    Variant(
        name="ours_highest_remote_offset_counted_once",
        because="a segment of one record begins at the highest remote offset that it ends at",
        replace={
            "expiration_task_plans_retention": expiration_task_counts_only_local_segments_once
        },
    ),
    Variant(
        name="kafka_15351_new_leader_keeps_log_start",
        because="KAFKA-15351, part 2: a new leader advertises offsets whose data is gone",
        replace={"copy_task_finds_log_start": copy_task_keeps_log_start},
    ),
)
"""Those called kafka_ switch a fix off; those called ours_ repair what ships."""
