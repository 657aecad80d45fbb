"""What released brokers wrote is understood completely, from files and from the live topic."""

import json
from pathlib import Path

import pytest

from tests.audit.reading.topics import rows
from tests.audit.recording import TIERED, copied
from tierproof.command_line import confirming
from tierproof.conformance.audit.listing import list_objects
from tierproof.conformance.audit.reading import NotReadable, read_live, read_metadata
from tierproof.conformance.brokers.cluster import started
from tierproof.conformance.brokers.errors import CannotRun
from tierproof.conformance.brokers.jvm import Jvm
from tierproof.conformance.brokers.node import awaited
from tierproof.conformance.brokers.releases import NEWEST, Release, class_path

RECORDED = sorted((Path(__file__).parents[1] / "recorded").glob("*/*"))
PLAYED = {f"{path.parent.name}/{path.name}": path for path in RECORDED}


def states(reading):
    return [row["state"] for row in rows(reading)]


def test_there_are_recorded_scenarios_and_their_controls():
    names = {name.partition("/")[2] for name in PLAYED}
    assert {"clean", "hung_copy", "failed_deletion", "deleted_topic", "zombie"} <= names
    assert {"two_copies", "disabled_and_enabled", "zombie_control"} <= names


@pytest.mark.parametrize("name", PLAYED)
def test_nothing_of_a_recorded_topic_is_set_aside(name, tmp_path):
    folder = PLAYED[name]
    reading = read_metadata([folder], tmp_path / "read")
    assert reading.set_aside.num_rows == 0
    assert {row["topic"] for row in rows(reading)} == {"tiered"}
    listing = list_objects([folder / "listing.txt"], tmp_path / "listed")
    assert listing.set_aside.num_rows == 0
    found = listing.objects.to_table().to_pylist()
    assert None not in {row["file"] for row in found}
    known = {row["segment_id"] for row in rows(reading)}
    assert {row["segment_id"] for row in found} <= known


def test_a_clean_life_is_that_of_four_segments_of_which_two_are_deleted(tmp_path):
    reading = read_metadata([PLAYED[f"{NEWEST}/clean"]], tmp_path / "read")
    found = states(reading)
    assert found[:8] == ["COPY_SEGMENT_STARTED", "COPY_SEGMENT_FINISHED"] * 4
    assert found[8:] == ["DELETE_SEGMENT_STARTED", "DELETE_SEGMENT_FINISHED"] * 2


def test_a_hung_copy_never_finishes_and_its_retry_does(tmp_path):
    folder = PLAYED[f"{NEWEST}/hung_copy"]
    assert json.loads((folder / "played.json").read_text())["outcome"] == "CONFIRMED"
    found = rows(read_metadata([folder], tmp_path / "read"))
    first, second = dict.fromkeys(row["segment_id"] for row in found)
    assert [(row["segment_id"], row["state"]) for row in found] == [
        (first, "COPY_SEGMENT_STARTED"),
        (second, "COPY_SEGMENT_STARTED"),
        (second, "COPY_SEGMENT_FINISHED"),
    ]


def address_of(cluster):
    return f"127.0.0.1:{cluster.brokers[0].port}"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A broker of the newest release with a tiered topic, of which four segments are copied."""
    try:
        jars = class_path(Release(NEWEST), confirming.jars())
    except CannotRun as error:
        pytest.skip(f"no broker of {NEWEST} can be run here: {error}")
    folder = tmp_path_factory.mktemp("cluster")
    with Jvm(jars) as jvm, started(Release(NEWEST), jars, jvm, folder / "c") as running:
        running.client.create_topic("tiered", [0], TIERED)
        running.client.produce("tiered", [b"record %04d" % number for number in range(9)])
        awaited("four segments are copied", lambda: copied(running) == 4, 60)
        yield running


@pytest.mark.brokers
def test_no_topic_is_made_in_a_cluster_that_never_had_a_group(cluster, tmp_path):
    before = cluster.client.topics()
    with pytest.raises(NotReadable, match="has no topic __consumer_offsets, and would make it"):
        read_live(address_of(cluster), tmp_path / "live")
    assert cluster.client.topics() == before == {"tiered", "__remote_log_metadata"}


@pytest.mark.brokers
def test_a_live_topic_is_read_as_its_files_are_and_no_group_is_left(cluster, tmp_path):
    properties = tmp_path / "client.properties"
    properties.write_text("security.protocol=PLAINTEXT\n")
    live = read_live(
        address_of(cluster),
        tmp_path / "live",
        properties=properties,
        may_create_offsets_topic=True,
    )
    files = read_metadata([cluster.brokers[0].data], tmp_path / "files")
    assert rows(live) == rows(files)
    assert live.set_aside.num_rows == files.set_aside.num_rows == 0
    assert len(rows(live)) == 8
    from confluent_kafka.admin import AdminClient

    groups = AdminClient({"bootstrap.servers": address_of(cluster)}).list_consumer_groups()
    assert groups.result().valid == []


@pytest.mark.brokers
def test_a_topic_that_a_cluster_does_not_have_is_said(cluster, tmp_path):
    with pytest.raises(NotReadable, match="has no topic nowhere"):
        read_live(address_of(cluster), tmp_path / "live", topic="nowhere")
