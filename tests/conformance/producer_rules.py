"""Rules that are not Kafka's, each with a recorded history that tells the difference."""

from tierproof.model.designs.producer_state import appending, rebuilding, restarting, storing
from tierproof.model.kafka import (
    producer_entries,
    producer_recovery,
    producer_snapshots,
    producer_validation,
)
from tierproof.model.kafka.producer_entries import last_sequence
from tierproof.model.kafka.producer_recovery import Rebuilt
from tierproof.model.kafka.producer_validation import AppendAnswer
from tierproof.model.language import NONE

find_duplicate = producer_validation.duplicate_of


def unknown_producers_begin_with_0(entry, epoch, first_sequence):
    """UNKNOWN_PRODUCER_ID, as it was once."""
    if not entry.is_known:
        return first_sequence == 0
    return first_sequence == (last_sequence(entry) + 1 if epoch == entry.epoch else 0)


def anything_after_a_marker(entry, epoch, first_sequence):
    """A producer of which only a marker is known begins with any sequence."""
    last = last_sequence(entry)
    if not entry.is_known or last == NONE:
        return True
    return first_sequence == (last + 1 if epoch == entry.epoch else 0)


def last_batch_alone(entry, epoch, first_sequence, last_sequence):
    """Only the last batch is told to be a duplicate."""
    found = find_duplicate(entry, epoch, first_sequence, last_sequence)
    return found if found == len(entry.batches) - 1 else NONE


def strict_markers(log, producer, epoch, coordinator_epoch, transaction_version):
    """No marker of version 2 is written twice."""
    entry = log.producer[producer]
    if epoch < entry.epoch + (transaction_version >= 2):
        return AppendAnswer.INVALID_PRODUCER_EPOCH
    if coordinator_epoch < entry.coordinator_epoch:
        return AppendAnswer.TRANSACTION_COORDINATOR_FENCED
    return AppendAnswer.APPENDED


def lax_markers(log, producer, epoch, coordinator_epoch, transaction_version):
    """A marker of version 2 may have the epoch of the data; no coordinator is fenced."""
    is_old = epoch < log.producer[producer].epoch
    return AppendAnswer.INVALID_PRODUCER_EPOCH if is_old else AppendAnswer.APPENDED


def no_scan(log, log_start_offset, last_offset, remembered):
    """Only the snapshot is loaded."""
    return Rebuilt.DONE


def no_recovery(log, base, log_start_offset, remembered, now, expiration_ms):
    """No segment is recovered."""
    return Rebuilt.DONE


def scan_as_after_a_crash(log, remembered, now, expiration_ms):
    """Without a snapshot a clean restart reads the log."""
    producer_entries.forget_entries(log)
    log.producer_map_end = 0
    producer_snapshots.remove_stray_snapshots(log)
    ends = log.log_start_offset, log.log_end_offset
    return producer_recovery.rebuild_producer_state(log, *ends, remembered, now, expiration_ms)


def as_intended(*given):
    """The fetched snapshot stays."""
    return producer_recovery.rebuild_on_remote_tier_as_intended(*given)


def accepts(*given):
    """The follower's answer is always the same."""
    return AppendAnswer.APPENDED


OTHERS = {
    "unknown producers begin with 0": (
        ("restart-1024", producer_validation),
        ("is_next_sequence", unknown_producers_begin_with_0),
    ),
    "any sequence after a marker alone": (
        ("idempotent-1259", producer_validation),
        ("is_next_sequence", anything_after_a_marker),
    ),
    "the last batch alone is a duplicate": (
        ("idempotent-1054", producer_validation),
        ("duplicate_of", last_batch_alone),
    ),
    "no sequence follows the largest": (
        ("idempotent-1259", producer_validation),
        ("SEQUENCES", 0),
    ),
    "a batch does not end beyond the largest sequence": (
        ("idempotent-1259", producer_entries),
        ("later_sequence", lambda sequence, records: sequence + records),
    ),
    "data outside of the open transaction": (
        ("restart-1048", producer_validation),
        ("validate_replicated_batch", accepts),
    ),
    "a marker of version 2 is never written again": (
        ("rebuild-1026", appending),
        ("validate_marker", strict_markers),
    ),
    "a marker of version 2 in the epoch of its data": (
        ("rebuild-1022", appending),
        ("validate_marker", lax_markers),
    ),
    "expiry one millisecond later": (
        ("rebuild-1256", producer_entries),
        ("has_expired", lambda start, at, now, ms: start == NONE and now - at > ms),
    ),
    "expiry within a transaction": (
        ("rebuild-1165", producer_entries),
        ("has_expired", lambda start, at, now, ms: now - at >= ms),
    ),
    "expired producers are loaded": (
        ("rebuild-1172", producer_recovery),
        ("has_expired", lambda *given: False),
    ),
    "the last stable offset is the log start": (
        ("rebuild-1178", producer_entries),
        ("base_containing", lambda log, offset: offset),
    ),
    "a log without producers is read": (
        ("rebuild-1008", producer_recovery),
        ("knows_nobody", lambda log: False),
    ),
    "the log is not read": (
        ("rebuild-1307", producer_recovery),
        ("scan_segments", no_scan),
    ),
    "no segment is recovered": (
        ("restart-1069", producer_recovery),
        ("recover_segment", no_recovery),
    ),
    "stray snapshots stay": (
        ("restart-1061", producer_recovery),
        ("remove_stray_snapshots", producer_snapshots.reload_snapshots),
    ),
    "a clean restart without snapshots reads the log": (
        ("restart-1099", restarting),
        ("load_producers_after_shutdown", scan_as_after_a_crash),
    ),
    "snapshots of deleted segments stay": (
        ("rebuild-1051", storing),
        ("remove_snapshots_of", lambda log, first, end: None),
    ),
    "a follower keeps the fetched snapshot": (
        ("rebuild-1016", rebuilding),
        ("rebuild_on_remote_tier", as_intended),
    ),
    "snapshots are taken again": (
        ("restart-1000", producer_snapshots),
        ("latest_snapshot", lambda log: NONE),
    ),
}
"""Title -> (row, module), (function of the module, what stands in its place)."""
