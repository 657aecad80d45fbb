"""Size: what makes the state space of a design in a scope big.

    found = size(design, scope)
    found.parts[0].part.name, found.parts[0].factor

The search keeps its states, in memory. What is counted afterwards takes less time than the search
itself: where it would not, it is counted on a sample, or left out with a reason.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tierproof.model.language.design import Design
from tierproof.model.language.scope import Scope
from tierproof.spark_explorer.compiler.storage import ENGINE, held
from tierproof.spark_explorer.cuts import INTERRUPTED
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.projecting import prepare_projections
from tierproof.spark_explorer.native.stopping import stoppable
from tierproof.spark_explorer.native.worker import prepare
from tierproof.spark_explorer.progress import Phase, Progress, no_watch
from tierproof.spark_explorer.search import Search
from tierproof.spark_explorer.sizing.bisimulation import prepare_blocks
from tierproof.spark_explorer.sizing.parts import PartKind, parts_of
from tierproof.spark_explorer.sizing.projection import PartSize, sizes_of
from tierproof.spark_explorer.sizing.staleness import Staleness, staleness_of
from tierproof.spark_explorer.sizing.survey import (
    NO_MEMORY,
    Cycles,
    Survey,
    prepare_survey,
    survey_of,
    unsurveyed,
)
from tierproof.spark_explorer.symmetry import SIZED, Symmetry

LEAST_SECONDS = 2.0
"""What the survey of steps may take, however short the search was."""
NOT_KEPT = "the machine, or its container, has no memory to keep every state"


@dataclass(frozen=True, kw_only=True)
class ActionSize:
    """What an action adds: states that it generated, and those that it was the first to reach.

    It is enabled in `enabled` of the states that were surveyed; `on_cycles` of its steps there stay
    on a cycle, None if no cycles were sought.
    """

    name: str
    generated: int
    first_reached: int | None
    enabled: int
    on_cycles: int | None


@dataclass(frozen=True, kw_only=True)
class Size:
    """What makes a state space big.

    The parts are measured on the `measured` states of the levels that were reached as a whole:
    all of the distinct states, unless the search was cut. `surveyed` of them are those whose steps
    were taken again. `not_measured` says why there are no parts; it is empty if there are.
    `no_staleness` says why there is no staleness; it is empty if there is, or if nobody asked.
    Alike things are told apart, so that a factor is one of all states.
    """

    design: str
    scope: str
    bounds: Mapping[str, int]
    cut: str | None
    distinct_states: int
    generated_states: int
    frontier_sizes: tuple[int, ...]
    bits: int
    bytes_held: int
    seconds: float
    measure_seconds: float
    measured: int
    not_measured: str
    parts: tuple[PartSize, ...]
    actions: tuple[ActionSize, ...]
    surveyed: int
    cycles: Cycles | None
    no_cycles: str
    staleness: Staleness | None
    no_staleness: str
    symmetry: Symmetry | None

    @property
    def is_whole(self) -> bool:
        """Whether all is measured that was asked for, of a search that came to its end."""
        return not (self.cut or self.not_measured or self.no_staleness)

    @property
    def fields(self) -> tuple[PartSize, ...]:
        """The declared fields."""
        return tuple(one for one in self.parts if one.part.kind is PartKind.FIELD)

    @property
    def groups(self) -> tuple[PartSize, ...]:
        """Records, budgets, ghosts, and what one actor alone changes."""
        return tuple(one for one in self.parts if one.part.kind is not PartKind.FIELD)

    def as_dict(self) -> dict[str, Any]:
        """The size as plain values, as `tierproof size --json` prints it."""
        return {
            "design": self.design,
            "scope": self.scope,
            "bounds": dict(self.bounds),
            "cut": self.cut,
            "distinct_states": self.distinct_states,
            "generated_states": self.generated_states,
            "frontier_sizes": list(self.frontier_sizes),
            "bits": self.bits,
            "bytes_held": self.bytes_held,
            "seconds": round(self.seconds, 3),
            "measure_seconds": round(self.measure_seconds, 3),
            "measured_states": self.measured,
            "not_measured": self.not_measured,
            "fields": [one.as_dict() for one in self.fields],
            "groups": [one.as_dict() for one in self.groups],
            "actions": [asdict(one) for one in self.actions],
            "surveyed_states": self.surveyed,
            "cycles": None if self.cycles is None else asdict(self.cycles),
            "no_cycles": self.no_cycles,
            "staleness": None if self.staleness is None else self.staleness.as_dict(),
            "no_staleness": self.no_staleness,
            "symmetry": None if self.symmetry is None else self.symmetry.as_dict(),
        }


def size(
    design: Design,
    scope: Scope,
    *,
    scope_name: str = "custom",
    max_states: int | None = None,
    threads: int | None = None,
    stale: bool = False,
    watch: Callable[[Progress], None] = no_watch,
) -> Size:
    """Explore a scope in memory, up to `max_states`, and measure what makes it big.

    With `stale` it is also measured in how many of the states a field is stale. No property is
    judged. A fault of the design cuts the search.
    """
    kernel = Kernel(design, scope, SIZED)
    prepare(kernel)
    with held(ENGINE):
        prepare_survey(kernel)
        prepare_projections(kernel.words)
        if stale:
            prepare_blocks(kernel)
    execution = MemoryExecution(kernel, threads)
    try:
        search = Search(kernel, execution, max_states=max_states, watch=watch)
        with stoppable(kernel.stopping):
            search.run()
        with stoppable(kernel.stopping):
            return _Measuring(search, execution).size(scope_name, stale=stale)
    finally:
        execution.close()
        kernel.close()


class _Measuring:
    """What is counted of a search that has ended."""

    def __init__(self, search: Search, execution: MemoryExecution) -> None:
        self.search, self.execution, self.kernel = search, execution, search.kernel
        self.states = list(execution.states())
        self.threads = execution.threads or os.cpu_count() or 1

    def size(self, scope_name: str, *, stale: bool) -> Size:
        """The size, and what is stale if that is asked for."""
        began = time.monotonic()
        kernel, search = self.kernel, self.search
        search.report(len(search.frontier_sizes), 0, Phase.MEASURING)
        survey = self._survey()
        parts, not_measured = self._parts(survey)
        staleness, no_staleness = self._staleness(parts, not_measured) if stale else (None, "")
        return Size(
            design=kernel.design.name,
            scope=scope_name,
            bounds=dict(kernel.scope),
            cut=search.cut,
            distinct_states=self.execution.distinct,
            generated_states=search.generated,
            frontier_sizes=tuple(search.frontier_sizes),
            bits=sum(placed.bits for placed in kernel.layout.leaves),
            bytes_held=self.execution.bytes_held,
            seconds=search.seconds,
            parts=parts if staleness is None else staleness.parts,
            measured=sum(len(block) for block in self.states),
            not_measured=not_measured,
            actions=self._actions(survey),
            surveyed=survey.surveyed,
            cycles=survey.cycles,
            no_cycles=survey.no_cycles,
            staleness=staleness,
            no_staleness=no_staleness,
            symmetry=kernel.reducing.symmetry,
            measure_seconds=time.monotonic() - began,
        )

    def _survey(self) -> Survey:
        if not self.states:
            return unsurveyed(NOT_KEPT)
        seconds = max(LEAST_SECONDS, self.search.seconds)
        try:
            return survey_of(self.kernel, self.states, self.search.generated, self.threads, seconds)
        except KeyboardInterrupt:
            return unsurveyed(INTERRUPTED)
        except MemoryError:
            return unsurveyed(NO_MEMORY)

    def _parts(self, survey: Survey) -> tuple[tuple[PartSize, ...], str]:
        """The size of each part, or why there is none."""
        if not self.states or survey.no_cycles == INTERRUPTED:
            return (), INTERRUPTED if self.states else NOT_KEPT
        parts = parts_of(self.kernel.layout, survey.own)
        try:
            return tuple(sizes_of(parts, self.states, self.kernel.packing, self.threads)), ""
        except KeyboardInterrupt:
            return (), INTERRUPTED

    def _staleness(
        self, parts: tuple[PartSize, ...], not_measured: str
    ) -> tuple[Staleness | None, str]:
        """What is stale, or why that is not known."""
        if not_measured:
            return None, not_measured
        search = self.search
        try:
            return staleness_of(
                self.kernel, self.states, search.generated, self.threads, parts, search.cut
            )
        except KeyboardInterrupt:
            return None, INTERRUPTED
        except MemoryError:
            return None, NO_MEMORY

    def _actions(self, survey: Survey) -> tuple[ActionSize, ...]:
        """The actions that were taken, the one with the most generated states first."""
        kernel = self.kernel
        first, cycles = survey.first_reached, survey.cycles
        found = [
            ActionSize(
                name=act.name,
                generated=taken,
                first_reached=None if first is None else first.get(act.name, 0),
                enabled=survey.enabled.get(act.name, 0),
                on_cycles=None if cycles is None else cycles.steps.get(act.name, 0),
            )
            for act, taken in zip(kernel.design.actions, self.search.total.taken, strict=True)
            if taken
        ]
        return tuple(sorted(found, key=lambda one: -one.generated))
