"""Where the records of batches are: offset, timestamp, key and value of each, by Numba."""

from __future__ import annotations

import numpy as np

from tierproof.conformance.audit.reading.batches import (
    ATTRIBUTES,
    COUNT,
    FIRST,
    LAST,
    LOG_APPEND_TIME,
    MAGIC,
    MAX_TIMESTAMP,
    OFFSET_AND_SIZE,
    TIMESTAMP,
)
from tierproof.conformance.audit.reading.checksums import CRC_32, checksum
from tierproof.conformance.audit.reading.compiling import njit
from tierproof.conformance.audit.reading.fields import ENDED, fixed, integer, skip, varint

# Columns of the table of records, int64 each. A length of -1 is null.
BATCH, OFFSET, APPENDED, KEY, KEY_BYTES, VALUE, VALUE_BYTES = range(7)
COLUMNS = 7


@njit
def count_messages(data, at, end):
    """How many messages of magic 0 or 1 stand in data[at:end], -1 if they are damaged."""
    count = 0
    while at < end:
        size, behind = fixed(data, at + 8, end, 4)
        behind = skip(behind, end, size)
        if size < 14 or behind == ENDED or data[at + 16] > 1:
            return ENDED
        said = integer(data, at + 12, 4) & 0xFFFFFFFF
        if checksum(data, at + 16, behind, CRC_32) != said:
            return ENDED
        count += 1
        at = behind
    return count


@njit
def last_message(data, at, end):
    """The position of the last of undamaged messages."""
    while True:
        behind = at + OFFSET_AND_SIZE + integer(data, at + 8, 4)
        if behind >= end:
            return at
        at = behind


@njit
def locate(data, batches, spans, rows, is_damaged):
    """Write a row for each record of `batches`, whose records are data[spans[i, 0]:spans[i, 1]].

    A batch whose records do not fit into it exactly is marked in `is_damaged`, and has no rows.
    Returns the number of rows; `rows` holds at least the sum of the counts.
    """
    filled = 0
    for number in range(len(batches)):
        batch = batches[number]
        start, end = spans[number, 0], spans[number, 1]
        if is_damaged[number]:
            continue
        if batch[MAGIC] == 2:
            behind = _locate_records(data, batch, start, end, rows, filled)
        else:
            behind = _locate_messages(data, batch, start, end, rows, filled)
        if behind == ENDED:
            is_damaged[number] = True
            continue
        for row in range(filled, behind):
            rows[row, BATCH] = number
        filled = behind
    return filled


@njit
def _locate_records(data, batch, at, end, rows, filled):
    for _ in range(batch[COUNT]):
        size, at = varint(data, at, end)
        behind = skip(at, end, size)
        if behind == ENDED or not _locate_record(data, batch, at, behind, rows[filled]):
            return ENDED
        filled += 1
        at = behind
    return filled if at == end else ENDED


@njit
def _locate_record(data, batch, at, end, row):
    at = skip(at, end, 1)
    time, at = varint(data, at, end)
    delta, at = varint(data, at, end)
    is_late = (batch[ATTRIBUTES] & LOG_APPEND_TIME) != 0
    row[OFFSET] = batch[FIRST] + delta
    row[APPENDED] = batch[MAX_TIMESTAMP] if is_late else batch[TIMESTAMP] + time
    for column in (KEY, VALUE):
        size, at = varint(data, at, end)
        row[column] = at
        row[column + 1] = max(size, -1)
        at = skip(at, end, max(size, 0))
    headers, at = varint(data, at, end)
    while headers > 0 and at != ENDED:
        for _ in range(2):
            size, at = varint(data, at, end)
            at = skip(at, end, max(size, 0))
        headers -= 1
    return at == end and headers == 0 and 0 <= delta <= batch[LAST] - batch[FIRST]


@njit
def _locate_messages(data, batch, at, end, rows, filled):
    """Messages of magic 1 within another have offsets from 0 on, its own offset is the last."""
    if at == end:
        return filled
    shift = np.int64(0)
    if batch[MAGIC] == 1:
        shift = batch[LAST] - integer(data, last_message(data, at, end), 8)
    while at < end:
        row = rows[filled]
        magic = data[at + 16]
        is_late = (batch[ATTRIBUTES] & LOG_APPEND_TIME) != 0
        row[OFFSET] = integer(data, at, 8) + shift
        row[APPENDED] = integer(data, at + 18, 8) if magic == 1 else -1
        if is_late:
            row[APPENDED] = batch[MAX_TIMESTAMP]
        behind = at + OFFSET_AND_SIZE + integer(data, at + 8, 4)
        at += 18 + 8 * magic
        for column in (KEY, VALUE):
            size, at = fixed(data, at, behind, 4)
            row[column] = at
            row[column + 1] = max(size, -1)
            at = skip(at, behind, max(size, 0))
        if at != behind:
            return ENDED
        filled += 1
    return filled
