"""Expansion: expand a block of packed states, run checks, keep the successors not yet visited.

A design's own functions are called by address; the code here is the same for every design.
Tables, buffers and outputs are named tuples of arrays: Numba and Python see the same names.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tierproof.spark_explorer.compiler.faults import LEAVE, NO_MORE_STATES
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.calling import call
from tierproof.spark_explorer.native.canonical import canonicalise
from tierproof.spark_explorer.native.keeping import njit
from tierproof.spark_explorer.native.packing import FAST, fingerprint, pack
from tierproof.spark_explorer.native.taking import UNCHANGED, stand, take, undo
from tierproof.spark_explorer.native.visited import home, insert, prefetch

BATCH = 128
"""Successors that wait together for their slots of the visited table."""
WAITING, FRESH, MOST = range(3)
"""What `Output.counts` counts."""


class Tables(NamedTuple):
    """What an expansion reads about a design in a scope. `A` actions, `G` guards."""

    low: Array  # int64[A, 4]: least value of each parameter
    sizes: Array  # int64[A, 4]: how many values it has
    first: Array  # int64[A]: label of the action's first step
    dropped: Array  # bool[G]: ablated guards
    stutters: Array  # bool[A]
    law_leaf: Array  # int64[L]: leaves that obey a lifecycle
    law_base: Array  # int64[L]: where the lifecycle's matrix starts in `law_edges`
    law_size: Array  # int64[L]: values of the lifecycle
    law_number: Array  # int64[L]: the law's number among the checks
    law_edges: (
        Array  # bool[...]: declared edges, source * size + target, a lifecycle after the other
    )
    law_bits: Array  # uint64[W]: the bits of lifecycle fields in a packed state
    budget: Array  # int64[A]: the leaf that the action spends, or -1
    deadlock: int  # number of the deadlock property, or -1
    has_step_properties: bool
    has_bounds: bool
    law_of: Array  # int64[L]: for each leaf its place in `law_leaf`, or -1


class Checks(NamedTuple):
    """The results of an expansion. `K` checks: the claimed properties, the lifecycle laws, a fault.

    Each check keeps the occurrence with the smallest (place, label): the state in which it was
    found and the label of the step taken from it, or -1 if the state itself is the occurrence.
    The place of a state is its fingerprint in a search, and its `place` in a random walk. The last
    check is that no function of the design fails in a state; its label is the fault's number.
    """

    hits: Array  # int64[K]: how often
    where: Array  # uint64[K]: place
    label: Array  # int64[K]
    premises: Array  # int64[K]: states in which the property's premise held
    taken: Array  # int64[A]: steps by action
    edges: Array  # bool[...]: lifecycle edges taken, as `law_edges`


class Work(NamedTuple):
    """The buffers of one thread. `L` leaves, `S` labels, `K` checks.

    The rows of `flat` are the state before, the state after, the least value of each leaf, and
    the size of its domain less 1. `context` is the fault, the scope's bounds, the notes of what an
    effect has assigned to, and whether to stop.
    """

    flat: Array  # int64[4, L]
    context: Array  # int64[2 + bounds + NOTES]
    steps: Array  # int64[S, 6]: label, action, parameters
    found: Array  # int64[K]: numbers of the checks that report
    row: Array  # int64[2]: the row of the block under way, and the label of its step, or -1
    changed: Array  # int64[L]: the leaves that the last step has changed
    noted: Array  # int64[2]: the address of the state after, the index of the notes in `context`


class Output(NamedTuple):
    """Where successors go: those of a batch wait for the table; the new ones among them stay.

    `B` the size of a batch, `C` capacity, `S` labels.
    """

    words: Array  # uint64[B, W]
    found: Array  # uint64[B]: fingerprints
    labels: Array  # uint32[B]
    fresh: Array  # uint64[C, W]: the states that were not visited
    counts: Array  # int64[3]: successors waiting, fresh states, the most of both
    changed: Array  # uint64[S, W]: the bits that the step with each label has ever changed


@njit(forceinline=True, **FAST)
def has_room(output, steps):
    """Whether the successors of one more state, at most `steps`, are certain to fit."""
    counts = output.counts
    return counts[WAITING] + counts[FRESH] + steps <= counts[MOST]


@njit(**FAST)
def note(checks, number, me, label):
    """Count an occurrence of a check and keep the smallest."""
    hits = checks.hits[number]
    checks.hits[number] = hits + 1
    if (
        hits == 0
        or me < checks.where[number]
        or (me == checks.where[number] and label < checks.label[number])
    ):
        checks.where[number] = me
        checks.label[number] = label


@njit(**FAST)
def note_fault(work, checks, me):
    """Count the fault in the context as an occurrence of the last check, and clear it."""
    note(checks, len(checks.hits) - 1, me, work.context[0])
    work.context[0] = 0


@njit(forceinline=True, **FAST)
def is_asked(work, what):
    """Whether somebody asked this thread to stop, at least so urgently."""
    return work.context[len(work.context) - 1] >= what


@njit(forceinline=True, **FAST)
def check_state(code, state, work, checks, me, label):
    """Record the invariants that a state violates and the witnesses that it reaches."""
    found = call(code.check_state, (work.context, state, checks.premises, work.found))
    for k in range(found):
        note(checks, work.found[k], me, label)


@njit(forceinline=True, **FAST)
def check_step(code, work, step, checks, me, label):
    """Record the step properties that a step violates."""
    flat = work.flat
    found = call(code.check_step, (work.context, flat[0], flat[1], step, work.found))
    for k in range(found):
        note(checks, work.found[k], me, label)


@njit(forceinline=True, **FAST)
def enabled_steps(enabled, work, dropped, tables, steps):
    """Write the enabled steps of the state before, ordered by label; return their number.

    `enabled` is the address of the code for any guards dropped, or for those that are.
    """
    tabled = (tables.low, tables.sizes, tables.first)
    return call(
        enabled,
        (work.context, work.flat, dropped, tabled[0], tabled[1], tabled[2], steps),
    )


@njit(forceinline=True, **FAST)
def is_inside(code, work):
    """Whether the state after is within the design's bounds."""
    return call(code.within_bounds, (work.context, work.flat[1])) != 0


