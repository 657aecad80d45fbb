"""The bucket against the records: what is accused in either direction, and what is under way."""

import pytest

from tests.audit.records import DELETING, LONG_AGO, MINUTE, NOW, Bucket, Topic, accused, judged
from tierproof.conformance.audit.objects import LOCAL, OTHER


@pytest.fixture
def topic():
    found = Topic()
    for n, name in enumerate("ABC"):
        found.copied(name, 10 * n, 10 * n + 9)
    return found


@pytest.fixture
def bucket(topic):
    found = Bucket(topic)
    for n, name in enumerate("ABC"):
        found.put(name, 10 * n)
    return found


def test_a_bucket_that_agrees_is_not_accused(topic, bucket):
    assert accused(topic, bucket, layout=LOCAL) == []


def test_a_finished_segment_without_object_is_accused(topic, bucket):
    bucket.rows = [row for row in bucket.rows if row["start_offset"] != 10]
    assert accused(topic, bucket, layout=LOCAL) == [("record_without_object", "B")]


def test_a_segment_that_finished_after_the_listing_is_not_missed(topic, bucket):
    topic.copied("D", 30, 39)
    assert accused(topic, bucket, layout=LOCAL, listed_ms=LONG_AGO) == []
    assert accused(topic, bucket, layout=LOCAL) == [("record_without_object", "D")]


def test_a_segment_whose_deletion_began_since_the_listing_is_not_missed(topic, bucket):
    bucket.rows = [row for row in bucket.rows if row["start_offset"] != 0]
    topic.at_ms = NOW - MINUTE
    topic.update("A", DELETING)
    assert accused(topic, bucket, layout=LOCAL) == []


def test_an_object_that_no_record_names_is_accused_and_a_young_one_is_not(topic, bucket):
    bucket.put("X", 40, files=("log",))
    bucket.put("Y", 50, files=("log",), modified_ms=NOW - MINUTE)
    assert accused(topic, bucket, layout=LOCAL) == [("object_without_record", "X")]


def test_an_object_whose_records_were_not_read_is_not_accused(topic, bucket):
    bucket.put("X", 40, files=("log",))
    found = judged(topic, bucket, layout=LOCAL, read_partitions=frozenset())
    assert found.accusations.to_pylist() == []
    assert found.not_judged == {"metadata_partition_not_read": 1}


def test_an_object_of_a_copy_under_way_is_not_accused(topic, bucket):
    topic.at_ms = NOW - MINUTE
    topic.started("D", 30, 39)
    bucket.put("D", 30, files=("log",))
    assert accused(topic, bucket, layout=LOCAL) == []


def test_an_object_of_a_deleted_segment_is_left(topic, bucket):
    topic.deleted("A")
    found = accused(topic, bucket, layout=LOCAL)
    assert found == [("object_after_deletion", "A")] * 5


def test_an_object_of_a_deletion_that_has_just_finished_is_not_left(topic, bucket):
    topic.at_ms = NOW - MINUTE
    topic.deleted("A")
    assert accused(topic, bucket, layout=LOCAL) == []


def test_an_index_that_is_missing_beside_its_segment_is_accused(topic, bucket):
    bucket.rows = [row for row in bucket.rows if row["key"][-12:] != "offset_index"]
    assert accused(topic, bucket, layout=LOCAL) == [("file_missing", name) for name in "ABC"]


def test_a_missing_transaction_index_is_not(topic, bucket):
    assert accused(topic, bucket, layout=LOCAL) == []


def test_a_missing_producer_snapshot_is_a_class_of_its_own(topic, bucket):
    bucket.rows = [row for row in bucket.rows if row["file"] != "producer_snapshot"]
    found = accused(topic, bucket, layout=LOCAL)
    assert found == [("without_producer_snapshot", name) for name in "ABC"]


def test_another_size_is_accused_where_sizes_are_those_of_records(topic, bucket):
    bucket.rows[0]["bytes"] = 7
    assert accused(topic, bucket, layout=LOCAL) == [("size_differs", "A")]
    assert accused(topic, bucket, layout=OTHER) == []


def test_a_log_of_no_bytes_is_accused_also_where_sizes_are_not_those_of_records(topic, bucket):
    bucket.rows[0]["bytes"] = 0
    assert accused(topic, bucket, layout=OTHER) == [("size_differs", "A")]


def test_an_upload_that_never_completed_is_accused_and_a_young_one_is_not(topic, bucket):
    bucket.put("X", files=("log",), unfinished=True)
    bucket.put("Y", files=("log",), unfinished=True, modified_ms=NOW - MINUTE)
    assert accused(topic, bucket, layout=LOCAL) == [("unfinished_upload", "X")]


def test_a_copy_whose_object_is_gone_is_only_noted(topic, bucket):
    topic.started("D", 30, 39)
    topic.copied("E", 30, 39)
    bucket.put("E", 30)
    assert accused(topic, bucket, layout=LOCAL) == [("record_remains", "D")]
    bucket.put("D", 30, files=("log",))
    assert accused(topic, bucket, layout=LOCAL) == [("copy_left", "D")]


def test_a_listing_that_is_older_than_the_copy_does_not_clear_it(topic, bucket):
    topic.started("D", 30, 39)
    topic.copied("E", 30, 39)
    bucket.put("E", 30)
    assert accused(topic, bucket, layout=LOCAL, listed_ms=LONG_AGO) == [("copy_left", "D")]


def test_a_deletion_whose_object_is_gone_is_only_noted(topic, bucket):
    topic.update("A", DELETING)
    bucket.rows = [row for row in bucket.rows if row["start_offset"] != 0]
    assert accused(topic, bucket, layout=LOCAL) == [("record_remains", "A")]


def test_what_is_accused_without_a_segment_stays_accused_beside_a_listing(topic, bucket):
    topic.deleted("B")
    bucket.rows = [row for row in bucket.rows if row["start_offset"] != 10]
    assert accused(topic, bucket, layout=LOCAL) == [("gap", "10..19")]
