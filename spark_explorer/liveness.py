"""Liveness: find fair behaviours that wait for ever in the graph that a search explored.

This second phase runs once the search has seen every state. It builds a graph of the states (their
steps are taken again). A counterexample is a *fair set* (`native/fairness.py`) of states without
the goal that can be reached while the goal is awaited. States without a way on, or without a way
there, are on no cycle, and are trimmed first: mostly all are. Of the rest, strongly connected
components are the largest candidates; a component that enables a strongly fair step and never takes
it is divided further (Streett's condition).

A goal that is to stay is violated otherwise: by a fair set of any states that can be reached after
the premise, if the goal is false in one of them.

The result is a lasso: a shortest path to the nearest such set, then a short cycle in it. A graph
that does not fit into memory, or a search that was cut, gives INCOMPLETE.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from tierproof.model.language.errors import DesignError, NonDeterministic
from tierproof.model.language.properties import Fairness, Property, PropertyKind
from tierproof.model.language.state import State
from tierproof.model.language.trace import Trace
from tierproof.spark_explorer.compiler.entries import GOAL, PREMISE
from tierproof.spark_explorer.lasso import Lasso, Waiting
from tierproof.spark_explorer.native import memory_left
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.fairness import (
    FREE,
    STRONG,
    UNSEEN,
    WEAK,
    Links,
    count_inside,
    flood,
    reach,
    sift,
    trim_beginnings,
    trim_ends,
    write_inside,
)
from tierproof.spark_explorer.native.graph import Connector, Graph, TooManyInterpreted
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.packing import fingerprint
from tierproof.spark_explorer.results import Verdict
from tierproof.spark_explorer.symmetry import claims

BYTES_OF_A_STATE = 220
"""Of a graph at most, with what two properties take that are judged side by side."""
BYTES_OF_A_STEP = 16
MOST_PASSES = 8
"""Passes that trim from the ends; after them, the rest is left to the search for components."""
NO_MEMORY = "the machine, or its container, has no more memory for the graph of states"


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """The judgement of a liveness property.

    `occurrences` counts states in which a fair behaviour can wait for ever; `limited_states`
    counts those in which it could wait if the scope did not hide successors of fair steps.
    """

    verdict: Verdict
    reason: str = ""
    occurrences: int = 0
    limited_states: int | None = None
    premise_states: int | None = None
    trace: Trace | None = None


def judge(
    kernel: Kernel,
    wanted: Sequence[Property],
    states: Sequence[Array] | None,
    counts: tuple[int, int],
    cut: str | None,
) -> dict[str, Judgement]:
    """Name -> judgement; `states` are the explored packed states, None if the search was cut.

    `counts` are the numbers of distinct and of generated states.
    """
    reason = f"the search was cut: {cut}" if cut else _why_not(*counts)
    if not reason and states is not None and wanted:
        try:
            return _judged(kernel, wanted, _at_hand(kernel, states, *counts))
        except KeyboardInterrupt:
            reason = "interrupted"
        except MemoryError:
            reason = NO_MEMORY
        except TooManyInterpreted:
            reason = (
                "guards that rely on a limit before them cannot be tested in the many states "
                "in which it refuses"
            )
    return unjudged(wanted, reason)


def unjudged(wanted: Sequence[Property], reason: str) -> dict[str, Judgement]:
    """Name -> INCOMPLETE, for this reason."""
    missing = Judgement(verdict=Verdict.INCOMPLETE, reason=reason)
    return {entry.name: missing for entry in wanted}


def located(
    error: DesignError,
    kernel: Kernel,
    states: Sequence[Array],
    way_to: Callable[[int, int], Trace],
) -> DesignError:
    """The error of the first goal or premise that fails, level by level, with the way to its state.

    `way_to` takes a level and a fingerprint. `error` itself, if CPython fails in no state.
    """
    wanted = claims(kernel.design, ())
    for level, block in enumerate(states):
        for words in block:
            try:
                _hold(kernel, wanted, kernel.unpack(words))
            except DesignError as found:
                found.trace = way_to(level, int(fingerprint(words)))
                return found
    return error


def _hold(kernel: Kernel, wanted: Sequence[Property], state: State) -> None:
    """Let CPython say whether goals and premises hold; raises the error of one that fails."""
    for entry in wanted:
        kernel.interpreter.holds("goal", entry, state)
        if entry.premise is not None:
            kernel.interpreter.holds("premise", entry.premise, state)


def _bytes_needed(distinct: int, generated: int) -> int:
    """Bytes of the graph of so many states, at most."""
    return distinct * BYTES_OF_A_STATE + generated * BYTES_OF_A_STEP


def _why_not(distinct: int, generated: int) -> str:
    """Why the graph of so many states cannot be made; empty if it can."""
    needed = _bytes_needed(distinct, generated)
    if needed > memory_left.free_memory():
        return (
            f"the graph of {distinct:,} states and {generated:,} steps would need "
            f"{needed / 2**30:.1f} GiB, more than the machine has left"
        )
    return ""


def _at_hand(
    kernel: Kernel, states: Sequence[Array], distinct: int, generated: int
) -> Sequence[Array]:
    """The states, read once where memory has room for them beside the graph; else, twice."""
    size = 8 * kernel.words * distinct
    has_room = size + _bytes_needed(distinct, generated) <= memory_left.free_memory()
    return list(states) if has_room else states


def _judged(
    kernel: Kernel, wanted: Sequence[Property], states: Sequence[Array]
) -> dict[str, Judgement]:
    fair = {entry.name: labels_of(kernel, entry.fairness or Fairness()) for entry in wanted}
    any_fair = np.logical_or.reduce([how != FREE for how in fair.values()])
    threads = os.cpu_count() or 1
    graph = Connector(kernel, states, any_fair).graph(threads)
    names = [e.name for e in kernel.design.checked if e.kind is PropertyKind.LIVENESS]

    def judged(entry: Property) -> Judgement:
        kernel.stopping.raise_if_asked()
        return _judgement(kernel, graph, entry, names.index(entry.name), fair[entry.name])

    with ThreadPoolExecutor(threads) as pool:
        return dict(zip([entry.name for entry in wanted], pool.map(judged, wanted), strict=True))


def labels_of(kernel: Kernel, fairness: Fairness) -> Array:
    """For each label of a step: FREE, WEAK or STRONG."""
    system = [act.name for act in kernel.design.system]
    weak = system if fairness.weak is None else fairness.weak
    ends = [*kernel.steps.first_label[1:], kernel.steps.count]
    how = np.full(kernel.steps.count, FREE, np.int8)
    for act, first, end in zip(kernel.design.actions, kernel.steps.first_label, ends, strict=True):
        if act.name in fairness.strong:
            how[first:end] = STRONG
        elif act.name in weak:
            how[first:end] = WEAK
    return how


def _judgement(kernel: Kernel, graph: Graph, entry: Property, column: int, how: Array) -> Judgement:
    marks = graph.marks[:, column]
    is_open, is_premise = (marks & GOAL) == 0, (marks & PREMISE) != 0
    # A goal that is to stay may be reached in between: a cycle may pass any state.
    passed = np.ones_like(is_open) if entry.stays else is_open
    candidates = Candidates(graph, how, passed & is_premise, passed, is_open)
    fair, home = candidates.fair_sets(sees_beyond=True)
    count, trace = int(fair.sum()), None
    if count:
        waiting = _waiting(graph, passed, is_premise, how)
        trace = _trace(kernel, graph, entry, Lasso(waiting, fair & is_open, home))
    return Judgement(
        verdict=Verdict.VIOLATED if count else Verdict.HOLDS,
        occurrences=count,
        limited_states=_limited(candidates, count),
        premise_states=None if entry.premise is None else int(is_premise.sum()),
        trace=trace,
    )


def _waiting(graph: Graph, open_: Array, premise: Array, how: Array) -> Waiting:
    """The states in which the goal is awaited, and how each was reached."""
    came = np.full(2 * graph.states, UNSEEN, np.int64)
    queue = np.empty(2 * graph.states, np.int64)
    end = reach(graph.links, graph.initial, open_ & premise, open_, came, queue)
    return Waiting(graph.links, how, came, queue[:end])


def _limited(candidates: Candidates, found: int) -> int:
    """States outside every fair set only because steps beyond the scope count as enabled."""
    if candidates.links.targets.min(initial=0) >= 0:
        return 0
    return int(candidates.fair_sets(sees_beyond=False)[0].sum()) - found


class Candidates:
    """The states in which a goal is awaited, and which of them belong to fair sets.

    It is awaited from a `pending` state on, through `open_` ones; a set counts if one of its states
    `lacks` the goal. `how` is the fairness of labels.
    """

    def __init__(
        self, graph: Graph, how: Array, pending: Array, open_: Array, lacks: Array
    ) -> None:
        self.links, self.how, self.count, self.lacks = graph.links, how, graph.states, lacks
        self.waits = np.zeros(self.count, np.bool_)
        self.queue = np.empty(self.count, np.int32)
        flood(self.links, pending, open_, self.waits, self.queue)

    def fair_sets(self, *, sees_beyond: bool) -> tuple[Array, Array]:
        """Whether each state belongs to a fair set, and the number of that set."""
        links, active, labels = self.links, self._trimmed(sees_beyond=sees_beyond), len(self.how)
        fair, home = np.zeros(self.count, np.bool_), np.full(self.count, -1, np.int64)
        enabled, is_taken = np.zeros(labels, np.int64), np.zeros(labels, np.bool_)
        sets = 0
        while active.any():
            component, members, starts = _components(links, active)
            before = fair.copy()
            args = (component, active, fair, enabled, is_taken)
            sift(links, self.how, sees_beyond, members, starts, *args)
            new = fair & ~before
            home[new] = component[new] + sets
            sets += len(starts) - 1
        is_violation = np.zeros(sets + 1, np.bool_)  # the last one is of the states in no set
        is_violation[home[fair & self.lacks]] = True
        return fair & is_violation[home], home

    def _trimmed(self, *, sees_beyond: bool) -> Array:
        """The states that may be in a fair set."""
        active, args = self.waits.copy(), (self.links, self.how, sees_beyond)
        for _ in range(MOST_PASSES):
            if not trim_ends(*args, active):
                break
        if active.any():
            trim_beginnings(*args, active, np.empty(self.count, np.int32), self.queue)
        return active


def _components(links: Links, active: Array) -> tuple[Array, Array, Array]:
    """Component of each active state (else -1), states by component, start of each component."""
    # Imported late: most designs do not need SciPy, the slowest import of all.
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    nodes = np.flatnonzero(active)
    sizes = np.empty(len(active), np.int64)
    count_inside(links, active, sizes)
    number = np.full(len(active), -1, np.int32)
    number[nodes] = np.arange(len(nodes), dtype=np.int32)
    first = np.concatenate([[0], np.cumsum(sizes[nodes])])
    targets = np.empty(int(first[-1]), np.int32)
    write_inside(links, active, number, targets)
    ones = np.ones(len(targets), np.int8)
    matrix = csr_array((ones, targets, first), shape=(len(nodes), len(nodes)))
    count, labels = connected_components(matrix, directed=True, connection="strong")
    component = np.full(len(active), -1, np.int64)
    component[nodes] = labels
    starts = np.concatenate([[0], np.cumsum(np.bincount(labels, minlength=count))])
    return component, nodes[np.argsort(labels, kind="stable")], starts


def _trace(kernel: Kernel, graph: Graph, entry: Property, lasso: Lasso) -> Trace:
    """The lasso as a Trace, replayed and verified."""
    root, way, cycle = lasso.found()
    steps = tuple(kernel.steps.step(int(graph.labels[edge])) for edge in (*way, *cycle))
    initial = int(np.flatnonzero(graph.initial == root)[0])
    trace = kernel.trace(initial, steps, len(way))
    held = [kernel.interpreter.holds("goal", entry, one) for one in trace.states[len(way) :]]
    if all(held) if entry.stays else any(held):
        raise NonDeterministic(f"the goal {entry.name!r} holds on the cycle on replay")
    return trace
