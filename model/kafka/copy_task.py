"""The copy task: where it resumes, which segment comes next, what it publishes of a segment.

RemoteLogManager.RLMCopyTask.
Left out: quotas, copy lag settings (KIP-1241), custom metadata, log directories.
"""

from __future__ import annotations

from tierproof.model.kafka.fields import NewSegment, Replica
from tierproof.model.kafka.leader_epoch_lineage import set_entries_in_range, truncate_from_end
from tierproof.model.kafka.local_segments import (
    bytes_between,
    floor_base,
    largest_timestamp,
    next_base,
    segment_end,
)
from tierproof.model.language import NONE


def last_stable_offset(log: Replica) -> int:
    """The first offset whose transaction is undecided; without transactions, the high watermark."""
    return log.high_watermark


def next_base_to_copy(log: Replica, copied_offset: int) -> int:
    """RLMCopyTask#candidateLogSegments: the segment after the cursor, or NONE.

    It is the segment that holds the first offset to copy, wherever in the segment that offset
    lies. It is not the active one, and it ends at or below the last stable offset.
    """
    stable_end = last_stable_offset(log)
    if copied_offset >= stable_end:
        return NONE
    base = floor_base(log, max(copied_offset + 1, log.log_start_offset))
    following = next_base(log, base)
    return base if following != NONE and following <= stable_end else NONE


def describe_segment(segment: NewSegment, log: Replica, base: int) -> None:
    """The metadata of a new segment id, and its epoch index: RLMCopyTask#copyLogSegment."""
    end = segment_end(log, base)
    segment.start_offset = base
    segment.end_offset = end - 1
    segment.bytes = bytes_between(log.records, base, end)
    segment.max_timestamp = largest_timestamp(log.records, base, end)
    set_entries_in_range(segment.lineage, log.lineage, base, end)
    segment.epoch_index = log.lineage
    truncate_from_end(segment.epoch_index, end)


def learn_highest_remote_offset(log: Replica, offset: int) -> None:
    """UnifiedLog#updateHighestOffsetInRemoteStorage: never back; ignored without remote storage."""
    if log.settings.remote_storage_enable:
        log.highest_remote_offset = max(log.highest_remote_offset, offset)
