"""Each class finds what it is for, and not what looks like it and is legitimate."""

import pytest

from tests.audit.records import (
    DELETED,
    DELETING,
    FINISHED,
    LONG_AGO,
    MINUTE,
    NOW,
    Topic,
    accused,
    judged,
)


@pytest.fixture
def topic():
    return Topic()


def three_copied(topic):
    for n, name in enumerate("ABC"):
        topic.copied(name, 10 * n, 10 * n + 9)


def test_a_healthy_partition_is_not_accused(topic):
    three_copied(topic)
    topic.deleted("A")
    assert accused(topic) == []


def test_nothing_is_said_of_no_record(topic):
    assert accused(topic) == []


# -- what may not follow


def test_a_copy_that_finishes_after_its_deletion_is_late(topic):
    topic.started("A", 0, 9)
    topic.update("A", DELETING, DELETED, FINISHED)
    assert accused(topic) == [("late_copy", "A")]


def test_a_deletion_that_is_written_once_more_is_noted(topic):
    topic.copied("A", 0, 9)
    topic.deleted("A", "A")
    assert accused(topic) == [("deletion_repeated", "A")]


def test_a_deletion_that_finishes_without_a_beginning_is_illegal(topic):
    topic.copied("A", 0, 9)
    topic.update("A", DELETED)
    (found,) = judged(topic).accusations.to_pylist()
    assert found["class"] == "illegal_transition"
    assert found["detail"] == "DELETE_SEGMENT_FINISHED follows COPY_SEGMENT_FINISHED"
    assert found["record_offset"] == 2


def test_the_same_state_twice_is_legal(topic):
    topic.copied("A", 0, 9)
    topic.update("A", FINISHED, DELETING, DELETING, DELETED)
    assert accused(topic) == []


def test_an_update_of_a_segment_that_nothing_describes_is_accused_once(topic):
    topic.update("A", FINISHED, FINISHED)
    assert accused(topic) == [("not_described", "A")]


def test_a_segment_that_nothing_describes_and_that_is_deleted_does_no_harm(topic):
    topic.update("A", DELETING, DELETED)
    assert accused(topic) == []


# -- what never ended


def test_a_copy_that_nothing_followed_hangs(topic):
    topic.copied("A", 0, 9)
    topic.started("B", 10, 19)
    assert accused(topic) == [("copy_hangs", "B")]


def test_a_young_copy_is_under_way(topic):
    topic.at_ms = NOW - 30 * MINUTE
    topic.started("A", 0, 9)
    assert accused(topic) == []
    assert accused(topic, younger_ms=10 * MINUTE) == [("copy_hangs", "A")]


def test_a_copy_that_was_made_again_is_left(topic):
    topic.started("A", 0, 9)
    topic.copied("B", 0, 9)
    assert accused(topic) == [("copy_left", "A")]


def test_a_failed_copy_that_was_cleaned_up_and_made_again_is_not_accused(topic):
    topic.started("A", 0, 9)
    topic.deleted("A")
    topic.copied("B", 0, 9)
    assert accused(topic) == []


@pytest.mark.parametrize("cleaned", [True, False])
def test_many_attempts_of_one_segment_are_accused_once(topic, cleaned):
    topic.copied("A", 0, 9)
    for name in "BCD":
        topic.started(name, 10, 19)
        if cleaned:
            topic.deleted(name)
    assert accused(topic) == [("copies_fail", "D")]


def test_many_attempts_of_which_the_last_succeeded_are_not_accused(topic):
    for name in "BCD":
        topic.started(name, 0, 9)
        topic.deleted(name)
    topic.copied("E", 0, 9)
    assert accused(topic) == []


def test_many_attempts_of_segments_that_retention_deleted_are_no_failure(topic):
    for name in "BCD":
        topic.copied(name, 0, 9)
        topic.deleted(name)
    assert accused(topic) == []


