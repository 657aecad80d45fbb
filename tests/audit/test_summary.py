"""The answer of an audit: a line, classes with what to do, and never CLEAN of what was cut."""

import json
import shlex
from dataclasses import replace

import pyarrow as pa
import pytest

from tests.audit.records import DELETING, MINUTE, NOW, Bucket, Topic, judged, uuid
from tierproof.conformance.audit.asked import HOUR_MS, Asked
from tierproof.conformance.audit.objects import LOCAL
from tierproof.conformance.audit.summary import CLEAN, INCOMPLETE, SEE_TO, Audit
from tierproof.conformance.audit.tables import SET_ASIDE


@pytest.fixture
def topic():
    found = Topic()
    for n, name in enumerate("ABC"):
        found.copied(name, 10 * n, 10 * n + 9)
    return found


def set_aside(*reasons):
    rows = [{"source": "a.log", "reason": one, "detail": "words"} for one in reasons]
    return pa.Table.from_pylist(rows, schema=SET_ASIDE)


def audit_of(topic, *reasons, bucket=None, root="", **asked):
    found = judged(topic, bucket, **asked)
    return Audit(
        Asked(now_ms=NOW, **asked),
        found.accusations,
        found.facts,
        set_aside(*reasons),
        not_judged=found.not_judged,
        object_root=root,
        has_objects=bucket is not None,
    )


def test_a_clean_topic_says_so_in_a_line(topic):
    found = audit_of(topic)
    assert found.verdict == CLEAN
    assert found.answer() == (
        "CLEAN: nothing to see to in 6 records of 1 topic-partition, 3 live segments"
    )


def test_an_unfinished_deletion_points_to_the_list_of_topics_where_it_was_not_given(topic):
    topic.update("A", DELETING)
    found = audit_of(topic)
    assert "--topics" in found.classes()[0]["do"]
    assert "--topics" not in replace(found, knows_topics=True).classes()[0]["do"]


def test_a_topic_without_a_record_is_not_clean():
    found = audit_of(Topic())
    assert found.verdict == INCOMPLETE
    assert found.answer() == "INCOMPLETE: no record was read"
    assert not found.is_complete


def test_where_all_is_too_young_nothing_is_clean(topic):
    bucket = Bucket(topic)
    bucket.put("A")
    found = audit_of(topic, bucket=bucket, layout=LOCAL, younger_ms=48 * HOUR_MS)
    assert found.verdict == INCOMPLETE
    assert "3 of 3 segments are too young to judge, see --younger-than" in found.answer()
    assert found.as_dict()["too_young"] == {"segments": 3, "of_segments": 3, "objects": 0}


def test_the_bucket_agrees_only_with_what_was_compared(topic):
    topic.at_ms = NOW - MINUTE
    topic.copied("D", 30, 39)
    bucket = Bucket(topic)
    for n, name in enumerate("ABC"):
        bucket.put(name, 10 * n)
    found = audit_of(topic, bucket=bucket, layout=LOCAL)
    assert found.verdict == CLEAN
    assert "the bucket agrees" not in found.answer()
    assert "1 of 4 segments is too young to judge, see --younger-than" in found.answer()
    bucket.put("X", 90, files=("log",), modified_ms=NOW - MINUTE)
    assert "1 object is too young to judge" in audit_of(topic, bucket=bucket).answer()


def test_a_segment_that_was_deleted_long_ago_does_not_stand_for_young_ones(topic):
    topic.deleted("A", "B", "C")
    topic.at_ms = NOW - MINUTE
    topic.copied("D", 30, 39)
    assert audit_of(topic).verdict == INCOMPLETE


def test_what_was_set_aside_is_never_clean(topic):
    found = audit_of(topic, "damaged_batch")
    assert found.verdict == INCOMPLETE
    assert "1 damaged batch" in found.answer()


@pytest.mark.parametrize("reason", ["control_record", "other_replica"])
def test_what_loses_nothing_may_be_set_aside(topic, reason):
    assert audit_of(topic, reason).verdict == CLEAN


def test_what_is_found_is_found_although_something_was_set_aside(topic):
    topic.update("A", DELETING)
    found = audit_of(topic, "truncated")
    assert found.verdict == SEE_TO
    assert found.answer() == (
        "SEE TO 1 in 1 of 1 topic-partition: cost 1; not all was read: 1 truncated"
    )


def test_a_note_alone_is_clean(topic):
    topic.deleted("A", "A")
    found = audit_of(topic)
    assert [one["name"] for one in found.classes()] == ["deletion_repeated"]
    assert found.verdict == CLEAN


def test_classes_stand_by_their_harm_with_what_to_do(topic):
    topic.copied("D", 30, 39)
    topic.update("C", DELETING)
    topic.deleted("B")
    worst, other = audit_of(topic).classes()
    assert (worst["name"], worst["count"]) == ("gap", 1)
    assert other["name"] == "deletion_unfinished"
    assert other["bytes"] == 10
    assert all(one["do"] and one["do_not"] and one["cause"] for one in (worst, other))


def test_commands_are_given_only_where_the_deletion_is_written(topic):
    bucket = Bucket(topic)
    for n, name in enumerate("ABC"):
        bucket.put(name, 10 * n)
    bucket.put("X", 90, files=("log",))
    topic.deleted("A")
    found = audit_of(topic, bucket=bucket, root="s3://tier", layout=LOCAL)
    commands = {one["name"]: one["commands"] for one in found.classes()}
    assert commands["object_without_record"] == []
    assert len(commands["object_after_deletion"]) == 5
    key = f"orders-0/{0:020}-{uuid('A')}.leader_epoch_checkpoint"
    assert f"aws s3 rm 's3://tier/{key}'" in commands["object_after_deletion"]


def test_a_folder_with_a_quote_in_its_name_stays_one_word_of_the_command(topic):
    bucket = Bucket(topic)
    bucket.put("A")
    topic.deleted("A")
    found = audit_of(topic, bucket=bucket, root="s3://it's", layout=LOCAL)
    commands = [shlex.split(one) for of in found.classes() for one in of["commands"]]
    assert commands
    assert all(words[:3] == ["aws", "s3", "rm"] and len(words) == 4 for words in commands)


def test_no_command_is_given_if_not_all_was_read(topic):
    bucket = Bucket(topic)
    bucket.put("A")
    topic.deleted("A")
    found = audit_of(topic, "truncated", bucket=bucket, root="s3://tier", layout=LOCAL)
    assert all(not one["commands"] for one in found.classes())


def test_the_answer_is_json(topic):
    topic.update("A", DELETING)
    found = json.loads(json.dumps(audit_of(topic).as_dict()))
    assert found["partitions"][0]["classes"]["deletion_unfinished"]["count"] == 1
    assert found["foresight"]["kip1266"]["as_written"]["segments_lost"] == 2
