"""What becomes of producer state at followers: fetched, truncated, built on the remote tier."""

from __future__ import annotations

from typing import Any

import pytest

from tests.designs.kip405_producers_steps import (
    ProducerWalk,
    acknowledge,
    build,
    end_transaction,
    fetch,
    receive,
    retry,
    send,
)
from tests.designs.step_by_step import act

EXPAND = act("leader_expands_in_sync", leader=0, follower=1)
LOSE_DISK = act("broker_loses_disk", broker=1)
COPIED = {
    "brokers": 2,
    "copied": 2,
    "local_start": 2,
    "lost_disks": 1,
    "elections": 2,
    "leader_epochs": 4,
}
"""The first two segments are in the remote tier alone; producer 1 has written in the second."""


def built(**bounds: int) -> ProducerWalk:
    """A follower with a new disk has begun its log after the second segment."""
    walk = ProducerWalk(**COPIED | bounds)
    return walk.take(LOSE_DISK).read(1).take(build())


def taken_over(**bounds: int) -> ProducerWalk:
    """That follower has caught up, is in sync, and leads."""
    return built(**bounds).catch_up().take(EXPAND).elect(1, 1, 0)


# -- fetching


def test_a_follower_learns_of_producers_from_the_batches_that_it_fetches():
    walk = ProducerWalk(brokers=2).write(1)
    assert walk.known(1)[1] == (0, [0])
    walk.take(fetch())
    assert walk.batches(1) == walk.batches(0)
    assert walk.known(1) == walk.known(0) == {0: (0, [0, 1]), 1: (0, [0, 1])}


def test_a_follower_takes_a_snapshot_where_its_leader_begins_a_segment():
    walk = ProducerWalk(brokers=2).write(1)
    assert 3 not in walk.snapshots(1)
    walk.take(fetch())
    assert walk.snapshots(1)[3] == walk.snapshots(0)[3] == {0: (0, 1), 1: (0, 0)}


def test_a_client_is_answered_once_every_replica_in_sync_has_its_batch():
    walk = ProducerWalk(brokers=2).take(acknowledge(1)).write(1)
    assert not walk.can(acknowledge(1))
    walk.catch_up()
    assert walk.can(acknowledge(1))


def test_the_next_leader_recognises_a_retry_of_what_it_fetched():
    walk = ProducerWalk(brokers=2, elections=1).write(1).take(fetch(), retry(1, 1))
    walk.elect(1, 1).take(receive(1, 1, leader=1))
    assert walk.batches(1) == walk.batches(0)
    assert walk.violated() == set()


def test_a_follower_that_truncates_forgets_what_it_truncates():
    walk = ProducerWalk(brokers=2, elections=1).write(1).elect(1, 1, 0)
    assert walk.known(0)[1] == (0, [0, 1])
    walk.take(act("follower_truncates", follower=0))
    assert walk.known(0) == {0: (0, [1]), 1: (0, [0])}
    assert sorted(walk.snapshots(0)) == [1, 2, 3]


def test_a_retry_of_what_was_truncated_is_appended_by_the_next_leader():
    walk = ProducerWalk(brokers=2, elections=1).write(1).take(retry(1, 1)).elect(1, 1, 0)
    walk.take(receive(1, 1, leader=1))
    assert walk.batches(1)[-1] == (1, 0, 1)
    assert walk.violated() == set()


def test_a_restarted_follower_fetches_on_with_what_its_disk_has():
    walk = ProducerWalk(brokers=2, restarts=1).take(act("broker_restarts", broker=1)).write(1)
    assert walk.known(1) == {0: (0, [1]), 1: (0, [0])}
    assert walk.take(fetch()).known(1) == {0: (0, [1]), 1: (0, [0, 1])}


def test_after_an_orderly_shutdown_too():
    walk = ProducerWalk(brokers=2, shutdowns=1).take(act("broker_shuts_down", broker=1))
    assert walk.known(1) == {0: (0, [1]), 1: (0, [0])}
    assert walk.snapshots(1)[3] == {0: (0, 1), 1: (0, 0)}


# -- a log that begins anew


def test_a_new_disk_has_neither_producers_nor_snapshots():
    walk = ProducerWalk(**COPIED).take(LOSE_DISK)
    assert walk.batches(1) == []
    assert walk.known(1) == {}
    assert walk.snapshots(1) == {}


