"""Copying a segment: the task chooses, publishes, stores, publishes again, records progress.

Each effect on the metadata topic or on the store is a step of its own; `cleaning_up` says
what follows when the store fails.
"""

from typing import Any

from tierproof.model.designs.kip405.metadata import has_place_for_metadata, publish
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
from tierproof.model.language import NONE, action, guard, limit


def free_segment_id(state: Any) -> int:
    """The first id that was never used, or NONE."""
    for i in range(len(state.segment)):
        if earliest_epoch(state.segment[i].lineage) == NONE:
            return i
    return NONE


def release(state: Any, segment: int) -> None:
    """The thread is done with the id, or gone."""
    it = state.segment[segment]
    state.broker[it.copier].copying &= ~(1 << segment)
    it.copier = NONE
    it.attempt = AttemptStep.IDLE
    it.is_cancelled = False
    it.awaits = 0


# -- the task's once-only steps


@guard
def is_copy_task_new(state: Partition, broker: Broker) -> bool:
    """The task was scheduled and has not run."""
    return state.broker[broker].copy_task == CopyTask.SCHEDULED


@guard
def is_cache_ready(state: Partition, broker: Broker) -> bool:
    """The broker has read what was in the metadata topic when it was assigned (KAFKA-15181)."""
    return bool(state.broker[broker].cache.is_initialized)


@guard
def is_log_start_committed(state: Partition, broker: Broker) -> bool:
    """The log start in the remote tier is not above the high watermark; else the run fails."""
    me = state.broker[broker]
    found = find_log_start_offset(me.cache, state.segment, me.lineage, me.local_log_start_offset)
    return bool(found <= me.high_watermark)


@action(
    guards=[is_copy_task_new, is_cache_ready, is_log_start_committed],
    actor="broker {broker}",
    to="remote_metadata",
)
def copy_task_finds_log_start(state: Partition, broker: Broker) -> None:
    """Take the log start over from the remote tier (KAFKA-15351), or from the local log.

    **Who**: the copy task, in its first run.
    **Kafka**: RLMCopyTask#maybeUpdateLogStartOffsetOnBecomingLeader.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    found = find_log_start_offset(me.cache, state.segment, me.lineage, me.local_log_start_offset)
    if me.settings.remote_storage_enable:
        raise_log_start(me, found)
    me.copy_task = CopyTask.LOG_START_FOUND


@guard
def has_found_log_start(state: Partition, broker: Broker) -> bool:
    """The task has not yet asked how far the remote tier goes."""
    return state.broker[broker].copy_task == CopyTask.LOG_START_FOUND


@action(guards=[has_found_log_start, is_cache_ready], actor="broker {broker}", to="remote_metadata")
def copy_task_finds_highest_remote_offset(state: Partition, broker: Broker) -> None:
    """Set the cursor to the highest offset that is in the remote tier, by lineage.

    **Who**: the copy task, in its first run.
    **Kafka**: RLMCopyTask#maybeUpdateCopiedOffset, RemoteLogManager#findHighestRemoteOffset.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    found, _ = find_highest_remote_offset(me.cache, me.lineage, me.log_end_offset)
    me.copied_offset = found
    learn_highest_remote_offset(me, found)
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


def base_to_copy(state: Any, broker: int) -> int:
    """The segment that comes next, or NONE."""
    me = state.broker[broker]
    return next_base_to_copy(me, me.copied_offset)


@guard
def has_segment_to_copy(state: Partition, broker: Broker) -> bool:
    """A rolled segment below the last stable offset lies after the cursor."""
    return base_to_copy(state, broker) != NONE


@guard
def has_epochs_to_copy(state: Partition, broker: Broker) -> bool:
    """The lineage covers the segment; else RemoteLogSegmentMetadata refuses to be made."""
    me = state.broker[broker]
    earliest, base = earliest_epoch(me.lineage), base_to_copy(state, broker)
    return bool(earliest != NONE and me.lineage[earliest] < segment_end(me, base))


def choose_segment(state: Any, broker: int) -> int:
    """The id under which the next segment is to be copied, and a thread that is at it."""
    me, id = state.broker[broker], free_segment_id(state)
    describe_segment(state.segment[id], me, base_to_copy(state, broker))
    state.segment[id].copier = broker
    state.segment[id].attempt = AttemptStep.CHOSEN
    me.copying |= 1 << id
    return id


@limit
def has_free_segment_id(state: Partition) -> bool:
    """The scope has an id left for another attempt."""
    return free_segment_id(state) != NONE


@action(
    guards=[
        is_copy_task_ready,
        has_segment_to_copy,
        has_epochs_to_copy,
        has_no_copy_of_its_own,
        has_free_segment_id,
    ],
    actor="broker {broker}",
)
def copy_task_chooses_segment(state: Partition, broker: Broker) -> None:
    """Test for cancellation, choose the next segment and draw a new id for it.

    **Who**: the copy task.
    **Kafka**: RLMCopyTask#copyLogSegmentsToRemote, up to copyLogSegment.
    **Left out**: that a run lists its segments once, at its beginning.
    """
    choose_segment(state, broker)


@guard
def has_chosen(state: Partition, segment: SegmentId) -> bool:
    """A thread has drawn this id."""
    return state.segment[segment].attempt == AttemptStep.CHOSEN


@action(
    guards=[has_chosen, has_place_for_metadata],
    actor="copy of segment {segment}",
    to="remote_metadata",
)
def copy_publishes_started(state: Partition, segment: SegmentId) -> None:
    """Publish COPY_SEGMENT_STARTED with all that is ever told of the segment.

    **Who**: the copying thread, cancelled or not.
    **Kafka**: RLMCopyTask#copyLogSegment, RemoteLogMetadataManager#addRemoteLogSegmentMetadata.
    **Left out**: an append that fails.
    """
    it = state.segment[segment]
    it.awaits = publish(state, segment, RecordKind.COPY_SEGMENT_STARTED)
    it.attempt = AttemptStep.STARTED


