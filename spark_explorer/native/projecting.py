"""How many different projections packed states have: states of which some bits are left out.

Fingerprints of projections are kept in a table that grows up to its greatest size. A projection
with more of them is counted by adaptive sampling (Wegman; Flajolet 1990, "On adaptive sampling"):
only fingerprints that begin with so many zeros are kept, one more whenever the table is full.
"""

from __future__ import annotations

import numpy as np

from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.keeping import njit
from tierproof.spark_explorer.native.packing import FAST, GOLDEN, mix

LEAST, MOST = 1 << 10, 1 << 18
"""Slots of a table at first and at most: one half is filled."""
ZEROS, COUNT, SIZE, ROW = range(4)
"""What a tally holds: leading zeros of what is kept, how many are, slots in use, table in use."""


@njit(**FAST)
def hashed(word, w):
    """The share of one word of a packed state in the fingerprint of a projection, their sum."""
    return mix(word + GOLDEN * np.uint64(w + 1))


@njit(**FAST)
def projected(words, mask):
    """The fingerprint of the bits of a packed state that the mask keeps."""
    found = np.uint64(0)
    for w in range(np.uint64(len(mask))):
        if mask[w] != 0:
            found += hashed(words[w] & mask[w], w)
    return found


@njit(**FAST)
def write_projected(states, mask, found):
    """Write the fingerprint of each state's projection."""
    for i in range(len(states)):
        found[i] = projected(states[i], mask)


@njit(**FAST)
def insert(slots, size, found):
    """Add a fingerprint to the first `size` slots; whether it is new."""
    row = np.int64(found & np.uint64(size - 1))
    while slots[row] != 0:
        if slots[row] == found:
            return False
        row = (row + 1) & (size - 1)
    slots[row] = found
    return True


@njit(**FAST)
def enlarge(tables, tally):
    """Make room: twice the slots, or if these are the most, half of what is kept."""
    old, size = tables[tally[ROW]], tally[SIZE]
    if size < tables.shape[1]:
        tally[SIZE] = 2 * size
    else:
        tally[ZEROS] += 1
    tally[ROW] = 1 - tally[ROW]
    new = tables[tally[ROW]]
    for row in range(tally[SIZE]):
        new[row] = 0
    tally[COUNT] = 0
    for row in range(size):
        if old[row] != 0 and leads(old[row], tally[ZEROS]):
            insert(new, tally[SIZE], old[row])
            tally[COUNT] += 1


@njit(**FAST)
def leads(found, zeros):
    """Whether a fingerprint begins with so many zeros."""
    return zeros == 0 or found >> np.uint64(64 - zeros) == 0


@njit(**FAST)
def note_projection(found, tables, tally):
    """Count a projection, if it is a new one that is kept."""
    found = found if found != 0 else GOLDEN
    if leads(found, tally[ZEROS]) and insert(tables[tally[ROW]], tally[SIZE], found):
        tally[COUNT] += 1
        if 2 * tally[COUNT] > tally[SIZE]:
            enlarge(tables, tally)


@njit(**FAST)
def project(states, mask, tables, tally):
    """Count the projections of a block of packed states, beside those of earlier blocks."""
    for i in range(len(states)):
        note_projection(projected(states[i], mask), tables, tally)


@njit(**FAST)
def project_without(states, whole, mask, part, tables, tally):
    """As `project`, by the mask without a part of it; `whole` are the fingerprints by the mask.

    Only the words of the part are hashed again.
    """
    for i in range(len(states)):
        found = whole[i]
        for w in range(np.uint64(len(mask))):
            if part[w] != 0:
                word = states[i, w] & mask[w]
                found += hashed(word & ~part[w], w) - hashed(word, w)
        note_projection(found, tables, tally)


class Projector:
    """One thread's tables. Not shared between threads."""

    def __init__(self, most: int = MOST) -> None:
        self.tables: Array = np.zeros((2, most), np.uint64)

    def count(self, states: list[Array], mask: Array) -> tuple[int, bool]:
        """How many projections these blocks of states have, and whether that is exact."""
        tally = self._emptied()
        for block in states:
            project(block, mask, self.tables, tally)
        return _counted(tally)

    def count_without(
        self, states: list[Array], whole: list[Array], mask: Array, part: Array
    ) -> tuple[int, bool]:
        """The same without a part of the mask; `whole` are the fingerprints by the mask."""
        tally = self._emptied()
        for block, found in zip(states, whole, strict=True):
            project_without(block, found, mask, part, self.tables, tally)
        return _counted(tally)

    def _emptied(self) -> Array:
        """The tally of an empty table."""
        size = min(LEAST, self.tables.shape[1])
        self.tables[0, :size] = 0
        return np.array([0, 0, size, 0], np.int64)


def _counted(tally: Array) -> tuple[int, bool]:
    return int(tally[COUNT]) << int(tally[ZEROS]), bool(tally[ZEROS] == 0)


def fingerprints_by(states: list[Array], mask: Array) -> list[Array]:
    """The fingerprints of the projections of each block of states."""
    found = [np.empty(len(block), np.uint64) for block in states]
    for block, one in zip(states, found, strict=True):
        write_projected(block, mask, one)
    return found


def prepare_projections(words: int) -> None:
    """Compile or load the functions of this module by projecting no states."""
    none, mask = [np.zeros((0, words), np.uint64)], np.zeros(words, np.uint64)
    projector = Projector(LEAST)
    projector.count(none, mask)
    projector.count_without(none, fingerprints_by(none, mask), mask, mask)
