"""Fair cycles of a Graph: the compiled parts of `spark_explorer/liveness.py`.

A *fair set* is a set of states in which a fair behaviour can stay for ever: each weakly fair step
is disabled in some state of the set or taken within it, each strongly fair step is disabled in all
states of the set or taken within it.
"""

from __future__ import annotations

from typing import NamedTuple

from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.keeping import njit
from tierproof.spark_explorer.native.packing import FAST

UNSEEN, ROOT, SWITCH = -1, -2, -3
"""How a node of `reach` was reached if not by an edge."""
FREE, WEAK, STRONG = 0, 1, 2
"""The fairness of a label."""
AWAY, TAKEN = 1, 2
"""The debt of a fair cycle to a label. AWAY: take the step, or visit a state where it is disabled.
TAKEN: take the step."""


class Links(NamedTuple):
    """The edges of a Graph, see there."""

    first: Array
    labels: Array
    targets: Array


@njit(**FAST)
def reach(links, roots, pending, open_, came, queue):
    """Breadth-first from `roots`; a node is a state, or (+ N) a state while the goal is awaited.

    The goal is awaited from a `pending` state on, through `open_` ones. Writes into `came` the
    edge by which each node was first reached, and the nodes by distance into `queue`; returns
    how many.
    """
    count = len(links.first) - 1
    end = 0
    for i in range(len(roots)):
        end = _enter(roots[i], ROOT, pending, came, queue, end)
    at = 0
    while at < end:
        node = queue[at]
        at += 1
        state = node if node < count else node - count
        for edge in range(links.first[state], links.first[state + 1]):
            target = links.targets[edge]
            if target < 0:
                continue
            if node < count:
                end = _enter(target, edge, pending, came, queue, end)
            elif open_[target] and came[target + count] == UNSEEN:
                came[target + count] = edge
                queue[end] = target + count
                end += 1
    return end


@njit(**FAST)
def _enter(state, edge, pending, came, queue, end):
    """Reach a state; if it is pending, also reach it as a state that awaits the goal."""
    if came[state] != UNSEEN:
        return end
    came[state] = edge
    queue[end] = state
    end += 1
    waiting = state + len(pending)
    if pending[state] and came[waiting] == UNSEEN:
        came[waiting] = SWITCH
        queue[end] = waiting
        end += 1
    return end


@njit(**FAST)
def flood(links, pending, open_, waits, queue):
    """Write whether the goal is awaited in each state: from a `pending` one on, through `open_`."""
    end = 0
    for state in range(len(pending)):
        if pending[state]:
            waits[state] = True
            queue[end] = state
            end += 1
    while end > 0:
        end -= 1
        state = queue[end]
        for edge in range(links.first[state], links.first[state + 1]):
            target = links.targets[edge]
            if target >= 0 and open_[target] and not waits[target]:
                waits[target] = True
                queue[end] = target
                end += 1


@njit(**FAST)
def is_busy(links, how, sees_beyond, state):
    """Whether a state enables a fair step."""
    for edge in range(links.first[state], links.first[state + 1]):
        if how[links.labels[edge]] != FREE and (links.targets[edge] >= 0 or sees_beyond):
            return True
    return False


@njit(**FAST)
def keep_idle(links, how, chosen):
    """Leave of the chosen states those that enable no fair step."""
    for state in range(len(chosen)):
        if chosen[state]:
            chosen[state] = not is_busy(links, how, True, state)


@njit(**FAST)
def leads_on(links, active, state):
    """Whether a step leads from a state to an active one."""
    for edge in range(links.first[state], links.first[state + 1]):
        target = links.targets[edge]
        if target >= 0 and active[target]:
            return True
    return False


@njit(**FAST)
def trim_ends(links, how, sees_beyond, active):
    """Make busy states inactive from which no step leads to an active one; returns how many.

    A cycle has none of them, and it is no fair end. Steps lead on to later levels, mostly, so that
    a pass from the last state to the first finds nearly all.
    """
    count = 0
    for back in range(len(active)):
        state = len(active) - 1 - back
        is_end = active[state] and not leads_on(links, active, state)
        if is_end and is_busy(links, how, sees_beyond, state):
            active[state] = False
            count += 1
    return count


@njit(**FAST)
def trim_beginnings(links, how, sees_beyond, active, arrivals, queue):
    """Make busy states inactive to which no step leads from an active one: all of them."""
    end = 0
    for state in range(len(active)):
        arrivals[state] = 0
    for state in range(len(active)):
        if active[state]:
            for edge in range(links.first[state], links.first[state + 1]):
                target = links.targets[edge]
                if target >= 0:
                    arrivals[target] += 1
    for state in range(len(active)):
        if active[state] and arrivals[state] == 0:
            queue[end] = state
            end += 1
    while end > 0:
        end -= 1
        state = queue[end]
        if not is_busy(links, how, sees_beyond, state):
            continue
        active[state] = False
        for edge in range(links.first[state], links.first[state + 1]):
            target = links.targets[edge]
            if target >= 0:
                arrivals[target] -= 1
                if arrivals[target] == 0 and active[target]:
                    queue[end] = target
                    end += 1


@njit(**FAST)
def count_inside(links, active, sizes):
    """Write for each active state how many of its edges lead to an active one."""
    for state in range(len(active)):
        sizes[state] = 0
        if active[state]:
            for edge in range(links.first[state], links.first[state + 1]):
                target = links.targets[edge]
                if target >= 0 and active[target]:
                    sizes[state] += 1


