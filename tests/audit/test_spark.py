"""Spark judges as this process does: the same accusations and facts."""

import pyarrow.parquet as pq
import pytest

from tests.audit.records import NOW, Bucket, Topic
from tierproof.conformance.audit.asked import Asked
from tierproof.conformance.audit.judging import judge
from tierproof.conformance.audit.objects import LOCAL
from tierproof.conformance.audit.reading import NotReadable
from tierproof.conformance.audit.spark import check_grouped, judge_by_spark


@pytest.mark.spark
@pytest.mark.slow
def test_spark_finds_the_same(tmp_path):
    from tierproof.spark_explorer.spark import session

    topic = Topic()
    for partition in range(5):
        topic.partition = partition
        for n in range(4):
            topic.copied(f"P{partition}S{n}", 10 * n, 10 * n + 9)
        topic.deleted(f"P{partition}S{partition % 4}")
    bucket = Bucket(topic)
    for partition in range(4):
        bucket.put(f"P{partition}S3", 30, partition=partition)
    asked = Asked(now_ms=NOW, layout=LOCAL)
    pq.write_table(topic.table(), tmp_path / "records.parquet")
    pq.write_table(bucket.table(), tmp_path / "objects.parquet")
    spark = session.frames(session.Starting(None, lambda _: None).context)
    files = [tmp_path / "records.parquet"], [tmp_path / "objects.parquet"]
    accusations, facts, not_judged, withheld = judge_by_spark(spark, *files, asked)
    expected = judge([topic.table()], asked, bucket.table())
    assert accusations.to_pylist() == expected.accusations.to_pylist()
    assert facts == expected.facts
    assert (not_judged, withheld) == (expected.not_judged, expected.withheld)


def test_objects_that_cannot_be_sent_to_their_records_are_refused():
    bucket = Bucket(Topic())
    bucket.put("A")
    check_grouped(bucket.table())
    bucket.put("B", partition=None)
    with pytest.raises(NotReadable, match="--engine memory"):
        check_grouped(bucket.table())
