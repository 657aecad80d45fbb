"""Kafka's producers and KIP-952: one repair for each cause, and `repair_all` is all of them."""

from __future__ import annotations

import pytest

from tests.designs.kip405_producers_steps import ProducerWalk
from tests.designs.step_by_step import act
from tests.designs.stored_traces import DESIGNS
from tests.designs.test_kip952 import (
    CHOOSE,
    CreatedOnReadWalk,
    ProposalWalk,
    RefusingWalk,
    WaitingWalk,
    is_built_on_old_segments,
)
from tierproof.register import register_of
from tierproof.register.isolation import causes, closed

FAMILY = [name for name in DESIGNS if name.startswith("kip952")]
GIVES_UP = "repair_give_up_what_is_gone"
OF_PRODUCERS = ["producer_state", "kip405_producers", *FAMILY]


@pytest.mark.parametrize("name", OF_PRODUCERS)
def test_repair_all_is_the_repairs_of_all_causes(name: str):
    every = next(one for one in DESIGNS[name].variants if one.name == "repair_all")
    assert {one.name for one in every.parts} == set(closed(DESIGNS[name]))


@pytest.mark.parametrize("name", FAMILY)
def test_what_kafka_as_shipped_does_has_no_page_at_an_alternative(name: str):
    shipped = {one.name for one in causes(DESIGNS["kip405_producers"])}
    assert not shipped & {one.name for one in register_of(DESIGNS[name]).findings}


def test_a_follower_that_begins_at_the_log_start_gets_the_producers_of_its_leader():
    walk = ProducerWalk(
        "repair_fetch_producers_with_the_log_start", brokers=2, lost_disks=1, record_deletions=1
    )
    walk.take(act("broker_loses_disk", broker=1), act("user_deletes_records", leader=0, offset=1))
    walk.take(act("follower_begins_at_log_start", follower=1))
    assert walk.known(1) == {0: (0, [0])}
    assert walk.catch_up().known(1) == walk.known(0)


def test_a_segment_without_snapshot_gets_one_before_its_copy_is_published():
    walk = ProducerWalk("repair_build_the_snapshot_before_publishing", old_end=1).prepare_copies()
    assert 1 not in walk.snapshots()
    walk.take(act("copy_task_chooses_segment", broker=0))
    assert not walk.can(act("copy_publishes_started", segment=0))
    walk.take(act("copy_builds_snapshot", segment=0))
    assert walk.snapshots()[1] == {0: (0, 0)}
    assert walk.can(act("copy_publishes_started", segment=0))


def test_a_snapshot_is_made_before_the_log_start_moves():
    bounds = {"old_end": 1, "record_deletions": 1, "brokers": 1}
    delete = act("user_deletes_records", leader=0, offset=1)
    assert 1 not in ProducerWalk(**bounds).take(delete).snapshots()
    repaired = ProducerWalk("repair_snapshot_before_the_start_moves", **bounds).take(delete)
    assert repaired.snapshots()[1] == {0: (0, 0)}


def test_the_active_segment_gets_a_snapshot_of_what_a_deletion_up_to_the_log_end_leaves_behind():
    walk = ProducerWalk("repair_snapshot_before_the_start_moves", old_end=3, record_deletions=1)
    walk.take(act("user_deletes_records", leader=0, offset=3))
    assert walk.snapshots()[2] == {0: (0, 0), 1: (0, 0)}


BUILDS, REGENERATES = (
    (ProducerWalk, "repair_build_the_snapshot_before_publishing", "copy_builds_snapshot"),
    (ProposalWalk, "repair_regenerate_the_snapshot", "copy_makes_snapshot"),
)


@pytest.mark.parametrize(("walk_of", "repair", "makes"), [BUILDS, REGENERATES])
def test_no_snapshot_is_made_of_a_log_that_was_deleted_with_its_topic(
    walk_of: type[ProducerWalk], repair: str, makes: str
):
    walk = walk_of(repair, old_end=1, topic_deletions=1).prepare_copies().take(CHOOSE)
    assert walk.can(act(makes, segment=0))
    walk.take(act("user_deletes_topic"), act("broker_learns_deletion", broker=0))
    assert not walk.can(act(makes, segment=0))
    walk.take(act("copy_finds_no_batches", segment=0))
    assert not walk.can(act("copy_publishes_started", segment=0))


@pytest.mark.parametrize(("repairs", "expected"), [((), True), ((GIVES_UP,), False)])
def test_who_waits_looks_again_before_it_publishes_a_copy(repairs: tuple[str, ...], expected: bool):
    walk = WaitingWalk(*repairs, topic_deletions=1).prepare_copies().take(CHOOSE)
    walk.take(act("user_deletes_topic"), act("broker_learns_deletion", broker=0))
    assert walk.can(act("copy_publishes_started", segment=0)) == expected


def test_what_waits_for_ever_expires_by_the_repair():
    bounds = {"old_end": 1, "clock_ms": 1, "producer_ms": 1, "is_size_limited": 0}
    walk = WaitingWalk("repair_retention_expires_what_waits", **bounds).prepare_copies()
    expire = act("leader_expires_segment_that_waits", leader=0)
    assert not walk.can(expire)
    walk.take(act("time_passes", ms=1), expire)
    assert walk.log.log_start_offset == 1


def test_every_replica_is_asked_again_by_the_repair():
    reading, repair = "text_only_the_leader_is_asked", "repair_every_replica_is_asked"
    for variants, expected in (((reading,), True), ((reading, repair), False)):
        walk = RefusingWalk(*variants, brokers=2, is_enabled_later=1)
        walk.state = walk.state.copy_for("a follower with an old segment")
        walk.state.broker[1].snapshot[1].is_registered = False
        assert walk.can(act("user_enables_remote_storage")) == expected


def test_a_follower_reads_the_remote_log_where_a_snapshot_is_missing():
    walk = is_built_on_old_segments(
        CreatedOnReadWalk(
            "repair_followers_keep_the_snapshot",
            "repair_read_the_remote_log_instead",
            brokers=2,
            old_end=2,
            lost_disks=1,
        )
    )
    assert walk.known(1) == {0: (0, [0]), 1: (0, [0])}
