"""Each property holds of a state, or a step, and is violated by another that is made by hand."""

from __future__ import annotations

import pytest

from tests.invariants.asking import answer, made
from tests.invariants.changes import (
    DELETE,
    DELETED,
    DELETED_BY_USER,
    DELETED_FOR_GOOD,
    DISABLED,
    EMPTIED,
    KEEPS_NOTHING,
    NO_TASKS,
    NOT_TIERED,
    OBJECT_GONE,
    OTHER_ELECTED,
    READ_ONLY,
    RUN_DELETES,
    SECOND_COPIED,
    SECOND_LEFT,
    SECOND_STORED,
    START,
    both,
    described,
    published,
    put,
    removed,
)
from tests.invariants.states import Change, nothing, partition
from tests.invariants.test_steps import FENCED, STEPS
from tierproof.invariants import (
    FAMILIES,
    PROPERTIES,
    compaction_witnesses,
    disablement,
    log_compaction,
    metadata_compaction,
    metadata_growth,
    producer_idempotence,
    producer_log,
    producer_snapshots,
    producer_witnesses,
    shared_copiers,
    tiered_cleaning,
    tiered_compaction,
)
from tierproof.invariants.vocabulary import is_quiet
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.language import NONE, Property, PropertyKind

ELSEWHERE = {
    name
    for family in (
        disablement,
        log_compaction,
        metadata_compaction,
        metadata_growth,
        producer_log,
        tiered_compaction,
        tiered_cleaning,
        compaction_witnesses,
        producer_idempotence,
        producer_snapshots,
        producer_witnesses,
        shared_copiers,
    )
    for name, entry in vars(family).items()
    if isinstance(entry, Property)
}
"""Tried in a file of the family's own, on states of their own."""


STATES: list[tuple[str, Change, Change]] = [
    # name, it holds, it is violated
    (
        "new_leader_knows_the_log_start",
        both(removed(1, 2), put("broker.0.log_start_offset", 2), OBJECT_GONE),
        both(removed(1, 2), OBJECT_GONE),
    ),
    (
        "no_unreadable_prefix_without_remote",
        both(NOT_TIERED, put("broker.0.log_start_offset", 2)),
        NOT_TIERED,
    ),
    (
        "remote_and_local_parts_are_contiguous",
        nothing,
        put("broker.0.cache.epoch.0.referenced", set()),
    ),
    ("committed_records_stay_readable", nothing, OBJECT_GONE),
    ("informed_leader_serves_committed_records", nothing, OBJECT_GONE),
    ("committed_records_stay_readable", nothing, put("broker.0.local_log_start_offset", 4)),
    (
        "no_committed_record_lost",
        both(DELETED_BY_USER, put("broker.0.log_start_offset", 2)),
        put("broker.0.log_start_offset", 2),
    ),
    ("highest_remote_offset_is_sound", SECOND_COPIED, put("broker.1.highest_remote_offset", 3)),
    ("highest_remote_offset_is_sound", DELETED_BY_USER, put("committed.0.epoch", 1)),
    ("copied_offset_is_sound", DELETED_BY_USER, put("broker.0.copied_offset", 3)),
    ("reads_return_what_was_committed", nothing, put("committed.0.epoch", 1)),
    ("reads_return_what_was_committed", nothing, put("committed.3.epoch", 1)),
    ("lookups_follow_the_lineage", nothing, put("segment.0.start_offset", 1)),
    ("remote_reads_end_with_the_lineage", nothing, put("committed.1.epoch", 1)),
    (
        "in_sync_replicas_have_committed_records",
        both(put("in_sync", {0}), put("broker.1.log_end_offset", 4)),
        put("broker.1.log_end_offset", 4),
    ),
    (
        "in_sync_replicas_have_committed_records",
        nothing,
        put("broker.1.lineage.1", 3),
    ),
    ("high_watermark_covers_committed_records_only", nothing, put("committed.4.epoch", NONE)),
    (
        "logs_agree_below_the_high_watermark",
        both(put("broker.1.lineage.1", 3), put("broker.1.high_watermark", 3)),
        put("broker.1.lineage.1", 3),
    ),
    ("served_segment_has_its_object", both(OBJECT_GONE, published(0, DELETE)), OBJECT_GONE),
    ("every_object_is_tracked", published(0, DELETE), published(0, DELETE, DELETED)),
    ("every_object_is_tracked", nothing, put("broker.1.cache.epoch.0.referenced", set())),
    ("quiet_store_holds_finished_segments_only", nothing, SECOND_LEFT),
    (
        "caches_follow_from_positions",
        both(put("broker.1.cache.epoch.0.highest_offset", 0), put("broker.1.metadata_position", 1)),
        put("broker.1.cache.epoch.0.highest_offset", 0),
    ),
    (
        "cache_answers_only_when_filled",
        put("broker.1.metadata_assigned_end", 2),
        put("broker.1.metadata_assigned_end", 3),
    ),
    (
        "read_only_topic_has_one_retention",
        put("settings.remote_log_copy_disable", True),
        both(put("settings.remote_log_copy_disable", True), put("settings.local_retention_ms", 1)),
    ),
    ("enabled_topic_is_copied_and_expired", nothing, NO_TASKS),
    (
        "read_only_topic_has_no_copy_task",
        both(READ_ONLY, put("broker.0.copy_task", CopyTask.NONE)),
        READ_ONLY,
    ),
    ("read_only_topic_is_readable", READ_ONLY, both(READ_ONLY, OBJECT_GONE)),
    ("disabled_topic_has_no_tasks", both(DISABLED, NO_TASKS), DISABLED),
    ("disabled_topic_leaves_no_objects", both(DISABLED, DELETED_FOR_GOOD), DISABLED),
    ("quiet_topic_holds_finished_segments_only", nothing, SECOND_LEFT),
    (
        "every_replica_can_take_over_without_remote",
        both(DISABLED, put("broker.1.log_start_offset", 2)),
        DISABLED,
    ),
]


