"""The leader-epoch lineage, against LeaderEpochFileCache and the checks of RemoteLogManager."""

import pytest

from tests.kafka.lineages import lineage_of, segment_of, words_of
from tierproof.model.kafka.leader_epoch_lineage import (
    Within,
    assign,
    clear,
    earliest_epoch,
    end_offset_for,
    epoch_end,
    epoch_for_offset,
    is_in_lineage,
    latest_epoch,
    next_epoch,
    previous_epoch,
    set_entries_in_range,
    set_filtered,
    truncate_from_end,
    truncate_from_start,
    within_leader_epochs,
)
from tierproof.model.language import NONE

LINEAGE = "1:0,3:30,4:40"


# -- reading


def test_a_lineage_begins_empty():
    assert words_of(lineage_of("")) == ""
    assert earliest_epoch(lineage_of("")) == latest_epoch(lineage_of("")) == NONE


def test_epochs_are_walked_from_entry_to_entry():
    lineage = lineage_of(LINEAGE)
    assert (earliest_epoch(lineage), latest_epoch(lineage)) == (1, 4)
    assert [next_epoch(lineage, e) for e in (0, 1, 2, 4)] == [1, 3, 3, NONE]
    assert [previous_epoch(lineage, e) for e in (1, 2, 3, 9)] == [NONE, 1, 1, 4]


@pytest.mark.parametrize(
    ("offset", "epoch"), [(0, 1), (29, 1), (30, 3), (39, 3), (40, 4), (900, 4)]
)
def test_an_offset_belongs_to_the_leader_that_began_last_before_it(offset, epoch):
    assert epoch_for_offset(lineage_of(LINEAGE), offset) == epoch


def test_an_offset_before_the_first_entry_belongs_to_nobody():
    assert epoch_for_offset(lineage_of("1:5"), 4) == NONE


def test_of_two_leaders_that_began_at_one_offset_the_first_is_found_there():
    lineage = lineage_of("0:0,1:10,2:10")
    assert epoch_for_offset(lineage, 10) == 1
    assert epoch_for_offset(lineage, 11) == 2


@pytest.mark.parametrize(
    ("epoch", "answer"),
    [
        (4, (4, 50)),
        (3, (3, 40)),
        (2, (1, 30)),
        (1, (1, 30)),
        (0, (0, 0)),
        (5, (NONE, NONE)),
        (NONE, (NONE, NONE)),
    ],
)
def test_the_end_of_an_epoch_is_the_start_of_the_next_or_the_log_end(epoch, answer):
    assert end_offset_for(lineage_of(LINEAGE), epoch, 50) == answer


def test_an_empty_lineage_knows_no_end():
    assert end_offset_for(lineage_of(""), 0, 50) == (NONE, NONE)
    assert epoch_end(lineage_of("2:10"), 2, 77) == 77


# -- changing


@pytest.mark.parametrize(
    ("before", "epoch", "start", "after"),
    [
        ("", 0, 0, "0:0"),
        ("0:0", 1, 10, "0:0,1:10"),
        ("0:0,1:10", 1, 20, "0:0,1:10"),
        ("0:0,1:10", 1, 5, "0:0,1:5"),
        ("0:0,1:10", 2, 10, "0:0,2:10"),
        ("0:0,1:10,2:20", 3, 5, "0:0,3:5"),
        ("0:0,2:20", 1, 30, "0:0,1:30"),
        ("1:10,2:20", 0, 0, "0:0"),
    ],
)
def test_a_new_leader_takes_the_place_of_what_would_not_come_before_it(before, epoch, start, after):
    lineage = lineage_of(before)
    assign(lineage, epoch, start)
    assert words_of(lineage) == after


@pytest.mark.parametrize(
    ("offset", "after"),
    [
        (0, "1:0,3:30,4:40"),
        (10, "1:10,3:30,4:40"),
        (30, "3:30,4:40"),
        (35, "3:35,4:40"),
        (90, "4:90"),
    ],
)
def test_truncation_from_the_start_moves_the_entry_in_which_the_offset_lies(offset, after):
    lineage = lineage_of(LINEAGE)
    truncate_from_start(lineage, offset)
    assert words_of(lineage) == after


