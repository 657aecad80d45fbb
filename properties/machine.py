"""The machine: Hypothesis walks a design, the interpreter judges every step.

It is a thin adapter for any design: one rule takes an enabled step and checks state and
step against the design's properties, the laws of its lifecycles and its bounds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar

from hypothesis import Phase, target
from hypothesis import settings as Settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from tierproof.model.language import (
    Design,
    DesignError,
    Property,
    PropertyKind,
    Scope,
    State,
    Trace,
)
from tierproof.model.language.errors import closest
from tierproof.properties.profiles import DRIVING, settings_of
from tierproof.properties.violation import Violation, pasted
from tierproof.properties.walk import Ground, Walk


@dataclass
class Driven:
    """What the walks covered, to judge a run without a violation.

    `taken` counts steps by action, `fingerprints` are those of the distinct states;
    `witnesses` are the names of those reached. `closest` is the greatest value of the function
    that the walks were aimed by, None without one.
    """

    taken: Counter[str]
    walks: int = 0
    witnesses: set[str] = field(default_factory=set)
    fingerprints: set[int] = field(default_factory=set)
    closest: float | None = None

    @property
    def distinct_states(self) -> int:
        """The number of distinct states checked."""
        return len(self.fingerprints)

    @property
    def steps(self) -> int:
        """The number of steps taken and checked."""
        return self.taken.total()

    @property
    def never_taken(self) -> tuple[str, ...]:
        """Actions that no walk took, in declaration order."""
        return tuple(name for name, count in self.taken.items() if count == 0)


class Judge:
    """The properties of a design that walks check: all except the expected violations."""

    def __init__(self, ground: Ground, expected_violations: Collection[str]) -> None:
        self.interpreter, design = ground.interpreter, ground.design
        self.laws = sorted({law.law_name for law in design.laws(self.interpreter.scope)})
        claimed = [entry.name for entry in design.properties]
        for name in expected_violations:
            closest("property", name, [*claimed, *self.laws])
        self.expected = frozenset(expected_violations)
        self.deadlock = next((p for p in design.properties if self._asks_for_steps(p)), None)
        self.witnesses = {entry.name: entry for entry in design.witnesses}

    def _asks_for_steps(self, entry: Property) -> bool:
        return entry.kind is PropertyKind.DEADLOCK and entry.name not in self.expected

    def check_state(self, trace: Trace, state: State) -> None:
        """Raise Violation unless every invariant holds in the last state of `trace`."""
        self._refuse(trace, self.interpreter.violated_in(state))

    def check_step(self, trace: Trace, before: State, after: State) -> None:
        """Raise Violation unless the last step of `trace` obeys step properties and lifecycles."""
        self._refuse(trace, self.interpreter.violated_by(before, trace.steps[-1], after))
        for offset, law in self.interpreter.lifecycle_leaves:
            name = law.law_name
            if name not in self.expected and not law.allows(
                before.leaves[offset], after.leaves[offset]
            ):
                sentences = self.interpreter.unlawful_changes(before, after)
                raise Violation(name, str(PropertyKind.LAW), "\n  ".join(sentences), trace)

    def check_progress(self, trace: Trace, state: State) -> None:
        """Raise Violation if a state without a step, reached by `trace`, is a deadlock."""
        if self.deadlock is not None and self.interpreter.within_bounds(state):
            self._refuse(trace, [self.deadlock])

    def _refuse(self, trace: Trace, violated: list[Property]) -> None:
        for entry in violated:
            if entry.name not in self.expected:
                raise Violation(entry.name, str(entry.kind), entry.statement, trace)

    def reached(self, state: State, but: set[str]) -> list[str]:
        """The witnesses that `state` reaches, without those in `but`."""
        return [
            name
            for name, entry in self.witnesses.items()
            if name not in but and self.interpreter.holds("witness", entry, state)
        ]


class DesignMachine(RuleBasedStateMachine):
    """A walk of one design; `machine_for` makes a subclass with a design to walk."""

    ground: ClassVar[Ground]
    judge: ClassVar[Judge]
    driven: ClassVar[Driven]
    mute: ClassVar[frozenset[int]] = frozenset()
    walk: Walk
    highest: float | None = None

    @property
    def trace(self) -> Trace:
        """The behaviour so far."""
        return self.walk.trace

    @initialize(data=st.data())
    def begin(self, data: Any) -> None:
        """Draw an initial state."""
        self.walk = Walk(self.ground, data.draw, self.mute)
        self.driven.walks += 1
        self._look()

    @rule(data=st.data())
    def take_step(self, data: Any) -> None:
        """Draw an enabled step and take it; do nothing if the walk is over."""
        if self.walk.is_over:
            return
        with self._telling_the_way():
            before = self.walk.advance(data.draw)
            if before is None:
                self.judge.check_progress(self.trace, self.walk.state)
                return
            self.driven.taken[self.walk.steps[-1].action] += 1
            self.judge.check_step(self.trace, before, self.walk.state)
            self._look()

    def teardown(self) -> None:
        """Say how far the walk came, so that Hypothesis can begin from the walk that came farthest.

        Rare states are those that take many different actions, or those that the aim says.
        """
        if self.highest is not None:
            target(self.highest, label="aim")
            known = self.driven.closest
            self.driven.closest = self.highest if known is None else max(known, self.highest)
        elif hasattr(self, "walk"):
            target(float(len({step.action for step in self.walk.steps})), label="actions")

    def _look(self) -> None:
        if self.ground.height is not None:
            height = float(self.ground.height(self.walk.state))
            self.highest = height if self.highest is None else max(height, self.highest)
        with self._telling_the_way():
            self.judge.check_state(self.trace, self.walk.state)
            self.driven.fingerprints.add(hash(self.walk.state.leaves))
            self.driven.witnesses.update(self.judge.reached(self.walk.state, self.driven.witnesses))

    @contextmanager
    def _telling_the_way(self) -> Iterator[None]:
        """Add the steps of the walk to an error of the design."""
        try:
            yield
        except DesignError as error:
            error.add_note(pasted(self.trace))
            raise


def machine_for(
    design: Design,
    scope: Scope,
    *,
    expected_violations: Collection[str] = (),
    towards: Callable[[Any], float] | None = None,
) -> type[DesignMachine]:
    """The state machine that walks `design` in `scope`; its `TestCase` is a complete test.

    Each walk does without some of the actions for as long as others have a step (swarm testing):
    rare behaviours need other actions to be absent. Properties in `expected_violations` are not
    checked. `towards` says of a state how close it is to those that are looked for.
    Raises UnknownName for a property that the design lacks, NoInitialState and ScopeError.
    """
    ground = Ground(design, scope, towards)
    name = "".join(word.capitalize() for word in re.split(r"\W+", design.name)) + "Machine"
    return type(
        name,
        (DesignMachine,),
        {
            "__doc__": f"Walks of {design.title} in {scope}.",
            "ground": ground,
            "judge": Judge(ground, expected_violations),
            "driven": Driven(Counter({act.name: 0 for act in design.actions})),
        },
    )


def check(
    design: Design,
    scope: Scope,
    *,
    expected_violations: Collection[str] = (),
    settings: Settings | str = DRIVING,
    towards: Callable[[Any], float] | None = None,
) -> Driven:
    """Drive `design` in `scope`; raises Violation if a property fails, its trace shrunk.

    `settings` are Hypothesis' own, or the name of a profile (`PROFILES`). `towards` gives a number
    for a state: half of the walks prefer steps to a greater one, and Hypothesis changes those
    that came farthest (`hypothesis.target`).

    The trace is short; only an exhaustive search can show that it is a shortest one.

    Properties in `expected_violations` are not checked. Returns what the walks covered.
    Raises DesignError, with the steps of the walk as a note, if the design is wrong.
    """
    machine = machine_for(design, scope, expected_violations=expected_violations, towards=towards)
    chosen = settings_of(settings, is_aimed=towards is not None)
    try:
        run_state_machine_as_test(machine, settings=chosen)
    except Violation as found:
        raise _shortest(found, machine, chosen) from None
    return machine.driven


def _shortest(found: Violation, machine: type[DesignMachine], settings: Settings) -> Violation:
    """The shortest violation of a property that ever shorter walks by the same actions find.

    Hypothesis shrinks by removing draws; it cannot find a walk that differs early.
    """
    names = {step.action for step in found.trace.steps}
    actions = machine.ground.design.actions
    others = frozenset(index for index, act in enumerate(actions) if act.name not in names)
    claims = [entry.name for entry in machine.ground.design.properties] + machine.judge.laws
    judge = Judge(machine.ground, [name for name in claims if name != found.name])
    narrow = type(machine.__name__, (machine,), {"mute": others, "judge": judge})
    while len(found.trace) > 1:
        shorter = Settings(
            settings, stateful_step_count=len(found.trace), phases=[Phase.generate, Phase.shrink]
        )
        try:
            run_state_machine_as_test(narrow, settings=shorter)
        except Violation as better:
            found = better
        else:
            break
    return found
