"""Model and broker driven together: after each deed the broker shows what the model lets be seen.

One cluster serves many histories, each on a topic of its own; several go side by side, and what
stops the broker stops it for all of them. The broker is at rest when what is seen has not changed
for a while; what the model does not know is given more time first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tierproof.conformance.brokers.cluster import Cluster
from tierproof.conformance.brokers.errors import NotSeen, Refused
from tierproof.conformance.brokers.histories import SETTINGS, Answer, Done, Model, Sight
from tierproof.conformance.brokers.looking import local_segments, remote_objects
from tierproof.conformance.brokers.node import awaited
from tierproof.conformance.brokers.resting import OutOfScope
from tierproof.model.designs.kip950.state import Topic

QUIET_S = 1.5
"""So long what the model knows is seen before it counts as rest: three runs of each task."""

PATIENCE_S = 12.0
"""So long what the model does not know is seen before it counts as rest."""

STARTING_S = 60.0
STOPS = ("restart", "kill")
"""Deeds that stop the broker for all topics."""

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
    """A history as it goes, up to the first difference. `cut`: the scope ended it, and why."""

    topic: str
    history: Sequence[Done]
    model: Model
    answer: Answer
    states: tuple[Topic, ...]
    turns: list[Turn] = field(default_factory=list)
    cut: str = ""
    end: int = 0
    is_refused: bool = False

    @property
    def next(self) -> Done | None:
        """The deed that comes next, None if the course is over."""
        is_over = self.cut or self.difference or len(self.turns) == len(self.history)
        return None if is_over else self.history[len(self.turns)]

    @property
    def difference(self) -> Turn | None:
        """The last turn, if the model does not let be seen what the broker shows."""
        return self.turns[-1] if self.turns and not self.turns[-1].agrees else None

    def ask(self, done: Done) -> bool:
        """Ask the model what may be seen after a deed; False if its scope is too small."""
        try:
            self.answer = self.model.after(self.states, done)
        except OutOfScope as error:
            self.cut = str(error)
        return not self.cut

    def show(self, done: Done, broker: Sight) -> None:
        """Go on from what the broker shows."""
        self.turns.append(Turn(done, self.answer.sights, broker))
        self.states = self.answer.seen(broker)


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

    def courses(self, model: Model, histories: Sequence[Sequence[Done]]) -> list[Course]:
        """Do histories side by side, each on a new topic, and ask the model beside them.

        Those that have come to a stop of the broker wait for the others. A course ends at its
        first difference.
        """
        first = model.beginning()
        courses = [
            Course(self.begin(), history, model, first, first.states) for history in histories
        ]
        try:
            while self._turn(courses):
                pass
        finally:
            for course in courses:
                self.end(course.topic)
        return courses

    def _turn(self, courses: list[Course]) -> bool:
        """The next deed of each course, or the stop that all have come to; False at the end."""
        coming = [(course, done) for course in courses if (done := course.next) is not None]
        now = [one for one in coming if one[1].name not in STOPS] or coming
        now = [one for one in now if one[1].name == now[0][1].name or now[0][1].name not in STOPS]
        now = [(course, done) for course, done in now if course.ask(done)]
        for course, done in now if now and now[0][1].name not in STOPS else now[:1]:
            course.is_refused = self.do(course.topic, done, course.end)
            course.end += done.number if done.name == "produce" else 0
        for course, _ in now if now and now[0][1].name in STOPS else ():
            course.is_refused = False
        for course, done, sight in self.at_rest(now):
            course.show(done, sight)
            self.tell(f"  {course.topic} {done}: {sight}{'' if course.states else '  DIFFERS'}")
        return bool(coming)

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

    def at_rest(self, now: Sequence[tuple[Course, Done]]) -> Iterator[tuple[Course, Done, Sight]]:
        """What is seen of each topic once the broker is at rest."""
        waits = {course.topic: _Wait(course) for course, _ in now}
        begun = time.monotonic()
        while not all(wait.is_over for wait in waits.values()):
            for topic, wait in waits.items():
                if not wait.is_over:
                    wait.note(self._look(topic, wait.course.is_refused))
            if time.monotonic() - begun > 2 * STARTING_S:
                raise NotSeen(f"topics do not come to rest: {list(waits)}")
            time.sleep(0.2)
        for course, done in now:
            yield course, done, self._full(course, waits[course.topic])

    def _full(self, course: Course, wait: _Wait) -> Sight:
        """What is seen, with what consumers get; asked twice if the model does not know it."""
        for pause in (0.0, PATIENCE_S):
            time.sleep(pause)
            seen = self._look(course.topic, course.is_refused) if pause else wait.last
            readable = self._readable(course.topic, course.end)
            full = replace(seen or wait.seen, readable=readable)
            if full in course.answer.sights:
                break
        return full

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


@dataclass
class _Wait:
    """How long a topic has looked the same."""

    course: Course
    last: Sight | None = None
    since: float = field(default_factory=time.monotonic)

    def note(self, sight: Sight | None) -> None:
        """What is seen now; None if the broker does not answer."""
        if sight != self.last:
            self.last, self.since = sight, time.monotonic()

    @property
    def seen(self) -> Sight:
        """What was seen last. Raises NotSeen if the broker does not answer."""
        if self.last is None:
            raise NotSeen(f"the leader of {self.course.topic} does not answer")
        return self.last

    @property
    def is_over(self) -> bool:
        """Whether that counts as rest."""
        if self.last is None:
            return False
        known = {replace(sight, readable=()) for sight in self.course.answer.sights}
        so_long = QUIET_S if self.last in known else PATIENCE_S
        return time.monotonic() - self.since > so_long


def value_at(offset: int) -> bytes:
    """The value of a record, which tells its offset; all are of one size."""
    return b"record %04d" % offset
