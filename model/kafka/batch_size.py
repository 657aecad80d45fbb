"""How many bytes a record batch takes: what the cleaner's ratio, groups and indexes count in.

Keys and values are numbers that are written as ASCII decimals. A record counts the
milliseconds since the batch's base timestamp, which is that of its first record, or its
delete horizon once it has one: so a horizon can change the size.
DefaultRecordBatch, DefaultRecord, ByteUtils#sizeOfVarlong. Left out: headers, compression.
"""

from __future__ import annotations

from tierproof.model.kafka.keyed_log import BatchKind, KeyedLog, is_marker
from tierproof.model.language import NONE

HEADER = 61
"""DefaultRecordBatch.RECORD_BATCH_OVERHEAD."""
MARKER_KEY = 4
MARKER_VALUE = 6


def batch_bytes(log: KeyedLog, base: int) -> int:
    """The size of the batch at `base`, from what it holds now."""
    batch, size, first_timestamp = log.batch[base], HEADER, batch_timestamp(log, base)
    if is_marker(batch.kind):
        shift = batch.max_timestamp - first_timestamp
        return size + record_bytes(shift, 0, MARKER_KEY, MARKER_VALUE)
    for offset in range(base, batch.last_offset + 1):
        record = log.record[offset]
        if record.is_there:
            key, value = field_length(record.key), field_length(record.value)
            shift = record.timestamp - first_timestamp
            size += record_bytes(shift, offset - base, key, value)
    return size


def batch_timestamp(log: KeyedLog, base: int) -> int:
    """The base timestamp: the delete horizon, or the timestamp of the first record."""
    batch = log.batch[base]
    if batch.horizon != NONE:
        return batch.horizon
    for offset in range(base, batch.last_offset + 1):
        if log.record[offset].is_there:
            return log.record[offset].timestamp
    return batch.max_timestamp


def record_bytes(timestamp_delta: int, offset_delta: int, key: int, value: int) -> int:
    """DefaultRecord#sizeInBytes of a record with a key and a value of these lengths, or NONE.

    One byte of attributes and one that counts the headers, of which there are none.
    """
    body = 2 + varint_bytes(timestamp_delta) + varint_bytes(offset_delta)
    body += varint_bytes(key) + max(key, 0) + varint_bytes(value) + max(value, 0)
    return varint_bytes(body) + body


def varint_bytes(number: int) -> int:
    """The length of a zig-zag varint: seven bits a byte."""
    zigzag = 2 * number if number >= 0 else -2 * number - 1
    size = 1
    while zigzag >= 128:
        zigzag >>= 7
        size += 1
    return size


def field_length(number: int) -> int:
    """The decimal digits of a key or value; NONE of one that is null."""
    if number == NONE:
        return NONE
    digits = 1
    while number >= 10:
        number //= 10
        digits += 1
    return digits


def resize_batches(log: KeyedLog, start_offset: int, end_offset: int) -> None:
    """Count the batches anew that a pass of the cleaner has written."""
    for base in range(start_offset, end_offset):
        if log.batch[base].kind != BatchKind.ABSENT:
            log.batch[base].bytes = batch_bytes(log, base)
