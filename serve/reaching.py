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
from threading import Lock, Timer

import numpy as np

from tierproof.model.language.errors import DesignError
from tierproof.model.language.properties import PropertyKind
from tierproof.serve.expressions import BadExpression, Expression
from tierproof.serve.positions import MOST_STEPS, BadLink, Path
from tierproof.serve.walks import Walk, walk
from tierproof.spark_explorer.execution import STATE_ITSELF, FirstOccurrence, Occurrences
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.packing import fingerprints
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
        kernel = here.setting.kernel
        prepare(kernel)
        goal = _Goal(kernel, wanted)
        with closing(MemoryExecution(kernel)) as execution, _bounded(kernel, seconds):
            return _Searching(here, execution, goal, states).run()


@contextmanager
def _bounded(kernel: Kernel, seconds: int) -> Iterator[None]:
    """Ask native code to stop after so long."""
    timer = Timer(seconds, kernel.stopping.stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        kernel.stopping.ask(0)


class _Goal:
    """An expression, or the number of a check; `name` is how it is called."""

    def __init__(self, kernel: Kernel, wanted: str) -> None:
        self.number: int | None = None
        self.holds: Expression | None = None
        kinds = {entry.name: entry.kind for entry in kernel.design.checked}
        if wanted in kinds or wanted in {law.law_name for law in kernel.laws}:
            if kinds.get(wanted) is PropertyKind.LIVENESS:
                raise BadExpression(f"{wanted} is about behaviours for ever: no state violates it")
            (self.number,) = kernel.numbers([wanted])
            is_witness = kinds.get(wanted) is PropertyKind.WITNESS
            self.name = f"{wanted}{'' if is_witness else ' being violated'}"
        else:
            self.holds = Expression(wanted, kernel.layout, kernel.packing)
            self.name = f"`{wanted}`"


class _Searching:
    def __init__(self, here: Walk, execution: MemoryExecution, goal: _Goal, states: int) -> None:
        self.here, self.execution, self.goal, self.most = here, execution, goal, states
        self.began = time.monotonic()

    def run(self) -> Search:
        """Level by level, until something is found, all is seen, or a bound cuts the search."""
        kernel = self.here.setting.kernel
        first = kernel.pack(self.here.state)[None, :]
        self.execution.seed(first, np.zeros(1, np.int64))
        level, cut = 0, ""
        try:
            while True:
                if (found := self._among_states(level)) is not None:
                    return self._ended(level, found, "")
                if not self.execution.frontier:
                    return self._ended(level, None, "")
                found, cut = self._by_steps(level)
                if found is not None or cut:
                    return self._ended(level, found, cut)
                level += 1
        except KeyboardInterrupt:
            return self._ended(level, None, "its limit of seconds")
        except MemoryError:
            return self._ended(level, None, "the memory of this machine")

    def _among_states(self, level: int) -> FirstOccurrence | None:
        """A state of the level of which the expression is true."""
        if self.goal.holds is None:
            return None
        for block in self.execution.levels.blocks(level):
            for row in range(0, len(block), 1 << 14):
                part = block[row : row + (1 << 14)]
                hits = np.flatnonzero(self.goal.holds(part))
                if len(hits):
                    found = int(fingerprints(part[hits]).min())
                    return FirstOccurrence(level, found, STATE_ITSELF)
        return None

    def _by_steps(self, level: int) -> tuple[FirstOccurrence | None, str]:
        """Expand the level: where the check reports, and why the search is cut, if it is."""
        kernel, number = self.here.setting.kernel, self.goal.number
        total = Occurrences.none(kernel)
        cut = ""
        for part in self.execution.advance(level):
            total.add(part)
            if self.execution.distinct > self.most:
                cut = f"its limit of {self.most:,} states"
                break
        if number is not None and total.hits[number]:
            return FirstOccurrence(level, total.where[number], total.label[number]), ""
        if total.hits[kernel.faults]:
            cut = "a fault of the design"
        return None, cut

    def _ended(self, level: int, found: FirstOccurrence | None, cut: str) -> Search:
        path = None
        if found is not None:
            path = self._path_to(found)
        return Search(
            wanted=self.goal.name,
            path=path,
            states=self.execution.distinct,
            depth=level,
            seconds=time.monotonic() - self.began,
            cut=cut,
        )

    def _path_to(self, found: FirstOccurrence) -> Path:
        here, steps = self.here, self.here.setting.kernel.steps
        origins = self.execution.origins([(found.level, found.where)])
        _, labels = labels_to(origins, found)
        path = (*here.path, *(here.word(steps.step(label)) for label in labels))
        if walk(here.setting, here.trace.initial, path).halt is not None:
            raise DesignError("a step that compiled code has taken is not possible in CPython")
        return path
