"""The swap in the remote tier: the cleaned group gets a new id, is stored, and published.

The output goes the way of any copy (`kip405.copying`): COPY_SEGMENT_STARTED, the object,
COPY_SEGMENT_FINISHED. The metadata of each copy carries cleaner offsets. KIP-1272, "Swap
Old/New Log Segment Files", "Persisting cleaner-offset-checkpoint to remote storage".
"""

from tierproof.model.designs.kip405.actors import COPIER
from tierproof.model.designs.kip405.copying import (
    free_segment_id,
    has_free_segment_id,
    has_read_own_record,
)
from tierproof.model.designs.kip405.state import AttemptStep, Broker
from tierproof.model.designs.kip1272.actors import CLEANER
from tierproof.model.designs.kip1272.cleaning import (
    go_on_to_next_group,
    is_group_remote,
    rebuild_filter,
    swap_local_segments,
)
from tierproof.model.designs.kip1272.mapping import end_pass
from tierproof.model.designs.kip1272.state import CleanerStep, CompactedTopic, CompactingBroker
from tierproof.model.kafka.leader_epoch_lineage import set_entries_in_range, truncate_from_end
from tierproof.model.kafka.replica import is_leading
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.kafka.segment_versions import Kept, copy_record
from tierproof.model.language import NONE, fence, guard

# -- the copy task reads two kinds of files


@guard
def has_not_read_log(state: CompactedTopic, segment: SegmentId) -> bool:
    """The copy task has not read the segment's log file."""
    return not state.segment[segment].is_log_read and not state.segment[segment].is_cleaned


def is_in_local_log(state: CompactedTopic, segment: int) -> bool:
    """The copier's local log has the segment's files; a cleaned group has its files to itself."""
    copy = state.segment[segment]
    return copy.is_cleaned or state.broker[copy.copier].starts_segment[copy.start_offset]


@guard
def has_files(state: CompactedTopic, segment: SegmentId) -> bool:
    """The files that the copy task sends are there."""
    return is_in_local_log(state, segment)


@guard
def misses_files(state: CompactedTopic, segment: SegmentId) -> bool:
    """Local retention, truncation or the cleaner has removed the files, or renamed them."""
    return not is_in_local_log(state, segment)


def store_version(state: CompactedTopic, segment: int) -> None:
    """The object holds the version of the copier's local log that is there now."""
    copy = state.segment[segment]
    log = state.broker[copy.copier]
    for offset in range(copy.start_offset, copy.end_offset + 1):
        copy_record(copy.records[offset], log.records[offset])


@COPIER.action(
    AttemptStep.STARTED,
    guards=[has_read_own_record, has_not_read_log, has_files],
    to="remote_store",
)
def copy_reads_log_file(state: CompactedTopic, segment: SegmentId) -> None:
    """Send the segment's log file to the remote store; the index files follow.

    Kafka: RemoteStorageManager#copyLogSegmentData, LogSegmentData, which names files by path.
    """
    store_version(state, segment)
    state.segment[segment].is_log_read = True


@COPIER.action(AttemptStep.STARTED, AttemptStep.FAILED, guards=[has_read_own_record, misses_files])
def copy_misses_files(state: CompactedTopic, segment: SegmentId) -> None:
    """Fail to read a file of the segment, as another thread has removed it.

    Kafka: LogSegmentData, which names files by path; RemoteStorageException of
    copyLogSegmentData.
    """


@guard
def has_read_log(state: CompactedTopic, segment: SegmentId) -> bool:
    """The log file was sent, and the index files are there; a cleaned group has its own."""
    is_read = state.segment[segment].is_log_read or state.segment[segment].is_cleaned
    return is_read and is_in_local_log(state, segment)


def store_output_or_indexes(state: CompactedTopic, segment: int) -> None:
    """Store the cleaned group; or the index files as they are now, beside the log file."""
    copy = state.segment[segment]
    log = state.broker[copy.copier]
    for offset in range(copy.start_offset, copy.end_offset + 1):
        if copy.is_cleaned:
            copy_record(copy.records[offset], log.output[offset])
        elif copy.records[offset].kept != log.records[offset].kept:
            copy.is_mixed = True


# -- cleaner offsets


def attach_cleaner_offsets(state: CompactedTopic, segment: int) -> None:
    """ "The leader broker will publish out this list of cleanOffsets for each log segment"."""
    copy = state.segment[segment]
    log = state.broker[copy.copier]
    for e in range(len(copy.cleaner_offsets)):
        copy.cleaner_offsets[e] = log.cleaner_offsets[e]
    if copy.is_cleaned:
        copy.cleaner_offsets[log.cleaner_epoch] = claimed_offset(log)


