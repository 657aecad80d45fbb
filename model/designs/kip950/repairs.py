"""Repairs of what KIP-950 permits, all of them ours and in no document."""

from typing import Any

from model.designs.kip405.cleaning_up import (
    cancelled_copy_leaves_its_attempt,
    copy_publishes_delete_started,
    has_failed,
    is_cancelled,
    is_not_cancelled,
)
from model.designs.kip405.copying import (
    copy_publishes_finished,
    copy_publishes_started,
    copy_records_progress,
    copy_stores_object,
    copy_task_finds_highest_remote_offset,
    has_chosen,
    is_cache_ready,
    release,
)
from model.designs.kip405.expiring import (
    expiration_task_plans_retention,
)
from model.designs.kip405.fence import FENCE, fenced
from model.designs.kip405.metadata import has_place_for_metadata
from model.designs.kip405.rebuilding import has_follower_task
from model.designs.kip405.state import AttemptStep, Broker, RunStep
from model.designs.kip405.tasks import cancel_tasks
from model.designs.kip950.publisher import (
    broker_stops_partition,
    is_stopping_partition,
    stop_and_wait,
)
from model.designs.kip950.state import Topic
from model.kafka.copy_task import learn_highest_remote_offset
from model.kafka.expiration_task import plan_retention, surplus_bytes
from model.kafka.leader_epoch_lineage import is_in_lineage
from model.kafka.local_segments import only_local_bytes
from model.kafka.remote_log_task import CopyTask
from model.kafka.remote_metadata_cache import CachedState
from model.kafka.replica import presumes_to_lead
from model.kafka.scope import SegmentId
from model.language import NONE, Variant, action, guard

# -- repair_forget_deleted_offsets


def highest_still_remote(me: Any, segment: Any) -> int:
    """The end of what finished segments hold without a gap from the local log start on."""
    end = me.local_log_start_offset
    for _ in range(len(segment)):
        for i in range(len(segment)):
            if (
                me.cache.state[i] == CachedState.COPY_SEGMENT_FINISHED
                and segment[i].start_offset <= end <= segment[i].end_offset
                and is_in_lineage(segment[i], me.lineage, me.log_end_offset)
            ):
                end = segment[i].end_offset + 1
    return int(end - 1)


@action(
    guards=copy_task_finds_highest_remote_offset.guards,
    actor="broker {broker}",
    to="remote_metadata",
)
def copy_task_finds_what_is_still_remote(state: Topic, broker: Broker) -> None:
    """Set the cursor to the highest offset that is still in the remote tier.

    **Who**: the copy task, in its first run.
    **Kafka**: ours, for RemoteLogManager#findHighestRemoteOffset, which counts what is deleted.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    me.copied_offset = highest_still_remote(me, state.segment)
    learn_highest_remote_offset(me, me.copied_offset)
    me.copy_task = CopyTask.READY


@guard
def has_more_that_is_remote(state: Topic, broker: Broker) -> bool:
    """What is still in the remote tier goes further than the broker knows."""
    me = state.broker[broker]
    return bool(highest_still_remote(me, state.segment) > me.highest_remote_offset)


@action(
    guards=[has_follower_task, is_cache_ready, has_more_that_is_remote], actor="broker {broker}"
)
def follower_task_finds_what_is_still_remote(state: Topic, broker: Broker) -> None:
    """Learn how far the remote tier goes, deleted segments not counted.

    **Who**: the follower task.
    **Kafka**: ours, for RLMFollowerTask#execute.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    learn_highest_remote_offset(me, highest_still_remote(me, state.segment))


@action(guards=expiration_task_plans_retention.guards, actor="broker {broker}")
def expiration_task_plans_by_what_is_remote(state: Topic, broker: Broker) -> None:
    """Choose what goes; how far the remote tier goes is asked of what is still there.

    **Who**: the expiration task of a broker that believes to lead.
    **Kafka**: ours, for the seeding of KAFKA-20732.
    **Left out**: a run cancelled within the loop.
    """
    me = state.broker[broker]
    if me.highest_remote_offset == NONE:
        learn_highest_remote_offset(me, highest_still_remote(me, state.segment))
    surplus = surplus_bytes(me, state.segment, only_local_bytes(me))
    plan_retention(me, state.segment, surplus, state.clock)
    me.run_step = RunStep.PLANNED


@action(guards=broker_stops_partition.guards, actor="broker {broker}")
def broker_stops_partition_and_forgets(state: Topic, broker: Broker) -> None:
    """Cancel every task, list what is to be deleted, and forget how far the remote tier went.

    **Who**: the metadata publisher.
    **Kafka**: ours: UnifiedLog forgets its highest offset in remote storage.
    **Left out**: nothing.
    """
    state.broker[broker].highest_remote_offset = NONE
    stop_and_wait(state, broker, presumes_to_lead(state, broker))


