"""A stored trace on its way: what actions need to do it on brokers, and to await what follows.

A request to the remote store waits at a gate until the trace comes to its step, so that the order
of what the store sees is that of the trace. A task of retention is held back until its step by
the setting that it waits for.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tierproof.conformance.brokers.client import Client
from tierproof.conformance.brokers.cluster import Cluster
from tierproof.conformance.brokers.errors import NotSeen, Refused
from tierproof.conformance.brokers.looking import local_segments
from tierproof.conformance.brokers.node import awaited
from tierproof.conformance.brokers.produce_requests import Answer
from tierproof.conformance.brokers.scenarios import Scenario
from tierproof.model.designs.kip405.expiring import planned_segment
from tierproof.model.language.actions import Step
from tierproof.model.language.trace import Trace

TOPIC = "tiered"
GATES = ("copy", "copy_reply", "delete", "delete_reply")
PATIENCE_S = 30
"""So long may a broker take to come to a step of the trace."""

SETTLING_S = 3
"""So long brokers run free before they are looked at."""

FETCH_S = 1
"""A follower's fetch is answered within half a second."""

INDEX_BYTES_OF_A_RECORD = 12
"""With an index entry for each record, segment.index.bytes says how many a segment holds."""

HOUR_MS = 3_600_000
"""A millisecond of the model's clock is an hour between the times of records."""

NO_CHANGE = {"flush.messages": 9_223_372_036_854_775_807}
"""A change of settings to what they are."""


