"""KIP-1266, repaired: highest offsets, copies given up, stores, threads, deleted partitions."""

from __future__ import annotations

import pytest

from tests.designs.kip1266_steps import TOMBSTONE, copy, delete, expire, walk_of
from tests.designs.step_by_step import Walk, act
from tierproof.invariants.compacted_topic import living_keys
from tierproof.invariants.metadata_growth import has_more_keys_than_objects
from tierproof.model.designs.kip1266.keys import kind_of
from tierproof.model.designs.kip1266.scenarios import begin, clean, elect, finish, read, start
from tierproof.model.designs.kip1266.state import COPYING, Kind


def forgets_a_segment(*variants: str) -> Walk:
    """A segment is copied, deleted and tombstoned, and the topic cleaned but for the last."""
    walk = walk_of("zombie", *variants, topic_records=9)
    walk.take(begin(), *copy(), *expire(0))
    while walk.can(TOMBSTONE):
        walk.take(TOMBSTONE)
    return walk


@pytest.mark.parametrize(
    ("variants", "is_kept"),
    [((), False), (("repair_tell_highest_offsets",), True), (("repair_all",), True)],
)
def test_a_record_of_its_own_keeps_the_highest_offset(
    variants: tuple[str, ...], is_kept: bool
) -> None:
    walk = forgets_a_segment(*variants)
    found = walk.violated_after(clean(walk.state.metadata.end - 1))
    assert ("compaction_keeps_highest_offsets" in found) != is_kept
    assert (walk.state.replayed.epoch[0].highest_offset == 0) == is_kept


def test_a_highest_offset_that_is_overtaken_is_not_told() -> None:
    walk = walk_of("two_copies", "repair_tell_highest_offsets", topic_records=8)
    walk.take(begin(), start(), finish()[0], *elect(1), begin(1), *copy(1))
    assert not walk.can(finish()[1])
    walk.take(*read(0, 3))
    assert walk.can(finish()[1])


@pytest.mark.parametrize(
    ("scheme", "keys_of_all"), [((), 3), (("pull_request_uuid_and_state_in_key",), 4)]
)
def test_the_key_of_a_highest_offset_is_no_segments_and_no_partitions(
    scheme: tuple[str, ...], keys_of_all: int
) -> None:
    walk = walk_of("deletion", "repair_all", *scheme, segment_ids=6, topic_records=8)
    walk.take(begin(), *copy(), act("user_deletes_topic"))
    walk.take(act("leader_publishes_partition_started", broker=0))
    records = [walk.state.metadata.record[n] for n in range(walk.state.metadata.end)]
    keys = {kind_of(it.value): it.key for it in records}
    assert len(set(keys.values())) == keys_of_all
    assert keys[Kind.HIGHEST_OFFSET] >= 8 * 6
    assert keys[Kind.DELETE_PARTITION_STARTED] >= 8 * 6


GIVEN_UP = act("expiration_task_chooses_segment", broker=1, segment=0)


@pytest.mark.parametrize(("variants", "deletes"), [((), False), (("repair_all",), True)])
def test_a_leader_deletes_what_another_began_to_copy_and_cannot_finish(
    variants: tuple[str, ...], deletes: bool
) -> None:
    walk = walk_of("zombie", *variants)
    walk.take(begin(), start(), *elect(1), *read(1, 1), begin(1))
    assert walk.can(GIVEN_UP) == deletes


def test_a_leader_waits_until_it_has_read_that_the_copy_was_finished() -> None:
    walk = walk_of("zombie", "repair_all", topic_records=8)
    walk.take(begin(), *copy(), *elect(1), *read(1, 1))
    assert not walk.can(begin(1))
    walk.take(*read(1, 2), begin(1))
    assert not walk.can(GIVEN_UP)


@pytest.mark.parametrize(("variants", "stores"), [((), True), (("repair_all",), False)])
def test_a_store_that_remembers_takes_no_object_that_it_was_asked_to_delete(
    variants: tuple[str, ...], stores: bool
) -> None:
    walk = walk_of("zombie", *variants, topic_records=8)
    walk.take(begin(), start(), *elect(1), *read(1, 1), begin(1), *expire(1))
    assert walk.can(finish()[0]) == stores


def test_a_thread_of_an_earlier_epoch_is_refused_also_where_its_broker_leads_again() -> None:
    walk = walk_of("zombie", "repair_all", elections=2, topic_records=8)
    walk.take(begin(), start(), finish()[0], *elect(1), *elect(0))
    assert walk.state.broker[0].is_leader
    assert not walk.can(finish()[1])
    walk.take(act("refused_task_gives_up", broker=0, thread=COPYING))


@pytest.mark.parametrize(
    ("variants", "left"),
    [((), 1), (("repair_forget_partitions",), 0), (("repair_all",), 0)],
)
def test_the_marker_of_a_deleted_partition_stays_unless_it_is_tombstoned(
    variants: tuple[str, ...], left: int
) -> None:
    walk = walk_of("deletion", *variants, topic_records=16)
    walk.take(begin(), *copy(), act("user_deletes_topic"))
    walk.take(act("leader_publishes_partition_started", broker=0))
    walk.take(act("expiration_task_chooses_segment", broker=0, segment=0), *delete(0))
    walk.take(TOMBSTONE, *read(0, 1), act("leader_publishes_partition_finished", broker=0))
    for place in (*range(14), *range(14)) if variants else ():
        step = act("leader_tombstones_partition", broker=0, place=place)
        if walk.can(step):
            walk.take(step)
    assert living_keys(walk.state.metadata) == left
    assert has_more_keys_than_objects(walk.state) == bool(left)


def test_the_marker_hides_what_lies_before_it_and_goes_last() -> None:
    walk = walk_of("deletion", "repair_all", topic_records=16)
    walk.take(begin(), *copy(), act("user_deletes_topic"))
    walk.take(act("leader_publishes_partition_started", broker=0))
    walk.take(act("expiration_task_chooses_segment", broker=0, segment=0), *delete(0))
    walk.take(TOMBSTONE, *read(0, 1), act("leader_publishes_partition_finished", broker=0))
    marker = act("leader_tombstones_partition", broker=0, place=walk.state.metadata.end - 1)
    assert not walk.can(marker)
    walk.take(act("leader_tombstones_partition", broker=0, place=2))
    assert walk.can(marker)


@pytest.mark.parametrize(("variants", "can"), [((), True), (("text_leader_scans",), False)])
def test_the_scan_runs_on_every_broker_or_by_another_reading_on_the_leader(
    variants: tuple[str, ...], can: bool
) -> None:
    walk = walk_of("zombie", *variants, topic_records=8)
    walk.take(begin(), *copy(), *expire(0))
    assert walk.can(act("clean_up_publishes_tombstone", broker=1, place=3)) == can
    assert walk.can(act("clean_up_publishes_tombstone", broker=0, place=3))


def test_beside_their_readings_the_small_repairs_hold() -> None:
    walk = walk_of("deletion", "text_partition_key_with_end_offset", "repair_kind_in_key")
    walk.take(begin(), *copy(), act("user_deletes_topic"))
    found = walk.violated_after(act("leader_publishes_partition_started", broker=0))
    assert "partition_keys_are_their_own" not in found
    walk = walk_of("zombie", "text_object_deleted_first", "repair_tell_deletion_first")
    assert "deletion_is_told_first" not in walk.violated_after(begin(), *copy(), *expire(0)[:-1])
