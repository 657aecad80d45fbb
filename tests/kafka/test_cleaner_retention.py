"""What a pass of the cleaner decides of a record, a marker and a batch."""

import pytest

from tierproof.model.kafka.cleaner_retention import (
    delete_horizon,
    ends_at_high_watermark,
    gets_horizon,
    is_horizon_over,
    is_last_of_producer,
    is_marker_deletable,
    is_marker_kept,
    is_record_kept,
)
from tierproof.model.language import NONE


def is_kept(offset=5, has_key=True, is_tombstone=False, mapped=5, latest=9, is_late=False):
    return is_record_kept(offset, has_key, is_tombstone, mapped, latest, is_late)


@pytest.mark.parametrize(
    ("changed", "kept"),
    [
        ({}, True),
        ({"mapped": NONE}, True),
        ({"mapped": 4}, True),
        ({"mapped": 6}, False),
        ({"has_key": False}, False),
        ({"is_tombstone": True}, True),
        ({"is_tombstone": True, "is_late": True}, False),
        ({"is_late": True}, True),
    ],
)
def test_a_record_in_the_range_of_the_map(changed, kept):
    assert is_kept(**changed) == kept


@pytest.mark.parametrize(
    "changed",
    [{"mapped": 6}, {"has_key": False}, {"is_tombstone": True, "is_late": True}],
)
def test_above_the_end_of_the_map_every_record_stays(changed):
    assert is_kept(latest=4, **changed)
    assert not is_kept(latest=5, **changed)


@pytest.mark.parametrize(
    ("horizon", "over"), [(NONE, False), (99, True), (100, True), (101, False)]
)
def test_a_horizon_is_over_from_its_millisecond_on(horizon, over):
    assert is_horizon_over(horizon, now=100) == over


def test_a_horizon_lies_delete_retention_ms_ahead():
    assert delete_horizon(now=100, delete_retention_ms=50) == 150


@pytest.mark.parametrize("keeps_tombstone", [True, False])
@pytest.mark.parametrize("is_deletable", [True, False])
def test_a_horizon_is_set_once_for_a_tombstone_or_a_marker_without_batches(
    keeps_tombstone, is_deletable
):
    is_due = keeps_tombstone or is_deletable
    assert gets_horizon(False, keeps_tombstone, is_deletable) == is_due
    assert not gets_horizon(True, keeps_tombstone, is_deletable)


@pytest.mark.parametrize(
    ("has_type", "has_batch", "deletable"),
    [(True, True, False), (True, False, True), (False, True, True), (False, False, True)],
)
def test_a_marker_is_deletable_without_batches_and_one_without_type_always(
    has_type, has_batch, deletable
):
    assert is_marker_deletable(has_type, has_batch) == deletable


def test_a_marker_goes_when_it_is_deletable_and_its_horizon_is_over():
    assert [is_marker_kept(d, late) for d in (False, True) for late in (False, True)] == [
        True,
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("last", "is_control", "epoch", "is_known", "data", "of_epoch", "retained"),
    [
        (7, False, 0, True, 7, 0, True),
        (6, False, 0, True, 7, 0, False),
        (7, False, 0, False, 7, 0, False),
        (8, True, 1, True, NONE, 1, True),
        (8, True, 0, True, NONE, 1, False),
        (8, False, 1, True, NONE, 1, False),
        (8, True, 0, True, 7, 0, False),
    ],
)
def test_the_last_batch_of_an_active_producer(
    last, is_control, epoch, is_known, data, of_epoch, retained
):
    assert is_last_of_producer(last, is_control, epoch, is_known, data, of_epoch) == retained


def test_the_batch_before_the_high_watermark_is_retained():
    assert ends_at_high_watermark(7, 8)
    assert not ends_at_high_watermark(7, 9)
