"""Kafka's producer state: its findings step by step, and which rule keeps which property."""

from __future__ import annotations

import pytest

from tests.designs.producer_state_steps import (
    CRASH,
    EXPIRE,
    LATER,
    ROLL,
    SHUT_DOWN,
    STORE,
    WRITTEN,
    WRITTEN_TWICE_SENT,
    append,
    bump,
    corrupt,
    duplicate,
    empty,
    known,
    load,
    lose,
    marker,
    recover,
    refuse,
    retry,
    send,
    walk_of,
)
from tests.designs.step_by_step import Walk, act
from tierproof.model.designs.producer_state import DESIGN, RECORDED
from tierproof.model.kafka.producer_entries import last_sequence
from tierproof.model.kafka.producer_state import SnapshotFile
from tierproof.model.language import NONE, Step

TWICE = {"no_sequence_is_accepted_twice", "accepted_sequences_follow_each_other"}


def files(walk: Walk) -> list[int]:
    """The offsets that have a snapshot file."""
    snapshots = walk.state.log.snapshot
    return [at for at, one in enumerate(snapshots) if one.file != SnapshotFile.ABSENT]


# -- what it can do


def test_a_retry_is_answered_and_not_appended() -> None:
    walk = walk_of("smoke")
    walk.take(*WRITTEN_TWICE_SENT)
    assert not walk.can(append())
    walk.take(duplicate())
    assert walk.state.log.log_end_offset == 1
    assert len(walk.state.request) == 0


def test_a_batch_before_the_remembered_ones_is_out_of_order_and_not_a_duplicate() -> None:
    walk = walk_of("smoke", remembered_batches=1)
    walk.take(*WRITTEN_TWICE_SENT, send(), append(1))
    assert not walk.can(duplicate())
    walk.take(refuse())
    assert not walk.state.client[0].has_failed


def test_a_client_whose_only_copy_is_refused_bumps_its_epoch() -> None:
    walk = walk_of("in_flight", producer_epochs=2, epoch_bumps=1)
    walk.take(send(), send(), append(1), refuse())
    assert walk.state.client[0].has_failed
    assert not walk.can(send())
    walk.take(bump(), *WRITTEN)
    assert walk.state.log.producer[0].epoch == 1
    assert last_sequence(walk.state.log.producer[0]) == 0


def test_the_first_of_two_copies_may_be_refused_and_the_second_accepted() -> None:
    walk = walk_of("in_flight", retries=1, sequences=3)
    walk.take(*WRITTEN, send(), send(), retry(1), refuse(1))
    assert not walk.state.client[0].has_failed
    walk.take(append(), append())
    assert walk.state.log.log_end_offset == 3
    assert walk.violated() == set()


def test_a_zombie_is_fenced_by_the_new_epoch() -> None:
    walk = walk_of("zombies")
    walk.take(send(), bump(), send(), append(1))
    assert not walk.can(append())
    walk.take(refuse())
    assert not walk.state.client[0].has_failed


def test_a_zombie_is_not_fenced_before_the_new_epoch_has_arrived() -> None:
    walk = walk_of("zombies")
    walk.take(send(), bump(), append(), send(), append())
    assert walk.state.log.producer[0].epoch == 1
    assert walk.violated() == set()


def test_a_transaction_ends_with_its_marker() -> None:
    walk = walk_of("transactions")
    walk.take(send(transactional=True), append())
    assert walk.state.log.producer[0].transaction_start == 0
    walk.take(marker(), append())
    assert walk.state.log.producer[0].transaction_start == NONE


def test_a_marker_of_version_2_needs_an_epoch_of_its_own() -> None:
    walk = walk_of("bumped_markers")
    walk.take(send(transactional=True), append(), marker(2))
    assert walk.can(refuse())
    walk.take(bump(), refuse(), marker(2), append())
    assert walk.state.log.producer[0].epoch == 1


def test_a_marker_of_version_2_may_be_written_again() -> None:
    walk = walk_of("bumped_markers")
    walk.take(send(transactional=True), append(), bump(), marker(2), append(), marker(2), append())
    assert walk.state.log.log_end_offset == 3


def test_a_follower_appends_what_the_leader_accepts_and_nothing_else() -> None:
    walk = walk_of("smoke")
    walk.take(*WRITTEN_TWICE_SENT)
    assert not walk.can(act("follower_appends_batch", place=0, offset=1))
    walk.take(send())
    assert not walk.can(act("follower_appends_batch", place=1, offset=0))
    walk.take(act("follower_appends_batch", place=1, offset=1))
    assert last_sequence(walk.state.log.producer[0]) == 1


