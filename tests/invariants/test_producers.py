"""Each property of producers and their snapshots holds of a right state, and not of a wrong one.

Made by hand from two producers that wrote two batches each, in turn, in two segments; both
brokers have all, the first segment is copied with its snapshot.
"""

from __future__ import annotations

import pytest

from tests.invariants.changes import both, put
from tests.invariants.produced_states import (
    AFTER_FOUR,
    AFTER_TWO,
    SCOPE,
    committed,
    copies,
    forgets,
    has_no_snapshot,
    has_snapshot,
    knows,
    made,
    starts_at,
    stored,
    wrote,
)
from tests.invariants.states import Change, nothing
from tierproof.invariants import producer_idempotence, producer_snapshots
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.producer_state import SnapshotFile
from tierproof.model.language import NONE, Property, PropertyKind, Step

PROPERTIES = {
    name: entry
    for family in (producer_idempotence, producer_snapshots)
    for name, entry in vars(family).items()
    if isinstance(entry, Property)
}
EXPIRING = SCOPE.replace(expiration_ms=10)
LATER = put("clock", 9), put("clock", 10)
TRUNCATED = both(put("broker.0.log_end_offset", 3), put("broker.0.high_watermark", 3))
TAKEN_BACK = both(put("committed.3.epoch", NONE), put("committed.3.is_noted", False))
END = put("broker.0.log_end_offset", 5)
ABORTED = committed(4, 0, NONE, epoch=1, kind=BatchKind.ABORT)


