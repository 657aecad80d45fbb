"""Fixes of the local log, of restarts and of the metadata consumer switched off, a variant each.

Beside them two settings: brokers that come back without checkpoints, and a topic that is idle.
"""

from tierproof.invariants.liveness import idle_topic_is_emptied
from tierproof.model.designs.kip405.actors import BROKER
from tierproof.model.designs.kip405.in_sync import leader_expands_in_sync
from tierproof.model.designs.kip405.replication import (
    begin_log,
    follower_fetches,
    raise_high_watermark,
)
from tierproof.model.designs.kip405.restarting import broker_restarts, lone_leader_restarts
from tierproof.model.designs.kip405.start import begin_copied, begin_published, tiered_partition
from tierproof.model.designs.kip405.state import Broker, BrokerState, Partition, TieredPartition
from tierproof.model.kafka.copy_task import next_base_to_copy
from tierproof.model.kafka.fields import Replica
from tierproof.model.kafka.local_retention import is_eligible, retained_from
from tierproof.model.kafka.local_segments import (
    cut_records,
    first_base,
    next_base,
    remove_segments,
    segment_end,
)
from tierproof.model.kafka.replica import is_copy_enabled
from tierproof.model.language import NONE, Variant, guard

# -- KAFKA-15695


def begin_log_with_old_local_start(log: BrokerState, offset: int) -> None:
    """UnifiedLog#truncateFullyAndStartAt leaves the local log start where it was."""
    local_log_start_offset = log.local_log_start_offset
    begin_log(log, offset)
    log.local_log_start_offset = local_log_start_offset


# -- KAFKA-16146


def lose_checkpoint_in_remote_part(state: Partition, broker: int) -> None:
    """The checkpoint file has no entry of a log start at or below the first local segment.

    LogManager#checkpointLogStartOffsets writes the whole file each time.
    """
    log = state.broker[broker]
    if log.log_start_checkpoint <= first_base(log):
        log.log_start_checkpoint = 0


# -- apache/kafka PR 14905


def is_eligible_once_copied(log: Replica, base: int) -> bool:
    """With copying on, a segment may go once it is copied; the log start makes no difference."""
    end = segment_end(log, base)
    return not is_copy_enabled(log) or 0 < end <= log.highest_remote_offset + 1


# -- KAFKA-15272


def next_base_but_newest(log: Replica, copied_offset: int) -> int:
    """The segment after the cursor, unless it is the last before the active one."""
    base = next_base_to_copy(log, copied_offset)
    if base == NONE or next_base(log, next_base(log, base)) == NONE:
        return NONE
    return base


# -- KAFKA-15047


def retained_without_roll(log: Replica, reason: int, now: int) -> tuple[int, bool]:
    """UnifiedLog#deletableSegments: the active segment rolls only if it is removed itself."""
    kept, rolls = retained_from(log, reason, now)
    return kept, rolls and kept == NONE


IDLE_TOPIC = Variant(
    name="idle_topic",
    because="nobody writes to the topic, and its local retention allows no byte",
    add_properties=(idle_topic_is_emptied,),
)


# -- KAFKA-16452


def begin_without_checkpoints(state: Partition, scope: TieredPartition) -> None:
    """All brokers come back; the leader has lost its checkpoint of the high watermark.

    Offset 0 is in the remote tier only. The leader, alone in sync, begins with a high
    watermark at the log start; the follower lacks offset 1.
    """
    tiered_partition.effect(state, scope)
    begin_copied(state, 0, 0)
    begin_published(state, 0)
    for log in state.broker:
        remove_segments(log, 1)
        log.local_log_start_offset = 1
    for follower in range(1, len(state.broker)):
        cut_records(state.broker[follower], 1)
        state.broker[follower].high_watermark = 1
        state.in_sync.discard(follower)
    state.broker[0].high_watermark = state.broker[0].log_start_offset
    raise_high_watermark(state, 0)


LOST_CHECKPOINTS = Variant(
    name="lost_checkpoints",
    because="replication-offset-checkpoint is lost: the high watermark begins at the log start",
    effect={tiered_partition: begin_without_checkpoints},
)


def is_watermark_local(log: BrokerState) -> bool:
    """The high watermark has a position in the local log."""
    return log.high_watermark >= log.local_log_start_offset


def raise_local_high_watermark(state: Partition, leader: int) -> None:
    """Converting a high watermark without a local position fails: it never rises."""
    if is_watermark_local(state.broker[leader]):
        raise_high_watermark(state, leader)


@guard
def is_leader_watermark_local(state: Partition, follower: Broker) -> bool:
    """The leader can convert its high watermark; else the answer is OFFSET_OUT_OF_RANGE."""
    return is_watermark_local(state.broker[state.broker[follower].presumed_leader])


# -- KAFKA-16105


@guard
def has_not_begun_to_read(state: Partition, broker: Broker) -> bool:
    """The consumer is to seek to the beginning for this partition, and has not read yet."""
    log = state.broker[broker]
    return log.is_metadata_assigned and log.metadata_position == 0 < log.metadata_assigned_end


@BROKER.action(guards=[has_not_begun_to_read], to="remote_metadata")
def consumer_seeks_back(state: Partition, broker: Broker) -> None:
    """Another partition of the broker is assigned: the consumer seeks to where it was before.

    The broker had read the same metadata partition for other partitions. Its old position is
    past all records of this one, and makes it count as initialized.

    Kafka: ConsumerTask#maybeWaitForPartitionAssignments. Left out: old positions before the end.
    """
    log = state.broker[broker]
    log.metadata_position = log.metadata_assigned_end
    log.cache.is_initialized = True


LOCAL_LOG_FIXES_OFF = (
    Variant(
        name="kafka_15695_rebuilt_log_keeps_local_start",
        because="KAFKA-15695: a log that is built on the remote tier keeps its local log start",
        define={begin_log: begin_log_with_old_local_start},
    ),
    Variant(
        name="kafka_16146_log_start_not_checkpointed",
        because="KAFKA-16146: a log start in the remote part is not checkpointed",
        first={
            broker_restarts: lose_checkpoint_in_remote_part,
            lone_leader_restarts: lose_checkpoint_in_remote_part,
        },
    ),
    Variant(
        name="pr_14905_deleted_records_wait_for_copy",
        because="PR 14905: records that a user deleted before they were copied stay for ever",
        define={is_eligible: is_eligible_once_copied},
    ),
    Variant(
        name="kafka_15272_newest_segment_not_copied",
        because="KAFKA-15272: the newest rolled segment is no candidate for a copy",
        define={next_base_to_copy: next_base_but_newest},
    ),
    Variant(
        name="kafka_15047_active_segment_not_rolled",
        because="KAFKA-15047: retention never rolls the active segment of a tiered topic",
        define={retained_from: retained_without_roll},
    ),
    Variant(
        name="kafka_16452_watermark_below_local_log",
        because="KAFKA-16452: a high watermark below the local log start cannot be converted",
        define={raise_high_watermark: raise_local_high_watermark},
        fence={
            follower_fetches: is_leader_watermark_local,
            leader_expands_in_sync: is_leader_watermark_local,
        },
    ),
    Variant(
        name="kafka_16105_consumer_seeks_back",
        because="KAFKA-16105: an old position replaces the seek to the beginning",
        add_environment=(consumer_seeks_back,),
    ),
)
