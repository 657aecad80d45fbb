"""Estimates for a scope before anyone explores it, from smaller scopes.

    found = of_larger(design, scope, "elections", 3)
    found.states.value, found.states.low, found.states.high

One bound is larger than in `scope`. Scopes with smaller values of it are explored, each up to a
number of states, in memory. What the rule of their growth does not fit is not estimated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from typing import Any

from tierproof.model.language.design import Design
from tierproof.model.language.errors import ScopeError
from tierproof.model.language.scope import Scope
from tierproof.spark_explorer.cuts import INTERRUPTED
from tierproof.spark_explorer.memory import MemoryExecution, bytes_needed
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.stopping import stoppable
from tierproof.spark_explorer.native.worker import prepare
from tierproof.spark_explorer.progress import Progress, no_watch
from tierproof.spark_explorer.search import Search
from tierproof.spark_explorer.sizing.growth import LEAST_KNOWN, Estimate, estimate
from tierproof.spark_explorer.symmetry import Symmetry, symmetry_in, why_unreduced

MOST_STATES = 1_000_000
"""Where the search of a smaller scope ends, unless another limit is given."""
MOST_KNOWN = 12
"""How many smaller scopes are explored."""
PACE = 1.5
"""The factor by which the speed of a search may differ from that of a smaller one."""
LEAST_SECONDS = 0.2
"""A search that was shorter says nothing of the speed."""


@dataclass(frozen=True, kw_only=True)
class Known:
    """A scope that was explored to its end: the value of the bound, and its counts."""

    value: int
    distinct_states: int
    generated_states: int
    largest_level: int
    words: int
    seconds: float


@dataclass(frozen=True, kw_only=True)
class Larger:
    """What a larger scope is estimated to take; what is None is not known.

    `why_not` says why the states are not estimated; it is empty if they are.
    """

    design: str
    scope: str
    bounds: Mapping[str, int]
    bound: str
    known: tuple[Known, ...]
    states: Estimate | None
    seconds: Estimate | None
    bytes: Estimate | None
    why_not: str
    symmetry: Symmetry | None

    def as_dict(self) -> dict[str, Any]:
        """As plain values, as `tierproof estimate --json` prints it."""
        symmetry = None if self.symmetry is None else self.symmetry.as_dict()
        return asdict(self) | {"bounds": dict(self.bounds), "symmetry": symmetry}


def unwatched(value: int) -> AbstractContextManager[Callable[[Progress], None]]:
    """Watch nothing."""
    return nullcontext(no_watch)


def of_larger(
    design: Design,
    scope: Scope,
    bound: str,
    *,
    scope_name: str = "custom",
    max_states: int = MOST_STATES,
    search: Callable[[int], AbstractContextManager[Callable[[Progress], None]]] = unwatched,
) -> Larger:
    """The estimate for `scope`, from the scopes with smaller values of `bound`.

    `search` makes what watches the search of a smaller value. Raises ScopeError if there is none.
    """
    known: list[Known] = []
    cut: int | None = None
    for value in _smaller(scope, bound):
        smaller = scope.replace(**{bound: value})
        try:
            with search(value) as watch:
                found = _explored(design, smaller, value, max_states, watch)
        except KeyboardInterrupt:
            break  # the scopes before are known
        if found is None:
            cut = value
            break
        known.append(found)
    ahead = dict(scope)[bound] - known[-1].value if known else 0
    states = _grown(known, ahead, lambda one: one.distinct_states)
    if states is not None and cut is not None and states.high < max_states:
        states = None  # a smaller scope is known to have more
    return Larger(
        design=design.name,
        scope=scope_name,
        bounds=dict(scope),
        bound=bound,
        known=tuple(known),
        states=states,
        seconds=None if states is None else _seconds(known, ahead),
        bytes=None if states is None else _bytes(known, ahead, states),
        why_not="" if states is not None else _why_not(known, cut, bound),
        symmetry=symmetry_in(design, scope),
    )


def _smaller(scope: Scope, bound: str) -> list[int]:
    """The first smaller values of a bound from which on the scope allows all, ascending."""
    wanted = dict(scope)[bound]
    found: list[int] = []
    for value in range(scope.bounds[bound].low, wanted):
        try:
            scope.replace(**{bound: value})
        except ScopeError:
            found = []
        else:
            found.append(value)
    if not found:
        raise ScopeError(f"{bound}={wanted} has no smaller value to explore: choose another bound")
    return found[:MOST_KNOWN]


def _explored(
    design: Design, scope: Scope, value: int, most: int, watch: Callable[[Progress], None]
) -> Known | None:
    """The counts of a scope, None if the search was cut; Ctrl-C is passed on."""
    kernel = Kernel(design, scope, why_unreduced(design, (), symmetry=True))
    prepare(kernel)
    execution = MemoryExecution(kernel)
    try:
        search = Search(kernel, execution, max_states=most, watch=watch)
        with stoppable(kernel.stopping):
            search.run()
        if fault := search.fault():
            raise fault
        if (search.cut or "").startswith(INTERRUPTED):
            raise KeyboardInterrupt
        return None if search.cut else _counts(search, kernel, value)
    finally:
        execution.close()
        kernel.close()


def _counts(search: Search, kernel: Kernel, value: int) -> Known:
    return Known(
        value=value,
        distinct_states=search.execution.distinct,
        generated_states=search.generated,
        largest_level=max(search.frontier_sizes, default=0),
        words=kernel.words,
        seconds=search.seconds,
    )


def _why_not(known: list[Known], cut: int | None, bound: str) -> str:
    limit = "" if cut is None else f"; that with {bound}={cut} is over the limit of states"
    if len(known) < LEAST_KNOWN:
        return f"{len(known)} smaller scopes are known, and a rule needs {LEAST_KNOWN}{limit}"
    return f"no rule fits the growth of the smaller scopes{limit}"


def _grown(known: list[Known], ahead: int, count: Callable[[Known], float]) -> Estimate | None:
    return estimate([count(one) for one in known], ahead)


def _seconds(known: list[Known], ahead: int) -> Estimate | None:
    """From the speed of the longest search; None if that was too short to tell."""
    generated = _grown(known, ahead, lambda one: one.generated_states)
    last = known[-1]
    if generated is None or last.seconds < LEAST_SECONDS:
        return None
    pace = last.seconds / last.generated_states
    return Estimate(value=generated.value * pace, factor=generated.factor * PACE)


def _bytes(known: list[Known], ahead: int, states: Estimate) -> Estimate | None:
    """What the memory execution holds at its most."""
    level = _grown(known, ahead, lambda one: one.largest_level)
    if level is None:
        return None
    ends = [
        bytes_needed(count, largest, known[-1].words)
        for count, largest in (
            (states.value, level.value),
            (states.high, level.high),
            (states.low, level.low),
        )
    ]
    return Estimate(value=ends[0], factor=max(ends[1] / ends[0], ends[0] / ends[2]))
