"""The copy task: where it resumes, which segment comes next, what it publishes of a segment.

RemoteLogManager.RLMCopyTask. `log` is a replica as in `local_segments`.
Left out: quotas, copy lag settings (KIP-1241), custom metadata, log directories.
"""

from __future__ import annotations

from typing import Any

from model.kafka.leader_epoch_lineage import set_entries_in_range
from model.kafka.local_segments import (
    bytes_between,
    floor_base,
    largest_timestamp,
    next_base,
    segment_end,
)
from model.language import NONE


def next_base_to_copy(log: Any, copied_offset: int, last_stable_offset: int) -> int:
    """RLMCopyTask#candidateLogSegments: the segment after the cursor, or NONE.

    It is the one that holds the first offset to copy, wherever in it that lies; never the
    active one; and it ends at or below the last stable offset.
    """
    if copied_offset >= last_stable_offset:
        return NONE
    base = floor_base(log, max(copied_offset + 1, log.log_start_offset))
    following = next_base(log, base)
    return base if following != NONE and following <= last_stable_offset else NONE


def describe_segment(segment: Any, log: Any, records: Any, base: int) -> None:
    """The metadata of a new segment id: RLMCopyTask#copyLogSegment."""
    end = segment_end(log, base)
    segment.start_offset = base
    segment.end_offset = end - 1
    segment.bytes = bytes_between(records, base, end)
    segment.max_timestamp = largest_timestamp(records, base, end)
    set_entries_in_range(segment.lineage, log.lineage, base, end)


def learn_highest_remote_offset(log: Any, offset: int) -> None:
    """UnifiedLog#updateHighestOffsetInRemoteStorage: never back; ignored without remote storage."""
    if log.settings.remote_storage_enable:
        log.highest_remote_offset = max(log.highest_remote_offset, offset)
