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
from tierproof.model.language import NONE

PRODUCE, VERSION = 0, 3
"""The oldest version that every release from 3.9 on takes (KIP-896)."""

ACKS_ALL = -1
TIMEOUT_MS = 15_000
FIRST_ID = 1_000_000
"""Producer 0 of a trace; a new cluster gives such ids to nobody."""


@dataclass(frozen=True)
class Batch:
    """A batch of one record of an idempotent producer, numbered from 0; NONE is no producer.

    `given_id` is the id of a producer that has it of the cluster. Without `timestamp_ms` the
    record is of now.
    """

    producer: int
    epoch: int
    sequence: int
    value: bytes
    timestamp_ms: int | None = None
    given_id: int | None = None

    @property
    def producer_id(self) -> int:
        """The producer's id as brokers know it."""
        return FIRST_ID + self.producer if self.given_id is None else self.given_id

    def __str__(self) -> str:
        if self.producer == NONE:
            return "a batch without a producer"
        return f"producer {self.producer}'s batch of epoch {self.epoch}, sequence {self.sequence}"


@dataclass(frozen=True)
class Answer:
    """A batch was acknowledged, at this offset."""

    batch: Batch
    offset: int


def send(jvm: Jvm, port: int, topic: str, batch: Batch, patience_ms: int = TIMEOUT_MS) -> Answer:
    """Send a batch to partition 0 at the broker of a port. Raises Refused.

    In `patience_ms` all replicas in sync have to have it, or the broker refuses.
    """
    body = _request(topic, _records(jvm, batch), patience_ms)
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
    now = int(time.time() * 1000)
    record = jvm.records.SimpleRecord(batch.timestamp_ms or now, batch.value)
    values = jvm.array(jvm.records.SimpleRecord, record)
    plain = jvm.classes.org.apache.kafka.common.compress.Compression.NONE
    kind = jvm.records.MemoryRecords
    if batch.producer == NONE:
        made = kind.withRecords(plain, values)
    else:
        numbers = batch.producer_id, batch.epoch, batch.sequence
        made = kind.withIdempotentRecords(plain, *numbers, values)
    return bytes(made.buffer().array())[: made.sizeInBytes()]


def _request(topic: str, records: bytes, patience_ms: int) -> bytes:
    header = struct.pack(">hhi", PRODUCE, VERSION, 0) + _string("tierproof")
    no_transaction = struct.pack(">h", -1)
    partition = struct.pack(">iii", 1, 0, len(records)) + records
    topics = struct.pack(">i", 1) + _string(topic) + partition
    return header + no_transaction + struct.pack(">hi", ACKS_ALL, patience_ms) + topics


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
