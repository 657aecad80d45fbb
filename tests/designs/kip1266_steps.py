"""KIP-1266 step by step: walks, and the steps that belong together."""

from __future__ import annotations

from tests.designs.step_by_step import Walk, act
from tierproof.model.designs.kip1266 import DESIGN
from tierproof.model.designs.kip1266.scenarios import finish, start
from tierproof.model.designs.kip1266.state import COPYING, EXPIRING
from tierproof.model.language import Design, Step


def walk_of(scope: str, *variants: str, design: Design = DESIGN, **bounds: int) -> Walk:
    """A walk through a design in one of its scopes, with bounds changed."""
    return Walk(design, design.scope(scope).replace(**bounds), *variants)


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
