"""A stored trace, played on brokers: deeds are done, what brokers do by themselves is awaited.

A request to the remote store waits at a gate until the trace comes to its step, so that the order
of what the store sees is that of the trace. A task of retention is held back until its step by
the setting that it waits for.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tierproof.conformance.brokers.client import Client
from tierproof.conformance.brokers.cluster import Cluster
from tierproof.conformance.brokers.errors import NotSeen, Refused
from tierproof.conformance.brokers.looking import local_segments
from tierproof.conformance.brokers.node import awaited
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

NO_CHANGE = {"flush.messages": 9_223_372_036_854_775_807}
"""A change of settings to what they are."""


@dataclass
class Play:
    """A trace on its way. `number` counts the step that is played, from 1.

    `standing` are the brokers that stand still, `deleted_before` is where a user's deletion ends,
    `has_left` is set once a control has left the trace, and `is_free` once brokers run free.
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
    waiting: list[tuple[str, Callable[[], None]]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

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
        """Create the topic as the trace begins, with its records."""
        start = self.trace.states[0]
        replicas = sorted(range(len(start.broker)), key=lambda b: b != start.elected_leader)
        self.client.create_topic(TOPIC, replicas, self.beginning())
        for gate in GATES:
            self.cluster.shut(gate, "deaf" if self.scenario.is_deaf else "wait")
        self.produce(int(start.broker[start.elected_leader].log_end_offset))
        count = self.records_a_segment
        self.note(f"topic created, tiered, records a segment: {count}")

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

    def produce(self, count: int) -> None:
        """Append records, each with a value of its own and all of one size."""
        values = [b"record %04d" % (len(self.values) + i) for i in range(count)]
        self.client.produce(TOPIC, values)
        self.values += values

    def note(self, words: str) -> None:
        """Say what was done or seen."""
        line = f"{self.number:3d} {words}" if self.number else f"    {words}"
        self.said.append(line)
        self.tell(line)

    def await_that(self, what: str, is_so: Callable[[], bool]) -> None:
        """Wait for what the brokers do by themselves. Raises NotSeen, with the step.

        A control that has left the trace need not show what the trace has.
        """
        if self.is_free:
            return
        try:
            awaited(what, _patient(is_so), SETTLING_S if self.has_left else PATIENCE_S)
        except NotSeen as error:
            if self.has_left:
                return
            raise NotSeen(f"step {self.number}, {self.step.action}: {error}") from None
        self.note(f"seen: {what}")

    def later(self, kind: str, deed: Callable[[], None]) -> None:
        """Put a deed off until a broker comes to apply it: the cluster's log is read late."""
        self.waiting.append((kind, deed))

    def catch_up(self, *kinds: str) -> None:
        """Do what was put off, of these kinds or all, in its order."""
        now = [one for one in self.waiting if not kinds or one[0] in kinds]
        self.waiting = [one for one in self.waiting if one not in now]
        with self.standing_still(len(now) > 1):
            for _, deed in now:
                deed()

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
            if self.number == last:
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


def play(one: Play, *, is_control: bool) -> None:
    """Play a trace, or its control, to the end: the gates are still shut then.

    Raises NotSeen or Refused where brokers do otherwise.
    """
    from tierproof.conformance.brokers.deeds import DEEDS, OTHERWISE

    one.begin()
    for number in in_order(len(one.trace), one.scenario.put_off):
        one.number = number
        if not is_control:
            one.hold()
        deed = DEEDS.get(one.step.action)
        if is_control and number in one.scenario.otherwise:
            name = one.scenario.otherwise[number]
            one.note(f"control: {one.scenario.control}")
            one.has_left = True
            deed = OTHERWISE[name or "nothing"]
        if deed is not None:
            deed(one)
        if not is_control:
            one.release()
        if one.is_free:
            time.sleep(0.2)
    one.catch_up()
    one.note("the trace is at its end")


def in_order(count: int, put_off: Mapping[int, int]) -> list[int]:
    """The numbers of the steps, those that are put off after the step that they follow."""
    return sorted(range(1, count + 1), key=lambda n: (put_off.get(n, n), n in put_off))


def _patient(is_so: Callable[[], bool]) -> Callable[[], bool]:
    """The same question; a broker that refuses to answer now has not said yes."""

    def asked() -> bool:
        try:
            return is_so()
        except Refused:
            return False

    return asked
