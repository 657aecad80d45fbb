"""Copying a segment: the task chooses, publishes, stores, publishes again, records progress.

Each effect on the metadata topic or on the store is a step of its own; `cleaning_up` says
what follows when the store fails.
"""

from tierproof.model.designs.kip405.actors import COPIER, COPY_TASK
from tierproof.model.designs.kip405.metadata import (
    has_place_for_metadata,
    is_cache_ready,
    publish,
)
from tierproof.model.designs.kip405.state import AttemptStep, Broker, Partition, RecordKind
from tierproof.model.kafka.copy_task import (
    describe_segment,
    learn_highest_remote_offset,
    next_base_to_copy,
)
from tierproof.model.kafka.leader_epoch_lineage import earliest_epoch
from tierproof.model.kafka.local_retention import raise_log_start
from tierproof.model.kafka.local_segments import segment_end
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.remote_metadata_cache import (
    find_highest_remote_offset,
    find_log_start_offset,
)
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import NONE, fence, guard, limit

# -- the task's once-only steps


def found_log_start(state: Partition, broker: int) -> int:
    """findLogStartOffset at this broker."""
    log = state.broker[broker]
    return find_log_start_offset(log.cache, state.segment, log.lineage, log.local_log_start_offset)


@guard
def is_log_start_committed(state: Partition, broker: Broker) -> bool:
    """The log start in the remote tier is not above the high watermark; else the run fails."""
    return found_log_start(state, broker) <= state.broker[broker].high_watermark


@COPY_TASK.action(
    CopyTask.SCHEDULED,
    CopyTask.LOG_START_FOUND,
    guards=[is_cache_ready, is_log_start_committed],
    to="remote_metadata",
)
def copy_task_finds_log_start(state: Partition, broker: Broker) -> None:
    """Take the log start over from the remote tier (KAFKA-15351), or from the local log.

    Kafka: RLMCopyTask#maybeUpdateLogStartOffsetOnBecomingLeader.
    """
    if state.broker[broker].settings.remote_storage_enable:
        raise_log_start(state.broker[broker], found_log_start(state, broker))


@COPY_TASK.action(
    CopyTask.LOG_START_FOUND, CopyTask.READY, guards=[is_cache_ready], to="remote_metadata"
)
def copy_task_finds_highest_remote_offset(state: Partition, broker: Broker) -> None:
    """Set the cursor to the highest offset that is in the remote tier, by lineage.

    Kafka: RLMCopyTask#maybeUpdateCopiedOffset, RemoteLogManager#findHighestRemoteOffset.
    """
    log = state.broker[broker]
    found, _ = find_highest_remote_offset(log.cache, log.lineage, log.log_end_offset)
    log.copied_offset = found
    learn_highest_remote_offset(log, found)


# -- one copy


def free_segment_id(state: Partition) -> int:
    """The first id that was never used, or NONE."""
    for i in range(len(state.segment)):
        if earliest_epoch(state.segment[i].lineage) == NONE:
            return i
    return NONE


def release(state: Partition, segment: int) -> None:
    """The thread has done with the id, or is gone; the caller says that it is IDLE."""
    copy = state.segment[segment]
    state.broker[copy.copier].copying.discard(segment)
    copy.copier = NONE
    copy.is_cancelled = False
    copy.awaits = 0


@fence(protects="no_committed_record_lost", scope="alone_size")
def has_no_copy_of_its_own(state: Partition, broker: Broker) -> bool:
    """The task copies no segment at present; the last copy of a cancelled task is not its own.

    The cursor moves when a copy ends, so a second copy beside it would copy the same segment.
    Both count in retention by size, which then deletes records of a topic within its limit.
    """
    return all(copy.copier != broker or copy.is_cancelled for copy in state.segment)


def base_to_copy(state: Partition, broker: int) -> int:
    """The segment that comes next, or NONE."""
    return next_base_to_copy(state.broker[broker], state.broker[broker].copied_offset)


@guard
def has_segment_to_copy(state: Partition, broker: Broker) -> bool:
    """A rolled segment below the last stable offset lies after the cursor."""
    return base_to_copy(state, broker) != NONE


@guard
def has_epochs_to_copy(state: Partition, broker: Broker) -> bool:
    """The lineage covers the segment; otherwise RemoteLogSegmentMetadata throws."""
    log = state.broker[broker]
    earliest, base = earliest_epoch(log.lineage), base_to_copy(state, broker)
    return earliest != NONE and log.lineage[earliest] < segment_end(log, base)


def choose_segment(state: Partition, broker: int) -> int:
    """Start a thread that copies the next segment; the new id."""
    id = free_segment_id(state)
    describe_segment(state.segment[id], state.broker[broker], base_to_copy(state, broker))
    state.segment[id].copier = broker
    state.segment[id].attempt = AttemptStep.CHOSEN
    state.broker[broker].copying.add(id)
    return id


@limit
def has_free_segment_id(state: Partition) -> bool:
    """The scope has an id left for another attempt."""
    return free_segment_id(state) != NONE


