"""KIP-405: how remote segments come to overlap, and what the expiration task makes of them."""

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
