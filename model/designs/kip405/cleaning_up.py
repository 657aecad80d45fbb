"""After a failure of the store the copying thread deletes what it began, in steps of its own."""

from tierproof.model.designs.kip405.copying import has_read_own_record, release
from tierproof.model.designs.kip405.metadata import has_place_for_metadata, publish
from tierproof.model.designs.kip405.state import AttemptStep, Partition, RecordKind
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import action, guard


@guard
def has_failed(state: Partition, segment: SegmentId) -> bool:
    """The store refused the copy."""
    return state.segment[segment].attempt == AttemptStep.FAILED


@guard
def is_not_cancelled(state: Partition, segment: SegmentId) -> bool:
    """The task of the copying thread was not cancelled."""
    return not state.segment[segment].is_cancelled


@guard
def is_cancelled(state: Partition, segment: SegmentId) -> bool:
    """The task of the copying thread was cancelled."""
    return bool(state.segment[segment].is_cancelled)


@action(
    guards=[has_failed, is_not_cancelled, has_place_for_metadata],
    actor="copy of segment {segment}",
    to="remote_metadata",
)
def copy_publishes_delete_started(state: Partition, segment: SegmentId) -> None:
    """Publish DELETE_SEGMENT_STARTED for the attempt that failed.

    **Who**: the copying thread.
    **Kafka**: RLMCopyTask#copyLogSegment, RLMTask#deleteRemoteLogSegment (4.0 and later).
    **Left out**: nothing.
    """
    it = state.segment[segment]
    it.awaits = publish(state, segment, RecordKind.DELETE_SEGMENT_STARTED)
    it.attempt = AttemptStep.DELETE_STARTED


@action(guards=[has_failed, is_cancelled], actor="copy of segment {segment}")
def cancelled_copy_leaves_its_attempt(state: Partition, segment: SegmentId) -> None:
    """A cancelled task does not clean up: COPY_SEGMENT_STARTED stays.

    **Who**: the copying thread.
    **Kafka**: RLMTask#deleteRemoteLogSegment, predicate !isCancelled.
    **Left out**: nothing.
    """
    release(state, segment)


@guard
def has_started_delete(state: Partition, segment: SegmentId) -> bool:
    """The thread has published DELETE_SEGMENT_STARTED."""
    return state.segment[segment].attempt == AttemptStep.DELETE_STARTED


@action(
    guards=[has_started_delete, has_read_own_record],
    actor="copy of segment {segment}",
    to="remote_store",
)
def copy_deletes_object(state: Partition, segment: SegmentId) -> None:
    """Delete whatever the failed attempt left in the store.

    **Who**: the copying thread.
    **Kafka**: RLMTask#deleteRemoteLogSegment, RemoteStorageManager#deleteLogSegmentData.
    **Left out**: nothing.
    """
    state.segment[segment].object_exists = False
    state.segment[segment].attempt = AttemptStep.OBJECT_DELETED


@action(
    guards=[has_started_delete, has_read_own_record],
    actor="copy of segment {segment}",
    to="remote_store",
    budget="failed_deletes",
)
def store_fails_clean_up(state: Partition, segment: SegmentId) -> None:
    """The store refuses the deletion too: DELETE_SEGMENT_STARTED dangles.

    **Who**: the remote store.
    **Kafka**: RLMTask#run logs and is scheduled again.
    **Left out**: nothing.
    """
    release(state, segment)


@action(
    guards=[has_started_delete, has_read_own_record],
    actor="copy of segment {segment}",
    to="remote_store",
    budget="failed_deletes",
)
def store_loses_reply_of_clean_up(state: Partition, segment: SegmentId) -> None:
    """The store deletes the object, but its reply is lost: DELETE_SEGMENT_STARTED dangles.

    **Who**: the remote store.
    **Kafka**: RLMTask#run logs and is scheduled again.
    **Left out**: nothing.
    """
    state.segment[segment].object_exists = False
    release(state, segment)


@guard
def has_deleted_object(state: Partition, segment: SegmentId) -> bool:
    """The thread has deleted the object of its failed attempt."""
    return state.segment[segment].attempt == AttemptStep.OBJECT_DELETED


@action(
    guards=[has_deleted_object, has_place_for_metadata],
    actor="copy of segment {segment}",
    to="remote_metadata",
)
def copy_publishes_delete_finished(state: Partition, segment: SegmentId) -> None:
    """Publish DELETE_SEGMENT_FINISHED.

    **Who**: the copying thread.
    **Kafka**: RLMTask#deleteRemoteLogSegment.
    **Left out**: nothing.
    """
    it = state.segment[segment]
    it.awaits = publish(state, segment, RecordKind.DELETE_SEGMENT_FINISHED)
    it.attempt = AttemptStep.DELETE_FINISHED


@guard
def has_finished_delete(state: Partition, segment: SegmentId) -> bool:
    """The thread has published DELETE_SEGMENT_FINISHED."""
    return state.segment[segment].attempt == AttemptStep.DELETE_FINISHED


@action(guards=[has_finished_delete, has_read_own_record], actor="copy of segment {segment}")
def copy_ends_clean_up(state: Partition, segment: SegmentId) -> None:
    """The thread has read that all is deleted: the run of the copy task ends.

    **Who**: the copying thread.
    **Kafka**: RLMTask#deleteRemoteLogSegment, RLMTask#run.
    **Left out**: nothing.
    """
    release(state, segment)