@COPY_TASK.action(
    CopyTask.READY,
    guards=[has_segment_to_copy, has_epochs_to_copy, has_no_copy_of_its_own, has_free_segment_id],
)
def copy_task_chooses_segment(state: Partition, broker: Broker) -> None:
    """Test for cancellation, choose the next segment and draw a new id for it.

    Kafka: RLMCopyTask#copyLogSegmentsToRemote, up to copyLogSegment. Left out: that a run
    lists its segments once, at its beginning.
    """
    choose_segment(state, broker)


@COPIER.action(
    AttemptStep.CHOSEN, AttemptStep.STARTED, guards=[has_place_for_metadata], to="remote_metadata"
)
def copy_publishes_started(state: Partition, segment: SegmentId) -> None:
    """Publish COPY_SEGMENT_STARTED with all metadata of the segment, cancelled or not.

    Kafka: RLMCopyTask#copyLogSegment, RemoteLogMetadataManager#addRemoteLogSegmentMetadata.
    Left out: an append that fails.
    """
    state.segment[segment].awaits = publish(state, segment, RecordKind.COPY_SEGMENT_STARTED)


@fence(protects="committed_records_stay_readable", scope="size_of_one")
def has_read_own_record(state: Partition, segment: SegmentId) -> bool:
    """The broker of the copying thread has read what the thread published last.

    Local retention trusts the highest remote offset that the thread then sets: the broker must
    be able to serve from the remote tier what it removes locally.
    """
    copy = state.segment[segment]
    return state.broker[copy.copier].metadata_position >= copy.awaits


@COPIER.action(
    AttemptStep.STARTED, AttemptStep.STORED, guards=[has_read_own_record], to="remote_store"
)
def copy_stores_object(state: Partition, segment: SegmentId) -> None:
    """Store the object, whatever happened to the metadata meanwhile, cancelled or not.

    Kafka: RemoteStorageManager#copyLogSegmentData. Left out: partial copies.
    """
    state.segment[segment].object_exists = True


@COPIER.action(
    AttemptStep.STARTED,
    AttemptStep.FAILED,
    guards=[has_read_own_record],
    to="remote_store",
    budget="failed_copies",
)
def store_fails_copy(state: Partition, segment: SegmentId) -> None:
    """The remote store refuses; nothing is stored.

    Kafka: RemoteStorageException of copyLogSegmentData.
    """


@COPIER.action(
    AttemptStep.STARTED,
    AttemptStep.FAILED,
    guards=[has_read_own_record],
    to="remote_store",
    budget="failed_copies",
)
def store_loses_reply_of_copy(state: Partition, segment: SegmentId) -> None:
    """The remote store has the object, but its reply is lost: the broker sees a failure.

    Kafka: RemoteStorageException of copyLogSegmentData.
    """
    state.segment[segment].object_exists = True


@COPIER.action(
    AttemptStep.STARTED,
    AttemptStep.IDLE,
    guards=[has_read_own_record],
    to="remote_store",
    budget="failed_copies",
)
def store_defers_copy(state: Partition, segment: SegmentId) -> None:
    """The store stores nothing and asks to try later: nothing is cleaned up.

    Kafka: RetriableRemoteStorageException of copyLogSegmentData (4.3 and later). Left out: a
    store that asks this after it has stored the object.
    """
    release(state, segment)


@COPIER.action(
    AttemptStep.STORED, AttemptStep.FINISHED, guards=[has_place_for_metadata], to="remote_metadata"
)
def copy_publishes_finished(state: Partition, segment: SegmentId) -> None:
    """Publish COPY_SEGMENT_FINISHED without another look at cancellation or leadership.

    Caches drop the record if the segment is being deleted.

    Kafka: RLMCopyTask#copyLogSegment, RemoteLogMetadataManager#updateRemoteLogSegmentMetadata.
    Left out: custom metadata that is too big.
    """
    state.segment[segment].awaits = publish(state, segment, RecordKind.COPY_SEGMENT_FINISHED)


@COPIER.action(AttemptStep.FINISHED, AttemptStep.IDLE, guards=[has_read_own_record])
def copy_records_progress(state: Partition, segment: SegmentId) -> None:
    """Move the task's cursor and the broker's highest remote offset to the segment's end.

    The cursor of a cancelled task stays.

    Kafka: RLMCopyTask#copyLogSegment, its last lines.
    """
    copy = state.segment[segment]
    log = state.broker[copy.copier]
    if not copy.is_cancelled:
        log.copied_offset = copy.end_offset
    learn_highest_remote_offset(log, copy.end_offset)
    release(state, segment)


SYSTEM = (
    copy_task_finds_log_start,
    copy_task_finds_highest_remote_offset,
    copy_task_chooses_segment,
    copy_publishes_started,
    copy_stores_object,
    copy_publishes_finished,
    copy_records_progress,
)
ENVIRONMENT = (
    store_fails_copy,
    store_loses_reply_of_copy,
    store_defers_copy,
)