@dataclass
class Play:
    """A trace on its way. `number` counts the step that is played, from 1.

    `standing` are the brokers that stand still, `deleted_before` is where a user's deletion ends,
    `has_left` is set once a control has left the trace, and `is_free` once brokers run free.
    `answers` are those to the producers of the trace, `refusals` the errors that they got, `ids`
    those of the segments that it copies.
    The last state of the trace is now (`began_ms`), and what comes before is earlier.
    """

    trace: Trace
    scenario: Scenario
    cluster: Cluster
    tell: Callable[[str], None]
    number: int = 0
    is_free: bool = False
    has_left: bool = False
    deleted_before: int = 0
    standing: set[int] = field(default_factory=set)
    values: list[bytes] = field(default_factory=list)
    copiers: dict[int, int] = field(default_factory=dict)
    ids: dict[int, str] = field(default_factory=dict)
    waiting: list[tuple[str, Callable[[], None]]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    began_ms: int = field(default_factory=lambda: int(time.time() * 1000))

    @property
    def client(self) -> Client:
        """The client of the cluster."""
        return self.cluster.client

    @property
    def step(self) -> Step:
        """The step that is played."""
        return self.trace.steps[self.number - 1]

    @property
    def before(self) -> Any:
        """The model's state before the step."""
        return self.trace.states[self.number - 1]

    @property
    def after(self) -> Any:
        """The model's state after the step."""
        return self.trace.states[self.number]

    @property
    def segment(self) -> int:
        """The segment that the step is about: its own, or the next of the broker's plan."""
        if self.step.segment >= 0:
            return int(self.step.segment)
        return int(planned_segment(self.before, self.actor))

    @property
    def offset(self) -> int:
        """The first offset of the segment that the step is about."""
        lineage = self.after.segment[self.segment].lineage
        return min(int(start) for start in lineage if start >= 0)

    def begin(self) -> None:
        """Create the topic as the trace begins, with its records; the gates are shut."""
        start = self.trace.states[0]
        leader = start.broker[start.elected_leader]
        self.create_tiered()
        self.shut_gates()
        times = [leader.records[offset].timestamp for offset in range(leader.log_end_offset)]
        self.produce(len(times), times)

    def create_tiered(self) -> None:
        """Create the topic, without records, with the leader that the trace begins with."""
        start = self.trace.states[0]
        replicas = sorted(range(len(start.broker)), key=lambda b: b != start.elected_leader)
        self.client.create_topic(TOPIC, replicas, self.beginning())
        self.note(f"topic created, tiered, records a segment: {self.records_a_segment}")

    def shut_gates(self) -> None:
        """Requests to the store wait from now on."""
        for gate in GATES:
            self.cluster.shut(gate, "deaf" if self.scenario.is_deaf else "wait")

    @property
    def records_a_segment(self) -> int:
        """How many records fill a segment, as the first one shows."""
        starts = self.trace.states[0].broker[0].starts_segment
        return next((o for o in range(1, len(starts)) if starts[o]), 1)

    @property
    def copier(self) -> int:
        """The broker whose thread copies the segment that the step is about."""
        return self.copiers[self.step.segment]

    @property
    def actor(self) -> int:
        """The broker of the step, -1 if it names none."""
        return int(self.step.broker)

    def beginning(self) -> Mapping[str, object]:
        """Settings with which nothing is removed until the trace comes to it."""
        return {
            "segment.index.bytes": INDEX_BYTES_OF_A_RECORD * self.records_a_segment,
            "index.interval.bytes": 1,
            "remote.storage.enable": "true",
            "retention.ms": -1,
            "retention.bytes": -1,
            "local.retention.bytes": 1 if self.scenario.keeps_little else -2,
        }

    def produce(self, count: int, times: Sequence[int] = ()) -> None:
        """Append records, each with a value of its own and all of one size; of now, or `times`.

        Of records of one time the later is a millisecond younger: only so has the time index an
        entry for each, and segments are as full as those of the trace.
        """
        numbers = range(len(self.values), len(self.values) + count)
        values = [self.value(number) for number in numbers]
        stamps = [self.timestamp(ms) + n for n, ms in zip(numbers, times, strict=False)]
        self.client.produce(TOPIC, values, stamps)
        self.values += values

    @staticmethod
    def value(number: int) -> bytes:
        """The value of a record, all of one size."""
        return b"record %04d" % number

    def timestamp(self, ms: int) -> int:
        """A time of the trace as a record has it: the last state of the trace is now."""
        return self.began_ms - self.age(ms)

    def age(self, ms: int) -> int:
        """How long before the last state of the trace a time of the trace is, in real ms.

        A time that is still to come counts as now: brokers refuse records of the future.
        """
        return max(0, int(self.trace.states[-1].clock) - int(ms)) * HOUR_MS

    def note(self, words: str) -> None:
        """Say what was done or seen."""
        line = f"{self.number:3d} {words}" if self.number else f"    {words}"
        self.said.append(line)
        self.tell(line)

    def await_that(
        self, what: str, is_so: Callable[[], bool], *, in_controls_too: bool = False
    ) -> None:
        """Wait for what the brokers do by themselves. Raises NotSeen, with the step.

        A control that has left the trace need not show what the trace has, unless later steps of
        it cannot be done without that.
        """
        has_left = self.has_left and not in_controls_too
        if self.is_free and not in_controls_too:
            return
        try:
            awaited(what, _patient(is_so), SETTLING_S if has_left else PATIENCE_S)
        except NotSeen as error:
            if has_left:
                return
            at = f"step {self.number}, {self.step.action}" if self.number else "at the beginning"
            raise NotSeen(f"{at}: {error}") from None
        self.note(f"seen: {what}")

    def later(self, kind: str, action: Callable[[], None]) -> None:
        """Put an action off until a broker comes to apply it: the cluster's log is read late."""
        self.waiting.append((kind, action))

    def catch_up(self, *kinds: str) -> None:
        """Do what was put off, of these kinds or all, in its order."""
        now = [one for one in self.waiting if not kinds or one[0] in kinds]
        self.waiting = [one for one in self.waiting if one not in now]
        with self.standing_still(len(now) > 1):
            for _, action in now:
                action()

    @contextlib.contextmanager
    def standing_still(self, is_needed: bool) -> Iterator[None]:
        """While several changes are made, the brokers stand still: they find one batch.

        The answer of the fetch that was under way has one change more, so another comes first.
        """
        brokers = self.cluster.brokers if is_needed else []
        for broker in brokers:
            broker.pause()
        if brokers:
            self.note("operator: several changes while the brokers stand still")
            self.client.alter_settings(TOPIC, NO_CHANGE)
        try:
            yield
        finally:
            for broker in brokers:
                broker.resume()

    def hold(self) -> None:
        """Pause the broker that the scenario has stand still from this step on.

        The answer of its last fetch is still to come: it comes before anything else happens.
        """
        for broker, (first, _) in self.scenario.still.items():
            if self.number == first:
                self.note(f"fault: broker {broker} stands still")
                self.cluster.brokers[broker].pause()
                self.standing.add(broker)
                time.sleep(FETCH_S)

    def release(self) -> None:
        """Let the broker go on that stood still until this step."""
        for broker, (_, last) in self.scenario.still.items():
            if self.number == last and broker in self.standing:
                self.note(f"fault: broker {broker} goes on")
                self.cluster.brokers[broker].resume()
                self.standing.discard(broker)

    def run_free(self) -> None:
        """Let brokers and store do what they will."""
        for gate in GATES:
            self.cluster.open(gate)
        self.is_free = True

    def settle(self) -> None:
        """Let brokers and store come to rest."""
        self.run_free()
        time.sleep(SETTLING_S)

    def local_start(self, broker: int) -> int | None:
        """The first offset of a broker's local log."""
        return next(iter(local_segments(self.cluster, broker, TOPIC)), None)


def _patient(is_so: Callable[[], bool]) -> Callable[[], bool]:
    """The same question; a broker that refuses to answer now has not said yes."""

    def asked() -> bool:
        try:
            return is_so()
        except Refused:
            return False

    return asked