def claimed_offset(log: CompactingBroker) -> int:
    """The cleaner offset that a copy of this pass claims: the end of the chunk."""
    return log.map_end


# -- the copy


@guard
def has_remote_version(state: CompactedTopic, broker: Broker) -> bool:
    """The group is in the remote tier, and the broker cleans that."""
    return state.broker[broker].cleans_remote and is_group_remote(state, broker)


def describe_output(state: CompactedTopic, broker: int, id: int) -> None:
    """The metadata of the new id: one segment for the whole group."""
    log, copy = state.broker[broker], state.segment[id]
    copy.start_offset = log.group_start
    copy.end_offset = log.group_end - 1
    copy.bytes = sum(
        log.output[offset].bytes
        for offset in range(log.group_start, log.group_end)
        if log.output[offset].kept != Kept.GONE
    )
    for offset in range(log.group_start, log.group_end):
        copy.max_timestamp = max(copy.max_timestamp, log.output[offset].timestamp)
    set_entries_in_range(copy.lineage, log.lineage, log.group_start, log.group_end)
    copy.epoch_index = log.lineage
    truncate_from_end(copy.epoch_index, log.group_end)


def begin_copy(state: CompactedTopic, broker: int) -> None:
    """Start a thread that copies the output under a new id."""
    id = free_segment_id(state)
    describe_output(state, broker, id)
    state.segment[id].copier = broker
    state.segment[id].attempt = AttemptStep.CHOSEN
    state.segment[id].is_cleaned = True
    state.broker[broker].output_id = id


@CLEANER.action(
    CleanerStep.GROUP_CLEANED,
    CleanerStep.COPYING,
    guards=[has_remote_version, has_free_segment_id],
)
def cleaner_begins_copy(state: CompactedTopic, broker: Broker) -> None:
    """Draw a new RemoteLogSegmentId for the cleaned group, and begin to copy it.

    KIP-1272: "Upload the newly compacted segment to remote storage with a new
    RemoteLogSegmentId".
    """
    begin_copy(state, broker)


def tell_cleaner(state: CompactedTopic, segment: int) -> None:
    """The cleaner is told that its copy has finished; the cursor of the copy task stays."""
    copy = state.segment[segment]
    if copy.is_cleaned:
        state.broker[copy.copier].is_output_copied = True
        copy.is_cancelled = True


@fence(stays="the task has no copy of its own while the cleaner copies: both go on")
def has_no_copy_beside_the_cleaner(state: CompactedTopic, broker: Broker) -> bool:
    """The task copies no segment at present; those of the cleaner do not count."""
    return all(
        copy.copier != broker or copy.is_cancelled or copy.is_cleaned for copy in state.segment
    )


@guard
def has_copied_output(state: CompactedTopic, broker: Broker) -> bool:
    """COPY_SEGMENT_FINISHED of the group is published, and the broker has read it."""
    return state.broker[broker].is_output_copied


@CLEANER.action(CleanerStep.COPYING, CleanerStep.MAP_BUILT, guards=[has_copied_output])
def cleaner_swaps_copied_group(state: CompactedTopic, broker: Broker) -> None:
    """Swap the local segments of the group too, where there are any; rebuild the filter.

    KIP-1272: "Swap Old/New Log Segment Files".
    """
    log = state.broker[broker]
    swap_local_segments(log)
    rebuild_filter(log)
    go_on_to_next_group(log)


@guard
def has_failed_to_copy(state: CompactedTopic, broker: Broker) -> bool:
    """The thread of the copy has ended without COPY_SEGMENT_FINISHED."""
    log = state.broker[broker]
    return not log.is_output_copied and state.segment[log.output_id].copier == NONE


@CLEANER.action(CleanerStep.COPYING, CleanerStep.IDLE, guards=[has_failed_to_copy])
def cleaner_gives_up(state: CompactedTopic, broker: Broker) -> None:
    """End the pass without a checkpoint.

    KIP-1272: "the operation will be aborted and retried later".
    """
    end_pass(state.broker[broker])


def note_who_led(state: CompactedTopic, segment: int) -> None:
    """Note whether the elected leader has published COPY_SEGMENT_FINISHED."""
    copy = state.segment[segment]
    copy.was_led = is_leading(state, copy.copier)
