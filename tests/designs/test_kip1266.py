"""KIP-1266: its findings step by step, and what the repairs make of the same steps."""

from __future__ import annotations

import pytest

from tests.designs.kip1266_steps import RESTART, TOMBSTONE, copy, delete, expire, fail, walk_of
from tests.designs.step_by_step import act
from tierproof.invariants import PROPERTIES
from tierproof.model.designs.kip1266 import DESIGN
from tierproof.model.designs.kip1266.scenarios import begin, clean, elect, finish, read, start
from tierproof.model.designs.kip1266.state import COPYING, EXPIRING, Kip1266
from tierproof.model.designs.kip1266_migration import DESIGN as MIGRATION
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import Design, ScopeError
from tierproof.spark_explorer.registry import DESIGNS

# -- what it can do


def test_the_topic_is_compacted_and_a_broker_that_read_along_serves_the_segment() -> None:
    walk = walk_of("smoke")
    walk.take(begin(), *copy(), start(), clean(2))
    assert walk.state.metadata.end == 2
    assert walk.state.broker[0].cache.state[0] == SegmentState.COPY_SEGMENT_FINISHED


def test_a_leader_that_is_voted_out_works_on() -> None:
    walk = walk_of("two_copies", topic_records=4)
    walk.take(begin(), start(), *elect(1), begin(1), *copy(1), *finish(0))
    assert [int(state) for state in walk.state.truth.state] == [2, 2]


def test_a_dead_consumer_publishes_nothing() -> None:
    walk = walk_of("smoke", "text_consumer_unchanged", topic_records=8)
    assert "consumers_survive" in walk.violated_after(
        begin(), *fail(), TOMBSTONE, act("broker_reads_metadata", broker=0)
    )
    assert not walk.can(start())


# -- the description is compacted away


LOSES_THE_LOG = (begin(), *copy(), start(), RESTART, clean(2), *read(0, 2), begin())


def test_a_new_leader_moves_the_log_start_past_what_it_does_not_know() -> None:
    walk = walk_of("smoke")
    found = walk.violated_after(*LOSES_THE_LOG)
    assert {"leader_serves_what_is_within_retention", "live_segments_stay_known"} <= found
    assert walk.state.broker[0].log_start == 1
    assert walk.state.expired_end == 0


@pytest.mark.parametrize("repair", ["repair_self_contained_values", "repair_all"])
def test_self_contained_values_keep_the_log(repair: str) -> None:
    walk = walk_of("smoke", repair)
    walk.take(begin(), *copy(), start(), RESTART, clean(2))
    assert walk.violated_after(*read(0, walk.state.metadata.end), begin()) == set()
    assert walk.state.broker[0].log_start == 0


def test_uuid_in_the_key_alone_does_not_keep_the_log() -> None:
    found = walk_of("smoke", "repair_uuid_in_key").violated_after(*LOSES_THE_LOG)
    assert "leader_serves_what_is_within_retention" in found


def test_uuid_and_state_in_the_key_leave_nothing_to_clean() -> None:
    walk = walk_of("smoke", "pull_request_uuid_and_state_in_key")
    walk.take(begin(), *copy(), start())
    assert not walk.can(clean(2))


def test_a_deletion_that_stopped_half_way_is_forgotten() -> None:
    walk = walk_of("zombie")
    found = walk.violated_after(begin(), *copy(), *expire(0)[:3], clean(2))
    assert "compaction_loses_no_object" in found


# -- keys


def test_a_retry_takes_the_key_of_an_object_that_exists() -> None:
    steps = (begin(), start(), act("store_defers_copy", broker=0, is_stored=True), start())
    assert "key_names_one_live_segment" in walk_of("smoke").violated_after(*steps)
    assert walk_of("smoke", "repair_uuid_in_key").violated_after(*steps) == set()


@pytest.mark.parametrize(
    ("variant", "violates"),
    [((), False), (("text_partition_key_with_end_offset",), True)],
    ids=["scenario 5", "section 2"],
)
def test_the_partitions_key_is_a_segments_by_one_reading(
    variant: tuple[str, ...], violates: bool
) -> None:
    found = walk_of("deletion", *variant).violated_after(
        begin(),
        *copy(),
        act("user_deletes_topic"),
        act("leader_publishes_partition_started", broker=0),
    )
    assert ("partition_keys_are_their_own" in found) == violates