@pytest.mark.parametrize(("name", "fine", "wrong"), STATES, ids=[row[0] for row in STATES])
def test_a_state_in_which_it_holds_and_one_in_which_it_is_violated(
    name: str, fine: Change, wrong: Change
) -> None:
    for change, expected in ((fine, True), (wrong, False)):
        state = made(name, change)
        premise = PROPERTIES[name].premise
        assert premise is None or premise.function(state)
        assert answer(name, state) == expected


AWAITED: list[tuple[str, Change, Change]] = [
    # name, the goal is awaited, the goal is reached
    ("rolled_segments_are_copied", nothing, SECOND_COPIED),
    ("expired_objects_are_deleted", DELETED_BY_USER, both(DELETED_BY_USER, OBJECT_GONE)),
    ("expired_local_segments_are_removed", DELETED_BY_USER, both(DELETED_BY_USER, removed(1, 2))),
    ("idle_topic_is_emptied", KEEPS_NOTHING, both(KEEPS_NOTHING, EMPTIED)),
    ("records_become_readable", OBJECT_GONE, nothing),
    ("records_become_readable", OTHER_ELECTED, put("is_topic_deleted", True)),
    ("followers_get_in_sync", put("in_sync", {0}), nothing),
    ("in_sync_replicas_keep_up", put("broker.1.log_end_offset", 4), nothing),
    ("copied_surplus_is_removed", nothing, removed(1, 2)),
    ("disabled_topic_is_emptied", DISABLED, both(DISABLED, OBJECT_GONE)),
    ("read_only_topic_is_emptied", both(READ_ONLY, DELETED_BY_USER), both(READ_ONLY, OBJECT_GONE)),
    ("enabled_topic_is_copied", nothing, SECOND_COPIED),
]


