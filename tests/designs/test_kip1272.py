"""What KIP-1272 does, by name: passes of the cleaner replayed step by step in CPython."""

from __future__ import annotations

import pytest

from tests.designs.kip1272_steps import (
    CompactedWalk,
    begin_copy,
    clean,
    map_keys,
    resolve,
    swap_locally,
    write_checkpoint,
)
from tests.designs.step_by_step import act
from tierproof.model.designs.kip1272.state import CleanerStep
from tierproof.model.designs.kip1272.written_records import ABORTED, DELETED, DELETED_LATER
from tierproof.model.kafka.segment_versions import LOCAL
from tierproof.model.language import NONE, Step

MERGED = {
    "offsets": 5,
    "topic_keys": 2,
    "history": DELETED_LATER,
    "segment_bytes": 5,
    "copied": 5,
    "segment_ids": 7,
    "metadata_records": 16,
    "planned_deletions": 6,
}
"""Five segments that one chunk, and one group, has all together."""
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
FOUR = THREE | {"offsets": 4, "copied": 4, "segment_ids": 14, "planned_deletions": 14}


# -- the stages of a pass


def test_the_first_pass_maps_the_last_offset_of_each_key_and_changes_no_version():
    walk = CompactedWalk(**MERGED).take(map_keys())
    assert list(walk.log.offset_map) == [2, 4]
    assert walk.kept_locally() == ["KEPT"] * 5
    assert walk.log.cleaner_offset == 0


def test_the_second_pass_writes_what_stays_beside_the_old_version():
    walk = CompactedWalk(**MERGED).take(map_keys(), clean())
    left = [record.kept.name for record in list(walk.log.output)]
    assert left == ["GONE", "GONE", "STAMPED", "GONE", "KEPT"]
    assert walk.kept_locally() == ["KEPT"] * 5


def test_a_copy_stores_the_cleaned_group_under_a_new_id_and_serves_nothing_yet():
    walk = CompactedWalk(**MERGED, local_start=5).take(map_keys(), clean())
    id = walk.store()
    assert (walk.state.segment[id].start_offset, walk.state.segment[id].end_offset) == (0, 4)
    assert walk.kept(id) == ["GONE", "GONE", "STAMPED", "GONE", "KEPT"]
    assert walk.state.segment[id].bytes == 2
    assert [walk.source(offset) for offset in range(5)] == [0, 1, 2, 3, 4]


def test_what_is_published_carries_the_end_of_the_chunk_as_its_cleaner_offset():
    walk = CompactedWalk(**MERGED).take(map_keys(), clean())
    id = walk.store()
    assert list(walk.state.segment[id].cleaner_offsets) == [5]


def test_once_published_a_group_of_segments_is_read_from_one_object():
    walk = CompactedWalk(**MERGED, local_start=5).take(map_keys(), clean())
    id = walk.copy()
    assert walk.source(0) == id
    assert walk.kept(id) == ["GONE", "GONE", "STAMPED", "GONE", "KEPT"]
    assert walk.kept(0) == ["KEPT"]


def test_the_swap_makes_one_local_segment_of_the_group():
    walk = CompactedWalk(**MERGED)
    assert walk.segments() == [0, 1, 2, 3, 4, 5]
    walk.take(map_keys(), clean()).copy()
    assert walk.segments() == [0, 5]
    assert walk.kept_locally() == ["GONE", "GONE", "STAMPED", "GONE", "KEPT"]
    assert walk.log.cleaner_offset == 0


def test_the_checkpoint_comes_last():
    walk = CompactedWalk(**MERGED).take(map_keys(), clean())
    assert not walk.can(write_checkpoint())
    walk.copy()
    walk.take(write_checkpoint())
    assert walk.log.cleaner_offset == 5
    assert list(walk.log.cleaner_offsets) == [5]
    assert walk.log.cleaner == CleanerStep.IDLE


def test_a_group_that_is_not_in_the_remote_tier_is_swapped_locally_only():
    walk = CompactedWalk(**MERGED | {"copied": 0}).take(map_keys(), clean())
    assert not walk.can(begin_copy())
    walk.take(swap_locally())
    assert walk.segments() == [0, 5]
    assert walk.state.metadata_end == 0


