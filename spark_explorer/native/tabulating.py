"""Explored states once more: what the checks report on each, and the steps out of it, in rows.

States are expanded as a search does it, by the same functions: `arrive` and `follow`. So what is
written adds up to what a search has counted, faults of the design included.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tierproof.spark_explorer.compiler.faults import NO_MORE_STATES
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.canonical import canonicalise
from tierproof.spark_explorer.native.expansion import (
    arrive,
    check_state,
    follow,
    is_asked,
    is_inside,
)
from tierproof.spark_explorer.native.keeping import njit
from tierproof.spark_explorer.native.packing import FAST, fingerprint, pack
from tierproof.spark_explorer.native.taking import stand, undo

INSIDE, OUTSIDE, FAILED = range(3)
"""Where a step leads: to a state, out of the bounds; nowhere, as a function of the design fails."""


class Reports(NamedTuple):
    """The numbers of the checks that report on each row, row after row. `B` rows, `C` capacity."""

    first: Array  # int64[B + 1]: each row's first number
    numbers: Array  # uint16[C]


class Taken(NamedTuple):
    """The steps of a block of states, state after state. `B` states, `C` capacity."""

    first: Array  # int64[B + 1]: each state's first step
    labels: Array  # int32[C]
    targets: Array  # uint64[C]: the fingerprint of the state that it leads to
    kinds: Array  # uint8[C]: INSIDE, OUTSIDE or FAILED
    after: Array  # uint64[W]


@njit(**FAST)
def note_reports(checks, has_failed, reports, at):
    """Write the numbers of the checks that report, and forget them; return where the next goes.

    The last check is that no function of the design fails.
    """
    last = len(checks.hits) - 1
    for k in range(last):
        if checks.hits[k] != 0:
            reports.numbers[at] = k
            at += 1
            checks.hits[k] = 0
    if has_failed:
        reports.numbers[at] = last
        at += 1
    return at


@njit(**FAST)
def report_states(block, row, code, tables, packing, work, checks, reports):
    """Check rows of `block` from `row` on; returns the first row not done.

    If rows are left, there is no room for more reports, or somebody asked to stop.
    """
    while row < len(block):
        at = reports.first[row]
        if is_asked(work, NO_MORE_STATES) or at + len(checks.hits) > len(reports.numbers):
            return row
        work.row[0], work.row[1] = row, -1
        stand(block[row], packing, work.flat)
        arrive(code, tables, work, checks, np.uint64(0))
        at = note_reports(checks, work.context[0] != 0, reports, at)
        work.context[0] = 0
        row += 1
        reports.first[row] = at
    return row


@njit(**FAST)
def land(code, tables, packing, reduction, bench, work, checks, label, after):
    """Make the packed state after a step, in `after`, the one that a search visits; where it is."""
    if work.context[0] == 0 and tables.has_bounds and not is_inside(code, work):
        if work.context[0] == 0:
            check_state(code, work.flat[1], work, checks, np.uint64(0), label)
        return FAILED if work.context[0] != 0 else OUTSIDE
    if work.context[0] != 0:
        return FAILED
    if len(reduction.source) > 0:
        canonicalise(work.flat[1], reduction, bench)
        pack(bench.leaves[0], packing, after)
    return INSIDE


@njit(**FAST)
def take_steps(words, at, code, tables, packing, reduction, bench, work, checks, taken, reports):
    """Write the steps of one state from `at` on, until a fault; return where the next goes."""
    stand(words, packing, work.flat)
    n = arrive(code, tables, work, checks, np.uint64(0))
    note_reports(checks, False, reports, reports.first[at])  # those on the state are overwritten
    if work.context[0] != 0:
        work.context[0] = n = 0
    for j in range(n):
        step = work.steps[j]
        work.row[1] = step[0]
        changed = follow(
            words, step, code, tables, packing, work, checks, np.uint64(0), taken.after
        )
        kind = land(code, tables, packing, reduction, bench, work, checks, step[0], taken.after)
        taken.labels[at], taken.kinds[at] = step[0], kind
        taken.targets[at] = fingerprint(taken.after)
        reports.first[at + 1] = note_reports(checks, kind == FAILED, reports, reports.first[at])
        at += 1
        if kind == FAILED:
            work.context[0] = 0
            break
        undo(work, changed)
    return at


@njit(**FAST)
def tabulate_steps(
    block, row, code, tables, packing, reduction, bench, work, checks, taken, reports
):
    """Write the steps of rows of `block` from `row` on; returns the first row not done.

    If rows are left, there is no room for more, or somebody asked to stop.
    """
    most = len(work.steps) + 1
    while row < len(block):
        at = taken.first[row]
        has_room = at + most <= len(taken.labels)
        has_room &= reports.first[at] + most * len(checks.hits) <= len(reports.numbers)
        if is_asked(work, NO_MORE_STATES) or not has_room:
            return row
        work.row[0], work.row[1] = row, -1
        at = take_steps(
            block[row], at, code, tables, packing, reduction, bench, work, checks, taken, reports
        )
        row += 1
        taken.first[row] = at
    return row
