"""The second pass of the log cleaner: each batch is kept, made smaller, emptied or removed.

Segments are cleaned in groups that become one segment each. The functions change the log in
place; a group's batches are only read by the pass itself until its segments are swapped.
Cleaner#cleanSegments, Cleaner#cleanInto, MemoryRecords#filterTo.
Left out: a crash within a swap, and cleaned segments whose offsets no longer fit.
"""

from __future__ import annotations

from tierproof.model.kafka.cleaner_retention import (
    delete_horizon,
    ends_at_high_watermark,
    gets_horizon,
    is_horizon_over,
    is_last_of_producer,
    is_marker_kept,
    is_record_kept,
)
from tierproof.model.kafka.cleaner_transactions import (
    CleanedTransactions,
    collect_aborted,
    reads_aborted_batch,
    reads_deletable_marker,
)
from tierproof.model.kafka.keyed_log import (
    BatchKind,
    KeyedLog,
    is_control,
    is_marker,
    remove_batch,
    remove_record,
)
from tierproof.model.kafka.local_segments import next_base
from tierproof.model.kafka.offset_map import KeyMap
from tierproof.model.language import NONE


def clean_group(
    map: KeyMap,
    read: CleanedTransactions,
    log: KeyedLog,
    first_base: int,
    end_offset: int,
    now: int,
    delete_retention_ms: int,
) -> None:
    """Cleaner#cleanSegments: the segments up to `end_offset` become one, as old as the last."""
    base = first_base
    while base != NONE and base < end_offset:
        following = next_base(log, base)
        end = end_offset if following == NONE else following
        clean_segment(map, read, log, base, end, now, delete_retention_ms)
        log.modified_ms[first_base] = log.modified_ms[base]
        base = following
    merge_group(log, first_base, end_offset)


def clean_segment(
    map: KeyMap,
    read: CleanedTransactions,
    log: KeyedLog,
    base: int,
    end_offset: int,
    now: int,
    delete_retention_ms: int,
) -> None:
    """Cleaner#cleanInto of one segment, which ends before `end_offset`."""
    collect_aborted(read, log, base, end_offset)
    for at in range(base, end_offset):
        if is_control(log.batch[at].kind):
            _clean_control_batch(read, log, at, now, delete_retention_ms)
        elif log.batch[at].kind == BatchKind.DATA:
            _clean_data_batch(map, read, log, at, now, delete_retention_ms)


def _clean_control_batch(
    read: CleanedTransactions, log: KeyedLog, base: int, now: int, delete_retention_ms: int
) -> None:
    """A marker stays while its transaction has a batch, and then until its horizon.

    The cleaned transaction index gets the entry of an aborted transaction while it has one.
    """
    batch = log.batch[base]
    is_deletable = reads_deletable_marker(read, log, base)
    if is_deletable:
        batch.has_index_entry = False
        batch.index_stable_offset = 0
    if not is_marker(batch.kind) or not is_marker_kept(
        is_deletable, is_horizon_over(batch.horizon, now)
    ):
        _empty_batch(log, base)
    elif gets_horizon(batch.horizon != NONE, False, is_deletable):
        batch.horizon = delete_horizon(now, delete_retention_ms)


def _clean_data_batch(
    map: KeyMap,
    read: CleanedTransactions,
    log: KeyedLog,
    base: int,
    now: int,
    delete_retention_ms: int,
) -> None:
    """The records of an aborted batch go, above the end of the map too; of others, some."""
    batch = log.batch[base]
    is_aborted = reads_aborted_batch(read, log, base)
    is_late = is_horizon_over(batch.horizon, now)
    keeps_record, keeps_tombstone = False, False
    for offset in range(base, batch.last_offset + 1):
        if not log.record[offset].is_there:
            continue
        if is_aborted or not _is_kept(map, log, offset, is_late):
            remove_record(log.record[offset])
        else:
            keeps_record = True
            keeps_tombstone = keeps_tombstone or log.record[offset].value == NONE
    if not keeps_record:
        _empty_batch(log, base)
    elif gets_horizon(batch.horizon != NONE, keeps_tombstone, False):
        batch.horizon = delete_horizon(now, delete_retention_ms)


def _is_kept(map: KeyMap, log: KeyedLog, offset: int, is_late: bool) -> bool:
    record = log.record[offset]
    mapped_offset = NONE if record.key == NONE else map.mapped_offset[record.key]
    return is_record_kept(
        offset,
        record.key != NONE,
        record.value == NONE,
        mapped_offset,
        map.map_latest_offset,
        is_late,
    )


def _empty_batch(log: KeyedLog, base: int) -> None:
    """A batch without records is removed, unless it is retained empty.

    It then has no horizon, and a control batch has no type.
    """
    batch = log.batch[base]
    if not is_retained_empty(log, base):
        remove_batch(batch)
        return
    batch.horizon = NONE
    if is_control(batch.kind):
        batch.kind = BatchKind.EMPTY_CONTROL


def is_retained_empty(log: KeyedLog, base: int) -> bool:
    """BatchRetention.RETAIN_EMPTY: for its producer, or because the high watermark follows it."""
    batch = log.batch[base]
    if ends_at_high_watermark(batch.last_offset, log.high_watermark):
        return True
    if batch.producer == NONE:
        return False
    entry = log.producer[batch.producer]
    return is_last_of_producer(
        batch.last_offset,
        is_control(batch.kind),
        batch.epoch,
        entry.is_known,
        entry.last_data_offset,
        entry.epoch,
    )


def merge_group(log: KeyedLog, first_base: int, end_offset: int) -> None:
    """LocalLog#replaceSegments: one segment stands for all that begin before `end_offset`."""
    for base in range(first_base + 1, end_offset):
        log.starts_segment[base] = False
