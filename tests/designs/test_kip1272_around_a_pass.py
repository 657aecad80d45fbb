"""What KIP-1272 does around a pass: old versions, retention, followers, elections, readers."""

from __future__ import annotations

import pytest

from tests.designs.kip1272_steps import (
    CompactedWalk,
    begin_copy,
    clean,
    map_keys,
    resolve,
    write_checkpoint,
)
from tests.designs.step_by_step import act
from tierproof.invariants.vocabulary import told_state
from tierproof.model.designs.kip1272.deleting import removable_by_policy
from tierproof.model.designs.kip1272.repairs import COUNT_AS_COPYING, REPAIR_ALL
from tierproof.model.designs.kip1272.written_records import DELETED, DELETED_LATER
from tierproof.model.kafka.compacted_topic import CleanupPolicy
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.segment_versions import LOCAL
from tierproof.model.language import NONE

THREE = {
    "offsets": 3,
    "topic_keys": 2,
    "history": DELETED,
    "copied": 3,
    "segment_ids": 12,
    "metadata_records": 40,
    "planned_deletions": 12,
}
"""A value, a tombstone and a record of another key, each a segment and a chunk of its own."""

PAIR = {"segment_ids": 6, "metadata_records": 20, "planned_deletions": 6}
"""Two values of one key, each a segment, with ids for two chunks."""


# -- old versions


def test_an_unreferenced_segment_is_planned_and_deleted_by_the_expiration_task():
    walk = CompactedWalk(**PAIR)
    walk.clean_chunk()
    walk.clean_chunk()
    assert walk.delete_planned() == [1]
    assert not walk.state.segment[1].object_exists
    assert (
        told_state(walk.state, walk.state.metadata_end, 1) == SegmentState.DELETE_SEGMENT_FINISHED
    )


def test_what_serves_reads_is_not_planned():
    walk = CompactedWalk(**PAIR)
    assert walk.delete_planned() == []


def retained(**bounds: int) -> CompactedWalk:
    """Two segments of which the first is older than retention.ms."""
    return CompactedWalk(clock_ms=2, **bounds).take(act("time_passes", ms=1))


def test_retention_deletes_nothing_of_a_topic_that_is_only_compacted():
    assert retained().delete_planned() == []


def test_retention_deletes_from_a_topic_that_is_compacted_and_deleted():
    walk = retained(has_compact_only=0)
    assert walk.delete_planned() == [0]
    assert walk.log.log_start_offset == 1


def test_what_the_policy_of_the_user_lets_expire_may_go_before_the_leader_has_learned_it():
    walk = retained(policy_changes=1)
    assert removable_by_policy(walk.state) == 0
    walk.take(act("user_changes_policy", policy=int(CleanupPolicy.COMPACT_DELETE)))
    assert removable_by_policy(walk.state) == 1


@pytest.mark.parametrize(
    ("variants", "planned"), [((), [0, 2]), ((COUNT_AS_COPYING.name,), [0])], ids=str
)
def test_retention_plans_what_the_cleaner_uploads_unless_it_is_noted(variants, planned):
    bounds = PAIR | {"clock_ms": 1, "has_compact_only": 0}
    walk = CompactedWalk(*variants, **bounds).take(act("time_passes", ms=1), map_keys(), clean())
    walk.take(begin_copy(), act("copy_publishes_started", segment=2)).read(0)
    walk.take(act("expiration_task_plans_retention", broker=0))
    assert [id for id in walk.log.planned if id != NONE] == planned


def test_local_retention_removes_what_is_copied_cleaned_or_not():
    walk = CompactedWalk().remove_locally()
    assert walk.log.cleaner_offset == 0
    assert [walk.source(offset) for offset in range(2)] == [0, 1]


# -- the files of a copy


def chosen(**bounds: int) -> CompactedWalk:
    """The copy task has begun to copy the second of two segments; the first is copied."""
    walk = CompactedWalk(**PAIR | {"copied": 1} | bounds)
    return walk.take(
        act("copy_task_chooses_segment", broker=0), act("copy_publishes_started", segment=1)
    ).read(0)


def test_a_copy_fails_where_the_cleaner_has_merged_its_segment_into_another():
    walk = chosen(segment_bytes=2)
    assert not walk.can(act("copy_misses_files", segment=1))
    walk.clean_chunk()
    assert walk.segments() == [0, 2]
    assert not walk.can(act("copy_reads_log_file", segment=1))
    walk.take(act("copy_misses_files", segment=1))


def test_a_copy_fails_where_the_index_files_are_gone_once_the_log_file_was_read():
    walk = chosen(segment_bytes=2).take(act("copy_reads_log_file", segment=1))
    walk.clean_chunk()
    assert not walk.can(act("copy_stores_object", segment=1))
    assert walk.can(act("copy_misses_files", segment=1))


# -- followers, other policies, other versions


def two(**bounds: int) -> CompactedWalk:
    """Two brokers, broker 0 leads."""
    return CompactedWalk(**THREE | {"brokers": 2, "leader_epochs": 2, "elections": 1} | bounds)


def test_what_a_follower_cleans_is_local_only():
    walk = two(segment_bytes=3)
    objects = [walk.kept(id) for id in range(3)]
    ends = walk.state.metadata_end
    assert walk.clean_chunk(1) == []
    assert walk.kept_locally(1) == ["GONE", "STAMPED", "KEPT"]
    assert walk.kept_locally(0) == ["KEPT"] * 3
    assert (walk.state.metadata_end, [walk.kept(id) for id in range(3)]) == (ends, objects)
    assert list(walk.state.broker[1].cleaner_offsets) == [NONE, NONE]


