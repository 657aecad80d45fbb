"""Taking a step: what it changes, and the packed successor, by the difference from before.

Row 1 of `work.flat`, the state after, equals row 0, the state before, when a step is taken; `undo`
makes them equal again. A step changes few leaves of many, so nothing else is packed or checked:
a leaf that did not change is inside its domain, and its bits are those of the state before.
"""

from __future__ import annotations

import numpy as np

from tierproof.spark_explorer.compiler.sizes import MOST_NOTED
from tierproof.spark_explorer.native.calling import call
from tierproof.spark_explorer.native.keeping import njit
from tierproof.spark_explorer.native.packing import FAST, SIX_BITS, unpack

OUTSIDE, UNCHANGED, LEFT = -1, -2, -3
"""What the engine finds: a leaf outside its domain, an action that changes nothing; and no fault,
but a walk that was asked to end."""


@njit(forceinline=True, **FAST)
def stand(words, packing, flat):
    """Make a packed state the state before, and the state after."""
    unpack(words, packing, flat[0])
    copy_row(flat, 0, 1)


@njit(forceinline=True, **FAST)
def copy_row(flat, source, target):
    """Copy a row of leaves to another."""
    for k in range(np.uint64(flat.shape[1])):  # a slice assignment would allocate
        flat[target, k] = flat[source, k]


@njit(forceinline=True, **FAST)
def note_leaf(work, k, n, packing, after):
    """Pack a leaf of the state after if it is another than in `after`; return how many changed.

    A leaf that is noted twice is another once. Minus one if it is outside its domain.
    """
    value = np.uint64(work.flat[1, k] - packing.low[k])
    if value > packing.span[k]:
        return -1
    w, shift = packing.word[k], packing.shift[k] & SIX_BITS
    different = ((after[w] >> shift) & packing.mask[k]) ^ value
    if different == 0:
        return n
    after[w] ^= different << shift
    work.changed[n] = k
    return n + 1


@njit(forceinline=True, **FAST)
def note_changed(work, packing, after):
    """Pack what was assigned to; return how many leaves changed, or -1 for one outside its domain.

    What was assigned to is looked at alone if the notes of it are whole, else every leaf.
    """
    context, notes, flat = work.context, work.noted[1], work.flat
    count, n = context[notes], 0
    if count > MOST_NOTED:
        for k in range(flat.shape[1]):
            if flat[1, k] != flat[0, k]:
                n = note_leaf(work, k, n, packing, after)
                if n < 0:
                    return n
        return n
    for note in range(count):
        k = (context[notes + 1 + 2 * note] - work.noted[0]) >> 3
        end = k + (context[notes + 2 + 2 * note] >> 3)
        while k < end:
            if flat[1, k] != flat[0, k]:
                n = note_leaf(work, k, n, packing, after)
                if n < 0:
                    return n
            k += 1
    return n


@njit(forceinline=True, **FAST)
def take(code, words, step, tables, packing, work, after):
    """Take a step of the state before, which is packed in `words`; pack the successor in `after`.

    Returns the number of leaves that it changed, which are in `work.changed`, and whether its
    effect changed something: a spent budget alone is no change. A fault is left in the context.
    """
    context, budget = work.context, tables.budget[step[1]]
    for w in range(np.uint64(len(words))):
        after[w] = words[w]
    context[work.noted[1]] = 0
    call(code.apply, (context, work.flat[1], step))
    if context[0] != 0:
        return 0, False
    n = note_changed(work, packing, after)
    is_changed = n != 0
    if n >= 0 and budget >= 0:
        n = spend(work, budget, n, packing, after)
    if n < 0:
        context[0] = OUTSIDE
    return n, is_changed


@njit(forceinline=True, **FAST)
def spend(work, budget, n, packing, after):
    """Spend one of the budget; return how many leaves are changed now, or -1 as `note_changed`."""
    work.flat[1, budget] -= 1
    for i in range(n):
        if work.changed[i] == budget:  # its effect has changed it, too
            found = note_leaf(work, budget, n, packing, after)
            if found < 0 or work.flat[1, budget] != work.flat[0, budget]:
                return min(found, n)
            work.changed[i] = work.changed[n - 1]
            return n - 1
    return note_leaf(work, budget, n, packing, after)


@njit(forceinline=True, **FAST)
def undo(work, n):
    """Make the state after equal the state before, where a step has changed `n` leaves."""
    flat, changed = work.flat, work.changed
    for i in range(n):
        flat[1, changed[i]] = flat[0, changed[i]]


@njit(**FAST)
def go_on(work, n):
    """Make the state before equal the state after."""
    flat, changed = work.flat, work.changed
    for i in range(n):
        flat[0, changed[i]] = flat[1, changed[i]]
