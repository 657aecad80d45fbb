"""After a failure of the store the copying thread deletes what it began, in steps of its own."""

from tierproof.model.designs.kip405.actors import COPIER
from tierproof.model.designs.kip405.copying import has_read_own_record, release
from tierproof.model.designs.kip405.metadata import has_place_for_metadata, publish
from tierproof.model.designs.kip405.state import AttemptStep, Partition, RecordKind
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import guard


@guard
def is_not_cancelled(state: Partition, segment: SegmentId) -> bool:
    """The task of the copying thread was not cancelled."""
    return not state.segment[segment].is_cancelled


@guard
def is_cancelled(state: Partition, segment: SegmentId) -> bool:
    """The task of the copying thread was cancelled."""
    return state.segment[segment].is_cancelled


@COPIER.action(
    AttemptStep.FAILED,
    AttemptStep.DELETE_STARTED,
    guards=[is_not_cancelled, has_place_for_metadata],
    to="remote_metadata",
)
def copy_publishes_delete_started(state: Partition, segment: SegmentId) -> None:
    """Publish DELETE_SEGMENT_STARTED for the attempt that failed.

    Kafka: RLMCopyTask#copyLogSegment, RLMTask#deleteRemoteLogSegment (4.0 and later).
    """
    state.segment[segment].awaits = publish(state, segment, RecordKind.DELETE_SEGMENT_STARTED)


@COPIER.action(AttemptStep.FAILED, AttemptStep.IDLE, guards=[is_cancelled])
def cancelled_copy_leaves_its_attempt(state: Partition, segment: SegmentId) -> None:
    """End without cleaning up: COPY_SEGMENT_STARTED stays.

    Kafka: RLMTask#deleteRemoteLogSegment, predicate !isCancelled.
    """
    release(state, segment)


@COPIER.action(
    AttemptStep.DELETE_STARTED,
    AttemptStep.OBJECT_DELETED,
    guards=[has_read_own_record],
    to="remote_store",
)
def copy_deletes_object(state: Partition, segment: SegmentId) -> None:
    """Delete what the failed attempt left in the store, if anything.

    Kafka: RLMTask#deleteRemoteLogSegment, RemoteStorageManager#deleteLogSegmentData.
    """
    state.segment[segment].object_exists = False


@COPIER.action(
    AttemptStep.DELETE_STARTED,
    AttemptStep.IDLE,
    guards=[has_read_own_record],
    to="remote_store",
    budget="failed_deletes",
)
def store_fails_clean_up(state: Partition, segment: SegmentId) -> None:
    """The store refuses the deletion too: DELETE_SEGMENT_STARTED dangles.

    Kafka: RLMTask#run logs and is scheduled again.
    """
    release(state, segment)


@COPIER.action(
    AttemptStep.DELETE_STARTED,
    AttemptStep.IDLE,
    guards=[has_read_own_record],
    to="remote_store",
    budget="failed_deletes",
)
def store_loses_reply_of_clean_up(state: Partition, segment: SegmentId) -> None:
    """The store deletes the object, but its reply is lost: DELETE_SEGMENT_STARTED dangles.

    Kafka: RLMTask#run logs and is scheduled again.
    """
    state.segment[segment].object_exists = False
    release(state, segment)


@COPIER.action(
    AttemptStep.OBJECT_DELETED,
    AttemptStep.DELETE_FINISHED,
    guards=[has_place_for_metadata],
    to="remote_metadata",
)
def copy_publishes_delete_finished(state: Partition, segment: SegmentId) -> None:
    """Publish DELETE_SEGMENT_FINISHED.

    Kafka: RLMTask#deleteRemoteLogSegment.
    """
    state.segment[segment].awaits = publish(state, segment, RecordKind.DELETE_SEGMENT_FINISHED)


@COPIER.action(AttemptStep.DELETE_FINISHED, AttemptStep.IDLE, guards=[has_read_own_record])
def copy_ends_clean_up(state: Partition, segment: SegmentId) -> None:
    """End the run of the copy task, once the deletion is read back.

    Kafka: RLMTask#deleteRemoteLogSegment, RLMTask#run.
    """
    release(state, segment)


SYSTEM = (
    copy_publishes_delete_started,
    cancelled_copy_leaves_its_attempt,
    copy_deletes_object,
    copy_publishes_delete_finished,
    copy_ends_clean_up,
)
ENVIRONMENT = (
    store_fails_clean_up,
    store_loses_reply_of_clean_up,
)
