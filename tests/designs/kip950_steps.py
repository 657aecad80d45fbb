"""Steps of KIP-950 by name, and words made of them, for the tests that replay it."""

from typing import Any

from tests.designs.step_by_step import act
from tierproof.model.designs.kip950 import DESIGN
from tierproof.model.kafka.local_retention import Reason
from tierproof.model.language import Design, Interpreter, Scope, Step, Trace

SMALL = DESIGN.scope("smoke").replace(
    segment_ids=2,
    metadata_records=8,
    unapplied_records=2,
    leader_epochs=2,
    elections=1,
    restarts=1,
    failed_deletes=1,
    topic_deletions=1,
    racing_deletions=1,
)


def settings(enable: bool, copy_disable: bool, delete: bool, matches: bool) -> Step:
    return act(
        "controller_alters_config",
        enable=enable,
        copy_disable=copy_disable,
        delete_on_disable=delete,
        local_matches=matches,
    )


ENABLE = settings(True, False, False, False)
READ_ONLY = settings(True, True, False, True)
DISABLE = settings(False, False, True, False)
ELECT_1 = act("controller_elects_leader", leader=1)
START_COPYING = (
    act("copy_task_finds_log_start", broker=0),
    act("copy_task_finds_highest_remote_offset", broker=0),
)


def read(broker: int, records: int = 1) -> tuple[Step, ...]:
    """A broker reads on in the metadata topic."""
    return (act("broker_reads_metadata", broker=broker),) * records


def begin_copy(segment: int, broker: int = 0) -> tuple[Step, ...]:
    """A segment is chosen, published as started and stored."""
    return (
        act("copy_task_chooses_segment", broker=broker),
        act("copy_publishes_started", segment=segment),
        *read(broker),
        act("copy_stores_object", segment=segment),
    )


def finish_copy(segment: int, broker: int = 0) -> tuple[Step, ...]:
    """COPY_SEGMENT_FINISHED is published, read and progress recorded."""
    return (
        act("copy_publishes_finished", segment=segment),
        *read(broker),
        act("copy_records_progress", segment=segment),
    )


def remove_locally(broker: int) -> tuple[Step, ...]:
    """Local retention by size removes the oldest segment."""
    return (
        act("broker_raises_start_to_delete", broker=broker, reason=int(Reason.SIZE)),
        act("broker_removes_segments", broker=broker),
    )


def take_batch(broker: int, records: int = 1) -> Step:
    """The publisher takes records in hand."""
    return act("broker_applies_leadership", broker=broker, records=records)


def apply_settings(broker: int, records: int = 1) -> tuple[Step, ...]:
    """New settings reach the log of a broker."""
    return (take_batch(broker, records), act("broker_updates_log_config", broker=broker))


def delete_up_to_objects(broker: int, segment: int = 0) -> tuple[Step, ...]:
    """The disable path of a leader with one segment, until objects are to be deleted."""
    return (
        act("broker_raises_log_start", broker=broker),
        act("broker_stops_partition", broker=broker),
        act("removal_publishes_delete_started", broker=broker, segment=segment),
        *read(broker),
        act("removal_goes_on_to_objects", broker=broker),
    )


def delete_all(broker: int, segment: int = 0) -> tuple[Step, ...]:
    """The whole disable path of a leader with one segment."""
    return (
        *delete_up_to_objects(broker, segment),
        act("removal_deletes_object", broker=broker, segment=segment),
        act("removal_goes_on_to_metadata", broker=broker),
        act("removal_publishes_delete_finished", broker=broker, segment=segment),
        *read(broker),
        act("removal_ends", broker=broker),
        act("broker_finishes_batch", broker=broker),
    )


COPIED = (*START_COPYING, *begin_copy(0), *finish_copy(0))
FOLLOWER_DISABLES = (*apply_settings(1), act("broker_stops_partition", broker=1))
EXPIRE = (
    act("expiration_task_plans_retention", broker=0),
    act("expiration_task_raises_log_start", broker=0),
    act("expiration_publishes_delete_started", broker=0),
    *read(0),
    act("expiration_deletes_object", broker=0),
    act("expiration_publishes_delete_finished", broker=0),
)


def after(*steps: Step, scope: Scope = SMALL, design: Design = DESIGN) -> Any:
    """The state that the steps lead to."""
    return Trace(design, scope, 0, steps).states[-1]


def is_enabled(state: Any, step: Step, design: Design = DESIGN, scope: Scope = SMALL) -> bool:
    return Interpreter(design, scope).is_enabled(state, step)


def violated(state: Any, design: Design = DESIGN, scope: Scope = SMALL) -> set[str]:
    """The names of the invariants that the state violates."""
    return {entry.name for entry in Interpreter(design, scope).violated_in(state)}
