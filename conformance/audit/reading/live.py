"""A live topic, read by an ordinary consumer: it joins no group and commits nothing.

It reads uncommitted, as brokers read this topic: what they apply is what it yields.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tierproof.conformance.audit.reading import reasons, records, setting_aside
from tierproof.conformance.audit.reading.client_properties import client_settings
from tierproof.conformance.audit.reading.decoding import Decoded, decode_records
from tierproof.conformance.audit.reading.kept import (
    OF_METADATA,
    RECORDS_FOLDER,
    SET_ASIDE_FOLDER,
    Reading,
)
from tierproof.conformance.audit.reading.metadata import begin, refuse_another
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

OFFSETS_TOPIC = "__consumer_offsets"
CREATES_TOPIC = (
    "{server} has no topic {topic}, and would make it: librdkafka asks for the coordinator of a "
    "group, although none is joined. Run any consumer with a group first, or read the partition "
    "folders of the brokers, or allow it by --may-create-offsets-topic"
)
NO_CLIENT = "reading a live cluster needs confluent-kafka: pip install 'tierproof[audit]'"


def read_live(
    bootstrap_server: str,
    into: Path,
    *,
    properties: Path | None = None,
    topic: str = METADATA_TOPIC,
    patience_s: float = SECONDS_WITHOUT_MESSAGE,
    may_create_offsets_topic: bool = False,
) -> Reading:
    """Read the metadata topic of a cluster up to the end offsets that it has now.

    `bootstrap_server` is host:port, or several with commas; `properties` is a file as Kafka's
    tools take it (`--command-config`). It only reads. Where no message comes for `patience_s`
    seconds, what is left is set aside.

    A cluster without `__consumer_offsets`, which no group has ever used, makes that topic as soon
    as librdkafka starts to consume: it is refused unless `may_create_offsets_topic`. Raises
    NotReadable, also without an answer, for an unknown topic, and for a property that cannot be
    obeyed.
    """
    settings = client_settings(properties)
    try:
        import confluent_kafka
    except ImportError as error:
        raise NotReadable(NO_CLIENT) from error
    refuse_another(into)
    asking = Asking(confluent_kafka, bootstrap_server, settings)
    found = asking.topics()
    if topic not in found:
        raise NotReadable(
            f"{bootstrap_server} has no topic {topic}: no topic of the cluster is tiered, or this "
            "user may not describe it"
        )
    if OFFSETS_TOPIC not in found and not may_create_offsets_topic:
        raise NotReadable(CREATES_TOPIC.format(server=bootstrap_server, topic=OFFSETS_TOPIC))
    consumer = asking.client(confluent_kafka.Consumer, FIXED)
    begin(into)
    try:
        numbers = sorted(found[topic].partitions)
        asides = LiveTopic(consumer, asking, topic, into, patience_s).read(numbers)
    finally:
        consumer.close()
    setting_aside.keep(asides, into / SET_ASIDE_FOLDER, OF_METADATA)
    return Reading(into)


@dataclass
class Asking:
    """How a cluster is asked: the library, address and settings; `said` are errors of clients."""

    library: Any
    server: str
    settings: dict[str, str]
    said: list[str] = field(default_factory=list)

    def client(self, kind: Any, fixed: dict[str, str]) -> Any:
        """A client. Raises NotReadable where the settings do not fit together."""
        from confluent_kafka.admin import AdminClient

        admin = kind is AdminClient
        own = {
            name: value for name, value in self.settings.items() if not admin or _is_shared(name)
        }
        given = {**own, **fixed, "bootstrap.servers": self.server, "log_level": 0}
        try:
            return kind({**given, "error_cb": lambda error: self.said.append(error.str())})
        except self.library.KafkaException as error:
            raise NotReadable(f"the client does not start: {error.args[0].str()}") from error

    def topics(self) -> dict[str, Any]:
        """The topics that this user may describe, by name; it takes part in nothing."""
        from confluent_kafka.admin import AdminClient

        admin = self.client(AdminClient, {})
        described = self.ask(lambda: admin.list_topics(timeout=SECONDS_TO_CONNECT), admin)
        return {name: one for name, one in described.topics.items() if one.error is None}

    def ask(self, question: Callable[[], Any], client: Any) -> Any:
        """The answer of the cluster. Raises NotReadable if there is none."""
        try:
            return question()
        except self.library.KafkaException as error:
            client.poll(0)  # what the client met is said to error_cb by a poll only
            why = "; ".join(dict.fromkeys(self.said[-2:])) or error.args[0].str()
            raise NotReadable(f"{self.server} does not answer: {why}") from error


def _is_shared(name: str) -> bool:
    """Whether a setting is not of consumers alone."""
    return not name.startswith(("fetch.", "max.partition.fetch", "check.crcs"))


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

    def close(self, said: str) -> list[Aside]:
        """Write the rest, and say which offsets did not come; `said` is what the client said."""
        asides = self.flush()
        self.sink.close()
        highest = self.first - 1 if self.seen.highest is None else self.seen.highest
        reached = self.end if self.is_over else highest + 1
        asides += gap_rows(self.seen.missing(self.first, reached), self.source)
        if not self.is_over:
            asides.append(self._unread(reached, said))
        return asides

    def _unread(self, reached: int, said: str) -> Aside:
        return Aside(
            source=self.source,
            record_offset=reached,
            records=self.end - reached,
            reason=reasons.UNREADABLE_FILE,
            detail=(
                f"Partition {self.partition}: the brokers sent nothing from offset {reached} up "
                f"to its end {self.end}{said and f' ({said})'}."
            ),
        )


@dataclass
class LiveTopic:
    """All partitions of the topic, read by one consumer."""

    consumer: Any
    asking: Asking
    topic: str
    into: Path
    patience_s: float

    def read(self, numbers: Sequence[int]) -> list[Aside]:
        """Read partitions to their ends of now. Returns what was set aside."""
        partitions = {number: self._partition(number) for number in numbers}
        waiting = {number for number, one in partitions.items() if not one.is_over}
        self.consumer.assign(
            [self._position(number, partitions[number].first) for number in sorted(waiting)]
        )
        asides: list[Aside] = []
        last = time.monotonic()
        while waiting and time.monotonic() - last < self.patience_s:
            for message in self.consumer.consume(MESSAGES_AT_ONCE, timeout=0.5):
                one = partitions.get(message.partition())
                if one is not None and self._take(message, one):
                    waiting.discard(one.partition)
                if message.error() is None:
                    last = time.monotonic()
            for one in partitions.values():
                if len(one.held) >= MESSAGES_AT_ONCE or one.is_over:
                    asides += one.flush()
        for one in partitions.values():
            asides += one.close("; ".join(dict.fromkeys(self.asking.said[-2:])))
        return asides

    def _take(self, message: Any, one: LivePartition) -> bool:
        """Hold a message. Returns whether its partition is read to the end."""
        error = message.error()
        if error is not None:
            one.is_over |= error.code() == self.asking.library.KafkaError._PARTITION_EOF
        elif not one.is_over:
            if message.offset() < one.end:
                one.held.append(message)
            one.is_over = message.offset() + 1 >= one.end
        return one.is_over

    def _partition(self, number: int) -> LivePartition:
        """A partition with its offsets of now. Raises NotReadable."""
        position = self._position(number)
        first, end = self.asking.ask(
            lambda: self.consumer.get_watermark_offsets(position, timeout=SECONDS_TO_CONNECT),
            self.consumer,
        )
        sink = Sink(self.into / RECORDS_FOLDER, number)
        one = LivePartition(number, first, end, sink, self.asking.server)
        one.is_over = first >= end
        return one

    def _position(self, number: int, *offset: int) -> Any:
        return self.asking.library.TopicPartition(self.topic, number, *offset)


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
