"""The search: breadth-first, one loop for every execution.

    expand the frontier, fingerprint, subtract what was visited, check; again

Levels are exact, so a counterexample is a shortest one; every occurrence is rebuilt as a
Trace by replay. A search that is cut (a limit, Ctrl-C, memory) reports INCOMPLETE for every
property not seen violated.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from typing import Any

from tierproof.model.language.actions import Step
from tierproof.model.language.design import Design
from tierproof.model.language.errors import DesignError, NonDeterministic, closest
from tierproof.model.language.properties import Property
from tierproof.model.language.scope import Scope
from tierproof.model.language.trace import Trace
from tierproof.spark_explorer import liveness
from tierproof.spark_explorer.execution import (
    STATE_ITSELF,
    Execution,
    FirstOccurrence,
    LevelLost,
    Occurrences,
    Standing,
)
from tierproof.spark_explorer.liveness import Judgement
from tierproof.spark_explorer.native.kernel import Kernel, collision_probability
from tierproof.spark_explorer.native.numbering import Collision
from tierproof.spark_explorer.native.packing import fingerprint, packed
from tierproof.spark_explorer.native.seeking import Origins
from tierproof.spark_explorer.native.stopping import stoppable
from tierproof.spark_explorer.native.worker import prepare
from tierproof.spark_explorer.outlook import UNKNOWN, Outlook
from tierproof.spark_explorer.progress import Phase, Progress, enumerating, no_watch
from tierproof.spark_explorer.reporting import Effort, Found, reached, result_of
from tierproof.spark_explorer.results import Result, Verdict, returned
from tierproof.spark_explorer.symmetry import claims, why_unreduced

WORTH_OPTIMISING = 5_000_000
"""Generated states after which a search compiles better code, which takes seconds."""
WORTH_AN_OUTLOOK = 10_000
"""Distinct states from which on a search says what it has ahead."""

INTERRUPTED = "interrupted"
"""Why a search was cut that Ctrl-C has ended."""
FAULTY = "a fault of the design"
"""Why a search was cut in whose last level a function of the design has failed."""
FIRST = "the first violation was asked for"
"""Why a search was cut that ended with the level of the first violation."""


class Search:
    """One exploration of `design` in `scope` by an execution made for its kernel."""

    def __init__(
        self,
        kernel: Kernel,
        execution: Execution,
        *,
        max_states: int | None = None,
        until: Collection[str] = (),
        first: Collection[int] = (),
        watch: Callable[[Progress], None] = no_watch,
    ) -> None:
        self.first_of = set(first)
        self.kernel, self.execution = kernel, execution
        self.max_states, self.watch = max_states, watch
        self.until = _numbers(kernel, until)
        self.total = Occurrences.none(kernel)
        self.first: dict[int, FirstOccurrence] = {}
        self.origins: Origins = {}
        self.unended: tuple[str, FirstOccurrence] | None = None
        self.frontier_sizes: list[int] = []
        self.outlook = UNKNOWN
        self.generated = 0
        self.cut: str | None = None
        self.judgements: dict[str, Judgement] = {}
        self.traces: dict[int, Trace] = {}
        self.failed: DesignError | None = None
        self.liveness_seconds = 0.0

    def run(self) -> None:
        """Explore until the frontier is empty or the search is cut; fills the counters."""
        self.began = time.monotonic()
        try:
            initial = self.kernel.initial(
                self.max_states, lambda: self.watch(enumerating(self.kernel, self.began))
            )
            self.generated = len(initial)
            standing = self.execution.seed(*self.kernel.reducing.seeds(initial))
            self._commit() if standing is None else self._go_on(standing)
            # Who was interrupted before a signal could reach this search hears of it here.
            self.report(len(self.frontier_sizes), self.execution.frontier)
            while self.execution.frontier and not self.cut:
                self._expand_level(len(self.frontier_sizes))
        except KeyboardInterrupt:
            self.cut, self.unended = INTERRUPTED, self._unended()
        except LevelLost as error:
            self.cut = str(error)
        except MemoryError:
            self.cut = "the machine, or its container, has no more memory for visited states"
        self.seconds = time.monotonic() - self.began

    def _commit(self) -> None:
        """Let a kept run go on from here, unless a limit has cut the level off."""
        if not self._is_over_limit():
            counts = (self.frontier_sizes, self.generated, time.monotonic() - self.began)
            self.execution.commit(Standing(self.total, self.first, *counts))

    def _go_on(self, standing: Standing) -> None:
        """Go on from where a kept run has come to."""
        self.total, self.first = standing.total, standing.first
        self.frontier_sizes, self.generated = standing.frontier_sizes, standing.generated
        self.began -= standing.seconds
        self._end_if_found()

    def _unended(self) -> tuple[str, FirstOccurrence] | None:
        """Where in the design a state took very long, and which state that is."""
        level = len(self.frontier_sizes) - 1
        for work in self.kernel.works:
            place = self.kernel.unended(work)
            if place is not None:
                state = fingerprint(packed(work.flat[0], self.kernel.packing))
                return place, FirstOccurrence(level, int(state), STATE_ITSELF)
        return None

    def _expand_level(self, level: int) -> None:
        frontier = self.execution.frontier
        self.frontier_sizes.append(frontier)
        if self.execution.distinct > WORTH_AN_OUTLOOK:
            self.outlook = Outlook.of(self.execution, self.frontier_sizes)
        found = Occurrences.none(self.kernel)
        try:
            is_limited = self.max_states is not None
            for part in self.execution.advance(level, in_order=is_limited):
                found.add(part)
                self.generated += sum(part.taken)
                if self.generated > WORTH_OPTIMISING:
                    self.kernel.optimise()
                self.report(level, frontier)
                if self._is_over_limit():
                    # The states above the limit were found just now and are not expanded yet.
                    self.cut = f"the limit of {self.max_states:,} states"
                    break
        finally:
            self._note(level, found)
        self._commit()

    def _is_over_limit(self) -> bool:
        if self.max_states is None:
            return False
        is_whole = self.kernel.beginnings.is_whole
        return self.execution.distinct > self.max_states or not is_whole

    def _note(self, level: int, found: Occurrences) -> None:
        for number, hits in enumerate(found.hits):
            if hits and number not in self.first:
                self.first[number] = FirstOccurrence(
                    level, found.where[number], found.label[number]
                )
        self.total.add(found)
        self._end_if_found()

    def _end_if_found(self) -> None:
        """End where a fault is found, or what was asked for."""
        if self.kernel.faults in self.first:
            self.cut = self.cut or FAULTY
        if self.first_of & set(self.first):
            self.cut = self.cut or FIRST
        if self.until and self.until <= set(self.first):
            self.cut = self.cut or "all that was asked for is violated"

    def report(self, level: int, frontier: int, phase: Phase = Phase.STATES) -> None:
        """Tell the watch how far the search has come."""
        self.watch(
            Progress(
                phase=phase,
                level=level,
                frontier=frontier,
                left=self.execution.frontier,
                distinct=self.execution.distinct,
                generated=self.generated,
                seconds=time.monotonic() - self.began,
                outlook=self.outlook,
            )
        )

    def judge(self, wanted: Sequence[Property]) -> None:
        """The second phase: judge liveness properties on the states explored."""
        if not wanted:
            return
        began = time.monotonic()
        try:
            self._judge(wanted)
        except KeyboardInterrupt:
            self.judgements = liveness.unjudged(wanted, INTERRUPTED)
        except (LevelLost, Collision, MemoryError) as error:
            self.judgements = liveness.unjudged(wanted, str(error) or liveness.NO_MEMORY)
        self.liveness_seconds = time.monotonic() - began

    def _judge(self, wanted: Sequence[Property]) -> None:
        if not self.cut:
            self.report(len(self.frontier_sizes), self.execution.frontier, Phase.LIVENESS)
        states = None if self.cut else self.execution.states()
        try:
            self.judgements = liveness.judge(self.kernel, wanted, states, self.generated, self.cut)
        except DesignError as error:
            self.cut = FAULTY
            self.judgements = liveness.judge(self.kernel, wanted, None, 0, FAULTY)
            self.failed = error
            self.failed = liveness.located(error, self.kernel, states or (), self._way_to)

    def rebuild(self, only: Collection[str]) -> None:
        """Rebuild the traces to what is reported on; one that is lost cuts the search."""
        names = _names(self.kernel)
        try:
            self.kernel.close()
            chosen = {
                number: occurrence
                for number, occurrence in sorted(self.first.items())
                if number < len(names) and (not only or names[number] in only)
            }
            self._look_back(chosen.values())
            for number, occurrence in chosen.items():
                self.traces[number] = self._trace_to(occurrence)
            if self.unended is not None:
                place, state = self.unended
                self.cut = f"{INTERRUPTED}, as {place}; {reached(self._trace_to(state).steps)}"
        except KeyboardInterrupt:
            self._cut_late("interrupted while traces were rebuilt")
        except (LevelLost, MemoryError) as error:
            self._cut_late(f"a trace is lost: {str(error) or 'there is no more memory'}")

    def _cut_late(self, reason: str) -> None:
        """Say nothing HOLDS, though the search had come to its end; what is violated stays so."""
        self.cut = self.cut or reason
        unjudged = Judgement(verdict=Verdict.INCOMPLETE, reason=f"the search was cut: {self.cut}")
        self.judgements = {
            name: found if found.verdict is Verdict.VIOLATED else unjudged
            for name, found in self.judgements.items()
        }

    # -- what was found

    def fault(self) -> DesignError | None:
        """The error of the first fault of the design, with the shortest trace to it; or None."""
        occurrence = self.first.get(self.kernel.faults)
        if occurrence is None:
            return self.failed
        trace = self._way_to(occurrence.level, occurrence.where)
        error = self.kernel.explain(self.kernel.pack(trace.states[-1]), occurrence.label)
        error.trace = trace
        return error

    def _way_to(self, level: int, found: int) -> Trace:
        """The shortest trace to the state with this fingerprint."""
        return self._trace_to(FirstOccurrence(level, found, STATE_ITSELF))

    def _trace_to(self, occurrence: FirstOccurrence) -> Trace:
        self._look_back([occurrence])
        labels = [] if occurrence.label == STATE_ITSELF else [occurrence.label]
        origin = self.origins[occurrence.level, occurrence.where]
        for level in range(occurrence.level - 1, -1, -1):
            labels.append(origin.label)
            origin = self.origins[level, origin.parent]
        kernel = self.kernel
        steps = self._steps_from(origin.label, labels[::-1])
        trace = kernel.trace(origin.label, steps)
        last = trace.states[-1 if occurrence.label == STATE_ITSELF else -2]
        if kernel.fingerprint(last) != occurrence.where:
            raise NonDeterministic(f"the trace of {len(steps)} steps leads elsewhere on replay")
        return trace

    def _steps_from(self, number: int, labels: Sequence[int]) -> tuple[Step, ...]:
        """Steps from an initial state, by the labels of those of the canonical states."""
        kernel, found = self.kernel, list(map(self.kernel.steps.step, labels))
        if kernel.reducing.is_on:
            state = kernel.beginnings.first(number)
            for place, step in enumerate(found):
                found[place] = kernel.reducing.step_of(step, kernel.pack(state))
                state = kernel.interpreter.take(state, found[place])
        return tuple(found)

    def _look_back(self, occurrences: Iterable[FirstOccurrence]) -> None:
        """Have the origins of all on the way to these occurrences."""
        wanted = {(occurrence.level, occurrence.where) for occurrence in occurrences}
        if missing := wanted - self.origins.keys():
            self.origins |= self.execution.origins(missing)


def as_it_is(result: Result) -> Result:
    """The result, not kept."""
    return result


def explore(
    design: Design,
    scope: Scope,
    execution_for: Callable[[Kernel], Execution],
    *,
    scope_name: str = "custom",
    only: Collection[str] = (),
    max_states: int | None = None,
    until: Collection[str] = (),
    first: bool = False,
    watch: Callable[[Progress], None] = no_watch,
    symmetry: bool = True,
    fingerprint_bits: int = 64,
    keep: Callable[[Result], Result] = as_it_is,
) -> Result:
    """Explore `design` in `scope` and return what was found.

    `execution_for` makes the execution for the kernel: `MemoryExecution`, or a Spark one.
    `only` names the properties, witnesses and laws to report on; empty: all. The search ends
    as soon as all of `until` are violated (liveness is judged at the end only, so that it never
    ends early for a liveness property); empty: it goes on. With `first` it ends with the level in
    which the first property of `only` is violated, or any property or law if `only` is empty.
    `keep` is given the result, also that of a design at fault, and returns it.
    `symmetry=False` visits also the states that differ only in which of alike things is which.
    `fingerprint_bits` stand for a state, 64 or 128.
    Raises DesignError when the design is at fault; the error has the shortest trace to the fault,
    and the result until then as `found`.
    """
    started = time.monotonic()
    why = why_unreduced(design, only, symmetry=symmetry)
    kernel = Kernel(design, scope, why, fingerprint_bits)
    asked = kernel.numbers(only)
    prepare(kernel)
    execution = execution_for(kernel)
    try:
        ending: dict[str, Any] = {"until": until, "first": asked if first else ()}
        search = Search(kernel, execution, max_states=max_states, watch=watch, **ending)
        set_up = time.monotonic() - started
        wanted = claims(design, only)
        with stoppable(kernel.stopping):
            search.run()
            search.judge(wanted)
        search.rebuild(only)
        result = keep(_result(search, scope_name, set_up, only))
        return returned(result, search.fault())
    finally:
        # Whoever presses Ctrl-C here has a result, and wants no traceback in its place.
        for close in (execution.close, kernel.close):
            with suppress(KeyboardInterrupt):
                close()


def _names(kernel: Kernel) -> list[str]:
    """The name of each check, by its number."""
    return [
        *(entry.name for entry in kernel.design.checked),
        *(law.law_name for law in kernel.laws),
    ]


def _numbers(kernel: Kernel, names: Collection[str]) -> set[int]:
    """The numbers of the named checks."""
    checks = _names(kernel)
    return {checks.index(closest("property", name, checks)) for name in names}


def _result(search: Search, scope_name: str, set_up: float, only: Collection[str]) -> Result:
    kernel = search.kernel
    found = Found(
        kernel=kernel,
        total=search.total,
        unseen=Verdict.INCOMPLETE if search.cut else Verdict.HOLDS,
        trace=search.traces.get,
        judgement=lambda entry: search.judgements[entry.name],
        only=only,
    )
    effort = Effort(
        scope=scope_name,
        engine=search.execution.name,
        symmetry=kernel.reducing.symmetry,
        distinct_states=search.execution.distinct,
        generated_states=search.generated,
        depth=_depth(search),
        seconds=search.seconds,
        set_up_seconds=set_up,
        cut=search.cut,
        frontier_sizes=tuple(search.frontier_sizes),
        collision_probability=collision_probability(kernel, search.execution.distinct),
        liveness_seconds=search.liveness_seconds,
        shuffled=search.execution.shuffled,
    )
    return result_of(found, effort)


def _depth(search: Search) -> int:
    """The level of the deepest state found: where a cut left new states, one below the last."""
    deepest = max(0, len(search.frontier_sizes) - 1)
    known = sum(search.frontier_sizes)
    return deepest + (1 if search.execution.distinct > known else 0)