STATES: list[tuple[str, Change, Change]] = [
    # name, it holds, it is violated
    ("each_batch_is_committed_once", nothing, committed(4, 0, 1)),
    ("each_batch_is_committed_once", committed(4, 0, 1, epoch=1), committed(4, 0, 1)),
    ("each_batch_is_committed_once", committed(4, NONE, NONE), committed(4, 1, 0)),
    ("each_batch_is_committed_once", ABORTED, both(starts_at(4), committed(4, 1, 0))),
    (
        "each_batch_is_committed_once",
        both(committed(4, 0, 1), put("committed.4.epoch", NONE)),
        committed(4, 0, 1),
    ),
    ("committed_sequences_have_no_gap", committed(4, 0, 2), committed(4, 0, 3)),
    ("committed_sequences_have_no_gap", committed(4, 0, 0, epoch=1), committed(4, 0, 2, epoch=1)),
    ("committed_sequences_have_no_gap", committed(4, 0, 1), committed(0, 0, 3)),
    (
        "committed_producer_epochs_never_decrease",
        committed(4, 0, 0, epoch=1),
        both(committed(4, 0, 0, epoch=1), committed(5, 0, 2)),
    ),
    ("committed_producer_epochs_never_decrease", ABORTED, both(ABORTED, committed(5, 0, 2))),
    (
        "committed_producer_epochs_never_decrease",
        both(ABORTED, committed(5, 1, 2)),
        both(ABORTED, committed(5, 0, 2)),
    ),
    ("acknowledged_batches_are_committed", nothing, TAKEN_BACK),
    (
        "acknowledged_batches_are_committed",
        put("client.0.sent_end", 3),
        put("client.0.acknowledged_end", 3),
    ),
    (
        "acknowledged_batches_are_committed",
        both(put("client.0.epoch", 1), put("client.0.acknowledged_end", 0)),
        put("client.0.epoch", 1),
    ),
    ("leader_knows_every_producer", nothing, forgets(0, 1)),
    ("leader_knows_every_producer", forgets(1, 1), knows(0, 1, 0, 0)),
    ("leader_knows_every_producer", starts_at(3), both(forgets(0, 0), starts_at(3))),
    ("leader_knows_every_producer", knows(0, 0, 1, 0), both(ABORTED, END)),
    ("leader_knows_every_producer", both(ABORTED, END, knows(0, 0, 1)), both(ABORTED, END)),
    (
        "leader_knows_every_producer",
        both(forgets(0, 0), LATER[1]),
        both(forgets(0, 0), LATER[0]),
    ),
    ("leader_accepts_the_next_batch", forgets(0, 0), knows(0, 0, 0, 0)),
    ("leader_accepts_the_next_batch", nothing, knows(0, 0, 0)),
    ("leader_accepts_the_next_batch", knows(0, 0, 1), knows(0, 0, 0, 2)),
    (
        "leader_accepts_the_next_batch",
        both(knows(0, 0, 0), put("client.0.sent_end", 3)),
        knows(0, 0, 0),
    ),
    (
        "leader_accepts_the_next_batch",
        both(put("client.0.epoch", 1), put("client.0.sent_end", 0)),
        both(
            put("client.0.epoch", 1),
            committed(4, 0, 0, 1),
            committed(5, 0, 1, 1),
        ),
    ),
    ("leader_accepts_the_next_batch", both(knows(0, 0, 0), LATER[1]), knows(0, 0, 0)),
    ("replicas_of_equal_logs_know_the_same_producers", nothing, forgets(1, 0)),
    ("replicas_of_equal_logs_know_the_same_producers", knows(1, 0, 0, 1), knows(1, 0, 0, 0)),
    (
        "replicas_of_equal_logs_know_the_same_producers",
        starts_at(4),
        both(forgets(1, 0), starts_at(4)),
    ),
    (
        "replicas_of_equal_logs_know_the_same_producers",
        both(forgets(1, 0), put("broker.1.log_end_offset", 3)),
        forgets(1, 0),
    ),
    (
        "replicas_of_equal_logs_know_the_same_producers",
        both(forgets(1, 0), put("broker.1.lineage.1", 3)),
        forgets(1, 0),
    ),
    (
        "replicas_of_equal_logs_know_the_same_producers",
        both(forgets(1, 0), put("broker.1.presumed_leader", NONE)),
        knows(0, 0, 1),
    ),
    (
        "replicas_of_equal_logs_know_the_same_producers",
        both(forgets(1, 0), LATER[1]),
        both(forgets(1, 0), LATER[0]),
    ),
    (
        "replicas_of_equal_logs_know_the_same_producers",
        both(forgets(1, 0), put("is_topic_deleted", True)),
        forgets(1, 0),
    ),
    ("copied_snapshots_are_right", nothing, stored(0, {})),
    ("copied_snapshots_are_right", nothing, stored(0, {0: (0, 0)})),
    ("copied_snapshots_are_right", nothing, stored(0, AFTER_FOUR)),
    ("copied_snapshots_are_right", starts_at(2), both(stored(0, {}), starts_at(2))),
    ("copied_snapshots_are_right", nothing, stored(0, {0: (1, 0), 1: (0, 0)})),
    (
        "copied_snapshots_are_right",
        both(stored(0, {}), put("segment.0.object_exists", False)),
        stored(0, {}),
    ),
    (
        "copied_snapshots_are_right",
        both(stored(0, {}), put("segment.0.has_snapshot", False)),
        stored(0, {}),
    ),
    ("copied_snapshots_are_right", both(stored(0, {}), LATER[1]), both(stored(0, {}), LATER[0])),
    (
        "copied_snapshots_are_right",
        both(stored(0, AFTER_TWO), LATER[1]),
        both(stored(0, AFTER_FOUR), LATER[1]),
    ),
    (
        "copied_snapshots_are_right",
        both(stored(0, {}), put("committed.1.epoch", 1)),
        stored(0, {}),
    ),
    (
        "copied_snapshots_are_right",
        both(committed(0, 1, 0), committed(1, 1, 1), stored(0, {1: (0, 1)})),
        both(committed(0, 1, 0), committed(1, 1, 1), stored(0, {0: (0, 0), 1: (0, 1)})),
    ),
    (
        "copied_snapshots_are_right",
        both(committed(1, 0, NONE, 1, BatchKind.ABORT), stored(0, {0: (1, NONE)})),
        both(committed(1, 0, NONE, 1, BatchKind.ABORT), stored(0, {0: (1, 0)})),
    ),
    ("local_snapshots_are_right", nothing, has_snapshot(1, 2, {})),
    ("local_snapshots_are_right", has_no_snapshot(1, 2), has_snapshot(1, 3, AFTER_TWO)),
    ("local_snapshots_are_right", has_snapshot(1, 4, AFTER_FOUR), has_snapshot(1, 4, AFTER_TWO)),
    (
        "local_snapshots_are_right",
        both(has_snapshot(1, 2, {}), put("broker.1.lineage.1", 1)),
        both(has_snapshot(1, 2, {}), put("broker.1.lineage.1", 2)),
    ),
    ("every_object_has_its_snapshot", nothing, put("segment.0.has_snapshot", False)),
    (
        "every_object_has_its_snapshot",
        both(put("segment.0.has_snapshot", False), put("segment.0.object_exists", False)),
        put("segment.0.has_snapshot", False),
    ),
]


@pytest.mark.parametrize(("name", "fine", "wrong"), STATES, ids=[row[0] for row in STATES])
def test_a_state_in_which_it_holds_and_one_in_which_it_is_violated(
    name: str, fine: Change, wrong: Change
) -> None:
    limits = [EXPIRING] if "scope" in PROPERTIES[name].arguments else []
    for change, expected in ((fine, True), (wrong, False)):
        state, premise = made(change), PROPERTIES[name].premise
        assert premise is None or premise.function(state)
        assert PROPERTIES[name].function(state, *limits) == expected


# -- steps

