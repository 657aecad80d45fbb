"""The deletion of a topic goes on until it is done: what is left is left for ever."""

from tierproof.model.designs.kip405 import stopping
from tierproof.model.designs.kip405.actors import REMOVAL
from tierproof.model.designs.kip405.state import Broker, Partition, RemovalStep
from tierproof.model.designs.kip405.stopping import (
    broker_learns_deletion,
    delete_local_log,
    is_to_remove,
    stop_partition,
)
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import Variant, guard


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
