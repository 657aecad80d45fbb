"""Model and broker driven together: Hypothesis draws histories, a released broker does them.

What the broker shows after each deed must be among what the model lets be seen; a history after
which it is not shrinks to a shortest one, and is kept. Run it as

    python -m benchmarks.driven_together --minutes 10 --seed 1 --kafka 4.4.0
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import Counter
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tierproof.conformance.brokers.cluster import started
from tierproof.conformance.brokers.driven_design import fixes_of
from tierproof.conformance.brokers.driving import BROKER_SETTINGS, STOPS, Course, Driver
from tierproof.conformance.brokers.histories import SETTINGS, Done, Model, model_of, within
from tierproof.conformance.brokers.jvm import Jvm
from tierproof.conformance.brokers.releases import NEWEST, Release, class_path
from tierproof.spark_explorer.compiler import storage

RECORDS, RESTARTS, MOST_DEEDS, MOST_TOPICS, ROUND = 4, 2, 5, 5, 20


Histories = tuple[tuple[Done, ...], ...]


@st.composite
def histories(draw: st.DrawFn, model: Model) -> Histories:
    """Histories side by side that the model's scope has room for; they shrink to a short one.

    The broker stops in all of them at once, after as many phases.
    """
    records = model.scope.offsets
    deed = st.one_of(
        st.builds(Done, st.sampled_from(sorted(SETTINGS))),
        st.builds(Done, st.just("produce"), st.integers(1, 2)),
        st.builds(Done, st.just("retain"), st.integers(1, records)),
        st.just(Done("retain_all")),
        st.builds(Done, st.just("delete_records"), st.integers(0, records)),
    )
    stops = draw(st.lists(st.sampled_from(STOPS), max_size=model.scope.restarts))
    phase = st.lists(deed, min_size=2, max_size=MOST_DEEDS)

    def one() -> tuple[Done, ...]:
        found = [Done("produce", draw(st.integers(2, 3))), *draw(phase)]
        for stop in stops:
            found += [Done(stop), *draw(phase)]
        return tuple(within(model.scope, found))

    return tuple(one() for _ in range(draw(st.integers(1, MOST_TOPICS))))


class Together:
    """Histories that were driven. Each is done once: Hypothesis asks again while it shrinks."""

    def __init__(self, driver: Driver, model: Model, minutes: float) -> None:
        self.driver, self.model = driver, model
        self.end = time.monotonic() + 60 * minutes
        self.courses: dict[Histories, list[Course]] = {}
        self.shortest: Course | None = None

    def drive(self, asked: Histories) -> None:
        """Raise AssertionError for a difference; do nothing once the time is over."""
        if asked not in self.courses:
            if time.monotonic() > self.end:
                return
            done = sum(map(len, self.courses.values()))
            print(f"after {done} histories, {len(asked)} side by side", flush=True)
            self.courses[asked] = self.driver.courses(self.model, asked)
        for course in self.courses[asked]:
            if course.difference is not None:
                if self.shortest is None or len(course.turns) <= len(self.shortest.turns):
                    self.shortest = course
                raise AssertionError(f"the broker shows {course.difference.broker}")


def driven(together: Together, number: int) -> None:
    """Drive a round of histories, until the time is over or a difference is shrunk."""

    @seed(number)
    @settings(
        max_examples=ROUND,  # the first tenth of them are small
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(histories(together.model))
    def drive(asked: Histories) -> None:
        together.drive(asked)

    try:
        drive()
    except Exception as error:
        if together.shortest is None:
            raise
        print(f"a difference: {str(error).splitlines()[0]}")


def as_dict(course: Course, release: str, model: Model) -> dict[str, Any]:
    """A course as it is kept."""
    return {
        "release": release,
        "outcome": "differs" if course.difference else "agrees",
        "recorded": str(date.today()),
        "records": model.scope.offsets,
        "restarts": model.scope.restarts,
        "fixes": list(model.fixes),
        "turns": [
            turn.as_dict() | {"deed": [turn.done.name, turn.done.number]} for turn in course.turns
        ],
    }


def main() -> None:
    """Drive, and print what was driven and the shortest difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kafka", default=NEWEST)
    parser.add_argument("--keep", type=Path, help="a folder for the courses")
    given = parser.parse_args()
    release = Release(given.kafka)
    model = model_of(RECORDS, RESTARTS, *fixes_of(given.kafka))
    path = class_path(release, storage.folder() / "kafka")
    folder = Path(tempfile.mkdtemp(prefix="tierproof-driven-"))
    with (
        Jvm(path) as jvm,
        started(release, path, jvm, folder / "cluster", settings=BROKER_SETTINGS) as cluster,
    ):
        driver = Driver(cluster)
        driver.measure()
        together = Together(driver, model, given.minutes)
        try:
            for number in count(given.seed):
                if together.shortest or time.monotonic() > together.end:
                    break
                driven(together, number)
        finally:
            _report(together, given, folder)


def _report(together: Together, given: argparse.Namespace, folder: Path) -> None:
    courses = [course for several in together.courses.values() for course in several]
    kept = [as_dict(course, given.kafka, together.model) for course in courses]
    (folder / "courses.json").write_text(json.dumps(kept, indent=1), "utf-8")
    if given.keep and together.shortest:
        file = given.keep / f"seed{given.seed}.json"
        shortest = as_dict(together.shortest, given.kafka, together.model)
        file.write_text(json.dumps(shortest, indent=1) + "\n", "utf-8")
    deeds = Counter(turn.done.name for course in courses for turn in course.turns)
    cut = Counter(course.cut for course in courses if course.cut)
    print(f"{len(courses)} histories, {deeds.total()} deeds: {dict(deeds)}")
    print(f"cut by the scope: {dict(cut)}; courses in {folder}")
    if together.shortest is not None:
        for turn in together.shortest.turns:
            print(f"{turn.done}: {turn.broker}")
        for sight in together.shortest.turns[-1].model:
            print(f"    the model: {sight}")


if __name__ == "__main__":
    main()
