"""The visited table: the fingerprints of visited states, 8 bytes each (or 16), for all threads.

Open addressing with linear probing. A fingerprint belongs at its share of the table, by its high
bits, so that a larger table is filled in one sequential pass and the old one given back as that
goes. Threads insert side by side: an insertion is one compare-and-swap, and nothing is removed.
Fingerprints arrive in batches, and their slots are prefetched while a batch fills.

0 stands for an empty slot; whether the fingerprint 0 is visited is a word of its own.

In a table of 128 bits a second row of slots has the rest of each fingerprint. Whoever has taken a
slot writes it next, and another thread that finds the first half waits for the second.
"""

from __future__ import annotations

import mmap
from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from tierproof.spark_explorer.native import memory_left
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.keeping import njit
from tierproof.spark_explorer.native.packing import FAST, fingerprints, second_fingerprint

FULLEST = 0.8
"""Load above which a table grows."""
SMALL = 1 << 24
"""Slots up to which a table doubles; a larger one grows less, so that fewer bytes lie empty."""
GROWTH = 1.375
LEAST_GROWTH = 1.1
"""If memory has no room for GROWTH."""
AHEAD = 16
"""How many fingerprints before it is looked for a slot is prefetched."""
STRIDE = 1 << 19
"""Slots that are moved before their memory is given back: whole pages."""


class Table(NamedTuple):
    """What native code sees of a visited table of `C` slots."""

    slots: Array  # uint64[C]
    second: Array  # uint64[C]: the rest of fingerprints of 128 bits; uint64[0]: they have 64
    zero: Array  # uint64[1]: whether the fingerprint 0, of 64 bits, is visited


def _place(context, builder, kind, value, row):
    """The address of an element of a one-dimensional array."""
    array = context.make_array(kind)(context, builder, value)
    return cgutils.get_item_pointer(context, builder, kind, array, [row])


@intrinsic
def prefetch(typing_context, slots, row):
    """Prefetch `slots[row]`, which is going to be written, into the processor's cache."""

    def generate(context, builder, signature, arguments):
        pointer = _place(context, builder, signature.args[0], *arguments)
        byte = ir.IntType(8).as_pointer()
        flag = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        hints = [ir.Constant(flag, hint) for hint in (1, 2, 1)]
        builder.call(function, [builder.bitcast(pointer, byte), *hints])
        return context.get_dummy_value()

    return types.void(slots, row), generate


@intrinsic
def put_if_empty(typing_context, slots, row, found):
    """Write `found` to `slots[row]` if that is 0, in one step; returns what was there."""

    def generate(context, builder, signature, arguments):
        array, row, found = arguments
        pointer = _place(context, builder, signature.args[0], array, row)
        empty = ir.Constant(ir.IntType(64), 0)
        pair = builder.cmpxchg(pointer, empty, found, "monotonic", "monotonic")
        return builder.extract_value(pair, 0)

    return types.uint64(slots, types.int64, types.uint64), generate


@intrinsic
def load(typing_context, slots, row):
    """`slots[row]`, which another thread may be about to write."""

    def generate(context, builder, signature, arguments):
        pointer = _place(context, builder, signature.args[0], *arguments)
        return builder.load_atomic(pointer, "monotonic", 8)

    return types.uint64(slots, types.int64), generate


@intrinsic
def store(typing_context, slots, row, value):
    """Write `slots[row]`, for which another thread may wait."""

    def generate(context, builder, signature, arguments):
        array, row, value = arguments
        pointer = _place(context, builder, signature.args[0], array, row)
        builder.store_atomic(value, pointer, "monotonic", 8)
        return context.get_dummy_value()

    return types.void(slots, types.int64, types.uint64), generate


@intrinsic
def share(typing_context, found, size):
    """`found` / 2**64 of `size`: the high half of their product."""

    def generate(context, builder, signature, arguments):
        wide = ir.IntType(128)
        product = builder.mul(*(builder.zext(value, wide) for value in arguments))
        high = builder.lshr(product, ir.Constant(wide, 64))
        return builder.trunc(high, ir.IntType(64))

    return types.int64(types.uint64, types.uint64), generate


@njit(forceinline=True, **FAST)
def home(slots, found):
    """The row where the search for a fingerprint begins."""
    return share(found, np.uint64(len(slots)))


@njit(forceinline=True, **FAST)
def probe(slots, found):
    """The row of a fingerprint, or of the empty slot where it belongs."""
    row = home(slots, found)
    while slots[row] != 0 and slots[row] != found:
        row += 1
        if row == len(slots):
            row = 0
    return row


@njit(forceinline=True, **FAST)
def insert(table, words, found):
    """Add a state with a fingerprint; whether it was not visited. Of several threads, one hears."""
    if len(table.second) > 0:
        return insert_both(table, max(found, np.uint64(1)), second_fingerprint(words))
    slots = table.slots
    if found == 0:
        return put_if_empty(table.zero, np.int64(0), np.uint64(1)) == 0
    while True:
        row = probe(slots, found)
        if slots[row] == found:
            return False
        if put_if_empty(slots, row, found) == 0:
            return True


@njit(**FAST)
def insert_both(table, found, second):
    """As `insert`, of both halves of a fingerprint."""
    slots, row = table.slots, home(table.slots, found)
    while True:
        there = put_if_empty(slots, row, found) if slots[row] == 0 else slots[row]
        if there == 0:
            store(table.second, row, second)
            return True
        if there == found:
            other = load(table.second, row)
            while other == 0:
                other = load(table.second, row)
            if other == second:
                return False
        row = row + 1 if row + 1 < len(slots) else 0


