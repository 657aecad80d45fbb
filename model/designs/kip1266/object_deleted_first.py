"""A reading of the text: scenario 4 deletes from the store before it marks the deletion."""

from collections.abc import Callable, Mapping

from tierproof.model.designs.kip1266 import deleting
from tierproof.model.designs.kip1266.ghosts import note_appended
from tierproof.model.designs.kip1266.metadata import PUBLISHES, publish
from tierproof.model.designs.kip1266.state import (
    DELETER,
    Broker,
    Kind,
    TaskStep,
    ThreadIndex,
    Topic,
)
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import Action, Initial, Variant, guard


@DELETER.action(TaskStep.TO_DELETE, TaskStep.OBJECT_DELETED, to="remote_store")
def task_deletes_object(state: Topic, broker: Broker, thread: ThreadIndex) -> None:
    """Delete the object before anything is published.

    Kafka: KIP-1266, scenario 4: T2 "Delete from S3", T3 "Mark deletion".
    """
    segment = state.segment[state.broker[broker].thread[thread].segment]
    segment.object_exists = False
    segment.was_deleted = True


@guard
def is_deletion_unpublished(state: Topic, broker: Broker, thread: ThreadIndex) -> bool:
    """The broker's cache does not have the segment in DELETE_SEGMENT_STARTED."""
    segment = state.broker[broker].thread[thread].segment
    return state.broker[broker].cache.state[segment] != SegmentState.DELETE_SEGMENT_STARTED


@DELETER.action(
    TaskStep.OBJECT_DELETED, guards=[is_deletion_unpublished, *PUBLISHES], to="remote_metadata"
)
def task_publishes_delete_started(state: Topic, broker: Broker, thread: ThreadIndex) -> None:
    """Publish DELETE_SEGMENT_STARTED of an object that is gone.

    Kafka: KIP-1266, scenario 4, T3.
    """
    segment = state.broker[broker].thread[thread].segment
    publish(state, broker, segment, Kind.DELETE_SEGMENT_STARTED)


@guard
def is_deletion_published(state: Topic, broker: Broker, thread: ThreadIndex) -> bool:
    """The broker's cache has the segment in DELETE_SEGMENT_STARTED."""
    return not is_deletion_unpublished(state, broker, thread)


task_publishes_delete_finished = deleting.task_publishes_delete_finished.with_guards(
    [*deleting.task_publishes_delete_finished.guards, is_deletion_published]
)
NOTES: Mapping[Action | Initial, Callable[..., None]] = {
    deleting.task_publishes_delete_started: note_appended,
    deleting.task_publishes_delete_finished: note_appended,
}
AS_SHIPPED = (
    deleting.task_publishes_delete_started,
    deleting.task_deletes_object,
    deleting.task_publishes_delete_finished,
)

TEXT_OBJECT_DELETED_FIRST = Variant(
    name="text_object_deleted_first",
    because="scenario 4 deletes from the store before it marks the deletion",
    drop=AS_SHIPPED,
    add_system=(
        task_deletes_object,
        task_publishes_delete_started,
        task_publishes_delete_finished,
    ),
    also=NOTES,
)
REPAIR_TELL_DELETION_FIRST = Variant(
    name="repair_tell_deletion_first",
    because="beside `text_object_deleted_first`: the order that Kafka ships",
    drop=AS_SHIPPED,
    add_system=AS_SHIPPED,
    also=NOTES,
    after=(TEXT_OBJECT_DELETED_FIRST,),
)