def test_the_epoch_at_the_copy_gives_the_deletion_the_key_of_the_copy() -> None:
    walk = walk_of("zombie", "text_epoch_at_copy", topic_records=6)
    walk.take(begin(), *copy(), *elect(0), *expire(0)[:3])
    keys = [walk.state.metadata.record[n].key for n in range(3)]
    assert len(set(keys)) == 1


# -- tombstones


LATE_TOMBSTONE = (begin(), *fail(), start(), TOMBSTONE)


def test_the_tombstone_of_an_attempt_hits_the_retry() -> None:
    found = walk_of("smoke", topic_records=8).violated_after(*LATE_TOMBSTONE)
    assert "tombstone_only_after_deletion" in found


def test_a_conditional_tombstone_is_not_written_on_the_retry() -> None:
    walk = walk_of("smoke", "repair_conditional_tombstones", topic_records=8)
    walk.take(*LATE_TOMBSTONE[:-1])
    assert not walk.can(TOMBSTONE)


def test_a_uuid_in_the_key_lets_the_tombstone_hit_its_own_attempt() -> None:
    walk = walk_of("smoke", "repair_self_contained_values", "repair_uuid_in_key", topic_records=8)
    assert walk.violated_after(*LATE_TOMBSTONE) == set()


def test_the_scan_tombstones_a_live_copy_of_the_same_end_offset() -> None:
    walk = walk_of("smoke", topic_records=8)
    walk.take(begin(), *fail(), start())
    found = walk.violated_after(act("clean_up_publishes_tombstone", broker=0, place=3))
    assert "tombstone_only_after_deletion" in found


def test_the_published_scan_spares_what_is_above_the_log_start() -> None:
    walk = walk_of("smoke", "pull_request_cleans_below_log_start", topic_records=8)
    walk.take(begin(), *fail(), start())
    assert not walk.can(act("clean_up_publishes_tombstone", broker=0, place=3))


def test_the_published_scan_forgets_an_object_that_is_still_to_be_deleted() -> None:
    walk = walk_of("smoke", "pull_request_cleans_below_log_start", topic_records=8)
    walk.take(begin(), *copy(), *expire(0)[:2])
    found = walk.violated_after(act("clean_up_publishes_tombstone", broker=0, place=1))
    assert "tombstone_only_after_deletion" in found


@pytest.mark.parametrize(("variants", "can"), [((), True), (("repair_fence_writers",), False)])
def test_a_broker_that_was_voted_out_writes_tombstones_unless_fenced(
    variants: tuple[str, ...], can: bool
) -> None:
    walk = walk_of("zombie", *variants, topic_records=6)
    walk.take(begin(), *copy(), *expire(0), act("controller_elects_leader", leader=1))
    assert walk.can(TOMBSTONE) == can
    if can:
        assert "only_the_leader_writes_tombstones" in walk.violated_after(TOMBSTONE)


@pytest.mark.parametrize(("keys", "is_gone"), [((), False), (("repair_uuid_in_key",), True)])
def test_by_the_text_s_keys_the_tombstone_of_an_old_leader_leaves_the_copy_of_the_new_one(
    keys: tuple[str, ...], is_gone: bool
) -> None:
    walk = walk_of(
        "zombie", "repair_self_contained_values", *keys, offsets=2, segment_ids=2, topic_records=9
    )
    walk.take(*elect(1), begin(1), begin(0), start(1), *read(0, 1))
    began, stored, finished = expire(0)[:3], *finish(1)
    walk.take(*began, stored, delete(0)[1], *read(1, 1), finished, delete(0)[2])
    walk.take(TOMBSTONE, *read(1, 2), start(1))
    walk.take(clean(walk.state.metadata.end - 1))
    known = walk.state.replayed.state[0]
    assert (known == SegmentState.ABSENT) == is_gone
    assert ("deleted_segments_stay_dead" in walk.violated()) != is_gone
    assert not any(walk.can(act("clean_up_publishes_tombstone", broker=1, place=n)) for n in (0, 1))


