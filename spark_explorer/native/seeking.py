"""Seeking: from which states of a level, and by which steps, the next level's were reached.

Of the steps that lead to a state, the one with the least label is kept, and of those with it the
one from the state with the least fingerprint: whatever the order of a search, its traces are the
same. A sieve leaves out the states that no step could lead from: a step changes no bit but
those that steps with its label have changed in the search, so a state is let through only if it
agrees, for some label, with a wanted state in all of the others. Labels are asked by action: most
states agree for none.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from tierproof.spark_explorer.compiler.faults import NO_MORE_STATES
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.expansion import WAITING, expand_state, is_asked
from tierproof.spark_explorer.native.keeping import njit
from tierproof.spark_explorer.native.packing import FAST, GOLDEN, ODD, fingerprint

BITS_EACH = 1 << 7
"""Bits of the sieve for a mask and a wanted state: few, as they have to be in a cache."""
MOST_BITS = 1 << 26


class Origin(NamedTuple):
    """How a state was reached: its parent's fingerprint, the label of the step."""

    parent: int
    label: int


Origins: TypeAlias = dict[tuple[int, int], Origin]
"""By level and fingerprint. That of an initial state has its number as its label."""


class Sieve(NamedTuple):
    """`A` actions (0: everything is let through), `M` masks of labels, `W` words."""

    by_action: Array  # uint64[A, W]: the bits that each step of an action leaves as they are
    first: Array  # int64[A + 1]: the first mask of its labels
    kept: Array  # uint64[M, W]: the bits that a step leaves as they are
    bits: Array  # uint64[2**k]: a bit for what is kept of each wanted state, hashed
    shift: np.uint64  # 58 - k


class Best(NamedTuple):
    """The best origin found of each of `N` wanted states."""

    found: Array  # uint64[N]: their fingerprints, ascending
    parents: Array  # uint64[N]: the parents' fingerprints
    labels: Array  # int64[N]: -1 if none is found yet
    words: Array  # uint64[N, W]: the parents


@njit(forceinline=True, **FAST)
def bit_of(words, kept, number, shift):
    """The bit of a sieve of 2**(64 - shift) bits for what a mask keeps of a state."""
    found = np.uint64(number + 1) * ODD
    for w in range(np.uint64(len(words))):
        found += (words[w] & kept[w]) * (GOLDEN * np.uint64(2 * w + 1))
    return found >> shift


@njit(**FAST)
def fill(sieve, masks, number, wanted):
    """Set the bits of the wanted packed states for masks, the first of which has this number."""
    for m in range(len(masks)):
        for i in range(len(wanted)):
            bit = bit_of(wanted[i], masks[m], number + m, sieve.shift)
            sieve.bits[bit >> np.uint64(6)] |= np.uint64(1) << (bit & np.uint64(63))


@njit(forceinline=True, **FAST)
def agrees(sieve, words, kept, number):
    """Whether a wanted state has the same bits under a mask."""
    bit = bit_of(words, kept, number, sieve.shift)
    return (sieve.bits[bit >> np.uint64(6)] >> (bit & np.uint64(63))) & np.uint64(1) != 0


@njit(**FAST)
def is_let_through(sieve, words):
    """Whether a step could lead from a packed state to a wanted one."""
    labels = len(sieve.kept)
    for a in range(len(sieve.by_action)):
        if agrees(sieve, words, sieve.by_action[a], labels + a):
            for m in range(sieve.first[a], sieve.first[a + 1]):
                if agrees(sieve, words, sieve.kept[m], m):
                    return True
    return len(sieve.by_action) == 0


@njit(**FAST)
def number_of(found, wanted):
    """The index of a number in an ascending array, or -1."""
    low, high = 0, len(found)
    while low < high:
        middle = (low + high) // 2
        if found[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < len(found) and found[low] == wanted else -1


@njit(**FAST)
def note_origin(best, n, label, me, words):
    """Note that a step leads from a state to the wanted state `n`, if no better one is known."""
    known = best.labels[n]
    if known < 0 or label < known or (label == known and me < best.parents[n]):
        best.labels[n] = label
        best.parents[n] = me
        for w in range(np.uint64(len(words))):
            best.words[n, w] = words[w]


@njit(**FAST)
def note_origins(words, me, output, best):
    """Note a state as the origin of its successors, which wait in the output."""
    for i in range(output.counts[WAITING]):
        n = number_of(best.found, output.found[i])
        if n >= 0:
            note_origin(best, n, np.int64(output.labels[i]), me, words)


@njit(**FAST)
def merge(best, other):
    """Note the origins that another thread has found."""
    for n in range(len(best.found)):
        if other.labels[n] >= 0:
            note_origin(best, n, other.labels[n], other.parents[n], other.words[n])


@njit(**FAST)
def seek(block, code, tables, packing, reduction, bench, work, checks, table, output, sieve, best):
    """Note the states of `block` as origins, until somebody asks to stop.

    Where a function of the design fails in a state, the search has gone as far, too.
    """
    for row in range(len(block)):
        words = block[row]
        if is_asked(work, NO_MORE_STATES):
            return
        if is_let_through(sieve, words):
            me = fingerprint(words)
            work.context[0] = output.counts[WAITING] = 0
            expand_state(
                words, me, code, tables, packing, reduction, bench, work, checks, table, output
            )
            note_origins(words, me, output, best)


@njit(**FAST)
def rows_of(block, found, rows):
    """Write the row of each packed state of `block` whose fingerprint is in `found`, ascending."""
    for row in range(len(block)):
        n = number_of(found, fingerprint(block[row]))
        if n >= 0:
            rows[n] = row
