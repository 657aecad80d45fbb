"""Copying a segment: the task chooses, and a thread that nobody waits for does the rest.

Each effect that another actor could come before is a step of its own: choose, publish
COPY_SEGMENT_STARTED, store the object, publish COPY_SEGMENT_FINISHED, record progress.
"""

from typing import Any

from model.designs.kip950.state import Broker, Partition, SegmentId
from model.kafka.local_log import first_local_offset, increment_log_start
from model.kafka.remote_log_task import CopyStep, CopyTask
from model.kafka.remote_segment import (
    SegmentState,
    accept_copy_finished,
    accept_copy_started,
    lowest_listed_offset,
)
from model.kafka.replica import high_watermark
from model.language import NONE, action, guard, limit


def learn_highest_remote_offset(state: Any, broker: int, offset: int) -> None:
    """UnifiedLog#updateHighestOffsetInRemoteStorage: never back, ignored without remote storage."""
    me = state.broker[broker]
    if me.settings.remote_storage_enable:
        me.highest_remote_offset = max(me.highest_remote_offset, offset)


def next_offset_to_copy(state: Any, broker: int) -> int:
    """RLMCopyTask#candidateLogSegments: the first local offset after the cursor, or NONE."""
    me = state.broker[broker]
    offset = max(me.copied_offset + 1, first_local_offset(me))
    return int(offset) if offset < high_watermark(state) else NONE


def free_segment_id(state: Any) -> int:
    """The first id that nobody has used or holds, or NONE."""
    for i in range(len(state.segment)):
        if (
            state.segment[i].state == SegmentState.ABSENT
            and state.segment[i].copy_step == CopyStep.IDLE
        ):
            return i
    return NONE


# -- the task's once-only steps


@guard
def is_copy_task_new(state: Partition, broker: Broker) -> bool:
    """The task was scheduled and has not run."""
    return state.broker[broker].copy_task == CopyTask.SCHEDULED


@action(guards=[is_copy_task_new], actor="broker {broker}", to="remote_metadata")
def copy_task_finds_log_start(state: Partition, broker: Broker) -> None:
    """Take the log start over from the remote tier (KAFKA-15351), or from the local log.

    **Who**: the copy task, in its first run.
    **Kafka**: RLMCopyTask#maybeUpdateLogStartOffsetOnBecomingLeader,
    RemoteLogManager#findLogStartOffset.
    **Left out**: leader epochs.
    """
    me = state.broker[broker]
    if me.settings.remote_storage_enable:
        found = lowest_listed_offset(state, me.local_log_start_offset)
        increment_log_start(me, True, max(me.log_start_offset, found))
    me.copy_task = CopyTask.LOG_START_FOUND


@guard
def has_found_log_start(state: Partition, broker: Broker) -> bool:
    """The task has not yet asked how far the remote tier goes."""
    return state.broker[broker].copy_task == CopyTask.LOG_START_FOUND


@action(guards=[has_found_log_start], actor="broker {broker}", to="remote_metadata")
def copy_task_finds_highest_remote_offset(state: Partition, broker: Broker) -> None:
    """Set the cursor to the highest offset that was ever copied.

    **Who**: the copy task, in its first run.
    **Kafka**: RLMCopyTask#maybeUpdateCopiedOffset, RemoteLogManager#findHighestRemoteOffset;
    RemoteLogLeaderEpochState#highestLogOffset survives the deletion of the segments.
    **Left out**: leader epochs.
    """
    me = state.broker[broker]
    me.copied_offset = state.highest_finished_offset
    learn_highest_remote_offset(state, broker, state.highest_finished_offset)
    me.copy_task = CopyTask.READY


# -- one copy


@guard
def is_copy_task_ready(state: Partition, broker: Broker) -> bool:
    """The task is scheduled, not cancelled, and knows where to go on."""
    return state.broker[broker].copy_task == CopyTask.READY


@guard
def has_no_copy_of_its_own(state: Partition, broker: Broker) -> bool:
    """A task copies one segment after the other; a cancelled task's last copy is not its own."""
    for i in range(len(state.segment)):
        if state.segment[i].copier == broker and not state.segment[i].is_cancelled:
            return False
    return True


@guard
def has_segment_to_copy(state: Partition, broker: Broker) -> bool:
    """A rolled segment below the last stable offset lies after the cursor."""
    return next_offset_to_copy(state, broker) != NONE


@limit
def has_free_segment_id(state: Partition) -> bool:
    """The scope has an id left for another upload attempt."""
    return free_segment_id(state) != NONE


