"""Model and broker driven together: after each deed the broker shows what the model lets be seen.

One cluster serves many histories, each on a topic of its own. The broker is at rest when what
is seen has not changed for a while; what the model does not know is given more time first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tierproof.conformance.brokers.cluster import Cluster
from tierproof.conformance.brokers.errors import NotSeen, Refused
from tierproof.conformance.brokers.histories import SETTINGS, Answer, Done, Model, Sight
from tierproof.conformance.brokers.looking import local_segments, remote_objects
from tierproof.conformance.brokers.node import awaited
from tierproof.conformance.brokers.resting import OutOfScope

QUIET_S = 1.5
"""So long what the model knows is seen before it counts as rest: three runs of each task."""

PATIENCE_S = 12.0
"""So long what the model does not know is seen before it counts as rest."""

STARTING_S = 60.0

NAMES = {
    "enable": "remote.storage.enable",
    "copy_disable": "remote.log.copy.disable",
    "delete_on_disable": "remote.log.delete.on.disable",
}
BROKER_SETTINGS: Mapping[int, Mapping[str, object]] = {
    0: {"log.flush.start.offset.checkpoint.interval.ms": 3_600_000}
}
"""The log start is checkpointed at an orderly shutdown only, as the model has it."""

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
class Turn:
    """A deed, what the model lets be seen after it, and what the broker shows."""

    done: Done
    model: list[Sight]
    broker: Sight

    @property
    def agrees(self) -> bool:
        """Whether the model lets that be seen."""
        return self.broker in self.model

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "deed": str(self.done),
            "model": [sight.as_dict() for sight in self.model],
            "broker": self.broker.as_dict(),
        }


@dataclass
class Course:
    """A history as it went, up to the first difference. `cut`: the scope ended it, and why."""

    turns: list[Turn] = field(default_factory=list)
    cut: str = ""
    seconds: float = 0.0

    @property
    def difference(self) -> Turn | None:
        """The last turn, if the model does not let be seen what the broker shows."""
        return self.turns[-1] if self.turns and not self.turns[-1].agrees else None


@dataclass
class Driver:
    """A cluster of one broker that histories are done on."""

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
        self.cluster.client.create_topic(topic, [0], NEW_TOPIC)
        return topic

    def end(self, topic: str) -> None:
        """Delete the topic; its files are renamed once its checkpoint is written."""
        self.cluster.client.delete_topic(topic)
        folder = self.cluster.brokers[0].data / f"{topic}-0"
        awaited(f"{topic} is deleted", lambda: not folder.exists(), STARTING_S)

    def produce(self, topic: str, first: int, count: int) -> None:
        """Append records, all of one size."""
        values = [value_at(offset) for offset in range(first, first + count)]
        self.cluster.client.produce(topic, values)

    def course(self, model: Model, history: Sequence[Done]) -> Course:
        """Do a history on a new topic, and ask the model beside it. Stops at a difference."""
        course, begun, topic = Course(), time.monotonic(), self.begin()
        answer, end = model.beginning(), 0
        states = answer.states
        try:
            for done in history:
                answer = model.after(states, done)
                is_refused = self.do(topic, done, end)
                end += done.number if done.name == "produce" else 0
                broker = self.at_rest(topic, end, is_refused, answer)
                course.turns.append(Turn(done, answer.sights, broker))
                self.tell(f"  {topic} {done}: {broker}")
                if broker not in answer.sights:
                    break
                states = answer.seen(broker)
        except OutOfScope as error:
            course.cut = str(error)
        finally:
            self.end(topic)
        course.seconds = round(time.monotonic() - begun, 1)
        return course

    # -- deeds

    def do(self, topic: str, done: Done, end: int) -> bool:
        """Do a deed; whether it was refused."""
        client = self.cluster.client
        if done.name == "produce":
            self.produce(topic, end, done.number)
        elif done.name == "delete_records":
            client.delete_records(topic, done.number)
        elif done.name == "restart":
            self.cluster.brokers[0].stop()
            self._start()
        elif done.name == "kill":
            self.cluster.crash(self.cluster.brokers[0])
            self._start()
        else:
            try:
                client.alter_settings(topic, self._wanted(done))
            except Refused as error:
                if error.code != "InvalidConfiguration":
                    raise
                return True
        return False

    def _start(self) -> None:
        self.cluster.brokers[0].start()
        self.cluster.await_broker(self.cluster.brokers[0])

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

    def at_rest(self, topic: str, end: int, is_refused: bool, answer: Answer) -> Sight:
        """What is seen once the broker is at rest."""
        known = {replace(sight, readable=()) for sight in answer.sights}
        while True:
            sight = self._quiet(topic, is_refused, known)
            full = replace(sight, readable=self._readable(topic, end))
            if full in answer.sights or sight not in known:
                return full
            known = set()

    def _quiet(self, topic: str, is_refused: bool, known: Collection[Sight]) -> Sight:
        """What is seen, but for readers, when it has not changed for a while."""
        last, since, begun = None, time.monotonic(), time.monotonic()
        while True:
            sight = self._look(topic, is_refused)
            now = time.monotonic()
            if sight != last:
                last, since = sight, now
            if last is not None and now - since > (QUIET_S if last in known else PATIENCE_S):
                return last
            if now - begun > 2 * STARTING_S:
                raise NotSeen(f"{topic} does not come to rest: {last}")
            time.sleep(0.2)

    def _look(self, topic: str, is_refused: bool) -> Sight | None:
        client = self.cluster.client
        try:
            return Sight(
                earliest=client.offset(topic, "earliest"),
                earliest_local=client.offset(topic, "earliest_local"),
                latest_tiered=client.offset(topic, "latest_tiered"),
                latest=client.offset(topic, "latest"),
                files=tuple(local_segments(self.cluster, 0, topic)),
                objects=tuple(remote_objects(self.cluster, topic)),
                is_refused=is_refused,
            )
        except Refused:
            return None

    def _readable(self, topic: str, end: int) -> tuple[int, ...]:
        try:
            found = self.cluster.client.read_all(topic, end)
        except (NotSeen, Refused):
            return ()
        return tuple(offset for offset in sorted(found) if found[offset] == value_at(offset))


def value_at(offset: int) -> bytes:
    """The value of a record, which tells its offset; all are of one size."""
    return b"record %04d" % offset
