"""One design explored to be compared: on one thread, within limits, with its graph at hand."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from threading import Timer

from tierproof.model.language.design import Design
from tierproof.model.language.errors import DesignError
from tierproof.model.language.properties import PropertyKind
from tierproof.model.language.scope import Scope
from tierproof.model.language.trace import Trace
from tierproof.spark_explorer.execution import STATE_ITSELF, FirstOccurrence
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.mutation.graphs import Sketch, sketch
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.worker import prepare
from tierproof.spark_explorer.results import Verdict
from tierproof.spark_explorer.search import Search
from tierproof.spark_explorer.symmetry import SWITCHED_OFF, claims
from tierproof.spark_explorer.ways import way_to

SHORTEST = 0.05
"""Seconds between two looks at how long an exploration has taken."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How far an exploration goes: so many distinct states (None: all), and so many seconds.

    The seconds are the processor's, so that a busy machine does not cut what another one does not.
    """

    states: int | None
    seconds: float


def late(seconds: float) -> str:
    """Why an exploration was cut that took too long."""
    return f"it took more than {seconds:g} seconds"


class Explored:
    """A design in a scope, explored until its first violation, its end, or a limit.

    `excused` names properties whose violation ends nothing. Alike things are told apart: a mutant
    may treat them differently. Raises DesignError for a design that cannot be compiled.
    """

    def __init__(
        self, design: Design, scope: Scope, limits: Limits, excused: Collection[str] = ()
    ) -> None:
        self.limits = limits
        self.kernel = Kernel(design, scope, SWITCHED_OFF)
        prepare(self.kernel)
        self.execution = MemoryExecution(self.kernel, 1)
        names = self.kernel.check_names
        wanted = {n for n in self.kernel.numbers(()) if names[n] not in excused}
        self.search = Search(self.kernel, self.execution, max_states=limits.states, first=wanted)
        self.excused = set(excused)
        self.is_late = False
        self.error: DesignError | None = None
        with self._limited():
            self._run()

    def _run(self) -> None:
        self.search.run()
        if not self.search.cut:
            self.search.judge(claims(self.kernel.design, ()))
        if self.kernel.faults in self.search.first or self.search.failed is not None:
            self.error = self.search.fault()

    @contextmanager
    def _limited(self) -> Iterator[None]:
        """End native code after the seconds of the limit."""
        timers: list[Timer] = []
        until = time.process_time() + self.limits.seconds

        def look() -> None:
            """End it if its time is up; where others use the processor, too, it has more."""
            left = until - time.process_time()
            if left > 0:
                set_timer(left)
            else:
                self.is_late = True
                self.kernel.stopping.stop()

        def set_timer(seconds: float) -> None:
            timers[:] = [Timer(max(seconds, SHORTEST), look)]
            timers[0].daemon = True
            timers[0].start()

        set_timer(self.limits.seconds)
        try:
            yield
        except KeyboardInterrupt:
            if not self.is_late:
                raise
            self.search.cut = self.search.cut or "interrupted"
        finally:
            timers[0].cancel()
            self.kernel.stopping.ask(0)

    @property
    def cut(self) -> str:
        """Why nothing is known of the rest of the graph, or nothing."""
        if self.is_late:
            return late(self.limits.seconds)
        unjudged = [
            one.reason
            for one in self.search.judgements.values()
            if one.verdict is Verdict.INCOMPLETE and not self.search.cut
        ]
        return self.search.cut or (unjudged[0] if unjudged else "")

    @property
    def distinct(self) -> int:
        """Distinct states."""
        return self.execution.distinct

    @property
    def generated(self) -> int:
        """Generated states."""
        return self.search.generated

    @property
    def violated(self) -> dict[str, int]:
        """Each property that is violated -> the steps to its first violation."""
        names = self.kernel.check_names
        numbers = self.kernel.numbers(())
        found = {
            names[number]: one.level + (one.label != STATE_ITSELF)
            for number, one in self.search.first.items()
            if number in numbers
        }
        for name, judged in self.search.judgements.items():
            if judged.verdict is Verdict.VIOLATED:
                found[name] = len(judged.trace) if judged.trace is not None else 0
        return {name: steps for name, steps in found.items() if name not in self.excused}

    def kind_of(self, name: str) -> str:
        """The kind of a property, or of a law."""
        kinds = {one.name: str(one.kind) for one in self.kernel.design.checked}
        return kinds.get(name, str(PropertyKind.LAW))

    @property
    def reached(self) -> set[str]:
        """The witnesses that some state shows."""
        checked = self.kernel.design.checked
        return {checked[number].name for number in self._of_kind(PropertyKind.WITNESS)}

    def _of_kind(self, kind: PropertyKind) -> list[int]:
        checked = self.kernel.design.checked
        return [n for n in self.search.first if n < len(checked) and checked[n].kind is kind]

    @property
    def tested(self) -> set[str]:
        """The properties with a premise that some state fulfils."""
        found = {
            entry.name
            for number, entry in enumerate(self.kernel.design.checked)
            if entry.premise is not None and self.search.total.premises[number]
        }
        judged = self.search.judgements.items()
        return found | {name for name, one in judged if one.premise_states}

    @property
    def taken(self) -> set[str]:
        """The actions of which some step was taken."""
        actions = self.kernel.design.actions
        pairs = zip(actions, self.search.total.taken, strict=True)
        return {act.name for act, count in pairs if count}

    @cached_property
    def sketch(self) -> Sketch:
        """The graph, of a search that was not cut. Raises as `Connector.graph` does."""
        return sketch(self.kernel, self.execution.states())

    def way_to(self, level: int, state: int) -> Trace:
        """The shortest trace to a state of a level, by its fingerprint."""
        occurrence = FirstOccurrence(level, state, STATE_ITSELF)
        origins = self.execution.origins({(level, state)})
        return way_to(self.kernel, origins, occurrence)

    def close(self) -> None:
        """End the threads."""
        self.execution.close()
        self.kernel.close()