@pytest.mark.parametrize(("name", "awaited", "reached"), AWAITED, ids=[row[0] for row in AWAITED])
def test_a_state_that_waits_for_the_goal_and_one_that_is_there(
    name: str, awaited: Change, reached: Change
) -> None:
    waiting = made(name, awaited)
    premise = PROPERTIES[name].premise
    assert premise is None or premise.function(waiting)
    assert not answer(name, waiting)
    assert answer(name, made(name, reached))


SEEN: list[tuple[str, Change, Change]] = [
    # name, a state that shows it, one that does not
    ("segment_is_read_from_remote", nothing, OBJECT_GONE),
    ("zombie_works_on_a_copy", both(SECOND_STORED, OTHER_ELECTED), SECOND_STORED),
    (
        "zombie_copy_is_published",
        both(described(1, 0), put("segment.1.copier", 0), put("segment.0.copier", 1)),
        both(described(1, 2), put("segment.1.copier", 0), put("segment.0.copier", 1)),
    ),
    ("segment_is_expired", published(0, DELETE, DELETED), published(0, DELETE)),
    ("brokers_know_different_things", put("broker.1.cache.state.0", 0), nothing),
    (
        "topic_is_tiered_again",
        both(described(1, 2), published(1, START, DELETE, DELETED)),
        both(described(1, 2), published(1, START, DELETE)),
    ),
    (
        "segment_is_copied_again",
        both(described(1, 0), published(1, START, DELETE, DELETED)),
        both(described(1, 2), published(1, START, DELETE, DELETED)),
    ),
    (
        "delete_dangles",
        both(NO_TASKS, published(0, DELETE, read_by=(0, 1))),
        both(published(0, DELETE, read_by=(0, 1))),
    ),
    ("disable_deletes_everything", both(DISABLED, DELETED_FOR_GOOD), DISABLED),
]


@pytest.mark.parametrize(("name", "shows", "other"), SEEN, ids=[row[0] for row in SEEN])
def test_a_state_that_a_witness_is_and_one_that_it_is_not(
    name: str, shows: Change, other: Change
) -> None:
    assert answer(name, made(name, shows))
    assert not answer(name, made(name, other))


def test_every_property_is_tried() -> None:
    tried = {row[0] for table in (STATES, STEPS, FENCED, AWAITED, SEEN) for row in table}
    assert tried == set(PROPERTIES) - ELSEWHERE


def test_the_kinds_are_tried_as_what_they_are() -> None:
    for table, kind in (
        (STATES, PropertyKind.INVARIANT),
        (STEPS, PropertyKind.STEP),
        (FENCED, PropertyKind.STEP),
        (AWAITED, PropertyKind.LIVENESS),
        (SEEN, PropertyKind.WITNESS),
    ):
        assert {PROPERTIES[row[0]].kind for row in table} == {kind}


NOT_QUIET: dict[str, Change] = {
    "a thread copies": SECOND_STORED,
    "a run deletes": RUN_DELETES,
    "metadata is not read": published(0, DELETE),
    "a deletion dangles that the expiration task takes up": published(0, DELETE, read_by=(0, 1)),
    "a segment has expired": put("clock", 2),
    "an election is not learned": OTHER_ELECTED,
    "the deletion of the topic is not learned": put("is_topic_deleted", True),
    "a copy task has not begun": put("broker.0.copy_task", CopyTask.SCHEDULED),
}


@pytest.mark.parametrize("why", NOT_QUIET)
def test_something_is_left_to_do(why: str) -> None:
    assert is_quiet(partition())
    assert not is_quiet(partition(NOT_QUIET[why]))


def test_a_name_is_one_property_whatever_its_family():
    """Verdicts, pages and the ledger know a property by its name."""
    found: dict[str, Property] = {}
    for family in FAMILIES:
        for name, entry in vars(family).items():
            if isinstance(entry, Property):
                assert found.setdefault(name, entry) is entry, name