def test_a_follower_cleans_from_the_start_of_its_local_log():
    walk = two(segment_bytes=3, local_start=1).take(map_keys(1))
    assert walk.state.broker[1].group_start == 1


def test_a_follower_reads_nothing_from_the_remote_tier_in_the_place_of_what_retention_removed():
    walk = two(segment_bytes=3).take(map_keys(1)).remove_locally(1)
    assert walk.source(0, 1) == 0
    assert not walk.can(clean(1))
    walk.take(act("cleaner_misses_segment", broker=1))


def test_a_new_leader_resolves_before_it_cleans_and_removes_what_lies_below():
    walk = two()
    walk.clean_chunk()
    walk.clean_chunk()
    walk.read(1).elect(1, 1)
    assert not walk.can(map_keys(1))
    walk.take(resolve(1))
    assert walk.state.broker[1].cleaner_offset == 2
    assert walk.state.broker[1].local_log_start_offset == 2
    assert [walk.source(offset, 1) for offset in range(3)] == [4, 5, LOCAL]
    assert walk.can(map_keys(1))


def test_a_new_leader_resolves_from_what_it_has_read():
    walk = two()
    walk.clean_chunk()
    walk.elect(1, 1).take(resolve(1))
    assert walk.state.broker[1].cleaner_offset == 0


def test_a_pass_goes_on_when_its_broker_follows():
    walk = two().take(map_keys(), clean()).elect(1, 0)
    walk.copy()
    walk.take(write_checkpoint())
    assert walk.log.cleaner_offset == 1


def test_a_downgraded_broker_takes_the_topic_for_one_that_is_not_tiered():
    walk = two(downgrades=1, local_start=2).read(1)
    assert walk.source(0, 1) == 0
    assert not walk.can(act("broker_is_downgraded", broker=0))
    walk.take(act("broker_is_downgraded", broker=1))
    assert not walk.state.broker[1].settings.remote_storage_enable
    assert walk.source(0, 1) == NONE
    assert walk.source(2, 1) == LOCAL
    assert 1 not in walk.state.in_sync


def test_a_broker_learns_the_policy_and_stops_cleaning():
    policy = int(CleanupPolicy.DELETE)
    walk = CompactedWalk(**THREE, policy_changes=1)
    walk.take(act("user_changes_policy", policy=policy))
    assert walk.can(map_keys())
    walk.take(act("broker_learns_policy", broker=0))
    assert not walk.can(map_keys())


# -- readers


FETCH = act("consumer_fetches")


def test_a_consumer_reads_on_over_a_gap_from_segment_to_segment():
    walk = CompactedWalk(**THREE, local_start=2, consumers=1)
    walk.clean_chunk()
    walk.clean_chunk()
    assert walk.kept(walk.source(0)) == ["GONE"]
    walk.take(FETCH)
    assert walk.state.consumer_position == 2
    assert walk.take(FETCH).state.consumer_position == 3


def without_its_tombstone(copied: int) -> CompactedWalk:
    """The first two records are gone; what comes later is local, and `copied` segments remote."""
    walk = CompactedWalk(**THREE | {"copied": copied}, local_start=2, consumers=1)
    walk.clean_chunk()
    walk.clean_chunk()
    walk.clean_chunk(passed=1)
    return walk


def test_a_consumer_crosses_from_the_remote_tier_where_a_remote_segment_follows_the_gap():
    walk = without_its_tombstone(copied=3).take(FETCH)
    assert walk.state.consumer_position == 3


def test_a_consumer_stays_in_a_gap_that_ends_the_remote_tier():
    """No remote segment follows, and the local log is not asked: each answer is empty."""
    walk = without_its_tombstone(copied=2)
    assert walk.kept(walk.source(0)) == ["GONE", "GONE"]
    assert walk.source(2) == LOCAL
    assert not walk.can(FETCH)


# -- what a claim is worth after an election

HEADROOM = {"segment_ids": 18, "metadata_records": 60}
CLAIM_LAST = "repair_claim_with_the_last_segment"


def elected_amid_a_cycle(*repairs: str) -> CompactedWalk:
    """Broker 0 maps a tombstone, copies the first segment anew, and broker 1 is elected."""
    history = {"offsets": 5, "topic_keys": 2, "history": DELETED_LATER, "copied": 5, "cleaned": 2}
    brokers = {"brokers": 2, "leader_epochs": 2, "elections": 1, "local_start": 5}
    walk = CompactedWalk(*repairs, **history, **brokers, **HEADROOM)
    walk.take(map_keys(), clean())
    walk.copy()
    return walk.elect(1, 1).read(1).take(resolve(1))


def clean_past_the_horizon(walk: CompactedWalk) -> set[str]:
    """The new leader cleans a chunk, and another one delete.retention.ms later; what it breaks."""
    walk.clean_chunk(1)
    walk.clean_chunk(1, passed=1)
    return walk.violated()


def test_a_claim_before_the_work_brings_a_deleted_key_back():
    others = (one for one in REPAIR_ALL.parts if one.name != CLAIM_LAST)
    walk = elected_amid_a_cycle(*(one.name for one in others))
    assert walk.state.broker[1].cleaner_offset == 3
    assert clean_past_the_horizon(walk) == {"no_deleted_key_comes_back"}


def test_with_the_claim_on_the_last_segment_it_stays_deleted():
    walk = elected_amid_a_cycle("repair_all")
    assert walk.state.broker[1].cleaner_offset == 2
    assert clean_past_the_horizon(walk) == set()
