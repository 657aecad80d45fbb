"""Fixes of Kafka switched off, a variant each; `PUBLISHED_BUGS` says what each violates."""

from tierproof.model.designs.kip405.copying import (
    copy_task_finds_highest_remote_offset,
    copy_task_finds_log_start,
)
from tierproof.model.designs.kip405.expiration_fixes_off import EXPIRATION_FIXES_OFF
from tierproof.model.designs.kip405.expiring import (
    expiration_task_plans_old_epochs,
    expiration_task_plans_retention,
    expiration_task_raises_log_start,
    may_raise_log_start,
    plan_by_size_and_time,
    raise_planned_log_start,
    seed_highest_remote_offset,
)
from tierproof.model.designs.kip405.local import (
    broker_raises_start_to_delete,
    broker_removes_segments,
    has_segment_to_remove,
)
from tierproof.model.designs.kip405.local_log_fixes_off import (
    IDLE_TOPIC,
    LOCAL_LOG_FIXES_OFF,
    LOST_CHECKPOINTS,
)
from tierproof.model.designs.kip405.metadata import is_cache_ready
from tierproof.model.designs.kip405.overlapping_segments import OVERLAPPING_SEGMENTS
from tierproof.model.designs.kip405.reading import (
    consumer_looks_up_time,
    is_leader_cache_ready,
    segment_at_time,
)
from tierproof.model.designs.kip405.rebuilding import (
    follower_task_finds_highest_remote_offset,
    has_higher_offset_to_find,
    is_follower_cache_ready,
)
from tierproof.model.designs.kip405.repairs import LEAD_ANEW
from tierproof.model.designs.kip405.restarting import broker_restarts, lone_leader_restarts
from tierproof.model.designs.kip405.state import Broker, BrokerState, Partition
from tierproof.model.kafka.copy_task import learn_highest_remote_offset
from tierproof.model.kafka.expiration_task import plan_retention
from tierproof.model.kafka.leader_epoch_lineage import latest_epoch, previous_epoch
from tierproof.model.kafka.local_retention import raise_log_start, retained_from
from tierproof.model.kafka.local_segments import first_base, only_local_bytes, remove_segments, roll
from tierproof.model.kafka.remote_metadata_cache import highest_offset_for_epoch
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import NONE, Variant, guard

# -- KAFKA-17062


def plan_with_failed_copies(state: Partition, broker: int) -> None:
    """Plan a run; every segment that the broker knows counts, in whatever state."""
    log = state.broker[broker]
    seed_highest_remote_offset(log)
    total = only_local_bytes(log)
    for i in range(len(state.segment)):
        if log.cache.state[i] != SegmentState.ABSENT:
            total += state.segment[i].bytes
    limit = log.settings.retention_bytes
    plan_retention(log, state.segment, max(total - limit, 0) if limit >= 0 else 0, state.clock)


# -- KAFKA-15351


def keep_log_start(state: Partition) -> None:
    """The new leader keeps the log start that it has."""


def start_at_local_log(state: Partition, broker: int) -> None:
    """The log starts where its local segments do."""
    raise_log_start(state.broker[broker], first_base(state.broker[broker]))


# -- KAFKA-15352


def begin_to_delete(state: Partition) -> None:
    """Begin to delete; the log start moves last."""


# -- KAFKA-16073


def remove_segments_first(state: Partition, broker: int, reason: int) -> None:
    """Remove the oldest local segments; the local log start follows.

    Left out: the order of the reasons; logs that are not copied.
    """
    log = state.broker[broker]
    kept, rolls = retained_from(log, reason, state.clock)
    if rolls:
        roll(log)
    remove_segments(log, log.log_end_offset if kept == NONE else kept)


@guard
def has_start_to_follow(state: Partition, broker: Broker) -> bool:
    """The first local segment begins after the local log start."""
    return first_base(state.broker[broker]) > state.broker[broker].local_log_start_offset


def raise_start_after_removal(state: Partition, broker: int) -> None:
    """Move the local log start to the first segment that is left.

    Left out: logs that are not copied.
    """
    state.broker[broker].local_log_start_offset = first_base(state.broker[broker])


# -- KAFKA-15241


