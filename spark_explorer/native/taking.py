"""Taking a step: what it changes, and the packed successor, by the difference from the state before.

Row 1 of `work.flat`, the state after, equals row 0, the state before, when a step is taken; `undo`
makes them equal again. A step changes few leaves of many, so nothing else is packed or checked:
a leaf that did not change is inside its domain, and its bits are those of the state before.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from tierproof.spark_explorer.native.calling import call
from tierproof.spark_explorer.native.keeping import njit
from tierproof.spark_explorer.native.packing import FAST, SIX_BITS, unpack

OUTSIDE, UNCHANGED, LEFT = -1, -2, -3
"""What the engine finds: a leaf outside its domain, an action that changes nothing; and no fault,
but a walk that was asked to end."""
BLOCK = 8
"""Leaves that are compared at once."""


@njit(**FAST)
def stand(words, packing, flat):
    """Make a packed state the state before, and the state after."""
    unpack(words, packing, flat[0])
    copy_row(flat, 0, 1)


@njit(**FAST)
def copy_row(flat, source, target):
    """Copy a row of leaves to another."""
    for k in range(np.uint64(flat.shape[1])):  # a slice assignment would allocate
        flat[target, k] = flat[source, k]


@intrinsic
def differing(typing_context, flat, first):
    """The bits of those of the BLOCK leaves from `first` on in which the first two rows differ."""

    def generate(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        vector = ir.VectorType(ir.IntType(64), BLOCK)
        rows = []
        for row in (0, 1):
            place = [context.get_constant(types.intp, row), arguments[1]]
            pointer = cgutils.get_item_pointer(context, builder, signature.args[0], array, place)
            rows.append(builder.load(builder.bitcast(pointer, vector.as_pointer()), align=8))
        bits = builder.bitcast(builder.icmp_unsigned("!=", *rows), ir.IntType(BLOCK))
        return builder.zext(bits, ir.IntType(64))

    return types.uint64(flat, first), generate


@njit(**FAST)
def note_changed(flat, changed):
    """Write the leaves in which the state after differs, ascending; return how many.

    The last block may reach into the next row: what it finds there is no leaf.
    """
    n, leaves = 0, flat.shape[1]
    for group in range(0, leaves, 64):
        bits = np.uint64(0)
        for k in range(group, min(group + 64, leaves), BLOCK):
            bits |= differing(flat, k) << np.uint64(k - group)
        if leaves - group < 64:
            bits &= (np.uint64(1) << np.uint64(leaves - group)) - np.uint64(1)
        while bits != 0:
            changed[n] = group + trailing_zeros(bits)
            bits &= bits - np.uint64(1)
            n += 1
    return n


@intrinsic
def trailing_zeros(typing_context, bits):
    """The number of the lowest bit that is set; there is one."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(bits), generate


@njit(**FAST)
def pack_changed(flat, changed, n, words, packing, after):
    """Pack the state after; False, with `after` undefined, if a leaf is outside its domain."""
    for w in range(np.uint64(len(words))):
        after[w] = words[w]
    for i in range(n):
        k = changed[i]
        value = np.uint64(flat[1, k] - packing.low[k])
        if value > packing.span[k]:
            return False
        difference = np.uint64(flat[1, k] - flat[0, k])  # the bits around it stay: no carry is left
        after[packing.word[k]] += difference << (packing.shift[k] & SIX_BITS)
    return True


@njit(**FAST)
def take(code, words, step, tables, packing, work, after):
    """Take a step of the state before, which is packed in `words`; pack the successor in `after`.

    Returns the number of leaves that it changed, which are in `work.changed`, and whether its
    effect changed something: a spent budget alone is no change. A fault is left in the context.
    """
    flat, context = work.flat, work.context
    budget = tables.budget[step[1]]
    call(code.apply, (context, flat[1], step))
    if context[0] != 0:
        return 0, False
    if budget >= 0:
        flat[1, budget] -= 1
    n = note_changed(flat, work.changed)
    is_changed = n > 0
    if budget >= 0:
        is_spent = n == 1 and work.changed[0] == budget
        is_changed = not (is_spent and flat[1, budget] == flat[0, budget] - 1)
    if not pack_changed(flat, work.changed, n, words, packing, after):
        context[0] = OUTSIDE
    return n, is_changed


@njit(**FAST)
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
