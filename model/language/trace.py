"""Trace: an initial state and the steps taken from it; replaying is the only way to its states.

A trace may be infinite: it then says from which state on its steps repeat (a lasso).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from tierproof.model.language.actions import Step
from tierproof.model.language.design import Design
from tierproof.model.language.errors import DesignError, NonDeterministic
from tierproof.model.language.interpreter import Interpreter
from tierproof.model.language.scope import Scope
from tierproof.model.language.state import State


@dataclass(frozen=True)
class Stop:
    """The first step of a behaviour that a design does not permit, counted from 1.

    `refused_by` names the guard that is false there; it is empty if the design has no such
    action, or if the budget of the action is spent.
    """

    number: int
    step: Step
    refused_by: str


@dataclass(frozen=True)
class Trace:
    """A behaviour of a design. `initial` counts the design's initial states from 0.

    `cycle_start` is the number of the state (from 0, the initial one) to which the last step
    leads back, and from which the steps repeat for ever. If it is the last state, no further
    step happens. None: the trace ends and does not say what follows.
    """

    design: Design
    scope: Scope
    initial: int
    steps: tuple[Step, ...]
    cycle_start: int | None = None

    def __len__(self) -> int:
        return len(self.steps)

    @cached_property
    def first(self) -> State:
        """The initial state. Raises DesignError if the design has none of that number."""
        return Interpreter(self.design, self.scope).initial_state(self.initial)

    def begun_in(self, first: State) -> Trace:
        """This trace, told its initial state, so that no other has to be made to find it."""
        vars(self)["first"] = first  # as the cached property does
        return self

    def followed_by(self, step: Step, after: State) -> Trace:
        """This trace and one more step, told the state that the step leads to.

        No step is taken again: who walks asks for the states after each one.
        """
        made = replace(self, steps=(*self.steps, step), cycle_start=None).begun_in(self.first)
        vars(made)["states"] = (*self.states, after)  # as the cached property does
        return made

    def repeating_from(self, number: int) -> Trace:
        """This trace, whose steps repeat from a state on; its states are those that are known.

        Raises NonDeterministic if the steps do not lead back there, DesignError for no state.
        """
        made = replace(self, cycle_start=number).begun_in(self.first)
        made._check_cycle(list(self.states))
        vars(made)["states"] = self.states
        return made

    @cached_property
    def states(self) -> tuple[State, ...]:
        """The states of the trace, one more than its steps.

        Raises NonDeterministic; DesignError or UnknownName if the design has no such step.
        """
        interpreter = Interpreter(self.design, self.scope)
        state = self.first
        passed = [state]
        for number, step in enumerate(self.steps, start=1):
            interpreter.steps.label(step)  # raises if the design has no such step
            if not interpreter.is_enabled(state, step):
                raise NonDeterministic(
                    f"step {number} of the trace, {step}, is not enabled on replay"
                )
            state = interpreter.take(state, step)
            passed.append(state)
        self._check_cycle(passed)
        return tuple(passed)

    def stop_in(self, design: Design) -> Stop | None:
        """The step at which a design of the same state stops this behaviour, or None."""
        return self.follow_in(design)[1]

    def follow_in(self, design: Design) -> tuple[tuple[State, ...], Stop | None]:
        """The states when a design of the same state takes these steps, and the step it refuses.

        Edits rename no action, so a step means the same in every variant of a design.
        Raises UnknownName for a step of an action that neither this design nor the other has.
        """
        interpreter = Interpreter(design, self.scope)
        passed = [self._first_in(design)]
        known = {act.name for act in self.design.actions} - {act.name for act in design.actions}
        for number, step in enumerate(self.steps, start=1):
            if step.action in known:
                return tuple(passed), Stop(number, step, "")
            interpreter.steps.label(step)  # raises if no such step exists
            if not interpreter.is_enabled(passed[-1], step):
                refusing = interpreter.refusing(passed[-1], step)
                return tuple(passed), Stop(number, step, refusing.name if refusing else "")
            passed.append(interpreter.take(passed[-1], step))
        return tuple(passed), None

    def _first_in(self, design: Design) -> State:
        """The initial state of that number in a design of the same state."""
        mine = self.design
        if (design.state, design.initial) == (mine.state, mine.initial):
            return self.first
        return Interpreter(design, self.scope).initial_state(self.initial)

    def _check_cycle(self, passed: list[State]) -> None:
        """Raise unless the last state is the one in which the cycle starts."""
        if self.cycle_start is None:
            return
        if not 0 <= self.cycle_start <= len(self.steps):
            raise DesignError(
                f"the cycle starts in state {self.cycle_start} of a trace of {len(self)} steps"
            )
        if passed[self.cycle_start] != passed[-1]:
            raise NonDeterministic(
                f"the trace does not come back to its state {self.cycle_start} on replay"
            )

    def moves(self) -> Iterator[tuple[Step, State, State]]:
        """(step, state before, state after) in order."""
        return zip(self.steps, self.states, self.states[1:], strict=False)

    @property
    def digest(self) -> str:
        """Six hexadecimal digits that differ, almost surely, for any other steps or cycle."""
        told = "\n".join([str(self.initial), *map(str, self.steps), str(self.cycle_start)])
        return hashlib.sha256(told.encode()).hexdigest()[:6]

    def as_python(self) -> str:
        """The steps as source text to paste into a test."""
        lines = [f"    Step({step.action!r}, {_arguments(step)})," for step in self.steps]
        return "\n".join(["(", *lines, ")"])


def _arguments(step: Step) -> str:
    inside = "".join(f"({name!r}, {_pasted(value)}), " for name, value in step.arguments)
    return f"({inside.rstrip()})"


def _pasted(value: Any) -> str:
    """A value as Python source without imports: a number, or a set of numbers."""
    if isinstance(value, frozenset):
        return f"frozenset({{{', '.join(str(int(one)) for one in value)}}})"
    return str(int(value))
