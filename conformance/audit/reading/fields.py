"""Fields of Kafka's wire format, read out of an array of bytes by functions that Numba compiles.

Each returns the value and the position behind it; the position is -1 where the bytes end before
the field does, and stays -1 in whatever is read after: one test at the end is enough.
"""

from __future__ import annotations

import numpy as np

from tierproof.conformance.audit.reading.compiling import njit

ENDED = -1


@njit
def integer(data, at, size):
    """The signed big-endian integer of `size` bytes at a position that is known to be within."""
    value = np.int64(np.int8(data[at]))
    for further in range(1, size):
        value = (value << 8) | np.int64(data[at + further])
    return value


@njit
def fixed(data, at, end, size):
    """A signed integer of `size` bytes."""
    if at < 0 or at + size > end:
        return np.int64(0), np.int64(ENDED)
    return integer(data, at, size), np.int64(at + size)


@njit
def unsigned_varint(data, at, end):
    """An unsigned varint of at most ten bytes."""
    value = np.uint64(0)
    if at < 0:
        return np.int64(0), np.int64(ENDED)
    for turn in range(10):
        if at >= end:
            return np.int64(0), np.int64(ENDED)
        byte = data[at]
        at += 1
        value |= np.uint64(byte & 0x7F) << np.uint64(7 * turn)
        if byte < 0x80:
            return np.int64(value), np.int64(at)
    return np.int64(0), np.int64(ENDED)


@njit
def varint(data, at, end):
    """A zigzag varint or varlong."""
    value, at = unsigned_varint(data, at, end)
    half = np.int64(np.uint64(value) >> np.uint64(1))
    return half ^ -(value & np.int64(1)), at


@njit
def skip(at, end, size):
    """The position behind `size` bytes that are not looked at."""
    if at < 0 or size < 0 or size > end - at:
        return np.int64(ENDED)
    return np.int64(at + size)


@njit
def skip_tagged(data, at, end):
    """The position behind a section of tagged fields, none of which is wanted."""
    count, at = unsigned_varint(data, at, end)
    while count > 0 and at >= 0:
        _, at = unsigned_varint(data, at, end)
        size, at = unsigned_varint(data, at, end)
        at = skip(at, end, size)
        count -= 1
    return at
