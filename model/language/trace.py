"""Trace: an initial state and the steps taken from it; replaying is the only way to its states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from model.language.actions import Step
from model.language.design import Design
from model.language.errors import DesignError, NonDeterministic
from model.language.interpreter import Interpreter
from model.language.scope import Scope
from model.language.state import State


@dataclass(frozen=True)
class Trace:
    """A behaviour of a design. `initial` counts the design's initial states from 0."""

    design: Design
    scope: Scope
    initial: int
    steps: tuple[Step, ...]

    def __len__(self) -> int:
        return len(self.steps)

    @cached_property
    def states(self) -> tuple[State, ...]:
        """The states passed, one more than there are steps.

        Raises NonDeterministic; DesignError or UnknownName where the design has no such step.
        """
        interpreter = Interpreter(self.design, self.scope)
        beginnings = interpreter.initial_states()
        if not 0 <= self.initial < len(beginnings):
            raise DesignError(
                f"the trace begins in initial state {self.initial}, "
                f"of which {self.design.name!r} has {len(beginnings)}"
            )
        state = beginnings[self.initial]
        passed = [state]
        for number, step in enumerate(self.steps, start=1):
            interpreter.steps.label(step)  # raises where the design has no such step
            if not interpreter.is_enabled(state, step):
                raise NonDeterministic(
                    f"step {number} of the trace, {step}, is not enabled on replay"
                )
            state = interpreter.take(state, step)
            passed.append(state)
        return tuple(passed)

    def moves(self) -> Iterator[tuple[Step, State, State]]:
        """(step, state before, state after) in order."""
        return zip(self.steps, self.states, self.states[1:], strict=False)

    def as_python(self) -> str:
        """The steps as source text that can be pasted into a test."""
        lines = [f"    Step({step.action!r}, {_arguments(step)})," for step in self.steps]
        return "\n".join(["(", *lines, ")"])


def _arguments(step: Step) -> str:
    inside = "".join(f"({name!r}, {int(value)}), " for name, value in step.arguments)
    return f"({inside.rstrip()})"