def test_a_roll_and_a_shutdown_take_a_snapshot() -> None:
    walk = walk_of("default")
    walk.take(*WRITTEN, ROLL)
    assert files(walk) == [1]
    walk.take(*WRITTEN, SHUT_DOWN)
    assert files(walk) == [1, 2]
    assert known(walk) == [False, False]
    assert walk.violated_by(load()) == set()
    assert known(walk) == [True, False]


def test_a_crash_takes_none_and_recovery_reads_the_log() -> None:
    walk = walk_of("default")
    walk.take(*WRITTEN, ROLL, *WRITTEN, CRASH)
    assert files(walk) == [1]
    assert walk.violated_by(recover(1)) == set()
    assert last_sequence(walk.state.log.producer[0]) == 1
    assert files(walk) == [1, 2]


def test_a_corrupt_snapshot_is_skipped() -> None:
    walk = walk_of("lost")
    walk.take(*WRITTEN, ROLL, *WRITTEN, ROLL, CRASH, corrupt(2))
    assert walk.violated_by(recover(2)) == set()
    assert last_sequence(walk.state.log.producer[0]) == 1


def test_a_segment_below_the_log_start_is_deleted_with_its_snapshot() -> None:
    walk = walk_of("deleted", offsets=4, sequences=4)
    walk.take(*WRITTEN, ROLL, *WRITTEN, ROLL, act("user_deletes_records", offset=2))
    assert files(walk) == [1, 2]
    walk.take(act("broker_deletes_segments"))
    assert files(walk) == [2]
    assert [at for at, starts in enumerate(walk.state.log.starts_segment) if starts] == [2]
    assert known(walk) == [True]


def test_a_producer_does_not_expire_within_its_transaction() -> None:
    walk = walk_of("expired", transactions=1)
    walk.take(send(transactional=True), append(), LATER)
    assert not walk.can(EXPIRE)
    walk.take(marker(1), append())
    assert not walk.can(EXPIRE)  # the marker is of now


# -- late copies, once the state is lost


def test_a_late_copy_is_appended_after_its_producer_has_expired() -> None:
    walk = walk_of("expired")
    walk.take(*WRITTEN_TWICE_SENT, LATER, EXPIRE)
    assert walk.violated_after(append()) == TWICE


def test_a_zombie_is_appended_after_its_producer_has_expired() -> None:
    walk = walk_of("expired")
    walk.take(send(), bump(), send(), append(1), LATER, EXPIRE)
    assert walk.violated_after(append()) == {"accepted_epochs_do_not_fall"}


def test_an_empty_snapshot_hides_the_producers_before_it() -> None:
    walk = walk_of("empty")
    walk.take(*WRITTEN_TWICE_SENT, ROLL, lose(1), empty(1), CRASH)
    assert walk.violated_by(recover(1)) == {"recovery_restores_producers"}
    assert walk.violated_after(append()) == TWICE


def test_a_lost_snapshot_alone_hides_nothing() -> None:
    walk = walk_of("empty")
    walk.take(*WRITTEN_TWICE_SENT, ROLL, lose(1), CRASH)
    assert walk.violated_by(recover(1)) == set()
    assert walk.can(duplicate())


def test_an_empty_snapshot_is_skipped_with_the_repair() -> None:
    walk = walk_of("empty", "repair_skip_empty_snapshots")
    walk.take(*WRITTEN_TWICE_SENT, ROLL, lose(1), empty(1), CRASH)
    assert walk.violated_by(recover(1)) == set()
    assert walk.can(duplicate())


def test_an_empty_snapshot_below_a_good_one_hides_nothing() -> None:
    walk = walk_of("empty", offsets=4, sequences=4)
    walk.take(*WRITTEN, ROLL, lose(1), *WRITTEN, ROLL, empty(1), CRASH)
    assert walk.violated_by(recover(2)) == set()
    assert last_sequence(walk.state.log.producer[0]) == 1


def test_a_clean_restart_without_snapshots_forgets_every_producer() -> None:
    walk = walk_of("clean")
    walk.take(*WRITTEN_TWICE_SENT, SHUT_DOWN, lose(1))
    assert walk.violated_by(load()) == {"load_restores_producers"}
    assert files(walk) == [1]
    assert walk.violated_after(append()) == TWICE


def test_one_empty_snapshot_makes_a_clean_restart_read_the_log() -> None:
    walk = walk_of("clean_empty")
    walk.take(*WRITTEN, ROLL, *WRITTEN, SHUT_DOWN, lose(1), lose(2))
    forgetful = walk.violated_by(load())
    assert forgetful == {"load_restores_producers"}
    walk = walk_of("clean_empty")
    walk.take(*WRITTEN, ROLL, *WRITTEN, SHUT_DOWN, lose(1), lose(2), empty(1))
    assert walk.violated_by(load()) == set()
    assert last_sequence(walk.state.log.producer[0]) == 1


