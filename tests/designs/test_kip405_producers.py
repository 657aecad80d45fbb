"""What becomes of producer state at one broker: batches, snapshots, copies, restarts, by name."""

from __future__ import annotations

import pytest

from tests.designs.kip405_producers_steps import (
    CRASH,
    FAIL_AGAIN,
    SHUT_DOWN,
    ProducerWalk,
    acknowledge,
    begin_epoch,
    end_transaction,
    receive,
    retry,
    send,
)
from tests.designs.step_by_step import act
from tierproof.model.designs.kip405_producers.restarting import load_log_and_producers
from tierproof.model.kafka.producer_snapshots import remove_all_snapshots

FIRST_THREE = [(0, 0, 0), (1, 0, 0), (0, 0, 1)]
EXPIRING = {"clock_ms": 3, "producer_ms": 3, "expiration_ms": 2}
"""A record is as old as its offset says: at time 3 producer 1 expires, and producer 0 does not."""
TRANSACTIONAL = {"is_transactional": 1, "markers": 3}


# -- which batches a leader appends


def test_the_partition_begins_with_batches_of_all_producers_in_turn():
    walk = ProducerWalk()
    assert walk.batches() == FIRST_THREE
    assert walk.known() == {0: (0, [0, 1]), 1: (0, [0])}
    assert walk.segments() == [0, 1, 2]
    assert walk.snapshots() == {1: {0: (0, 0)}, 2: {0: (0, 0), 1: (0, 0)}}


def test_the_next_batch_is_appended_and_remembered():
    walk = ProducerWalk().write(1)
    assert walk.batches() == [*FIRST_THREE, (1, 0, 1)]
    assert walk.known()[1] == (0, [0, 1])


def test_a_retry_that_the_leader_remembers_is_answered_and_not_appended():
    walk = ProducerWalk().take(retry(1, 0), receive(1, 0))
    assert walk.batches() == FIRST_THREE
    assert not walk.can(receive(1, 0))
    walk.take(acknowledge(1))
    assert not walk.can(retry(1, 0))


def test_a_client_is_answered_for_its_batches_in_their_order():
    walk = ProducerWalk().write(1)
    assert walk.state.client[1].acknowledged_end == 0
    walk.take(acknowledge(1), acknowledge(1))
    assert not walk.can(acknowledge(1))
    assert walk.state.client[1].acknowledged_end == walk.state.client[1].sent_end == 2


def test_a_batch_that_overtakes_another_is_refused_and_its_request_is_gone():
    walk = ProducerWalk().take(send(1), send(1), receive(1, 2))
    assert walk.batches() == FIRST_THREE
    assert not walk.can(receive(1, 2))
    walk.take(receive(1, 1), retry(1, 2), receive(1, 2))
    assert walk.batches() == [*FIRST_THREE, (1, 0, 1), (1, 0, 2)]


def test_a_client_has_no_more_requests_unanswered_than_it_may():
    walk = ProducerWalk(requests=1)
    assert not walk.can(send(1))
    assert walk.take(acknowledge(1)).can(send(1))


def test_a_request_of_an_epoch_that_is_over_is_fenced():
    walk = ProducerWalk().take(retry(0, 1), begin_epoch(0)).write(0)
    assert walk.known()[0] == (1, [0])
    walk.take(receive(0, 1, epoch=0))
    assert walk.batches() == [*FIRST_THREE, (0, 1, 0)]


def test_a_request_of_an_old_epoch_that_arrives_before_any_of_the_new_one_is_judged_as_before():
    walk = ProducerWalk().take(send(0), begin_epoch(0), receive(0, 2, epoch=0))
    assert walk.batches() == [*FIRST_THREE, (0, 0, 2)]


def test_an_epoch_begins_at_sequence_0():
    walk = ProducerWalk().take(begin_epoch(0), send(0), send(0), receive(0, 1, epoch=1))
    assert walk.batches() == FIRST_THREE
    walk.take(receive(0, 0, epoch=1))
    assert walk.batches() == [*FIRST_THREE, (0, 1, 0)]