def test_a_chunk_is_as_big_as_a_segment_and_the_pass_begins_at_the_log_start():
    walk = CompactedWalk(**THREE)
    assert len(walk.clean_chunk()) == 1
    assert walk.log.cleaner_offset == 1
    assert len(walk.clean_chunk()) == 2
    assert walk.log.cleaner_offset == 2


def test_nothing_is_cleaned_where_a_third_of_the_disk_fits_no_segment():
    assert CompactedWalk(**THREE, disk_bytes=3).can(map_keys())
    assert not CompactedWalk(**THREE, disk_bytes=2).can(map_keys())


def test_the_dirty_ratio_counts_what_both_tiers_have_twice():
    assert CompactedWalk(**THREE, min_dirty_percent=49).can(map_keys())
    assert not CompactedWalk(**THREE, min_dirty_percent=50).can(map_keys())
    assert CompactedWalk(**THREE, min_dirty_percent=99, local_start=3).can(map_keys())


# -- crashes

STAGES = ("mapped", "cleaned", "stored", "published", "swapped")


def walk_to(stage: str) -> CompactedWalk:
    """A walk of a lone leader whose segments are only remote, up to a stage of its pass."""
    walk = CompactedWalk(**MERGED | {"leader_epochs": 2}, local_start=5, restarts=1)
    walk.take(map_keys())
    if stage != "mapped":
        walk.take(clean())
    if stage in STAGES[2:]:
        id = walk.store()
    if stage in STAGES[3:]:
        walk.publish(id)
    if stage == "swapped":
        walk.end_copy()
    return walk


@pytest.mark.parametrize("stage", STAGES)
def test_a_crash_keeps_the_checkpoint_and_the_pass_begins_anew(stage):
    walk = walk_to(stage).take(act("lone_leader_restarts", broker=0))
    assert walk.log.cleaner_offset == 0
    assert walk.log.cleaner == CleanerStep.IDLE
    assert list(walk.log.offset_map) == [NONE, NONE]
    walk.read(0).take(resolve(0))
    assert walk.log.cleaner_offset == (5 if stage in STAGES[3:] else 0)
    assert walk.can(map_keys()) == (stage in STAGES[:3])


@pytest.mark.parametrize("stage", STAGES)
def test_after_a_crash_one_version_is_read_the_old_one_until_the_new_one_is_published(stage):
    walk = walk_to(stage).take(act("lone_leader_restarts", broker=0)).read(0)
    is_new = stage in STAGES[3:]
    assert walk.source(0) == (5 if is_new else 0)
    assert walk.kept(walk.source(0))[0] == ("GONE" if is_new else "KEPT")


def test_a_refused_copy_ends_the_pass_without_a_checkpoint():
    walk = CompactedWalk(**MERGED, failed_copies=1).take(map_keys(), clean(), begin_copy())
    id = walk.log.output_id
    walk.take(act("copy_publishes_started", segment=id)).read(0)
    assert not walk.can(act("cleaner_gives_up", broker=0))
    walk.take(act("store_defers_copy", segment=id), act("cleaner_gives_up", broker=0))
    assert walk.log.cleaner_offset == 0
    assert [walk.source(offset) for offset in range(5)] == [LOCAL] * 5
    assert walk.can(map_keys())


# -- what the cleaner removes


def test_a_superseded_value_is_removed_by_the_pass_that_maps_the_later_record():
    walk = CompactedWalk(**THREE)
    walk.clean_chunk()
    assert walk.kept_locally() == ["KEPT"] * 3
    walk.clean_chunk()
    assert walk.kept_locally() == ["GONE", "STAMPED", "KEPT"]


@pytest.mark.parametrize(("passed", "left"), [(0, "STAMPED"), (1, "GONE")])
def test_a_tombstone_is_stamped_by_one_pass_and_removed_by_a_later_one_past_the_horizon(
    passed, left
):
    walk = CompactedWalk(**THREE)
    walk.clean_chunk()
    assert not walk.can(map_keys(passed=1))
    walk.clean_chunk()
    assert walk.can(map_keys(passed=1))
    ids = walk.clean_chunk(passed=passed)
    assert walk.kept_locally() == ["GONE", left, "KEPT"]
    assert [walk.kept(id) for id in ids] == [["GONE", left], ["KEPT"]]


