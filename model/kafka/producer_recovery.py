"""How producer state is built again: from the newest snapshot in range, and the log after it.

Each function wants the log as it is by then: cut, emptied, or read from the disk, with its
log start. `remembered` is how many batches a broker remembers of a producer; `now` and
`expiration_ms` decide which producers of a snapshot have expired.
UnifiedLog#rebuildProducerState, LogLoader, ProducerStateManager, TierStateMachine.
Left out: torn tails, transactions that ended but whose marker is not below the high watermark.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.local_segments import floor_base, next_base, segment_end
from tierproof.model.kafka.producer_entries import (
    NEVER_MS,
    REMEMBERED_BATCHES,
    forget_entries,
    forget_entry,
    has_expired,
    last_data_offset,
    remember_batch,
)
from tierproof.model.kafka.producer_replay import breaks_transaction, load_producers
from tierproof.model.kafka.producer_snapshots import (
    copy_from_snapshot,
    latest_snapshot,
    reload_snapshots,
    remove_all_snapshots,
    remove_snapshot,
    remove_stray_snapshots,
    take_snapshot_after,
    write_snapshot,
)
from tierproof.model.kafka.producer_state import (
    ProducerEntry,
    ProducerLog,
    ProducerSnapshot,
    SnapshotEntry,
    SnapshotFile,
)
from tierproof.model.language import NONE


class Rebuilt(IntEnum):
    """How building producer state ended; all but DONE are exceptions."""

    DONE = 0
    SNAPSHOT_GONE = 1
    """The manager knows of a snapshot whose file is gone: KafkaStorageException."""
    INVALID_TXN_STATE = 2
    """The log has data outside a transaction that is open by the state."""


# -- when the log is cut


def raise_log_start_of_producers(log: ProducerLog) -> None:
    """ProducerStateManager#onLogStartOffsetIncremented; no producer is forgotten."""
    log.producer_map_end = max(log.producer_map_end, log.log_start_offset)


def truncate_producers(
    log: ProducerLog,
    offset: int,
    remembered: int = REMEMBERED_BATCHES,
    now: int = 0,
    expiration_ms: int = NEVER_MS,
) -> Rebuilt:
    """The state after UnifiedLog#truncateTo has cut the log at `offset`."""
    return rebuild_producer_state(log, log.log_start_offset, offset, remembered, now, expiration_ms)


def truncate_producers_fully(log: ProducerLog, offset: int) -> None:
    """The state after UnifiedLog#truncateFullyAndStartAt: no producer, and an empty snapshot.

    The empty snapshot is written only if the log starts below `offset`.
    """
    start_producers_at(log, offset)
    rebuild_producer_state(log, log.log_start_offset, offset, 0, 0, 0)


def start_producers_at(log: ProducerLog, offset: int) -> None:
    """ProducerStateManager#truncateFullyAndStartAt: removes producers and known snapshots."""
    forget_entries(log)
    remove_all_snapshots(log)
    log.producer_map_end = offset


# -- when the broker starts


def load_producers_after_shutdown(
    log: ProducerLog,
    remembered: int = REMEMBERED_BATCHES,
    now: int = 0,
    expiration_ms: int = NEVER_MS,
) -> Rebuilt:
    """LogLoader#load after a clean shutdown. Without any snapshot the log is not scanned.

    Empty snapshots are then taken at the last two segments and at the log end.
    """
    forget_entries(log)
    log.producer_map_end = 0
    remove_stray_snapshots(log)
    if latest_snapshot(log) != NONE:
        return rebuild_producer_state(
            log, log.log_start_offset, log.log_end_offset, remembered, now, expiration_ms
        )
    active = floor_base(log, log.log_end_offset)
    write_empty_snapshot(log, floor_base(log, active - 1))
    write_empty_snapshot(log, active)
    write_empty_snapshot(log, log.log_end_offset)
    return Rebuilt.DONE


def write_empty_snapshot(log: ProducerLog, offset: int) -> None:
    """The state covers the log up to `offset`, and has a snapshot there; none is taken at 0."""
    log.producer_map_end = offset
    if offset > 0:
        write_snapshot(log, offset)


