"""What a broker would know of a producer after a restart or a truncation, by its disk.

Written anew, apart from the mechanism that designs run, so that a property can compare what a
step does to each recovery that has not happened; the mechanism is only asked which snapshots a
load deletes. An entry is (epoch, last sequence); the epoch is NONE if the producer is not known.
UnifiedLog#rebuildProducerState, LogLoader#load. Left out: producers that expire meanwhile, files
that are gone though the manager knows of them, a log without producers, which a truncation does
not scan.
"""

from __future__ import annotations

from tierproof.invariants.producer_fields import ProducingBroker
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.local_segments import floor_base
from tierproof.model.kafka.producer_recovery import is_out_of_range
from tierproof.model.kafka.producer_state import (
    ProducerEntry,
    ProducerLog,
    SnapshotEntry,
    SnapshotFile,
)
from tierproof.model.language import NONE


def known_entry(entry: ProducerEntry) -> tuple[int, int]:
    """The epoch and the last sequence that memory has."""
    if not entry.is_known:
        return NONE, NONE
    count = len(entry.batches)
    return entry.epoch, entry.batches[count - 1].last_sequence if count > 0 else NONE


def stored_entry(written: SnapshotEntry) -> tuple[int, int]:
    """The epoch and the last sequence that a snapshot has."""
    if not written.is_known:
        return NONE, NONE
    return written.epoch, written.last_sequence


def newest_snapshot(log: ProducerLog, end_offset: int) -> int:
    """The newest readable snapshot that a load up to the end does not delete, or NONE."""
    for offset in range(end_offset, -1, -1):
        is_kept = not is_out_of_range(offset, log.log_start_offset, end_offset)
        if is_kept and log.snapshot[offset].file == SnapshotFile.READABLE:
            return offset
    return NONE


def recovered_entry(
    log: ProducerLog, producer: int, snapshot_end: int, end_offset: int
) -> tuple[int, int]:
    """The entry by the newest snapshot up to `snapshot_end`, and the log from it to the end."""
    base = newest_snapshot(log, snapshot_end)
    epoch, sequence, start = NONE, NONE, log.log_start_offset
    if base != NONE:
        epoch, sequence = stored_entry(log.snapshot[base].producer[producer])
        start = base
    for offset in range(start, end_offset):
        batch = log.batch[offset]
        if batch.kind != BatchKind.ABSENT and batch.producer == producer:
            if batch.epoch != epoch:
                sequence = NONE
            epoch = batch.epoch
            if batch.kind == BatchKind.DATA:
                sequence = batch.first_sequence + batch.last_offset - offset
    return epoch, sequence


def entry_after_truncation(log: ProducerLog, producer: int, end_offset: int) -> tuple[int, int]:
    """The entry once the log is cut at an offset."""
    return recovered_entry(log, producer, end_offset, end_offset)


def entry_after_crash(log: ProducerLog, producer: int) -> tuple[int, int]:
    """The entry after an unclean restart, which removes snapshots within the active segment."""
    active = floor_base(log, log.log_end_offset)
    return recovered_entry(log, producer, active, log.log_end_offset)


def is_closed_with_snapshot(log: ProducerLog) -> bool:
    """A clean shutdown takes a snapshot, as the state covers more than the latest one."""
    for offset in range(len(log.snapshot) - 1, -1, -1):
        if log.snapshot[offset].is_registered:
            return log.producer_map_end > offset
    return log.producer_map_end > log.log_start_offset


def entry_after_shutdown(log: ProducerLog, producer: int) -> tuple[int, int]:
    """The entry after a clean restart, which without any snapshot does not scan the log."""
    if is_closed_with_snapshot(log):
        return known_entry(log.producer[producer])
    if newest_snapshot(log, log.log_end_offset) == NONE:
        return NONE, NONE
    return recovered_entry(log, producer, log.log_end_offset, log.log_end_offset)


def recover_the_same(before: ProducingBroker, after: ProducingBroker, producer: int) -> bool:
    """Each recovery of a log that has not changed leads to the same entry.

    Recoveries are a crash, a clean restart, and a truncation down to the high watermark.
    """
    if entry_after_crash(before, producer) != entry_after_crash(after, producer):
        return False
    if entry_after_shutdown(before, producer) != entry_after_shutdown(after, producer):
        return False
    return all(
        entry_after_truncation(before, producer, n) == entry_after_truncation(after, producer, n)
        for n in range(before.high_watermark, before.log_end_offset)
    )