def test_an_aborted_record_is_removed_at_once_and_its_marker_after_two_more_passes():
    walk = CompactedWalk(**FOUR | {"history": ABORTED})
    walk.clean_chunk()
    assert walk.kept_locally() == ["KEPT"] * 4
    walk.clean_chunk()
    assert list(walk.log.offset_map) == [NONE, NONE]
    assert walk.kept_locally() == ["KEPT", "GONE", "KEPT", "KEPT"]
    walk.clean_chunk()
    assert walk.kept_locally() == ["KEPT", "GONE", "STAMPED", "KEPT"]
    walk.clean_chunk(passed=1)
    assert walk.kept_locally() == ["KEPT", "GONE", "GONE", "KEPT"]


def test_an_aborted_record_hides_no_earlier_value():
    walk = CompactedWalk(**FOUR | {"history": ABORTED, "segment_bytes": 4})
    walk.take(map_keys())
    assert list(walk.log.offset_map) == [0, 3]


def test_the_last_batch_of_the_producer_stays_without_its_record():
    walk = CompactedWalk(**THREE | {"offsets": 5, "appends": 2})
    walk.take(append(1, is_transactional=True), append(NONE, type=3))
    for _ in range(4):
        walk.clean_chunk()
    assert walk.kept_locally() == ["GONE", "STAMPED", "KEPT", "EMPTY", "KEPT"]


def test_the_records_of_an_open_transaction_are_not_cleaned():
    walk = CompactedWalk(**THREE | {"offsets": 5, "appends": 2})
    for _ in range(3):
        walk.clean_chunk()
    walk.take(append(1, is_transactional=True), append(1, is_transactional=True))
    assert not walk.can(map_keys())


def append(key: int, type: int = 0, is_transactional: bool = False) -> Step:
    """The leader appends a record."""
    return act(
        "leader_appends_keyed_record",
        leader=0,
        key=key,
        type=type,
        is_transactional=is_transactional,
    )


def test_a_record_without_a_key_is_refused_unless_it_is_a_marker():
    walk = CompactedWalk(**THREE | {"offsets": 5, "appends": 2})
    assert not walk.can(append(NONE))
    assert not walk.can(append(NONE, type=3))
    assert walk.take(append(1, is_transactional=True)).can(append(NONE, type=3))


# -- the bloom filter


def test_a_downloaded_segment_gets_a_filter_and_is_skipped_while_no_key_of_the_map_is_in_it():
    walk = CompactedWalk(**THREE, local_start=3)
    walk.clean_chunk()
    walk.take(map_keys())
    assert not walk.can(act("cleaner_skips_segment", broker=0))
    walk.finish_chunk()
    walk.take(map_keys(), act("cleaner_skips_segment", broker=0))
    assert walk.log.group_start == 1


@pytest.mark.parametrize(
    ("reading", "has_filter"),
    [((), False), (("text_filter_is_asked_for_dirty_segments",), True)],
    ids=["temporary files", "the filter is asked"],
)
def test_the_first_pass_builds_filters_only_in_the_reading_that_asks_them(reading, has_filter):
    walk = CompactedWalk(*reading, **THREE, local_start=3)
    walk.take(map_keys())
    assert (walk.log.filters[0].segment == 0) == has_filter


def test_a_filter_may_always_say_yes():
    walk = CompactedWalk(**THREE, local_start=3)
    walk.clean_chunk()
    walk.clean_chunk()
    walk.take(map_keys())
    assert walk.can(act("cleaner_skips_segment", broker=0))
    assert walk.can(clean())


def test_a_local_segment_is_read_without_a_filter():
    walk = CompactedWalk(**THREE)
    walk.take(map_keys(), clean())
    assert {entry.segment for entry in list(walk.log.filters)} == {NONE}
