"""How big `__remote_log_metadata` gets in a year: today's topic, KIP-1266's, and a repaired one.

    python -m benchmarks.metadata_topic_size.simulate

The figures are the KIP's: 1 TB a day for a year, here in segments of 1 GB. One segment of the
model stands for a day's thousand, so one record stands for a thousand records. The history is
drawn at random, day by day, of the actions of `model.designs.kip1266` and nothing else. An id
that is forgotten everywhere is used again under the same number, since the model has few.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.metadata_topic_size.chart import draw
from tierproof.model.designs.kip1266 import DESIGN
from tierproof.model.designs.kip1266.keys import kind_of, segment_of
from tierproof.model.designs.kip1266.start import begin, new_cluster
from tierproof.model.designs.kip1266.state import COPYING, EXPIRING, Kind, Kip1266, Topic
from tierproof.model.kafka.compacted_topic import CleanupPolicy
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import NONE, Design, Edit, Interpreter, Step, initial

HERE = Path(__file__).parent
DAYS, RETENTION_DAYS, SEGMENTS_A_DAY = 365, 7, 1000
FAILED_COPIES = 0.05
RESTARTS_ON = (60, 120, 180, 240, 300, 360)
SEED = 1266

SCOPE = Kip1266(
    brokers=1,
    offsets=DAYS + 1,
    leader_epochs=1,
    segment_ids=62,
    elections=7,
    restarts=len(RESTARTS_ON),
    failed_copies=DAYS,
    expirations=DAYS,
    topic_records=4 * DAYS + 200,
    topic_keys=8 * (DAYS + 3),
    topic_values=8 * (DAYS + 3),
)


@initial
def todays_topic(state: Topic) -> None:
    """Records without keys, cleanup.policy=delete, retention.ms=-1."""
    begin(state, CleanupPolicy.DELETE)
    state.broker[0].writes_keys = False


CONTENDERS: dict[str, Callable[[], Design]] = {
    "today": lambda: DESIGN.derive(
        name="todays_topic",
        title="Today's topic",
        change=Edit(drop=(new_cluster,), add_initial=(todays_topic,)),
    ),
    "KIP-1266": lambda: DESIGN,
    "repaired": lambda: DESIGN.with_variant("repair_all"),
}


@dataclass(frozen=True)
class Day:
    """Thousands: records that a restarted broker has to read, live objects, objects it knows."""

    day: int
    records: int
    objects: int
    known: int


def act(action: str, **arguments: int) -> Step:
    """One step, by the name of its action."""
    return Step(action, tuple(arguments.items()))


class Year:
    """A random year of one design."""

    def __init__(self, design: Design, seed: int = SEED) -> None:
        self.interpreter = Interpreter(design, SCOPE)
        self.state: Any = self.interpreter.initial_states()[0]
        self.random = random.Random(seed)

    def take(self, action: str, **arguments: int) -> bool:
        """Take a step if it is enabled."""
        step = act(action, **arguments)
        if not self.interpreter.is_enabled(self.state, step):
            return False
        self.state = self.interpreter.take(self.state, step)
        return True

    def copy(self) -> None:
        """A day's segment is copied; an attempt that fails is cleaned up, and made again."""
        fails = self.random.random() < FAILED_COPIES
        self.take("copy_task_publishes_started", broker=0)
        if fails and self.take("store_fails_copy", broker=0, is_stored=self.random.random() < 0.5):
            self.delete(COPYING)
            self.tombstone()
            self.recycle()
            self.take("copy_task_publishes_started", broker=0)
        self.take("copy_task_stores_object", broker=0)
        self.take("copy_task_publishes_finished", broker=0)

    def delete(self, thread: int) -> None:
        """A deletion that a thread has begun is carried through."""
        self.take("task_publishes_delete_started", broker=0, thread=thread)
        self.take("task_deletes_object", broker=0, thread=thread)
        self.take("task_publishes_delete_finished", broker=0, thread=thread)

    def expire(self, day: int) -> None:
        """What is a week old goes, as far as the leader knows of it."""
        if day >= RETENTION_DAYS:
            self.take("retention_passes")
        for segment in range(SCOPE.segment_ids):
            if self.take("expiration_task_chooses_segment", broker=0, segment=segment):
                self.delete(EXPIRING)
                self.tombstone()

    def tombstone(self) -> None:
        """Tombstones that are to come, come, and the consumer reads them."""
        while self.take("broker_publishes_tombstone", broker=0):
            pass
        while self.take("broker_reads_metadata", broker=0):
            pass

    def clean(self) -> None:
        """The cleaner works on all but the active segment; a day is delete.retention.ms."""
        self.take("cleaner_cleans", clean_end=max(1, self.state.metadata.end - 1), is_late=True)

    def restart(self) -> None:
        """The broker restarts and reads all of the topic."""
        self.take("broker_restarts", broker=0)

    def read(self) -> None:
        """The consumer reads to the end, and the leader's tasks begin if they have not."""
        while self.take("broker_reads_metadata", broker=0):
            pass
        self.take("copy_task_begins", broker=0)

    def recycle(self) -> None:
        """Ids that nothing speaks of any more are blank again."""
        state = self.state.copy_for("recycling")
        told = set()
        if state.broker[0].writes_keys:
            values = [state.metadata.record[n].value for n in range(state.metadata.end)]
            told = {segment_of(it) for it in values if 0 < kind_of(it) < Kind.HIGHEST_OFFSET}
        for i in range(SCOPE.segment_ids):
            caches = (state.truth, state.replayed, state.broker[0].cache)
            is_known = any(cache.state[i] != SegmentState.ABSENT for cache in caches)
            if not (is_known or i in told or state.segment[i].object_exists):
                state.segment[i].copy_term = NONE
                state.segment[i].keyed_terms = 0
                state.segment[i].was_deleted = False
                state.segment[i].lineage[0] = NONE
        self.state = state

    def days(self) -> Iterator[Day]:
        """Live through the year."""
        for day in range(DAYS):
            self.read()
            if day in RESTARTS_ON:
                self.restart()
                self.read()
            work = [self.copy, lambda day=day: self.expire(day), self.clean]
            self.random.shuffle(work)
            for part in work:
                part()
                self.read()
            self.recycle()
            yield self.measure(day)

    def measure(self, day: int) -> Day:
        """What the topic and the store hold this evening."""
        state = self.state
        objects = [i for i in range(SCOPE.segment_ids) if state.segment[i].object_exists]
        known = [i for i in objects if state.replayed.state[i] != SegmentState.ABSENT]
        return Day(day, int(state.metadata.end), len(objects), len(known))


def main() -> None:
    """Simulate, and write `results.csv` and `size.svg` beside this file."""
    years = {name: list(Year(design()).days()) for name, design in CONTENDERS.items()}
    with (HERE / "results.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["day", "topic", "records", "objects", "objects_known_from_topic"])
        for name, days in years.items():
            for it in days:
                row = (it.records, it.objects, it.known)
                writer.writerow([it.day, name, *(n * SEGMENTS_A_DAY for n in row)])
    lines = {name: [it.records * SEGMENTS_A_DAY for it in days] for name, days in years.items()}
    (HERE / "size.svg").write_text(draw(lines), encoding="utf-8")
    for name, days in years.items():
        last = days[-1]
        print(
            f"{name}: {last.records} thousand records, {last.objects} objects, {last.known} known"
        )


if __name__ == "__main__":
    main()
