"""Each property of a compacted metadata topic holds of a right state, and not of a wrong one.

Made by hand from one in which a segment is copied, and both brokers have read so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tierproof.invariants import metadata_compaction, metadata_growth
from tierproof.model.designs.kip1266 import DESIGN
from tierproof.model.designs.kip1266.keys import value_of
from tierproof.model.designs.kip1266.scenarios import begin, finish, read, start
from tierproof.model.designs.kip1266.state import Kind, Kip1266
from tierproof.model.kafka.compacted_topic import NULL, CleanupPolicy, append
from tierproof.model.language import NONE, Interpreter, Property, PropertyKind

Change = Callable[[Any], None]
SCOPE = Kip1266(offsets=2, leader_epochs=1, segment_ids=2, topic_records=6)
PROPERTIES = {
    name: entry
    for family in (metadata_compaction, metadata_growth)
    for name, entry in vars(family).items()
    if isinstance(entry, Property)
}


def made(*changes: Change) -> Any:
    """Segment 0 is copied, its object exists, everybody knows; then the changes."""
    interpreter = Interpreter(DESIGN, SCOPE)
    state = interpreter.initial_states()[0]
    for step in (begin(), start(), *finish(), *read(1, 2)):
        state = interpreter.take(state, step)
    state = state.copy_for("a test")
    for change in changes:
        change(state)
    return state


def put(path: str, value: int | set[int]) -> Change:
    """Assign to the field at the path, such as broker.1.position."""

    def change(state: Any) -> None:
        *way, last = path.split(".")
        at = state
        for part in way:
            at = at[int(part)] if part.isdigit() else getattr(at, part)
        if last.isdigit():
            at[int(last)] = value
        else:
            setattr(at, last, value)

    return change


def says(place: int, segment: int, kind: int) -> Change:
    """Record `place` says something else."""
    return put(f"metadata.record.{place}.value", value_of(segment, kind))


def appends(key: int, value: int, elected: bool = True) -> Change:
    """Another record lies at the end."""

    def change(state: Any) -> None:
        append(state.metadata, key, value)
        state.was_writer_elected = elected

    return change


def both(*changes: Change) -> Change:
    """One change after the other."""

    def change(state: Any) -> None:
        for each in changes:
            each(state)

    return change


def nothing(state: Any) -> None:
    """As it was made."""


GONE = both(put("segment.0.object_exists", False), put("truth.state.0", 0))
UNKNOWN = put("replayed.state.0", 0)
SECOND = both(
    put("segment.1.copy_term", 0),
    put("segment.1.object_exists", True),
    put("truth.state.1", 2),
)

STATES: list[tuple[str, Change, Change]] = [
    ("compaction_changes_no_cache", nothing, UNKNOWN),
    ("compaction_changes_no_cache", nothing, put("replayed.epoch.0.referenced", set())),
    ("compaction_changes_no_cache", nothing, put("replayed.epoch.0.unreferenced", {0})),
    ("compaction_keeps_highest_offsets", UNKNOWN, put("replayed.epoch.0.highest_offset", NONE)),
    (
        "brokers_that_have_read_all_know_the_truth",
        both(put("broker.1.cache.state.0", 1), put("broker.1.position", 1)),
        put("broker.1.cache.state.0", 1),
    ),
    ("consumers_survive", nothing, put("broker.1.is_consumer_dead", True)),
    ("key_names_one_live_segment", nothing, says(1, 1, Kind.COPY_SEGMENT_STARTED)),
    ("key_names_one_live_segment", both(GONE, says(1, 1, 1)), says(1, 1, 1)),
    ("latest_values_are_self_contained", put("metadata.record.0.key", NONE), nothing),
    ("latest_values_are_self_contained", GONE, nothing),
    (
        "compacted_topic_has_keys_only",
        both(put("metadata.record.0.key", NONE), put("policy", CleanupPolicy.DELETE)),
        put("metadata.record.0.key", NONE),
    ),
    (
        "partition_keys_are_their_own",
        appends(16, value_of(0, Kind.DELETE_PARTITION_STARTED)),
        appends(0, value_of(0, Kind.DELETE_PARTITION_STARTED)),
    ),
    ("compaction_loses_no_object", both(GONE, UNKNOWN), UNKNOWN),
    ("live_segments_stay_known", both(put("expired_end", 1), UNKNOWN), UNKNOWN),
    ("deleted_segments_stay_dead", nothing, GONE),
    ("leader_serves_what_is_within_retention", nothing, put("broker.0.log_start", 1)),
    (
        "leader_serves_what_is_within_retention",
        put("broker.0.local_log_start", 1),
        both(put("broker.0.local_log_start", 1), put("segment.0.object_exists", False)),
    ),
    (
        "leader_serves_what_is_within_retention",
        both(put("broker.0.log_start", 1), put("broker.0.has_begun", False)),
        put("broker.0.log_start", 1),
    ),
    ("bootstrap_ends", nothing, put("broker.1.cache.is_initialized", False)),
    ("deleted_segments_leave_no_record", nothing, GONE),
    ("deleted_segments_leave_no_record", both(GONE, appends(0, NULL)), GONE),
    ("topic_is_as_big_as_the_remote_tier", nothing, put("segment.0.object_exists", False)),
    (
        "topic_is_as_big_as_the_remote_tier",
        appends(24, value_of(0, Kind.HIGHEST_OFFSET)),
        appends(16, value_of(0, Kind.DELETE_PARTITION_FINISHED)),
    ),
    (
        "topic_is_as_big_as_the_remote_tier",
        both(appends(1, value_of(0, 2)), put("leader_epoch", 1)),
        appends(1, value_of(0, 2)),
    ),
    ("topic_is_as_big_as_the_remote_tier", appends(NONE, value_of(0, 2)), appends(8, 2)),
    ("expired_objects_go", nothing, put("expired_end", 1)),
    ("topic_is_compacted", says(0, 0, Kind.COPY_SEGMENT_FINISHED), nothing),
    (
        "segment_is_copied_by_two_leaders",
        both(SECOND, put("segment.1.copy_term", 1)),
        SECOND,
    ),
    ("segment_is_forgotten", appends(0, NULL), nothing),
    ("plan_is_carried_out", UNKNOWN, put("policy", CleanupPolicy.DELETE)),
    ("plan_is_carried_out", UNKNOWN, put("is_new_feature", False)),
    ("topic_was_migrated", nothing, UNKNOWN),
    ("topic_was_migrated", nothing, put("policy", CleanupPolicy.DELETE)),
    ("topic_was_migrated", nothing, put("is_new_feature", False)),
]

KEY, OTHER_KEY = 0, 8
STEPS: list[tuple[str, Change, Change, Change, Change]] = [
    ("tombstone_only_after_deletion", GONE, appends(KEY, NULL), nothing, appends(KEY, NULL)),
    ("tombstone_only_after_deletion", nothing, appends(OTHER_KEY, NULL), nothing, appends(0, NULL)),
    (
        "tombstoned_key_stays_dead",
        nothing,
        appends(KEY, value_of(0, Kind.COPY_SEGMENT_FINISHED)),
        put(f"tombstoned_keys.{KEY}", True),
        appends(KEY, value_of(0, Kind.COPY_SEGMENT_FINISHED)),
    ),
    (
        "tombstoned_key_stays_dead",
        nothing,
        both(appends(KEY, value_of(0, Kind.COPY_SEGMENT_FINISHED)), appends(OTHER_KEY, 1)),
        put(f"tombstoned_keys.{KEY}", True),
        both(appends(KEY, value_of(0, Kind.COPY_SEGMENT_FINISHED)), appends(OTHER_KEY, 1)),
    ),
    (
        "only_the_leader_writes_tombstones",
        nothing,
        appends(KEY, NULL),
        nothing,
        appends(KEY, NULL, elected=False),
    ),
    (
        "deletion_is_told_first",
        put("truth.state.0", 3),
        put("segment.0.object_exists", False),
        nothing,
        put("segment.0.object_exists", False),
    ),
    (
        "deletion_is_told_first",
        put("segment.1.copy_term", 0),
        put("segment.1.object_exists", True),
        nothing,
        put("segment.1.object_exists", True),
    ),
]


def answer(name: str, *states: Any) -> bool:
    """What the property says of a state, or of a step."""
    entry = PROPERTIES[name]
    return entry(*states, *([SCOPE] if entry.arguments else []))


@pytest.mark.parametrize(("name", "right", "wrong"), STATES)
def test_a_state_that_is_right_and_one_that_is_wrong(
    name: str, right: Change, wrong: Change
) -> None:
    assert answer(name, made(right))
    assert not answer(name, made(wrong))


@pytest.mark.parametrize(("name", "before", "right", "wrong_before", "wrong"), STEPS)
def test_a_step_that_is_right_and_one_that_is_wrong(
    name: str, before: Change, right: Change, wrong_before: Change, wrong: Change
) -> None:
    assert answer(name, made(before), made(before, right))
    assert not answer(name, made(wrong_before), made(wrong_before, wrong))


ANOTHER_KEY = appends(1, value_of(0, Kind.COPY_SEGMENT_FINISHED))


@pytest.mark.parametrize(
    ("repair", "name", "change", "holds"),
    [
        ("repair_self_contained_values", "latest_values_are_self_contained", nothing, True),
        ("repair_uuid_in_key", "latest_values_are_self_contained", nothing, False),
        ("repair_uuid_in_key", "topic_is_as_big_as_the_remote_tier", ANOTHER_KEY, False),
        (
            "pull_request_uuid_and_state_in_key",
            "topic_is_as_big_as_the_remote_tier",
            ANOTHER_KEY,
            True,
        ),
    ],
)
def test_a_repair_defines_what_a_property_asks(
    repair: str, name: str, change: Change, holds: bool
) -> None:
    (claim,) = [one for one in DESIGN.with_variant(repair).checked if one.name == name]
    assert claim(made(change)) == holds


@pytest.mark.parametrize("name", [n for n, entry in PROPERTIES.items() if entry.premise])
def test_a_premise_awaits_what_the_goal_lacks(name: str) -> None:
    premise = PROPERTIES[name].premise
    wrong = next(row[2] for row in STATES if row[0] == name)
    assert premise is not None
    assert premise(made(wrong))
    assert not premise(made())


def test_every_property_is_tried() -> None:
    assert {row[0] for row in (*STATES, *STEPS)} == set(PROPERTIES)
    assert all(PROPERTIES[row[0]].kind is PropertyKind.STEP for row in STEPS)
