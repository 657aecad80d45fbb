"""Each property of a compacted, tiered topic holds of a right state, and not of a wrong one.

Made by hand from how a scope begins: three records, a segment each, that broker 0 leads, both
brokers have locally, and the remote tier has too.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.invariants.changes import both, put
from tests.invariants.compacted_states import (
    SCOPE,
    begins_at_0,
    claim,
    cleaned,
    gone_locally,
    gone_remotely,
    local_from,
    made,
    says,
    serving,
)
from tests.invariants.states import Change, nothing
from tierproof.invariants import tiered_cleaning, tiered_compaction
from tierproof.model.designs.kip405.state import RecordKind
from tierproof.model.designs.kip1272.written_records import (
    ABORTED,
    DELETED,
    DELETED_IN_TRANSACTION,
    UPDATED,
)
from tierproof.model.kafka.segment_versions import Kept
from tierproof.model.language import NONE, Property, PropertyKind, Step

PROPERTIES = {
    name: entry
    for family in (tiered_compaction, tiered_cleaning)
    for name, entry in vars(family).items()
    if isinstance(entry, Property)
}
STAMPED = put("broker.0.records.2.kept", Kept.STAMPED)

OPEN = both(
    put("broker.0.log_end_offset", 4),
    put("broker.0.high_watermark", 4),
    put("broker.0.records.3.kept", Kept.KEPT),
    put("broker.0.records.3.key", 0),
    put("broker.0.records.3.is_transactional", True),
    put("committed.3.epoch", 0),
    put("committed.3.key", 0),
    put("committed.3.is_transactional", True),
)
DECIDED = put("broker.0.records.3.is_transactional", False)

STATES: list[tuple[str, int, Change, Change]] = [
    # name, history, it holds, it is violated
    ("no_deleted_key_comes_back", DELETED, gone_locally(0, 0, 1), gone_locally(0, 1)),
    (
        "no_deleted_key_comes_back",
        DELETED,
        both(local_from(0, 2), gone_remotely(0, 1)),
        both(local_from(0, 2), gone_remotely(1)),
    ),
    (
        "no_deleted_key_comes_back",
        DELETED,
        both(gone_locally(0, 1), put("broker.0.log_start_offset", 1)),
        gone_locally(0, 1),
    ),
    ("no_deleted_key_comes_back", DELETED_IN_TRANSACTION, nothing, gone_locally(0, 1)),
    ("no_deleted_key_comes_back", DELETED, OPEN, both(OPEN, DECIDED)),
    ("latest_values_are_read", DELETED, gone_locally(0, 0, 1), gone_locally(0, 2)),
    (
        "latest_values_are_read",
        DELETED,
        both(gone_locally(0, 2), put("legal_end", 3)),
        gone_locally(0, 2),
    ),
    ("latest_values_are_read", ABORTED, gone_locally(0, 1, 2), gone_locally(0, 0)),
    ("reads_bring_only_what_was_written", DELETED, gone_locally(0, 0), put("committed.0.key", 1)),
    (
        "reads_bring_only_what_was_written",
        DELETED,
        put("broker.1.records.0.key", 1),
        put("broker.0.records.0.key", 1),
    ),
    (
        "reads_bring_only_what_was_written",
        ABORTED,
        both(STAMPED, gone_locally(0, 1)),
        STAMPED,
    ),
    (
        "cleaned_keys_are_unique",
        UPDATED,
        both(put("broker.0.cleaner_offset", 2), gone_locally(0, 0)),
        put("broker.0.cleaner_offset", 2),
    ),
    (
        "cleaned_keys_are_unique",
        UPDATED,
        both(put("broker.0.cleaner_offset", 2), put("broker.0.is_cleaner_behind", True)),
        put("broker.0.cleaner_offset", 2),
    ),
    (
        "cleaner_offset_is_remote",
        UPDATED,
        put("broker.0.cleaner_offset", 2),
        both(put("broker.0.cleaner_offset", 2), put("broker.0.cache.state.1", 1)),
    ),
    (
        "cleaner_offset_is_remote",
        DELETED_IN_TRANSACTION,
        both(put("broker.0.cleaner_offset", 1), put("broker.0.high_watermark", 2)),
        both(put("broker.0.cleaner_offset", 2), put("broker.0.high_watermark", 2)),
    ),
    (
        "offset_maps_have_no_aborted_record",
        ABORTED,
        put("broker.1.offset_map.0", 0),
        put("broker.1.offset_map.0", 1),
    ),
    (
        "offset_maps_have_no_aborted_record",
        DELETED_IN_TRANSACTION,
        put("broker.0.offset_map.0", 1),
        both(put("broker.0.offset_map.0", 1), put("committed.2.type", 3)),
    ),
    (
        "markers_outlive_their_records",
        DELETED_IN_TRANSACTION,
        gone_locally(0, 1, 2),
        gone_locally(0, 2),
    ),
    ("object_is_of_one_version", UPDATED, nothing, put("segment.1.is_mixed", True)),
    ("accepted_claims_are_of_leaders", UPDATED, cleaned(1, was_led=True), cleaned(1, False)),
    (
        "accepted_claims_are_of_leaders",
        UPDATED,
        both(
            cleaned(1, was_led=False),
            serving(0),
            put("broker.1.cache.epoch.0.referenced", {0}),
        ),
        both(cleaned(1, was_led=False), serving(0)),
    ),
    (
        "contradicted_claims_serve_no_reads",
        UPDATED,
        both(claim(0, 0, 2), claim(1, 0, 1)),
        both(claim(0, 0, 2), claim(1, 0, 1), claim(1, 1, 2)),
    ),
    (
        "contradicted_claims_serve_no_reads",
        UPDATED,
        both(claim(0, 0, 1), claim(1, 0, 1), claim(1, 1, 2)),
        both(claim(0, 0, 2), claim(1, 0, 1), claim(1, 1, 2)),
    ),
    (
        "cleaner_stays_within_its_disk",
        UPDATED,
        put("broker.0.map_end", 2),
        both(
            put("broker.0.map_end", 2),
            put("broker.0.cleans_remote", True),
            local_from(0, 2),
            put("broker.0.output.0.bytes", 1),
        ),
    ),
]


@pytest.mark.parametrize(("name", "history", "fine", "wrong"), STATES, ids=[r[0] for r in STATES])
def test_a_state_in_which_it_holds_and_one_in_which_it_is_violated(
    name: str, history: int, fine: Change, wrong: Change
) -> None:
    for change, expected in ((fine, True), (wrong, False)):
        state, premise = made(history, change), PROPERTIES[name].premise
        limits = [SCOPE.replace(disk_bytes=2)] if "scope" in PROPERTIES[name].arguments else []
        assert premise is None or premise.function(state)
        assert PROPERTIES[name].function(state, *limits) == expected


SKIPS = Step("cleaner_skips_segment", (("broker", 0),))
RESOLVES = Step("leader_resolves_cleaner_offset", (("broker", 0),))
OTHER = Step("cleaner_cleans_group", (("broker", 0),))
NOT_RESOLVED, RESOLVED = (put("broker.0.is_cleaner_behind", value) for value in (True, False))
WITH_ITS_VALUE = both(put("broker.1.records.0.kept", Kept.KEPT), put("broker.1.records.0.key", 0))


REPLACED = both(cleaned(1, was_led=True), begins_at_0(1), serving(1, 2))

STEPS: list[tuple[str, Change, Change, Change, Step]] = [
    # name, the state before, a step that may be taken, one that may not
    (
        "tombstones_outlive_what_they_delete",
        both(gone_locally(0, 0), gone_locally(1, 0)),
        gone_locally(0, 1),
        both(WITH_ITS_VALUE, gone_locally(0, 1)),
        OTHER,
    ),
    (
        "tombstones_outlive_what_they_delete",
        gone_locally(0, 0),
        both(gone_locally(0, 1), put("in_sync", {0})),
        gone_locally(0, 1),
        OTHER,
    ),
    (
        "tombstones_outlive_what_they_delete",
        nothing,
        both(serving(), local_from(0, 2)),
        both(gone_remotely(1), local_from(0, 2)),
        OTHER,
    ),
    (
        "leaders_claims_are_never_rejected",
        cleaned(0, was_led=True),
        both(cleaned(0, was_led=False), serving(1, 2)),
        serving(1, 2),
        OTHER,
    ),
    (
        "leaders_claims_are_never_rejected",
        cleaned(0, was_led=True),
        REPLACED,
        both(REPLACED, cleaned(1, was_led=False)),
        OTHER,
    ),
    (
        "leaders_claims_are_never_rejected",
        cleaned(0, was_led=True),
        both(serving(1, 2), put("broker.0.cache.state.0", 0)),
        serving(1, 2),
        OTHER,
    ),
    (
        "filters_never_say_a_wrong_no",
        put("broker.0.offset_map.1", 2),
        put("broker.0.group_start", 1),
        put("broker.0.group_start", 3),
        SKIPS,
    ),
    (
        "new_leader_reads_all_claims",
        NOT_RESOLVED,
        RESOLVED,
        both(RESOLVED, says(3, RecordKind.COPY_SEGMENT_STARTED)),
        RESOLVES,
    ),
    (
        "new_leader_reads_all_claims",
        NOT_RESOLVED,
        says(3, RecordKind.COPY_SEGMENT_STARTED),
        both(RESOLVED, says(3, RecordKind.COPY_SEGMENT_STARTED)),
        RESOLVES,
    ),
]


def allows(name: str, before: Any, after: Any, step: Step) -> bool:
    """What a step property says of a step."""
    asks = "step" in PROPERTIES[name].arguments
    return bool(PROPERTIES[name].function(before, after, *([step] if asks else [])))


@pytest.mark.parametrize(
    ("name", "start", "fine", "wrong", "step"), STEPS, ids=[row[0] for row in STEPS]
)
def test_a_step_that_it_allows_and_one_that_violates_it(
    name: str, start: Change, fine: Change, wrong: Change, step: Step
) -> None:
    before = made(DELETED, start)
    assert allows(name, before, made(DELETED, start, fine), step)
    assert not allows(name, before, made(DELETED, start, wrong), step)


@pytest.mark.parametrize("row", [row for row in STEPS if row[4] is not OTHER], ids=lambda r: r[0])
def test_a_property_of_one_action_says_nothing_of_others(row: Any) -> None:
    name, start, _, wrong, _ = row
    assert allows(name, made(DELETED, start), made(DELETED, start, wrong), OTHER)


AWAITED: list[tuple[str, Change, Change]] = [
    # name, the goal is awaited, the goal is reached
    ("dirty_tiered_log_is_cleaned", nothing, put("broker.0.cleaner_offset", 3)),
    (
        "dirty_tiered_log_is_cleaned",
        put("broker.0.cleaner_offset", 2),
        put("is_topic_deleted", True),
    ),
    (
        "replaced_objects_are_deleted",
        serving(1, 2),
        both(serving(1, 2), put("segment.0.object_exists", False)),
    ),
    ("consumer_reaches_the_end", put("consumer_position", 2), put("consumer_position", 3)),
    ("consumer_reaches_the_end", nothing, put("consumer_position", NONE)),
]


@pytest.mark.parametrize(("name", "awaited", "reached"), AWAITED, ids=[row[0] for row in AWAITED])
def test_a_state_that_waits_for_the_goal_and_one_that_is_there(
    name: str, awaited: Change, reached: Change
) -> None:
    entry, premise = PROPERTIES[name], PROPERTIES[name].premise
    limits = [SCOPE] if "scope" in entry.arguments else []
    assert premise is not None
    for change, is_there in ((awaited, False), (reached, True)):
        state = made(DELETED, change)
        assert entry.function(state, *limits) == is_there
        assert premise.function(state, *limits) != is_there


def test_every_property_is_tried_as_what_it_is() -> None:
    tables: tuple[Any, ...] = (STATES, STEPS, AWAITED)
    kinds = (PropertyKind.INVARIANT, PropertyKind.STEP, PropertyKind.LIVENESS)
    for tried, kind in zip([{row[0] for row in table} for table in tables], kinds, strict=True):
        assert tried == {name for name, entry in PROPERTIES.items() if entry.kind is kind}
