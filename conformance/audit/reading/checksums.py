"""Checksums of batches: CRC-32C as magic 2 has it, CRC-32 as magic 0 and 1 have it.

A batch of this topic is a few hundred bytes, and a topic has millions: a call of a library from
Python for each would cost more than all the rest of the decoding. Eight bytes a turn ("slicing
by eight", Intel 2006), within the loops that Numba compiles.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tierproof.conformance.audit.reading.compiling import njit

CASTAGNOLI = 0x82F63B78
IEEE = 0xEDB88320


def tables_of(polynomial: int) -> np.ndarray[Any, Any]:
    """The eight tables of a reversed polynomial, uint32[8, 256]."""
    tables = np.zeros((8, 256), np.uint32)
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = (value >> 1) ^ (polynomial if value & 1 else 0)
        tables[0, byte] = value
    for further in range(1, 8):
        before = tables[further - 1]
        tables[further] = (before >> np.uint32(8)) ^ tables[0][before & np.uint32(0xFF)]
    return tables


CRC_32C = tables_of(CASTAGNOLI)
CRC_32 = tables_of(IEEE)


@njit
def checksum(data, start, end, tables):
    """The CRC of data[start:end], uint8, by `tables` of `tables_of`; as an int64."""
    crc = np.uint32(0xFFFFFFFF)
    at = start
    while at + 8 <= end:
        low = (
            np.uint32(data[at])
            | (np.uint32(data[at + 1]) << np.uint32(8))
            | (np.uint32(data[at + 2]) << np.uint32(16))
            | (np.uint32(data[at + 3]) << np.uint32(24))
        ) ^ crc
        crc = (
            tables[7, low & np.uint32(0xFF)]
            ^ tables[6, (low >> np.uint32(8)) & np.uint32(0xFF)]
            ^ tables[5, (low >> np.uint32(16)) & np.uint32(0xFF)]
            ^ tables[4, low >> np.uint32(24)]
            ^ tables[3, data[at + 4]]
            ^ tables[2, data[at + 5]]
            ^ tables[1, data[at + 6]]
            ^ tables[0, data[at + 7]]
        )
        at += 8
    while at < end:
        crc = tables[0, (crc ^ np.uint32(data[at])) & np.uint32(0xFF)] ^ (crc >> np.uint32(8))
        at += 1
    return np.int64(crc ^ np.uint32(0xFFFFFFFF))
