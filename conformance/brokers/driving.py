"""Model and broker driven together: after each action brokers show what the model lets be seen.

One cluster serves many histories, each on a topic of its own; several go side by side, and what
stops a broker stops it for all of them. Brokers are at rest when what is seen has not changed
for a while; what the model does not know is given more time first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tierproof.conformance.brokers.cluster import METADATA_TOPIC, Cluster
from tierproof.conformance.brokers.driven_runs import DrivenRun, together
from tierproof.conformance.brokers.errors import NotSeen, Refused
from tierproof.conformance.brokers.fitting import History
from tierproof.conformance.brokers.histories import SETTINGS, STOPS, Done, Model
from tierproof.conformance.brokers.looking import local_segments, remote_objects
from tierproof.conformance.brokers.node import awaited
from tierproof.conformance.brokers.observations import Observation

QUIET_S = 1.5
"""So long what the model knows is seen before it counts as rest: three runs of each task."""

FOLLOWING_S = 1.0
"""So much longer with a follower: two fetches, which wait for half a second each."""

PATIENCE_S = 12.0
"""So long what the model does not know is seen before it counts as rest."""

STARTING_S = 60.0
NAMES = {
    "enable": "remote.storage.enable",
    "copy_disable": "remote.log.copy.disable",
    "delete_on_disable": "remote.log.delete.on.disable",
}
REPLICAS = "rlmm.config.remote.log.metadata.topic.replication.factor"


def broker_settings(brokers: int) -> dict[int, dict[str, object]]:
    """Settings of driven brokers: the metadata topic is where one of them stops, too.

    The log start is checkpointed at an orderly shutdown only, as the model has it.
    """
    pace = {"log.flush.start.offset.checkpoint.interval.ms": 3_600_000, REPLICAS: brokers}
    return {b: dict(pace) for b in range(brokers)}


NEW_TOPIC: Mapping[str, object] = {
    "segment.index.bytes": 12,
    "index.interval.bytes": 1,
    "remote.storage.enable": "true",
    "retention.ms": -1,
    "retention.bytes": -1,
    "local.retention.ms": -2,
    "local.retention.bytes": -2,
}
"""One record fills a segment."""


@dataclass
class Driver:
    """A cluster of one or two brokers that histories are done on."""

    cluster: Cluster
    tell: Callable[[str], None] = print
    count: int = 0
    record_bytes: int = 0

    def measure(self) -> None:
        """Learn the size of a record."""
        topic = self.begin()
        self.produce(topic, 0, 2)
        folder = self.cluster.brokers[0].data / f"{topic}-0"
        self.record_bytes = max(file.stat().st_size for file in folder.glob("*.log"))
        self.end(topic)

    def begin(self) -> str:
        """A new topic."""
        self.count += 1
        topic = f"driven{self.count}"
        replicas = list(range(self.brokers))
        self.cluster.client.create_topic(topic, replicas, NEW_TOPIC)
        return topic

    def end(self, topic: str) -> None:
        """Delete the topic; its files are renamed once its checkpoint is written."""
        self.cluster.client.delete_topic(topic)
        folders = [broker.data / f"{topic}-0" for broker in self.cluster.brokers]
        awaited(f"{topic} is deleted", lambda: not any(map(_exists, folders)), STARTING_S)

    def produce(self, topic: str, first: int, count: int) -> None:
        """Append records, all of one size."""
        values = [value_at(offset) for offset in range(first, first + count)]
        self.cluster.client.produce(topic, values)

    def runs(self, model: Model, histories: Sequence[History]) -> list[DrivenRun]:
        """Do histories side by side, each on a new topic, and ask the model beside them.

        Those that have come to a stop of a broker wait for the others, so all have the same
        stops. A run ends at its first difference.
        """
        first = model.beginning()
        runs = [
            DrivenRun(self.begin(), history, model, first, first.states) for history in histories
        ]
        try:
            while now := together(runs):
                self._turn(now)
        finally:
            for run in runs:
                self.end(run.topic)
        return runs

    def _turn(self, now: list[tuple[DrivenRun, Done]]) -> None:
        """The next action of each run, or the stop that all have come to."""
        asked = [(run, done) for run, done in now if run.ask(done)]
        stops = [done for _, done in asked if done.name in STOPS]
        if stops:
            self.stop_and_start(stops[0])
        for run, done in asked:
            run.is_refused = not stops and self.do(run.topic, done, run.end)
            run.end += done.number if done.name == "produce" else 0
        for run, done, observation in self.at_rest(asked):
            run.show(done, observation)
            self.tell(f"  {run.topic} {done}: {observation}{'' if run.states else '  DIFFERS'}")

    @property
    def brokers(self) -> int:
        """How many brokers there are."""
        return len(self.cluster.brokers)

    # -- actions

    def do(self, topic: str, done: Done, end: int) -> bool:
        """Do an action; whether it was refused."""
        client = self.cluster.client
        if done.name == "produce":
            self.produce(topic, end, done.number)
        elif done.name == "delete_records":
            client.delete_records(topic, done.number)
        elif done.name == "elect":
            self._elect(topic, done.number)
        else:
            try:
                client.alter_settings(topic, self._wanted(done))
            except Refused as error:
                if error.code != "InvalidConfiguration":
                    raise
                return True
        return False

    def _elect(self, topic: str, leader: int) -> None:
        """Make a broker the preferred leader, and elect it, unless it is out of sync."""
        replicas = sorted(range(self.brokers), key=lambda b: b != leader)
        self.cluster.client.move(topic, replicas)
        try:
            self.cluster.client.elect_preferred(topic)
        except Refused as error:
            if error.code != "PreferredLeaderNotAvailable":
                raise

    def stop_and_start(self, done: Done) -> None:
        """Stop or kill a broker, and start it again; wait until the metadata topic is in sync."""
        broker = self.cluster.brokers[done.number]
        if done.name == "restart":
            broker.stop()
        else:
            self.cluster.crash(broker)
        broker.start()
        self.cluster.await_broker(broker)
        awaited(
            "the metadata topic is in sync",
            lambda: len(self._replication(METADATA_TOPIC)[1]) == self.brokers,
            STARTING_S,
        )

    def _replication(self, topic: str) -> tuple[int | None, tuple[int, ...]]:
        """The leader and the brokers in sync; nobody while brokers do not tell."""
        try:
            return self.cluster.client.replication(topic)
        except Refused:
            return None, ()

    def _wanted(self, done: Done) -> dict[str, object]:
        if done.name in ("retain", "retain_all"):
            is_limited = done.name == "retain"
            return {"retention.bytes": done.number * self.record_bytes if is_limited else -1}
        changed = dict(SETTINGS[done.name])
        wanted: dict[str, object] = {}
        if "local_matches" in changed:
            wanted["local.retention.bytes"] = -2 if changed.pop("local_matches") else 1
        return wanted | {NAMES[name]: str(value).lower() for name, value in changed.items()}

    # -- looking

    def at_rest(
        self, now: Sequence[tuple[DrivenRun, Done]]
    ) -> Iterator[tuple[DrivenRun, Done, Observation]]:
        """What is seen of each topic once the broker is at rest."""
        waits = {run.topic: _Wait(run) for run, _ in now}
        begun = time.monotonic()
        while not all(wait.is_over for wait in waits.values()):
            for topic, wait in waits.items():
                if not wait.is_over:
                    wait.note(self._look(topic, wait.run.is_refused))
            if time.monotonic() - begun > 2 * STARTING_S:
                raise NotSeen(f"topics do not come to rest: {list(waits)}")
            time.sleep(0.2)
        for run, done in now:
            yield run, done, self._full(run, waits[run.topic])

    def _full(self, run: DrivenRun, wait: _Wait) -> Observation:
        """What is seen, with what consumers get; asked twice if the model does not know it."""
        for pause in (0.0, PATIENCE_S):
            time.sleep(pause)
            seen = self._look(run.topic, run.is_refused) if pause else wait.last
            readable = self._readable(run.topic, run.end)
            full = replace(seen or wait.seen, readable=readable)
            if full in run.answer.observations:
                break
        return full

    def _look(self, topic: str, is_refused: bool) -> Observation | None:
        client = self.cluster.client
        leader, in_sync = self._replication(topic)
        if leader is None:
            return None
        files = [tuple(local_segments(self.cluster, b, topic)) for b in range(self.brokers)]
        try:
            return Observation(
                earliest=client.offset(topic, "earliest"),
                earliest_local=client.offset(topic, "earliest_local"),
                latest_tiered=client.offset(topic, "latest_tiered"),
                latest=client.offset(topic, "latest"),
                files=files[leader],
                objects=tuple(remote_objects(self.cluster, topic)),
                is_refused=is_refused,
                leader=leader,
                in_sync=in_sync,
                follower_files=tuple(o for b, at in enumerate(files) if b != leader for o in at),
            )
        except Refused:
            return None

    def _readable(self, topic: str, end: int) -> tuple[int, ...]:
        try:
            found = self.cluster.client.read_all(topic, end)
        except (NotSeen, Refused):
            return ()
        return tuple(offset for offset in sorted(found) if found[offset] == value_at(offset))


@dataclass
class _Wait:
    """How long a topic has looked the same."""

    run: DrivenRun
    last: Observation | None = None
    since: float = field(default_factory=time.monotonic)

    def note(self, observation: Observation | None) -> None:
        """What is seen now; None if the broker does not answer."""
        if observation != self.last:
            self.last, self.since = observation, time.monotonic()

    @property
    def seen(self) -> Observation:
        """What was seen last. Raises NotSeen if the broker does not answer."""
        if self.last is None:
            raise NotSeen(f"the leader of {self.run.topic} does not answer")
        return self.last

    @property
    def is_over(self) -> bool:
        """Whether that counts as rest."""
        if self.last is None:
            return False
        known = {replace(observation, readable=()) for observation in self.run.answer.observations}
        quiet = QUIET_S + (FOLLOWING_S if self.run.model.scope.brokers > 1 else 0)
        so_long = quiet if self.last in known else PATIENCE_S
        return time.monotonic() - self.since > so_long


def _exists(folder: Path) -> bool:
    return folder.exists()


def value_at(offset: int) -> bytes:
    """The value of a record, which tells its offset; all are of one size."""
    return b"record %04d" % offset
