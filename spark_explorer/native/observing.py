"""What of explored states can be seen from outside, and the refinement of blocks by their steps.

What is seen of a state is one number, its colour: which checks report on it, its marks for liveness
properties, whether no step is enabled, and which of its steps lead out of the scope or change
nothing but are reported on. The other steps are edges; the key of one stands for its label and for
the checks that report on it.

A ghost is there for properties alone. Its value is seen where it is read: where a property says
something else with another of the values that the ghost has in any state.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tierproof.spark_explorer.compiler.faults import NO_MORE_STATES
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.calling import call
from tierproof.spark_explorer.native.edges import add_edge, has_room_for
from tierproof.spark_explorer.native.expansion import (
    check_law,
    check_state,
    check_step,
    enabled_steps,
    is_asked,
    is_inside,
    note,
)
from tierproof.spark_explorer.native.keeping import njit
from tierproof.spark_explorer.native.numbering import number_of
from tierproof.spark_explorer.native.packing import FAST, GOLDEN, ODD, fingerprint, mix
from tierproof.spark_explorer.native.taking import copy_row, stand, take, undo

TAKEN, OUTSIDE, REFUSED, FAILED = range(4)
"""Where a step leads: to a state, out of the bounds, nowhere as a limit refuses it; a fault."""


class Seen(NamedTuple):
    """Where `observe_steps` writes, beside the edges. `B` rows, `C` capacity."""

    colours: Array  # uint64[B]
    keys: Array  # uint64[C]: of each edge
    marks: Array  # uint8[liveness properties]


class Ghosts(NamedTuple):
    """The leaves that properties alone read, and what each holds in any state. `G` leaves."""

    leaves: Array  # int64[G]
    first: Array  # int64[G + 1]: the first of its values
    values: Array  # int64[...]
    always: Array  # bool[G]: too many values to try; it is seen in every state
    of_steps: Array  # bool[G]: a step property may read it


@njit(**FAST)
def hashed(number, value):
    """64 bits that stand for a pair."""
    return mix(mix(np.uint64(number) + GOLDEN) + np.uint64(value))


@njit(**FAST)
def reported(work, checks):
    """What the checks have reported since the last call, as one number; a fault is one, too."""
    found = np.uint64(0)
    for k in range(len(checks.hits)):
        if checks.hits[k] != 0:
            found += hashed(k, 1)
        if checks.premises[k] != 0:
            found += hashed(k, 2)
        checks.hits[k] = checks.premises[k] = 0
    if work.context[0] != 0:
        work.context[0] = 0
        found = hashed(len(checks.hits), FAILED)
    return found


@njit(**FAST)
def said_of_state(code, row, work, checks, seen):
    """What properties say of the state in a row of `work.flat`."""
    check_state(code, work.flat[row], work, checks, np.uint64(0), -1)
    if work.context[0] == 0:
        call(code.mark_state, (work.context, work.flat[row], seen.marks))
    is_well = work.context[0] == 0
    found = reported(work, checks)
    for k in range(len(seen.marks)):
        if is_well:
            found += hashed(-1 - k, seen.marks[k])
    return found


@njit(**FAST)
def said_of_step(code, step, work, checks):
    """What step properties say of the step between the first two rows of `work.flat`."""
    check_step(code, work, step, checks, np.uint64(0), step[0])
    return reported(work, checks)


@njit(**FAST)
def is_read_by_state(g, said, code, work, checks, ghosts, seen):
    """Whether properties say something else of the state before with another value of a ghost."""
    leaf = ghosts.leaves[g]
    held = work.flat[0, leaf]
    is_read = ghosts.always[g]
    for k in range(ghosts.first[g], ghosts.first[g + 1]):
        if not is_read and ghosts.values[k] != held:
            work.flat[0, leaf] = ghosts.values[k]
            is_read = said_of_state(code, 0, work, checks, seen) != said
    work.flat[0, leaf] = held
    return is_read


@njit(**FAST)
def is_read_by_step(g, said, code, step, work, checks, ghosts):
    """The same of step properties; a ghost that the step keeps is also changed on both sides."""
    leaf = ghosts.leaves[g]
    held, later = work.flat[0, leaf], work.flat[1, leaf]
    is_read = ghosts.always[g]
    for k in range(ghosts.first[g], ghosts.first[g + 1]):
        if not is_read and ghosts.values[k] != held:
            work.flat[0, leaf] = ghosts.values[k]
            is_read = said_of_step(code, step, work, checks) != said
            if not is_read and held == later:
                work.flat[1, leaf] = ghosts.values[k]
                is_read = said_of_step(code, step, work, checks) != said
        work.flat[0, leaf], work.flat[1, leaf] = held, later
    return is_read


@njit(**FAST)
def observe_step(words, me, step, code, tables, packing, work, edges, checks, ghosts, seen):
    """Take one enabled step; add an edge, or what is seen of it to the colour of its state.

    Returns the new colour.
    """
    colour = np.uint64(0)
    changed, _ = take(code, words, step, tables, packing, work, edges.scratch)
    if work.context[0] != 0:
        work.context[0] = 0
        copy_row(work.flat, 0, 1)
        return mix(me)
    said = np.uint64(0)
    if tables.has_step_properties:
        said = said_of_step(code, step, work, checks)
        for g in range(len(ghosts.leaves)):
            if ghosts.of_steps[g] and is_read_by_step(g, said, code, step, work, checks, ghosts):
                colour += hashed(ghosts.leaves[g] + (1 << 32), work.flat[0, ghosts.leaves[g]])
    check_law(work.flat, work.changed, changed, tables, checks, np.uint64(0), step[0])
    said += reported(work, checks)
    if changed == 0:
        return colour + said * ODD
    if tables.has_bounds and not is_inside(code, work):
        said += said_of_state(code, 1, work, checks, seen)
        colour += mix(hashed(step[0], OUTSIDE) + said)
    else:
        seen.keys[edges.total[0]] = mix(hashed(step[0], TAKEN) + said)
        add_edge(edges, step[0], number_of(edges.known, fingerprint(edges.scratch)))
    undo(work, changed)
    return colour


@njit(**FAST)
def refused_steps(n, me, code, tables, work, edges):
    """What is seen of the fair steps that only a limit refuses; both lists ascend by label.

    Where a guard relies on the limit, nobody knows: the state is seen as like no other.
    """
    m = enabled_steps(code.enabled, work, edges.lifted, tables, edges.steps)
    if work.context[0] != 0:
        work.context[0] = 0
        return mix(me)
    colour, j = np.uint64(0), 0
    for i in range(m):
        label = edges.steps[i, 0]
        if j < n and work.steps[j, 0] == label:
            j += 1
        elif edges.wanted[label]:
            colour += hashed(label, REFUSED)
    return colour


@njit(**FAST)
def observe_state(words, lifts, code, tables, packing, work, edges, checks, ghosts, seen):
    """Add the edges of one state; returns its colour."""
    me = fingerprint(words)
    stand(words, packing, work.flat)
    said = said_of_state(code, 0, work, checks, seen)
    colour = said
    for g in range(len(ghosts.leaves)):
        if is_read_by_state(g, said, code, work, checks, ghosts, seen):
            colour += hashed(ghosts.leaves[g], work.flat[0, ghosts.leaves[g]])
    n = enabled_steps(code.enabled_here, work, tables.dropped, tables, work.steps)
    if n == 0 and tables.deadlock >= 0:
        note(checks, tables.deadlock, np.uint64(0), -1)
    colour += reported(work, checks)
    for j in range(n):
        step = work.steps[j]
        colour += observe_step(
            words, me, step, code, tables, packing, work, edges, checks, ghosts, seen
        )
    if lifts:
        colour += refused_steps(n, me, code, tables, work, edges)
    return mix(colour)


@njit(**FAST)
def observe_steps(block, row, lifts, code, tables, packing, work, edges, checks, ghosts, seen):
    """Observe rows of `block` from `row` on; returns the first row not done.

    If rows are left, there is no room for more edges, or somebody asked to stop.
    """
    while row < len(block):
        if is_asked(work, NO_MORE_STATES) or not has_room_for(edges, len(work.steps)):
            return row
        seen.colours[row] = observe_state(
            block[row], lifts, code, tables, packing, work, edges, checks, ghosts, seen
        )
        row += 1
        edges.first[row] = edges.total[0]
    return row


@njit(**FAST)
def refine(first, keys, targets, colours, refined):
    """Divide blocks once: a state's new colour is that of its block and of its steps' blocks.

    No two steps of a state have the same label, so that their sum is that of a set.
    """
    for s in range(len(colours)):
        found = mix(colours[s] + GOLDEN)
        for e in range(first[s], first[s + 1]):
            found += mix(keys[e] + colours[targets[e]] * ODD)
        refined[s] = found
