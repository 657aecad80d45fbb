"""Which partitions of the metadata topic were read: objects of others are not accused."""

import shutil
from pathlib import Path

import pytest

from tests.audit.records import Topic
from tierproof.conformance.audit import Sources, audit
from tierproof.conformance.audit.coverage import known_places, partitions_of_topic
from tierproof.conformance.audit.partitioner import metadata_partition

CLEAN = Path(__file__).parent / "recorded" / "4.4.0" / "clean"

OF_KAFKA = [
    ("AAAAAAAAAAAAAAAAAAAAAQ", (35, 6, 18)),
    ("HlXDjrkvSJOkHhXFzyIcXw", (7, 18, 1)),
    ("6JDCBs0JQvm5SNvK150s0g", (44, 36, 26)),
    ("b3JkZXJzX19fX19fX19fXw", (37, 40, 42)),
]
"""Topic id -> what RemoteLogMetadataTopicPartitioner of 4.4.0 gave for partitions 0, 1 and 123."""


@pytest.mark.parametrize(("topic_id", "expected"), OF_KAFKA)
def test_records_lie_where_kafkas_partitioner_puts_them(topic_id, expected):
    found = tuple(metadata_partition(topic_id, partition, 50) for partition in (0, 1, 123))
    assert found == expected


def test_the_number_of_partitions_is_the_one_that_explains_the_records():
    known = {(topic_id, 0): expected[0] for topic_id, expected in OF_KAFKA}
    assert partitions_of_topic(known, set(known.values())) == 50
    assert partitions_of_topic({}, {0, 1, 2}) == 3
    known[OF_KAFKA[0][0], 0] += 1
    assert partitions_of_topic(known, set(known.values())) is None


def test_places_are_known_from_records():
    topic = Topic()
    topic.copied("A", 0, 9)
    assert known_places(topic.table().to_batches()) == ({(topic.topic_id, 0): 0}, {0})


def test_a_partition_that_is_not_there_makes_an_audit_incomplete(tmp_path):
    (source,) = CLEAN.glob("__remote_log_metadata-*")
    shutil.copytree(source, tmp_path / "data" / "__remote_log_metadata-1")
    found, _ = audit(Sources(metadata=[tmp_path / "data"]), tmp_path / "audit")
    assert not found.is_complete
    assert "of the metadata topic are not there" in found.answer()


def test_what_a_broker_appends_while_the_bucket_is_listed_is_read_too(tmp_path):
    (source,) = CLEAN.glob("__remote_log_metadata-*")
    folder = tmp_path / "data" / source.name
    shutil.copytree(source, folder)
    (log,) = folder.glob("*.log")
    whole = log.read_bytes()
    first = 12 + int.from_bytes(whole[8:12])
    log.write_bytes(whole[:first])

    def append(words):
        if words == "listing the bucket":
            log.write_bytes(whole)

    sources = Sources(metadata=[folder], bucket=[str(CLEAN / "listing.txt")])
    found, judgement = audit(sources, tmp_path / "audit", say=append)
    assert found.is_complete
    expected, _ = audit(Sources(metadata=[CLEAN]), tmp_path / "other")
    assert found.facts.records == expected.facts.records > 1
    assert judgement is not None