@guard
def has_read_own_record(state: Partition, segment: SegmentId) -> bool:
    """The broker of the copying thread has read what the thread published last."""
    it = state.segment[segment]
    return bool(state.broker[it.copier].metadata_position >= it.awaits)


@guard
def has_started(state: Partition, segment: SegmentId) -> bool:
    """The thread has published COPY_SEGMENT_STARTED."""
    return state.segment[segment].attempt == AttemptStep.STARTED


@guard
def has_snapshot(state: Partition, segment: SegmentId) -> bool:
    """A producer snapshot belongs to the end of the segment."""
    it = state.segment[segment]
    return bool(it.end_offset + 1 >= state.broker[it.copier].producer_snapshots_start)


@guard
def has_no_snapshot(state: Partition, segment: SegmentId) -> bool:
    """No producer snapshot belongs to the end of the segment."""
    it = state.segment[segment]
    return bool(it.end_offset + 1 < state.broker[it.copier].producer_snapshots_start)


@action(
    guards=[has_started, has_read_own_record, has_snapshot],
    actor="copy of segment {segment}",
    to="remote_store",
)
def copy_stores_object(state: Partition, segment: SegmentId) -> None:
    """The remote store has the object, whatever happened to the metadata meanwhile.

    **Who**: the copying thread, cancelled or not.
    **Kafka**: RemoteStorageManager#copyLogSegmentData.
    **Left out**: partial copies.
    """
    state.segment[segment].object_exists = True
    state.segment[segment].attempt = AttemptStep.STORED


@action(
    guards=[has_started, has_read_own_record, has_no_snapshot],
    actor="copy of segment {segment}",
)
def copy_misses_snapshot(state: Partition, segment: SegmentId) -> None:
    """The run ends: what it published stays behind (KIP-952).

    **Who**: the copying thread.
    **Kafka**: RLMCopyTask#copyLogSegment, NullPointerException at producerStateSnapshotFile.
    **Left out**: nothing.
    """
    release(state, segment)


@action(
    guards=[has_started, has_read_own_record, has_snapshot],
    actor="copy of segment {segment}",
    to="remote_store",
    budget="failed_copies",
)
def store_fails_copy(state: Partition, segment: SegmentId) -> None:
    """The remote store refuses; nothing is stored.

    **Who**: the remote store.
    **Kafka**: RemoteStorageException of copyLogSegmentData.
    **Left out**: nothing.
    """
    state.segment[segment].attempt = AttemptStep.FAILED


@action(
    guards=[has_started, has_read_own_record, has_snapshot],
    actor="copy of segment {segment}",
    to="remote_store",
    budget="failed_copies",
)
def store_loses_reply_of_copy(state: Partition, segment: SegmentId) -> None:
    """The remote store has the object, but its reply is lost: for the broker it has failed.

    **Who**: the remote store.
    **Kafka**: RemoteStorageException of copyLogSegmentData.
    **Left out**: nothing.
    """
    state.segment[segment].object_exists = True
    state.segment[segment].attempt = AttemptStep.FAILED


@action(
    guards=[has_started, has_read_own_record, has_snapshot],
    actor="copy of segment {segment}",
    to="remote_store",
    budget="failed_copies",
)
def store_defers_copy(state: Partition, segment: SegmentId) -> None:
    """The store asks to try later, after it stored the object or not: nothing is cleaned up.

    **Who**: the remote store.
    **Kafka**: RetriableRemoteStorageException of copyLogSegmentData (4.3 and later).
    **Left out**: that the object may be there already (`store_loses_reply_of_copy`).
    """
    release(state, segment)


@guard
def has_stored(state: Partition, segment: SegmentId) -> bool:
    """The thread has stored the object."""
    return state.segment[segment].attempt == AttemptStep.STORED


@action(
    guards=[has_stored, has_place_for_metadata],
    actor="copy of segment {segment}",
    to="remote_metadata",
)
def copy_publishes_finished(state: Partition, segment: SegmentId) -> None:
    """Publish COPY_SEGMENT_FINISHED; caches drop it if the segment is being deleted.

    **Who**: the copying thread; neither cancellation nor leadership is looked at again.
    **Kafka**: RLMCopyTask#copyLogSegment, RemoteLogMetadataManager#updateRemoteLogSegmentMetadata.
    **Left out**: custom metadata that is too big.
    """
    it = state.segment[segment]
    it.awaits = publish(state, segment, RecordKind.COPY_SEGMENT_FINISHED)
    it.attempt = AttemptStep.FINISHED


@guard
def has_finished(state: Partition, segment: SegmentId) -> bool:
    """The thread has published COPY_SEGMENT_FINISHED."""
    return state.segment[segment].attempt == AttemptStep.FINISHED


@action(guards=[has_finished, has_read_own_record], actor="copy of segment {segment}")
def copy_records_progress(state: Partition, segment: SegmentId) -> None:
    """Move the task's cursor and the broker's highest remote offset to the segment's end.

    **Who**: the copying thread; of a cancelled task only the latter has an effect.
    **Kafka**: RLMCopyTask#copyLogSegment, its last lines.
    **Left out**: nothing.
    """
    it = state.segment[segment]
    me = state.broker[it.copier]
    if not it.is_cancelled:
        me.copied_offset = it.end_offset
    learn_highest_remote_offset(me, it.end_offset)
    release(state, segment)
