"""Proposals against log starts that are not known, and against sizes that count twice."""

from collections.abc import Sequence

from tierproof.model.designs.kip405.actors import BROKER, COPIER, COPY_TASK, EXPIRATION
from tierproof.model.designs.kip405.copying import (
    copy_records_progress,
    has_read_own_record,
    release,
)
from tierproof.model.designs.kip405.expiring import (
    begin_run,
    expiration_publishes_delete_started,
    expiration_task_plans_retention,
    has_deletion_planned,
    has_expiration_task,
    has_read_own_deletion,
    has_remote_segments,
    is_run_not_cancelled,
    plan_by_size_and_time,
    planned_segment,
)
from tierproof.model.designs.kip405.local import has_replica
from tierproof.model.designs.kip405.metadata import is_cache_ready
from tierproof.model.designs.kip405.rebuilding import (
    follower_begins_at_log_start,
    follower_builds_on_remote_tier,
)
from tierproof.model.designs.kip405.redefined import SUM_IS_THE_TASKS
from tierproof.model.designs.kip405.repairs.counting import COUNT_ABOVE, COUNT_FROM_LOG_START
from tierproof.model.designs.kip405.repairs.in_sync import IN_SYNC_FROM_THE_START
from tierproof.model.designs.kip405.repairs.offsets import (
    FORGET_TRUNCATED,
    lower_highest_remote_offset,
)
from tierproof.model.designs.kip405.restarting import load_log
from tierproof.model.designs.kip405.state import (
    AttemptStep,
    Broker,
    BrokerState,
    Partition,
    RemoteSegment,
    RunStep,
)
from tierproof.model.kafka.copy_task import learn_highest_remote_offset
from tierproof.model.kafka.expiration_task import ExpiringReplica, is_counted
from tierproof.model.kafka.fields import SizedSegment
from tierproof.model.kafka.leader_epoch_lineage import (
    earliest_epoch,
    epoch_for_offset,
    latest_epoch,
)
from tierproof.model.kafka.local_retention import raise_log_start
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.remote_metadata_cache import (
    find_highest_remote_offset,
    highest_offset_for_epoch,
    lookup,
)
from tierproof.model.kafka.scope import LeaderEpoch, Offset, OptionalOffset, SegmentId
from tierproof.model.language import NONE, Variant, guard

# -- the copy task looks for the log start in each run


def first_served_offset(log: BrokerState, segment: Sequence[RemoteSegment]) -> int:
    """The first offset from the log start on that a finished segment or the local log serves."""
    for offset in range(log.log_start_offset, log.local_log_start_offset):
        epoch = epoch_for_offset(log.lineage, offset)
        if epoch != NONE and lookup(log.cache, segment, epoch, offset) != NONE:
            return offset
    return max(log.log_start_offset, log.local_log_start_offset)


@guard
def has_unreadable_log_start(state: Partition, broker: Broker) -> bool:
    """The log start is below the local log, and remoteLogSegmentMetadata finds no segment of it."""
    log = state.broker[broker]
    return first_served_offset(log, state.segment) > log.log_start_offset


@COPY_TASK.action(
    CopyTask.READY, guards=[is_cache_ready, has_unreadable_log_start], to="remote_metadata"
)
def copy_task_moves_unreadable_log_start(state: Partition, broker: Broker) -> None:
    """Move a log start that neither tier serves to the first offset that one of them serves.

    Kafka: ours: RLMCopyTask#execute, RemoteLogManager#findLogStartOffset.
    """
    log = state.broker[broker]
    raise_log_start(log, first_served_offset(log, state.segment))


LOOK_IN_EACH_RUN = Variant(
    name="proposal_copy_task_looks_for_log_start_in_each_run",
    because="a new leader looks once, and what it finds may be deleted later",
    add_system=(copy_task_moves_unreadable_log_start,),
)
"""For liveness only: the log start is unreadable from local retention to the next run."""

# -- a deletion waits until the in-sync replicas have the log start


def may_lead_with_its_offsets(state: Partition, broker: int, id: int) -> bool:
    """The segment ends below the leader's log start, and not below that of an in-sync replica.

    A leader has the log starts of its followers from their fetches: these or lower ones.
    """
    end = state.segment[id].end_offset
    return end < state.broker[broker].log_start_offset and any(
        b in state.in_sync and state.broker[b].log_start_offset <= end
        for b in range(len(state.broker))
    )


