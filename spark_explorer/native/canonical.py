"""Canonical states: of the states that differ only in which alike thing is which, the least.

Every permutation of the table is tried: first the one that leaves all as it is. Things whose fields
do not name each other are sorted by what the state says of each. The names that the things had
before are left behind, so that a trace can have them again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.keeping import njit
from tierproof.spark_explorer.native.packing import FAST, pack, unpack

PLAIN, INDEX, SET = 0, 1, 2


class Reduction(NamedTuple):
    """How states are permuted. `P` permutations (0: none, not even the first), `L` leaves.

    `G` kinds of alike things of at most `N`, of which `S` are sorted; `C` columns have a leaf for
    each thing, `V` leaves have things as their values.
    """

    source: Array  # int64[P, L]: the leaf that moves here
    names: Array  # int64[P, G * N]: the new name of each thing
    width: int  # N
    size: Array  # int64[G]
    kind: Array  # int64[L]: PLAIN, INDEX or SET
    of: Array  # int64[L]: whose index, or whose set
    used: Array  # int64[L]: the leaf with the length of the sequence that it is in, or -1
    position: Array  # int64[L]: its place in that sequence
    sorted: Array  # int64[S]
    column_first: Array  # int64[S + 1]
    columns: Array  # int64[C, N]
    value_first: Array  # int64[S + 1]
    values: Array  # int64[V]


class Bench(NamedTuple):
    """Buffers of one thread. Row 0 is the least state so far, and its names."""

    leaves: Array  # int64[2, L]
    names: Array  # int64[2, G * N]
    order: Array  # int64[N]
    spare: Array  # int64[N]


@njit(**FAST)
def is_live(leaves, leaf, reduction):
    """Whether a leaf has a value: the room of a sequence that is not used has none."""
    used = reduction.used[leaf]
    return used < 0 or leaves[used] > reduction.position[leaf]


@njit(**FAST)
def renamed(leaves, leaf, reduction, names):
    """The value of a leaf in new names."""
    value, kind = leaves[leaf], reduction.kind[leaf]
    if kind == PLAIN or not is_live(leaves, leaf, reduction):
        return value
    first = reduction.of[leaf] * reduction.width
    if kind == INDEX:
        return names[first + value] if value >= 0 else value
    found = np.int64(0)
    for member in range(reduction.size[reduction.of[leaf]]):
        found |= ((value >> member) & 1) << names[first + member]
    return found


@njit(**FAST)
def comes_before(leaves, one, other, which, reduction):
    """Whether the state says less of one thing than of the other, of a kind that is sorted."""
    for c in range(reduction.column_first[which], reduction.column_first[which + 1]):
        a = leaves[reduction.columns[c, one]]
        b = leaves[reduction.columns[c, other]]
        if a != b:
            return a < b
    for v in range(reduction.value_first[which], reduction.value_first[which + 1]):
        leaf = reduction.values[v]
        if is_live(leaves, leaf, reduction):
            value = leaves[leaf]
            if reduction.kind[leaf] == INDEX:
                a, b = np.int64(value == one), np.int64(value == other)
            else:
                a, b = (value >> one) & 1, (value >> other) & 1
            if a != b:
                return a < b
    return False


@njit(**FAST)
def sort_things(which, reduction, bench, names):
    """Sort the things of one kind in row 1 of the bench, and write their new names."""
    leaves, spare, order = bench.leaves[1], bench.spare, bench.order
    group = reduction.sorted[which]
    count, first = reduction.size[group], group * reduction.width
    for i in range(count):
        j = i
        while j > 0 and comes_before(leaves, i, order[j - 1], which, reduction):
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
    for i in range(count):
        names[first + order[i]] = i
    for c in range(reduction.column_first[which], reduction.column_first[which + 1]):
        for i in range(count):
            spare[i] = leaves[reduction.columns[c, order[i]]]
        for i in range(count):
            leaves[reduction.columns[c, i]] = spare[i]
    for v in range(reduction.value_first[which], reduction.value_first[which + 1]):
        leaf = reduction.values[v]
        leaves[leaf] = renamed(leaves, leaf, reduction, names)


@njit(**FAST)
def is_less(bench):
    """Whether row 1 of the bench is less than row 0."""
    for k in range(bench.leaves.shape[1]):
        if bench.leaves[1, k] != bench.leaves[0, k]:
            return bench.leaves[1, k] < bench.leaves[0, k]
    return False


@njit(**FAST)
def canonicalise(leaves, reduction, bench):
    """Write the least state into row 0 of the bench, and the new names of things."""
    for p in range(len(reduction.source)):
        names = bench.names[1]
        for n in range(len(names)):
            names[n] = reduction.names[p, n]
        for k in range(len(leaves)):
            bench.leaves[1, k] = renamed(leaves, reduction.source[p, k], reduction, names)
        for which in range(len(reduction.sorted)):
            sort_things(which, reduction, bench, names)
        if p == 0 or is_less(bench):
            for k in range(len(leaves)):
                bench.leaves[0, k] = bench.leaves[1, k]
            for n in range(len(names)):
                bench.names[0, n] = names[n]


@njit(**FAST)
def canonicalise_all(states, packing, reduction, bench, leaves):
    """Replace each packed state by its canonical one; `leaves` is a buffer."""
    for row in range(len(states)):
        unpack(states[row], packing, leaves)
        canonicalise(leaves, reduction, bench)
        pack(bench.leaves[0], packing, states[row])
