"""Each step property allows a step, and is violated by another that is made by hand."""

from __future__ import annotations

import pytest

from tests.invariants.asking import OTHER_STEP, answer, made
from tests.invariants.changes import (
    DELETE,
    DELETED_BY_USER,
    DELETED_EVERYWHERE,
    DISABLED,
    FINISH,
    FIRST_COPIED_TWICE,
    LOOKED_UP,
    OBJECT_GONE,
    OTHER_ELECTED,
    READ_ONLY,
    RUN_DELETES,
    RUN_DELETES_UNTOLD,
    RUN_MARKS,
    RUN_MARKS_SECOND,
    RUN_PLANS,
    SECOND_CLEANED_UP,
    SECOND_COPIED,
    SECOND_FAILED,
    SECOND_FINISHED,
    SECOND_STORED,
    START,
    both,
    described,
    published,
    put,
    removed,
)
from tests.invariants.states import Change, nothing, partition
from tierproof.model.designs.kip405.state import RunStep
from tierproof.model.language import Step

PLANNED = put("broker.0.run_step", RunStep.PLANNED)
STEPS: list[tuple[str, Change, Change, Change]] = [
    # name, the state before, a step that may be taken, one that may not
    (
        "log_start_never_moves_back",
        put("broker.1.log_start_offset", 2),
        put("broker.1.log_start_offset", 3),
        put("broker.1.log_start_offset", 1),
    ),
    (
        "log_start_never_moves_back",
        put("broker.1.local_log_start_offset", 2),
        put("broker.1.local_log_start_offset", 0),
        put("broker.0.local_log_start_offset", 1),
    ),
    (
        "acknowledged_deletions_are_remembered",
        DELETED_EVERYWHERE,
        put("broker.1.log_start_offset", 0),
        put("broker.0.log_start_offset", 0),
    ),
    (
        "log_start_passes_only_what_may_go",
        DELETED_BY_USER,
        put("broker.0.log_start_offset", 2),
        put("broker.0.log_start_offset", 3),
    ),
    (
        "log_start_passes_only_what_may_go",
        put("clock", 2),
        put("broker.1.log_start_offset", 2),
        put("broker.1.log_start_offset", 3),
    ),
    (
        "object_deleted_only_when_not_needed",
        nothing,
        both(DELETED_BY_USER, OBJECT_GONE),
        OBJECT_GONE,
    ),
    (
        "object_deleted_only_when_not_needed",
        FIRST_COPIED_TWICE,
        OBJECT_GONE,
        both(OBJECT_GONE, put("segment.1.object_exists", False)),
    ),
    (
        "object_deleted_only_when_not_needed",
        SECOND_COPIED,
        put("segment.1.object_exists", False),
        both(removed(0, 4), put("segment.1.object_exists", False)),
    ),
    ("local_segment_removed_only_once_copied", nothing, removed(1, 2), removed(0, 4)),
    (
        "local_segment_removed_only_once_copied",
        SECOND_COPIED,
        removed(0, 4),
        both(put("committed.3.epoch", 1), removed(0, 4)),
    ),
    ("time_lookup_finds_its_index", nothing, LOOKED_UP, both(LOOKED_UP, OBJECT_GONE)),
    (
        "time_lookup_finds_its_index",
        both(OBJECT_GONE, published(0, DELETE)),
        LOOKED_UP,
        both(LOOKED_UP, published(0, read_by=(0,))),
    ),
    (
        "metadata_comes_before_objects",
        both(described(1, 2), published(1, START)),
        put("segment.1.object_exists", True),
        put("segment.2.object_exists", True),
    ),
    (
        "metadata_comes_before_objects",
        both(SECOND_COPIED, published(0, DELETE)),
        OBJECT_GONE,
        put("segment.1.object_exists", False),
    ),
    ("metadata_records_are_legal_transitions", nothing, published(0, DELETE), published(0, FINISH)),
    (
        "metadata_records_are_legal_transitions",
        published(0, DELETE),
        published(0, DELETE),
        published(0, FINISH),
    ),
    ("metadata_records_are_legal_transitions", nothing, published(1, START), published(1, DELETE)),
    ("id_is_used_for_one_attempt", nothing, described(1, 2), put("segment.0.end_offset", 3)),
    ("id_is_used_for_one_attempt", nothing, published(1, START), published(0, START)),
    ("id_is_used_for_one_attempt", OBJECT_GONE, nothing, put("segment.0.object_exists", True)),
    (
        "retention_counts_each_offset_once",
        nothing,
        RUN_PLANS,
        both(FIRST_COPIED_TWICE, RUN_PLANS),
    ),
    (
        "run_deletes_what_exceeds_the_limit",
        put("broker.0.settings.retention_bytes", 3),
        both(PLANNED, put("broker.0.planned.0", 0), put("broker.0.planned_end", 1)),
        PLANNED,
    ),
    (
        "disabling_decides_on_remote_data",
        nothing,
        both(DISABLED, put("settings.remote_log_delete_on_disable", True)),
        DISABLED,
    ),
    ("read_only_topic_copies_nothing_new", READ_ONLY, published(0, DELETE), published(1, START)),
    ("disabled_topic_copies_nothing_new", DISABLED, published(0, DELETE), published(1, START)),
    (
        "cancelled_copy_never_finishes",
        both(SECOND_STORED, put("segment.1.is_cancelled", True)),
        published(1, DELETE),
        published(1, FINISH),
    ),
]


