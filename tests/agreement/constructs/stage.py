"""The stage: a design of many constructs, played state by state in both executions."""

import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from tests.agreement.constructs.toy import Bounds, Toy, every_valuation
from tierproof.model.language import (
    Action,
    Design,
    DesignError,
    Guard,
    Property,
    PropertyKind,
    State,
    action,
    guard,
    invariant,
    step_property,
)
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.worker import Worker

Construct = Callable[..., Any]
Outcome = dict[int, tuple[int, ...]] | str
"""What becomes of a state: packed successors by label, or what went wrong at which line."""


def constructs_of(module: ModuleType) -> list[Construct]:
    """The constructs of a module in the order in which they stand there."""
    return [
        entry
        for name, entry in vars(module).items()
        if isinstance(entry, FunctionType)
        and entry.__module__ == module.__name__
        and not name.startswith("_")
    ]


def declared(*system: Action, **parts: Any) -> Design:
    """A design of the toy."""
    return Design(
        **{
            "name": "toy",
            "title": "A toy",
            "state": Toy,
            "initial": (every_valuation,),
            "system": system,
            "scopes": {"only": Bounds()},
            **parts,
        }
    )


# -- roles


def is_truth(construct: Construct) -> bool:
    """Whether a construct stands as guard and property too."""
    return construct.__annotations__["return"] is bool


def turn_of(number: int) -> Guard:
    """The guard that lets the construct of that number act."""

    def is_on(state: Toy) -> bool:
        return state.turn == number

    return replace(guard(is_on), name=f"is_turn_{number}")


def as_effect(construct: Construct, *guards: Guard) -> Action:
    """The construct as an action that it is the effect of, or that writes what it returns."""
    if construct.__annotations__["return"] is None:
        return action(guards=guards, stutters=True)(construct)

    def writes(state: Toy) -> None:
        state.result = construct(state)

    return replace(action(guards=guards, stutters=True)(writes), name=construct.__name__)


def as_guard(construct: Construct, *guards: Guard) -> Action:
    """An action that the construct guards."""

    def marks(state: Toy) -> None:
        state.result = -1000

    acts = action(guards=(*guards, guard(construct)), stutters=True)(marks)
    return replace(acts, name=f"{construct.__name__}_guards")


def as_properties(construct: Construct, number: int) -> list[Property]:
    """The construct as an invariant, and as a step property, in its turn."""

    def holds(state: Toy) -> bool:
        return state.turn != number or construct(state)

    def is_kept(before: Toy, after: Toy) -> bool:
        return before.turn != number or construct(after)

    name = construct.__name__
    return [
        replace(invariant()(holds), name=f"{name}_holds"),
        replace(step_property()(is_kept), name=f"{name}_is_kept"),
    ]


# -- the stage


@dataclass
class Play:
    """What becomes of each state, and how often each claim is violated, in either execution."""

    kernel: Kernel
    states: list[State]
    wanted: list[Outcome]
    found: list[Outcome]
    wanted_violations: Counter[str]
    found_violations: Counter[str]

    @property
    def difference(self) -> str:
        """The first state of which the executions make something else, or nothing."""
        for state, *pair in zip(self.states, self.wanted, self.found, strict=True):
            if pair[0] != pair[1]:
                one, other = (self._shown(state, outcome) for outcome in pair)
                return f"CPython: {one}\ncompiled: {other}\nin the state\n{state.describe()}"
        if self.wanted_violations != self.found_violations:
            return f"CPython: {self.wanted_violations}\ncompiled: {self.found_violations}"
        return ""

    @property
    def has_effect(self) -> bool:
        """Whether some step leads to another state."""
        return any(
            words != tuple(self.kernel.pack(state))
            for state, outcome in zip(self.states, self.found, strict=True)
            if isinstance(outcome, dict)
            for words in outcome.values()
        )

    def _shown(self, state: State, outcome: Outcome) -> str:
        if isinstance(outcome, str):
            return outcome
        steps = {}
        for label, words in outcome.items():
            after = self.kernel.unpack(np.array(words, np.uint64))
            changes = [f"{path} = {value!r}" for path, _, value in state.changes_to(after)]
            steps[label] = ", ".join(changes)
        return str(steps)


