"""Ways on from the end of a path: at random, by a seed, and the shortest to what is wanted.

The search is breadth-first and bounded in states and seconds: that nothing was found in a search
which was cut says nothing.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock, Timer

import numpy as np

from tierproof.model.language.errors import DesignError
from tierproof.model.language.properties import PropertyKind
from tierproof.serve.expressions import WANTED, BadExpression, with_witness
from tierproof.serve.positions import MOST_STEPS, BadLink, Path
from tierproof.serve.settings import Setting
from tierproof.serve.walks import Walk, walk
from tierproof.spark_explorer.execution import FirstOccurrence, Occurrences
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.stopping import stoppable
from tierproof.spark_explorer.native.worker import prepare
from tierproof.spark_explorer.ways import labels_to

STATES, MOST_STATES = 200_000, 5_000_000
SECONDS, MOST_SECONDS = 10, 120
"""The bounds of a search unless a link says others, and the widest that it may say."""
_ONE_AT_A_TIME = Lock()


@dataclass(frozen=True, kw_only=True)
class Search:
    """What a search for a way found: the whole `path`, None if there is none.

    `cut` says why the search ended early, empty if it looked at every state. `depth` counts the
    steps up to which every state was looked at.
    """

    wanted: str
    path: Path | None
    states: int
    depth: int
    seconds: float
    cut: str

    @property
    def says(self) -> str:
        """The result in a sentence."""
        looked = f"{self.states:,} states in {self.seconds:.1f} s"
        if self.path is not None:
            return f"a shortest way to {self.wanted}, found in {looked}"
        if self.cut:
            return (
                f"no way to {self.wanted} in {self.depth} steps; the search was cut by {self.cut} "
                f"after {looked}: INCOMPLETE, there may be a longer way"
            )
        return f"no way leads from here to {self.wanted}: all {looked} were looked at"


def at_random(here: Walk, steps: int, seed: int) -> Path:
    """The path with so many steps at random; fewer where nothing can be done any more.

    The same seed takes the same steps. Raises BadLink for more steps than a path has.
    """
    if len(here.path) + steps > MOST_STEPS:
        raise BadLink(f"a path has at most {MOST_STEPS} steps: ask for fewer random ones")
    chosen = random.Random(seed)
    interpreter = here.setting.interpreter
    for _ in range(steps):
        if not here.enabled or not interpreter.within_bounds(here.state):
            break
        word = here.word(chosen.choice(here.enabled))
        here = walk(here.setting, here.trace.initial, (*here.path, word))
        if here.halt is not None:
            break
    return here.path


def shortest_way(here: Walk, wanted: str, states: int, seconds: int) -> Search:
    """A shortest way from here to a state where an expression is true.

    `wanted` may also name an invariant, a step property or a law to violate, or a witness to
    reach. Raises BadExpression, and DesignError for a design that cannot be compiled.
    """
    if not 0 < states <= MOST_STATES or not 0 < seconds <= MOST_SECONDS:
        raise BadLink(f"a search has at most {MOST_STATES} states and {MOST_SECONDS} seconds")
    with _ONE_AT_A_TIME:
        goal = _goal(here.setting, wanted)
        with closing(MemoryExecution(goal.kernel)) as execution, _bounded(goal.kernel, seconds):
            return _Searching(here, execution, goal, states).run()


@contextmanager
def _bounded(kernel: Kernel, seconds: int) -> Iterator[None]:
    """Ask native code to stop after so long, or when the server ends."""
    timer = Timer(seconds, kernel.stopping.stop)
    timer.daemon = True
    with stoppable(kernel.stopping):
        timer.start()
        try:
            yield
        finally:
            timer.cancel()


@dataclass(frozen=True)
class _Goal:
    """The check that reports what is wanted, by its number in a compiled design."""

    name: str
    kernel: Kernel
    number: int


@lru_cache(maxsize=4)
def _goal(setting: Setting, wanted: str) -> _Goal:
    """A property by its name, or an expression, compiled; things that are alike are told apart."""
    design, scope = setting.design, setting.scope
    kinds = {entry.name: entry.kind for entry in design.checked}
    kinds |= {law.law_name: PropertyKind.LAW for law in design.laws(scope)}
    if kinds.get(wanted) is PropertyKind.LIVENESS:
        raise BadExpression(f"{wanted} is about behaviours for ever: no state violates it")
    name = f"{wanted} being violated"
    if wanted not in kinds:
        design, name = with_witness(design, scope, wanted), f"`{wanted}`"
    elif kinds[wanted] is PropertyKind.WITNESS:
        name = wanted
    kernel = Kernel(design, scope)
    prepare(kernel)
    (number,) = kernel.numbers([wanted if wanted in kinds else WANTED])
    return _Goal(name, kernel, number)


class _Searching:
    def __init__(self, here: Walk, execution: MemoryExecution, goal: _Goal, states: int) -> None:
        self.here, self.execution, self.goal, self.most = here, execution, goal, states
        self.began = time.monotonic()

    def run(self) -> Search:
        """Level by level, until something is found, all was looked at, or a bound cuts it."""
        first = self.goal.kernel.pack(self.here.state)[None, :]
        self.execution.seed(first, np.zeros(1, np.int64))
        level = 0
        try:
            while self.execution.frontier:
                found, cut = self._expand(level)
                if found is not None or cut:
                    return self._ended(level, found, cut)
                level += 1
            return self._ended(level, None, "")
        except KeyboardInterrupt:
            return self._ended(level, None, "its limit of seconds")
        except MemoryError:
            return self._ended(level, None, "the memory of this machine")

    def _expand(self, level: int) -> tuple[FirstOccurrence | None, str]:
        """Check and expand a level: where the check reports, and why the search is cut."""
        kernel, number = self.goal.kernel, self.goal.number
        total, cut = Occurrences.none(kernel), ""
        for part in self.execution.advance(level):
            total.add(part)
            if self.execution.distinct > self.most:
                cut = f"its limit of {self.most:,} states"
                break
        if total.hits[number]:
            return FirstOccurrence(level, total.where[number], total.label[number]), ""
        if total.hits[kernel.faults]:
            cut = "a fault, of the design or of what is asked, in a state of the last level"
        return None, cut

    def _ended(self, level: int, found: FirstOccurrence | None, cut: str) -> Search:
        return Search(
            wanted=self.goal.name,
            path=None if found is None else self._path_to(found),
            states=self.execution.distinct,
            depth=level,
            seconds=time.monotonic() - self.began,
            cut=cut,
        )

    def _path_to(self, found: FirstOccurrence) -> Path:
        here, steps = self.here, self.goal.kernel.steps
        origins = self.execution.origins([(found.level, found.where)])
        _, labels = labels_to(origins, found)
        path = (*here.path, *(here.word(steps.step(label)) for label in labels))
        if walk(here.setting, here.trace.initial, path).halt is not None:
            raise DesignError("a step that compiled code has taken is not possible in CPython")
        return path
