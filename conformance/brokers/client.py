"""What users and operators ask of brokers: Kafka's own Java clients, through the JVM beside us."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from py4j.protocol import Py4JJavaError

from tierproof.conformance.brokers.errors import NotSeen, Refused
from tierproof.conformance.brokers.jvm import Jvm, refusal

TIMEOUT_MS = 15_000
POLL_MS = 2_000
SOON_MS = 3_000
"""So long a request may take of which another is made when nobody answers."""

OFFSETS = {
    "earliest": "earliest",
    "earliest_local": "earliestLocal",
    "latest_tiered": "latestTiered",
    "latest": "latest",
}
"""Our names for offsets, and what Kafka's OffsetSpec calls them (KIP-1005)."""

PARTITION = 0
"""Topics have one partition."""

TRIES, TRY_MS = 20, 1_500
"""How often a request is made that a broker may get which stands still, and how long each may take.

Of two brokers the one is asked first, and tells which of them to ask: three tries of four fail.
"""

NO_ANSWER = ("Disconnect", "Timeout", "NotController")
"""What a client is told when the broker that it asked does not answer."""

SERIALIZER = "org.apache.kafka.common.serialization.ByteArray{}erializer"


class ActiveProducer(NamedTuple):
    """A producer that a leader knows, with its epoch and the sequence of its last batch."""

    producer_id: int
    epoch: int
    last_sequence: int


