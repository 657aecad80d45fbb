"""Repairs of what KIP-950 permits, all of them ours and in no document."""

from tierproof.model.designs.kip405.cleaning_up import (
    cancelled_copy_leaves_its_attempt,
    copy_publishes_delete_started,
    has_failed,
    is_cancelled,
    is_not_cancelled,
)
from tierproof.model.designs.kip405.copying import (
    copy_publishes_finished,
    copy_publishes_started,
    copy_stores_object,
    has_chosen,
    release,
)
from tierproof.model.designs.kip405.fence import FENCE, fenced
from tierproof.model.designs.kip405.forgetting import FORGET
from tierproof.model.designs.kip405.metadata import has_place_for_metadata
from tierproof.model.designs.kip405.state import AttemptStep, Broker, RunStep
from tierproof.model.designs.kip405.tasks import cancel_tasks
from tierproof.model.designs.kip950.publisher import (
    broker_stops_partition,
    is_stopping_partition,
    stop_and_wait,
)
from tierproof.model.designs.kip950.state import Topic
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import NONE, Variant, action, guard

# -- repair_forget_deleted_offsets


@action(guards=broker_stops_partition.guards, actor="broker {broker}")
def broker_stops_partition_and_forgets(state: Topic, broker: Broker) -> None:
    """Cancel every task, list what is to be deleted, and forget how far the remote tier went.

    **Who**: the metadata publisher.
    **Kafka**: ours: UnifiedLog forgets its highest offset in remote storage.
    **Left out**: nothing.
    """
    state.broker[broker].highest_remote_offset = NONE
    stop_and_wait(state, broker, presumes_to_lead(state, broker))


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
        name=FORGET.name,
        because=FORGET.because,
        replace={**FORGET.replace, "broker_stops_partition": broker_stops_partition_and_forgets},
    ),
    FENCE,
    AWAIT_CANCELLED_THREADS,
)
"""Repairs of what is copied, counted and deleted; those of settings are in `variants`."""
