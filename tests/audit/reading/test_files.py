"""Files of a partition are read to their end, in splits of any size, whatever is damaged."""

import gzip
from pathlib import Path

import pytest

from tests.audit.reading.topics import (
    FINISHED,
    MARKED,
    STARTED,
    asides,
    read,
    reasons,
    recorded,
    rows,
    write,
)
from tierproof.conformance.audit.generating import GeneratedTopic, write_topic
from tierproof.conformance.audit.generating.batches import Batch
from tierproof.conformance.audit.reading import METADATA_TOPIC, NotReadable, read_metadata

MESSAGES = recorded(STARTED, FINISHED, MARKED)
PRINTED = Path(__file__).parent / "printed"


def batch(base):
    return Batch(base=base, records=MESSAGES)


SIZE = len(batch(0).content)


def offsets(reading):
    return [row["record_offset"] for row in rows(reading)]


@pytest.mark.parametrize("split_bytes", [1, 60, 61, SIZE - 1, SIZE, SIZE + 1, 1000, 1 << 26])
def test_splits_of_any_size_read_each_record_once(split_bytes, tmp_path):
    log = write(tmp_path / "log", *map(batch, range(0, 12, 3)))
    write(tmp_path / "log", *map(batch, range(12, 18, 3)), base=12)
    reading = read(log, split_bytes=split_bytes)
    assert (offsets(reading), asides(reading)) == (list(range(18)), [])


@pytest.mark.parametrize("split_bytes", [40, 200, 1 << 26])
def test_what_is_damaged_is_said_once_in_splits_of_any_size(split_bytes, tmp_path):
    bad = bytearray(batch(3).content)
    bad[-1] ^= 1
    log = write(tmp_path / "log", batch(0), bytes(bad), b"between", batch(6), batch(9))
    reading = read(log, split_bytes=split_bytes)
    assert offsets(reading) == [0, 1, 2, *range(6, 12)]
    damaged, between = sorted(asides(reading), key=lambda row: row["position"])
    assert damaged == {
        "position": SIZE,
        "record_offset": 3,
        "bytes": SIZE,
        "records": 3,
        "reason": "damaged_batch",
    }
    assert (between["reason"], between["bytes"], between["records"]) == ("unreadable_bytes", 7, 0)


def test_partitions_and_files_are_read_in_order(tmp_path):
    log = tmp_path / "log"
    write_topic(log, GeneratedTopic(records=2_000, partitions=3, segment_bytes=20_000))
    found = [(row["metadata_partition"], row["record_offset"]) for row in rows(read(log))]
    assert found == sorted(found)
    assert len(set(found)) == 2_000


@pytest.mark.parametrize("cut", [1, 16, 17, 60, 61, SIZE - 1])
def test_a_file_that_ends_within_a_batch_is_said(cut, tmp_path):
    log = write(tmp_path / "log", batch(0), batch(3).content[:cut])
    reading = read(log)
    (aside,) = asides(reading)
    assert (aside["reason"], aside["position"], aside["bytes"]) == ("truncated", SIZE, cut)
    assert (aside["records"], offsets(reading)) == (None, [0, 1, 2])


def test_a_cut_file_amid_others_lost_what_the_next_one_does_not_begin_with(tmp_path):
    log = write(tmp_path / "log", batch(0), batch(3).content[:50])
    write(tmp_path / "log", batch(9), base=9)
    (aside,) = asides(read(log))
    assert (aside["reason"], aside["records"]) == ("truncated", 6)


def test_zeros_behind_the_last_batch_are_said_to_be_zeros(tmp_path):
    reading = read(write(tmp_path / "log", batch(0), bytes(4096)))
    assert reasons(reading) == ["unreadable_bytes"]
    assert "all zero" in reading.set_aside["detail"][0].as_py()


@pytest.mark.parametrize("split_bytes", [100, 1 << 26])
def test_offsets_that_no_batch_has_are_said(split_bytes, tmp_path):
    log = write(tmp_path / "log", batch(3), batch(9))
    write(log, batch(15), base=15)
    gaps = asides(read(log, split_bytes=split_bytes))
    assert {row["reason"] for row in gaps} == {"offset_gap"}
    assert sorted((row["record_offset"], row["records"]) for row in gaps) == [
        (0, 3),
        (6, 3),
        (12, 3),
    ]


def test_a_partition_that_begins_late_lacks_nothing(tmp_path):
    assert asides(read(write(tmp_path / "log", batch(90), base=90))) == []


@pytest.mark.parametrize("split_bytes", [100, 1 << 26])
def test_a_batch_that_stands_twice_counts_once(split_bytes, tmp_path):
    log = write(tmp_path / "log", batch(0), batch(3), batch(0), batch(6), batch(3))
    reading = read(log, split_bytes=split_bytes)
    assert offsets(reading) == list(range(9))
    assert reasons(reading) == ["duplicate_offset"] * 2


