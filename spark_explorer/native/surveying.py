"""The steps of explored states, taken again: which bits they change, where they lead, how many.

A step that changes nothing, or that a function of the design fails in, leads nowhere.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tierproof.spark_explorer.compiler.faults import NO_MORE_STATES
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.edges import add_edge, has_room_for
from tierproof.spark_explorer.native.expansion import (
    enabled_steps,
    is_asked,
    is_inside,
)
from tierproof.spark_explorer.native.keeping import njit
from tierproof.spark_explorer.native.numbering import number_of
from tierproof.spark_explorer.native.packing import FAST, fingerprint
from tierproof.spark_explorer.native.taking import copy_row, stand, take, undo


class Habits(NamedTuple):
    """What steps do, by label or by action. `S` labels, `A` actions, `W` words."""

    changed: Array  # uint64[S, W]: the bits that the step has changed
    enabled: Array  # int64[A]: states in which a step of the action is enabled
    last: Array  # int64[A]: the last row in which it was


@njit(**FAST)
def follow_steps(words, n, code, tables, packing, work, edges, habits):
    """Take the enabled steps of one state; add an edge for each that leads to another state."""
    for j in range(n):
        step = work.steps[j]
        changed, _ = take(code, words, step, tables, packing, work, edges.scratch)
        if work.context[0] != 0:
            copy_row(work.flat, 0, 1)
        elif changed > 0:
            for w in range(np.uint64(len(words))):
                habits.changed[step[0], w] |= words[w] ^ edges.scratch[w]
            if not tables.has_bounds or is_inside(code, work):
                add_edge(edges, step[0], number_of(edges.known, fingerprint(edges.scratch)))
            undo(work, changed)
        work.context[0] = 0


@njit(**FAST)
def survey_steps(block, row, code, tables, packing, work, edges, habits):
    """Survey rows of `block` from `row` on; returns the first row not done.

    If rows are left, there is no room for more edges, or somebody asked to stop.
    """
    while row < len(block):
        if is_asked(work, NO_MORE_STATES) or not has_room_for(edges, len(work.steps)):
            return row
        stand(block[row], packing, work.flat)
        n = enabled_steps(code.enabled_here, work, tables.dropped, tables, work.steps)
        if work.context[0] != 0:
            work.context[0] = n = 0
        for j in range(n):
            action = work.steps[j, 1]
            if habits.last[action] != row:
                habits.last[action] = row
                habits.enabled[action] += 1
        follow_steps(block[row], n, code, tables, packing, work, edges, habits)
        row += 1
        edges.first[row] = edges.total[0]
    return row
