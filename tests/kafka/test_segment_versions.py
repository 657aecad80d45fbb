"""Versions of segments: which one a reader gets, and what an abort and a marker decide.

The log has segments [0, 1], [2, 2] and the active one from 3 on; ids 0 and 1 stand for the first
two, id 2 for both of them as one.
"""

from __future__ import annotations

from typing import Any

import pytest

from tierproof.model.designs.kip1272.state import CompactedPartition, CompactedTopic
from tierproof.model.kafka.remote_metadata_cache import apply_record
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.segment_versions import (
    LOCAL,
    Kept,
    RecordType,
    bytes_served,
    copy_record,
    first_undecided_offset,
    forget_record,
    has_record,
    is_aborted,
    is_local,
    is_marker,
    marker_after,
    next_segment_start,
    record_in,
    serving_segment,
    source_of,
)
from tierproof.model.language import NONE

SCOPE = CompactedPartition(
    history=3, brokers=1, offsets=5, segment_ids=3, leader_epochs=1, topic_keys=2, segment_bytes=5
)
VALUE, TOMBSTONE, COMMIT, ABORT = RecordType
LAYOUT = ((0, 1), (2, 2), (0, 2))
START, FINISH = SegmentState.COPY_SEGMENT_STARTED, SegmentState.COPY_SEGMENT_FINISHED


def write(record: Any, type: RecordType, is_transactional: bool = False, key: int = 0) -> None:
    """A record that is there."""
    record.bytes, record.kept = 1, Kept.KEPT
    record.type, record.is_transactional = type, is_transactional
    record.key = NONE if type in (COMMIT, ABORT) else key


def partition(*types: RecordType, is_transactional: bool = False) -> Any:
    """A log of these records, segments [0, 1], [2, 2] and the active one from 3; all is local."""
    state = CompactedTopic.at_start(SCOPE).copy_for("a test")
    log = state.broker[0]
    log.log_end_offset = log.high_watermark = len(types)
    log.lineage[0], log.cache.is_initialized = 0, True
    log.settings.remote_storage_enable = True
    for base in (0, 2, 3):
        log.starts_segment[base] = True
    for offset, type in enumerate(types):
        is_data = type in (VALUE, TOMBSTONE)
        write(log.records[offset], type, is_transactional and is_data)
    return state


def copied(state: Any, *ids: int) -> Any:
    """These ids are finished, with the local version in their objects."""
    for id in ids:
        copy = state.segment[id]
        copy.start_offset, copy.end_offset = LAYOUT[id]
        copy.lineage[0], copy.object_exists = copy.start_offset, True
        for offset in range(copy.start_offset, copy.end_offset + 1):
            copy_record(copy.records[offset], state.broker[0].records[offset])
        for target in (START, FINISH):
            apply_record(state.broker[0].cache, state.segment, id, target)
    return state


def removed_below(state: Any, offset: int) -> Any:
    """Local retention has raised the local log start."""
    state.broker[0].local_log_start_offset = offset
    return state


# -- which version a reader gets


def test_the_local_log_serves_what_it_has():
    state = copied(partition(VALUE, VALUE, VALUE, VALUE), 0, 1)
    assert [source_of(state, 0, offset) for offset in range(4)] == [LOCAL] * 4


def test_the_object_serves_what_is_no_longer_local():
    state = removed_below(copied(partition(VALUE, VALUE, VALUE, VALUE), 0, 1), 2)
    assert [source_of(state, 0, offset) for offset in range(4)] == [0, 0, LOCAL, LOCAL]


@pytest.mark.parametrize(("offset", "is_there"), [(1, False), (2, True), (3, True), (4, False)])
def test_an_offset_is_local_from_the_local_log_start_to_the_log_end(offset, is_there):
    state = removed_below(partition(VALUE, VALUE, VALUE, VALUE), 2)
    assert is_local(state.broker[0], offset) == is_there


def test_segments_that_are_removed_are_not_local_whatever_the_local_log_start_says():
    state = partition(VALUE, VALUE, VALUE, VALUE)
    state.broker[0].starts_segment[0] = False
    assert not is_local(state.broker[0], 1)
    assert is_local(state.broker[0], 2)


def test_the_segment_that_finished_last_replaces_those_that_it_covers():
    state = removed_below(copied(partition(VALUE, VALUE, VALUE, VALUE), 0, 1, 2), 3)
    assert [source_of(state, 0, offset) for offset in range(4)] == [2, 2, 2, LOCAL]


def test_a_reader_gets_the_records_of_the_version_that_serves():
    state = copied(partition(VALUE, VALUE, VALUE, VALUE), 0)
    forget_record(state.segment[0].records[1])
    assert record_in(state, 0, source_of(state, 0, 1), 1).kept == Kept.KEPT
    removed_below(state, 2)
    assert record_in(state, 0, source_of(state, 0, 1), 1).kept == Kept.GONE


def test_without_its_object_a_segment_is_found_and_serves_nothing():
    state = removed_below(copied(partition(VALUE, VALUE, VALUE), 0), 2)
    state.segment[0].object_exists = False
    assert serving_segment(state, 0, 0) == 0
    assert source_of(state, 0, 0) == NONE


def test_a_broker_without_remote_storage_has_its_local_log_only():
    state = removed_below(copied(partition(VALUE, VALUE, VALUE), 0), 2)
    state.broker[0].settings.remote_storage_enable = False
    assert [source_of(state, 0, offset) for offset in range(3)] == [NONE, NONE, LOCAL]


def test_an_offset_without_an_epoch_is_served_by_no_segment():
    state = removed_below(copied(partition(VALUE, VALUE, VALUE), 0), 2)
    state.broker[0].lineage[0] = NONE
    assert serving_segment(state, 0, 0) == NONE