@njit(**FAST)
def write_inside(links, active, number, targets):
    """Write the targets of those edges, by the numbers that the active states have."""
    end = 0
    for state in range(len(active)):
        if active[state]:
            for edge in range(links.first[state], links.first[state + 1]):
                target = links.targets[edge]
                if target >= 0 and active[target]:
                    targets[end] = number[target]
                    end += 1


@njit(**FAST)
def sift(links, how, sees_beyond, members, starts, component, active, fair, enabled, is_taken):
    """Judge components: states of fair ones become `fair`, states of others leave `active`.

    `members[starts[c]:starts[c + 1]]` are the states of component `c`. If only strongly
    fair steps make a component unfair, the states that enable them leave `active`, and the rest
    is divided again. `sees_beyond` says whether steps out of the scope count as enabled.
    """
    for c in range(len(starts) - 1):
        low = starts[c]
        high = starts[c + 1]
        _tell(links, how, sees_beyond, members, low, high, component, enabled, is_taken)
        weak_fails, strong_fails = _failures(
            links, how, members, low, high, enabled, is_taken, high - low
        )
        for i in range(low, high):
            state = members[i]
            if weak_fails or not strong_fails:
                active[state] = False
                fair[state] = not weak_fails
            elif _enables_failure(links, how, sees_beyond, state, enabled, is_taken):
                active[state] = False
        _forget(links, members, low, high, enabled, is_taken)


@njit(**FAST)
def _tell(links, how, sees_beyond, members, low, high, component, enabled, is_taken):
    """Count the states that enable each fair label, and record the labels taken inside."""
    for i in range(low, high):
        state = members[i]
        for edge in range(links.first[state], links.first[state + 1]):
            label = links.labels[edge]
            target = links.targets[edge]
            if how[label] != FREE and (target >= 0 or sees_beyond):
                enabled[label] += 1
                if target >= 0 and component[target] == component[state]:
                    is_taken[label] = True


@njit(**FAST)
def _failures(links, how, members, low, high, enabled, is_taken, size):
    """Whether a weakly, and whether a strongly fair label is neither taken nor disabled."""
    weak_fails = False
    strong_fails = False
    for i in range(low, high):
        state = members[i]
        for edge in range(links.first[state], links.first[state + 1]):
            label = links.labels[edge]
            if enabled[label] > 0 and not is_taken[label]:
                weak_fails |= enabled[label] == size
                strong_fails |= how[label] == STRONG
    return weak_fails, strong_fails


@njit(**FAST)
def _enables_failure(links, how, sees_beyond, state, enabled, is_taken):
    """Whether a state enables a strongly fair label that its component does not take."""
    for edge in range(links.first[state], links.first[state + 1]):
        label = links.labels[edge]
        is_failure = how[label] == STRONG and not is_taken[label] and enabled[label] > 0
        if is_failure and (links.targets[edge] >= 0 or sees_beyond):
            return True
    return False


@njit(**FAST)
def _forget(links, members, low, high, enabled, is_taken):
    for i in range(low, high):
        state = members[i]
        for edge in range(links.first[state], links.first[state + 1]):
            enabled[links.labels[edge]] = 0
            is_taken[links.labels[edge]] = False


@njit(**FAST)
def owe(links, how, members, component, enabled, is_taken, debts):
    """Write the debts of a cycle through a fair component, for each label."""
    _tell(links, how, True, members, 0, len(members), component, enabled, is_taken)
    for label in range(len(how)):
        debts[label] = FREE
        if enabled[label] == len(members) or (how[label] == STRONG and enabled[label] > 0):
            debts[label] = TAKEN
        elif enabled[label] > 0:
            debts[label] = AWAY
        enabled[label] = 0
        is_taken[label] = False


@njit(**FAST)
def settle(links, state, debts, is_enabled):
    """Remove the debts that visiting a state pays; returns whether there was one."""
    paid = False
    for edge in range(links.first[state], links.first[state + 1]):
        is_enabled[links.labels[edge]] = True
    for label in range(len(debts)):
        if debts[label] == AWAY and not is_enabled[label]:
            debts[label] = FREE
            paid = True
    for edge in range(links.first[state], links.first[state + 1]):
        is_enabled[links.labels[edge]] = False
    return paid


@njit(**FAST)
def pays(links, state, debts, is_enabled):
    """Whether visiting a state pays a debt."""
    found = False
    for edge in range(links.first[state], links.first[state + 1]):
        is_enabled[links.labels[edge]] = True
    for label in range(len(debts)):
        found |= debts[label] == AWAY and not is_enabled[label]
    for edge in range(links.first[state], links.first[state + 1]):
        is_enabled[links.labels[edge]] = False
    return found


@njit(**FAST)
def walk(links, component, start, home, debts, came, queue, is_enabled):
    """Breadth-first from `start` inside its component to a state that pays a debt, or to `home`.

    `home` is ignored if it is -1. Returns the last edge of the path and the number of states in
    `queue`; earlier edges are in `came`, which the search changes only for the states in `queue`.
    """
    came[start] = ROOT
    queue[0] = start
    at = 0
    end = 1
    while at < end:
        state = queue[at]
        at += 1
        for edge in range(links.first[state], links.first[state + 1]):
            target = links.targets[edge]
            if target < 0 or component[target] != component[start]:
                continue
            if home >= 0:
                if target == home:
                    return edge, end
            elif debts[links.labels[edge]] != FREE or pays(links, target, debts, is_enabled):
                return edge, end
            if came[target] == UNSEEN:
                came[target] = edge
                queue[end] = target
                end += 1
    return -1, end
