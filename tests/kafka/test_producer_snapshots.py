"""Snapshot files: when one is taken, what it has, which ones are removed."""

from tests.kafka.producer_logs import Made
from tierproof.model.kafka.producer_snapshots import (
    copy_from_snapshot,
    corrupt_snapshot,
    empty_snapshot,
    has_snapshot,
    latest_snapshot,
    lose_file,
    reload_snapshots,
    remove_snapshots_of,
    remove_stray_snapshots,
    take_snapshot,
)
from tierproof.model.language import NONE


def test_a_snapshot_is_taken_once_at_an_offset():
    made = Made()
    take_snapshot(made.log)
    assert made.snapshots() == {}
    made.append(0, 2)
    take_snapshot(made.log)
    made.append(0, producer=1)
    take_snapshot(made.log)
    made.log.producer_map_end = 2
    take_snapshot(made.log)
    assert made.snapshots() == {2: 1, 3: 2}
    assert made.registered() == [2, 3]
    assert latest_snapshot(made.log) == 3


def test_the_log_start_is_the_last_snapshot_of_a_log_without_any():
    made = Made()
    made.append(0)
    made.log.log_start_offset = 1
    take_snapshot(made.log)
    assert made.snapshots() == {}
    made.append(1)
    take_snapshot(made.log)
    assert made.snapshots() == {2: 1}


def test_a_snapshot_has_the_last_batch_of_a_producer_alone():
    made = Made()
    made.append(0, 2, epoch=3, at=7)
    made.append(2, 2, epoch=3, transactional=True, at=8)
    made.roll()
    copy_from_snapshot(made.log.producer[1], made.log.snapshot[4].producer[0])
    entry = made.log.producer[1]
    assert made.batches(1) == [(2, 3, 3)]
    assert (entry.epoch, entry.timestamp, entry.transaction_start) == (3, 8, 2)


def test_a_snapshot_has_a_producer_of_which_only_a_marker_is_known():
    made = Made()
    made.end(epoch=3, coordinator_epoch=2)
    made.roll()
    copy_from_snapshot(made.log.producer[1], made.log.snapshot[1].producer[0])
    entry = made.log.producer[1]
    assert (entry.is_known, entry.epoch, entry.coordinator_epoch) == (True, 3, 2)
    assert made.batches(1) == []


def test_snapshots_go_with_their_segments():
    made = Made()
    made.append(0)
    made.roll()
    made.append(1)
    made.roll()
    remove_snapshots_of(made.log, 0, 2)
    assert (made.snapshots(), made.registered()) == ({2: 1}, [2])


def test_the_running_manager_does_not_notice_what_others_do_to_its_files():
    made = Made()
    made.append(0)
    made.roll()
    lose_file(made.log.snapshot[1])
    empty_snapshot(made.log.snapshot[0])
    assert has_snapshot(made.log, 1)
    assert not has_snapshot(made.log, 0)
    remove_snapshots_of(made.log, 0, 1)
    assert made.snapshots() == {0: 0}
    reload_snapshots(made.log)
    assert made.registered() == [0]


def test_a_file_that_is_emptied_or_corrupted_stays_registered():
    made = Made()
    made.append(0)
    made.roll()
    corrupt_snapshot(made.log.snapshot[1])
    assert (made.snapshots(), made.registered()) == ({1: None}, [1])
    empty_snapshot(made.log.snapshot[1])
    assert made.snapshots() == {1: 0}


def test_of_stray_snapshots_the_latest_stays_if_it_is_above_the_last_segment():
    made = Made()
    made.append(0)
    made.roll()
    made.append(1, 3)
    for offset in (2, 3, 4):
        empty_snapshot(made.log.snapshot[offset])
    remove_stray_snapshots(made.log)
    assert made.registered() == [1, 4]


def test_a_stray_snapshot_below_the_last_segment_goes():
    made = Made()
    made.append(0, 3)
    made.roll()
    empty_snapshot(made.log.snapshot[1])
    empty_snapshot(made.log.snapshot[2])
    remove_stray_snapshots(made.log)
    assert made.registered() == [3]
    assert latest_snapshot(made.log) != NONE
