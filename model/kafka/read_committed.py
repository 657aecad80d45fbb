"""What a read-committed consumer sees of a log that it reads from the log start.

The broker sends it the aborted transactions of the index. It skips a producer's batches from
the first offset of such a transaction until the next ABORT marker of the producer.
CompletedFetch#isBatchAborted; UnifiedLog#read. Left out: a consumer that begins later.
"""

from __future__ import annotations

from tierproof.model.kafka.keyed_log import BatchKind, KeyedLog
from tierproof.model.language import NONE


def is_skipped(log: KeyedLog, base: int) -> bool:
    """The consumer takes the data batch for an aborted one."""
    batch = log.batch[base]
    if not batch.is_transactional:
        return False
    for marker in range(base + 1, log.log_end_offset):
        ended = log.batch[marker]
        if ended.kind == BatchKind.ABORT and ended.producer == batch.producer:
            return ended.has_index_entry and ended.transaction_first <= batch.last_offset
    return False


def latest_read(log: KeyedLog, key: int, end_offset: int) -> int:
    """The offset of the last record of `key` below `end_offset` that the consumer sees, or NONE.

    `end_offset` is the last stable offset of the log, or lower.
    """
    found = NONE
    for base in range(end_offset):
        if log.batch[base].kind == BatchKind.DATA and not is_skipped(log, base):
            for offset in range(base, min(log.batch[base].last_offset + 1, end_offset)):
                if is_read(log, key, offset):
                    found = offset
    return found


def is_read(log: KeyedLog, key: int, offset: int) -> bool:
    """A record of `key` is there, and the log start is not above it."""
    record = log.record[offset]
    return record.is_there and record.key == key and offset >= log.log_start_offset


def latest_value(log: KeyedLog, key: int, end_offset: int) -> int:
    """The value of `key` as the consumer sees it; NONE if it is deleted or was never there."""
    offset = latest_read(log, key, end_offset)
    return NONE if offset == NONE else log.record[offset].value
