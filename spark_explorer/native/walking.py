"""Random walks: from an initial state, one enabled step after the other, all of them checked.

A walk is known by its number: seed and number decide every choice in it, so it can be taken again,
alone, by any thread. The next step is drawn in two: an action among those enabled, each as likely,
then one of its enabled steps; else an action with many arguments would drown the others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tierproof.spark_explorer.compiler.faults import LEAVE
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.expansion import (
    arrive,
    check_state,
    follow,
    is_asked,
    is_inside,
    note_fault,
)
from tierproof.spark_explorer.native.keeping import njit
from tierproof.spark_explorer.native.packing import FAST, GOLDEN, fingerprint, mix
from tierproof.spark_explorer.native.taking import LEFT, go_on, stand

NUMBER_BITS = 40
"""Bits of a place that hold the number of the walk; the steps before it are above."""
REGISTER_BITS = 14
"""Bits of a fingerprint that choose its register: 16,384 registers, a standard error of 0.8 %."""
WALKS, STEPS, DEEPEST, AT_DEPTH, AT_REST, OUTSIDE = range(6)
"""What `covered` counts: walks, steps, the steps of the longest walk, and the walks that ended at
the greatest depth, in a state without a successor, and in a state outside the bounds."""
HALF = np.uint64(32)
LOW_HALF = np.uint64(0xFFFFFFFF)
COUNTED_BITS = np.uint64(64 - REGISTER_BITS)


class Walk(NamedTuple):
    """The buffers of one walking thread, and what its walks covered. `D` depth, `W` words."""

    here: Array  # uint64[W]: the packed state that the walk has come to
    after: Array  # uint64[W]: its successor
    path: Array  # uint32[D]: the labels of the steps taken
    passed: Array  # uint64[D + 1]: the fingerprints of the states
    begun: Array  # int64[1]: the number of the initial state
    faulty: Array  # int64[1]: the steps of a walk before the state in which a function failed
    covered: Array  # int64[6]: see WALKS
    registers: Array  # uint8[1 << REGISTER_BITS]: of the estimate of distinct states


@njit(**FAST)
def place(taken, number):
    """The place of the state after so many steps of a walk: the smaller, the shorter the walk."""
    return (np.uint64(taken) << np.uint64(NUMBER_BITS)) | np.uint64(number)


@njit(**FAST)
def below(half, limit):
    """A number below `limit`, from 32 random bits."""
    return np.int64((half * np.uint64(limit)) >> HALF)


@njit(**FAST)
def choose(steps, n, draw):
    """The row of a random step among `n` enabled ones: first an action, then a step of it."""
    actions = 1
    for j in range(1, n):
        if steps[j, 1] != steps[j - 1, 1]:
            actions += 1
    left, first = below(draw >> HALF, actions), 0
    while left > 0:
        first += 1
        if steps[first, 1] != steps[first - 1, 1]:
            left -= 1
    last = first + 1
    while last < n and steps[last, 1] == steps[first, 1]:
        last += 1
    return first + below(draw & LOW_HALF, last - first)


@njit(**FAST)
def count_distinct(registers, found):
    """Count a fingerprint in a HyperLogLog sketch: the most leading zeros that a register saw."""
    register = found >> COUNTED_BITS
    rest = found << np.uint64(REGISTER_BITS)
    rank = 1
    while rank <= 64 - REGISTER_BITS and rest >> np.uint64(63) == 0:
        rest <<= np.uint64(1)
        rank += 1
    if rank > registers[register]:
        registers[register] = rank


@njit(**FAST)
def begin(initial, at, packing, work, walk):
    """Go to an initial state."""
    walk.begun[0] = at
    for w in range(np.uint64(initial.shape[1])):
        walk.here[w] = initial[at, w]
    stand(walk.here, packing, work.flat)


@njit(**FAST)
def move(work, changed, walk):
    """Go to the successor, in which so many leaves have changed."""
    go_on(work, changed)
    for w in range(np.uint64(len(walk.here))):
        walk.here[w] = walk.after[w]


@njit(**FAST)
def take_walk(initial, number, seed, code, tables, packing, work, checks, walk):
    """Take the walk of this number to its end, or to a fault, which is left in the context."""
    context, covered = work.context, walk.covered
    start = mix(mix(seed) + np.uint64(number))
    begin(initial, below(mix(start) >> HALF, len(initial)), packing, work, walk)
    is_outside, taken, ended = False, 0, AT_DEPTH
    while True:
        if is_asked(work, LEAVE):
            context[0] = LEFT
            return
        me = place(taken, number)
        walk.faulty[0], work.row[1] = taken, -1
        count_distinct(walk.registers, fingerprint(walk.here))
        if is_outside:
            check_state(code, work.flat[0], work, checks, me, -1)
            ended = OUTSIDE
            break
        n = arrive(code, tables, work, checks, me)
        if context[0] != 0:
            return
        if n == 0:
            ended = AT_REST
            break
        if taken == len(walk.path):
            break
        step = work.steps[choose(work.steps, n, mix(start + np.uint64(taken + 1) * GOLDEN))]
        walk.path[taken] = work.row[1] = step[0]
        changed = follow(walk.here, step, code, tables, packing, work, checks, me, walk.after)
        if context[0] != 0:
            return
        taken += 1
        is_outside = tables.has_bounds and not is_inside(code, work)
        if context[0] != 0:
            return
        move(work, changed, walk)
    covered[ended] += 1
    covered[WALKS] += 1
    covered[STEPS] += taken
    covered[DEEPEST] = max(covered[DEEPEST], taken)


@njit(**FAST)
def take_walks(first, count, initial, seed, code, tables, packing, work, checks, walk):
    """Take `count` walks from number `first` on, unless a fault, or somebody, ends them."""
    for number in range(first, first + count):
        take_walk(initial, number, seed, code, tables, packing, work, checks, walk)
        if is_asked(work, LEAVE):
            return
        if work.context[0] != 0:
            note_fault(work, checks, place(walk.faulty[0], number))
            return


@njit(**FAST)
def row_of(label, steps, n):
    """The row of the step with this label among `n` enabled ones, or `n`."""
    for j in range(n):
        if steps[j, 0] == label:
            return j
    return n


@njit(**FAST)
def retrace(initial, at, labels, target, code, tables, packing, work, checks, walk):
    """Take these steps, passing over those not enabled, until check `target` reports.

    Returns the number of steps taken, which are in `walk.path`, or -1 if it does not report. A
    fault is reported if it is the target.
    """
    context = work.context
    checks.hits[target] = 0
    begin(initial, at, packing, work, walk)
    is_outside, taken, asked, n = False, 0, 0, 0
    at_fault = -1
    is_fault_asked = target == len(checks.hits) - 1
    while True:
        if is_fault_asked:
            at_fault = taken
        walk.passed[taken] = fingerprint(walk.here)
        if is_outside:
            check_state(code, work.flat[0], work, checks, walk.passed[taken], -1)
        else:
            n = arrive(code, tables, work, checks, walk.passed[taken])
        if context[0] != 0:
            return at_fault
        if checks.hits[target] != 0:
            return taken
        j = n
        while not is_outside and j == n and asked < len(labels):
            j = row_of(labels[asked], work.steps, n)
            asked += 1
        if is_outside or j == n:
            return -1
        step, me = work.steps[j], walk.passed[taken]
        changed = follow(walk.here, step, code, tables, packing, work, checks, me, walk.after)
        if context[0] != 0:
            return at_fault
        walk.path[taken] = step[0]
        taken += 1
        is_reported = checks.hits[target] != 0
        is_outside = tables.has_bounds and not is_inside(code, work)
        if context[0] != 0:
            return at_fault
        move(work, changed, walk)
        if is_reported:
            walk.passed[taken] = fingerprint(walk.here)
            return taken