@pytest.mark.parametrize(
    ("repairs", "told_deletion", "comes_back"),
    [
        (("pull_request_uuid_and_state_in_key",), 2, True),
        (("pull_request_uuid_and_state_in_key", "repair_tombstones_forget"), 2, False),
        (("repair_all", "pull_request_uuid_and_state_in_key"), 3, False),
    ],
)
def test_with_the_state_in_the_key_the_deletion_must_be_tombstoned_last(
    repairs: tuple[str, ...], told_deletion: int, comes_back: bool
) -> None:
    """Of `told_deletion`, the place of DELETE_SEGMENT_STARTED, a key for itself goes first."""
    walk = walk_of("zombie", *repairs, topic_records=9)
    walk.take(begin(), *copy(), *expire(0))
    for place in (told_deletion, 1):
        walk.take(act("clean_up_publishes_tombstone", broker=0, place=place))
    found = walk.violated_after(clean(walk.state.metadata.end - 1))
    assert ("deleted_segments_stay_dead" in found) == comes_back


# -- consumers


LAGS = (
    begin(),
    *copy(),
    *read(1, 2),
    *expire(0),
    TOMBSTONE,
    start(),
    clean(5),
)


def test_a_consumer_that_lags_keeps_the_deleted_segment() -> None:
    walk = walk_of("zombie", offsets=2, segment_ids=2, topic_records=8)
    walk.take(*LAGS)
    left = walk.state.metadata.end - walk.state.broker[1].position
    found = walk.violated_after(*read(1, left))
    assert "brokers_that_have_read_all_know_the_truth" in found
    assert walk.state.broker[1].cache.state[0] == SegmentState.COPY_SEGMENT_FINISHED
    assert not walk.state.segment[0].object_exists


def test_a_consumer_that_remembers_keys_forgets_it() -> None:
    walk = walk_of("zombie", "repair_tombstones_forget", offsets=2, segment_ids=2, topic_records=8)
    walk.take(*LAGS)
    walk.take(*read(1, walk.state.metadata.end - walk.state.broker[1].position))
    assert walk.state.broker[1].cache.state[0] == SegmentState.ABSENT


def test_a_late_cleaning_waits_for_running_consumers_unless_they_may_lag() -> None:
    for lagging in (0, 1):
        walk = walk_of("zombie", offsets=2, segment_ids=2, topic_records=8, lagging=lagging)
        walk.take(begin(), *copy(), *expire(0), TOMBSTONE, start(), clean(5))
        assert walk.can(clean(walk.state.metadata.end - 1, True)) == bool(lagging)


# -- zombies


def test_a_zombie_finishes_behind_the_tombstone() -> None:
    walk = walk_of("zombie", topic_records=8)
    found = walk.violated_after(
        begin(),
        start(),
        *elect(1),
        begin(1),
        *read(1, 1),
        *expire(1),
        act("broker_publishes_tombstone", broker=1),
        *finish(0),
    )
    assert "tombstoned_key_stays_dead" in found


def test_a_fenced_zombie_gives_up() -> None:
    walk = walk_of("zombie", "repair_fence_writers", topic_records=8)
    walk.take(begin(), start(), *elect(1), finish(0)[0])
    assert not walk.can(finish(0)[1])
    walk.take(act("refused_task_gives_up", broker=0, thread=COPYING))
    assert walk.state.broker[0].thread[COPYING].segment == -1


def test_scenario_4_s_order_leaves_a_finished_segment_without_its_object() -> None:
    walk = walk_of("zombie", "text_object_deleted_first")
    walk.take(begin(), *copy(), *expire(0)[:2])
    found = walk.violated_after(act("task_deletes_object", broker=0, thread=EXPIRING))
    assert "deletion_is_told_first" in found


# -- the scope


def test_a_scope_without_enough_keys_is_refused() -> None:
    with pytest.raises(ScopeError, match="at least 88"):
        Kip1266(offsets=9, leader_epochs=1, topic_keys=64)


# -- the registers


@pytest.mark.parametrize("design", [DESIGN, MIGRATION], ids=lambda design: design.name)
def test_the_registries_name_the_designs_and_their_properties(design: Design) -> None:
    assert DESIGNS[design.name] == f"tierproof.model.designs.{design.name}:DESIGN"
    for entry in design.checked:
        assert PROPERTIES[entry.name] == entry