@njit(**FAST)
def contains(table, words, found):
    """Whether a state with a fingerprint is visited; if it is being added, it may not be."""
    slots = table.slots
    if len(table.second) > 0:
        found, second = max(found, np.uint64(1)), second_fingerprint(words)
        row = home(slots, found)
        while slots[row] != 0:
            if slots[row] == found and table.second[row] == second:
                return True
            row = row + 1 if row + 1 < len(slots) else 0
        return False
    if found == 0:
        return table.zero[0] != 0
    return slots[probe(slots, found)] == found


@njit(**FAST)
def keep_new(table, states, found, kept):
    """Add packed states with their fingerprints, and write those not visited; returns how many."""
    count = 0
    for i in range(len(found)):
        if i + AHEAD < len(found):
            prefetch(table.slots, home(table.slots, found[i + AHEAD]))
        if insert(table, states[i], found[i]):
            for w in range(states.shape[1]):
                kept[count, w] = states[i, w]
            count += 1
    return count


@njit(**FAST)
def mark_visited(table, states, found, is_visited):
    """Write which packed states, with these fingerprints, are visited."""
    for i in range(len(found)):
        if i + AHEAD < len(found):
            prefetch(table.slots, home(table.slots, found[i + AHEAD]))
        is_visited[i] = contains(table, states[i], found[i])


@njit(**FAST)
def insert_all(table, states, found):
    """Add packed states with their fingerprints; returns how many were not visited."""
    count = 0
    for i in range(len(found)):
        if i + AHEAD < len(found):
            prefetch(table.slots, home(table.slots, found[i + AHEAD]))
        if insert(table, states[i], found[i]):
            count += 1
    return count


@njit(**FAST)
def move(old, low, high, larger):
    """Copy the fingerprints in slots of a table to a larger, while nobody else does."""
    for row in range(low, high):
        found = old.slots[row]
        if found != 0 and len(old.second) == 0:
            larger.slots[probe(larger.slots, found)] = found
        elif found != 0:
            to = home(larger.slots, found)
            while larger.slots[to] != 0:
                to = to + 1 if to + 1 < len(larger.slots) else 0
            larger.slots[to], larger.second[to] = found, old.second[row]


class Visited:
    """A growing visited table in this process's memory, of 64 or 128 bits a fingerprint.

    While it grows, nobody may use it.
    """

    def __init__(self, capacity: int = 1 << 16, bits: int = 64) -> None:
        self._memory, self.table = _allocated(capacity, bits)
        self.count = 0

    @property
    def capacity(self) -> int:
        """The number of slots."""
        return len(self.table.slots)

    @property
    def nbytes(self) -> int:
        """Bytes of its slots."""
        return self.table.slots.nbytes + self.table.second.nbytes

    @property
    def bits(self) -> int:
        """Bits of a fingerprint."""
        return 8 * self.nbytes // self.capacity

    @property
    def room(self) -> int:
        """How many more fingerprints it takes before it has to grow."""
        return max(0, int(FULLEST * self.capacity) - self.count)

    @property
    def limit(self) -> int:
        """The most fingerprints that it can have if nothing else takes the memory."""
        return int(FULLEST * self.affordable())

    def reserve(self, arrivals: int) -> None:
        """Make room for so many more fingerprints. Raises MemoryError if there is none."""
        needed = int((self.count + arrivals) / FULLEST) + 1
        if needed > self.capacity:
            most = self.affordable()
            if most < max(needed, int(LEAST_GROWTH * self.capacity)):
                raise MemoryError
            factor = 2 if self.capacity < SMALL else GROWTH
            self.grow(min(most, max(needed, int(factor * self.capacity))))

    def add(self, states: Array) -> int:
        """Add packed states, while nobody else does; returns how many were not visited."""
        self.reserve(len(states))
        fresh = int(insert_all(self.table, states, fingerprints(states)))
        self.count += fresh
        return fresh

    def affordable(self) -> int:
        """The slots for which memory has room, once those of today are given back."""
        free = memory_left.free_memory() - 2 * 8 * STRIDE
        return self.capacity + max(0, free) // (self.bits // 8)

    def grow(self, capacity: int) -> None:
        """Move to a table of so many slots; the old one is given back on the way."""
        memory, larger = _allocated(capacity, self.bits)
        old = self.table
        larger.zero[0] = old.zero[0]
        for low in range(0, len(old.slots), STRIDE):
            high = min(low + STRIDE, len(old.slots))
            move(old, low, high, larger)
            for given_back in self._memory:
                given_back.madvise(mmap.MADV_DONTNEED, 8 * low, 8 * (high - low))
        self._memory, self.table = memory, larger


def _allocated(capacity: int, bits: int) -> tuple[list[mmap.mmap], Table]:
    """Memory for so many empty slots, in large pages where the machine has them."""
    try:
        halves = [_mapped(8 * capacity) for _ in range(bits // 64)]
    except OSError as error:  # a limit of this process, or a machine that promises no more
        raise MemoryError from error
    slots, *second = (np.frombuffer(half, np.uint64) for half in halves)
    rest = second[0] if second else np.zeros(0, np.uint64)
    return halves, Table(slots, rest, np.zeros(1, np.uint64))


def _mapped(size: int) -> mmap.mmap:
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memory
