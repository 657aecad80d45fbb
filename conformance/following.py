"""A run of a design that follows a recording: every change of its state is an enabled step."""

from __future__ import annotations

from typing import Any

from tierproof.model.language import Interpreter, Step


class NotEnabled(Exception):
    """Kafka did something that the design does not allow."""


class Following:
    """A run from the first initial state; `state` is its current state."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.state: Any = interpreter.initial_states()[0]

    def is_enabled(self, action: str, **arguments: int) -> bool:
        """Whether the guards of a step hold."""
        step = Step(action, tuple(arguments.items()))
        return self.interpreter.is_enabled(self.state, step)

    def take(self, action: str, **arguments: int) -> None:
        """Take one step. Raises NotEnabled."""
        step = Step(action, tuple(arguments.items()))
        if not self.interpreter.is_enabled(self.state, step):
            raise NotEnabled(f"{step} is not enabled")
        self.state = self.interpreter.take(self.state, step)
