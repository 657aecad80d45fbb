"""A design taken step by step: `act` names a step, a Walk takes it and says what it violates."""

from __future__ import annotations

from typing import Any, Self

from tierproof.model.language import Design, Interpreter, Scope, Step


def act(action: str, **arguments: int) -> Step:
    """One step, by the name of its action."""
    return Step(action, tuple(arguments.items()))


class Walk:
    """A design in a scope, and the state that the steps taken so far lead to."""

    def __init__(self, design: Design, scope: Scope, *variants: str) -> None:
        for name in variants:
            design = design.with_variant(name)
        self.design = design
        self.interpreter = Interpreter(design, scope)
        self.state: Any = self.interpreter.initial_states()[0]

    def can(self, step: Step) -> bool:
        """The step is enabled now."""
        return self.interpreter.is_enabled(self.state, step)

    def take(self, *steps: Step) -> Self:
        """Take the steps; each has to be enabled, and to keep the lifecycles."""
        for step in steps:
            assert self.can(step), f"{step} is not enabled"
            after = self.interpreter.take(self.state, step)
            assert self.interpreter.unlawful_changes(self.state, after) == []
            self.state = after
        return self

    def violated(self) -> set[str]:
        """The names of the invariants that the state violates."""
        return {entry.name for entry in self.interpreter.violated_in(self.state)}

    def violated_by(self, step: Step) -> set[str]:
        """The names of the step properties that the step violates, which is taken."""
        before = self.state
        self.take(step)
        return {entry.name for entry in self.interpreter.violated_by(before, step, self.state)}

    def violated_after(self, *steps: Step) -> set[str]:
        """Take the steps; the names of what the last one violates, and of what its state does."""
        *before, last = steps
        found = self.take(*before).violated_by(last)
        return found | self.violated()