def load_producers_after_crash(
    log: ProducerLog,
    recovery_point: int,
    log_start_checkpoint: int,
    remembered: int = REMEMBERED_BATCHES,
    now: int = 0,
    expiration_ms: int = NEVER_MS,
) -> Rebuilt:
    """LogLoader#load after an unclean shutdown: every segment from the recovery point on.

    Those segments are recovered one by one, which removes the snapshots after each and takes
    them again. `log_start_checkpoint` can be below the log start of the loaded log.
    """
    base = floor_base(log, recovery_point)
    while base != NONE:
        ended = recover_segment(log, base, log_start_checkpoint, remembered, now, expiration_ms)
        if ended != Rebuilt.DONE:
            return ended
        base = next_base(log, base)
    forget_entries(log)
    log.producer_map_end = 0
    remove_stray_snapshots(log)
    return rebuild_producer_state(
        log, log.log_start_offset, log.log_end_offset, remembered, now, expiration_ms
    )


def recover_segment(
    log: ProducerLog,
    base: int,
    log_start_offset: int,
    remembered: int,
    now: int,
    expiration_ms: int,
) -> Rebuilt:
    """LogLoader#recoverSegment, with a manager of its own that reads the directory."""
    forget_entries(log)
    log.producer_map_end = 0
    reload_snapshots(log)
    ended = rebuild_producer_state(log, log_start_offset, base, remembered, now, expiration_ms)
    if ended != Rebuilt.DONE:
        return ended
    for at in range(base, segment_end(log, base)):
        if log.batch[at].kind != BatchKind.ABSENT:
            if breaks_transaction(log, at):
                return Rebuilt.INVALID_TXN_STATE
            remember_batch(log, at, remembered)
    take_snapshot_after(log, log_start_offset)
    return Rebuilt.DONE


# -- when a follower begins on the remote tier


def rebuild_on_remote_tier(
    log: ProducerLog,
    offset: int,
    fetched: Sequence[SnapshotEntry],
    remembered: int = REMEMBERED_BATCHES,
    now: int = 0,
    expiration_ms: int = NEVER_MS,
) -> Rebuilt:
    """What a follower does with the fetched snapshot, after its log was emptied at `offset`.

    Kafka: TierStateMachine#buildRemoteLogAuxState. Emptying the log registers a snapshot at
    `offset`; the fetched one takes its place; the reload removes it as it is registered. So no
    producer is known in the end, whatever was fetched.
    """
    truncate_producers_fully(log, offset)
    place_snapshot(log, offset, fetched)
    return reload_and_rebuild(log, offset, remembered, now, expiration_ms)


def rebuild_on_remote_tier_as_intended(
    log: ProducerLog,
    offset: int,
    fetched: Sequence[SnapshotEntry],
    remembered: int = REMEMBERED_BATCHES,
    now: int = 0,
    expiration_ms: int = NEVER_MS,
) -> Rebuilt:
    """As `rebuild_on_remote_tier`, but nothing is registered when the fetched file is placed.

    So the reload finds the file, and its producers are known in the end.
    """
    truncate_producers_fully(log, offset)
    start_producers_at(log, offset)
    place_snapshot(log, offset, fetched)
    return reload_and_rebuild(log, offset, remembered, now, expiration_ms)


def place_snapshot(log: ProducerLog, offset: int, fetched: Sequence[SnapshotEntry]) -> None:
    """TierStateMachine#buildProducerSnapshotFile: moves the fetched file into the directory."""
    snapshot = log.snapshot[offset]
    snapshot.file = SnapshotFile.READABLE
    for producer in range(len(snapshot.producer)):
        snapshot.producer[producer] = fetched[producer]


def reload_and_rebuild(
    log: ProducerLog, offset: int, remembered: int, now: int, expiration_ms: int
) -> Rebuilt:
    """ProducerStateManager#truncateFullyAndReloadSnapshots, UnifiedLog#loadProducerState."""
    start_producers_at(log, 0)
    reload_snapshots(log)
    return rebuild_producer_state(log, log.log_start_offset, offset, remembered, now, expiration_ms)


# -- when a follower begins at the log start


def take_over_producers(log: ProducerLog, leader: ProducerLog, offset: int) -> None:
    """The empty log, which begins at `offset`, knows the producers that the leader has from below.

    Kafka: none. What a producer wrote from `offset` on is fetched with the records.
    """
    for producer in range(len(log.producer)):
        log.producer[producer] = leader.producer[producer]  # type: ignore[index]
        forget_from(log.producer[producer], offset)
    log.producer_map_end = offset
    write_snapshot(log, offset)