@action(
    guards=[is_copy_task_ready, has_segment_to_copy, has_no_copy_of_its_own, has_free_segment_id],
    actor="broker {broker}",
)
def copy_task_chooses_segment(state: Partition, broker: Broker) -> None:
    """Test for cancellation, choose the next segment and draw a new id for it.

    **Who**: the copy task.
    **Kafka**: RLMCopyTask#copyLogSegmentsToRemote, up to copyLogSegment.
    **Left out**: copy lag settings, quotas.
    """
    segment = state.segment[free_segment_id(state)]
    segment.offset = next_offset_to_copy(state, broker)
    segment.copier = broker
    segment.copy_step = CopyStep.CHOSEN


@guard
def has_chosen(state: Partition, segment: SegmentId) -> bool:
    """A thread has drawn this id."""
    return state.segment[segment].copy_step == CopyStep.CHOSEN


@action(guards=[has_chosen], actor="copy of segment {segment}", to="remote_metadata")
def copy_publishes_started(state: Partition, segment: SegmentId) -> None:
    """Publish COPY_SEGMENT_STARTED.

    **Who**: the copying thread, cancelled or not.
    **Kafka**: RLMCopyTask#copyLogSegment, RemoteLogMetadataManager#addRemoteLogSegmentMetadata.
    **Left out**: a missing producer snapshot (KIP-952).
    """
    accept_copy_started(state, segment)
    state.segment[segment].copy_step = CopyStep.STARTED


@guard
def has_started(state: Partition, segment: SegmentId) -> bool:
    """The thread has published COPY_SEGMENT_STARTED."""
    return state.segment[segment].copy_step == CopyStep.STARTED


@action(guards=[has_started], actor="copy of segment {segment}", to="remote_store")
def copy_stores_object(state: Partition, segment: SegmentId) -> None:
    """The remote store has the object, whatever happened to the metadata meanwhile.

    **Who**: the copying thread, cancelled or not.
    **Kafka**: RemoteStorageManager#copyLogSegmentData.
    **Left out**: failing or partial copies.
    """
    state.segment[segment].object_exists = True
    state.segment[segment].copy_step = CopyStep.STORED


@guard
def has_stored(state: Partition, segment: SegmentId) -> bool:
    """The thread has stored the object."""
    return state.segment[segment].copy_step == CopyStep.STORED


@action(guards=[has_stored], actor="copy of segment {segment}", to="remote_metadata")
def copy_publishes_finished(state: Partition, segment: SegmentId) -> None:
    """Publish COPY_SEGMENT_FINISHED; the caches drop it if the segment is being deleted.

    **Who**: the copying thread; neither cancellation nor leadership is looked at again.
    **Kafka**: RLMCopyTask#copyLogSegment, RemoteLogMetadataManager#updateRemoteLogSegmentMetadata.
    **Left out**: custom metadata.
    """
    accept_copy_finished(state, segment)
    state.segment[segment].copy_step = CopyStep.PUBLISHED


@guard
def has_published(state: Partition, segment: SegmentId) -> bool:
    """The thread has published COPY_SEGMENT_FINISHED."""
    return state.segment[segment].copy_step == CopyStep.PUBLISHED


def release_copier(state: Any, segment: int) -> None:
    """The thread is done with the id."""
    state.segment[segment].copier = NONE
    state.segment[segment].copy_step = CopyStep.IDLE
    state.segment[segment].is_cancelled = False
    if state.segment[segment].state == SegmentState.ABSENT:
        state.segment[segment].offset = 0


@action(guards=[has_published], actor="copy of segment {segment}")
def copy_records_progress(state: Partition, segment: SegmentId) -> None:
    """Move the cursor of the task, and tell the log how far the remote tier goes.

    **Who**: the copying thread; a cancelled task's cursor is nobody's any more.
    **Kafka**: RLMCopyTask#copyLogSegment, UnifiedLog#updateHighestOffsetInRemoteStorage.
    **Left out**: metrics.
    """
    copied = state.segment[segment]
    if not copied.is_cancelled:
        state.broker[copied.copier].copied_offset = copied.offset
    learn_highest_remote_offset(state, copied.copier, copied.offset)
    release_copier(state, segment)


@guard
def is_copy_cancelled(state: Partition, segment: SegmentId) -> bool:
    """A thread works on this id whose task was cancelled."""
    return bool(state.segment[segment].is_cancelled)


@action(guards=[is_copy_cancelled], actor="copy of segment {segment}")
def copy_is_interrupted(state: Partition, segment: SegmentId) -> None:
    """The interrupt of the cancellation reaches the thread, which leaves everything as it is.

    **Who**: the copying thread of a cancelled task.
    **Kafka**: RLMTask#cancel is future.cancel(true); RLMTask#run swallows InterruptedException.
    **Left out**: a clean-up by the storage plugin.
    """
    release_copier(state, segment)