@action(guards=copy_records_progress.guards, actor="copy of segment {segment}")
def copy_records_accepted_progress(state: Topic, segment: SegmentId) -> None:
    """Move cursor and highest remote offset only of a task that goes on, and if the cache agrees.

    **Who**: the copying thread.
    **Kafka**: ours, for the last lines of RLMCopyTask#copyLogSegment, which do not look.
    **Left out**: nothing.
    """
    it = state.segment[segment]
    me = state.broker[it.copier]
    if not it.is_cancelled and me.cache.state[segment] == CachedState.COPY_SEGMENT_FINISHED:
        me.copied_offset = it.end_offset
        learn_highest_remote_offset(me, it.end_offset)
    release(state, segment)


# -- repair_await_cancelled_threads


@guard
def has_task_to_cancel(state: Topic, broker: Broker) -> bool:
    """The broker has a task, and perhaps a thread that works for it."""
    me = state.broker[broker]
    return bool(me.copy_task != CopyTask.NONE or me.expiration_task or me.follower_task)


@action(guards=[is_stopping_partition, has_task_to_cancel], actor="broker {broker}")
def broker_cancels_tasks_first(state: Topic, broker: Broker) -> None:
    """Cancel every task, and let the threads come to their end.

    **Who**: the metadata publisher.
    **Kafka**: ours: RemoteLogManager#stopPartitions awaits what it cancels.
    **Left out**: nothing.
    """
    cancel_tasks(state, broker)


@guard
def has_no_task_or_thread(state: Topic, broker: Broker) -> bool:
    """No task is scheduled and no thread of the broker copies or expires."""
    me = state.broker[broker]
    has_task = me.copy_task != CopyTask.NONE or me.expiration_task or me.follower_task
    return bool(not has_task and me.copying == 0 and me.run_step == RunStep.IDLE)


@guard
def has_something_to_give_up(state: Topic, segment: SegmentId) -> bool:
    """The thread has published that the copy began, and not yet that it is done."""
    attempt = state.segment[segment].attempt
    return bool(attempt == AttemptStep.STARTED or attempt == AttemptStep.STORED)


@action(guards=[is_cancelled, has_something_to_give_up], actor="copy of segment {segment}")
def cancelled_copy_turns_back(state: Topic, segment: SegmentId) -> None:
    """A cancelled copy goes no further; it cleans up as after a failure of the store.

    **Who**: the copying thread of a cancelled task.
    **Kafka**: ours: RLMCopyTask#copyLogSegment looks whether it is cancelled, and cleans up.
    **Left out**: nothing.
    """
    state.segment[segment].attempt = AttemptStep.FAILED
    state.segment[segment].awaits = 0


@action(guards=[is_cancelled, has_chosen], actor="copy of segment {segment}")
def cancelled_copy_never_begins(state: Topic, segment: SegmentId) -> None:
    """A copy that is cancelled before it began publishes nothing.

    **Who**: the copying thread of a cancelled task.
    **Kafka**: ours: RLMCopyTask#copyLogSegment looks whether it is cancelled.
    **Left out**: nothing.
    """
    release(state, segment)


AWAIT_CANCELLED_THREADS = Variant(
    name="repair_await_cancelled_threads",
    because="A cancelled copy goes on, and nobody waits for it.",
    replace={
        "copy_publishes_started": fenced(copy_publishes_started, is_not_cancelled),
        "copy_stores_object": fenced(copy_stores_object, is_not_cancelled),
        "copy_publishes_finished": fenced(copy_publishes_finished, is_not_cancelled),
        "copy_publishes_delete_started": copy_publishes_delete_started.with_guards(
            [has_failed, has_place_for_metadata]
        ),
        "broker_stops_partition": fenced(broker_stops_partition, has_no_task_or_thread),
    },
    drop=(
        cancelled_copy_leaves_its_attempt.name,
        "copy_is_interrupted",
        "expiration_is_interrupted",
    ),
    add_system=(
        broker_cancels_tasks_first,
        cancelled_copy_turns_back,
        cancelled_copy_never_begins,
    ),
)

REPAIRS = (
    Variant(
        name="repair_forget_deleted_offsets",
        because="After a delete, offsets that were once copied count as copied: they are neither "
        "copied again nor kept locally.",
        replace={
            "copy_task_finds_highest_remote_offset": copy_task_finds_what_is_still_remote,
            "follower_task_finds_highest_remote_offset": follower_task_finds_what_is_still_remote,
            "expiration_task_plans_retention": expiration_task_plans_by_what_is_remote,
            "copy_records_progress": copy_records_accepted_progress,
            "broker_stops_partition": broker_stops_partition_and_forgets,
        },
    ),
    FENCE,
    AWAIT_CANCELLED_THREADS,
)
"""Repairs of what is copied, counted and deleted; those of settings are in `variants`."""
