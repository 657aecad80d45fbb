"""KIP-405: how remote segments come to overlap, what becomes of them, and of a truncated log."""

from __future__ import annotations

import pytest

from tests.designs.step_by_step import Walk, act
from tierproof.model.designs.kip405 import DESIGN
from tierproof.model.designs.kip405.state import TieredPartition
from tierproof.model.language import Step

SCOPE = TieredPartition(
    offsets=2,
    appends=1,
    segment_bytes=2,
    segment_ids=2,
    leader_epochs=2,
    elections=1,
    retention_bytes=0,
    metadata_records=4,
    planned_deletions=2,
)
EXPIRE = (
    act("time_passes", ms=1),
    act("expiration_task_plans_retention", broker=0),
    act("expiration_task_raises_log_start", broker=0),
)


def roll(broker: int) -> Step:
    """Local retention reaches the active segment, and rolls it."""
    return act("broker_raises_start_to_delete", broker=broker, reason=1)


def copy_next(broker: int, segment: int) -> tuple[Step, ...]:
    """A broker that has just begun to lead copies a segment under this id."""
    return (
        act("copy_task_finds_log_start", broker=broker),
        act("copy_task_finds_highest_remote_offset", broker=broker),
        act("copy_task_chooses_segment", broker=broker),
        act("copy_publishes_started", segment=segment),
        act("broker_reads_metadata", broker=broker),
        act("copy_stores_object", segment=segment),
        act("copy_publishes_finished", segment=segment),
        act("broker_reads_metadata", broker=broker),
        act("copy_records_progress", segment=segment),
    )


def test_leaders_that_roll_apart_copy_segments_that_overlap() -> None:
    """The new leader has not fetched the roll; its next segment begins before its cursor."""
    walk = Walk(DESIGN, SCOPE)
    fetches = act("follower_fetches", follower=0)
    walk.take(roll(0), *copy_next(0, 0))
    walk.take(act("controller_elects_leader", leader=1), act("broker_learns_leader", broker=1))
    walk.take(act("leader_appends_record", leader=1, bytes=1, timestamp=0))
    walk.take(act("broker_learns_leader", broker=0), fetches, fetches, roll(1))
    walk.take(act("broker_reads_metadata", broker=1), act("broker_reads_metadata", broker=1))
    walk.take(*copy_next(1, 1))
    copied = [(one.start_offset, one.end_offset) for one in walk.state.segment]
    assert copied == [(0, 0), (0, 1)]
    assert walk.state.broker[1].cache.epoch[0].referenced == {1}
    assert walk.state.broker[1].cache.epoch[0].unreferenced == {0}


@pytest.mark.parametrize(
    ("variants", "log_start"), [((), 2), (("kafka_16890_log_start_of_last_segment",), 1)]
)
def test_kafka_16890_without_its_fix_sets_the_log_start_below_what_it_deletes(
    variants: tuple[str, ...], log_start: int
) -> None:
    walk = Walk(DESIGN, DESIGN.scope("overlaps"), "copied_segments_begin_alike", *variants)
    walk.take(*EXPIRE)
    assert walk.state.broker[0].log_start_offset == log_start
    assert list(walk.state.broker[0].planned) == [1, 0, -1, -1]


def test_a_segment_that_another_covers_does_not_expire_before_it() -> None:
    """The list is by start offset, and the run ends at the first segment that has to stay."""
    walk = Walk(DESIGN, DESIGN.scope("overlaps"), "leader_rolled_elsewhere")
    walk.take(*copy_next(0, 2), *EXPIRE)
    assert walk.state.broker[0].log_start_offset == 2
    assert list(walk.state.broker[0].planned) == [0, -1, -1, -1]


def test_kafka_15479_without_its_fix_plans_one_segment_for_each_epoch() -> None:
    beside = "copied_segment_spans_two_epochs"
    plans = act("expiration_task_plans_retention", broker=0)
    for variants, planned in (
        ((), [0, 1, -1, -1]),
        (("kafka_15479_segment_considered_by_each_epoch",), [0, 0, -1, -1]),
    ):
        walk = Walk(DESIGN, DESIGN.scope("overlaps"), beside, *variants)
        walk.take(plans)
        assert list(walk.state.broker[0].planned) == planned


LATE_COPY = (
    act("copy_publishes_finished", segment=2),
    act("broker_reads_metadata", broker=0),
)


@pytest.mark.parametrize("is_repaired", [False, True])
def test_a_copy_that_begins_where_another_does_hides_it_from_retention(is_repaired: bool) -> None:
    """KAFKA-20932: a segment that ends after the new one has finished before."""
    repair = ("repair_list_replaced_segments",) if is_repaired else ()
    walk = Walk(DESIGN, DESIGN.scope("overlaps"), "late_copy_begins_alike", *repair)
    hidden = "every_object_is_tracked" in walk.violated_after(*LATE_COPY)
    assert hidden == (not is_repaired)
    assert walk.state.broker[0].cache.epoch[0].referenced == {1, 2}


TRUNCATE = (
    act("follower_truncates", follower=0),
    act("follower_fetches", follower=0),
    act("leader_expands_in_sync", leader=1, follower=0),
    act("controller_elects_leader", leader=0),
)
REMOVE = (
    act("broker_raises_start_to_delete", broker=0, reason=1),
    act("broker_learns_leader", broker=0),
)


def test_a_truncated_log_takes_its_new_records_for_copied() -> None:
    walk = Walk(DESIGN, DESIGN.scope("truncated"), "unclean_leader_was_elected")
    assert "no_committed_record_lost" in walk.violated_after(*TRUNCATE, *REMOVE)


def test_a_truncation_that_lowers_the_highest_remote_offset_keeps_them() -> None:
    beside = ("unclean_leader_was_elected", "repair_truncation_lowers_highest_remote_offset")
    walk = Walk(DESIGN, DESIGN.scope("truncated"), *beside).take(*TRUNCATE)
    walk.take(roll(0))
    assert not walk.can(roll(0))
    assert "no_committed_record_lost" not in walk.violated_after(REMOVE[1])


def test_an_election_is_unclean_before_the_beginning_behind_an_unclean_leader() -> None:
    """Steps of `unclean_elections` lead to what the setting begins with."""
    bounds = {"appends": 1, "elections": 2, "shrinks": 1}
    longer = Walk(DESIGN, DESIGN.scope("truncated").replace(**bounds), "unclean_elections")
    longer.take(act("leader_shrinks_in_sync", follower=1))
    longer.take(act("leader_appends_record", leader=0, bytes=1, timestamp=0), roll(0))
    longer.take(*copy_next(0, 0), act("controller_elects_unclean_leader", leader=1))
    longer.take(act("broker_learns_leader", broker=1), act("broker_learns_leader", broker=0))
    longer.take(act("leader_appends_record", leader=1, bytes=1, timestamp=0))
    longer.take(*TRUNCATE)
    assert "no_committed_record_lost" in longer.violated_after(*REMOVE)