def test_a_producer_that_is_silent_for_long_enough_is_forgotten_and_then_its_retry_is_new():
    walk = ProducerWalk(**EXPIRING).take(retry(1, 0), act("time_passes", ms=3))
    assert not walk.violated()
    walk.take(act("broker_expires_producers", broker=0))
    assert walk.known() == {0: (0, [0, 1])}
    walk.take(receive(1, 0))
    assert walk.batches() == [*FIRST_THREE, (1, 0, 0)]


def test_an_unknown_producer_may_begin_with_any_sequence_and_epoch():
    walk = ProducerWalk(**EXPIRING).take(act("time_passes", ms=3), begin_epoch(0))
    walk.take(act("broker_expires_producers", broker=0))
    walk.take(send(1), send(1), receive(1, 2))
    assert walk.batches() == [*FIRST_THREE, (1, 0, 2)]
    assert walk.known()[1] == (0, [2])


# -- snapshots, and copies with them


def test_a_roll_takes_a_snapshot_of_all_that_is_before_the_new_segment():
    walk = ProducerWalk().write(1)
    assert walk.segments() == [0, 1, 2, 3]
    assert walk.snapshots()[3] == {0: (0, 1), 1: (0, 0)}


def test_the_snapshots_of_segments_are_deleted_with_them():
    walk = ProducerWalk().prepare_copies()
    walk.copy()
    walk.copy()
    walk.remove_locally()
    assert walk.segments() == [2]
    assert list(walk.snapshots()) == [2]
    assert walk.batches() == [(0, 0, 1)]
    assert walk.known() == {0: (0, [0, 1]), 1: (0, [0])}


def test_a_copy_stores_the_snapshot_of_the_offset_after_its_segment():
    walk = ProducerWalk().prepare_copies()
    assert [walk.stored(walk.copy()) for _ in range(2)] == [
        {0: (0, 0)},
        {0: (0, 0), 1: (0, 0)},
    ]
    assert walk.violated() == set()


def test_an_upgrade_finds_no_snapshot_of_old_segments_but_that_of_the_shutdown():
    assert list(ProducerWalk(old_end=1).snapshots()) == [2, 3]
    assert list(ProducerWalk(old_end=2).snapshots()) == [3]
    assert ProducerWalk(old_end=2).snapshots()[3] == {0: (0, 1), 1: (0, 0)}


def test_a_copy_without_snapshot_is_published_and_fails_and_its_entry_stays():
    walk = ProducerWalk(old_end=1).prepare_copies()
    walk.take(act("copy_task_chooses_segment", broker=0))
    assert walk.violated_by(act("copy_publishes_started", segment=0)) == {
        "inputs_exist_before_copy_is_published"
    }
    walk.read(0)
    assert not walk.can(act("copy_stores_object", segment=0))
    walk.take(act("copy_misses_snapshot", segment=0))
    assert walk.metadata() == [(0, "COPY_SEGMENT_STARTED")]
    assert not walk.state.segment[0].object_exists
    assert walk.log.copied_offset == -1


def test_every_retry_of_such_a_copy_publishes_another_entry():
    walk = ProducerWalk(old_end=1, failed_attempts=3).prepare_copies()
    assert [walk.miss() for _ in range(3)] == [0, 1, 2]
    assert walk.metadata() == [(id, "COPY_SEGMENT_STARTED") for id in range(3)]
    assert [walk.state.segment[id].start_offset for id in range(3)] == [0, 0, 0]


def test_it_fails_for_ever_and_later_segments_with_snapshots_are_not_copied():
    walk = ProducerWalk(old_end=1).prepare_copies()
    walk.miss()
    assert walk.can(FAIL_AGAIN)
    assert not walk.can(act("copy_task_chooses_segment", broker=0))
    assert 2 in walk.snapshots()


def test_a_segment_with_snapshot_does_not_fail():
    walk = ProducerWalk().prepare_copies()
    assert not walk.can(FAIL_AGAIN)
    id = walk.begin_copy()
    assert not walk.can(act("copy_misses_snapshot", segment=id))


def test_nothing_is_copied_until_the_topic_is_tiered_and_the_broker_knows():
    walk = ProducerWalk(is_enabled_later=1)
    first = act("copy_task_finds_log_start", broker=0)
    assert not walk.can(first)
    walk.take(act("user_enables_remote_storage"))
    assert not walk.can(first)
    walk.take(act("broker_learns_tiering", broker=0)).read(0).prepare_copies()
    assert walk.stored(walk.copy()) == {0: (0, 0)}


