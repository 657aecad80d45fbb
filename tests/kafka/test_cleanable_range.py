"""What may be cleaned, whether the log is picked, and which segments are cleaned into one."""

import pytest

from tests.kafka.keyed_logs import Made
from tierproof.model.kafka.cleanable_range import (
    clean_bytes,
    cleanable_bytes,
    compaction_delay,
    exceeds_ratio,
    first_dirty_offset,
    first_uncleanable_base,
    group_end,
    is_checkpoint_reset,
    is_picked,
    uncleanable_offset,
)
from tierproof.model.language import NONE


@pytest.fixture
def made():
    """Three segments of two batches at 10, 20 and 30 ms, and an empty active one."""
    log = Made()
    for log.now in (10, 20, 30):
        log.append((1, 1))
        log.append((1, 2))
        log.roll()
    return log


@pytest.mark.parametrize(
    ("checkpoint", "dirty", "is_reset"),
    [(NONE, 1, False), (0, 1, True), (1, 1, False), (6, 6, False), (7, 1, True)],
)
def test_a_checkpoint_outside_of_the_log_is_reset_to_its_start(made, checkpoint, dirty, is_reset):
    made.log.log_start_offset = 1
    assert first_dirty_offset(made.log, checkpoint) == dirty
    assert is_checkpoint_reset(made.log, checkpoint) == is_reset


@pytest.mark.parametrize(("lag", "end"), [(0, 6), (9, 6), (10, 4), (19, 4), (30, 0)])
def test_young_segments_are_not_cleaned(made, lag, end):
    assert uncleanable_offset(made.log, 0, 39, lag) == end


def test_nothing_beyond_the_last_stable_offset_is_cleaned_and_only_whole_segments(made):
    made.append((1, 1), producer=0)
    made.roll()
    assert uncleanable_offset(made.log, 0, 39, 0) == 6
    made.log.high_watermark = 3
    assert uncleanable_offset(made.log, 0, 39, 0) == 3
    assert first_uncleanable_base(made.log, 3) == 2
    assert uncleanable_offset(made.log, 5, 39, 0) == 5


@pytest.mark.parametrize(
    ("dirty", "end", "clean", "cleanable"),
    [(0, 6, 0, 420), (2, 6, 140, 280), (3, 6, 280, 280), (6, 6, 420, 0), (3, 2, 280, 0)],
)
def test_a_segment_that_holds_the_first_dirty_offset_counts_as_both(
    made, dirty, end, clean, cleanable
):
    assert clean_bytes(made.log, dirty) == clean
    assert cleanable_bytes(made.log, dirty, end) == cleanable


@pytest.mark.parametrize(("dirty", "delay"), [(0, 40), (1, 40), (2, 30), (6, 0)])
def test_the_oldest_dirty_segment_gives_the_delay(made, dirty, delay):
    assert compaction_delay(made.log, dirty, now=100, max_lag_ms=50) == delay


def test_the_ratio_is_exceeded_and_not_reached():
    assert not exceeds_ratio(50, 50, 500_000)
    assert exceeds_ratio(49, 50, 500_000)
    assert not exceeds_ratio(50, 0, 0)


@pytest.mark.parametrize(
    ("clean", "cleanable", "delay", "picked"),
    [(0, 0, 0, False), (0, 1, 0, True), (9, 1, 0, False), (9, 1, 1, True), (9, 0, 1, False)],
)
def test_a_log_is_picked_if_it_is_dirty_enough_or_too_long(clean, cleanable, delay, picked):
    assert is_picked(clean, cleanable, delay, 500_000) == picked


@pytest.mark.parametrize(
    ("base", "end", "most_bytes", "most_index", "interval", "group"),
    [
        (0, 6, 1_000, 1_000, 4096, 6),
        (0, 6, 280, 1_000, 4096, 4),
        (0, 6, 279, 1_000, 4096, 2),
        (0, 6, 10, 1_000, 4096, 2),
        (2, 6, 1_000, 1_000, 4096, 6),
        (0, 3, 1_000, 1_000, 4096, 4),
        (0, 6, 1_000, 24, 4096, 4),
        (0, 6, 1_000, 23, 1, 2),
    ],
)
def test_segments_are_grouped_while_files_and_indexes_fit(
    made, base, end, most_bytes, most_index, interval, group
):
    assert group_end(made.log, base, end, most_bytes, most_index, interval) == group
