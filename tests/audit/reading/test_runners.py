"""The same functions read in threads of this process and in tasks of Spark."""

import sys

import pytest

from tests.audit.reading.topics import asides, read, rows
from tierproof.conformance.audit.generating import GeneratedTopic, write_topic
from tierproof.conformance.audit.reading import METADATA_TOPIC


@pytest.fixture(scope="module")
def damaged_topic(tmp_path_factory):
    """A topic of which one byte is wrong."""
    log = tmp_path_factory.mktemp("topic") / "log"
    write_topic(log, GeneratedTopic(records=3_000, partitions=3, segment_bytes=30_000))
    file = min((log / f"{METADATA_TOPIC}-1").glob("*.log"))
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    return log


def found_by(log, **options):
    reading = read(log, **options)
    return rows(reading), asides(reading)


def test_the_number_of_threads_changes_nothing(damaged_topic):
    one = found_by(damaged_topic, threads=1, split_bytes=4_000)
    assert one == found_by(damaged_topic, threads=4, split_bytes=1 << 26)
    assert len(one[0]) > 2_900
    assert len(one[1]) == 1


def test_no_thread_reads_nothing(damaged_topic):
    with pytest.raises(ValueError, match="0 threads read nothing"):
        found_by(damaged_topic, threads=0)


@pytest.mark.slow
@pytest.mark.spark
def test_spark_reads_what_threads_read(damaged_topic, monkeypatch):
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[2]").getOrCreate()
    found = found_by(damaged_topic, spark=session, split_bytes=80_000)
    assert found == found_by(damaged_topic)
