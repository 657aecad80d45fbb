"""What a truncation leaves of producer state, step by step, and what a marker leaves of it."""

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
    duplicate,
    known,
    load,
    lose,
    marker,
    recover,
    refuse,
    send,
    walk_of,
)
from tests.designs.step_by_step import act
from tierproof.model.designs.producer_state.state import Broker
from tierproof.model.kafka.producer_entries import last_sequence
from tierproof.model.language import NONE, Step

TWICE = {"no_sequence_is_accepted_twice", "accepted_sequences_follow_each_other"}


def test_a_truncation_of_the_only_batch_leaves_a_gap() -> None:
    walk = walk_of("truncated")
    walk.take(*WRITTEN, act("follower_truncates", offset=0), send())
    assert walk.violated_after(append()) == {"accepted_sequences_follow_each_other"}


def test_a_truncation_that_leaves_a_batch_leaves_no_gap() -> None:
    walk = walk_of("truncated", sequences=3)
    walk.take(*WRITTEN, *WRITTEN, act("follower_truncates", offset=1), send())
    assert last_sequence(walk.state.log.producer[0]) == 0
    assert walk.can(refuse())


TO_LOG_START = (
    *WRITTEN_TWICE_SENT,
    act("user_deletes_records", offset=1),
    *(send(), append(1)),
    act("follower_truncates", offset=1),
)


def test_a_truncation_to_the_log_start_forgets_producers() -> None:
    walk = walk_of("deleted_truncated")
    walk.take(*TO_LOG_START)
    assert known(walk) == [False]
    assert walk.violated_after(append()) == TWICE


def test_with_the_repair_it_reads_the_deleted_records_that_are_still_there() -> None:
    walk = walk_of("deleted_truncated", "repair_read_deleted_records")
    walk.take(*TO_LOG_START)
    assert known(walk) == [True]
    assert walk.can(duplicate())


EXPIRED = (
    *(send(transactional=True), append(), ROLL, marker(), append()),
    act("leader_appends_plain_batch", records=1),
    *(LATER, EXPIRE),
)


def test_a_truncation_opens_an_ended_transaction_if_all_producers_have_expired() -> None:
    walk = walk_of("expired_truncated")
    walk.take(*EXPIRED)
    assert walk.violated_after(act("follower_truncates", offset=2)) == {
        "ended_transactions_hold_up_no_reader"
    }
    assert walk.state.log.producer[0].transaction_start == 0


@pytest.mark.parametrize(
    ("restarts", "is_open"),
    [((SHUT_DOWN, load()), True), ((CRASH, recover(1)), False)],
    ids=["clean", "crash"],
)
def test_a_clean_restart_keeps_that_transaction_open_and_a_recovery_ends_it(
    restarts: tuple[Step, Step], is_open: bool
) -> None:
    walk = walk_of("expired_truncated", shutdowns=1, crashes=1)
    walk.take(*EXPIRED, act("follower_truncates", offset=2), *restarts)
    assert (walk.state.log.producer[0].transaction_start == 0) is is_open


def test_with_the_repair_a_truncation_reads_the_marker_after_the_snapshot() -> None:
    repair = "repair_truncation_reads_the_log_after_a_snapshot"
    walk = walk_of("expired_truncated", repair)
    walk.take(*EXPIRED)
    assert walk.violated_after(act("follower_truncates", offset=2)) == set()


def test_a_snapshot_from_before_a_marker_is_not_that_of_the_log_end() -> None:
    walk = walk_of("transactions", tiered=1, rebuilds=1, producer_epochs=2, epoch_bumps=1)
    walk.take(marker(), append(), STORE, bump(), marker(), append())
    assert not walk.can(act("follower_rebuilds", offset=2, log_start=0))
    walk.take(STORE)
    assert walk.can(act("follower_rebuilds", offset=2, log_start=0))


def test_with_every_repair_a_marker_alone_does_not_keep_a_sequence_over_a_restart() -> None:
    """No finding tells it yet: the entry of the snapshot has expired, the marker after it has not.

    The producer's next batch is refused, and its client begins a new epoch.
    """
    walk = walk_of("expired_truncated", "repair_all", crashes=1)
    walk.take(send(transactional=True), append(), marker(), append(), LATER, ROLL)
    walk.take(marker(), append(), CRASH)
    assert walk.violated_by(recover(2)) == {"recovery_restores_producers"}
    assert (known(walk), last_sequence(walk.state.log.producer[0])) == ([True], NONE)
    walk.take(send(transactional=True), refuse())
    assert walk.state.client[0].has_failed


GONE = (*WRITTEN, ROLL, *WRITTEN, lose(1), act("follower_truncates", offset=1))


def test_a_lost_snapshot_takes_the_log_directory_offline_at_a_truncation() -> None:
    walk = walk_of("gone")
    assert walk.violated_after(*GONE) == {"log_directory_stays_online"}
    assert not walk.can(act("follower_truncates", offset=0))


def test_with_the_repair_an_older_snapshot_or_the_log_is_enough() -> None:
    walk = walk_of("gone", "repair_skip_lost_snapshots")
    assert walk.violated_after(*GONE) == set()
    assert (walk.state.broker, known(walk)) == (Broker.RUNNING, [True])