class Client:
    """A connection to the brokers at `addresses` ("127.0.0.1:9092"). Raises Refused.

    Settings and leaders are altered at the controller itself: brokers may stand still (KIP-919).
    """

    def __init__(self, jvm: Jvm, addresses: str, controller: str) -> None:
        self.jvm = jvm
        self.kafka = jvm.classes.org.apache.kafka
        self.clients = self.kafka.clients
        self._common = {"bootstrap.servers": addresses}
        times = {"default.api.timeout.ms": str(TIMEOUT_MS), "request.timeout.ms": "3000"}
        admin = self.clients.admin.Admin
        self._admin = admin.create(jvm.map(self._common | times))
        self._at_controller = admin.create(jvm.map({"bootstrap.controllers": controller} | times))
        self._producers: dict[str, Any] = {}

    def close(self) -> None:
        """Let go of all connections."""
        zero = self.jvm.classes.java.time.Duration.ZERO
        for producer in self._producers.values():
            producer.close(zero)
        self._admin.close(zero)
        self._at_controller.close(zero)

    def create_topic(self, topic: str, replicas: list[int], settings: Mapping[str, object]) -> None:
        """A topic with one partition; the first replica is the preferred leader."""
        assignment = self.jvm.map({0: self.jvm.list(replicas)})
        new = self.clients.admin.NewTopic(topic, assignment)
        new = new.configs(self.jvm.map({name: str(value) for name, value in settings.items()}))
        self._await(self._admin.createTopics(self.jvm.list([new])).all())

    def delete_topic(self, topic: str) -> None:
        """Delete a topic."""
        self._await(self._admin.deleteTopics(self.jvm.list([topic])).all())

    def alter_settings(self, topic: str, settings: Mapping[str, object]) -> None:
        """Alter settings of a topic, all in one request."""
        self._alter(self.kafka.common.config.ConfigResource.Type.TOPIC, topic, settings)

    def _alter(self, kind: Any, name: str, settings: Mapping[str, object]) -> None:
        admin = self.clients.admin
        changes = [
            admin.AlterConfigOp(admin.ConfigEntry(one, str(value)), admin.AlterConfigOp.OpType.SET)
            for one, value in settings.items()
        ]
        target = self.kafka.common.config.ConfigResource(kind, name)
        changed = self.jvm.map({target: self.jvm.list(changes)})
        self._await(self._at_controller.incrementalAlterConfigs(changed).all())

    def alter_brokers(self, settings: Mapping[str, object]) -> None:
        """Alter settings of all brokers while they run."""
        self._alter(self.kafka.common.config.ConfigResource.Type.BROKER, "", settings)

    def settings(self, topic: str) -> dict[str, str]:
        """The settings of a topic as the controller has them."""
        kind = self.kafka.common.config.ConfigResource
        asked = kind(kind.Type.TOPIC, topic)
        found = self._await(self._admin.describeConfigs(self.jvm.list([asked])).all())
        return {one.name(): one.value() for one in self.jvm.each(found[asked].entries())}

    def delete_records(self, topic: str, before: int) -> None:
        """Delete the records of a topic below an offset; all replicas have to answer."""
        self._delete_records(self._admin, topic, before, TIMEOUT_MS)

    def delete_unanswered(self, topic: str, before: int, patience_ms: int) -> None:
        """The same by a client of its own: one that gives up hangs up on the leader.

        The others would have to connect again, and might try a broker that stands still.
        """
        with self._own_admin() as own:
            self._delete_records(own, topic, before, patience_ms)

    @contextlib.contextmanager
    def _own_admin(self, patience_ms: int = SOON_MS) -> Iterator[Any]:
        """A client for one request, which knows nothing and gives up soon."""
        times = dict.fromkeys(("default.api.timeout.ms", "request.timeout.ms"), str(patience_ms))
        own = self.clients.admin.Admin.create(self.jvm.map(self._common | times))
        try:
            yield own
        finally:
            own.close(self.jvm.classes.java.time.Duration.ZERO)

    def _delete_records(self, admin: Any, topic: str, before: int, patience_ms: int) -> None:
        name = "org.apache.kafka.clients.admin.RecordsToDelete"
        target = self.jvm.static(name, "beforeOffset", before)
        asked = self.jvm.map({self._partition(topic): target})
        options = self.clients.admin.DeleteRecordsOptions().timeoutMs(patience_ms)
        self._await(admin.deleteRecords(asked, options).all())

    def move(self, topic: str, replicas: list[int]) -> None:
        """Reassign the partition of a topic, and wait until that is done."""
        target = self.clients.admin.NewPartitionReassignment(self.jvm.list(replicas))
        optional = self.jvm.classes.java.util.Optional.of(target)
        asked = self.jvm.map({self._partition(topic): optional})
        self._by_any(lambda admin: admin.alterPartitionReassignments(asked).all())

    def elect_preferred(self, topic: str) -> None:
        """Elect the preferred leader; no harm if it leads."""
        kind = self.kafka.common.ElectionType.PREFERRED
        asked = self.jvm.classes.java.util.HashSet()
        asked.add(self._partition(topic))
        try:
            self._by_any(lambda admin: admin.electLeaders(kind, asked).all())
        except Refused as error:
            if error.code != "ElectionNotNeeded":
                raise

    def _by_any(self, ask: Callable[[Any], Any]) -> None:
        """Ask the controller; in releases where it does not take the request, the brokers.

        In KRaft each broker is told as the controller, at random: a client that was told of one
        that stands still asks it again and again. So each try is of a client of its own.
        """
        try:
            self._await(ask(self._at_controller))
            return
        except Refused as error:
            if error.code != "UnsupportedEndpointType":
                raise
        for tries_left in reversed(range(TRIES)):
            try:
                with self._own_admin(TRY_MS) as own:
                    self._await(ask(own))
                return
            except Refused as error:
                if not tries_left or error.code not in NO_ANSWER:
                    raise

    def producers(self, topic: str) -> list[ActiveProducer]:
        """The producers that the partition's leader knows."""
        partition = self._partition(topic)
        asked = self._admin.describeProducers(self.jvm.list([partition]))
        found = self._await(asked.partitionResult(partition)).activeProducers()
        return [
            ActiveProducer(int(one.producerId()), int(one.producerEpoch()), int(one.lastSequence()))
            for one in self.jvm.each(found)
        ]

    def topics(self) -> set[str]:
        """The names of all topics, internal ones too."""
        options = self.clients.admin.ListTopicsOptions().listInternal(True)
        return set(self.jvm.each(self._await(self._admin.listTopics(options).names())))

    def brokers(self) -> set[int]:
        """The ids of the brokers that the cluster counts as alive."""
        nodes = self._await(self._admin.describeCluster().nodes())
        return {node.id() for node in self.jvm.each(nodes)}

    def leader(self, topic: str) -> int | None:
        """The id of the partition's leader; None if there is none."""
        return self.replication(topic)[0]

    def replication(self, topic: str) -> tuple[int | None, tuple[int, ...]]:
        """The id of the partition's leader, None if there is none, and those in sync."""
        found = self._described(topic)
        in_sync = sorted(int(node.id()) for node in self.jvm.each(found.isr()))
        leader = found.leader()
        return (None if leader is None or leader.id() < 0 else int(leader.id())), tuple(in_sync)

    def in_sync(self, topic: str) -> set[int]:
        """The ids of the in-sync replicas."""
        return {node.id() for node in self._described(topic).isr()}

    def offset(self, topic: str, name: str, *, is_stable: bool = False) -> int:
        """An offset of the partition as its leader tells it; `name` is one of OFFSETS.

        `is_stable` tells it to those who read committed records only.
        """
        spec = getattr(self.clients.admin.OffsetSpec, OFFSETS[name])()
        partition = self._partition(topic)
        level = self.kafka.common.IsolationLevel
        isolation = level.READ_COMMITTED if is_stable else level.READ_UNCOMMITTED
        options = self.clients.admin.ListOffsetsOptions(isolation)
        asked = self._admin.listOffsets(self.jvm.map({partition: spec}), options)
        return int(self._await(asked.partitionResult(partition)).offset())

    def produce(self, topic: str, values: list[bytes], times: Sequence[int] = ()) -> list[int]:
        """Produce records one by one with acks=all, of now or of `times`; returns their offsets."""
        record = self.clients.producer.ProducerRecord
        stamps: Sequence[int | None] = times or [None] * len(values)
        records = [
            record(topic, PARTITION, time, None, value)
            for value, time in zip(values, stamps, strict=True)
        ]
        sent = (self._producer("").send(one) for one in records)
        return [int(self._await(one).offset()) for one in sent]

    def append(self, topic: str, key: bytes, value: bytes | None, transactional_id: str) -> int:
        """Append a record with a key, in a transaction if the producer has an id; its offset."""
        record = self.clients.producer.ProducerRecord(topic, PARTITION, key, value)
        return int(self._await(self._producer(transactional_id).send(record)).offset())

    def begin_transaction(self, transactional_id: str) -> None:
        """Begin a transaction of a producer."""
        self._ask(self._producer(transactional_id).beginTransaction)

    def end_transaction(self, transactional_id: str, *, commits: bool) -> None:
        """Commit or abort the transaction of a producer."""
        producer = self._producer(transactional_id)
        self._ask(producer.commitTransaction if commits else producer.abortTransaction)

    def _producer(self, transactional_id: str) -> Any:
        """The producer with that id, "" for one without transactions."""
        if transactional_id not in self._producers:
            settings = {
                **self._common,
                "acks": "all",
                "key.serializer": SERIALIZER.format("S"),
                "value.serializer": SERIALIZER.format("S"),
                "delivery.timeout.ms": str(TIMEOUT_MS),
                "request.timeout.ms": "5000",
                "linger.ms": "0",
                "max.block.ms": str(TIMEOUT_MS),
            }
            if transactional_id:
                settings["transactional.id"] = transactional_id
            made = self.clients.producer.KafkaProducer(self.jvm.map(settings))
            self._producers[transactional_id] = made
            if transactional_id:
                self._ask(made.initTransactions)
        return self._producers[transactional_id]

    def read(self, topic: str, offset: int) -> bytes | None:
        """The record at an offset, read without reset; None if the offset is out of range.

        Raises NotSeen if the leader serves neither the record nor an error in TIMEOUT_MS.
        """
        with self._consumer("none") as reader:
            reader.at(topic, offset)
            try:
                for _ in range(TIMEOUT_MS // POLL_MS):
                    for record in reader.poll(topic):
                        return bytes(record.value()) if record.offset() == offset else None
            except Refused as error:
                if error.code.endswith("OutOfRange"):
                    return None
                raise
        raise NotSeen(f"offset {offset} of {topic} was neither served nor refused")

    def read_all(self, topic: str, end: int) -> dict[int, bytes]:
        """The records below `end` that one consumer gets which asks for every offset, no reset."""
        found: dict[int, bytes] = {}
        with self._consumer("none") as reader:
            for offset in range(end):
                if offset in found:
                    continue
                reader.at(topic, offset)
                with contextlib.suppress(Refused):
                    for record in reader.poll(topic):
                        found[int(record.offset())] = bytes(record.value())
        return found

    def values(self, topic: str) -> list[bytes]:
        """All values from the earliest offset to the high watermark, for one partition."""
        with self._consumer("earliest") as reader:
            reader.at(topic, 0)
            end, found = self.offset(topic, "latest"), []
            while reader.position(topic) < end:
                records = list(reader.poll(topic))
                if not records:
                    break
                found += [bytes(record.value()) for record in records]
        return found

    def committed(self, topic: str) -> dict[int, tuple[bytes | None, bytes | None]]:
        """What a consumer gets that reads from the start and committed records only, by offset."""
        found: dict[int, tuple[bytes | None, bytes | None]] = {}
        with self._consumer("none", "read_committed") as reader:
            reader.at(topic, self.offset(topic, "earliest"))
            end, waits = self.offset(topic, "latest"), TIMEOUT_MS // POLL_MS
            while reader.position(topic) < end and waits:
                records = list(reader.poll(topic))
                waits = waits if records else waits - 1
                found |= {int(one.offset()): (one.key(), one.value()) for one in records}
        return found

    def _consumer(self, reset: str, isolation: str = "read_uncommitted") -> Reader:
        settings = {
            **self._common,
            "auto.offset.reset": reset,
            "enable.auto.commit": "false",
            "key.deserializer": SERIALIZER.format("Des"),
            "value.deserializer": SERIALIZER.format("Des"),
            "default.api.timeout.ms": str(TIMEOUT_MS),
            "fetch.max.wait.ms": "100",
            "isolation.level": isolation,
        }
        return Reader(self, self.clients.consumer.KafkaConsumer(self.jvm.map(settings)))

    def _partition(self, topic: str) -> Any:
        return self.kafka.common.TopicPartition(topic, 0)

    def _described(self, topic: str) -> Any:
        options = self.clients.admin.DescribeTopicsOptions().timeoutMs(SOON_MS)
        found = self._admin.describeTopics(self.jvm.list([topic]), options).allTopicNames()
        return self._await(found)[topic].partitions()[0]

    def _await(self, future: Any) -> Any:
        return self._ask(future.get)

    @staticmethod
    def _ask(call: Callable[[], Any]) -> Any:
        try:
            return call()
        except Py4JJavaError as error:
            raise refusal(error) from None


class Reader:
    """A consumer that is assigned one partition."""

    def __init__(self, client: Client, consumer: Any) -> None:
        self._client, self._consumer = client, consumer
        self._duration = client.jvm.classes.java.time.Duration

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *error: object) -> None:
        self._consumer.close(self._duration.ofSeconds(1))

    def at(self, topic: str, offset: int) -> None:
        """Assign the partition of a topic and seek to an offset."""
        partition = self._client._partition(topic)
        self._consumer.assign(self._client.jvm.list([partition]))
        self._consumer.seek(partition, offset)

    def position(self, topic: str) -> int:
        """The offset that is read next."""
        return int(self._consumer.position(self._client._partition(topic)))

    def poll(self, topic: str) -> Any:
        """The records that come within POLL_MS."""
        try:
            found = self._consumer.poll(self._duration.ofMillis(POLL_MS))
            return found.records(self._client._partition(topic))
        except Py4JJavaError as error:
            raise refusal(error) from None