def test_truncation_before_the_first_entry_changes_nothing():
    lineage = lineage_of("2:10,3:20")
    truncate_from_start(lineage, 9)
    assert words_of(lineage) == "2:10,3:20"


@pytest.mark.parametrize(
    ("offset", "after"),
    [(41, LINEAGE), (40, "1:0,3:30"), (31, "1:0,3:30"), (30, "1:0"), (0, ""), (-1, LINEAGE)],
)
def test_truncation_from_the_end_drops_leaders_that_began_there_or_later(offset, after):
    lineage = lineage_of(LINEAGE)
    truncate_from_end(lineage, offset)
    assert words_of(lineage) == after


@pytest.mark.parametrize(
    ("start", "end", "entries"),
    [
        (0, 50, "1:0,3:30,4:40"),
        (10, 31, "1:10,3:30"),
        (10, 30, "1:10"),
        (35, 40, "3:35"),
        (45, 60, "4:45"),
    ],
)
def test_a_segment_gets_the_leaders_of_its_offsets(start, end, entries):
    lineage, found = lineage_of(LINEAGE), lineage_of("7:7")
    set_entries_in_range(found, lineage, start, end)
    assert words_of(found) == entries
    assert words_of(lineage) == LINEAGE


def test_a_log_that_begins_later_gives_a_segment_no_earlier_leader():
    found = lineage_of("")
    set_entries_in_range(found, lineage_of("2:10,3:20"), 5, 25)
    assert words_of(found) == "2:10,3:20"
    set_entries_in_range(found, lineage_of("2:10,3:20"), 5, 10)
    assert words_of(found) == ""


@pytest.mark.parametrize(
    ("lineage", "after"),
    [
        ("0:0,1:0,2:0,3:30,4:40,5:60,6:60,7:70,8:70", "2:0,3:30,4:40,6:60,8:70"),
        ("0:0,1:0,2:0", "2:0"),
        (LINEAGE, LINEAGE),
        ("", ""),
    ],
)
def test_leaders_that_wrote_nothing_are_filtered_out(lineage, after):
    found = lineage_of(lineage)
    set_filtered(found, found)
    assert words_of(found) == after


def test_a_cleared_lineage_is_empty():
    lineage = lineage_of(LINEAGE)
    clear(lineage)
    assert words_of(lineage) == ""


# -- a segment against a lineage


def test_a_segment_that_ends_at_the_log_end_is_in_no_lineage():
    segment, lineage = segment_of(0, 49, "1:0,3:30,4:40"), lineage_of(LINEAGE)
    assert is_in_lineage(segment, lineage, 50)
    assert not is_in_lineage(segment, lineage, 49)


def test_a_leader_that_wrote_nothing_makes_no_segment_out_of_lineage():
    segment, lineage = segment_of(0, 20, "1:0,3:10"), lineage_of("1:0,2:10,3:10")
    assert within_leader_epochs(segment, lineage, 90, False) == Within.OUT_OF_LINEAGE
    assert is_in_lineage(segment, lineage, 90)


def test_a_segment_whose_first_offsets_are_deleted_stays_in_the_lineage():
    assert is_in_lineage(segment_of(0, 35, "1:0,3:30"), lineage_of("1:10,3:30,4:40"), 90)


def test_a_segment_of_a_leader_that_was_replaced_earlier_is_out_of_lineage():
    assert not is_in_lineage(segment_of(20, 39, "1:20"), lineage_of(LINEAGE), 90)


def test_an_empty_lineage_raises():
    segment = segment_of(0, 5, "0:0")
    assert within_leader_epochs(segment, lineage_of(""), 9, True) == Within.NO_SUCH_ELEMENT
    assert not is_in_lineage(segment, lineage_of(""), 9)
