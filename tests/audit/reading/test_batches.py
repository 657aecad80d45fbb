"""Batches of every magic and codec that Kafka ever wrote are read alike."""

import struct
import zlib

import numpy as np
import pyarrow as pa
import pytest

from tests.audit.reading.topics import (
    FINISHED,
    MARKED,
    START_MS,
    STARTED,
    asides,
    read,
    reasons,
    recorded,
    rows,
    write,
)
from tierproof.conformance.audit.generating.batches import Batch, Record, broken_lz4
from tierproof.conformance.audit.reading.checksums import CRC_32, CRC_32C, checksum
from tierproof.conformance.audit.reading.decompression import xxhash_of_few_bytes

MESSAGES = recorded(STARTED, FINISHED, MARKED)
GZIP, SNAPPY, LZ4, ZSTD = 1, 2, 3, 4


def fields(reading):
    """The rows, without what depends on the batch."""
    return [{**row, "appended_ms": None} for row in rows(reading)]


@pytest.mark.parametrize(
    ("magic", "codec"),
    [*((magic, codec) for magic in (0, 1, 2) for codec in (0, GZIP, SNAPPY, LZ4)), (2, ZSTD)],
)
def test_every_codec_of_every_magic_gives_the_same_rows(magic, codec, tmp_path):
    compress = broken_lz4 if (codec, magic) == (LZ4, 0) else None
    batch = Batch(base=6, records=MESSAGES, magic=magic, codec=codec, compress=compress)
    plain = write(tmp_path / "plain", Batch(base=6, records=MESSAGES), base=6)
    reading = read(write(tmp_path / "log", batch, base=6))
    assert fields(reading) == fields(read(plain))
    assert asides(reading) == []
    times = [row["appended_ms"] for row in rows(reading)]
    assert times == ([-1] * 3 if magic == 0 else [record.timestamp for record in MESSAGES])


def test_snappy_without_frames_is_read_as_librdkafka_writes_it(tmp_path):
    raw = pa.Codec("snappy")
    batch = Batch(
        base=0,
        records=MESSAGES,
        codec=SNAPPY,
        compress=lambda content: raw.compress(content, asbytes=True),
    )
    assert len(rows(read(write(tmp_path / "log", batch)))) == 3


def test_the_broker_s_time_is_that_of_all_records(tmp_path):
    batch = Batch(base=0, records=MESSAGES, log_append_ms=START_MS + 777)
    times = [row["appended_ms"] for row in rows(read(write(tmp_path / "log", batch)))]
    assert times == [START_MS + 777] * 3


def test_headers_and_keys_are_passed_over(tmp_path):
    record = Record(STARTED.content, key=b"a key", headers=[(b"h", b"v"), (b"null", None)])
    (row,) = rows(read(write(tmp_path / "log", Batch(base=0, records=[record]))))
    assert (row["kind"], row["record_bytes"]) == ("segment", len(STARTED.content) + 5)


def test_a_compacted_batch_keeps_the_offsets_of_its_records(tmp_path):
    batch = Batch(base=10, records=MESSAGES, deltas=[1, 4, 7], last_delta=9)
    after = Batch(base=20, records=MESSAGES)
    reading = read(write(tmp_path / "log", batch, after, base=10))
    offsets = [row["record_offset"] for row in rows(reading)]
    assert (offsets, asides(reading)) == ([11, 14, 17, 20, 21, 22], [])


def marker(base, producer, kind):
    """A control batch that ends a transaction."""
    key, value = struct.pack(">hh", 0, kind), struct.pack(">hi", 0, 0)
    records = [Record(value, key=key, timestamp=START_MS)]
    return Batch(
        base=base, records=records, producer=producer, is_transactional=True, is_control=True
    )


ABORT, COMMIT = 0, 1


@pytest.mark.parametrize("split_bytes", [1 << 20, 200])
def test_records_of_aborted_transactions_are_left_out_and_said(split_bytes, tmp_path):
    def data(base, producer):
        return Batch(base=base, records=MESSAGES[:2], producer=producer, is_transactional=True)

    log = write(
        tmp_path / "log",
        data(0, 5),
        data(2, 6),
        marker(4, 6, COMMIT),
        data(5, 6),
        marker(7, 5, ABORT),
        Batch(base=8, records=MESSAGES[:1]),
        data(9, 7),
    )
    reading = read(log, split_bytes=split_bytes)
    assert [row["record_offset"] for row in rows(reading)] == [2, 3, 5, 6, 8, 9, 10]
    told = {(row["reason"], row["record_offset"]) for row in asides(reading)}
    assert told == {
        ("aborted_transaction", 0),
        ("aborted_transaction", 1),
        ("control_record", 4),
        ("control_record", 7),
    }


def test_a_codec_that_kafka_does_not_have_is_said(tmp_path):
    batch = Batch(base=0, records=MESSAGES, codec=7, compress=lambda content: content)
    reading = read(write(tmp_path / "log", batch, Batch(base=3, records=MESSAGES)))
    assert (reasons(reading), len(rows(reading))) == (["unknown_codec"], 3)


@pytest.mark.parametrize("codec", [GZIP, SNAPPY, LZ4, ZSTD])
def test_content_that_cannot_be_decompressed_is_one_damaged_batch(codec, tmp_path):
    batch = Batch(base=0, records=MESSAGES, codec=codec, compress=lambda content: b"no codec's")
    reading = read(write(tmp_path / "log", batch, Batch(base=3, records=MESSAGES)))
    (aside,) = asides(reading)
    assert (aside["reason"], aside["records"], aside["position"]) == ("damaged_batch", 3, 0)
    assert len(rows(reading)) == 3


def test_records_that_do_not_fit_into_their_batch_are_one_damaged_batch(tmp_path):
    batch = Batch(base=0, records=MESSAGES, codec=0, compress=lambda content: content[:-9])
    reading = read(write(tmp_path / "log", batch, Batch(base=3, records=MESSAGES)))
    assert (reasons(reading), len(rows(reading))) == (["damaged_batch"], 3)


def test_checksums_are_those_of_their_standards():
    nine = np.frombuffer(b"123456789", np.uint8)
    assert checksum(nine, 0, 9, CRC_32C) == 0xE3069283
    many = np.random.default_rng(1).integers(0, 256, 1001, np.uint8)
    for size in (0, 1, 7, 8, 9, 1001):
        assert checksum(many, 0, size, CRC_32) == zlib.crc32(many[:size].tobytes())
    assert xxhash_of_few_bytes(b"") == 0x02CC5D05
    assert xxhash_of_few_bytes(b"abc") == 0x32D153FF
