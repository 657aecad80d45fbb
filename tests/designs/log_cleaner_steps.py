"""The log cleaner step by step: walks, and the steps that belong together."""

from __future__ import annotations

from tests.designs.step_by_step import Walk, act
from tierproof.model.designs.log_cleaner import DESIGN
from tierproof.model.language import Step


def walk_of(scope: str, *variants: str, **bounds: int) -> Walk:
    """A walk through the design in one of its scopes, with bounds changed."""
    return Walk(DESIGN, DESIGN.scope(scope).replace(**bounds), *variants)


def value(number: int, key: int = 0) -> Step:
    """A client appends a value, or a tombstone (NONE)."""
    return act("client_appends_record", key=key, value=number)


def transact(number: int, key: int = 0, producer: int = 0) -> Step:
    """A producer appends a value or a tombstone in its transaction."""
    return act("producer_appends_record", producer=producer, key=key, value=number)


COMMIT = act("coordinator_ends_transaction", producer=0, commits=True)
COMMIT_OF_OTHER = act("coordinator_ends_transaction", producer=1, commits=True)
ABORT = act("coordinator_ends_transaction", producer=0, commits=False)
ROLL = act("broker_rolls_segment")
MAP = act("cleaner_fills_map")
CLEAN = act("cleaner_cleans_group")
CHECKPOINT = act("cleaner_writes_checkpoint")
CRASH = act("broker_crashes")
LATER = act("delete_retention_passes")
PASS = (MAP, CLEAN, CHECKPOINT)
