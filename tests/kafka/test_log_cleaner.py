"""The two passes of the log cleaner on small logs: which records, batches and markers stay."""

import pytest

from tests.kafka.keyed_logs import DELETE_RETENTION_MS, Made
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.read_committed import latest_read, latest_value
from tierproof.model.language import NONE

ABORT, COMMIT = BatchKind.ABORT, BatchKind.COMMIT

# -- the first pass


def test_the_map_has_the_last_offset_of_each_key():
    made = Made()
    made.append((1, 1), (2, 2), (1, 3))
    made.append((NONE, 4))
    made.map_keys(0, made.roll())
    assert (made.mapped, made.state.map.map_latest_offset) == ({1: 2, 2: 1}, 3)


def test_records_below_the_first_dirty_offset_are_not_mapped():
    made = Made()
    made.append((1, 1), (2, 2), (1, 3))
    made.map_keys(1, made.roll())
    assert made.mapped == {1: 2, 2: 1}
    made.map_keys(2, 3)
    assert made.mapped == {1: 2}


def test_a_full_map_takes_no_record_not_even_of_a_key_that_it_has():
    made = Made()
    made.append((1, 1))
    made.append((1, 2), (2, 2))
    end = made.roll()
    made.map_keys(0, end, most=1)
    assert (made.mapped, made.state.map.map_latest_offset) == ({1: 0}, 0)
    made.map_keys(0, end, most=2)
    assert (made.mapped, made.state.map.map_latest_offset) == ({1: 1, 2: 2}, 2)


def test_the_map_may_end_inside_a_batch():
    made = Made()
    made.append((1, 1), (2, 2), (3, 3))
    made.map_keys(0, made.roll(), most=2)
    assert (made.mapped, made.state.map.map_latest_offset) == ({1: 0, 2: 1}, 1)


def test_aborted_batches_are_not_mapped():
    made = Made()
    made.append((1, 1))
    made.append((1, 2), producer=0)
    made.append((2, 2), producer=1)
    made.end(ABORT, producer=0)
    made.end(COMMIT, producer=1)
    made.map_keys(0, made.roll())
    assert made.mapped == {1: 0, 2: 2}


# -- the second pass


def test_superseded_records_and_null_keys_are_removed_and_their_batches():
    made = Made()
    made.append((1, 1))
    made.append((2, 2), (NONE, 3))
    made.append((1, 4))
    assert made.clean(0, made.roll()) == 4
    assert (made.records, list(made.batches)) == ([1, 3], [1, 3])


def test_beyond_the_end_of_the_map_everything_stays():
    made = Made()
    made.append((1, 1))
    made.append((2, 2))
    made.append((NONE, 3))
    made.append((1, 4))
    assert made.clean(0, made.roll(), most=1) == 1
    assert made.records == [0, 1, 2, 3]


def test_a_tombstone_goes_in_the_pass_after_its_horizon():
    made = Made()
    base = made.append((1, NONE))
    made.append((2, 2))
    end = made.roll()
    made.clean(0, end)
    assert made.log.batch[base].horizon == DELETE_RETENTION_MS
    made.now = DELETE_RETENTION_MS - 1
    made.clean(0, end)
    assert made.records == [0, 1]
    made.now = DELETE_RETENTION_MS
    made.clean(0, end)
    assert made.records == [1]


def test_a_tombstone_beyond_the_map_gets_its_horizon_and_does_not_go():
    made = Made()
    made.append((1, 1))
    base = made.append((2, NONE))
    end = made.roll()
    for made.now in (0, DELETE_RETENTION_MS):
        made.clean(0, end, most=1)
        assert made.log.batch[base].horizon == DELETE_RETENTION_MS
        assert made.records == [0, 1]


def test_aborted_records_go_beyond_the_end_of_the_map_too():
    made = Made()
    made.append((1, 1))
    made.append((2, 2))
    made.append((3, 3), producer=0)
    made.end(ABORT)
    made.clean(0, made.roll(), most=1)
    assert made.records == [0, 1]


def test_a_marker_stays_while_its_transaction_has_a_batch_and_then_until_its_horizon():
    made = Made()
    made.append((1, 1), producer=0)
    marker = made.end(COMMIT)
    made.append((1, 2), producer=0)
    made.end(COMMIT)
    end = made.roll()
    made.clean(0, end)
    assert made.log.batch[marker].horizon == NONE
    made.clean(0, end)
    assert made.log.batch[marker].horizon == DELETE_RETENTION_MS
    made.now = DELETE_RETENTION_MS
    made.clean(0, end)
    assert marker not in made.batches
    assert made.records == [2]


