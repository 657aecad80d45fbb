"""What the log cleaner may clean, whether it is worth it, and how segments are grouped.

LogCleanerManager#grabFilthiestCompactedLog, #cleanableOffsets, #maxCompactionDelay, LogToClean;
Cleaner#groupSegmentsBySize.
Left out: the choice between several logs, logs that are marked uncleanable, groups whose
offsets do not fit into an index.
"""

from __future__ import annotations

from tierproof.model.kafka.keyed_log import KeyedLog, last_stable_offset
from tierproof.model.kafka.local_segments import first_base, floor_base, next_base
from tierproof.model.kafka.sized_segments import (
    OFFSET_ENTRY_BYTES,
    TIME_ENTRY_BYTES,
    active_base,
    bytes_of_segments,
    first_timestamp,
    index_entries,
    largest_timestamp,
    segment_bytes,
)
from tierproof.model.language import NONE

# -- from where to where


def is_checkpoint_reset(log: KeyedLog, checkpoint: int) -> bool:
    """The checkpoint lies outside of the log: it is set to the log start, cleaned or not."""
    return checkpoint != NONE and not log.log_start_offset <= checkpoint <= log.log_end_offset


def first_dirty_offset(log: KeyedLog, checkpoint: int) -> int:
    """Where the first pass begins: at the checkpoint; without a good one, at the log start."""
    if checkpoint == NONE or is_checkpoint_reset(log, checkpoint):
        return log.log_start_offset
    return checkpoint


def first_young_base(log: KeyedLog, first_dirty: int, now: int, min_lag_ms: int) -> int:
    """The first dirty, inactive segment with a record within min.compaction.lag.ms, or NONE."""
    active = active_base(log)
    base = floor_base(log, first_dirty) if min_lag_ms > 0 else active
    while base != NONE and base < active:
        if largest_timestamp(log, base) > now - min_lag_ms:
            return base
        base = next_base(log, base)
    return NONE


def uncleanable_offset(log: KeyedLog, first_dirty: int, now: int, min_lag_ms: int) -> int:
    """Where cleaning may end: last stable offset, active segment, first young segment.

    Never before the first dirty offset.
    """
    found = min(last_stable_offset(log), active_base(log))
    young = first_young_base(log, first_dirty, now, min_lag_ms)
    return max(first_dirty, found if young == NONE else min(found, young))


def first_uncleanable_base(log: KeyedLog, uncleanable: int) -> int:
    """The base of the segment that contains the offset: only whole segments are cleaned."""
    return floor_base(log, min(uncleanable, active_base(log)))


# -- is it worth it


def clean_bytes(log: KeyedLog, first_dirty: int) -> int:
    """The size of all segments that begin before the first dirty offset."""
    return bytes_of_segments(log, first_base(log), first_dirty)


def cleanable_bytes(log: KeyedLog, first_dirty: int, first_uncleanable: int) -> int:
    """The size of the segments to read into the map, whole: the first one counts as clean too."""
    start = floor_base(log, min(first_dirty, first_uncleanable))
    return bytes_of_segments(log, start, first_uncleanable)


def compaction_delay(log: KeyedLog, first_dirty: int, now: int, max_lag_ms: int) -> int:
    """By how much max.compaction.lag.ms is exceeded: by the oldest first batch that is dirty."""
    earliest, base, active = NONE, floor_base(log, first_dirty), active_base(log)
    while base < active and first_dirty <= active:
        timestamp = first_timestamp(log, base)
        if timestamp > 0 and (earliest == NONE or timestamp < earliest):
            earliest = timestamp
        base = next_base(log, base)
    return 0 if earliest == NONE else max(0, now - max_lag_ms - earliest)


def exceeds_ratio(clean: int, cleanable: int, ratio_per_million: int) -> bool:
    """cleanable / (clean + cleanable) is above min.cleanable.dirty.ratio."""
    return cleanable * 1_000_000 > ratio_per_million * (clean + cleanable)


def is_picked(clean: int, cleanable: int, delay: int, ratio_per_million: int) -> bool:
    """The log is not empty, and is dirty enough or dirty for too long."""
    if cleanable > 0 and delay > 0:
        return True
    return clean + cleanable > 0 and exceeds_ratio(clean, cleanable, ratio_per_million)


# -- groups


def group_end(
    log: KeyedLog,
    base: int,
    end_offset: int,
    most_bytes: int,
    most_index_bytes: int,
    index_interval_bytes: int,
) -> int:
    """The base of the first segment after `base` that is not cleaned into the same one.

    Segments that begin before `end_offset` are grouped while their files and indexes, as they
    are before the cleaning, fit into one. The active segment always follows.
    """
    size, of_offsets, of_times = 0, 0, 0
    at = base
    while at != NONE and at < end_offset:
        more_offsets, more_times = index_entries(log, at, index_interval_bytes)
        size += segment_bytes(log, at)
        of_offsets += more_offsets
        of_times += more_times
        is_index_full = (
            max(of_offsets * OFFSET_ENTRY_BYTES, of_times * TIME_ENTRY_BYTES) > most_index_bytes
        )
        if at > base and (size > most_bytes or is_index_full):
            return at
        at = next_base(log, at)
    return at
