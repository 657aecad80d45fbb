"""Which transactions a pass of the cleaner has read into, and which of them were aborted.

Each of the two passes reads batches in order. It knows the aborted transactions from the
transaction index, holds a producer to be aborting from the first offset of such a transaction
until its next ABORT marker, and asks of a marker whether a batch came before it.
CleanedTransactionMetadata; LocalLog#collectAbortedTransactions.
Left out: that the index is read no further than its first entry with a later last stable
offset (no later entry can begin before the end).
"""

from __future__ import annotations

from typing import Annotated

from tierproof.model.kafka.cleaner_retention import is_marker_deletable
from tierproof.model.kafka.keyed_log import BatchKind, KeyedLog, KeyedScope, OptionalOffset
from tierproof.model.kafka.local_segments import floor_base
from tierproof.model.language import NONE, Array, Record, Set

Producers = Annotated[set[int], Set(KeyedScope.producers)]


class CleanedTransactions(Record):
    """What a pass has collected and read; blank between passes.

    `is_pending[marker]`: the aborted transaction of that marker was collected, and the pass has
    not come to it. `aborted_by[producer]` is the marker of the aborted transaction in which the
    pass is. `has_aborted_batch` and `has_committed_batch` are the producers of which it has
    seen a batch since their last marker.
    """

    is_pending: Annotated[list[bool], Array(KeyedScope.offsets)]
    aborted_by: Annotated[list[OptionalOffset], Array(KeyedScope.producers)]
    has_aborted_batch: Producers
    has_committed_batch: Producers


def forget_transactions(read: CleanedTransactions) -> None:
    """A pass begins, or is over."""
    for marker in range(len(read.is_pending)):
        read.is_pending[marker] = False
    for producer in range(len(read.aborted_by)):
        read.aborted_by[producer] = NONE
    read.has_aborted_batch = set()
    read.has_committed_batch = set()


def collect_aborted(
    read: CleanedTransactions, log: KeyedLog, start_offset: int, end_offset: int
) -> None:
    """UnifiedLog#collectAbortedTransactions: those in the indexes of these segments.

    From the segment that contains `start_offset` on, be their markers before it or not; they
    begin before `end_offset` and end at the log start or later.
    """
    lowest = max(floor_base(log, start_offset), log.log_start_offset)
    for marker in range(lowest, log.log_end_offset):
        batch = log.batch[marker]
        if batch.has_index_entry and batch.transaction_first < end_offset:
            read.is_pending[marker] = True


def reach(read: CleanedTransactions, log: KeyedLog, offset: int) -> None:
    """The pass has come to a batch that ends at `offset`: later transactions stay pending.

    A producer that is held to be aborting stays so by the transaction that it was found in.
    """
    for marker in range(len(read.is_pending)):
        if read.is_pending[marker] and log.batch[marker].transaction_first <= offset:
            read.is_pending[marker] = False
            if read.aborted_by[log.batch[marker].producer] == NONE:
                read.aborted_by[log.batch[marker].producer] = marker


def reads_aborted_batch(read: CleanedTransactions, log: KeyedLog, base: int) -> bool:
    """CleanedTransactionMetadata#onBatchRead: whether the data batch is held to be aborted."""
    batch = log.batch[base]
    reach(read, log, batch.last_offset)
    if not batch.is_transactional:
        return False
    is_aborted = read.aborted_by[batch.producer] != NONE
    if is_aborted:
        read.has_aborted_batch.add(batch.producer)
    else:
        read.has_committed_batch.add(batch.producer)
    return is_aborted


def reads_deletable_marker(read: CleanedTransactions, log: KeyedLog, base: int) -> bool:
    """CleanedTransactionMetadata#onControlBatchRead: whether the marker may be deleted.

    With it the producer's transaction ends for the pass.
    """
    batch = log.batch[base]
    reach(read, log, batch.last_offset)
    if batch.kind == BatchKind.ABORT:
        has_batch = batch.producer in read.has_aborted_batch
        read.has_aborted_batch.discard(batch.producer)
        read.aborted_by[batch.producer] = NONE
        return is_marker_deletable(True, has_batch)
    if batch.kind == BatchKind.COMMIT:
        has_batch = batch.producer in read.has_committed_batch
        read.has_committed_batch.discard(batch.producer)
        return is_marker_deletable(True, has_batch)
    return is_marker_deletable(False, False)
