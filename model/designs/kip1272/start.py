"""How the partition is at the beginning: records with keys, of which some segments are copied."""

from tierproof.model.designs.kip405.start import begin_copied, begin_published
from tierproof.model.designs.kip1272.appending import note_committed_keys
from tierproof.model.designs.kip1272.state import CompactedPartition, CompactedTopic
from tierproof.model.designs.kip1272.written_records import (
    ABORTED_BESIDE,
    COMMITTED_BESIDE,
    DELETED_LAST,
    HISTORIES,
)
from tierproof.model.kafka.compacted_topic import CleanupPolicy
from tierproof.model.kafka.local_segments import remove_segments
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.segment_versions import Kept, RecordType, copy_record, forget_record
from tierproof.model.language import NONE


def begin_compacted(state: CompactedTopic, scope: CompactedPartition) -> None:
    """Each record of the history is a segment; the active segment is empty.

    In two histories the record after the marker shares the marker's segment. Before another,
    broker 1 led: it has downloaded the first segment, and built its filter.
    """
    policy = CleanupPolicy.COMPACT if scope.has_compact_only else CleanupPolicy.COMPACT_DELETE
    state.cleanup_policy = policy
    history = HISTORIES[scope.history]
    for log in state.broker:
        log.settings.cleanup_policy = policy
        for offset, (key, type, is_transactional) in enumerate(history):
            record = log.records[offset]
            record.key, record.type = key, type
            record.is_transactional, record.kept = is_transactional, Kept.KEPT
            type_before = history[offset - 1][1] if offset > 0 else RecordType.VALUE
            log.starts_segment[offset] = not is_beside_marker(scope.history, type_before)
        log.starts_segment[len(history)] = True
        if scope.keeps_local:
            log.settings.local_retention_bytes = -1
    state.consumer_position = 0 if scope.consumers else NONE
    note_committed_keys(state)
    id = 0
    for offset in range(scope.copied):
        if state.broker[0].starts_segment[offset]:
            begin_cleaned(state, id, offset, scope.cleaned)
            id += 1
    for log in state.broker:
        log.local_log_start_offset = scope.local_start
        remove_segments(log, scope.local_start)
        for offset in range(scope.local_start):
            forget_record(log.records[offset])
    if scope.cleaned:
        state.broker[0].cleaner_offset = scope.cleaned
        state.broker[0].cleaner_offsets[0] = scope.cleaned
    if scope.history == DELETED_LAST:
        begin_filter(state, 1, 0)
    if scope.copied:
        state.broker[0].copy_task = CopyTask.READY
        state.broker[0].copied_offset = scope.copied - 1


def is_beside_marker(history: int, type: RecordType) -> bool:
    """The segment of the marker has the record after it, too."""
    if history not in (COMMITTED_BESIDE, ABORTED_BESIDE):
        return False
    return type in (RecordType.COMMIT, RecordType.ABORT)


def begin_cleaned(state: CompactedTopic, id: int, base: int, cleaned: int) -> None:
    """The segment at `base` is in the remote tier; the leader has filters below `cleaned`."""
    begin_copied(state, id, base)
    copy, leader = state.segment[id], state.broker[0]
    copy.is_log_read = True
    for offset in range(base, copy.end_offset + 1):
        copy_record(copy.records[offset], leader.records[offset])
    if base < cleaned:
        copy.cleaner_offsets[0] = cleaned
        begin_filter(state, 0, id)
    begin_published(state, id)


def begin_filter(state: CompactedTopic, broker: int, id: int) -> None:
    """The broker has downloaded the segment before, and has a filter of it."""
    copy = state.segment[id]
    filter = state.broker[broker].filters[copy.start_offset]
    filter.segment = id
    for offset in range(copy.start_offset, copy.end_offset + 1):
        if copy.records[offset].key != NONE:
            filter.keys.add(copy.records[offset].key)