def test_a_deletion_without_end_is_accused_and_a_young_one_is_not(topic):
    three_copied(topic)
    topic.update("A", DELETING)
    topic.at_ms = NOW - MINUTE
    topic.update("B", DELETING)
    assert accused(topic) == [("deletion_unfinished", "A")]


def test_segments_of_a_deleted_topic_remain_whatever_their_state(topic):
    three_copied(topic)
    topic.deleted("A")
    topic.update("B", DELETING)
    gone = frozenset({topic.topic_id})
    assert accused(topic, deleted_ids=gone) == [
        ("deleted_topic_remains", "B"),
        ("deleted_topic_remains", "C"),
    ]


def test_a_topic_whose_deletion_is_under_way_is_not_accused(topic):
    topic.at_ms = NOW - 10 * MINUTE
    three_copied(topic)
    assert accused(topic, deleted_ids=frozenset({topic.topic_id})) == []


# -- the offset axis


def test_a_range_that_was_deleted_in_the_middle_is_a_gap(topic):
    three_copied(topic)
    topic.deleted("B")
    assert accused(topic) == [("gap", "10..19")]


def test_a_range_that_is_being_copied_is_no_gap(topic):
    topic.copied("A", 0, 9)
    topic.copied("C", 20, 29)
    assert accused(topic) == [("gap", "10..19")]
    topic.at_ms = NOW - MINUTE
    topic.started("B", 10, 19)
    assert accused(topic) == []


def test_deletions_from_the_front_leave_no_gap(topic):
    three_copied(topic)
    topic.deleted("A")
    topic.update("B", DELETING)
    assert accused(topic) == [("deletion_unfinished", "B")]


def test_a_gap_below_the_log_start_is_none(topic):
    three_copied(topic)
    topic.deleted("B")
    assert accused(topic, log_starts={("orders", 0): 20}) == []


def test_a_gap_that_the_local_log_has_is_none(topic):
    three_copied(topic)
    topic.deleted("B")
    assert accused(topic, local_log_starts={("orders", 0): 5}) == []


def test_records_that_neither_tier_has_lie_before_the_local_log(topic):
    three_copied(topic)
    assert accused(topic, local_log_starts={("orders", 0): 35}) == [("gap_to_local_log", "30..34")]
    assert accused(topic, local_log_starts={("orders", 0): 30}) == []


def test_a_log_start_that_promises_what_no_tier_has_is_a_gap(topic):
    three_copied(topic)
    topic.deleted("A")
    local = {("orders", 0): 25}
    promised, kept = {("orders", 0): 0}, {("orders", 0): 10}
    assert accused(topic, log_starts=promised, local_log_starts=local) == [("gap", "0..9")]
    assert accused(topic, log_starts=kept, local_log_starts=local) == []


def test_two_copies_count_twice_and_the_first_is_not_reached(topic):
    topic.copied("A", 0, 9)
    topic.copied("B", 0, 9)
    assert accused(topic) == [("overlap", "B"), ("unreachable", "A")]
    (overlap, _) = judged(topic).accusations.to_pylist()
    assert overlap["bytes"] == 10


def test_two_copies_are_noted_once_one_is_deleted(topic):
    topic.copied("A", 0, 9)
    topic.copied("B", 0, 9)
    topic.deleted("A")
    assert accused(topic) == [("overlap_is_over", "B")]


def test_a_copy_that_is_made_after_the_deletion_of_another_is_no_overlap(topic):
    topic.copied("A", 0, 9)
    topic.deleted("A")
    topic.copied("B", 0, 9)
    assert accused(topic) == []


def test_a_copy_whose_replacement_was_deleted_is_not_reached_and_leaves_a_gap(topic):
    topic.copied("A", 0, 9)
    topic.copied("B", 10, 19)
    topic.copied("B2", 10, 19)
    topic.copied("C", 20, 29)
    topic.deleted("B2")
    assert accused(topic) == [
        ("gap", "10..19"),
        ("overlap_is_over", "B2"),
        ("unreachable", "B"),
    ]