@guard
def is_below_every_log_start(state: Partition, broker: Broker) -> bool:
    """No in-sync replica may lead with the offsets of the segment that the run deletes."""
    return not may_lead_with_its_offsets(state, broker, planned_segment(state, broker))


@guard
def is_above_a_log_start(state: Partition, broker: Broker) -> bool:
    """A replica that may lead next has not fetched the log start that the run has set."""
    return may_lead_with_its_offsets(state, broker, planned_segment(state, broker))


@EXPIRATION.action(
    RunStep.DELETING,
    guards=[
        has_read_own_deletion,
        has_deletion_planned,
        is_run_not_cancelled,
        is_above_a_log_start,
    ],
)
def expiration_passes_over_segment(state: Partition, broker: Broker) -> None:
    """Leave a segment to a later run: an in-sync replica has a log start that is not past its end.

    Kafka: ours: RLMExpirationTask#cleanupExpiredRemoteLogSegments.
    """
    state.broker[broker].planned_next += 1


DELETE_BELOW_IN_SYNC_LOG_STARTS = Variant(
    name="proposal_delete_below_in_sync_log_starts",
    because="the next leader may not know of a deletion that this leader has begun",
    parts=(COUNT_FROM_LOG_START, IN_SYNC_FROM_THE_START),
    fence={expiration_publishes_delete_started: is_below_every_log_start},
    add_system=(expiration_passes_over_segment,),
)
"""What waits is below the log start, and must not count in retention.bytes. A replica joins the
ISR only with the leader's log start: else it could be elected with an older one at once."""

# -- a log begins with its first leader epoch


def load_log_from_first_epoch(log: BrokerState) -> None:
    """LogLoader#load also raises the log start of a tiered log to its first leader epoch.

    The epoch as it is on disk, before LogLoader cuts what is past the log end.
    """
    first = earliest_epoch(log.lineage)
    start = 0 if first == NONE else log.lineage[first]
    load_log(log)
    if log.settings.remote_storage_enable:
        raise_log_start(log, min(start, log.log_end_offset))


BEGIN_WITH_FIRST_EPOCH = Variant(
    name="proposal_log_begins_with_its_first_epoch",
    because="a crash takes the log start back to a checkpoint, below the first leader epoch",
    define={load_log: load_log_from_first_epoch},
)

# -- one offset parts what counts as remote from what counts as local


def is_counted_up_to_highest(
    log: ExpiringReplica, segment: Sequence[SizedSegment], id: int
) -> bool:
    """As before, but not what the highest remote offset leaves to the local log."""
    return segment[id].end_offset <= log.highest_remote_offset and is_counted(log, segment, id)


def find_in_each_run(state: Partition, broker: int) -> None:
    """What KAFKA-20732 does where the highest remote offset is not known, in each run."""
    replica = state.broker[broker]
    found, _ = find_highest_remote_offset(replica.cache, replica.lineage, replica.log_end_offset)
    learn_highest_remote_offset(replica, found)


@guard
def is_an_earlier_offset(state: Partition, broker: Broker, earlier: OptionalOffset) -> bool:
    """findHighestRemoteOffset may have found this one before, as what it finds rises."""
    log = state.broker[broker]
    found, _ = find_highest_remote_offset(log.cache, log.lineage, log.log_end_offset)
    return earlier < max(found, log.highest_remote_offset)


@EXPIRATION.action(
    RunStep.IDLE,
    (RunStep.PLANNED, RunStep.IDLE),
    guards=[has_expiration_task, is_cache_ready, has_remote_segments, is_an_earlier_offset],
    stutters=True,
    last=begin_run,
)
def expiration_task_plans_by_earlier_offset(
    state: Partition, broker: Broker, earlier: OptionalOffset
) -> None:
    """Plan by an offset that findHighestRemoteOffset found before the last copies ended.

    Kafka: ours: RLMExpirationTask#cleanupExpiredRemoteLogSegments finds it, then lists.
    """
    log = state.broker[broker]
    highest = log.highest_remote_offset
    log.highest_remote_offset = earlier
    plan_by_size_and_time(state, broker)
    log.highest_remote_offset = highest


