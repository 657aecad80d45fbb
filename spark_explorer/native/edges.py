"""The steps of a block of states as edges of a graph, and which goals and premises hold.

A step that changes nothing is not an edge. A fair step is an edge to BEYOND if the scope hides its
successor, because a limit refuses it or it leads outside the bounds; such steps of other actions
are left out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tierproof.spark_explorer.compiler.faults import NO_MORE_STATES
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.calling import call
from tierproof.spark_explorer.native.expansion import (
    enabled_steps,
    is_asked,
    is_inside,
)
from tierproof.spark_explorer.native.keeping import njit
from tierproof.spark_explorer.native.numbering import Numbering, number_of
from tierproof.spark_explorer.native.packing import FAST, fingerprint
from tierproof.spark_explorer.native.taking import stand, take, undo
from tierproof.spark_explorer.native.visited import AHEAD, home, prefetch

BEYOND = -1
"""Target of an edge that leads out of the scope."""
NOT_LOOKED_UP = -3
"""Target of an edge while a block is connected."""


class Edges(NamedTuple):
    """Where `connect` writes. `B` rows, `C` capacity, `N` states, `K` liveness properties."""

    first: Array  # int64[B + 1]: each row's first edge
    labels: Array  # int32[C]
    targets: Array  # int32[C]: number of a state, or BEYOND
    marks: Array  # uint8[B, K]
    total: Array  # int64[1]: edges so far
    scratch: Array  # uint64[W]
    steps: Array  # int64[labels, ...]: steps enabled if limits are ignored
    lifted: Array  # bool[guards]: ablated ones and limits
    wanted: Array  # bool[labels]: those that some property calls fair
    reached: Array  # uint64[C]: the fingerprints of targets that are not looked up yet
    known: Numbering


@njit(**FAST)
def has_room_for(edges, steps):
    """Whether so many more edges are certain to fit."""
    return edges.total[0] + steps <= len(edges.labels)


@njit(**FAST)
def add_edge(edges, label, target):
    """Add an edge to the current row."""
    at = edges.total[0]
    edges.labels[at] = label
    edges.targets[at] = target
    edges.total[0] = at + 1


@njit(**FAST)
def join(edges, label, is_inside):
    """Add the edge to the packed state in `scratch`."""
    if is_inside:
        edges.reached[edges.total[0]] = fingerprint(edges.scratch)
        add_edge(edges, label, NOT_LOOKED_UP)
    elif edges.wanted[label]:
        add_edge(edges, label, BEYOND)


@njit(**FAST)
def join_refused(edges, taken, taken_count, lifted_count):
    """Add the fair steps that only a limit refuses; both lists of steps ascend by label."""
    j = 0
    for i in range(lifted_count):
        label = edges.steps[i, 0]
        if j < taken_count and taken[j, 0] == label:
            j += 1
        elif edges.wanted[label]:
            add_edge(edges, label, BEYOND)


@njit(**FAST)
def look_up(edges, first):
    """Write the targets of the edges from `first` on that are not looked up yet."""
    rows, count = edges.known.rows, edges.total[0]
    for edge in range(first, count):
        far, near = edge + 2 * AHEAD, edge + AHEAD
        if far < count and edges.targets[far] == NOT_LOOKED_UP:
            prefetch(rows, home(rows, edges.reached[far]))
        if near < count and edges.targets[near] == NOT_LOOKED_UP:
            number = rows[home(rows, edges.reached[near])]
            if number >= 0:
                prefetch(edges.known.found, np.int64(number))
        if edges.targets[edge] == NOT_LOOKED_UP:
            edges.targets[edge] = number_of(edges.known, edges.reached[edge])


@njit(**FAST)
def connect_rows(block, row, code, tables, packing, work, edges, is_lifting):
    """As `connect`; targets are not looked up yet."""
    flat, context = work.flat, work.context
    while row < len(block):
        if is_asked(work, NO_MORE_STATES) or not has_room_for(edges, 2 * len(work.steps)):
            return row
        work.row[0], work.row[1] = row, -1
        stand(block[row], packing, flat)
        call(code.mark_state, (context, flat, edges.marks[row]))
        if context[0] != 0:
            return row
        n = enabled_steps(code.enabled_here, work, tables.dropped, tables, work.steps)
        if context[0] != 0:
            return row
        for j in range(n):
            work.row[1] = work.steps[j, 0]
            step = work.steps[j]
            changed, _ = take(code, block[row], step, tables, packing, work, edges.scratch)
            if context[0] == 0 and changed > 0:
                join(edges, step[0], is_inside(code, work))
            if context[0] != 0:
                return row
            undo(work, changed)
        work.row[1] = -1
        if is_lifting:
            m = enabled_steps(code.enabled, work, edges.lifted, tables, edges.steps)
            if context[0] != 0:
                return row
            join_refused(edges, work.steps, n, m)
        row += 1
        edges.first[row] = edges.total[0]
    return row


@njit(**FAST)
def connect(block, row, code, tables, packing, work, edges, is_lifting):
    """Write marks and steps of rows of `block` from `row` on; returns the first row not done.

    If rows are left, there is no room for more, somebody asked to stop, or `work.context[0]` holds
    a fault in row `work.row`.
    """
    first = edges.total[0]
    row = connect_rows(block, row, code, tables, packing, work, edges, is_lifting)
    look_up(edges, first)
    return row