# -- restarts


def test_a_crash_is_recovered_from_the_newest_snapshot_and_the_log_after_it():
    walk = ProducerWalk(restarts=1).write(0).take(CRASH)
    assert walk.known() == {0: (0, [2]), 1: (0, [0])}
    assert walk.batches() == [*FIRST_THREE, (0, 0, 2)]
    assert walk.violated() == set()


def test_without_a_snapshot_a_crash_is_recovered_from_the_whole_log():
    walk = ProducerWalk(old_end=2, restarts=1).take(CRASH)
    assert walk.known() == {0: (0, [1]), 1: (0, [0])}
    assert list(walk.snapshots()) == [1, 2, 3]


def test_after_a_shutdown_the_snapshot_of_the_log_end_is_loaded():
    walk = ProducerWalk(shutdowns=1).write(0).take(SHUT_DOWN)
    assert walk.snapshots()[4] == {0: (0, 2), 1: (0, 0)}
    assert walk.known() == {0: (0, [2]), 1: (0, [0])}


def test_a_snapshot_has_the_last_batch_alone_so_an_older_retry_is_refused_after_a_restart():
    walk = ProducerWalk(shutdowns=1).write(1).take(retry(1, 0), SHUT_DOWN)
    assert walk.known()[1] == (0, [1])
    walk.take(receive(1, 0))
    assert walk.batches() == [*FIRST_THREE, (1, 0, 1)]


def test_a_clean_restart_without_any_snapshot_knows_no_producer_and_scans_no_log():
    log = ProducerWalk().state.copy_for("a test").broker[0]
    remove_all_snapshots(log)
    log.is_shut_down = True
    load_log_and_producers(log)
    assert not any(entry.is_known for entry in log.producer)
    files = [(n, found) for n, found in enumerate(log.snapshot) if found.is_registered]
    assert [n for n, _ in files] == [1, 2, 3]
    assert not any(entry.is_known for _, found in files for entry in found.producer)


def test_a_crash_without_any_snapshot_scans_the_log():
    log = ProducerWalk().state.copy_for("a test").broker[0]
    remove_all_snapshots(log)
    load_log_and_producers(log)
    assert [entry.is_known for entry in log.producer] == [True, True]


def test_what_local_retention_removed_is_known_from_the_snapshot_after_a_crash():
    walk = ProducerWalk(restarts=1).prepare_copies()
    walk.copy()
    walk.copy()
    walk.remove_locally().take(CRASH)
    assert walk.batches() == [(0, 0, 1)]
    assert walk.known() == {0: (0, [1]), 1: (0, [0])}


# -- transactions


def test_an_open_transaction_holds_up_the_copies_of_its_records():
    walk = ProducerWalk(**TRANSACTIONAL).prepare_copies()
    choose = act("copy_task_chooses_segment", broker=0)
    assert not walk.can(choose)
    walk.take(end_transaction(0, is_commit=0))
    assert walk.can(choose)
    walk.copy()
    assert not walk.can(choose)


def test_a_transaction_is_committed_once_all_its_batches_are_acknowledged():
    walk = ProducerWalk(**TRANSACTIONAL)
    assert not walk.can(end_transaction(1, is_commit=1))
    walk.take(acknowledge(1), end_transaction(1, is_commit=1))
    assert walk.known()[1] == (0, [0])
    assert walk.batches()[-1] == (1, 0, -1)


def test_a_marker_of_a_new_epoch_makes_a_broker_forget_the_batches_before_it():
    walk = ProducerWalk(**TRANSACTIONAL).take(begin_epoch(0), end_transaction(0, is_commit=0))
    assert walk.known()[0] == (1, [])
    assert walk.write(0).known()[0] == (1, [0])


@pytest.mark.parametrize("is_open", [True, False])
def test_a_producer_with_an_open_transaction_does_not_expire(is_open: bool):
    walk = ProducerWalk(**EXPIRING, **TRANSACTIONAL)
    if not is_open:
        walk.take(end_transaction(1, is_commit=0))
    walk.take(act("time_passes", ms=3))
    assert walk.can(act("broker_expires_producers", broker=0)) != is_open
