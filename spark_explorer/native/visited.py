"""The visited table of one partition: fingerprint -> how it was first, and best, reached.

Open addressing over slots of four 64-bit words: fingerprint, fingerprint of the parent,
label << 32 | level + 1, unused (a slot fills half a cache line). Of the parents that reach
a state at its first level, the one with the smallest (label, fingerprint) is kept, so
that every execution finds the same shortest trace whatever the order of arrival.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from tierproof.spark_explorer.native import memory_left
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.keeping import njit
from tierproof.spark_explorer.native.packing import FAST, fingerprint

SLOT = 4
FULLEST = 0.7
"""Load above which a table grows."""


class Origin(NamedTuple):
    """How a state was reached: its parent's fingerprint, the label of the step, its level."""

    parent: int
    label: int
    level: int


@intrinsic
def prefetch(typing_context, slots, row):
    """Prefetch `slots[row]` into the processor's cache."""

    def generate(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        zero = context.get_constant(types.intp, 0)
        pointer = cgutils.get_item_pointer(
            context, builder, signature.args[0], array, [arguments[1], zero]
        )
        byte = ir.IntType(8).as_pointer()
        flag = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        hints = [ir.Constant(flag, hint) for hint in (1, 2, 1)]
        builder.call(function, [builder.bitcast(pointer, byte), *hints])
        return context.get_dummy_value()

    return types.void(slots, row), generate


@njit(**FAST)
def probe(slots, found):
    """The row of the fingerprint `found`, or of the empty slot where it belongs."""
    row = np.int64(found & np.uint64(len(slots) - 1))
    while slots[row, 2] != 0 and slots[row, 0] != found:
        row = (row + 1) & (len(slots) - 1)
    return row


@njit(**FAST)
def absorb(slots, words, found, parents, labels, count, level, fresh, fresh_count):
    """Add arrivals of `level`; append those not visited to `fresh` and return its new count."""
    mask = np.uint64(len(slots) - 1)
    for i in range(count):
        ahead = i + 12
        if ahead < count:
            prefetch(slots, np.int64(found[ahead] & mask))
        row = probe(slots, found[i])
        how = (np.uint64(labels[i]) << np.uint64(32)) | np.uint64(level + 1)
        seen = slots[row, 2]
        if seen == 0:
            slots[row, 0] = found[i]
            slots[row, 1] = parents[i]
            slots[row, 2] = how
            for w in range(words.shape[1]):
                fresh[fresh_count, w] = words[i, w]
            fresh_count += 1
        elif (seen ^ how) & np.uint64(0xFFFFFFFF) == 0 and (
            how < seen or (how == seen and parents[i] < slots[row, 1])
        ):
            slots[row, 1] = parents[i]
            slots[row, 2] = how
    return fresh_count


@njit(**FAST)
def rehash(old, new):
    """Copy every occupied slot of `old` to the empty table `new`."""
    for i in range(len(old)):
        if old[i, 2] != 0:
            row = probe(new, old[i, 0])
            for k in range(3):
                new[row, k] = old[i, k]


@njit(**FAST)
def origins(slots, words, parents, labels):
    """Write parent and label of each visited packed state of `words`."""
    for i in range(len(words)):
        row = probe(slots, fingerprint(words[i]))
        parents[i] = slots[row, 1]
        labels[i] = np.uint32(slots[row, 2] >> np.uint64(32))


@njit(**FAST)
def restore(slots, found, parents, labels, level):
    """Insert stored states of `level` again."""
    for i in range(len(found)):
        row = probe(slots, found[i])
        slots[row, 0] = found[i]
        slots[row, 1] = parents[i]
        slots[row, 2] = (np.uint64(labels[i]) << np.uint64(32)) | np.uint64(level + 1)


@njit(**FAST)
def drop_visited(slots, words, found, parents, labels, count, level):
    """Remove from `count` arrivals those visited at `level` or before; returns the new count."""
    mask = np.uint64(len(slots) - 1)
    kept = 0
    for i in range(count):
        ahead = i + 12
        if ahead < count:
            prefetch(slots, np.int64(found[ahead] & mask))
        seen = slots[probe(slots, found[i]), 2]
        if seen == 0 or (seen & np.uint64(0xFFFFFFFF)) > np.uint64(level + 1):
            for w in range(words.shape[1]):
                words[kept, w] = words[i, w]
            found[kept] = found[i]
            parents[kept] = parents[i]
            labels[kept] = labels[i]
            kept += 1
    return kept


class Visited:
    """A growing visited table in this process's memory, one of `siblings` that grow alike."""

    def __init__(self, capacity: int = 1 << 12, siblings: int = 1) -> None:
        self.slots: Array = np.zeros((capacity, SLOT), np.uint64)
        self.count, self.siblings = 0, siblings

    def grow(self, capacity: int) -> None:
        """Move to a table of so many slots. Raises MemoryError if the machine has no room."""
        if capacity * SLOT * 8 * self.siblings > memory_left.free_memory():
            raise MemoryError
        grown = np.zeros((capacity, SLOT), np.uint64)
        rehash(self.slots, grown)
        self.slots = grown

    def reserve(self, arrivals: int) -> None:
        """Make room for so many more fingerprints."""
        capacity = len(self.slots)
        while (self.count + arrivals) > FULLEST * capacity:
            capacity *= 2
        if capacity > len(self.slots):
            self.grow(capacity)

    def origin(self, found: int) -> Origin | None:
        """How the state with this fingerprint was reached, or None if it was not."""
        row = self.slots[probe(self.slots, np.uint64(found))]
        if row[2] == 0:
            return None
        return Origin(int(row[1]), int(row[2]) >> 32, (int(row[2]) & 0xFFFFFFFF) - 1)
