"""Fixes of Kafka switched off, a variant each; `PUBLISHED_BUGS` says what each violates."""

from typing import Any

from tierproof.model.designs.kip405.copying import (
    copy_task_finds_log_start,
    has_found_log_start,
    is_cache_ready,
)
from tierproof.model.designs.kip405.expiring import (
    expiration_task_plans_old_epochs,
    expiration_task_plans_retention,
    forget_plan,
    has_planned,
    may_raise_log_start,
    plan_next_or_end,
    seed_highest_remote_offset,
)
from tierproof.model.designs.kip405.local import (
    has_replica,
    has_start_to_move,
)
from tierproof.model.designs.kip405.reading import consumer_looks_up_time, segment_at_time
from tierproof.model.designs.kip405.rebuilding import has_follower_task
from tierproof.model.designs.kip405.restarting import (
    broker_restarts,
    lone_leader_restarts,
    restart_as_follower,
    restart_as_leader,
)
from tierproof.model.designs.kip405.state import Broker, Partition, RecordTime, RunStep
from tierproof.model.kafka.copy_task import learn_highest_remote_offset
from tierproof.model.kafka.expiration_task import plan_retention, surplus_bytes
from tierproof.model.kafka.leader_epoch_lineage import latest_epoch, previous_epoch
from tierproof.model.kafka.local_retention import Reason, raise_log_start, retained_from
from tierproof.model.kafka.local_segments import first_base, only_local_bytes, remove_segments, roll
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.remote_metadata_cache import CachedState, highest_offset_for_epoch
from tierproof.model.language import NONE, Variant, action, guard

# -- KAFKA-20732


@action(guards=expiration_task_plans_retention.guards, actor="broker {broker}")
def expiration_task_plans_without_seed(state: Partition, broker: Broker) -> None:
    """Choose what goes; a highest remote offset that is not known yet counts all twice.

    **Who**: the expiration task of a broker that believes to lead.
    **Kafka**: RLMExpirationTask#cleanupExpiredRemoteLogSegments before KAFKA-20732.
    **Left out**: a run cancelled within the loop.
    """
    me = state.broker[broker]
    surplus = surplus_bytes(me, state.segment, only_local_bytes(me))
    plan_retention(me, state.segment, surplus, state.clock)
    me.run_step = RunStep.PLANNED


# -- KAFKA-17062


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


# -- KAFKA-15351


@action(guards=copy_task_finds_log_start.guards, actor="broker {broker}")
def copy_task_keeps_log_start(state: Partition, broker: Broker) -> None:
    """The new leader goes on with the log start that it has.

    **Who**: the copy task, in its first run.
    **Kafka**: RLMCopyTask before KAFKA-15351.
    **Left out**: nothing.
    """
    state.broker[broker].copy_task = CopyTask.LOG_START_FOUND


@action(guards=broker_restarts.guards, actor="broker {broker}", budget="restarts")
def broker_restarts_at_local_log(state: Partition, broker: Broker) -> None:
    """The broker comes back, and its log starts where its local segments do.

    **Who**: a broker that does not lead (any more).
    **Kafka**: LogLoader#load before KAFKA-15351.
    **Left out**: as in `broker_restarts`.
    """
    restart_as_follower(state, broker)
    raise_log_start(state.broker[broker], first_base(state.broker[broker]))


@action(guards=lone_leader_restarts.guards, actor="broker {broker}", budget="restarts")
def lone_leader_restarts_at_local_log(state: Partition, broker: Broker) -> None:
    """The leader comes back, and its log starts where its local segments do.

    **Who**: the broker, and the controller that fences it.
    **Kafka**: LogLoader#load before KAFKA-15351.
    **Left out**: as in `lone_leader_restarts`.
    """
    restart_as_leader(state, broker)
    raise_log_start(state.broker[broker], first_base(state.broker[broker]))


# -- KAFKA-15352


@action(guards=[has_planned], actor="broker {broker}")
def expiration_task_begins_to_delete(state: Partition, broker: Broker) -> None:
    """Begin to delete; the log start comes last.

    **Who**: the expiring thread.
    **Kafka**: RLMExpirationTask#cleanupExpiredRemoteLogSegments before KAFKA-15352.
    **Left out**: nothing.
    """
    state.broker[broker].run_step = RunStep.DELETING


@action(
    guards=[*expiration_task_plans_old_epochs.guards, may_raise_log_start],
    actor="broker {broker}",
)
def expiration_task_raises_log_start_last(state: Partition, broker: Broker) -> None:
    """What was planned is deleted: the log start follows, then old epochs are looked at.

    **Who**: the expiring thread.
    **Kafka**: RLMExpirationTask#cleanupExpiredRemoteLogSegments before KAFKA-15352.
    **Left out**: as in `expiration_task_plans_old_epochs`.
    """
    me = state.broker[broker]
    if me.settings.remote_storage_enable and me.planned_log_start > 0:
        raise_log_start(me, me.planned_log_start)
    forget_plan(me)
    plan_next_or_end(state, broker)


# -- KAFKA-16073


@action(guards=[has_replica, has_start_to_move], actor="broker {broker}")
def broker_removes_segments_first(state: Partition, broker: Broker, reason: Reason) -> None:
    """Remove the oldest local segments; the local log start follows.

    **Who**: the log manager of every replica.
    **Kafka**: UnifiedLog#deleteSegments before KAFKA-16073.
    **Left out**: the order of the reasons; logs that are not copied.
    """
    me = state.broker[broker]
    kept, rolls = retained_from(me, reason, state.clock)
    if rolls:
        roll(me)
    remove_segments(me, me.log_end_offset if kept == NONE else kept)