@pytest.mark.parametrize("split_bytes", [100, 1 << 26])
def test_batches_out_of_order_are_read_and_said(split_bytes, tmp_path):
    reading = read(write(tmp_path / "log", batch(0), batch(6), batch(3)), split_bytes=split_bytes)
    assert (sorted(offsets(reading)), reasons(reading)) == (list(range(9)), ["out_of_order"])


def test_a_batch_with_a_wrong_base_offset_is_not_believed(tmp_path):
    bad = (1 << 40).to_bytes(8, "big") + batch(3).content[8:]
    reading = read(write(tmp_path / "log", batch(0), bad, batch(6)))
    (aside,) = asides(reading)
    assert (aside["reason"], aside["record_offset"], aside["records"]) == ("damaged_batch", 3, 3)
    assert offsets(reading) == [0, 1, 2, 6, 7, 8]


def test_of_several_brokers_the_copy_that_reaches_furthest_is_read(tmp_path):
    short = write(tmp_path / "one", batch(0))
    long = write(tmp_path / "two", batch(0), batch(3))
    write(short, batch(0), partition=1)
    reading = read_metadata([short, long], tmp_path / "read")
    found = [(row["metadata_partition"], row["record_offset"]) for row in rows(reading)]
    assert found == [*((0, offset) for offset in range(6)), *((1, offset) for offset in range(3))]
    assert reasons(reading) == ["other_replica"]


def test_an_empty_partition_has_nothing(tmp_path):
    reading = read(write(tmp_path / "log"))
    assert (rows(reading), asides(reading)) == ([], [])


def test_other_files_of_a_broker_are_left_alone(tmp_path):
    log = write(tmp_path / "log", batch(0))
    for name in ("00000000000000000000.index", "leader-epoch-checkpoint", "x.log.deleted"):
        (log / f"{METADATA_TOPIC}-0" / name).write_bytes(b"of the broker")
    (log / "orders-0").mkdir()
    (log / f"{METADATA_TOPIC}-1.d3adb33f-delete").mkdir()
    before = sorted((path, path.stat().st_mtime_ns) for path in log.rglob("*"))
    assert len(rows(read(log))) == 3
    assert sorted((path, path.stat().st_mtime_ns) for path in log.rglob("*")) == before


def test_a_source_that_is_none_is_refused_in_a_sentence(tmp_path):
    (tmp_path / "notes.txt").write_text("nothing of the kind\n")
    (tmp_path / "empty").mkdir()
    log = write(tmp_path / "log", batch(0))
    file = log / f"{METADATA_TOPIC}-0" / f"{0:020d}.log"
    for source, words in [
        (tmp_path / "nowhere", "there is no file or folder"),
        (tmp_path / "empty", f"has no folder {METADATA_TOPIC}-N"),
        (tmp_path / "notes.txt", "is no output of kafka-dump-log.sh"),
        (file, "give the folder that it is in"),
    ]:
        with pytest.raises(NotReadable, match=words):
            read_metadata([log, source], tmp_path / "read")
        assert not (tmp_path / "read").exists()


def test_a_reading_is_not_written_over_another(tmp_path):
    log = write(tmp_path / "log", batch(0))
    read_metadata([log], tmp_path / "read")
    with pytest.raises(NotReadable, match="holds a reading already"):
        read_metadata([log], tmp_path / "read")


# -- the output of Kafka's own tool, of the file `decoded.log.gz`

UNPRINTED = ("custom_metadata", "broker_id", "event_ms", "txn_index_empty")


@pytest.mark.parametrize("release", ["3.9.2", "4.4.0"])
def test_the_released_tool_decodes_what_is_decoded_here(release, tmp_path):
    place = tmp_path / "log" / f"{METADATA_TOPIC}-3"
    place.mkdir(parents=True)
    content = gzip.decompress((PRINTED / "decoded.log.gz").read_bytes())
    (place / f"{0:020d}.log").write_bytes(content)
    printed = tmp_path / "printed.txt"
    printed.write_bytes(gzip.decompress((PRINTED / f"dump_{release}.txt.gz").read_bytes()))
    ours = {row["record_offset"]: row for row in rows(read(tmp_path / "log"))}
    theirs = {row["record_offset"]: row for row in rows(read_metadata([printed], tmp_path / "out"))}
    not_theirs = {offset for offset in ours if offset not in theirs}
    assert {(ours[at]["kind"], ours[at]["version"]) for at in not_theirs} == {
        ("tombstone", None),  # whose key the tool does not print
        ("segment_update", 1),  # of KIP-1266, in no release
    }
    for offset, row in theirs.items():
        for name in UNPRINTED:
            if row[name] is None:
                row[name] = ours[offset][name]
        assert row == ours[offset]


def test_lines_that_the_tool_does_not_print_are_set_aside_by_number(tmp_path):
    printed = tmp_path / "printed.txt"
    content = gzip.decompress((PRINTED / "dump_4.4.0.txt.gz").read_bytes()).decode().splitlines()
    printed.write_text("\n".join([*content[:5], "what is this", *content[5:8]]))
    found = asides(read_metadata([printed], tmp_path / "out"))
    assert [(row["position"], row["reason"]) for row in found] == [(6, "unreadable_line")]
