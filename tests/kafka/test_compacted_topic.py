"""The compacted topic alone: what the cleaner removes, when, and what becomes of places in it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tierproof.model.kafka.compacted_topic import (
    NULL,
    CleanupPolicy,
    accepts,
    append,
    changes_something,
    clean,
    first_uncleanable,
    has_place,
    is_live,
    is_removed,
    latest,
    place_after_cleaning,
    remove_oldest,
)
from tierproof.model.language import NONE


def topic(*records: tuple[int, int], room: int = 8) -> Any:
    """A topic with these (key, value) records."""
    blank = [SimpleNamespace(key=NONE, value=NULL, is_stamped=False) for _ in range(room)]
    made = SimpleNamespace(record=blank, end=0)
    for key, value in records:
        append(made, key, value)
    return made


def rows(it: Any) -> list[tuple[int, int]]:
    """Its records as (key, value)."""
    return [(it.record[n].key, it.record[n].value) for n in range(it.end)]


@pytest.mark.parametrize(
    ("policy", "key", "takes"),
    [
        (CleanupPolicy.DELETE, NONE, True),
        (CleanupPolicy.DELETE, 3, True),
        (CleanupPolicy.COMPACT, NONE, False),
        (CleanupPolicy.COMPACT_DELETE, NONE, False),
        (CleanupPolicy.COMPACT_DELETE, 3, True),
    ],
)
def test_a_compacted_topic_refuses_records_without_a_key(
    policy: CleanupPolicy, key: int, takes: bool
) -> None:
    assert accepts(policy, key) == takes


def test_the_cleaner_keeps_the_last_record_of_each_key() -> None:
    it = topic((1, 10), (2, 20), (1, 11), (3, 30))
    clean(it, 3, False)
    assert rows(it) == [(2, 20), (1, 11), (3, 30)]


def test_a_record_behind_the_map_supersedes_nothing() -> None:
    it = topic((1, 10), (2, 20), (1, 11))
    assert not changes_something(it, 2, False)
    clean(it, 2, False)
    assert rows(it) == [(1, 10), (2, 20), (1, 11)]


@pytest.mark.parametrize(("end", "active", "first"), [(0, 1, 0), (1, 1, 0), (4, 1, 3), (4, 3, 1)])
def test_the_active_segment_is_never_cleaned(end: int, active: int, first: int) -> None:
    it = topic(*[(n, 1) for n in range(end)])
    assert first_uncleanable(it, active) == first


def test_the_active_segment_has_a_record_even_if_none_is_asked_for() -> None:
    assert first_uncleanable(topic((1, 1), (2, 2)), 0) == 1


def test_a_record_without_a_key_is_dropped_whatever_it_says() -> None:
    it = topic((NONE, 10), (1, 11), (NONE, 12), (2, 20))
    clean(it, 3, False)
    assert rows(it) == [(1, 11), (2, 20)]


def test_a_record_without_a_key_stays_as_long_as_it_lies_behind_the_map() -> None:
    it = topic((1, 10), (NONE, 11), (2, 20))
    assert not changes_something(it, 1, True)
    assert not is_removed(it, 1, 1, True)
    assert is_removed(it, 1, 2, False)


@pytest.mark.parametrize("first", range(1, 7))
def test_a_map_of_the_dirty_part_alone_does_what_a_map_of_all_does(first: int) -> None:
    """The part below the cleaner's checkpoint has each key once, so it need not be in the map."""
    records = ((1, 10), (2, 20), (1, 11), (NONE, 5), (2, NULL), (1, 12), (3, 30))
    at_once, in_two = topic(*records), topic(*records)
    clean(at_once, 6, False)
    end = place_after_cleaning(in_two, 6, first, False)
    clean(in_two, first, False)
    clean(in_two, end, False)
    assert rows(in_two) == rows(at_once)


def test_a_tombstone_removes_what_was_there_and_stays_itself() -> None:
    it = topic((1, 10), (1, NULL), (2, 20))
    clean(it, 2, True)
    assert rows(it) == [(1, NULL), (2, 20)]
    assert it.record[0].is_stamped


@pytest.mark.parametrize(("late", "left"), [(False, 2), (True, 1)])
def test_a_stamped_tombstone_goes_in_a_later_run_once_its_time_is_over(
    late: bool, left: int
) -> None:
    it = topic((1, 10), (1, NULL), (2, 20))
    clean(it, 2, False)
    clean(it, 1, late)
    assert it.end == left


def test_a_tombstone_is_superseded_at_once_by_a_later_value() -> None:
    it = topic((1, NULL), (1, 10), (2, 20))
    clean(it, 2, False)
    assert rows(it) == [(1, 10), (2, 20)]


def test_a_run_that_changes_nothing_is_known_before() -> None:
    it = topic((1, 10), (2, NULL), (3, 30))
    assert not changes_something(it, 1, True)
    assert changes_something(it, 2, False)
    clean(it, 2, False)
    assert not changes_something(it, 2, False)
    assert changes_something(it, 2, True)


@pytest.mark.parametrize(("place", "after"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3)])
def test_a_place_moves_down_by_what_was_removed_before_it(place: int, after: int) -> None:
    it = topic((1, 10), (2, 20), (1, 11), (3, 30))
    assert place_after_cleaning(it, place, 3, False) == after


def test_blank_places_are_all_alike() -> None:
    it = topic((1, 10), (1, 11), (1, NULL), (2, 20))
    clean(it, 3, False)
    assert [(r.key, r.value, r.is_stamped) for r in it.record[it.end :]] == [
        (NONE, NULL, False)
    ] * (8 - it.end)


def test_retention_removes_from_the_front_keys_or_none() -> None:
    it = topic((NONE, 10), (1, NULL), (2, 20))
    clean_free = rows(it)
    remove_oldest(it, 2)
    assert rows(it) == clean_free[2:]


def test_the_last_record_of_a_key_says_whether_it_lives() -> None:
    it = topic((1, 10), (2, 20), (1, NULL))
    assert (latest(it, 1), latest(it, 2), latest(it, 3)) == (2, 1, NONE)
    assert (is_live(it, 1), is_live(it, 2), is_live(it, 3)) == (False, True, False)


def test_the_array_is_full_when_it_is() -> None:
    assert has_place(topic((1, 1), room=2))
    assert not has_place(topic((1, 1), (2, 2), room=2))


def last_values(it: Any) -> dict[int, int]:
    """What a reader knows by key once it has read all."""
    found: dict[int, int] = {}
    for key, value in rows(it):
        found.pop(key, None)
        if value != NULL:
            found[key] = value
    return found


@pytest.mark.parametrize("late", [False, True])
def test_no_cleaning_changes_the_last_value_of_a_key(late: bool) -> None:
    """What compaction is for: the map of keys to last values, tombstones being absence."""
    records = ((1, 10), (2, 20), (1, NULL), (2, 21), (1, 11), (3, 30), (3, NULL), (4, 40))
    for first in range(1, 8):
        for second in range(1, 8):
            it = topic(*records)
            whole = last_values(it)
            clean(it, first, late)
            assert last_values(it) == whole
            clean(it, min(second, it.end - 1), late)
            assert last_values(it) == whole


def test_a_late_run_drops_no_tombstone_that_still_hides_a_record() -> None:
    """A stamped tombstone had a run of its own before, which took away what it hides."""
    it = topic((1, 10), (1, NULL), (2, 20))
    assert not is_removed(it, 1, 2, True)
