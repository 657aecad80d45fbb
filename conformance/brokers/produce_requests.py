"""Produce requests with the producer id, epoch and sequence that a trace says, spoken by hand.

Kafka's own producer has an id of the cluster's choice, and does not send again what was answered.
"""

from __future__ import annotations

import socket
import struct
import time
from dataclasses import dataclass

from tierproof.conformance.brokers.errors import Refused
from tierproof.conformance.brokers.jvm import Jvm

PRODUCE, VERSION = 0, 3
"""The oldest version that every release from 3.9 on takes (KIP-896)."""

ACKS_ALL = -1
TIMEOUT_MS = 15_000
FIRST_ID = 1_000_000
"""Producer 0 of a trace; a new cluster gives such ids to nobody."""


@dataclass(frozen=True)
class Batch:
    """A batch of one record of an idempotent producer, numbered from 0."""

    producer: int
    epoch: int
    sequence: int
    value: bytes

    def __str__(self) -> str:
        return f"producer {self.producer}'s batch of epoch {self.epoch}, sequence {self.sequence}"


@dataclass(frozen=True)
class Answer:
    """A batch was acknowledged, at this offset."""

    batch: Batch
    offset: int


def send(jvm: Jvm, port: int, topic: str, batch: Batch) -> Answer:
    """Send a batch to partition 0 at the broker of a port. Raises Refused."""
    body = _request(topic, _records(jvm, batch))
    try:
        with socket.create_connection(("127.0.0.1", port), TIMEOUT_MS / 1000) as broker:
            broker.sendall(struct.pack(">i", len(body)) + body)
            answer = _received(broker, struct.unpack(">i", _received(broker, 4))[0])
    except OSError as lost:
        raise Refused("Disconnect", str(lost)) from None
    error, offset = _answer(topic, answer)
    if error:
        name = str(jvm.classes.org.apache.kafka.common.protocol.Errors.forCode(error).name())
        raise Refused(name, f"{batch} was not appended")
    return Answer(batch, offset)


def _records(jvm: Jvm, batch: Batch) -> bytes:
    """The batch as Kafka's classes write it."""
    record = jvm.records.SimpleRecord(int(time.time() * 1000), batch.value)
    made = jvm.records.MemoryRecords.withIdempotentRecords(
        jvm.classes.org.apache.kafka.common.compress.Compression.NONE,
        FIRST_ID + batch.producer,
        batch.epoch,
        batch.sequence,
        jvm.array(jvm.records.SimpleRecord, record),
    )
    return bytes(made.buffer().array())[: made.sizeInBytes()]


def _request(topic: str, records: bytes) -> bytes:
    header = struct.pack(">hhi", PRODUCE, VERSION, 0) + _string("tierproof")
    no_transaction = struct.pack(">h", -1)
    partition = struct.pack(">iii", 1, 0, len(records)) + records
    topics = struct.pack(">i", 1) + _string(topic) + partition
    return header + no_transaction + struct.pack(">hi", ACKS_ALL, TIMEOUT_MS) + topics


def _answer(topic: str, answer: bytes) -> tuple[int, int]:
    """The error code and the first offset, of the only partition."""
    skipped = struct.calcsize(">i") + struct.calcsize(">i") + len(_string(topic))
    _, _, error, offset = struct.unpack_from(">iihq", answer, skipped)
    return int(error), int(offset)


def _string(text: str) -> bytes:
    return struct.pack(">h", len(text)) + text.encode()


def _received(broker: socket.socket, count: int) -> bytes:
    found = b""
    while len(found) < count:
        part = broker.recv(count - len(found))
        if not part:
            raise Refused("Disconnect", "the broker closed the connection")
        found += part
    return found