@guard
def has_start_to_follow(state: Partition, broker: Broker) -> bool:
    """The first local segment begins after the local log start."""
    me = state.broker[broker]
    return first_base(me) > me.local_log_start_offset


@action(guards=[has_replica, has_start_to_follow], actor="broker {broker}")
def broker_raises_start_after_removal(state: Partition, broker: Broker) -> None:
    """The local log start goes to the first segment that is left.

    **Who**: the log manager of every replica.
    **Kafka**: UnifiedLog#deleteSegments before KAFKA-16073.
    **Left out**: logs that are not copied.
    """
    me = state.broker[broker]
    me.local_log_start_offset = first_base(me)


# -- KAFKA-15241


def highest_unclipped(me: Any) -> int:
    """findHighestRemoteOffset before KAFKA-15241: what the cache says of the latest epoch."""
    epoch = latest_epoch(me.lineage)
    while epoch != NONE:
        if highest_offset_for_epoch(me.cache, epoch) != NONE:
            return highest_offset_for_epoch(me.cache, epoch)
        epoch = previous_epoch(me.lineage, epoch)
    return NONE


@action(guards=[has_found_log_start, is_cache_ready], actor="broker {broker}")
def copy_task_finds_offset_of_other_lineage(state: Partition, broker: Broker) -> None:
    """Set the cursor to the highest offset that was ever copied in an epoch of the lineage.

    **Who**: the copy task, in its first run.
    **Kafka**: RemoteLogManager#findHighestRemoteOffset before KAFKA-15241.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    me.copied_offset = highest_unclipped(me)
    learn_highest_remote_offset(me, me.copied_offset)
    me.copy_task = CopyTask.READY


@guard
def has_higher_unclipped_offset(state: Partition, broker: Broker) -> bool:
    """The cache says more than the broker knows."""
    me = state.broker[broker]
    return highest_unclipped(me) > me.highest_remote_offset


@action(
    guards=[has_follower_task, is_cache_ready, has_higher_unclipped_offset],
    actor="broker {broker}",
)
def follower_task_finds_offset_of_other_lineage(state: Partition, broker: Broker) -> None:
    """Learn the highest offset that was ever copied in an epoch of the lineage.

    **Who**: the follower task.
    **Kafka**: RemoteLogManager#findHighestRemoteOffset before KAFKA-15241.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    learn_highest_remote_offset(me, highest_unclipped(me))


# -- KAFKA-15802


@action(
    guards=consumer_looks_up_time.guards,
    actor="consumer",
    to="broker {broker}",
    budget="time_lookups",
    stutters=True,
)
def consumer_looks_up_time_anywhere(
    state: Partition, broker: Broker, timestamp: RecordTime
) -> None:
    """Ask for the first offset of a time: the index of any listed segment is fetched.

    **Who**: a consumer.
    **Kafka**: RemoteLogManager#findOffsetByTimestamp before KAFKA-15802.
    **Left out**: as in `consumer_looks_up_time`.
    """
    state.index_fetched = segment_at_time(state, broker, timestamp, False)


SWITCHED_OFF = (
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
        name="kafka_15351_new_leader_keeps_log_start",
        because="KAFKA-15351, part 2: a new leader advertises offsets whose data is gone",
        replace={"copy_task_finds_log_start": copy_task_keeps_log_start},
    ),
    Variant(
        name="kafka_15351_restart_forgets_remote_part",
        because="KAFKA-15351, part 1: a restart moves the log start to the local log",
        replace={
            "broker_restarts": broker_restarts_at_local_log,
            "lone_leader_restarts": lone_leader_restarts_at_local_log,
        },
    ),
    Variant(
        name="kafka_15352_deletes_before_log_start",
        because="KAFKA-15352: segments are deleted before the log start moves",
        replace={
            "expiration_task_raises_log_start": expiration_task_begins_to_delete,
            "expiration_task_plans_old_epochs": expiration_task_raises_log_start_last,
        },
    ),
    Variant(
        name="kafka_16073_removes_before_local_log_start",
        because="KAFKA-16073: local segments are removed before the local log start moves",
        replace={
            "broker_raises_start_to_delete": broker_removes_segments_first,
            "broker_removes_segments": broker_raises_start_after_removal,
        },
    ),
    Variant(
        name="kafka_15241_highest_offset_not_clipped",
        because="KAFKA-15241: the copied offset ignores where an epoch ends in the lineage",
        replace={
            "copy_task_finds_highest_remote_offset": copy_task_finds_offset_of_other_lineage,
            "follower_task_finds_highest_remote_offset": (
                follower_task_finds_offset_of_other_lineage
            ),
        },
    ),
    Variant(
        name="kafka_15181_answers_before_initialized",
        because="KAFKA-15181, KAFKA-15260: a cache answers that has not read the topic",
        drop=("is_cache_ready",),
    ),
    Variant(
        name="kafka_15802_index_of_unfinished_segment",
        because="KAFKA-15802: a lookup by time goes to a segment that is not finished",
        replace={"consumer_looks_up_time": consumer_looks_up_time_anywhere},
    ),
)
"""Each switches one fix off."""
