"""A live topic, read by an ordinary consumer that leaves no trace: no group, no commit.

It reads uncommitted, as brokers read this topic: what they apply is what it yields.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tierproof.conformance.audit.reading import reasons, records, setting_aside
from tierproof.conformance.audit.reading.client_properties import client_settings
from tierproof.conformance.audit.reading.decoding import Decoded, decode_records
from tierproof.conformance.audit.reading.kept import RECORDS_FOLDER, SET_ASIDE_FOLDER, Reading
from tierproof.conformance.audit.reading.metadata import begin
from tierproof.conformance.audit.reading.offsets import SeenOffsets
from tierproof.conformance.audit.reading.setting_aside import Aside
from tierproof.conformance.audit.reading.split_reading import Sink, gap_rows
from tierproof.conformance.audit.reading.splits import METADATA_TOPIC, NotReadable

MESSAGES_AT_ONCE = 20_000
SECONDS_TO_CONNECT = 20.0
SECONDS_WITHOUT_MESSAGE = 60.0

FIXED = {
    "group.id": "tierproof-audit",  # librdkafka wants one; nothing is committed, nobody joins
    "enable.auto.commit": "false",
    "enable.auto.offset.store": "false",
    "enable.partition.eof": "true",
    "auto.offset.reset": "error",
    "isolation.level": "read_uncommitted",
    "allow.auto.create.topics": "false",
    "queued.max.messages.kbytes": "65536",
}
"""Settings of the consumer that no properties file changes."""

NO_CLIENT = "reading a live cluster needs confluent-kafka: pip install 'tierproof[audit]'"


def read_live(
    bootstrap_server: str,
    into: Path,
    *,
    properties: Path | None = None,
    topic: str = METADATA_TOPIC,
    patience_s: float = SECONDS_WITHOUT_MESSAGE,
) -> Reading:
    """Read the metadata topic of a cluster up to the end offsets that it has now.

    `bootstrap_server` is host:port, or several with commas; `properties` is a file as Kafka's
    tools take it (`--command-config`). It only reads. Where no message comes for `patience_s`
    seconds, what is left is set aside. Raises NotReadable without an answer, for an unknown
    topic, and for a property that cannot be obeyed.
    """
    settings = client_settings(properties)
    try:
        import confluent_kafka
    except ImportError as error:
        raise NotReadable(NO_CLIENT) from error
    begin(into)
    said: list[str] = []
    given = {**settings, **FIXED, "bootstrap.servers": bootstrap_server}
    try:
        consumer = confluent_kafka.Consumer(
            {**given, "error_cb": lambda error: said.append(error.str()), "log_level": 0}
        )
    except confluent_kafka.KafkaException as error:
        raise NotReadable(f"the client does not start: {error.args[0].str()}") from error
    try:
        live = LiveTopic(consumer, confluent_kafka, bootstrap_server, topic, into, patience_s, said)
        asides = live.read()
    finally:
        consumer.close()
    setting_aside.keep(asides, into / SET_ASIDE_FOLDER, "metadata")
    return Reading(into)


@dataclass
class LivePartition:
    """A partition while it is read, from its first offset up to and without `end`."""

    partition: int
    first: int
    end: int
    sink: Sink
    source: str
    seen: SeenOffsets = field(default_factory=SeenOffsets)
    held: list[Any] = field(default_factory=list)
    is_over: bool = False

    def flush(self) -> list[Aside]:
        """Decode and write the messages that are held. Returns what was set aside."""
        if not self.held:
            return []
        decoded = decode_messages(self.held, self.source, self.partition)
        self.held = []
        self.seen.admit(decoded.as_batches)
        if decoded.rows is not None:
            self.sink.write(decoded.rows)
        return decoded.asides

    def close(self) -> list[Aside]:
        """Write the rest, and say which offsets did not come."""
        asides = self.flush()
        self.sink.close()
        reached = (self.seen.highest or self.first - 1) + 1 if not self.is_over else self.end
        asides += gap_rows(self.seen.missing(self.first, reached), self.source)
        if not self.is_over:
            asides.append(self._unread(reached))
        return asides

    def _unread(self, reached: int) -> Aside:
        return Aside(
            source=self.source,
            record_offset=reached,
            records=self.end - reached,
            reason=reasons.UNREADABLE_FILE,
            detail=(
                f"Partition {self.partition}: the brokers sent nothing from offset {reached} up "
                f"to its end {self.end}."
            ),
        )


@dataclass
class LiveTopic:
    """All partitions of the topic, read by one consumer; `said` are errors of the client."""

    consumer: Any
    client: Any
    source: str
    topic: str
    into: Path
    patience_s: float
    said: list[str]

    def read(self) -> list[Aside]:
        """Read every partition to its end. Returns what was set aside."""
        partitions = {one.partition: one for one in self._partitions()}
        waiting = {number for number, one in partitions.items() if not one.is_over}
        self.consumer.assign(
            [self._position(number, partitions[number].first) for number in sorted(waiting)]
        )
        asides: list[Aside] = []
        last = time.monotonic()
        while waiting and time.monotonic() - last < self.patience_s:
            for message in self.consumer.consume(MESSAGES_AT_ONCE, timeout=0.5):
                last = time.monotonic()
                one = partitions[message.partition()]
                if self._take(message, one):
                    waiting.discard(one.partition)
            for number in sorted(partitions):
                if len(partitions[number].held) >= MESSAGES_AT_ONCE or number not in waiting:
                    asides += partitions[number].flush()
        for number in sorted(partitions):
            asides += partitions[number].close()
        return asides

    def _take(self, message: Any, one: LivePartition) -> bool:
        """Hold a message. Returns whether its partition is read to the end."""
        error = message.error()
        if error is not None:
            one.is_over |= error.code() == self.client.KafkaError._PARTITION_EOF
        elif not one.is_over:
            if message.offset() < one.end:
                one.held.append(message)
            one.is_over = message.offset() + 1 >= one.end
        return one.is_over

    def _partitions(self) -> Iterator[LivePartition]:
        """The partitions with their offsets of now. Raises NotReadable."""
        found = self._ask(lambda: self.consumer.list_topics(self.topic, SECONDS_TO_CONNECT))
        described = found.topics[self.topic]
        if described.error is not None or not described.partitions:
            raise NotReadable(
                f"{self.source} has no topic {self.topic}: no topic of the cluster is tiered, or "
                "this user may not describe it"
            )
        for number in sorted(described.partitions):
            first, end = self._ask(self._offsets_of(number))
            sink = Sink(self.into / RECORDS_FOLDER, number)
            one = LivePartition(number, first, end, sink, self.source)
            one.is_over = first >= end
            yield one

    def _offsets_of(self, number: int) -> Callable[[], Any]:
        position = self._position(number)
        return lambda: self.consumer.get_watermark_offsets(position, timeout=SECONDS_TO_CONNECT)

    def _position(self, number: int, *offset: int) -> Any:
        return self.client.TopicPartition(self.topic, number, *offset)

    def _ask(self, question: Callable[[], Any]) -> Any:
        """The answer of the cluster. Raises NotReadable if there is none."""
        try:
            return question()
        except self.client.KafkaException as error:
            self.consumer.poll(0)  # what the client met is said to error_cb by a poll only
            why = "; ".join(dict.fromkeys(self.said[-2:])) or error.args[0].str()
            raise NotReadable(f"{self.source} does not answer: {why}") from error


def decode_messages(held: Sequence[Any], source: str, partition: int) -> Decoded:
    """Messages of the client as rows of RECORDS."""
    located = np.empty((len(held), records.COLUMNS), np.int64)
    parts: list[bytes] = []
    at = 0
    for row, message in enumerate(held):
        located[row, :3] = row, message.offset(), message.timestamp()[1]
        for column, part in ((records.KEY, message.key()), (records.VALUE, message.value())):
            located[row, column] = at
            located[row, column + 1] = -1 if part is None else len(part)
            if part:
                parts.append(part)
                at += len(part)
    data = np.frombuffer(bytearray(b"").join(parts), np.uint8)
    return decode_records(data, located, source, partition)
