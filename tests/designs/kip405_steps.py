"""Steps of KIP-405 that several tests take."""

from tests.designs.step_by_step import Walk, act
from tierproof.model.designs.kip405 import DESIGN
from tierproof.model.language import Step

START = (
    act("copy_task_finds_log_start", broker=0),
    act("copy_task_finds_highest_remote_offset", broker=0),
)
COPY = (
    act("copy_task_chooses_segment", broker=0),
    act("copy_publishes_started", segment=0),
    act("broker_reads_metadata", broker=0),
    act("copy_stores_object", segment=0),
    act("copy_publishes_finished", segment=0),
    act("broker_reads_metadata", broker=0),
    act("copy_records_progress", segment=0),
)


def expire(broker: int) -> tuple[Step, ...]:
    """A run is planned, and the log start moves."""
    return (plan(broker), act("expiration_task_raises_log_start", broker=broker))


def plan(broker: int) -> Step:
    """A run is planned; it begins if it has something to do."""
    return act("expiration_task_plans_retention", broker=broker)


def walk_of(scope: str, *variants: str, **bounds: int) -> Walk:
    """A walk through KIP-405 in a committed scope, with bounds changed."""
    return Walk(DESIGN, DESIGN.scope(scope).replace(**bounds), *variants)


NEW_LEADER = (
    *START,
    *COPY,
    act("controller_elects_leader", leader=1),
    act("broker_learns_leader", broker=1),
    act("broker_reads_metadata", broker=1),
    act("broker_reads_metadata", broker=1),
)
ONLY_OLD_EPOCHS = (
    act("controller_elects_leader", leader=0),
    act("broker_learns_leader", broker=0),
    *START,
    act("copy_task_chooses_segment", broker=0),
    act("user_deletes_records", leader=0, offset=3),
    act("copy_publishes_started", segment=0),
    act("broker_reads_metadata", broker=0),
)
"""The broker copies a segment, all of whose epochs the log has lost meanwhile."""