def test_a_leader_that_rolled_elsewhere_makes_an_overlap_of_some_bytes(topic):
    topic.copied("A", 0, 9)
    topic.copied("B", 5, 14)
    assert accused(topic) == [("overlap", "B")]
    (overlap,) = judged(topic).accusations.to_pylist()
    assert overlap["bytes"] == 5


def test_a_copy_that_is_overwritten_while_the_epoch_ends_later_is_listed_nowhere(topic):
    topic.copied("A", 0, 9)
    topic.copied("B", 10, 29)
    topic.copied("A2", 0, 4)
    assert ("listed_nowhere", "A") in accused(topic)


def test_offsets_that_a_shorter_copy_hides_are_a_gap(topic):
    topic.copied("A", 0, 19)
    topic.copied("C", 20, 29)
    topic.copied("B", 5, 9)
    assert ("gap", "10..19") in accused(topic)


def test_epochs_that_follow_each_other_are_in_the_lineage(topic):
    topic.copied("A", 0, 9, {0: 0})
    topic.copied("B", 10, 19, {0: 10, 2: 15})
    topic.copied("C", 20, 29, {2: 20})
    assert accused(topic) == []


def test_a_segment_of_a_leader_that_lost_its_end_is_out_of_the_lineage(topic):
    topic.copied("A", 0, 9, {0: 0})
    topic.copied("Z", 10, 29, {0: 10})
    topic.copied("B", 10, 19, {0: 10, 2: 15})
    topic.copied("C", 20, 29, {2: 20})
    assert accused(topic) == [("out_of_lineage", "Z")]


def test_a_segment_of_an_epoch_that_the_newest_lineage_skips_is_out_of_it(topic):
    topic.copied("A", 0, 9, {1: 0})
    topic.copied("Z", 10, 19, {2: 10})
    topic.copied("B", 10, 19, {1: 10, 3: 12})
    assert accused(topic) == [("out_of_lineage", "Z")]


def test_a_copy_that_a_new_leader_replaced_in_its_own_epoch_is_not_out_of_the_lineage(topic):
    topic.copied("A", 0, 9, {0: 0})
    topic.copied("B", 0, 12, {0: 0, 1: 10})
    assert accused(topic) == [("overlap", "A"), ("unreachable", "A")]


# -- brokers


def test_a_broker_whose_clock_is_behind_is_accused(topic):
    topic.copied("A", 0, 9)
    topic.broker, topic.at_ms = 2, LONG_AGO - 10 * MINUTE
    topic.copied("B", 10, 19)
    (found,) = judged(topic).accusations.to_pylist()
    assert found["class"] == "clocks_disagree"
    assert "broker 1 is ahead of that of broker 2 by 60" in found["detail"]


def test_a_clock_that_was_wrong_weeks_ago_is_not_accused(topic):
    topic.at_ms = NOW - 30 * 24 * 60 * MINUTE
    topic.copied("A", 0, 9)
    topic.broker, topic.at_ms = 2, topic.at_ms - 10 * MINUTE
    topic.copied("B", 10, 19)
    assert accused(topic) == []


def test_a_record_that_was_sent_again_for_a_minute_is_not_a_clock(topic):
    topic.copied("A", 0, 9)
    topic.broker, topic.at_ms = 2, LONG_AGO - MINUTE
    topic.copied("B", 10, 19)
    assert accused(topic) == []


def test_brokers_that_write_different_versions_are_noted(topic):
    topic.copied("A", 0, 9)
    topic.broker = 2
    topic.copied("B", 10, 19, version=1)
    assert accused(topic) == [
        ("versions_disagree", "segment: broker 1 version 0, broker 2 version 1")
    ]


def test_a_broker_that_was_upgraded_is_not(topic):
    topic.copied("A", 0, 9)
    topic.copied("B", 10, 19, version=1)
    assert accused(topic) == []


def test_a_tombstone_is_noted(topic):
    topic.append("tombstone", None, None, version=None, broker_id=None)
    assert accused(topic) == [("other_records", "a tombstone")]
