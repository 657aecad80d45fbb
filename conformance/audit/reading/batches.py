"""Where batches begin in the bytes of a log file, and which bytes are none.

A batch counts if its header is plausible and its checksum right. After bytes that are no such
batch, the next begins at the first later byte where one does: so any two readers that begin at
different bytes of a file agree on where its batches are, and a file can be read in splits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tierproof.conformance.audit.reading.checksums import CRC_32, CRC_32C, checksum
from tierproof.conformance.audit.reading.compiling import njit
from tierproof.conformance.audit.reading.fields import integer

# Columns of the table of batches, int64 each. `FIRST` and `LAST` are offsets; of a compressed
# batch of magic 0 or 1 only the last is known before it is decompressed.
POSITION, SIZE, MAGIC, FIRST, LAST, ATTRIBUTES, TIMESTAMP, MAX_TIMESTAMP, PRODUCER, COUNT = range(
    10
)
COLUMNS = 10

OFFSET_AND_SIZE = 12
HEADER = 17
"""Bytes up to the magic byte, which all versions have in the same place."""

RECORDS_AT = 61
"""Where the records of a batch of magic 2 begin."""

CODEC = 0x07
LOG_APPEND_TIME = 0x08
TRANSACTIONAL = 0x10
CONTROL = 0x20

NONE = 0
BEYOND = -1

Table = np.ndarray[Any, Any]


@njit
def plausible_size(data, at, end):
    """The bytes of the batch whose header is at `at`: NONE if none is, BEYOND if `end` cuts it.

    At least HEADER bytes must be there; a batch that is cut may have no more than that.
    """
    if at + HEADER > end or integer(data, at, 8) < 0:
        return NONE
    size = integer(data, at + 8, 4) + OFFSET_AND_SIZE
    magic = data[at + 16]
    if magic == 2:
        return _size_of_batch(data, at, end, size)
    if magic < 2:
        return _size_of_message(data, at, end, size, magic)
    return NONE


@njit
def _size_of_batch(data, at, end, size):
    if size < RECORDS_AT or integer(data, at + 12, 4) < -1:
        return NONE
    if at + RECORDS_AT <= end:
        last_delta = integer(data, at + 23, 4)
        count = integer(data, at + 57, 4)
        if last_delta < 0 or count < 0 or count > last_delta + 1:
            return NONE
        if integer(data, at + 21, 2) & ~0x7F or integer(data, at + 43, 8) < -1:
            return NONE
    return size if at + size <= end else BEYOND


@njit
def _size_of_message(data, at, end, size, magic):
    key_at = at + 18 + 8 * magic
    if size < key_at - at + 8:
        return NONE
    if key_at + 4 <= end:
        key = integer(data, key_at, 4)
        value_at = key_at + 4 + max(key, 0)
        if key < -1 or data[at + 17] & ~0x0F or value_at + 4 > at + size:
            return NONE
        if value_at + 4 <= end:
            value = integer(data, value_at, 4)
            if value < -1 or value_at + 4 + max(value, 0) != at + size:
                return NONE
    return size if at + size <= end else BEYOND


@njit
def whole_batch(data, at, end):
    """The bytes of the batch at `at`, 0 if none is there that is whole and undamaged."""
    size = plausible_size(data, at, end)
    if size <= 0:
        return 0
    if data[at + 16] == 2:
        said = integer(data, at + 17, 4) & 0xFFFFFFFF
        return size if checksum(data, at + 21, at + size, CRC_32C) == said else 0
    said = integer(data, at + 12, 4) & 0xFFFFFFFF
    return size if checksum(data, at + 16, at + size, CRC_32) == said else 0


@njit
def next_batch(data, at, end):
    """The first position from `at` on where a batch begins, `end` if there is none."""
    while at + HEADER <= end:
        if data[at + 16] <= 2 and whole_batch(data, at, end):
            return at
        at += 1
    return end


@njit
def fill(data, at, last, end, table, passed_over):
    """Write the batches that begin in [at, last) into `table`, spans between into `passed_over`.

    `at` is where a batch begins or is to begin. Returns rows of both, and the position behind:
    at least `last` and where a batch begins (or `end`), unless one of the tables is full.
    """
    rows = spans = 0
    while at < end:
        size = whole_batch(data, at, end)
        if size == 0:
            if spans == len(passed_over):
                break
            behind = next_batch(data, at + 1, end)
            passed_over[spans, 0] = at
            passed_over[spans, 1] = behind
            passed_over[spans, 2] = rows
            spans += 1
            at = behind
            continue
        if at >= last or rows == len(table):
            break
        describe(data, at, size, table[rows])
        rows += 1
        at += size
    return rows, spans, at


@njit
def describe(data, at, size, row):
    """Write the header of a whole batch into a row of the table."""
    magic = data[at + 16]
    row[POSITION] = at
    row[SIZE] = size
    row[MAGIC] = magic
    row[FIRST] = integer(data, at, 8)
    if magic == 2:
        row[ATTRIBUTES] = integer(data, at + 21, 2)
        row[LAST] = row[FIRST] + integer(data, at + 23, 4)
        row[TIMESTAMP] = integer(data, at + 27, 8)
        row[MAX_TIMESTAMP] = integer(data, at + 35, 8)
        row[PRODUCER] = integer(data, at + 43, 8)
        row[COUNT] = integer(data, at + 57, 4)
    else:
        row[ATTRIBUTES] = data[at + 17]
        row[LAST] = row[FIRST]
        row[TIMESTAMP] = integer(data, at + 18, 8) if magic == 1 else -1
        row[MAX_TIMESTAMP] = row[TIMESTAMP]
        row[PRODUCER] = -1
        row[COUNT] = 1
