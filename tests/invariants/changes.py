"""What can be done to a hand-made state; each returns a change, to be applied in its turn."""

from __future__ import annotations

from typing import Any

from tests.invariants import states
from tests.invariants.states import Change
from tierproof.model.designs.kip405.state import AttemptStep, RunStep
from tierproof.model.kafka.copy_task import describe_segment
from tierproof.model.kafka.local_segments import remove_segments, restart_records
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.topic_config import TieringState


def put(path: str, value: Any) -> Change:
    """Assign to a field, such as broker.0.log_start_offset."""
    *way, last = path.split(".")

    def change(state: Any) -> None:
        found = state
        for name in way:
            found = found[int(name)] if name.isdigit() else getattr(found, name)
        if last.isdigit():
            found[int(last)] = value
        else:
            setattr(found, last, value)

    return change


def both(*changes: Change) -> Change:
    """One change after the other."""

    def change(state: Any) -> None:
        for one in changes:
            one(state)

    return change


def published(segment: int, *kinds: SegmentState, read_by: tuple[int, ...] = ()) -> Change:
    """The metadata topic says more of an id; these brokers read it."""
    return both(
        lambda state: states.tell(state, segment, *kinds),
        lambda state: states.read(state, *read_by),
    )


def described(segment: int, base: int) -> Change:
    """An id stands for the segment of broker 1's log that begins at `base`."""
    return lambda state: describe_segment(state.segment[segment], state.broker[1], base)


def removed(broker: int, end: int) -> Change:
    """Local segments before `end` are gone."""

    def change(state: Any) -> None:
        state.broker[broker].local_log_start_offset = end
        remove_segments(state.broker[broker], end)

    return change


def emptied(broker: int) -> Change:
    """The local log is empty."""
    return lambda state: restart_records(state.broker[broker], state.broker[broker].log_end_offset)


START, FINISH = SegmentState.COPY_SEGMENT_STARTED, SegmentState.COPY_SEGMENT_FINISHED
DELETE, DELETED = SegmentState.DELETE_SEGMENT_STARTED, SegmentState.DELETE_SEGMENT_FINISHED

OTHER_ELECTED = both(put("elected_leader", 1), put("leader_epoch", 1))
OBJECT_GONE = put("segment.0.object_exists", False)
DELETED_BY_USER = put("legal_end", 2)
KEEPS_NOTHING = both(put("legal_end", 5), put("broker.0.settings.local_retention_bytes", 0))

EMPTIED = emptied(0)
DELETED_EVERYWHERE = both(
    DELETED_BY_USER, put("broker.0.log_start_offset", 2), put("broker.1.log_start_offset", 2)
)
SECOND_COPIED = both(
    described(1, 2),
    put("segment.1.object_exists", True),
    published(1, START, FINISH, read_by=(0, 1)),
)
FIRST_COPIED_TWICE = both(
    described(1, 0),
    put("segment.1.object_exists", True),
    published(1, START, FINISH, read_by=(0, 1)),
)
SECOND_STORED = both(
    described(1, 2),
    put("segment.1.copier", 0),
    put("segment.1.attempt", AttemptStep.STORED),
    put("segment.1.object_exists", True),
    published(1, START, read_by=(0, 1)),
)
SECOND_FINISHED = both(published(1, FINISH), put("segment.1.attempt", AttemptStep.FINISHED))
SECOND_LEFT = both(
    SECOND_STORED, put("segment.1.copier", -1), put("segment.1.attempt", AttemptStep.IDLE)
)
SECOND_FAILED = both(SECOND_STORED, put("segment.1.attempt", AttemptStep.FAILED))
SECOND_CLEANED_UP = both(published(1, DELETE), put("segment.1.attempt", AttemptStep.DELETE_STARTED))
RUN_DELETES = both(put("broker.0.run_step", RunStep.DELETING), put("broker.0.planned.0", 0))
RUN_MARKS = both(published(0, DELETE), put("broker.0.run_step", RunStep.DELETE_STARTED))
RUN_DELETES_UNTOLD = both(OBJECT_GONE, put("broker.0.run_step", RunStep.OBJECT_DELETED))
RUN_MARKS_SECOND = both(published(1, DELETE), put("broker.0.run_step", RunStep.DELETE_STARTED))
RUN_PLANS = both(
    put("broker.0.settings.retention_bytes", 5), put("broker.0.run_step", RunStep.PLANNED)
)
LOOKED_UP = both(put("time_lookups", 0), put("index_fetched", 0))
DELETED_FOR_GOOD = both(OBJECT_GONE, published(0, DELETE, DELETED, read_by=(0, 1)))

READ_ONLY = put("tiering", TieringState.READ_ONLY)
DISABLED = both(put("tiering", TieringState.DISABLED), put("settings.remote_storage_enable", False))
NO_TASKS = both(
    put("broker.0.copy_task", CopyTask.NONE),
    put("broker.0.expiration_task", False),
    put("broker.1.follower_task", False),
)
NOT_TIERED = put("broker.0.settings.remote_storage_enable", False)