@njit(forceinline=True, **FAST)
def is_lifecycle_changed(before, after, law_bits):
    """Whether two packed states differ in a bit of a lifecycle field."""
    different = np.uint64(0)
    for w in range(np.uint64(len(after))):
        different |= (before[w] ^ after[w]) & law_bits[w]
    return different != 0


@njit(forceinline=True, **FAST)
def check_law(flat, changed, n, tables, checks, me, label):
    """Check the changes of lifecycle fields, among the `n` leaves changed, for declared edges."""
    for i in range(n):
        leaf = changed[i]
        k = tables.law_of[leaf]
        if k >= 0:
            edge = tables.law_base[k] + flat[0, leaf] * tables.law_size[k] + flat[1, leaf]
            checks.edges[edge] = True
            if not tables.law_edges[edge]:
                note(checks, tables.law_number[k], me, label)


@njit(forceinline=True, **FAST)
def emit(table, output, label):
    """Let the packed state behind those that wait join them."""
    n = output.counts[WAITING]
    found = fingerprint(output.words[n])
    prefetch(table.slots, home(table.slots, found))
    output.found[n] = found
    output.labels[n] = label
    output.counts[WAITING] = n + 1
    if n + 1 == len(output.found):
        settle(table, output)


@njit(**FAST)
def settle(table, output):
    """Visit the states that wait, and keep those that were not visited."""
    fresh = output.counts[FRESH]
    for i in range(output.counts[WAITING]):
        if insert(table, output.words[i], output.found[i]):
            for w in range(np.uint64(output.words.shape[1])):
                output.fresh[fresh, w] = output.words[i, w]
            fresh += 1
    output.counts[FRESH] = fresh
    output.counts[WAITING] = 0