class Stage:
    """A design, compiled. Of the successors of one state no two may be the same."""

    def __init__(self, design: Design) -> None:
        self.design = design
        self.kernel = Kernel(design, design.scope("only"))
        self.interpreter = self.kernel.interpreter
        self.worker = Worker(self.kernel, batch=self.kernel.steps.count + 1)

    def play(self, states: list[State], acts: Sequence[Action], claims: Sequence[Property]) -> Play:
        """Expand states in both executions, where no other action acts and no other claim fails."""
        wanted_violations: Counter[str] = Counter()
        wanted = [self._interpreted(one, acts, claims, wanted_violations) for one in states]
        found = self._compiled(states)
        hits = zip(self.design.checked, self.worker.checks.hits.tolist(), strict=False)
        found_violations = Counter({claim.name: count for claim, count in hits if count})
        return Play(self.kernel, states, wanted, found, wanted_violations, found_violations)

    def play_all(self) -> Play:
        """Expand the initial states in both executions."""
        states = self.interpreter.initial_states()
        return self.play(states, self.design.actions, self.design.properties)

    def _interpreted(
        self,
        state: State,
        acts: Sequence[Action],
        claims: Sequence[Property],
        violations: Counter[str],
    ) -> Outcome:
        """What CPython makes of a state."""
        interpreter, found = self.interpreter, {}
        try:
            for claim in claims:
                if claim.kind is PropertyKind.INVARIANT:
                    violations[claim.name] += not self._holds(claim, state)
            for step in [step for act in acts for step in interpreter.enabled_of(act, state)]:
                after = interpreter.take(state, step)
                found[interpreter.steps.label(step)] = tuple(self.kernel.pack(after))
                for claim in claims:
                    if claim.kind is PropertyKind.STEP:
                        scopes = [self.kernel.scope for _ in claim.arguments]
                        violations[claim.name] += not claim.function(state, after, *scopes)
                interpreter.within_bounds(after)
        except DesignError as error:
            return f"{_kind(error)} at {_line_in(error)}"
        return found

    def _holds(self, claim: Property, state: State) -> bool:
        if claim.premise and not self.interpreter.holds("premise", claim.premise, state):
            return True
        return self.interpreter.holds("invariant", claim, state)

    def _compiled(self, states: list[State]) -> list[Outcome]:
        """What compiled code makes of each state."""
        outcomes: list[Outcome] = []
        self.worker.checks.hits[:] = 0
        for state in states:
            try:
                words, labels = self.worker.expand(self.kernel.pack(state))
            except DesignError as error:
                outcomes.append(f"{_kind(error)} at {self._spot()}")
            else:
                pairs = zip(labels.tolist(), words.tolist(), strict=True)
                outcomes.append({label: tuple(after) for label, after in pairs})
        return outcomes

    def _spot(self) -> str:
        """The line at which compiled code stopped."""
        fault = self.kernel.fault(int(self.worker.work.context[0]))
        return f"{Path(fault.spot.file).name}:{fault.spot.line}" if fault else "no line"


class Turns:
    """A design in which the construct of number n acts where `turn` is n, and none else."""

    def __init__(self, constructs: list[Construct]) -> None:
        self.numbers = {entry.__name__: number for number, entry in enumerate(constructs)}
        self.acts: list[list[Action]] = []
        self.claims: list[list[Property]] = []
        for number, construct in enumerate(constructs):
            turn = turn_of(number)
            guarded = [as_guard(construct, turn)] if is_truth(construct) else []
            self.acts.append([as_effect(construct, turn), *guarded])
            self.claims.append(as_properties(construct, number) if is_truth(construct) else [])
        properties = tuple(claim for claims in self.claims for claim in claims)
        system = [act for acts in self.acts for act in acts]
        self.stage = Stage(declared(*system, properties=properties))
        self.valuations = self.stage.interpreter.initial_states()

    def play(self, name: str) -> Play:
        """Let a construct act in every valuation, in both executions."""
        number, states = self.numbers[name], []
        for valuation in self.valuations:
            state = valuation.copy_for("the stage")
            state.turn = number
            states.append(state.frozen_for("a predicate"))
        return self.stage.play(states, self.acts[number], self.claims[number])


def _kind(error: DesignError) -> str:
    """What kind of error it was in CPython."""
    return type(error.__cause__ or error).__name__


def _line_in(error: DesignError) -> str:
    """The innermost line of a construct that an error comes from."""
    frames = traceback.walk_tb((error.__cause__ or error).__traceback__)
    places = [(Path(frame.f_code.co_filename), line) for frame, line in frames]
    here = Path(__file__)
    inside = [place for place in places if place[0].parent == here.parent and place[0] != here]
    file, line = inside[-1] if inside else (here, 0)
    return f"{file.name}:{line}"
