"""Producer state step by step: walks, and the steps that belong together."""

from __future__ import annotations

from tests.designs.step_by_step import Walk, act
from tierproof.model.designs.producer_state import DESIGN
from tierproof.model.language import Step


def walk_of(scope: str, *variants: str, **bounds: int) -> Walk:
    """A walk through the design in one of its scopes, with bounds changed."""
    return Walk(DESIGN, DESIGN.scope(scope).replace(**bounds), *variants)


def known(walk: Walk) -> list[bool]:
    """Which producers the broker knows."""
    return [bool(entry.is_known) for entry in walk.state.log.producer]


def send(producer: int = 0, *, records: int = 1, transactional: bool = False) -> Step:
    """A client sends its next batch."""
    return act(
        "producer_sends_batch",
        producer=producer,
        records=records,
        is_transactional=transactional,
    )


def append(place: int = 0) -> Step:
    """The leader appends the request at the place."""
    return act("leader_appends_batch", place=place)


def duplicate(place: int = 0) -> Step:
    """The leader remembers the request at the place."""
    return act("leader_answers_duplicate", place=place)


def refuse(place: int = 0) -> Step:
    """The leader refuses the request at the place."""
    return act("leader_refuses_batch", place=place)


def retry(place: int = 0) -> Step:
    """The client sends the request at the place again."""
    return act("producer_retries_batch", place=place)


def bump(producer: int = 0) -> Step:
    """The client bumps its epoch."""
    return act("producer_bumps_epoch", producer=producer)


def marker(version: int = 1, *, commits: bool = True) -> Step:
    """The coordinator sends a marker of producer 0."""
    return act(
        "coordinator_sends_marker",
        producer=0,
        commits=commits,
        coordinator_epoch=0,
        transaction_version=version,
    )


def lose(offset: int) -> Step:
    """The snapshot file of the offset is lost."""
    return act("snapshot_is_lost", offset=offset)


def corrupt(offset: int) -> Step:
    """The snapshot file of the offset cannot be read."""
    return act("snapshot_is_corrupted", offset=offset)


def empty(offset: int) -> Step:
    """An empty snapshot is put in place."""
    return act("operator_places_empty_snapshot", offset=offset)


def load(log_start: int = 0) -> Step:
    """The broker starts after a clean shutdown."""
    return act("broker_loads_log", log_start=log_start)


def recover(recovery_point: int = 0, log_start: int = 0) -> Step:
    """The broker starts after a crash."""
    return act("broker_recovers_log", log_start=log_start, recovery_point=recovery_point)


ROLL = act("broker_rolls_segment")
SHUT_DOWN = act("broker_shuts_down")
CRASH = act("broker_crashes")
LATER = act("time_passes", ms=1)
EXPIRE = act("broker_expires_producers")
STORE = act("leader_stores_snapshot")
WRITTEN = (send(), append())
"""A batch that is appended and answered."""
WRITTEN_TWICE_SENT = (send(), retry(), append())
"""A batch that is appended, and a copy of which is still on the way."""