COPIES = copies(1, 0, 0)
MAKES = Step("copy_makes_snapshot", (("segment", 1),))
PUBLISHES = Step("copy_publishes_started", (("segment", 1),))
OTHER = Step("copy_stores_object", (("segment", 1),))
ONLY_COPIED = put("segment.1.is_snapshot_made", True)
EMPTY = has_snapshot(0, 2, {})
UNREGISTERED = has_snapshot(0, 2, {}, is_registered=False)
ONE_IS_OLDER = both(
    COPIES,
    has_no_snapshot(0, 2),
    wrote(2, 1, 1),
    wrote(3, 1, 2),
    knows(0, 0, 0, 0),
    knows(0, 1, 0, 0, 1, 2),
)
"""Of the two segments one producer has only written the first, which is old."""
AT_THE_END = has_snapshot(0, 4, {0: (0, 0), 1: (0, 2)})
ROLLED = both(put("broker.0.starts_segment.4", True), AT_THE_END)

STEPS: list[tuple[str, Change, Change, Change, Step]] = [
    # name, the state before, a step that may be taken, one that may not
    ("making_a_snapshot_changes_no_recovery", ONE_IS_OLDER, ONLY_COPIED, EMPTY, MAKES),
    ("making_a_snapshot_changes_no_recovery", ONE_IS_OLDER, ONLY_COPIED, UNREGISTERED, MAKES),
    (
        "making_a_snapshot_changes_no_recovery",
        ONE_IS_OLDER,
        has_snapshot(0, 2, AFTER_TWO),
        has_snapshot(0, 2, {0: (1, 0), 1: (0, 0)}),
        MAKES,
    ),
    (
        "making_a_snapshot_changes_no_recovery",
        both(ONE_IS_OLDER, ROLLED),
        EMPTY,
        both(EMPTY, has_no_snapshot(0, 4)),
        MAKES,
    ),
    (
        "making_a_snapshot_changes_no_recovery",
        both(ONE_IS_OLDER, ROLLED, put("broker.0.high_watermark", 3)),
        has_snapshot(0, 2, AFTER_TWO),
        EMPTY,
        MAKES,
    ),
    (
        "making_a_snapshot_changes_no_recovery",
        both(ONE_IS_OLDER, AT_THE_END),
        ONLY_COPIED,
        has_snapshot(0, 4, {}),
        MAKES,
    ),
    (
        "making_a_snapshot_changes_no_recovery",
        both(ONE_IS_OLDER, put("broker.0.producer_map_end", 0)),
        ONLY_COPIED,
        has_snapshot(0, 2, AFTER_TWO),
        MAKES,
    ),
]


@pytest.mark.parametrize(
    ("name", "start", "fine", "wrong", "step"), STEPS, ids=[row[0] for row in STEPS]
)
def test_a_step_that_it_allows_and_one_that_violates_it(
    name: str, start: Change, fine: Change, wrong: Change, step: Step
) -> None:
    before, allows = made(start), PROPERTIES[name].function
    assert allows(before, made(start, fine), step)
    assert not allows(before, made(start, wrong), step)
    assert allows(before, made(start, wrong), OTHER)


INPUTS_EXIST = "inputs_exist_before_copy_is_published"
INPUTS: dict[str, tuple[Change, bool]] = {
    "the snapshot is there": (nothing, True),
    "the snapshot is made for the copy": (both(has_no_snapshot(0, 2), ONLY_COPIED), True),
    "there is none": (has_no_snapshot(0, 2), False),
    "another broker has it": (both(has_no_snapshot(0, 2), has_snapshot(1, 2, AFTER_TWO)), False),
    "the manager does not know the file": (UNREGISTERED, False),
    "the file is gone": (put("broker.0.snapshot.2.file", SnapshotFile.ABSENT), False),
    "the file is corrupt": (put("broker.0.snapshot.2.file", SnapshotFile.CORRUPT), False),
    "it is of another offset": (
        both(has_no_snapshot(0, 2), has_snapshot(0, 4, AFTER_FOUR)),
        False,
    ),
}


@pytest.mark.parametrize("why", INPUTS)
def test_a_copy_is_published_once_its_snapshot_exists(why: str) -> None:
    change, expected = INPUTS[why]
    allows = PROPERTIES[INPUTS_EXIST].function
    before = made(COPIES, change)
    assert allows(before, made(COPIES, change), PUBLISHES) == expected
    assert allows(before, made(COPIES, change), OTHER)


def test_every_property_is_tried_as_what_it_is() -> None:
    for tried, kind in (
        ({row[0] for row in STATES}, PropertyKind.INVARIANT),
        ({row[0] for row in STEPS} | {INPUTS_EXIST}, PropertyKind.STEP),
    ):
        assert tried == {name for name, entry in PROPERTIES.items() if entry.kind is kind}