def highest_unclipped(log: BrokerState) -> int:
    """findHighestRemoteOffset before KAFKA-15241: what the cache says of the latest epoch."""
    epoch = latest_epoch(log.lineage)
    while epoch != NONE:
        if highest_offset_for_epoch(log.cache, epoch) != NONE:
            return highest_offset_for_epoch(log.cache, epoch)
        epoch = previous_epoch(log.lineage, epoch)
    return NONE


def find_offset_of_other_lineage(state: Partition, broker: int) -> None:
    """Set the cursor to the highest offset that was ever copied in an epoch of the lineage."""
    log = state.broker[broker]
    log.copied_offset = highest_unclipped(log)
    learn_highest_remote_offset(log, log.copied_offset)


@guard
def has_higher_unclipped_offset(state: Partition, follower: Broker) -> bool:
    """The cache says more than the broker knows."""
    log = state.broker[follower]
    return highest_unclipped(log) > log.highest_remote_offset


def learn_offset_of_other_lineage(state: Partition, follower: int) -> None:
    """Learn the highest offset that was ever copied in an epoch of the lineage."""
    learn_highest_remote_offset(state.broker[follower], highest_unclipped(state.broker[follower]))


# -- KAFKA-15802


def look_up_time_anywhere(state: Partition, leader: int, timestamp: int) -> None:
    """Ask for the first offset of a time: the leader fetches the index of any listed segment."""
    state.index_fetched = segment_at_time(state, leader, timestamp, False)


FIXES_SWITCHED_OFF = (
    Variant(
        name="kafka_20732_highest_offset_not_seeded",
        because="KAFKA-20732: size retention counts the local log twice at a fresh leader",
        effect={expiration_task_plans_retention: plan_by_size_and_time},
    ),
    Variant(
        name="kafka_17062_failed_copies_counted",
        because="KAFKA-17062: size retention counts attempts that failed",
        effect={expiration_task_plans_retention: plan_with_failed_copies},
    ),
    Variant(
        name="kafka_15351_new_leader_keeps_log_start",
        because="KAFKA-15351, part 2: a new leader advertises offsets whose data is gone",
        effect={copy_task_finds_log_start: keep_log_start},
        after=(LEAD_ANEW,),
    ),
    Variant(
        name="kafka_15351_restart_forgets_remote_part",
        because="KAFKA-15351, part 1: a restart moves the log start to the local log",
        also={broker_restarts: start_at_local_log, lone_leader_restarts: start_at_local_log},
    ),
    Variant(
        name="kafka_15352_deletes_before_log_start",
        because="KAFKA-15352: segments are deleted before the log start moves",
        effect={expiration_task_raises_log_start: begin_to_delete},
        unfence={expiration_task_raises_log_start: may_raise_log_start},
        fence={expiration_task_plans_old_epochs: may_raise_log_start},
        first={expiration_task_plans_old_epochs: raise_planned_log_start},
    ),
    Variant(
        name="kafka_16073_removes_before_local_log_start",
        because="KAFKA-16073: local segments are removed before the local log start moves",
        effect={
            broker_raises_start_to_delete: remove_segments_first,
            broker_removes_segments: raise_start_after_removal,
        },
        test={has_segment_to_remove: has_start_to_follow},
    ),
    Variant(
        name="kafka_15241_highest_offset_not_clipped",
        because="KAFKA-15241: the copied offset ignores where an epoch ends in the lineage",
        effect={
            copy_task_finds_highest_remote_offset: find_offset_of_other_lineage,
            follower_task_finds_highest_remote_offset: learn_offset_of_other_lineage,
        },
        test={has_higher_offset_to_find: has_higher_unclipped_offset},
    ),
    Variant(
        name="kafka_15181_answers_before_initialized",
        because="KAFKA-15181, KAFKA-15260: a cache answers that has not read the topic",
        drop=(is_cache_ready, is_follower_cache_ready, is_leader_cache_ready),
    ),
    Variant(
        name="kafka_15802_index_of_unfinished_segment",
        because="KAFKA-15802: a lookup by time fetches the index of a segment that is not finished",
        effect={consumer_looks_up_time: look_up_time_anywhere},
    ),
    *EXPIRATION_FIXES_OFF,
    *LOCAL_LOG_FIXES_OFF,
    *OVERLAPPING_SEGMENTS,
    IDLE_TOPIC,
    LOST_CHECKPOINTS,
)
"""The fixes, the settings beside which some are shown, and a fix that Kafka has not merged."""
