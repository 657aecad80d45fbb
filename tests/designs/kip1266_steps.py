"""KIP-1266 step by step: walks, and the steps that belong together."""

from __future__ import annotations

from typing import Any

from tierproof.model.designs.kip1266 import DESIGN
from tierproof.model.designs.kip1266.scenarios import act, finish, start
from tierproof.model.designs.kip1266.state import COPYING, EXPIRING
from tierproof.model.language import Design, Interpreter, Step


class Walk:
    """A design, and the steps that it takes one after the other."""

    def __init__(self, scope: str, *variants: str, design: Design = DESIGN, **bounds: int) -> None:
        chosen = design.scope(scope).replace(**bounds)
        for name in variants:
            design = design.with_variant(name)
        self.interpreter = Interpreter(design, chosen)
        self.state: Any = self.interpreter.initial_states()[0]

    def take(self, *steps: Step) -> set[str]:
        """The names of the properties that the last step violates."""
        before = self.state
        for step in steps:
            before = self.state
            assert self.interpreter.is_enabled(before, step), step
            self.state = self.interpreter.take(before, step)
        found = self.interpreter.violated_in(self.state)
        return {
            p.name for p in (*found, *self.interpreter.violated_by(before, steps[-1], self.state))
        }

    def can(self, step: Step) -> bool:
        """The step is enabled."""
        return self.interpreter.is_enabled(self.state, step)


def copy(broker: int = 0) -> tuple[Step, ...]:
    """A segment is copied."""
    return (start(broker), *finish(broker))


def fail(is_stored: bool = True, broker: int = 0) -> tuple[Step, ...]:
    """A copy fails, and is cleaned up; its tombstones are to come."""
    return (
        start(broker),
        act("store_fails_copy", broker=broker, is_stored=is_stored),
        *delete(broker, COPYING),
    )


def delete(broker: int, thread: int = EXPIRING) -> tuple[Step, ...]:
    """A deletion is carried through."""
    return (
        act("task_publishes_delete_started", broker=broker, thread=thread),
        act("task_deletes_object", broker=broker, thread=thread),
        act("task_publishes_delete_finished", broker=broker, thread=thread),
    )


def expire(broker: int, segment: int = 0) -> tuple[Step, ...]:
    """Retention is over, and the leader deletes the segment."""
    return (
        act("retention_passes"),
        act("expiration_task_chooses_segment", broker=broker, segment=segment),
        *delete(broker),
    )


RESTART = act("broker_restarts", broker=0)
TOMBSTONE = act("broker_publishes_tombstone", broker=0)