def test_a_follower_that_begins_at_the_log_start_knows_what_it_fetches():
    walk = ProducerWalk(brokers=2, lost_disks=1, record_deletions=1)
    walk.take(act("user_deletes_records", leader=0, offset=2), LOSE_DISK)
    walk.take(act("follower_begins_at_log_start", follower=1))
    assert walk.known(1) == {}
    walk.take(fetch())
    assert walk.known(1) == {0: (0, [1])}


def test_a_follower_builds_on_the_remote_tier_and_knows_nobody_though_the_object_has_a_snapshot():
    walk = built()
    assert walk.stored(1) == {0: (0, 0), 1: (0, 0)}
    assert walk.state.broker[1].log_end_offset == 2
    assert walk.known(1) == {}


def empty_snapshot(state: Any) -> None:
    """The snapshot stored with the second segment is empty."""
    for entry in state.segment[1].snapshot:
        entry.is_known = False


def no_snapshot(state: Any) -> None:
    """No snapshot is stored with the second segment."""
    empty_snapshot(state)
    state.segment[1].has_snapshot = False


@pytest.mark.parametrize("change", [None, empty_snapshot, no_snapshot])
def test_it_knows_nobody_whatever_the_snapshot_holds(change: Any):
    walk = ProducerWalk(**COPIED).take(LOSE_DISK).read(1)
    if change is not None:
        walk.state = walk.state.copy_for("a test")
        change(walk.state)
    walk.take(build())
    assert walk.known(1) == {}
    assert walk.snapshots(1) == {2: {}}


def test_with_the_repair_it_knows_what_the_snapshot_holds():
    walk = ProducerWalk("repair_followers_keep_the_snapshot", **COPIED)
    walk.take(LOSE_DISK).read(1).take(build())
    assert walk.known(1) == {0: (0, [0]), 1: (0, [0])}
    walk.catch_up().take(EXPAND).elect(1, 1, 0)
    walk.take(retry(1, 0), receive(1, 0, leader=1))
    assert walk.batches(1) == [(0, 0, 1)]
    assert walk.violated() == set()


def test_it_then_knows_the_producers_whose_batches_it_fetches_and_no_others():
    walk = built().take(fetch())
    assert walk.known(1) == {0: (0, [1])}
    assert walk.known(0) == {0: (0, [0, 1]), 1: (0, [0])}


def test_when_it_leads_it_appends_a_retry_of_what_is_committed_in_the_remote_tier():
    walk = taken_over()
    assert "leader_knows_every_producer" in walk.violated()
    walk.take(retry(1, 0), receive(1, 0, leader=1)).catch_up(0)
    assert walk.batches(0) == [(0, 0, 1), (1, 0, 0)]
    assert "each_batch_is_committed_once" in walk.violated()


def test_when_it_leads_it_appends_what_overtook_another_batch():
    walk = taken_over()
    walk.take(send(1), send(1), receive(1, 2, leader=1)).catch_up(0)
    assert walk.batches(1) == [(0, 0, 1), (1, 0, 2)]
    assert "committed_sequences_have_no_gap" in walk.violated()


def test_a_marker_alone_makes_it_refuse_the_next_batch_of_its_producer():
    walk = ProducerWalk(**COPIED | {"local_start": 0}, is_transactional=1, markers=1)
    walk.take(acknowledge(1)).remove_locally()
    walk.take(LOSE_DISK).read(1).take(build()).catch_up().take(EXPAND).elect(1, 1, 0)
    walk.take(end_transaction(1, is_commit=1, leader=1))
    assert walk.known(1)[1] == (0, [])
    assert "leader_accepts_the_next_batch" in walk.violated()
    walk.take(send(1), receive(1, 1, leader=1))
    assert walk.batches(1) == [(0, 0, 1), (1, 0, -1)]


def test_a_follower_does_not_build_while_its_log_reaches_the_local_log_of_the_leader():
    walk = ProducerWalk(brokers=2, lost_disks=1).take(LOSE_DISK)
    assert not walk.can(build())
    walk.catch_up()
    assert walk.known(1) == walk.known(0)


def test_a_zombie_leader_refuses_by_what_it_knew_and_commits_nothing():
    walk = ProducerWalk(brokers=2, elections=1, shrinks=0).elect(1, 1).write(1)
    assert walk.batches(0)[-1] == (1, 0, 1)
    assert not walk.can(fetch())
    assert walk.log.high_watermark == 3
