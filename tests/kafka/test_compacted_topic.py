"""The compacted topic alone: what the cleaner removes, when, and what becomes of places in made."""

from __future__ import annotations

import pytest

from tierproof.model.kafka.compacted_topic import (
    NULL,
    CleanupPolicy,
    CompactedTopic,
    TopicScope,
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
from tierproof.model.language import NONE, State


class Alone(State):
    """A compacted topic, and nothing else."""

    topic: CompactedTopic


def topic(*records: tuple[int, int], room: int = 8) -> CompactedTopic:
    """A topic with these (key, value) records."""
    made = Alone.at_start(TopicScope(topic_records=room)).copy_for("a test").topic
    for key, value in records:
        append(made, key, value)
    return made


def rows(made: CompactedTopic) -> list[tuple[int, int]]:
    """Its records as (key, value)."""
    return [(made.record[n].key, made.record[n].value) for n in range(made.end)]


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
    made = topic((1, 10), (2, 20), (1, 11), (3, 30))
    clean(made, 3, False)
    assert rows(made) == [(2, 20), (1, 11), (3, 30)]


def test_a_record_behind_the_map_supersedes_nothing() -> None:
    made = topic((1, 10), (2, 20), (1, 11))
    assert not changes_something(made, 2, False)
    clean(made, 2, False)
    assert rows(made) == [(1, 10), (2, 20), (1, 11)]


@pytest.mark.parametrize(("end", "active", "first"), [(0, 1, 0), (1, 1, 0), (4, 1, 3), (4, 3, 1)])
def test_the_active_segment_is_never_cleaned(end: int, active: int, first: int) -> None:
    made = topic(*[(n, 1) for n in range(end)])
    assert first_uncleanable(made, active) == first


def test_the_active_segment_has_a_record_even_if_none_is_asked_for() -> None:
    assert first_uncleanable(topic((1, 1), (2, 2)), 0) == 1


def test_a_record_without_a_key_is_dropped_whatever_it_says() -> None:
    made = topic((NONE, 10), (1, 11), (NONE, 12), (2, 20))
    clean(made, 3, False)
    assert rows(made) == [(1, 11), (2, 20)]


def test_a_record_without_a_key_stays_as_long_as_it_lies_behind_the_map() -> None:
    made = topic((1, 10), (NONE, 11), (2, 20))
    assert not changes_something(made, 1, True)
    assert not is_removed(made, 1, 1, True)
    assert is_removed(made, 1, 2, False)


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
    made = topic((1, 10), (1, NULL), (2, 20))
    clean(made, 2, True)
    assert rows(made) == [(1, NULL), (2, 20)]
    assert made.record[0].is_stamped


@pytest.mark.parametrize(("late", "left"), [(False, 2), (True, 1)])
def test_a_stamped_tombstone_goes_in_a_later_run_once_its_time_is_over(
    late: bool, left: int
) -> None:
    made = topic((1, 10), (1, NULL), (2, 20))
    clean(made, 2, False)
    clean(made, 1, late)
    assert made.end == left


def test_a_tombstone_is_superseded_at_once_by_a_later_value() -> None:
    made = topic((1, NULL), (1, 10), (2, 20))
    clean(made, 2, False)
    assert rows(made) == [(1, 10), (2, 20)]


def test_a_run_that_changes_nothing_is_known_before() -> None:
    made = topic((1, 10), (2, NULL), (3, 30))
    assert not changes_something(made, 1, True)
    assert changes_something(made, 2, False)
    clean(made, 2, False)
    assert not changes_something(made, 2, False)
    assert changes_something(made, 2, True)


@pytest.mark.parametrize(("place", "after"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3)])
def test_a_place_moves_down_by_what_was_removed_before_it(place: int, after: int) -> None:
    made = topic((1, 10), (2, 20), (1, 11), (3, 30))
    assert place_after_cleaning(made, place, 3, False) == after


def test_blank_places_are_all_alike() -> None:
    made = topic((1, 10), (1, 11), (1, NULL), (2, 20))
    clean(made, 3, False)
    assert [(r.key, r.value, r.is_stamped) for r in list(made.record)[made.end :]] == [
        (NONE, NULL, False)
    ] * (8 - made.end)


def test_retention_removes_from_the_front_keys_or_none() -> None:
    made = topic((NONE, 10), (1, NULL), (2, 20))
    clean_free = rows(made)
    remove_oldest(made, 2)
    assert rows(made) == clean_free[2:]


def test_the_last_record_of_a_key_says_whether_it_lives() -> None:
    made = topic((1, 10), (2, 20), (1, NULL))
    assert (latest(made, 1), latest(made, 2), latest(made, 3)) == (2, 1, NONE)
    assert (is_live(made, 1), is_live(made, 2), is_live(made, 3)) == (False, True, False)


def test_the_array_is_full_when_it_is() -> None:
    assert has_place(topic((1, 1), room=2))
    assert not has_place(topic((1, 1), (2, 2), room=2))


def last_values(made: CompactedTopic) -> dict[int, int]:
    """What a reader knows by key once it has read all."""
    found: dict[int, int] = {}
    for key, value in rows(made):
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
            made = topic(*records)
            whole = last_values(made)
            clean(made, first, late)
            assert last_values(made) == whole
            clean(made, min(second, made.end - 1), late)
            assert last_values(made) == whole


def test_a_late_run_drops_no_tombstone_that_still_hides_a_record() -> None:
    """A stamped tombstone had a run of its own before, which took away what it hides."""
    made = topic((1, 10), (1, NULL), (2, 20))
    assert not is_removed(made, 1, 2, True)