def test_the_index_entry_goes_in_the_first_pass_that_sees_no_batch():
    made = Made()
    made.append((1, 1), producer=0)
    marker = made.end(ABORT)
    made.append((1, 2), producer=0)
    made.end(COMMIT)
    end = made.roll()
    has_entry = []
    for _ in range(2):
        made.clean(0, end)
        has_entry.append(made.log.batch[marker].has_index_entry)
    assert has_entry == [True, False]
    assert made.batches[marker] == "ABORT"


def test_the_last_batch_of_a_producer_stays_empty_and_counts_as_seen():
    made = Made()
    base = made.append((1, 1), producer=0)
    marker = made.end(ABORT)
    made.append((1, 2))
    made.append((1, 3))
    end = made.roll()
    for _ in range(3):
        made.clean(0, end)
        assert (made.records, made.batches[base]) == ([3], "DATA")
        assert made.log.batch[marker].horizon == NONE


def test_an_emptied_batch_loses_its_horizon():
    made = Made()
    base = made.append((1, NONE), producer=0)
    made.end(COMMIT)
    made.append((2, 2))
    end = made.roll()
    made.clean(0, end)
    assert made.log.batch[base].horizon == DELETE_RETENTION_MS
    made.now = DELETE_RETENTION_MS
    made.clean(0, end)
    assert (made.records, made.log.batch[base].horizon) == ([2], NONE)


def test_a_marker_that_is_kept_only_for_its_producer_loses_type_and_horizon():
    made = Made()
    made.append((1, 1), producer=0)
    made.end(COMMIT)
    marker = made.end(ABORT, epoch=1)
    made.append((1, 2))
    end = made.roll()
    made.clean(0, end)
    made.now = DELETE_RETENTION_MS
    made.clean(0, end)
    assert made.batches[marker] == "EMPTY_CONTROL"
    assert made.log.batch[marker].horizon == NONE


def test_the_batch_before_the_high_watermark_stays_empty():
    made = Made()
    made.append((1, 1))
    last = made.append((NONE, 2))
    made.clean(0, made.roll())
    assert (made.records, list(made.batches)) == ([0], [0, last])


def test_a_group_becomes_one_segment_as_old_as_its_last():
    made = Made()
    made.append((1, 1))
    made.now = 5
    second = made.roll()
    made.append((2, 2))
    made.clean(0, made.roll())
    assert [made.log.starts_segment[base] for base in (0, second, 2)] == [True, False, True]
    assert made.log.modified_ms[0] == 5


# -- a deleted key comes back


@pytest.fixture
def deleted():
    """Key 1 has a value, an aborted transaction, and a committed tombstone by that producer."""
    made = Made()
    made.append((1, 7))
    made.append((1, 8), producer=0)
    made.end(ABORT)
    made.append((1, NONE), producer=0)
    made.end(COMMIT)
    made.roll()
    return made


def test_a_reader_sees_neither_aborted_nor_deleted_values(deleted):
    log = deleted.log
    assert [latest_value(log, 1, end) for end in (1, 3, 5)] == [7, 7, NONE]
    assert latest_read(log, 1, 5) == 3


def test_after_a_partial_pass_the_committed_tombstone_is_left_out_of_the_map(deleted):
    assert deleted.clean(0, 5, most=1, interval=1) == 3
    deleted.map_keys(3, 5, interval=1)
    assert deleted.mapped == {}
    deleted.map_keys(3, 5, interval=4096)
    assert deleted.mapped == {1: 3}


def test_its_value_comes_back_when_the_tombstone_expires(deleted):
    deleted.clean(0, 5, most=1, interval=1)
    deleted.now = DELETE_RETENTION_MS
    assert deleted.clean(3, 5, interval=1) == 5
    assert latest_value(deleted.log, 1, 5) == 7


def test_with_a_sparse_index_it_does_not(deleted):
    deleted.clean(0, 5, most=1)
    deleted.now = DELETE_RETENTION_MS
    deleted.clean(3, 5)
    assert latest_value(deleted.log, 1, 5) == NONE
