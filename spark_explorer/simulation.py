"""Simulation: random walks through a design, for scopes whose states are too many to be searched.

    take an enabled step at random, check the state and the step; again, until the walk ends

What a walk finds is as true as what a search finds, and is replayed in CPython. What walks do not
find may be there: their verdicts are VIOLATED and INCOMPLETE, and no other. The walks are numbered,
and threads take them in that order: what is found depends on the seed, the depth and the number of
walks alone.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import count
from threading import Event

import numpy as np

from tierproof.model.language.design import Design
from tierproof.model.language.errors import DesignError, NonDeterministic, ScopeError
from tierproof.model.language.properties import PropertyKind
from tierproof.model.language.scope import Scope
from tierproof.model.language.trace import Trace
from tierproof.spark_explorer.cuts import FAULTY
from tierproof.spark_explorer.display import Point
from tierproof.spark_explorer.execution import STATE_ITSELF, Occurrences
from tierproof.spark_explorer.liveness import Judgement
from tierproof.spark_explorer.memory import wait_for
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.stopping import stoppable
from tierproof.spark_explorer.native.walker import Walker
from tierproof.spark_explorer.native.walking import (
    AT_DEPTH,
    AT_REST,
    DEEPEST,
    NUMBER_BITS,
    OUTSIDE,
    STEPS,
    WALKS,
)
from tierproof.spark_explorer.progress import WalkProgress, enumerating, no_watch
from tierproof.spark_explorer.reporting import Effort, Found, reached, result_of
from tierproof.spark_explorer.results import Result, Sample, Verdict, returned
from tierproof.spark_explorer.shortening import Retrace, Taken, shortened
from tierproof.spark_explorer.sketch import estimate
from tierproof.spark_explorer.symmetry import WALKED

DEPTH = 200
"""The steps of a walk, unless it ends earlier."""
SECONDS = 60.0
"""The time for walks if neither time nor number is given."""
SHARE = 10_000
"""The most steps that a thread takes before it looks at the clock: a few hundredths of a second."""
BETWEEN_REPORTS = 0.1
WORTH_OPTIMISING = 2.0
"""Seconds after which faster code is compiled beside the walks."""
LIMITS = {"seed": (1 << 64) - 1, "walks": (1 << NUMBER_BITS) - 1, "depth": 1_000_000}
"""The greatest value of each option; the least is 0 for the seed, else 1."""
LIVENESS = "a walk ends, so it cannot show that something never happens"


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """When walks end: after `depth` steps each, `walks` of them, `seconds` (None: no such limit).

    Raises ScopeError for a value outside the limits.
    """

    seed: int
    walks: int | None = None
    depth: int = DEPTH
    seconds: float | None = None

    def __post_init__(self) -> None:
        """Check the values, and give the time a limit if nothing else has one."""
        for name, high in LIMITS.items():
            value, low = getattr(self, name), 0 if name == "seed" else 1
            if value is not None and not low <= value <= high:
                raise ScopeError(f"{name}={value}: the limits are {low} to {high}")
        if self.seconds is not None and not self.seconds > 0:
            raise ScopeError(f"seconds={self.seconds}: it must be more than 0")
        if self.walks is None and self.seconds is None:
            object.__setattr__(self, "seconds", SECONDS)


class Simulation:
    """The walks of `threads` threads over one kernel (default, and at most: every core)."""

    name = "simulate"

    def __init__(
        self,
        kernel: Kernel,
        bounds: Bounds,
        *,
        threads: int | None = None,
        first: Sequence[int] = (),
        watch: Callable[[Point], None] = no_watch,
    ) -> None:
        self.began = time.monotonic()
        self.first_of = list(first)
        self.kernel, self.bounds, self.watch = kernel, bounds, watch
        cores = os.cpu_count() or 1
        self.initial = kernel.initial(None, lambda: watch(enumerating(kernel, self.began)))
        self.walkers = [self.walker() for _ in range(min(threads or cores, cores))]
        self.total = Occurrences.none(kernel)
        self.seconds = 0.0
        self.ended_by = ""
        self._starts = count(0, self._share)
        self._stop = Event()
        self._is_hurried = False

    def walker(self) -> Walker:
        """A walker that has taken nothing."""
        return Walker(self.kernel, self.initial, self.bounds.seed, self.bounds.depth)

    @property
    def _share(self) -> int:
        """How many walks a thread takes at once; fewer than all, so that each gets some."""
        return max(1, min(SHARE // self.bounds.depth, 1_000))

    # -- walking

    def run(self) -> None:
        """Take walks until a bound is met or Ctrl-C; fills the counters."""
        self.began = time.monotonic()
        with stoppable(self.kernel.stopping), ThreadPoolExecutor(len(self.walkers)) as pool:
            running = [pool.submit(self._take_shares, walker) for walker in self.walkers]
            try:
                self._attend(running)
            except KeyboardInterrupt:
                self.ended_by = "Ctrl-C"
                self.kernel.stopping.stop()
            finally:
                self._stop.set()
                wait_for(running)
                self.ended_by += self._unended()
        for ended in running:
            ended.result()
        self.seconds = time.monotonic() - self.began
        for walker in self.walkers:
            self.total.add(Occurrences.taken_from(walker.checks))

    def _unended(self) -> str:
        """Where walks had to be stopped that did not end, with the way to it."""
        for walker in self.walkers:
            place = self.kernel.unended(walker.work)
            if place is not None:
                labels = walker.walk.path[: int(walker.walk.faulty[0])].tolist()
                return f", as {place}; {reached(list(map(self.kernel.steps.step, labels)))}"
        return ""

    def _take_shares(self, walker: Walker) -> None:
        """Take walks, share by share; one that was begun is finished, so no number is left out."""
        most = self.bounds.walks
        while not self._stop.is_set() and not self.kernel.stopping.asked:
            first = next(self._starts)
            left = self._share if most is None else min(self._share, most - first)
            if left <= 0:
                return
            walker.take(first, left)
            if walker.checks.hits[self.kernel.faults]:
                self._stop.set()

    def _attend(self, running: list[Future[None]]) -> None:
        """Report progress until the walks are taken, the time is over or a thread fails."""
        while True:
            ended, left = wait(running, BETWEEN_REPORTS, FIRST_EXCEPTION)
            self.kernel.stopping.raise_if_asked()
            spent = time.monotonic() - self.began
            self._report(spent)
            if any(one.exception() for one in ended):
                return
            if self._stop.is_set():
                self.ended_by = FAULTY
                return
            if self._hits[self.first_of].any():
                self.ended_by = "the first violation"
                return
            if not left:
                self.ended_by = f"the limit of {self.bounds.walks:,} walks"
                return
            if self.bounds.seconds is not None and spent >= self.bounds.seconds:
                self.ended_by = f"the limit of {self.bounds.seconds:g} seconds"
                return
            if spent > WORTH_OPTIMISING:
                self.kernel.optimise()

    def _report(self, spent: float) -> None:
        covered, bounds = self.covered, self.bounds
        limited = ((covered[WALKS], bounds.walks), (spent, bounds.seconds))
        self.watch(
            WalkProgress(
                walks=covered[WALKS],
                steps=covered[STEPS],
                distinct=self.distinct,
                violated=self._violated(),
                seconds=spent,
                share=min(1.0, max(done / most for done, most in limited if most is not None)),
            )
        )

    @property
    def _hits(self) -> Array:
        """How often each check has reported so far."""
        hits: Array = np.sum([one.checks.hits for one in self.walkers], axis=0)
        return hits

    def _violated(self) -> int:
        """How many properties and laws some walk has violated."""
        hits = self._hits
        hits[self.kernel.faults] = 0
        for number, entry in enumerate(self.kernel.design.checked):
            if entry.kind is PropertyKind.WITNESS:
                hits[number] = 0
        return int(np.count_nonzero(hits))

    @property
    def covered(self) -> list[int]:
        """The counts of all threads: see `native/walking.py`."""
        counts = np.array([walker.walk.covered for walker in self.walkers])
        found: list[int] = counts.sum(axis=0).tolist()
        found[DEEPEST] = int(counts[:, DEEPEST].max())
        return found

    @property
    def distinct(self) -> int:
        """Estimate of the distinct states that the walks came to."""
        return estimate(walker.walk.registers for walker in self.walkers)

    # -- what was found

    def trace(self, number: int) -> Trace | None:
        """The shortest walk to an occurrence of check `number`, shortened, replayed, verified."""
        if not self.total.hits[number]:
            return None
        return self._trace_to(number, self.total.label[number])

    def fault(self) -> DesignError | None:
        """The error of the fault that the shortest walk came to, with its trace; or None."""
        faults = self.kernel.faults
        if not self.total.hits[faults]:
            return None
        trace = self._trace_to(faults, STATE_ITSELF)
        number = self.total.label[faults]
        error = self.kernel.explain(self.kernel.pack(trace.states[-1]), number)
        error.trace = trace
        return error

    def _trace_to(self, number: int, label: int) -> Trace:
        walker, kernel = self.walker(), self.kernel
        place = self.total.where[number]
        at, path = walker.again(place)
        labels, after = path[: place >> NUMBER_BITS], path[place >> NUMBER_BITS :]
        if number != kernel.faults:  # a step that fails leads nowhere, and is not part of the trace
            labels, after = labels + [label] * (label != STATE_ITSELF), []

        def retrace(some: Sequence[int]) -> Taken | None:
            return walker.retrace(at, [*some, *after], number)

        taken = retrace(labels)
        if taken is None:
            raise NonDeterministic("a walk that was taken again leads elsewhere")
        taken = self._shortened(taken, retrace)
        steps = tuple(kernel.steps.step(label) for label in taken.labels)
        trace = kernel.trace(at, steps)
        if kernel.fingerprint(trace.states[-1]) != taken.passed[-1]:
            raise NonDeterministic(f"the trace of {len(steps)} steps leads elsewhere on replay")
        return trace

    def _shortened(self, taken: Taken, retrace: Retrace) -> Taken:
        """The trace with fewer steps; as it is after Ctrl-C."""
        try:
            return taken if self._is_hurried else shortened(taken, retrace)
        except KeyboardInterrupt:
            self._is_hurried = True
            return taken


def simulate(
    design: Design,
    scope: Scope,
    *,
    seed: int,
    walks: int | None = None,
    depth: int = DEPTH,
    seconds: float | None = None,
    threads: int | None = None,
    scope_name: str = "custom",
    only: Collection[str] = (),
    first: bool = False,
    watch: Callable[[Point], None] = no_watch,
) -> Result:
    """Take random walks through `design` in `scope` and return what they found.

    They end after `walks` walks or `seconds` (a minute if neither is given), each after `depth`
    steps, in a state without a successor, or outside the bounds. `only` names the properties,
    witnesses and laws to report on; empty: all. With `first` they end soon after the first of these
    is violated.
    Raises DesignError when the design is at fault (the error has a trace to the fault, and the
    result until then as `found`), ScopeError for an option out of its limits.
    """
    bounds = Bounds(seed=seed, walks=walks, depth=depth, seconds=seconds)
    started = time.monotonic()
    kernel = Kernel(design, scope, WALKED)
    try:
        asked = kernel.numbers(only)
        ending = asked if first else []
        simulation = Simulation(kernel, bounds, threads=threads, first=ending, watch=watch)
        simulation.walker().prepare()
        set_up = time.monotonic() - started
        simulation.run()
        result = _result(simulation, scope_name, set_up, only)
        return returned(result, simulation.fault(), is_shortest=False)
    finally:
        kernel.close()


def _result(
    simulation: Simulation, scope_name: str, set_up: float, only: Collection[str]
) -> Result:
    covered = simulation.covered
    found = Found(
        kernel=simulation.kernel,
        total=simulation.total,
        unseen=Verdict.INCOMPLETE,
        trace=simulation.trace,
        judgement=lambda entry: Judgement(verdict=Verdict.INCOMPLETE, reason=LIVENESS),
        only=only,
        is_walked=True,
    )
    effort = Effort(
        scope=scope_name,
        engine=simulation.name,
        symmetry=simulation.kernel.reducing.symmetry,
        distinct_states=simulation.distinct,
        generated_states=covered[STEPS],
        depth=covered[DEEPEST],
        seconds=simulation.seconds,
        set_up_seconds=set_up,
        cut=f"{covered[WALKS]:,} random walks, ended by {simulation.ended_by}",
        sample=_sample(simulation),
    )
    return result_of(found, effort)


def _sample(simulation: Simulation) -> Sample:
    covered = simulation.covered
    return Sample(
        seed=simulation.bounds.seed,
        walks=covered[WALKS],
        depth_limit=simulation.bounds.depth,
        steps=covered[STEPS],
        at_depth=covered[AT_DEPTH],
        at_rest=covered[AT_REST],
        outside_bounds=covered[OUTSIDE],
        ended_by=simulation.ended_by,
    )
