"""Variable columns, written by Numba into the buffers that Arrow takes: names, ids, epochs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from tierproof.conformance.audit.reading.compiling import njit
from tierproof.conformance.audit.reading.fields import integer, skip_tagged
from tierproof.conformance.audit.reading.messages import UUID_TEXT

ALPHABET = np.frombuffer(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", np.uint8
)
"""Of base64 as Kafka prints a Uuid: safe in URLs and file names, without padding."""

Numbers = np.ndarray[Any, Any]


def strings(data: Numbers, starts: Numbers, sizes: Numbers, present: Numbers) -> pa.Array:
    """data[start : start + size] of each row as a string; the bytes are known to be ASCII."""
    return _of_bytes(pa.string(), data, starts, sizes, present)


def binaries(data: Numbers, starts: Numbers, sizes: Numbers, present: Numbers) -> pa.Array:
    """The same, as binary values."""
    return _of_bytes(pa.binary(), data, starts, sizes, present)


def _of_bytes(
    kind: pa.DataType, data: Numbers, starts: Numbers, sizes: Numbers, present: Numbers
) -> pa.Array:
    offsets = offsets_of(np.where(present, sizes, 0))
    copied = np.empty(offsets[-1], np.uint8)
    copy_all(data, starts, offsets, copied)
    return _from_buffers(kind, offsets, copied, present)


def uuids(data: Numbers, starts: Numbers, present: Numbers, is_text: Numbers) -> pa.Array:
    """The 16 bytes at each start as Kafka prints a Uuid; 22 bytes that are one, if `is_text`."""
    offsets = offsets_of(np.where(present, UUID_TEXT, 0))
    copied = np.empty(offsets[-1], np.uint8)
    write_uuids(data, starts, is_text, offsets, copied, ALPHABET)
    return _from_buffers(pa.string(), offsets, copied, present)


def leader_epochs(
    data: Numbers, starts: Numbers, counts: Numbers, present: Numbers
) -> tuple[pa.Array, pa.Array]:
    """The leader epochs of each row, and the start offset of each of them."""
    offsets = offsets_of(np.where(present, counts, 0))
    epochs = np.empty(offsets[-1], np.int32)
    begins = np.empty(offsets[-1], np.int64)
    write_epochs(data, starts, offsets, epochs, begins)
    validity = bitmap_of(present)
    lists = [
        pa.Array.from_buffers(
            pa.list_(values.type),
            len(present),
            [validity, pa.py_buffer(offsets)],
            children=[values],
        )
        for values in (pa.array(epochs), pa.array(begins))
    ]
    return lists[0], lists[1]


def offsets_of(sizes: Numbers) -> Numbers:
    """Where each value begins in the buffer, and the end of the last: int32[rows + 1]."""
    offsets = np.zeros(len(sizes) + 1, np.int32)
    np.cumsum(sizes, out=offsets[1:])
    return offsets


def bitmap_of(present: Numbers) -> pa.Buffer | None:
    """Arrow's validity bitmap of bool[rows], None if nothing is null."""
    return None if present.all() else pa.py_buffer(np.packbits(present, bitorder="little"))


def _from_buffers(
    kind: pa.DataType, offsets: Numbers, copied: Numbers, present: Numbers
) -> pa.Array:
    buffers = [bitmap_of(present), pa.py_buffer(offsets), pa.py_buffer(copied)]
    return pa.Array.from_buffers(kind, len(present), buffers)


@njit
def copy_all(data, starts, offsets, copied):
    """copied[offsets[i]:offsets[i + 1]] becomes the bytes at starts[i]."""
    for row in range(len(starts)):
        start = starts[row]
        for to in range(offsets[row], offsets[row + 1]):
            copied[to] = data[start]
            start += 1


@njit
def write_uuids(data, starts, is_text, offsets, copied, alphabet):
    """Write the text of each id; rows without one have no room in `copied`."""
    for row in range(len(starts)):
        to, start = offsets[row], starts[row]
        if offsets[row + 1] == to:
            continue
        if is_text[row]:
            for further in range(UUID_TEXT):
                copied[to + further] = data[start + further]
            continue
        for further in range(0, 15, 3):
            three = (
                (np.int64(data[start + further]) << 16)
                | (np.int64(data[start + further + 1]) << 8)
                | np.int64(data[start + further + 2])
            )
            copied[to] = alphabet[three >> 18]
            copied[to + 1] = alphabet[(three >> 12) & 63]
            copied[to + 2] = alphabet[(three >> 6) & 63]
            copied[to + 3] = alphabet[three & 63]
            to += 4
        copied[to] = alphabet[data[start + 15] >> 2]
        copied[to + 1] = alphabet[(data[start + 15] & 3) << 4]


@njit
def write_epochs(data, starts, offsets, epochs, begins):
    """Write epoch and start offset of each entry, which were seen to be whole."""
    for row in range(len(starts)):
        at = starts[row]
        for to in range(offsets[row], offsets[row + 1]):
            epochs[to] = integer(data, at, 4)
            begins[to] = integer(data, at + 4, 8)
            at = skip_tagged(data, at + 12, len(data))
