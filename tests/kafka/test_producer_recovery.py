"""Producer state that is built again: after a cut, a restart, or on the remote tier."""

from functools import partial

import pytest

from tests.kafka.producer_logs import Made
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.local_segments import roll
from tierproof.model.kafka.producer_recovery import (
    Rebuilt,
    load_producers_after_crash,
    load_producers_after_shutdown,
    rebuild_on_remote_tier,
    rebuild_on_remote_tier_as_intended,
    truncate_producers,
    truncate_producers_fully,
)
from tierproof.model.kafka.producer_snapshots import (
    copy_to_snapshot,
    corrupt_snapshot,
    empty_snapshot,
    lose_file,
    take_snapshot,
)

DONE = Rebuilt.DONE


def two_segments():
    """[0, 1] of both producers and [2, 3] of producer 0, with a snapshot between them."""
    made = Made()
    made.append(0)
    made.append(0, producer=1)
    made.roll()
    made.append(1)
    made.append(2)
    return made


def crash(made, recovery_point=0, start=0, **times):
    """An unclean restart."""
    return load_producers_after_crash(made.log, recovery_point, start, **times)


# -- truncation


def test_a_truncation_loads_the_latest_snapshot_and_reads_on():
    made = two_segments()
    made.cut(3)
    assert truncate_producers(made.log, 3) is DONE
    assert made.known() == [1, 0]
    assert made.batches() == [(0, 0, 0), (1, 1, 2)]
    assert made.snapshots() == {2: 2, 3: 2}


def test_a_truncation_removes_snapshots_above_it():
    made = two_segments()
    take_snapshot(made.log)
    made.cut(2)
    truncate_producers(made.log, 2)
    assert made.snapshots() == {2: 2}
    assert made.known() == [0, 0]


def test_snapshots_up_to_the_log_start_are_removed():
    made = two_segments()
    made.log.log_start_offset = 2
    made.cut(3)
    truncate_producers(made.log, 3)
    assert made.snapshots() == {3: 1}
    assert made.known() == [1, None]


def test_a_log_of_no_producers_is_not_read():
    made = two_segments()
    for entry in made.log.producer:
        entry.is_known = False
    lose_file(made.log.snapshot[2])
    made.log.snapshot[2].is_registered = False
    made.cut(3)
    truncate_producers(made.log, 3)
    assert made.known() == [None, None]


def test_a_truncation_ends_where_a_snapshot_is_gone_and_goes_on_where_it_is_corrupt():
    made = two_segments()
    lose_file(made.log.snapshot[2])
    made.cut(3)
    assert truncate_producers(made.log, 3) is Rebuilt.SNAPSHOT_GONE
    made = two_segments()
    corrupt_snapshot(made.log.snapshot[2])
    made.cut(3)
    assert truncate_producers(made.log, 3) is DONE
    assert made.known() == [1, 0]
    assert made.snapshots() == {2: 2, 3: 2}


def test_expired_producers_are_not_loaded_from_a_snapshot():
    made = two_segments()
    made.cut(3)
    truncate_producers(made.log, 3, now=100, expiration_ms=100)
    assert made.known() == [1, None]


def test_a_log_that_is_emptied_has_an_empty_snapshot_above_its_start():
    made = two_segments()
    empty(made, 9)
    truncate_producers_fully(made.log, 9)
    assert (made.known(), made.snapshots()) == ([None, None], {9: 0})
    assert made.log.producer_map_end == 9
    made = two_segments()
    empty(made, 9, start=9)
    truncate_producers_fully(made.log, 9)
    assert made.snapshots() == {}


def empty(made, offset, start=0):
    """The log is empty and begins at the offset."""
    made.cut(0)
    for base in range(len(made.log.starts_segment)):
        made.log.starts_segment[base] = base == offset
    made.log.log_end_offset, made.log.log_start_offset = offset, start


# -- reading the log


def epochs(made, *of_batches):
    """Batches of producer 0 in these epochs, with sequences 0, 1, ..."""
    for number, epoch in enumerate(of_batches):
        made.append(number, epoch=epoch)


def test_batches_of_one_read_are_one_update_even_if_the_epoch_comes_back():
    made = Made()
    epochs(made, 1, 1)
    made.roll()
    epochs(made, 0, 1)  # as a follower: the epoch falls, and rises again
    assert made.batches() == [(1, 1, 3)]
    made.cut(4)
    made.log.producer_map_end = 5
    truncate_producers(made.log, 4)
    assert made.batches() == [(1, 1, 1), (1, 1, 3)]


def test_another_epoch_at_the_end_of_a_read_forgets_as_an_append_does():
    made = Made()
    epochs(made, 0, 0)
    made.roll()
    epochs(made, 0, 1)
    made.log.producer_map_end = 5
    truncate_producers(made.log, 4)
    assert made.batches() == [(1, 1, 3)]


def test_data_outside_of_an_open_transaction_ends_a_read_without_its_batches():
    made = Made()
    made.append(0, transactional=True)
    made.roll()
    made.append(0, producer=1)
    made.entry.transaction_start = -1
    made.append(1)
    made.log.producer_map_end = 5
    assert truncate_producers(made.log, 3) is Rebuilt.INVALID_TXN_STATE
    assert made.known() == [0, None]
    assert made.log.producer_map_end == 1


