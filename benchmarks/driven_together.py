"""Model and broker driven together: Hypothesis draws histories, released brokers do them.

What the brokers show after each action must be among what the model lets be seen; a history after
which it is not is shrunk to a shortest one. Run it as

    python -m benchmarks.driven_together --minutes 10 --seed 1 --kafka 4.3.1 --kafka 4.4.0

and with `--brokers 2` for followers and elections; `--as 4.4.0` asks the model of that release
whatever is run. Ctrl-C ends all brokers; what was driven until then is kept.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.drawn_histories import draw
from tierproof.conformance.brokers.cluster import started
from tierproof.conformance.brokers.driven_design import variants_of
from tierproof.conformance.brokers.driven_runs import DrivenRun
from tierproof.conformance.brokers.driving import Driver, broker_settings
from tierproof.conformance.brokers.errors import NotSeen
from tierproof.conformance.brokers.fitting import History
from tierproof.conformance.brokers.histories import Model, model_of
from tierproof.conformance.brokers.jvm import Jvm
from tierproof.conformance.brokers.releases import NEWEST, Release, class_path
from tierproof.conformance.brokers.shrinking import shrunk
from tierproof.spark_explorer.compiler import storage

BOUNDS = {
    1: {"records": 4, "restarts": 2},
    2: {"records": 3, "restarts": 2, "brokers": 2, "elections": 2},
}
"""Brokers -> what the model has room for."""

ROUND, MOST_SHRUNK, MOST_TRIES = 20, 2, 40


class Together:
    """What was driven on a cluster, the shortest differences, and those that were seen once."""

    def __init__(self, driver: Driver, model: Model, minutes: float) -> None:
        self.driver, self.model = driver, model
        self.begun = time.monotonic()
        self.end = self.begun + 60 * minutes
        self.runs: list[DrivenRun] = []
        self.shortest: list[DrivenRun] = []
        self.seen_once: list[DrivenRun] = []

    @property
    def is_over(self) -> bool:
        """Whether no time is left."""
        return time.monotonic() > self.end

    def drive(self, asked: Sequence[History]) -> None:
        """Do histories, unless the time is over, and shrink the first that differs."""
        if self.is_over:
            return
        minutes = (time.monotonic() - self.begun) / 60
        print(f"{minutes:.1f} min, {len(self.runs)} histories; {len(asked)} more", flush=True)
        found = self._done(asked)
        differing = [run for run in found if run.difference]
        if differing and len(self.shortest) + len(self.seen_once) < MOST_SHRUNK:
            self._shrink(min(differing, key=lambda run: len(run.turns)))

    def _done(self, asked: Sequence[History]) -> list[DrivenRun]:
        found = self.driver.runs(self.model, asked)
        self.runs += found
        return found

    def _shrink(self, first: DrivenRun) -> None:
        """Shrink a difference that is seen again: as far as MOST_TRIES and the time allow."""
        print(f"  {first.topic} differs: it is done again, then shorter ones", flush=True)
        if not self._done([first.done])[0].difference:
            self.seen_once.append(first)
            return
        differing = {first.done: first}

        def differ(shorter: Sequence[History]) -> list[History]:
            if self.is_over:
                return []
            differing.update({one.done: one for one in self._done(shorter) if one.difference})
            return [one for one in differing if one in {done[: len(one)] for done in shorter}]

        found = shrunk(first.done, differ, self.model.scope, most=MOST_TRIES)
        self.shortest.append(differing[found])


def main() -> None:
    """Drive each release, and print what was driven and the shortest differences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="for each release")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kafka", action="append", help="a release; may be repeated")
    parser.add_argument("--brokers", type=int, choices=sorted(BOUNDS), default=1)
    parser.add_argument("--as", dest="as_release", help="ask the model of this release")
    parser.add_argument("--keep", type=Path, help="a folder for the runs")
    given = parser.parse_args()
    with suppress(KeyboardInterrupt):
        for version in given.kafka or [NEWEST]:
            _drive(version, given)


def _drive(version: str, given: argparse.Namespace) -> None:
    release = Release(version)
    model = model_of(BOUNDS[given.brokers], *variants_of(given.as_release or version))
    path = class_path(release, storage.folder() / "kafka")
    folder = Path(tempfile.mkdtemp(prefix="tierproof-driven-"))
    settings = broker_settings(given.brokers)
    with (
        Jvm(path) as jvm,
        started(
            release, path, jvm, folder / "cluster", brokers=given.brokers, settings=settings
        ) as cluster,
    ):
        driver = Driver(cluster, lambda line: print(line, flush=True))
        driver.measure()
        together = Together(driver, model, given.minutes)
        try:
            for number in count(given.seed):
                if together.is_over:
                    break
                draw(model.scope, number, ROUND, together.drive)
        except NotSeen as error:
            print(f"the brokers do not answer: {error}; logs are in {folder}")
        finally:
            _report(together, version, given.keep or folder, given.seed)


def _report(together: Together, version: str, folder: Path, number: int) -> None:
    runs, model = together.runs, together.model
    kept = [run.as_dict(version, str(date.today())) for run in runs if run.turns]
    name = f"{version}-{model.scope.brokers}-{number}.json"
    (folder / name).write_text(as_text(kept), "utf-8")
    actions = Counter(turn.done.name for run in runs for turn in run.turns)
    cut = Counter(run.cut for run in runs if run.cut)
    minutes = (time.monotonic() - together.begun) / 60
    print(f"{version}: {len(runs)} histories, {actions.total()} actions in {minutes:.1f} min")
    print(f"  {dict(actions)}; cut by the scope: {dict(cut)}; kept in {folder / name}")
    print(f"  {sum(bool(run.difference) for run in runs)} differ")
    for run in [*together.seen_once, *together.shortest]:
        print(f"  {'not seen again:' if run in together.seen_once else 'shortest:'}")
        for turn in run.turns:
            print(f"  {turn.done}: {turn.broker}")
        for observation in run.turns[-1].model:
            print(f"      the model: {observation}")


def as_text(runs: Sequence[dict[str, Any]]) -> str:
    """Runs as they are kept: a line for each."""
    return "[\n" + ",\n".join(json.dumps(one, separators=(",", ":")) for one in runs) + "\n]\n"


if __name__ == "__main__":
    main()