@njit(forceinline=True, **FAST)
def note_bits(words, after, changed):
    """Add the bits in which two packed states differ to those that a step has changed."""
    for w in range(np.uint64(len(after))):
        changed[w] |= words[w] ^ after[w]


@njit(forceinline=True, **FAST)
def arrive(code, tables, work, checks, me):
    """Check the state before and write its enabled steps; return their number.

    A fault is left in `work.context`, here and in `follow`.
    """
    check_state(code, work.flat[0], work, checks, me, -1)
    if work.context[0] != 0:
        return 0
    n = enabled_steps(code.enabled_here, work, tables.dropped, tables, work.steps)
    if n == 0 and tables.deadlock >= 0 and work.context[0] == 0:
        note(checks, tables.deadlock, me, -1)
    return n


@njit(forceinline=True, **FAST)
def follow(words, step, code, tables, packing, work, checks, me, after):
    """Take an enabled step of the state `words` and check it; pack the successor in `after`.

    Returns how many leaves changed, to go on or to undo.
    """
    label, action = step[0], step[1]
    checks.taken[action] += 1
    n, is_changed = take(code, words, step, tables, packing, work, after)
    if work.context[0] != 0:
        return n
    if not is_changed and not tables.stutters[action]:
        work.context[0] = UNCHANGED
        return n
    if is_lifecycle_changed(words, after, tables.law_bits):
        check_law(work.flat, work.changed, n, tables, checks, me, label)
    if tables.has_step_properties:
        check_step(code, work, step, checks, me, label)
    return n


@njit(forceinline=True, **FAST)
def expand_state(words, me, code, tables, packing, reduction, bench, work, checks, table, output):
    """Check a state, take its enabled steps and emit the successors, until a fault."""
    context = work.context
    stand(words, packing, work.flat)
    n = arrive(code, tables, work, checks, me)
    if context[0] != 0:
        return
    for j in range(n):
        step = work.steps[j]
        work.row[1] = step[0]
        after = output.words[output.counts[WAITING]]
        changed = follow(words, step, code, tables, packing, work, checks, me, after)
        if context[0] != 0:
            return
        if not tables.has_bounds or is_inside(code, work):
            if context[0] != 0:
                return
            note_bits(words, after, output.changed[step[0]])
            if len(reduction.source) > 0:
                canonicalise(work.flat[1], reduction, bench)
                pack(bench.leaves[0], packing, after)
            emit(table, output, step[0])
        else:
            check_state(code, work.flat[1], work, checks, me, step[0])
            if context[0] != 0:
                return
        undo(work, changed)


@njit(**FAST)
def expand(block, row, code, tables, packing, reduction, bench, work, checks, table, output):
    """Expand rows of `block` from `row` on; returns the first row not expanded.

    If rows are left, the output is full, somebody asked to stop, or `work.context[0]` holds a fault
    in row `work.row`. Successors may be left that wait.
    """
    while row < len(block):
        if is_asked(work, NO_MORE_STATES) or not has_room(output, len(work.steps)):
            return row
        work.row[0], work.row[1] = row, -1
        me = fingerprint(block[row])
        state = block[row]
        expand_state(
            state, me, code, tables, packing, reduction, bench, work, checks, table, output
        )
        if work.context[0] != 0:
            return row
        row += 1
    return row


@njit(**FAST)
def survey(block, row, code, tables, packing, reduction, bench, work, checks, table, output):
    """As `expand`, but a fault is noted, and ends the expansion of its state alone.

    No successor is left that waits, unless a loop had to be left.
    """
    while row < len(block):
        row = expand(
            block, row, code, tables, packing, reduction, bench, work, checks, table, output
        )
        if work.context[0] != 0 and is_asked(work, LEAVE):
            return row  # within a state, of which then nothing is kept
        if work.context[0] == 0:
            break
        note_fault(work, checks, fingerprint(block[row]))
        row += 1
    settle(table, output)
    return row