def test_a_marker_within_the_read_ends_the_transaction():
    made = Made()
    made.append(0, transactional=True)
    made.end(BatchKind.ABORT)
    made.append(1)
    made.append(2, transactional=True)
    made.log.producer_map_end = 9
    assert truncate_producers(made.log, 4) is DONE
    assert (made.known()[0], made.entry.transaction_start) == (2, 3)


def test_a_batch_that_contains_the_log_start_is_read():
    made = Made()
    made.append(0, 3)
    made.append(0, producer=1)
    made.log.log_start_offset = 2
    assert crash(made) is DONE
    assert made.known() == [2, 0]


# -- restarts


def test_a_crash_restores_what_the_log_has():
    made = two_segments()
    assert crash(made) is DONE
    assert made.known() == [2, 0]
    assert made.snapshots() == {2: 2, 4: 2}
    assert made.registered() == [2, 4]


@pytest.mark.parametrize("point", [0, 2, 4])
def test_recovery_takes_the_snapshots_of_the_segments_again(point):
    made = two_segments()
    lose_file(made.log.snapshot[2])
    assert crash(made, point) is DONE
    assert made.known() == [2, 0]
    assert made.snapshots() == {2: 2, 4: 2}


def test_a_crash_after_an_empty_snapshot_forgets_what_lies_before_it():
    made = two_segments()
    empty_snapshot(made.log.snapshot[2])
    assert crash(made, 2) is DONE
    assert made.known() == [2, None]


def test_a_recovery_from_below_the_empty_snapshot_replaces_it():
    made = two_segments()
    empty_snapshot(made.log.snapshot[2])
    assert crash(made, 0) is DONE
    assert made.known() == [2, 0]


def test_a_crash_takes_entries_below_the_log_start_only_from_snapshots():
    made = two_segments()
    made.log.log_start_offset = 1
    crash(made, 2, 1)
    assert made.known() == [2, 0]
    made.log.log_start_offset = 2
    crash(made, 2, 2)
    assert made.known() == [2, None]


def test_a_crash_with_data_outside_of_its_transaction_cannot_be_recovered():
    made = Made()
    made.append(0, transactional=True)
    made.entry.transaction_start = -1
    made.append(1)
    assert crash(made) is Rebuilt.INVALID_TXN_STATE


def test_a_clean_restart_loads_the_snapshot_of_the_log_end():
    made = two_segments()
    take_snapshot(made.log)
    assert load_producers_after_shutdown(made.log) is DONE
    assert made.known() == [2, 0]
    assert made.batches() == [(2, 2, 3)]


def test_a_clean_restart_without_snapshots_reads_nothing():
    made = two_segments()
    roll(made.log)
    lose_file(made.log.snapshot[2])
    assert load_producers_after_shutdown(made.log) is DONE
    assert made.known() == [None, None]
    assert made.snapshots() == {2: 0, 4: 0}
    assert made.log.producer_map_end == 4


def test_an_empty_snapshot_makes_a_clean_restart_read_the_log_after_it():
    made = two_segments()
    empty_snapshot(made.log.snapshot[2])
    assert load_producers_after_shutdown(made.log) is DONE
    assert made.known() == [2, None]


def test_a_corrupt_snapshot_alone_makes_a_clean_restart_read_the_whole_log():
    made = two_segments()
    corrupt_snapshot(made.log.snapshot[2])
    assert load_producers_after_shutdown(made.log) is DONE
    assert made.known() == [2, 0]
    assert made.snapshots() == {2: 2, 4: 2}


def test_a_restart_forgets_the_producers_of_a_snapshot_that_have_expired():
    made = two_segments()
    take_snapshot(made.log)
    load = partial(load_producers_after_shutdown, now=50, expiration_ms=50)
    assert load(made.log) is DONE
    assert made.known() == [None, None]


# -- the remote tier


def fetched(made):
    """The snapshot of [0, 3], as the leader has stored it."""
    for producer in range(2):
        copy_to_snapshot(made.state.fetched[producer], made.log.producer[producer])
    return made.state.fetched


def test_a_follower_ends_without_producers_whatever_it_has_fetched():
    made = two_segments()
    snapshot = fetched(made)
    empty(made, 4)
    assert rebuild_on_remote_tier(made.log, 4, snapshot) is DONE
    assert made.known() == [None, None]
    assert (made.snapshots(), made.registered()) == ({4: 0}, [4])


def test_as_intended_it_knows_what_it_has_fetched():
    made = two_segments()
    snapshot = fetched(made)
    empty(made, 4)
    assert rebuild_on_remote_tier_as_intended(made.log, 4, snapshot) is DONE
    assert made.known() == [2, 0]
    assert made.snapshots() == {4: 2}


def test_even_as_intended_it_knows_nothing_where_the_log_starts_at_the_same_offset():
    made = two_segments()
    snapshot = fetched(made)
    empty(made, 4, start=4)
    assert rebuild_on_remote_tier_as_intended(made.log, 4, snapshot) is DONE
    assert (made.known(), made.snapshots()) == ([None, None], {})
