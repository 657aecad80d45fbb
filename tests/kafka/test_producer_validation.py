"""What a broker answers to a producer's batch or to a marker."""

import pytest

from tests.kafka.producer_logs import Made
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.producer_validation import (
    AppendAnswer,
    duplicate_of,
    validate_batch,
    validate_marker,
    validate_replicated_batch,
)
from tierproof.model.language import NONE

APPENDED = AppendAnswer.APPENDED
DUPLICATE = AppendAnswer.DUPLICATE
OUT_OF_ORDER = AppendAnswer.OUT_OF_ORDER_SEQUENCE
INVALID_EPOCH = AppendAnswer.INVALID_PRODUCER_EPOCH
INVALID_TXN_STATE = AppendAnswer.INVALID_TXN_STATE
FENCED = AppendAnswer.TRANSACTION_COORDINATOR_FENCED
LAST = (1 << 31) - 1


def answer(made, first, last=None, *, epoch=0, transactional=False):
    """The leader's answer to a batch of producer 0."""
    end = first if last is None else last
    return validate_batch(made.log, 0, epoch, first, end, transactional)


@pytest.mark.parametrize(("epoch", "first"), [(0, 0), (0, 7), (3, 5), (0, LAST)])
def test_an_unknown_producer_begins_anywhere(epoch, first):
    assert answer(Made(), first, epoch=epoch) is APPENDED


def test_the_next_sequence_is_accepted_and_no_other():
    made = Made()
    made.append(0, 3)
    assert answer(made, 3) is APPENDED
    assert answer(made, 4) is OUT_OF_ORDER
    assert answer(made, 1) is OUT_OF_ORDER


def test_sequences_begin_again_after_the_largest():
    made = Made()
    made.append(LAST - 1, 2)
    assert answer(made, 0) is APPENDED
    assert answer(made, 1) is OUT_OF_ORDER


def test_a_batch_may_span_the_largest_sequence():
    made = Made()
    made.append(LAST, 3)
    assert made.batches() == [(LAST, 1, 2)]
    assert answer(made, LAST, 1) is DUPLICATE
    assert answer(made, 2) is APPENDED


def test_a_duplicate_has_exactly_the_sequences_of_a_remembered_batch():
    made = Made()
    made.append(0, 2)
    made.append(2, 2)
    assert answer(made, 0, 1) is DUPLICATE
    assert answer(made, 2, 3) is DUPLICATE
    assert answer(made, 0, 3) is OUT_OF_ORDER
    assert answer(made, 0, 0) is OUT_OF_ORDER


def test_five_batches_are_remembered():
    made = Made()
    for number in range(6):
        made.append(number)
    assert [one[0] for one in made.batches()] == [1, 2, 3, 4, 5]
    assert answer(made, 0) is OUT_OF_ORDER
    assert answer(made, 1) is DUPLICATE


def test_a_higher_epoch_begins_with_0():
    made = Made()
    made.append(0)
    assert answer(made, 0, epoch=1) is APPENDED
    assert answer(made, 1, epoch=1) is OUT_OF_ORDER


def test_a_lower_epoch_is_refused_even_as_a_duplicate():
    made = Made()
    made.append(0)
    made.append(0, epoch=1)
    assert answer(made, 0) is INVALID_EPOCH


def test_a_producer_of_which_only_a_marker_is_known_begins_with_0():
    made = Made()
    made.end(epoch=2)
    assert answer(made, 0, epoch=2) is APPENDED
    assert answer(made, 1, epoch=2) is OUT_OF_ORDER
    assert answer(made, 1, epoch=1) is INVALID_EPOCH


def test_data_outside_of_the_open_transaction_is_refused_by_leader_and_follower():
    made = Made()
    made.append(0, transactional=True)
    assert answer(made, 1) is INVALID_TXN_STATE
    assert answer(made, 1, transactional=True) is APPENDED
    assert validate_replicated_batch(made.log, 0, False) is INVALID_TXN_STATE
    made.end(BatchKind.ABORT)
    assert answer(made, 1) is APPENDED


def test_the_sequence_is_checked_before_the_transaction():
    made = Made()
    made.append(0, transactional=True)
    assert answer(made, 5) is OUT_OF_ORDER
    assert answer(made, 0) is DUPLICATE


@pytest.mark.parametrize(
    ("version", "epoch", "expected"),
    [
        (0, 1, INVALID_EPOCH),
        (1, 2, APPENDED),
        (1, 3, APPENDED),
        (2, 1, INVALID_EPOCH),
        (2, 2, INVALID_EPOCH),
        (2, 3, APPENDED),
    ],
)
def test_a_marker_of_an_open_transaction(version, epoch, expected):
    made = Made()
    made.append(0, epoch=2, transactional=True)
    assert validate_marker(made.log, 0, epoch, 0, version) is expected


def test_a_marker_of_version_2_may_come_again_once_its_transaction_has_ended():
    made = Made()
    made.append(0, transactional=True)
    made.end(epoch=1)
    assert validate_marker(made.log, 0, 1, 0, 2) is APPENDED
    assert validate_marker(made.log, 0, 0, 0, 2) is INVALID_EPOCH


def test_an_older_coordinator_is_fenced_after_the_epoch_of_the_producer():
    made = Made()
    made.end(epoch=1, coordinator_epoch=3)
    assert validate_marker(made.log, 0, 1, 2, 1) is FENCED
    assert validate_marker(made.log, 0, 0, 2, 1) is INVALID_EPOCH
    assert validate_marker(made.log, 0, 1, 3, 1) is APPENDED


def test_the_place_of_a_duplicate_is_told():
    made = Made()
    made.append(0)
    made.append(1)
    assert duplicate_of(made.entry, 0, 1, 1) == 1
    assert duplicate_of(made.entry, 1, 1, 1) == NONE