def forget_from(entry: ProducerEntry, offset: int) -> None:
    """The entry has no batch, and no open transaction, of `offset` or later."""
    had = len(entry.batches)
    while last_data_offset(entry) >= offset:
        entry.batches.pop()
    if had > 0 and len(entry.batches) == 0:
        forget_entry(entry)
    elif entry.transaction_start >= offset:
        entry.transaction_start = NONE


# -- building


def rebuild_producer_state(
    log: ProducerLog,
    log_start_offset: int,
    last_offset: int,
    remembered: int,
    now: int,
    expiration_ms: int,
) -> Rebuilt:
    """UnifiedLog#rebuildProducerState, up to `last_offset`; ends with a snapshot there.

    A log that had no producers before it was cut is not scanned.
    """
    has_none = knows_nobody(log) and log.producer_map_end >= last_offset
    ended = truncate_and_reload(log, log_start_offset, last_offset, now, expiration_ms)
    if ended == Rebuilt.DONE and last_offset > log.producer_map_end and not has_none:
        ended = scan_segments(log, log_start_offset, last_offset, remembered)
    if ended == Rebuilt.DONE:
        log.producer_map_end = last_offset
        take_snapshot_after(log, log_start_offset)
    return ended


def knows_nobody(log: ProducerLog) -> bool:
    """ProducerStateManager#isEmpty."""
    return not any(entry.is_known for entry in log.producer)


def truncate_and_reload(
    log: ProducerLog, log_start_offset: int, last_offset: int, now: int, expiration_ms: int
) -> Rebuilt:
    """ProducerStateManager#truncateAndReload: snapshots out of range are removed.

    The entries are those of the latest snapshot that is left, unless they covered the log up
    to `last_offset` before.
    """
    for offset in range(len(log.snapshot)):
        if is_out_of_range(offset, log_start_offset, last_offset):
            remove_snapshot(log, offset)
    if log.producer_map_end == last_offset:
        log.producer_map_end = max(log.producer_map_end, log_start_offset)
        return Rebuilt.DONE
    forget_entries(log)
    return load_from_snapshot(log, log_start_offset, now, expiration_ms)


def is_out_of_range(offset: int, log_start_offset: int, last_offset: int) -> bool:
    """The snapshot is beyond the end, or at or below the log start: no batch is left before it."""
    return offset > last_offset or offset <= log_start_offset


def load_from_snapshot(
    log: ProducerLog, log_start_offset: int, now: int, expiration_ms: int
) -> Rebuilt:
    """ProducerStateManager#loadFromSnapshot: the latest one that is readable.

    One that is corrupt is removed. Expired producers are left out.
    """
    latest = latest_snapshot(log)
    while latest != NONE and is_unusable(log.snapshot[latest]):
        remove_snapshot(log, latest)
        latest = latest_snapshot(log)
    if latest == NONE:
        log.producer_map_end = log_start_offset
        return Rebuilt.DONE
    if log.snapshot[latest].file == SnapshotFile.ABSENT:
        return Rebuilt.SNAPSHOT_GONE
    for producer in range(len(log.producer)):
        written = log.snapshot[latest].producer[producer]
        if written.is_known and not has_expired(
            written.transaction_start, written.timestamp, now, expiration_ms
        ):
            copy_from_snapshot(log.producer[producer], written)
    log.producer_map_end = latest
    return Rebuilt.DONE


def is_unusable(snapshot: ProducerSnapshot) -> bool:
    """An older snapshot is loaded instead, and this one is removed."""
    return is_corrupt(snapshot)


def is_corrupt(snapshot: ProducerSnapshot) -> bool:
    """CorruptSnapshotException: the file cannot be read."""
    return snapshot.file == SnapshotFile.CORRUPT


def scan_segments(
    log: ProducerLog, log_start_offset: int, last_offset: int, remembered: int
) -> Rebuilt:
    """Reads every segment from the map end on, as one read each.

    A snapshot is taken before the last segment and before the one before it.
    """
    active = floor_base(log, log.log_end_offset)
    base = floor_base(log, log.producer_map_end)
    while base != NONE and base < last_offset:
        start = max(base, log.producer_map_end, log_start_offset)
        log.producer_map_end = start
        if base == active or next_base(log, base) == active:
            take_snapshot_after(log, log_start_offset)
        if not load_producers(log, base, start, segment_end(log, base), remembered):
            return Rebuilt.INVALID_TXN_STATE
        base = next_base(log, base)
    return Rebuilt.DONE
