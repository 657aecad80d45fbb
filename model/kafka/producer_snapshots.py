"""Snapshot files of producer state: when one is written, which ones are removed.

The running manager has a map of the files that it knows of. A file that somebody else put into
the directory is not in it, and one that somebody else removed stays in it.
ProducerStateManager, SnapshotFile.
"""

from __future__ import annotations

from tierproof.model.kafka.local_segments import floor_base
from tierproof.model.kafka.producer_entries import forget_entry
from tierproof.model.kafka.producer_state import (
    ProducerEntry,
    ProducerLog,
    ProducerSnapshot,
    RememberedBatch,
    SnapshotEntry,
    SnapshotFile,
)
from tierproof.model.language import NONE


def has_snapshot(log: ProducerLog, offset: int) -> bool:
    """ProducerStateManager#fetchSnapshot: the manager knows of one, be its file there or not."""
    return log.snapshot[offset].is_registered


def latest_snapshot(log: ProducerLog) -> int:
    """ProducerStateManager#latestSnapshotOffset: NONE if the manager knows of no snapshot."""
    for offset in range(len(log.snapshot) - 1, -1, -1):
        if log.snapshot[offset].is_registered:
            return offset
    return NONE


# -- writing


def take_snapshot(log: ProducerLog) -> None:
    """ProducerStateManager#takeSnapshot, at a roll, a clean close and the end of a rebuild.

    The last snapshot is the latest one, or without any the log start; an older map end is not
    written again.
    """
    take_snapshot_after(log, log.log_start_offset)


def take_snapshot_after(log: ProducerLog, log_start_offset: int) -> None:
    """Takes a snapshot as `take_snapshot` does, of a log that begins at `log_start_offset`."""
    if log.producer_map_end > last_snapshot_offset(log, log_start_offset):
        write_snapshot(log, log.producer_map_end)


def last_snapshot_offset(log: ProducerLog, log_start_offset: int) -> int:
    """ProducerStateManager#lastSnapOffset: without any snapshot it is the log start."""
    latest = latest_snapshot(log)
    return log_start_offset if latest == NONE else latest


def write_snapshot(log: ProducerLog, offset: int) -> None:
    """ProducerStateManager#writeSnapshot: the entries in memory, with their last batch alone."""
    snapshot = log.snapshot[offset]
    snapshot.file = SnapshotFile.READABLE
    snapshot.is_registered = True
    for producer in range(len(log.producer)):
        copy_to_snapshot(snapshot.producer[producer], log.producer[producer])


def copy_to_snapshot(written: SnapshotEntry, entry: ProducerEntry) -> None:
    """A producer as a snapshot has it."""
    forget_snapshot_entry(written)
    written.is_known = entry.is_known
    written.epoch = entry.epoch
    written.timestamp = entry.timestamp
    written.coordinator_epoch = entry.coordinator_epoch
    written.transaction_start = entry.transaction_start
    count = len(entry.batches)
    if count > 0:
        last = entry.batches[count - 1]
        written.first_sequence = last.first_sequence
        written.last_sequence = last.last_sequence
        written.last_offset = last.last_offset


def copy_from_snapshot(entry: ProducerEntry, written: SnapshotEntry) -> None:
    """ProducerStateManager#loadProducerEntry."""
    forget_entry(entry)
    entry.is_known = written.is_known
    entry.epoch = written.epoch
    entry.timestamp = written.timestamp
    entry.coordinator_epoch = written.coordinator_epoch
    entry.transaction_start = written.transaction_start
    if written.last_offset != NONE:
        entry.batches.append(
            RememberedBatch(
                first_sequence=written.first_sequence,
                last_sequence=written.last_sequence,
                last_offset=written.last_offset,
            )
        )


# -- removing


def forget_snapshot_entry(written: SnapshotEntry) -> None:
    """A snapshot does not have the producer."""
    written.is_known = False
    written.epoch = NONE
    written.first_sequence = NONE
    written.last_sequence = NONE
    written.last_offset = NONE
    written.timestamp = 0
    written.coordinator_epoch = NONE
    written.transaction_start = NONE


def lose_file(snapshot: ProducerSnapshot) -> None:
    """The file is gone from the directory, whatever the manager knows."""
    snapshot.file = SnapshotFile.ABSENT
    for written in snapshot.producer:
        forget_snapshot_entry(written)


def remove_snapshot(log: ProducerLog, offset: int) -> None:
    """ProducerStateManager#removeAndDeleteSnapshot: a file that it does not know of stays."""
    snapshot = log.snapshot[offset]
    if snapshot.is_registered:
        snapshot.is_registered = False
        lose_file(snapshot)


def remove_snapshots_of(log: ProducerLog, first: int, end: int) -> None:
    """UnifiedLog#deleteProducerSnapshots, with the segments that begin in `first` to `end` - 1."""
    for base in range(first, end):
        if log.starts_segment[base]:
            remove_snapshot(log, base)


def remove_all_snapshots(log: ProducerLog) -> None:
    """Removes every snapshot that the manager knows of."""
    for offset in range(len(log.snapshot)):
        remove_snapshot(log, offset)


# -- files that somebody else changes


def empty_snapshot(snapshot: ProducerSnapshot) -> None:
    """The file is a snapshot without producers; the running manager is not told."""
    lose_file(snapshot)
    snapshot.file = SnapshotFile.READABLE


def register_empty_snapshot(snapshot: ProducerSnapshot) -> None:
    """As `empty_snapshot`, and the running manager is told."""
    empty_snapshot(snapshot)
    snapshot.is_registered = True


def corrupt_snapshot(snapshot: ProducerSnapshot) -> None:
    """The file cannot be read; the running manager is not told."""
    lose_file(snapshot)
    snapshot.file = SnapshotFile.CORRUPT


# -- reading the directory


def reload_snapshots(log: ProducerLog) -> None:
    """ProducerStateManager#loadSnapshots: the manager knows of what is in the directory."""
    for snapshot in log.snapshot:
        snapshot.is_registered = snapshot.file != SnapshotFile.ABSENT


def remove_stray_snapshots(log: ProducerLog) -> None:
    """ProducerStateManager#removeStraySnapshots, of the directory as it is.

    A snapshot at no segment's base is a stray one. The latest of them stays if it is above the
    last segment's base: it is that of a clean shutdown.
    """
    reload_snapshots(log)
    active = floor_base(log, log.log_end_offset)
    latest_stray = NONE
    for offset in range(len(log.snapshot)):
        if log.snapshot[offset].is_registered and not log.starts_segment[offset]:
            if latest_stray != NONE:
                remove_snapshot(log, latest_stray)
            latest_stray = offset
    if latest_stray != NONE and latest_stray < active:
        remove_snapshot(log, latest_stray)