COUNT_BY_ONE_OFFSET = Variant(
    name="proposal_count_both_tiers_by_one_offset",
    because="the cache knows of a copy before the log does: both sides count it",
    parts=(COUNT_ABOVE,),
    first={expiration_task_plans_retention: find_in_each_run},
    define={is_counted: is_counted_up_to_highest},
    redefines={is_counted: SUM_IS_THE_TASKS},
    add_system=(expiration_task_plans_by_earlier_offset,),
)
"""For safety only: each run may read an offset that is too old, so that none need ever delete."""

# -- a truncated log takes an offset for copied only in its own epoch


@guard
def has_end_of_copy(state: Partition, segment: SegmentId) -> bool:
    """The log of the copier has the last record of the segment, in the same leader epoch."""
    copy = state.segment[segment]
    return has_in_epoch(state.broker[copy.copier], copy.end_offset, latest_epoch(copy.lineage))


@guard
def lacks_end_of_copy(state: Partition, segment: SegmentId) -> bool:
    """The copier has truncated its log since, or has another record there."""
    copy = state.segment[segment]
    return not has_in_epoch(state.broker[copy.copier], copy.end_offset, latest_epoch(copy.lineage))


def has_in_epoch(log: BrokerState, offset: int, epoch: int) -> bool:
    """The log has the offset, written by the leader of that epoch, or begins above it."""
    is_of_epoch = epoch_for_offset(log.lineage, offset) == epoch
    return offset < log.log_end_offset and (offset < log.log_start_offset or is_of_epoch)


@COPIER.action(
    AttemptStep.FINISHED, AttemptStep.IDLE, guards=[has_read_own_record, lacks_end_of_copy]
)
def copy_ends_after_truncation(state: Partition, segment: SegmentId) -> None:
    """Leave the highest remote offset as it is: the log does not have the copied records.

    Kafka: ours: UnifiedLog#updateHighestOffsetInRemoteStorage, which RLMCopyTask calls.
    """
    copy = state.segment[segment]
    if not copy.is_cancelled:
        state.broker[copy.copier].copied_offset = copy.end_offset
    release(state, segment)


@guard
def was_found_before(state: Partition, broker: Broker, offset: Offset, epoch: LeaderEpoch) -> bool:
    """A task may have found the offset as that of the epoch, before a truncation or after it."""
    log = state.broker[broker]
    has_task = log.follower_task or log.copy_task != CopyTask.NONE
    return has_task and offset <= highest_offset_for_epoch(log.cache, epoch)


@guard
def is_accepted_by_log(
    state: Partition, broker: Broker, offset: Offset, epoch: LeaderEpoch
) -> bool:
    """The log has the offset in this epoch, and its highest remote offset is lower."""
    log = state.broker[broker]
    return offset > log.highest_remote_offset and has_in_epoch(log, offset, epoch)


@BROKER.action(guards=[has_replica, was_found_before, is_accepted_by_log])
def task_sets_offset_found_before(
    state: Partition, broker: Broker, offset: Offset, epoch: LeaderEpoch
) -> None:
    """Set the highest remote offset to one that the task found earlier.

    Other actions find it and set it in one step; these are the two apart.

    Kafka: ours: UnifiedLog#updateHighestOffsetInRemoteStorage, with the epoch of the offset.
    """
    learn_highest_remote_offset(state.broker[broker], offset)


LEARN_WITH_EPOCH = Variant(
    name="proposal_highest_remote_offset_with_its_epoch",
    because="what a truncated log has anew was never copied, and a task may find it before",
    parts=(FORGET_TRUNCATED,),
    also={
        follower_begins_at_log_start: lower_highest_remote_offset,
        follower_builds_on_remote_tier: lower_highest_remote_offset,
    },
    fence={copy_records_progress: has_end_of_copy},
    add_system=(copy_ends_after_truncation, task_sets_offset_found_before),
)

OF_OFFSETS: tuple[Variant, ...] = (
    LOOK_IN_EACH_RUN,
    DELETE_BELOW_IN_SYNC_LOG_STARTS,
    BEGIN_WITH_FIRST_EPOCH,
    COUNT_BY_ONE_OFFSET,
    LEARN_WITH_EPOCH,
)
