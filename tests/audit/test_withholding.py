"""What rests on the absence of a record is not accused where records may have been lost."""

import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tests.audit.records import (
    DELETED,
    DELETING,
    FINISHED,
    NOW,
    Bucket,
    Topic,
    accused,
    judged,
)
from tierproof.conformance.audit import Sources, audit
from tierproof.conformance.audit.asked import HOUR_MS
from tierproof.conformance.audit.objects import LOCAL
from tierproof.conformance.audit.tables import SET_ASIDE
from tierproof.conformance.audit.withholding import not_whole

CLEAN = Path(__file__).parent / "recorded" / "4.4.0" / "clean"
CUT: dict[str, Any] = {"not_whole": frozenset({0})}


@pytest.fixture
def topic():
    found = Topic()
    for n, name in enumerate("ABC"):
        found.copied(name, 10 * n, 10 * n + 9)
    return found


def test_a_deletion_whose_end_may_be_lost_is_not_judged(topic):
    topic.update("A", DELETING)
    assert accused(topic) == [("deletion_unfinished", "A")]
    found = judged(topic, **CUT)
    assert found.accusations.to_pylist() == []
    assert found.withheld == {"deletion_unfinished": 1}


def test_what_lives_in_a_partition_that_was_read_whole_is_judged(topic):
    topic.update("A", DELETING)
    assert accused(topic, not_whole=frozenset({7})) == [("deletion_unfinished", "A")]


def test_a_record_without_object_may_have_a_deletion_that_is_lost(topic):
    bucket = Bucket(topic)
    bucket.put("A")
    assert accused(topic, bucket, layout=LOCAL, **CUT) == []


def test_an_object_without_record_may_have_one_that_is_lost(topic):
    bucket = Bucket(topic)
    for n, name in enumerate("ABCD"):
        bucket.put(name, 10 * n, files=("log",))
    assert accused(topic, bucket) == [("object_without_record", "D")]
    assert accused(topic, bucket, **CUT) == []


def test_a_gap_may_have_a_segment_that_is_lost(topic):
    topic.deleted("B")
    assert accused(topic) == [("gap", "10..19")]
    assert accused(topic, not_whole=None) == []


def test_what_records_show_by_themselves_is_judged(topic):
    topic.update("A", DELETING, DELETED, FINISHED)
    assert accused(topic, **CUT) == [("late_copy", "A")]


def test_a_listing_with_lines_that_were_not_read_loses_no_object(topic):
    bucket = Bucket(topic)
    bucket.put("A")
    topic.update("A", DELETING)
    assert accused(topic, bucket, layout=LOCAL, is_listing_whole=False) == [
        ("deletion_unfinished", "A")
    ]


@pytest.mark.parametrize(
    ("source", "reason", "expected"),
    [
        ("data/__remote_log_metadata-7/00000000000000000000.log", "truncated", {7}),
        ("data/__remote_log_metadata-7/00000000000000000000.log", "offset_gap", {7}),
        ("data/__remote_log_metadata-7", "other_replica", set()),
        ("dump.txt", "unreadable_line", None),
        ("broker:9092", "unreadable_file", None),
    ],
)
def test_the_partition_that_lacks_something_is_known_by_its_folder(source, reason, expected):
    rows = [{"source": source, "reason": reason, "detail": "words"}]
    assert not_whole(pa.Table.from_pylist(rows, schema=SET_ASIDE)) == expected


@pytest.mark.parametrize("share", [0.3, 0.5, 0.8])
def test_a_log_that_is_cut_is_incomplete_and_accuses_nothing(share, tmp_path):
    (source,) = CLEAN.glob("__remote_log_metadata-*")
    folder = tmp_path / "data" / source.name
    shutil.copytree(source, folder)
    (log,) = folder.glob("*.log")
    log.write_bytes(log.read_bytes()[: int(log.stat().st_size * share)])
    listing = str(CLEAN / "listing.txt")
    sources = Sources(metadata=[folder], bucket=[listing], as_of_ms=NOW + 9 * HOUR_MS)
    found, _ = audit(sources, tmp_path / "audit")
    assert found.classes() == []
    assert found.withheld or not found.has_objects
    assert found.answer().startswith("INCOMPLETE: ")
    truncated = found.set_aside_by_reason()
    assert [(one["reason"], one["count"]) for one in truncated] == [("truncated", 1)]