PLANS = Step("expiration_task_plans_retention", (("broker", 0),))
TAKEN = {
    "retention_counts_each_offset_once": PLANS,
    "run_deletes_what_exceeds_the_limit": PLANS,
    "time_lookup_finds_its_index": Step(
        "consumer_looks_up_time", (("broker", 0), ("timestamp", 0))
    ),
}
"""The steps that these properties ask for."""


@pytest.mark.parametrize(("name", "start", "fine", "wrong"), STEPS, ids=[row[0] for row in STEPS])
def test_a_step_that_it_allows_and_one_that_violates_it(
    name: str, start: Change, fine: Change, wrong: Change
) -> None:
    before, step = made(name, start), TAKEN.get(name, OTHER_STEP)
    assert answer(name, before, before)
    assert answer(name, before, made(name, start, fine), step=step)
    assert not answer(name, before, made(name, start, wrong), step=step)


@pytest.mark.parametrize("name", TAKEN)
def test_a_property_of_one_action_says_nothing_of_others(name: str) -> None:
    for _, start, _, wrong in [row for row in STEPS if row[0] == name]:
        assert answer(name, made(name, start), made(name, start, wrong))


@pytest.mark.parametrize(
    "action",
    [
        "broker_restarts",
        "lone_leader_restarts",
        "broker_loses_disk",
    ],
)
def test_a_log_start_may_move_back_where_the_log_is_loaded_or_made_anew(action: str) -> None:
    before = partition(put("broker.1.log_start_offset", 2))
    after = partition(put("broker.1.log_start_offset", 1))
    step = Step(action, (("broker", 1),))
    assert answer("log_start_never_moves_back", before, after, step=step)


COPY_FINISHES = Step("copy_publishes_finished", (("segment", 1),))
RUN_STARTS_DELETION = Step("expiration_publishes_delete_started", (("broker", 0),))
RUN_DELETES_OBJECT = Step("expiration_deletes_object", (("broker", 0),))
REMOVAL_STARTS_DELETION = Step("removal_publishes_delete_started", (("broker", 0), ("segment", 1)))
COPY_STARTS_DELETION = Step("copy_publishes_delete_started", (("segment", 1),))

FENCED: list[tuple[str, Change, Change, Step]] = [
    # name, the state before, what its leader may do and a zombie may not
    ("only_the_leader_publishes_copies", SECOND_STORED, SECOND_FINISHED, COPY_FINISHES),
    ("only_the_leader_deletes", RUN_DELETES, RUN_MARKS, RUN_STARTS_DELETION),
    ("only_the_leader_deletes", RUN_DELETES, RUN_DELETES_UNTOLD, RUN_DELETES_OBJECT),
    (
        "only_the_leader_deletes",
        both(SECOND_STORED, RUN_DELETES),
        RUN_MARKS_SECOND,
        RUN_STARTS_DELETION,
    ),
    ("only_the_leader_deletes", SECOND_COPIED, RUN_MARKS_SECOND, REMOVAL_STARTS_DELETION),
    (
        "only_the_leader_deletes",
        both(SECOND_COPIED, put("segment.1.copier", 0)),
        SECOND_CLEANED_UP,
        COPY_STARTS_DELETION,
    ),
]


@pytest.mark.parametrize(
    ("name", "start", "change", "step"), FENCED, ids=[row[0] for row in FENCED]
)
def test_a_step_of_the_leader_and_the_same_of_a_zombie(
    name: str, start: Change, change: Change, step: Step
) -> None:
    for leadership, expected in ((nothing, True), (OTHER_ELECTED, False)):
        before = made(name, start, leadership)
        after = made(name, start, leadership, change)
        assert answer(name, before, after, step=step) == expected


def test_a_zombie_may_clean_up_after_its_own_copy() -> None:
    before = partition(SECOND_FAILED, OTHER_ELECTED)
    after = partition(SECOND_FAILED, OTHER_ELECTED, SECOND_CLEANED_UP)
    assert answer("only_the_leader_deletes", before, after, step=COPY_STARTS_DELETION)
