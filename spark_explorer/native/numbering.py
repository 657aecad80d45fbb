"""The numbers of explored states: fingerprint -> number, in an open-addressing table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from tierproof.model.language.errors import TierproofError
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.keeping import njit
from tierproof.spark_explorer.native.packing import FAST, fingerprints
from tierproof.spark_explorer.native.visited import AHEAD, home, prefetch

EMPTY = -1
UNKNOWN = -2
"""The number of a state that was not visited."""
LOAD = 0.6


class Collision(TierproofError):
    """Two states have the same 64 bits of a fingerprint, which a search with 128 tells apart."""


class Numbering(NamedTuple):
    """`N` states, `C` rows."""

    rows: Array  # int32[C]: a number, or EMPTY
    found: Array  # uint64[N]: the fingerprint of each state


@njit(**FAST)
def number_of(known, wanted):
    """The number of the state with the fingerprint `wanted`, or UNKNOWN."""
    rows, found = known.rows, known.found
    row = home(rows, wanted)
    while rows[row] != EMPTY:
        if found[rows[row]] == wanted:
            return np.int64(rows[row])
        row += 1
        if row == len(rows):
            row = 0
    return np.int64(UNKNOWN)


@njit(**FAST)
def number_all(known):
    """Enter every state into empty rows; returns how many have the fingerprint of one before."""
    doubles = 0
    rows, found = known.rows, known.found
    for number in range(len(found)):
        if number + AHEAD < len(found):
            prefetch(rows, home(rows, found[number + AHEAD]))
        row = home(rows, found[number])
        while rows[row] != EMPTY:
            doubles += found[rows[row]] == found[number]
            row += 1
            if row == len(rows):
                row = 0
        rows[row] = number
    return doubles


def numbered(blocks: Iterable[Array]) -> tuple[Numbering, int]:
    """The packed states of all blocks, numbered in their order, and how many have the fingerprint
    of one before.
    """
    found = np.concatenate([np.zeros(0, np.uint64), *map(fingerprints, blocks)])
    rows = np.full(int(len(found) / LOAD) + 1, EMPTY, np.int32)
    known = Numbering(rows, found)
    return known, number_all(known)
