"""Every message of the metadata topic, in every version, is read as Kafka's definitions say."""

import dataclasses
import struct

import pytest

from tests.audit.reading.topics import (
    FINISHED,
    MARKED,
    ORDERS,
    SEGMENT_ID,
    SNAPSHOT,
    START_MS,
    STARTED,
    asides,
    read,
    recorded,
    rows,
    write,
)
from tierproof.conformance.audit.generating.batches import Batch, Record
from tierproof.conformance.audit.tables import RECORDS


def row_of(tmp_path, message):
    (row,) = rows(read(write(tmp_path / "log", Batch(base=3, records=recorded(message)))))
    return row


def uuid(content):
    import base64

    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def test_the_record_of_a_segment_has_all_fields(tmp_path):
    assert row_of(tmp_path, STARTED) == {
        "metadata_partition": 0,
        "record_offset": 3,
        "appended_ms": START_MS,
        "kind": "segment",
        "version": 0,
        "record_bytes": len(STARTED.content),
        "topic": "orders.eu-1_x",
        "topic_id": uuid(ORDERS.topic_id),
        "partition": 7,
        "segment_id": uuid(SEGMENT_ID),
        "start_offset": 5,
        "end_offset": 99,
        "broker_id": 2,
        "event_ms": START_MS + 5,
        "max_timestamp_ms": START_MS,
        "segment_bytes": 12345,
        "leader_epochs": [0, 3],
        "epoch_starts": [5, 50],
        "state": "COPY_SEGMENT_STARTED",
        "custom_metadata": b"\x01\x02\xff",
        "txn_index_empty": True,
    }


CARRIED = {
    "segment_update": {"topic", "topic_id", "partition", "segment_id", "broker_id", "event_ms"},
    "partition_delete": {"topic", "topic_id", "partition", "broker_id", "event_ms"},
    "snapshot": {field.name for field in RECORDS} - {"source", "topic", "topic_id", "partition"},
}
OF_EACH = {"metadata_partition", "record_offset", "appended_ms", "kind", "version"}
OF_EACH |= {"record_bytes", "state"}


@pytest.mark.parametrize(
    ("message", "kind", "state"),
    [
        (FINISHED, "segment_update", "COPY_SEGMENT_FINISHED"),
        (MARKED, "partition_delete", "DELETE_PARTITION_MARKED"),
        (SNAPSHOT, "snapshot", "COPY_SEGMENT_FINISHED"),
    ],
)
def test_what_a_message_does_not_carry_is_null(message, kind, state, tmp_path):
    row = row_of(tmp_path, message)
    assert (row["kind"], row["state"]) == (kind, state)
    assert {name for name, value in row.items() if value is not None} == CARRIED[kind] | OF_EACH


@pytest.mark.parametrize("state", range(4))
def test_states_of_segments_are_named(state, tmp_path):
    names = ["COPY_SEGMENT_STARTED", "COPY_SEGMENT_FINISHED"]
    names += ["DELETE_SEGMENT_STARTED", "DELETE_SEGMENT_FINISHED"]
    assert row_of(tmp_path, dataclasses.replace(FINISHED, state=state))["state"] == names[state]


def test_empty_custom_metadata_is_not_none(tmp_path):
    message = dataclasses.replace(FINISHED, custom_metadata=b"")
    assert row_of(tmp_path, message)["custom_metadata"] == b""
    assert row_of(tmp_path / "other", FINISHED)["custom_metadata"] is None


def test_tagged_fields_that_nobody_knows_are_passed_over(tmp_path):
    tags = [(1, b"\0\0\0\7"), (900, bytes(300))]
    assert row_of(tmp_path, dataclasses.replace(STARTED, tags=tags))["txn_index_empty"] is True


def test_version_1_of_an_update_says_the_end_offset(tmp_path):
    tags = [(0, struct.pack(">i", 4)), (1, struct.pack(">q", 99))]
    row = row_of(tmp_path, dataclasses.replace(FINISHED, version=1, tags=tags))
    assert (row["version"], row["end_offset"]) == (1, 99)


def test_a_segment_of_many_epochs_keeps_them_in_order(tmp_path):
    epochs = [(number, 10 * number) for number in range(300)]
    row = row_of(tmp_path, dataclasses.replace(STARTED, leader_epochs=epochs))
    assert list(zip(row["leader_epochs"], row["epoch_starts"], strict=True)) == epochs


TEXT_KEY = f"{uuid(ORDERS.topic_id)}:orders.eu-1_x:7:99:4".encode()
BINARY_KEY = ORDERS.topic_id + struct.pack(">i", 7) + SEGMENT_ID + b"\x03"


def test_tombstones_of_both_proposed_keys_say_what_they_delete(tmp_path):
    records = [Record(None, key=TEXT_KEY), Record(None, key=BINARY_KEY)]
    text, binary = rows(read(write(tmp_path / "log", Batch(base=0, records=records))))
    assert (text["kind"], text["version"]) == ("tombstone", None)
    assert text["topic_id"] == binary["topic_id"] == uuid(ORDERS.topic_id)
    assert (text["topic"], text["partition"], text["end_offset"]) == ("orders.eu-1_x", 7, 99)
    assert (binary["partition"], binary["segment_id"]) == (7, uuid(SEGMENT_ID))
    assert binary["state"] == "DELETE_SEGMENT_FINISHED"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (b"", "foreign_record"),
        (b"hello", "foreign_record"),
        (STARTED.content + b"\0", "foreign_record"),
        (STARTED.content[:-1], "foreign_record"),
        (b"\x02" + STARTED.content[1:], "foreign_record"),
        (b"\x01\x04" + STARTED.content[2:], "unknown_message"),
        (b"\x01\x00\x02" + STARTED.content[3:], "unknown_version"),
        (dataclasses.replace(FINISHED, state=4).content, "foreign_record"),
        (dataclasses.replace(MARKED, state=3).content, "foreign_record"),
        (FINISHED.content.replace(b"orders", b"or\xffers"), "foreign_record"),
    ],
)
def test_a_value_that_is_no_message_is_set_aside_with_its_place(value, reason, tmp_path):
    good = Batch(base=0, records=recorded(STARTED))
    bad = Batch(base=1, records=recorded(FINISHED, value, MARKED))
    reading = read(write(tmp_path / "log", good, bad))
    assert [row["record_offset"] for row in rows(reading)] == [0, 1, 3]
    assert asides(reading) == [
        {
            "position": len(good.content),
            "record_offset": 2,
            "bytes": len(value),
            "records": 1,
            "reason": reason,
        }
    ]


def test_neighbours_that_are_foreign_for_one_reason_are_one_row(tmp_path):
    reading = read(write(tmp_path / "log", Batch(base=0, records=recorded(*[b"hello"] * 500))))
    assert [row["records"] for row in asides(reading)] == [500]
