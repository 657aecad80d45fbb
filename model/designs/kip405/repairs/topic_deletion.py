"""The deletion of a topic: it awaits the threads that it cancels, and goes on until it is done."""

from tierproof.model.designs.kip405 import stopping
from tierproof.model.designs.kip405.actors import BROKER, REMOVAL
from tierproof.model.designs.kip405.state import Broker, Partition, RemovalStep, RunStep
from tierproof.model.designs.kip405.stopping import (
    broker_learns_deletion,
    delete_local_log,
    has_deletion_to_learn,
    is_to_remove,
    stop_partition,
)
from tierproof.model.designs.kip405.tasks import cancel_tasks
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import Variant, guard

# -- a barrier: RemoteLogManager#stopPartitions awaits the threads that it cancels


@guard
def has_task_to_cancel(state: Partition, broker: Broker) -> bool:
    """A copy or an expiration task is scheduled, perhaps with a thread that runs."""
    replica = state.broker[broker]
    return replica.copy_task != CopyTask.NONE or replica.expiration_task


@BROKER.action(guards=[has_deletion_to_learn, has_task_to_cancel], to="controller")
def broker_cancels_tasks_of_deleted_topic(state: Partition, broker: Broker) -> None:
    """Cancel the tasks of a deleted topic, and let their threads come to an end.

    Kafka: ours: RemoteLogManager#stopPartitions awaits what it cancels.
    """
    cancel_tasks(state, broker)


@guard
def has_no_task_or_thread(state: Partition, broker: Broker) -> bool:
    """No task of the broker is scheduled, and no thread of it copies or expires."""
    replica = state.broker[broker]
    has_task = replica.copy_task != CopyTask.NONE or replica.expiration_task
    return not has_task and not replica.copying and replica.run_step == RunStep.IDLE


AWAIT_THREADS = Variant(
    name="repair_await_threads_of_deleted_topic",
    because="a cancelled thread continues while the deletion of its topic lists and deletes",
    fence={broker_learns_deletion: has_no_task_or_thread},
    add_system=(broker_cancels_tasks_of_deleted_topic,),
)

# -- a deletion that the elected leader finishes


@guard
def knows_what_to_delete(state: Partition, broker: Broker) -> bool:
    """The broker is not the one that deletes, or has read the metadata topic to its end."""
    log = state.broker[broker]
    has_read_all = log.cache.is_initialized and log.metadata_position == state.metadata_end
    return state.elected_leader != broker or has_read_all


def delete_as_elected(state: Partition, broker: int) -> None:
    """Drop the replica; the broker that the controller elected last deletes the remote log."""
    leads = state.elected_leader == broker and state.broker[broker].settings.remote_storage_enable
    stop_partition(state, broker, leads, True)
    delete_local_log(state, broker)


@REMOVAL.action(
    RemovalStep.DELETING_OBJECTS,
    guards=[is_to_remove],
    to="remote_store",
    budget="failed_deletes",
    stutters=True,
)
def store_fails_removal(state: Partition, broker: Broker, segment: SegmentId) -> None:
    """The store refuses to delete an object: the broker tries again.

    Kafka: ours: RemoteLogManager#deleteRemoteLogPartition retries. Left out: how often.
    """


@REMOVAL.action(
    RemovalStep.DELETING_OBJECTS,
    guards=[is_to_remove],
    to="remote_store",
    budget="failed_deletes",
    stutters=True,
)
def store_loses_reply_of_removal(state: Partition, broker: Broker, segment: SegmentId) -> None:
    """The store deletes an object, but its reply is lost: the broker tries again.

    Kafka: ours: RemoteLogManager#deleteRemoteLogPartition retries. Left out: how often.
    """
    state.segment[segment].object_exists = False


DELETE_TO_THE_END = Variant(
    name="repair_delete_topic_to_the_end",
    because="one broker deletes once what its cache happens to list, and nobody tries again",
    fence={broker_learns_deletion: knows_what_to_delete},
    effect={broker_learns_deletion: delete_as_elected},
    # In the slots of the actions that end the removal: these stay at their edge.
    drop=(stopping.store_fails_removal, stopping.store_loses_reply_of_removal),
    add_environment=(store_fails_removal, store_loses_reply_of_removal),
)
