"""Each property of a compacted partition holds of a right state, and not of a wrong one.

Made by hand from one in which key 0 has a value (offset 0), an aborted transaction wrote it (1),
a committed one deleted it (3), and the segment is rolled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.designs.log_cleaner_steps import ABORT, COMMIT, ROLL, transact, value, walk_of
from tierproof.invariants import log_compaction
from tierproof.model.designs.log_cleaner.state import AHEAD, OVER
from tierproof.model.kafka.keyed_log import BatchKind, remove_batch, remove_record
from tierproof.model.language import NONE, Property, PropertyKind

Change = Callable[[Any], None]
PROPERTIES = {
    name: entry for name, entry in vars(log_compaction).items() if isinstance(entry, Property)
}


def made(*changes: Change) -> Any:
    """The state above, and then the changes."""
    walk = walk_of("deep", log_keys=2)
    walk.take(value(0), transact(0), ABORT, transact(NONE), COMMIT, ROLL)
    state = walk.state.copy_for("a test")
    for change in changes:
        change(state)
    return state


def put(path: str, number: int) -> Change:
    """Assign to the field at the path, such as log.batch.1.horizon."""

    def change(state: Any) -> None:
        *way, last = path.split(".")
        at = state
        for part in way:
            at = at[int(part)] if part.isdigit() else getattr(at, part)
        if last.isdigit():
            at[int(last)] = number
        else:
            setattr(at, last, number)

    return change


def removed(*offsets: int, empties: bool = False) -> Change:
    """The cleaner has removed these records, and their batches, or emptied them."""

    def change(state: Any) -> None:
        for offset in offsets:
            remove_record(state.log.record[offset])
            if not empties:
                remove_batch(state.log.batch[offset])

    return change


def both(*changes: Change) -> Change:
    """One change after the other."""

    def change(state: Any) -> None:
        for each in changes:
            each(state)

    return change


def nothing(state: Any) -> None:
    """As it was made."""


UNDELETED = both(put("committed_value.0", 0), put("log.record.3.value", 0))
IN_PASS = both(put("map.map_latest_offset", 4), put("log.batch.3.horizon", OVER))

STATES: list[tuple[str, Change, Change]] = [
    # name, it holds, it is violated
    ("deleted_keys_stay_deleted", removed(0, 3), removed(3)),
    ("deleted_keys_stay_deleted", nothing, put("log.record.3.value", 0)),
    ("deleted_keys_stay_deleted", put("committed_value.0", 0), put("log.record.3.key", 1)),
    ("readers_see_the_last_value", UNDELETED, both(UNDELETED, removed(3))),
    ("readers_see_the_last_value", removed(3), both(UNDELETED, put("log.record.3.key", 1))),
    ("aborted_records_are_not_read", nothing, put("log.batch.2.has_index_entry", False)),
    ("aborted_records_are_not_read", removed(1), both(removed(2))),
    (
        "aborted_records_are_not_mapped",
        put("map.mapped_offset.0", 3),
        put("map.mapped_offset.0", 1),
    ),
    ("cleaned_keys_have_one_record", put("checkpoint", 3), put("checkpoint", 5)),
    (
        "cleaned_keys_have_one_record",
        both(removed(0), put("checkpoint", 5)),
        both(removed(1, 2), put("checkpoint", 5)),
    ),
    (
        "checkpoint_is_stable",
        put("checkpoint", 5),
        both(put("log.high_watermark", 4), put("checkpoint", 5)),
    ),
    (
        "checkpoint_is_stable",
        put("map.map_latest_offset", 4),
        both(put("log.high_watermark", 4), put("map.map_latest_offset", 4)),
    ),
    ("markers_stay_with_their_records", removed(1, 2), removed(2)),
    ("markers_stay_with_their_records", removed(3, 4), removed(4)),
    (
        "markers_stay_with_their_records",
        nothing,
        put("log.batch.4.kind", int(BatchKind.ABORT)),
    ),
    ("dirty_log_is_cleaned", put("checkpoint", 5), put("checkpoint", 4)),
    ("checkpoint_lies_inside_a_segment", put("checkpoint", 3), put("checkpoint", 5)),
    (
        "one_of_several_groups_is_cleaned",
        both(put("map.map_latest_offset", 4), put("next_base", 2)),
        both(put("map.map_latest_offset", 4), put("next_base", 5)),
    ),
    ("tombstone_is_removed", removed(0, 1, 3), removed(0, 1)),
    ("marker_is_stamped", put("log.batch.4.horizon", OVER), put("log.batch.3.horizon", OVER)),
    ("empty_batch_is_retained", removed(3, empties=True), removed(3)),
]

PASSED = put("next_base", 5)
STEPS: list[tuple[str, tuple[Change, Change], tuple[Change, Change]]] = [
    # name, before and after: it holds; before and after: it is violated
    ("records_never_change", (nothing, removed(0)), (removed(0), nothing)),
    ("records_never_change", (nothing, nothing), (nothing, put("log.record.0.key", 1))),
    ("records_never_change", (nothing, nothing), (nothing, put("log.record.0.value", NONE))),
    (
        "expired_tombstones_are_removed",
        (IN_PASS, both(IN_PASS, removed(3), PASSED)),
        (IN_PASS, both(IN_PASS, PASSED)),
    ),
    (
        "expired_tombstones_are_removed",
        (both(IN_PASS, put("log.batch.3.horizon", AHEAD)), PASSED),
        (IN_PASS, PASSED),
    ),
    (
        "expired_tombstones_are_removed",
        (both(IN_PASS, put("map.map_latest_offset", 2)), PASSED),
        (both(IN_PASS, put("map.map_latest_offset", 3)), PASSED),
    ),
    ("expired_tombstones_are_removed", (IN_PASS, IN_PASS), (IN_PASS, PASSED)),
]


@pytest.mark.parametrize(("name", "right", "wrong"), STATES)
def test_a_state_that_is_right_and_one_that_is_wrong(
    name: str, right: Change, wrong: Change
) -> None:
    assert PROPERTIES[name](made(right))
    assert not PROPERTIES[name](made(wrong))


@pytest.mark.parametrize(("name", "right", "wrong"), STEPS)
def test_a_step_that_is_right_and_one_that_is_wrong(
    name: str, right: tuple[Change, Change], wrong: tuple[Change, Change]
) -> None:
    assert PROPERTIES[name](*(made(change) for change in right))
    assert not PROPERTIES[name](*(made(change) for change in wrong))


@pytest.mark.parametrize("name", [n for n, entry in PROPERTIES.items() if entry.premise])
def test_a_premise_is_true_of_what_the_property_is_about(name: str) -> None:
    premise = PROPERTIES[name].premise
    wrong = next(row[2] for row in STATES if row[0] == name)
    assert premise is not None
    assert premise(made(wrong))


def test_a_reader_stops_at_an_open_transaction() -> None:
    walk = walk_of("deep", log_keys=2)
    walk.take(value(0), transact(NONE), value(NONE))
    assert walk.violated() == set()
    assert walk.state.committed_offset[0] == 0


def test_every_property_is_tried() -> None:
    assert {row[0] for row in (*STATES, *STEPS)} == set(PROPERTIES)
    assert {PROPERTIES[row[0]].kind for row in STEPS} == {PropertyKind.STEP}
