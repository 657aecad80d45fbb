"""A barrier: RemoteLogManager#stopPartitions awaits the threads that it cancels."""

from tierproof.model.designs.kip405.actors import COPIER
from tierproof.model.designs.kip405.cleaning_up import (
    cancelled_copy_leaves_its_attempt,
    copy_publishes_delete_started,
    is_cancelled,
    is_not_cancelled,
)
from tierproof.model.designs.kip405.copying import (
    copy_publishes_finished,
    copy_publishes_started,
    copy_stores_object,
    release,
)
from tierproof.model.designs.kip405.state import AttemptStep, Broker, RunStep
from tierproof.model.designs.kip405.tasks import cancel_tasks
from tierproof.model.designs.kip950.environment import (
    copy_is_interrupted,
    expiration_is_interrupted,
)
from tierproof.model.designs.kip950.publisher import PUBLISHER, broker_stops_partition
from tierproof.model.designs.kip950.state import PublisherStep, Topic
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import Variant, guard


@guard
def has_task_to_cancel(state: Topic, broker: Broker) -> bool:
    """The broker has a task, and perhaps a thread that works for it."""
    replica = state.broker[broker]
    return replica.copy_task != CopyTask.NONE or replica.expiration_task or replica.follower_task


@PUBLISHER.action(PublisherStep.STOPPING_PARTITION, guards=[has_task_to_cancel])
def broker_cancels_tasks_first(state: Topic, broker: Broker) -> None:
    """Cancel every task, and let the threads come to their end.

    Kafka: ours: RemoteLogManager#stopPartitions awaits what it cancels.
    """
    cancel_tasks(state, broker)


@guard
def has_no_task_or_thread(state: Topic, broker: Broker) -> bool:
    """No task is scheduled and no thread of the broker copies or expires."""
    replica = state.broker[broker]
    has_task = replica.copy_task != CopyTask.NONE or replica.expiration_task
    has_thread = replica.copying != set() or replica.run_step != RunStep.IDLE
    return not (has_task or replica.follower_task or has_thread)


@COPIER.action((AttemptStep.STARTED, AttemptStep.STORED), AttemptStep.FAILED, guards=[is_cancelled])
def cancelled_copy_turns_back(state: Topic, segment: SegmentId) -> None:
    """A cancelled copy stops where it is, and cleans up as after a failure of the store.

    Kafka: ours: RLMCopyTask#copyLogSegment looks whether it is cancelled, and cleans up.
    """
    state.segment[segment].awaits = 0


@COPIER.action(AttemptStep.CHOSEN, AttemptStep.IDLE, guards=[is_cancelled])
def cancelled_copy_never_begins(state: Topic, segment: SegmentId) -> None:
    """A copy that is cancelled before it began publishes nothing.

    Kafka: ours: RLMCopyTask#copyLogSegment looks whether it is cancelled.
    """
    release(state, segment)


CANCELLED_COPIES_TURN_BACK = Variant(
    name="cancelled_copies_turn_back",
    because="A cancelled copy goes on.",
    fence={
        copy_publishes_started: is_not_cancelled,
        copy_stores_object: is_not_cancelled,
        copy_publishes_finished: is_not_cancelled,
    },
    unfence={copy_publishes_delete_started: is_not_cancelled},
    drop=(cancelled_copy_leaves_its_attempt, copy_is_interrupted, expiration_is_interrupted),
    add_system=(cancelled_copy_turns_back, cancelled_copy_never_begins),
)
"""What every design that awaits cancelled threads has in common."""
AWAIT_CANCELLED_THREADS = Variant(
    name="repair_await_cancelled_threads",
    because="A cancelled copy goes on, and nobody waits for it.",
    parts=(CANCELLED_COPIES_TURN_BACK,),
    fence={broker_stops_partition: has_no_task_or_thread},
    add_system=(broker_cancels_tasks_first,),
)
