"""A producer snapshot that is made from the batches of a log, without the broker's own state.

The entries are what a ProducerStateManager has that was empty before it read the batches.
"""

from __future__ import annotations

from collections.abc import Sequence

from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.kafka.producer_entries import batch_last_sequence, has_marker
from tierproof.model.kafka.producer_snapshots import forget_snapshot_entry
from tierproof.model.kafka.producer_state import ProducerBatch, ProducerLog, SnapshotEntry
from tierproof.model.kafka.snapshot_copy import has_registered_snapshot
from tierproof.model.language import NONE


def replay_into_snapshot(
    snapshot: Sequence[SnapshotEntry], log: ProducerLog, first: int, end: int
) -> None:
    """The producers of the batches that begin in `first` to `end` - 1, each with its last one."""
    for written in snapshot:
        forget_snapshot_entry(written)
    replay_batches(snapshot, log, first, end)


def continue_newest_snapshot(log: ProducerLog, end: int, first: int) -> None:
    """The snapshot of `end` has the entries of the newest one before it, and the batches since.

    Where there is no snapshot, it has the batches from `first` on.
    """
    newest = newest_snapshot_before(log, end)
    snapshot = log.snapshot[end].producer
    for producer in range(len(snapshot)):
        if newest == NONE:
            forget_snapshot_entry(snapshot[producer])
        else:
            snapshot[producer] = log.snapshot[newest].producer[producer]
    replay_batches(snapshot, log, first if newest == NONE else max(newest, first_base(log)), end)


def newest_snapshot_before(log: ProducerLog, end: int) -> int:
    """The newest snapshot that can be read, of the log start or later, or NONE."""
    for offset in range(end - 1, log.log_start_offset - 1, -1):
        if has_registered_snapshot(log, offset):
            return offset
    return NONE


def replay_batches(
    snapshot: Sequence[SnapshotEntry], log: ProducerLog, first: int, end: int
) -> None:
    """The snapshot goes on with the batches that begin in `first` to `end` - 1."""
    for base in range(first, end):
        batch = log.batch[base]
        if batch.kind != BatchKind.ABSENT and batch.producer != NONE:
            replay_batch(snapshot[batch.producer], batch, base)


def replay_batch(written: SnapshotEntry, batch: ProducerBatch, base: int) -> None:
    """What a snapshot says of the producer after the batch at `base`."""
    if not written.is_known or written.epoch != batch.epoch:
        written.first_sequence = NONE
        written.last_sequence = NONE
        written.last_offset = NONE
    written.is_known = True
    written.epoch = batch.epoch
    written.timestamp = batch.timestamp
    if has_marker(batch):
        written.coordinator_epoch = batch.coordinator_epoch
        written.transaction_start = NONE
        return
    written.first_sequence = batch.first_sequence
    written.last_sequence = batch_last_sequence(batch, base)
    written.last_offset = batch.last_offset
    if batch.is_transactional and written.transaction_start == NONE:
        written.transaction_start = base