@pytest.mark.parametrize(
    ("offset", "local_start", "following"),
    [(0, 0, 2), (1, 0, 2), (2, 0, 3), (3, 0, 4), (0, 2, 2), (0, 3, 2), (2, 3, NONE)],
)
def test_the_next_segment_begins_where_the_one_that_serves_ends(offset, local_start, following):
    state = removed_below(copied(partition(VALUE, VALUE, VALUE, VALUE), 0), local_start)
    assert next_segment_start(state, 0, offset) == following


def test_a_group_that_became_one_segment_is_passed_at_once():
    state = removed_below(copied(partition(VALUE, VALUE, VALUE, VALUE), 0, 1, 2), 3)
    assert next_segment_start(state, 0, 0) == 3


def test_a_remote_segment_ends_with_the_log():
    state = removed_below(copied(partition(VALUE, VALUE, VALUE), 2), 2)
    state.broker[0].log_end_offset = 2
    assert next_segment_start(state, 0, 0) == 2


def test_the_size_is_that_of_what_is_served_and_there():
    state = removed_below(copied(partition(VALUE, VALUE, VALUE, VALUE), 0), 2)
    assert bytes_served(state, 0, 0, 4) == 4
    forget_record(state.segment[0].records[0])
    state.broker[0].records[2].kept = Kept.EMPTY
    assert bytes_served(state, 0, 0, 4) == 3
    state.segment[0].object_exists = False
    assert bytes_served(state, 0, 0, 4) == 2


# -- transactions


@pytest.mark.parametrize(
    ("type", "ends"), [(VALUE, False), (TOMBSTONE, False), (COMMIT, True), (ABORT, True)]
)
def test_a_commit_and_an_abort_are_markers(type, ends):
    assert is_marker(partition(type).broker[0].records[0]) == ends


@pytest.mark.parametrize(
    ("kept", "is_there"),
    [(Kept.GONE, False), (Kept.KEPT, True), (Kept.STAMPED, True), (Kept.EMPTY, False)],
)
def test_an_empty_batch_has_no_record(kept, is_there):
    state = partition(VALUE)
    state.broker[0].records[0].kept = kept
    assert has_record(state.broker[0].records[0]) == is_there


def test_the_next_marker_ends_the_transaction_of_a_record():
    state = partition(VALUE, COMMIT, VALUE, ABORT, is_transactional=True)
    assert [marker_after(state, 0, offset) for offset in range(4)] == [1, 3, 3, NONE]


def test_a_marker_in_an_object_counts_and_one_that_is_removed_does_not():
    state = removed_below(copied(partition(VALUE, ABORT, VALUE, is_transactional=True), 0), 2)
    assert marker_after(state, 0, 0) == 1
    forget_record(state.segment[0].records[1])
    assert marker_after(state, 0, 0) == NONE


@pytest.mark.parametrize(("type", "aborted"), [(ABORT, True), (COMMIT, False)])
def test_a_record_is_aborted_by_the_marker_that_ends_its_transaction(type, aborted):
    state = partition(VALUE, type, is_transactional=True)
    assert is_aborted(state, 0, 0) == aborted


def test_a_record_of_an_open_transaction_is_not_aborted():
    assert not is_aborted(partition(VALUE, VALUE, is_transactional=True), 0, 0)


def test_a_marker_that_a_pass_has_stamped_is_no_longer_in_the_transaction_index():
    state = partition(VALUE, ABORT, is_transactional=True)
    state.broker[0].records[1].kept = Kept.STAMPED
    assert marker_after(state, 0, 0) == 1
    assert not is_aborted(state, 0, 0)


# -- the last stable offset


@pytest.mark.parametrize(
    ("types", "watermark", "stable"),
    [
        ((VALUE, COMMIT, VALUE, ABORT), 4, 4),
        ((VALUE, COMMIT, VALUE, VALUE), 4, 2),
        ((VALUE, VALUE, COMMIT), 3, 3),
        ((VALUE, VALUE, COMMIT), 2, 0),
        ((COMMIT, VALUE, ABORT), 1, 1),
    ],
)
def test_the_last_stable_offset_is_the_first_without_a_marker_below_the_watermark(
    types, watermark, stable
):
    state = partition(*types, is_transactional=True)
    state.broker[0].high_watermark = watermark
    assert first_undecided_offset(state.broker[0]) == stable


def test_records_of_no_transaction_are_stable_up_to_the_watermark():
    assert first_undecided_offset(partition(VALUE, VALUE, VALUE).broker[0]) == 3


@pytest.mark.parametrize(("kept", "stable"), [(Kept.GONE, 2), (Kept.EMPTY, 0), (Kept.STAMPED, 0)])
def test_a_batch_that_is_gone_holds_nothing_up(kept, stable):
    state = partition(VALUE, VALUE, is_transactional=True)
    for offset in range(2):
        state.broker[0].records[offset].kept = kept
    assert first_undecided_offset(state.broker[0]) == stable


# -- writing a version


def test_a_copy_of_a_record_is_the_record_in_full():
    state = partition(VALUE, TOMBSTONE, is_transactional=True)
    record, copy = state.broker[0].records[1], state.segment[0].records[1]
    record.timestamp, record.key, record.kept = 0, 1, Kept.STAMPED
    copy_record(copy, record)
    assert copy == record


def test_forgotten_records_are_all_alike_but_for_their_size():
    state = partition(VALUE, ABORT, is_transactional=True)
    first, second = state.broker[0].records[0], state.broker[0].records[1]
    assert first != second
    forget_record(first)
    forget_record(second)
    assert first == second
    assert (first.key, first.kept, first.bytes) == (NONE, Kept.GONE, 1)