def test_deleted_records_take_their_producer_along_even_in_a_clean_restart() -> None:
    walk = walk_of("deleted")
    walk.take(*WRITTEN_TWICE_SENT, act("user_deletes_records", offset=1), SHUT_DOWN)
    assert files(walk) == []
    assert walk.violated_by(load(1)) == {"load_restores_producers"}
    assert walk.violated_after(append()) == TWICE


def test_the_second_batch_of_a_new_producer_arrives_first() -> None:
    walk = walk_of("in_flight")
    walk.take(send(), send())
    assert walk.violated_after(append(1)) == {"accepted_sequences_follow_each_other"}
    assert walk.can(refuse())


def test_unknown_producers_begin_with_0_by_the_repair() -> None:
    walk = walk_of("in_flight", "repair_unknown_producers_begin_at_zero")
    walk.take(send(), send())
    assert not walk.can(append(1))
    assert walk.violated_after(append(), append()) == set()


def test_a_follower_that_empties_its_log_forgets_producers() -> None:
    walk = walk_of("emptied")
    walk.take(*WRITTEN_TWICE_SENT, act("follower_truncates_fully", offset=1, log_start=1))
    assert (known(walk), files(walk)) == ([False], [])
    assert walk.violated_after(append()) == TWICE


EMPTY_LOG = (*WRITTEN_TWICE_SENT, act("follower_truncates_fully", offset=1, log_start=1))
DELETED_LOG = (
    *(*WRITTEN_TWICE_SENT, ROLL),
    *(act("user_deletes_records", offset=1), act("broker_deletes_segments")),
)
FAULTS = {"crashes": 1, "shutdowns": 1, "lost_snapshots": 1, "corrupt_snapshots": 1}


@pytest.mark.parametrize(
    "steps",
    [
        (*EMPTY_LOG, lose(1), SHUT_DOWN, load(1)),
        (*EMPTY_LOG, SHUT_DOWN, lose(1), load(1)),
        (*EMPTY_LOG, CRASH, lose(1), recover(1, 1)),
        (*DELETED_LOG, SHUT_DOWN, lose(1), load(1)),
        (*EMPTY_LOG, SHUT_DOWN, corrupt(1), load(1)),
    ],
    ids=["before", "after", "crash", "deleted", "corrupt"],
)
def test_with_every_repair_a_lost_snapshot_of_an_empty_log_forgets_producers(
    steps: tuple[Step, ...],
) -> None:
    walk = walk_of("emptied", "repair_all", record_deletions=1, **FAULTS)
    walk.take(*steps)
    assert known(walk) == [False]
    assert walk.violated_after(append()) == TWICE


@pytest.mark.parametrize("steps", [EMPTY_LOG, DELETED_LOG], ids=["emptied", "deleted"])
def test_with_every_repair_an_empty_log_whose_snapshot_is_there_knows_its_producers(
    steps: tuple[Step, ...],
) -> None:
    walk = walk_of("emptied", "repair_all", record_deletions=1, **FAULTS)
    walk.take(*steps, SHUT_DOWN)
    assert walk.violated_by(load(1)) == set()
    assert walk.can(duplicate())


REBUILD = act("follower_rebuilds", offset=1, log_start=0)


def test_a_follower_removes_the_snapshot_that_it_has_fetched() -> None:
    walk = walk_of("rebuilt")
    walk.take(*WRITTEN_TWICE_SENT, STORE)
    assert walk.violated_by(REBUILD) == {"fetched_producers_are_known"}
    assert walk.violated_after(append()) == TWICE


def test_a_follower_keeps_the_fetched_snapshot_with_the_repair() -> None:
    walk = walk_of("rebuilt", "repair_followers_keep_the_snapshot")
    walk.take(*WRITTEN_TWICE_SENT, STORE)
    assert walk.violated_by(REBUILD) == set()
    assert walk.can(duplicate())


def test_the_recordings_take_the_same_actions_and_more() -> None:
    explored = {one.name for one in DESIGN.actions}
    added = {one.name for one in RECORDED.actions} - explored
    assert explored <= {one.name for one in RECORDED.actions}
    assert added == {
        "follower_rebuilds_as_intended",
        "producer_is_at",
        "store_has_batch",
        "store_has_empty_snapshot",
        "store_has_producer",
        "store_has_transaction",
    }
