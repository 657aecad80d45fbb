"""A cluster on the loopback address: a controller, one or two brokers, and a gated remote store."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from py4j.protocol import Py4JError

from tierproof.conformance.brokers.client import Client
from tierproof.conformance.brokers.errors import CannotRun, NotSeen, Refused
from tierproof.conformance.brokers.jvm import Jvm
from tierproof.conformance.brokers.node import Node, awaited, free_port
from tierproof.conformance.brokers.releases import Release

METADATA_TOPIC = "__remote_log_metadata"
CONTROLLER_ID = 100
SESSION_MS = 9_000
"""So long may a broker be silent until the cluster gives it up; a killed one comes back after."""

PATIENT_MS = 60_000
"""The same, where a broker stands still on purpose."""

STARTING_S = 60
"""So long may a cluster take to start, or a broker to come back."""

SETTINGS = {
    "offsets.topic.replication.factor": 1,
    "transaction.state.log.replication.factor": 1,
    "transaction.state.log.min.isr": 1,
    "replica.lag.time.max.ms": PATIENT_MS,
    "group.initial.rebalance.delay.ms": 0,
    "auto.create.topics.enable": "false",
    "controlled.shutdown.enable": "true",
    "log.initial.task.delay.ms": 500,
    "log.retention.check.interval.ms": 500,
    "file.delete.delay.ms": 100,
    "remote.log.storage.system.enable": "true",
    "remote.log.storage.manager.class.name": "tierproof.GatedStorage",
    "remote.log.metadata.manager.listener.name": "PLAINTEXT",
    "remote.log.manager.task.interval.ms": 500,
    "rsm.config.delete.on.close": "false",
    "rlmm.config.remote.log.metadata.topic.num.partitions": 1,
    "rlmm.config.remote.log.metadata.topic.replication.factor": 1,
    "rlmm.config.remote.log.metadata.topic.min.isr": 1,
}
"""Settings of each broker: tasks run twice a second, nothing is kept from running."""


class Cluster:
    """Running brokers, numbered from 0, and a client. Use `started`."""

    def __init__(
        self,
        release: Release,
        class_path: str,
        jvm: Jvm,
        folder: Path,
        brokers: int,
        silence_ms: int,
    ) -> None:
        self.silence_ms = silence_ms
        self.release, self.folder, self._jvm = release, folder, jvm
        self.store, self.gates = folder / "remote", folder / "gates"
        for name in ("waiting", "passes"):
            (self.gates / name).mkdir(parents=True, exist_ok=True)
        self.controller = Node("controller", folder, class_path, free_port(), {})
        self.brokers = [
            Node(f"broker-{i}", folder, class_path, free_port(), {}) for i in range(brokers)
        ]
        self._client: Client | None = None

    @property
    def client(self) -> Client:
        """A client of all brokers."""
        if self._client is None:
            addresses = ",".join(f"127.0.0.1:{broker.port}" for broker in self.brokers)
            self._client = Client(self._jvm, addresses, f"127.0.0.1:{self.controller.port}")
        return self._client

    @property
    def nodes(self) -> list[Node]:
        """All processes, the controller first."""
        return [self.controller, *self.brokers]

    def start(self, settings: Mapping[int, Mapping[str, object]]) -> None:
        """Format and start all nodes; wait until the brokers know the metadata topic."""
        self._configure(settings)
        self._format()
        for node in self.nodes:
            node.start()
        for broker in self.brokers:
            self.await_broker(broker)
        awaited("the metadata topic", self._has_metadata_topic, STARTING_S)

    def await_broker(self, broker: Node) -> None:
        """Wait until a broker answers and the cluster counts it as alive."""
        number = self.brokers.index(broker)
        awaited(f"{broker.name} answers", broker.answers, STARTING_S)
        awaited(f"{broker.name} is alive", lambda: number in self.client.brokers(), STARTING_S)

    def stop(self) -> None:
        """Stop all that was started. Logs and data stay in the folder."""
        if self._client is not None:
            with contextlib.suppress(Py4JError):  # the machine of the client may have ended
                self._client.close()
        for node in reversed(self.nodes):
            node.kill()

    def keep_metadata_at(self, broker: int) -> None:
        """Move the metadata topic to a broker, that another one may stand still or be killed."""
        self.client.move(METADATA_TOPIC, [broker])
        awaited(
            f"broker {broker} leads the metadata topic",
            lambda: self.client.leader(METADATA_TOPIC) == broker,
            STARTING_S,
        )

    def shut(self, gate: str, says: str = "wait") -> None:
        """Shut a gate of the store: requests wait, or fail if it says "refuse"."""
        (self.gates / gate).write_text(says, "utf-8")

    def open(self, gate: str) -> None:
        """Open a gate of the store."""
        (self.gates / gate).unlink(missing_ok=True)

    def waits(self, gate: str, broker: int, offset: int) -> bool:
        """Whether a broker's request for the segment that begins at `offset` waits at a gate."""
        return (self.gates / "waiting" / f"{gate}-{broker}-{offset}").exists()

    def waiting_segment(self, gate: str, broker: int, offset: int) -> str:
        """The id of the segment whose request waits at a gate; empty if none does."""
        with contextlib.suppress(FileNotFoundError):
            return (self.gates / "waiting" / f"{gate}-{broker}-{offset}").read_text("utf-8")
        return ""

    def waiting_segments(self, gate: str, broker: int) -> dict[int, str]:
        """The first offsets and ids of the segments for which requests of a broker wait."""
        names = (path.name for path in (self.gates / "waiting").glob(f"{gate}-{broker}-*"))
        offsets = (int(name.rsplit("-", 1)[1]) for name in names)
        found = {offset: self.waiting_segment(gate, broker, offset) for offset in offsets}
        return {offset: segment for offset, segment in found.items() if segment}

    def let_pass(self, gate: str, broker: int, offset: int) -> None:
        """Let one request of a broker for that segment through a shut gate."""
        (self.gates / "passes" / f"{gate}-{broker}-{offset}").touch()

    def crash(self, broker: Node) -> None:
        """Kill a broker; what it asked of the store is forgotten."""
        broker.kill()
        for request in (self.gates / "waiting").iterdir():
            request.unlink(missing_ok=True)

    def _has_metadata_topic(self) -> bool:
        with contextlib.suppress(Refused):
            return METADATA_TOPIC in self.client.topics()
        return False

    def _configure(self, settings: Mapping[int, Mapping[str, object]]) -> None:
        voters = f"{CONTROLLER_ID}@127.0.0.1:{self.controller.port}"
        common = {
            "controller.quorum.voters": voters,
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
        }
        self.controller.settings = common | {
            "process.roles": "controller",
            "node.id": CONTROLLER_ID,
            "listeners": f"CONTROLLER://127.0.0.1:{self.controller.port}",
            "broker.session.timeout.ms": self.silence_ms,
            # The controller elects preferred leaders; it would every 5 minutes.
            "auto.leader.rebalance.enable": "false",
            "remote.log.storage.system.enable": "true",
        }
        stores = {"rsm.config.dir": self.store, "rsm.config.gates": self.gates}
        for i, broker in enumerate(self.brokers):
            address = f"PLAINTEXT://127.0.0.1:{broker.port}"
            own = {"process.roles": "broker", "node.id": i, "listeners": address}
            broker.settings = common | own | SETTINGS | stores | dict(settings.get(i, {}))

    def _format(self) -> None:
        tool = self._jvm.classes.kafka.tools.StorageTool
        identity = self._jvm.classes.org.apache.kafka.common.Uuid.randomUuid().toString()
        said = self._jvm.classes.java.io.ByteArrayOutputStream()
        for node in self.nodes:
            node.write()
            words = ["format", "-t", identity, "-c", str(node.file)]
            arguments = self._jvm.array(self._jvm.classes.java.lang.String, *words)
            stream = self._jvm.classes.java.io.PrintStream(said)
            if tool.execute(arguments, stream):
                raise CannotRun(f"{node.name} cannot be formatted: {said.toString()}")


@contextlib.contextmanager
def started(
    release: Release,
    class_path: str,
    jvm: Jvm,
    folder: Path,
    *,
    brokers: int = 1,
    settings: Mapping[int, Mapping[str, object]] | None = None,
    silence_ms: int = SESSION_MS,
) -> Iterator[Cluster]:
    """A running cluster; whatever happens, its processes are ended.

    Raises NotSeen if it does not start in STARTING_S, CannotRun if it cannot.

    `settings` are those of single brokers, by number; `silence_ms` is the brokers' session.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    cluster = Cluster(release, class_path, jvm, folder, brokers, silence_ms)
    try:
        try:
            cluster.start(settings or {})
        except NotSeen as error:
            raise NotSeen(f"the cluster does not start: {error}") from error
        yield cluster
    finally:
        cluster.stop()
