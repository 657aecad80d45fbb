"""The log that the cleaner reads: transactions, last stable offset, sizes, indexes, retention."""

import pytest

from tests.kafka.keyed_logs import Made
from tierproof.model.kafka.batch_size import batch_bytes, field_length, varint_bytes
from tierproof.model.kafka.keyed_log import (
    BatchKind,
    forget_producers,
    last_stable_offset,
    raise_start,
    remove_record,
)
from tierproof.model.kafka.keyed_retention import (
    Reason,
    count_segments,
    deletable_end,
    delete_before,
)
from tierproof.model.kafka.sized_segments import (
    first_timestamp,
    index_entries,
    indexed_position,
    largest_timestamp,
    segment_bytes,
)
from tierproof.model.language import NONE

# -- transactions


def test_an_open_transaction_holds_the_last_stable_offset():
    made = Made()
    made.append((1, 1))
    made.append((1, 2), producer=0)
    made.append((1, 3))
    assert last_stable_offset(made.log) == 1
    made.end(BatchKind.COMMIT)
    assert last_stable_offset(made.log) == 4


def test_a_marker_above_the_high_watermark_ends_nothing():
    made = Made()
    made.append((1, 1))
    made.append((1, 2), producer=0)
    marker = made.end(BatchKind.COMMIT)
    made.log.high_watermark = marker
    assert last_stable_offset(made.log) == 1
    made.log.high_watermark = marker + 1
    assert last_stable_offset(made.log) == 3


def test_a_log_start_within_the_transaction_is_taken_back_to_its_batch():
    made = Made()
    made.append((1, 1), producer=0)
    made.append((1, 2), (1, 3))
    raise_start(made.log, 2)
    assert last_stable_offset(made.log) == 1


def test_an_aborted_transaction_has_an_index_entry_and_others_have_none():
    made = Made()
    made.append((1, 1), producer=0)
    made.append((1, 1), producer=1)
    aborted, empty = made.end(BatchKind.ABORT), made.end(BatchKind.ABORT)
    committed = made.end(BatchKind.COMMIT, producer=1)
    entry = made.log.batch[aborted]
    assert (entry.transaction_first, entry.index_stable_offset) == (0, 1)
    assert [made.log.batch[at].has_index_entry for at in (aborted, empty, committed)] == [
        True,
        False,
        False,
    ]


def test_a_marker_with_a_higher_epoch_forgets_the_last_data():
    made = Made()
    base = made.append((1, 1), producer=0)
    made.end(BatchKind.COMMIT)
    assert made.log.producer[0].last_data_offset == base
    made.end(BatchKind.ABORT, epoch=1)
    assert made.log.producer[0].last_data_offset == NONE


def test_producers_without_an_open_transaction_expire():
    made = Made()
    made.append((1, 1), producer=0)
    made.append((1, 1), producer=1)
    made.end(BatchKind.COMMIT)
    forget_producers(made.log, 99, 100)
    assert [entry.is_known for entry in made.log.producer] == [True, True, False]
    forget_producers(made.log, 100, 100)
    assert [entry.is_known for entry in made.log.producer] == [False, True, False]


# -- sizes


@pytest.mark.parametrize(
    ("number", "size"), [(0, 1), (63, 1), (-64, 1), (64, 2), (-65, 2), (8191, 2), (8192, 3)]
)
def test_seven_bits_a_byte(number, size):
    assert varint_bytes(number) == size


def test_keys_and_values_are_decimals():
    assert [field_length(number) for number in (NONE, 0, 9, 10, 999)] == [NONE, 1, 1, 2, 3]


def test_the_size_of_a_batch_follows_its_records():
    made = Made()
    assert made.log.batch[made.append((1, 1), (0, 2), (1, 3))].bytes == 88
    assert made.log.batch[made.append((2, NONE), (0, 6))].bytes == 78
    remove_record(made.log.record[0])
    assert batch_bytes(made.log, 0) == 79


def test_a_delete_horizon_that_is_far_away_makes_a_batch_longer():
    made = Made()
    base = made.append((1, NONE))
    made.log.batch[base].horizon = 63
    assert batch_bytes(made.log, base) == 69
    made.log.batch[base].horizon = 65
    assert batch_bytes(made.log, base) == 70


def test_a_marker_takes_78_bytes_and_an_empty_batch_61():
    made = Made()
    made.append((1, 1), producer=0)
    marker = made.end(BatchKind.COMMIT)
    assert batch_bytes(made.log, marker) == 78
    made.log.batch[marker].kind = BatchKind.EMPTY_CONTROL
    assert batch_bytes(made.log, marker) == 61


# -- segments


@pytest.fixture
def two_segments():
    made = Made()
    made.append((1, 1))
    made.now = 50
    made.append((1, 2))
    made.now = 40
    made.append((1, 3))
    made.roll()
    return made


def test_times_and_sizes_of_a_segment(two_segments):
    log = two_segments.log
    assert (segment_bytes(log, 0), segment_bytes(log, 3)) == (210, 0)
    assert (largest_timestamp(log, 0), first_timestamp(log, 0)) == (50, 0)
    assert (largest_timestamp(log, 3), first_timestamp(log, 3)) == (40, NONE)


@pytest.mark.parametrize(
    ("interval", "offset", "position"),
    [(4096, 2, 0), (1, 0, 0), (1, 1, 1), (1, 2, 2), (80, 1, 0), (80, 2, 2)],
)
def test_reading_begins_at_the_last_index_entry(two_segments, interval, offset, position):
    assert indexed_position(two_segments.log, 0, offset, interval) == position


@pytest.mark.parametrize(("interval", "entries"), [(4096, (0, 1)), (1, (2, 1)), (80, (1, 1))])
def test_an_index_entry_follows_the_bytes_since_the_last(two_segments, interval, entries):
    assert index_entries(two_segments.log, 0, interval) == entries


def test_the_time_index_of_the_active_segment_lacks_the_last_entry():
    made = Made()
    for made.now in (0, 10):
        made.append((1, 1))
    assert index_entries(made.log, 0, 4096) == (0, 0)
    assert index_entries(made.log, 0, 1) == (1, 1)
    made.roll()
    assert index_entries(made.log, 0, 4096) == (0, 1)


# -- retention


@pytest.mark.parametrize(
    ("reason", "retention", "end"),
    [
        (Reason.SIZE, NONE, 0),
        (Reason.SIZE, 140, 0),
        (Reason.SIZE, 70, 2),
        (Reason.SIZE, 0, 3),
        (Reason.TIME, 100, 0),
        (Reason.TIME, 99, 2),
        (Reason.TIME, 49, 3),
    ],
)
def test_segments_are_deletable_from_the_oldest_on(reason, retention, end):
    made = Made()
    made.append((1, 1))
    made.append((1, 1))
    made.now = 50
    made.roll()
    made.append((1, 1))
    made.roll()
    assert deletable_end(made.log, reason, retention, 100) == end


def test_segments_below_the_log_start_are_deletable_and_the_active_one_is_not(two_segments):
    log = two_segments.log
    for start, end in ((2, 0), (3, 3)):
        raise_start(log, start)
        assert deletable_end(log, Reason.LOG_START, NONE, 0) == end


def test_nothing_above_the_high_watermark_is_deletable(two_segments):
    two_segments.log.high_watermark = 2
    assert deletable_end(two_segments.log, Reason.SIZE, 0, 0) == 0


def test_deleted_segments_raise_the_log_start(two_segments):
    log = two_segments.log
    assert count_segments(log, 3) == 1
    delete_before(log, 3)
    assert (log.log_start_offset, two_segments.batches) == (3, {})
