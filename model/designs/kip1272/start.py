"""How the partition is at the beginning: records with keys, of which some segments are copied."""

from tierproof.model.designs.kip405.start import begin_copied, begin_published
from tierproof.model.designs.kip1272.appending import note_committed_keys
from tierproof.model.designs.kip1272.state import CompactedPartition, CompactedTopic
from tierproof.model.kafka.compacted_topic import CleanupPolicy
from tierproof.model.kafka.local_segments import remove_segments
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.segment_versions import Kept, RecordType, copy_record, forget_record
from tierproof.model.language import NONE

PUT, DELETE = (0, RecordType.VALUE, False), (0, RecordType.TOMBSTONE, False)
PUT_OTHER = (1, RecordType.VALUE, False)
PUT_IN_TRANSACTION = (0, RecordType.VALUE, True)
DELETE_IN_TRANSACTION = (0, RecordType.TOMBSTONE, True)
COMMIT, ABORT = (NONE, RecordType.COMMIT, False), (NONE, RecordType.ABORT, False)

HISTORIES = (
    (PUT, PUT),
    (PUT, DELETE, PUT_OTHER),
    (PUT_OTHER, PUT, PUT),
    (PUT_OTHER, PUT, DELETE, PUT_OTHER, PUT_OTHER),
    (PUT_IN_TRANSACTION, COMMIT, PUT_OTHER, PUT_OTHER),
    (PUT, PUT_IN_TRANSACTION, ABORT, PUT_OTHER),
    (PUT, DELETE_IN_TRANSACTION, COMMIT, PUT_OTHER),
)
"""(key, type, is_transactional) of each record; a scope names one by its place."""
UPDATED, DELETED, UPDATED_LATER, DELETED_LATER, COMMITTED, ABORTED, DELETED_IN_TRANSACTION = range(
    7
)


def begin_compacted(state: CompactedTopic, scope: CompactedPartition) -> None:
    """Each record of the history is a segment; the active segment is empty."""
    policy = CleanupPolicy.COMPACT if scope.has_compact_only else CleanupPolicy.COMPACT_DELETE
    state.cleanup_policy = policy
    history = HISTORIES[scope.history]
    for log in state.broker:
        log.settings.cleanup_policy = policy
        for offset, (key, type, is_transactional) in enumerate(history):
            record = log.records[offset]
            record.key, record.type = key, type
            record.is_transactional, record.kept = is_transactional, Kept.KEPT
            log.starts_segment[offset] = True
        log.starts_segment[len(history)] = True
        if scope.keeps_local:
            log.settings.local_retention_bytes = -1
    state.consumer_position = 0 if scope.consumers else NONE
    note_committed_keys(state)
    for id in range(scope.copied):
        begin_cleaned(state, id, scope.cleaned)
    for log in state.broker:
        log.local_log_start_offset = scope.local_start
        remove_segments(log, scope.local_start)
        for offset in range(scope.local_start):
            forget_record(log.records[offset])
    if scope.cleaned:
        state.broker[0].cleaner_offset = scope.cleaned
        state.broker[0].cleaner_offsets[0] = scope.cleaned
    if scope.copied:
        state.broker[0].copy_task = CopyTask.READY
        state.broker[0].copied_offset = scope.copied - 1


def begin_cleaned(state: CompactedTopic, id: int, cleaned: int) -> None:
    """The segment at offset `id` is in the remote tier; the leader has filters below `cleaned`."""
    begin_copied(state, id, id)
    copy, leader = state.segment[id], state.broker[0]
    copy_record(copy.records[id], leader.records[id])
    copy.is_log_read = True
    if id < cleaned:
        copy.cleaner_offsets[0] = cleaned
        leader.filters[id].segment = id
        if leader.records[id].key != NONE:
            leader.filters[id].keys.add(leader.records[id].key)
    begin_published(state, id)
