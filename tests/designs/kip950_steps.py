"""Steps of KIP-950 by name, and words made of them, for the tests that replay it."""

from typing import Any

from model.designs.kip950 import DESIGN
from model.designs.kip950.state import TieredTopic
from model.language import Design, Interpreter, Scope, Step, Trace

SMALL = TieredTopic(
    offsets=1, segment_ids=2, elections=1, restarts=1, config_changes=2, failed_deletes=1
)
LONGER = SMALL.replace(offsets=2, segment_ids=3, expirations=1)


def act(action: str, **arguments: int) -> Step:
    return Step(action, tuple(arguments.items()))


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
START_COPYING = (
    act("copy_task_finds_log_start", broker=0),
    act("copy_task_finds_highest_remote_offset", broker=0),
)
OTHER_DISABLES = (
    act("broker_applies_leadership", broker=1, records=1),
    act("broker_updates_log_config", broker=1),
    act("broker_stops_tasks", broker=1),
)


def begin_copy(segment: int, broker: int = 0) -> tuple[Step, ...]:
    """A segment is chosen, published as started and stored."""
    return (
        act("copy_task_chooses_segment", broker=broker),
        act("copy_publishes_started", segment=segment),
        act("copy_stores_object", segment=segment),
    )


def finish_copy(segment: int) -> tuple[Step, ...]:
    """COPY_SEGMENT_FINISHED is published and progress recorded."""
    return (
        act("copy_publishes_finished", segment=segment),
        act("copy_records_progress", segment=segment),
    )


def apply_settings(broker: int) -> tuple[Step, ...]:
    """One record of new settings reaches the log of a broker."""
    return (
        act("broker_applies_leadership", broker=broker, records=1),
        act("broker_updates_log_config", broker=broker),
    )


def delete_up_to_objects(broker: int) -> tuple[Step, ...]:
    """The disable path of a leader with one segment, until objects are to be deleted."""
    return (
        act("broker_raises_log_start", broker=broker),
        act("broker_stops_tasks", broker=broker),
        act("broker_lists_remote_segments", broker=broker),
        act("broker_publishes_delete_started", broker=broker),
    )


def delete_all(broker: int) -> tuple[Step, ...]:
    """The whole disable path of a leader with one segment."""
    return (
        *delete_up_to_objects(broker),
        act("broker_deletes_object", broker=broker),
        act("broker_publishes_delete_finished", broker=broker),
    )


COPIED = (*START_COPYING, *begin_copy(0), *finish_copy(0))


def after(*steps: Step, scope: Scope = SMALL, design: Design = DESIGN) -> Any:
    """The state that the steps lead to."""
    return Trace(design, scope, 0, steps).states[-1]


def is_enabled(state: Any, step: Step, design: Design = DESIGN, scope: Scope = SMALL) -> bool:
    return Interpreter(design, scope).is_enabled(state, step)
