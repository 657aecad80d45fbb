"""What a broker remembers of a producer, when it forgets one, what a producer holds up."""

import pytest

from tests.kafka.producer_logs import Made
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.producer_entries import (
    SEQUENCES,
    expire_producers,
    forget_entries,
    last_data_offset,
    last_sequence,
    last_stable_offset_of_producers,
    later_sequence,
    remember_batch,
)
from tierproof.model.language import NONE


@pytest.mark.parametrize(
    ("sequence", "records", "later"),
    [(0, 0, 0), (5, 3, 8), (SEQUENCES - 1, 1, 0), (SEQUENCES - 2, 4, 2)],
)
def test_a_sequence_that_many_records_later(sequence, records, later):
    assert later_sequence(sequence, records) == later


def test_an_entry_has_the_last_sequence_and_offset():
    made = Made()
    assert (last_sequence(made.entry), last_data_offset(made.entry)) == (NONE, NONE)
    made.append(4, 3)
    assert (last_sequence(made.entry), last_data_offset(made.entry)) == (6, 2)
    assert made.log.producer_map_end == 3


def test_a_batch_without_a_producer_only_moves_the_map_end():
    made = Made()
    batch = made.log.batch[0]
    batch.kind, batch.last_offset = BatchKind.DATA, 4
    remember_batch(made.log, 0)
    assert made.log.producer_map_end == 5
    assert made.known() == [None, None]


def test_another_epoch_forgets_the_batches():
    made = Made()
    made.append(0)
    made.append(0, epoch=1)
    assert made.batches() == [(0, 0, 1)]
    made.append(7)  # as a follower would
    assert (made.entry.epoch, made.batches()) == (0, [(7, 7, 2)])


def test_a_marker_keeps_the_batches_of_its_epoch_and_forgets_those_of_another():
    made = Made()
    made.append(0, transactional=True)
    made.end(coordinator_epoch=2)
    assert (made.batches(), made.entry.coordinator_epoch) == ([(0, 0, 0)], 2)
    made.end(epoch=1)
    assert (made.batches(), made.entry.coordinator_epoch) == ([], 0)


def test_a_transaction_begins_with_its_first_batch_and_ends_with_its_marker():
    made = Made()
    made.append(0, transactional=True)
    made.append(1, transactional=True)
    assert made.entry.transaction_start == 0
    made.end(BatchKind.ABORT)
    assert made.entry.transaction_start == NONE


def test_a_transaction_stays_open_in_a_later_epoch():
    made = Made()
    made.append(0, transactional=True)
    made.append(0, epoch=1, transactional=True)
    assert made.entry.transaction_start == 0


def test_producers_expire_in_time_but_not_within_a_transaction():
    made = Made()
    made.append(0, at=5)
    made.append(0, producer=1, transactional=True, at=0)
    expire_producers(made.log, 14, 10)
    assert made.known() == [0, 0]
    expire_producers(made.log, 15, 10)
    assert made.known() == [None, 0]
    made.end(producer=1)
    expire_producers(made.log, 15, 10)
    assert made.known() == [None, None]


def test_nothing_stays_of_a_producer_that_is_forgotten():
    made, blank = Made(), Made()
    made.append(0, epoch=2, transactional=True, at=5)
    made.end(epoch=2, coordinator_epoch=3)
    forget_entries(made.log)
    assert made.log.producer == blank.log.producer


def test_the_earliest_open_transaction_holds_the_last_stable_offset():
    made = Made()
    made.append(0)
    made.append(0, producer=1, transactional=True)
    made.append(1, transactional=True)
    assert last_stable_offset_of_producers(made.log, 3) == 1
    made.end(producer=1)
    assert last_stable_offset_of_producers(made.log, 4) == 2
    made.end()
    assert last_stable_offset_of_producers(made.log, 5) == 5


def test_below_the_log_start_it_is_the_base_of_the_batch_that_contains_the_log_start():
    made = Made()
    made.append(0, transactional=True)
    made.append(0, 3, producer=1)
    made.log.log_start_offset = 2
    assert last_stable_offset_of_producers(made.log, 4) == 1
    made.log.log_start_offset = 4
    assert last_stable_offset_of_producers(made.log, 4) == 4


def test_it_is_never_above_the_high_watermark():
    made = Made()
    made.append(0)
    made.append(1, transactional=True)
    assert last_stable_offset_of_producers(made.log, 1) == 1
    made.log.log_start_offset = 1
    assert last_stable_offset_of_producers(made.log, 1) == 1
