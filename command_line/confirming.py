"""Findings played on released brokers: which ones, on which releases, and what came of it."""

from __future__ import annotations

import contextlib
import datetime
import json
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty, Queue

from tierproof.command_line import findings as register
from tierproof.conformance.brokers import running
from tierproof.conformance.brokers.confirming import Bench, Confirmation, confirm
from tierproof.conformance.brokers.errors import CannotRun
from tierproof.conformance.brokers.jvm import Jvm
from tierproof.conformance.brokers.releases import Release, class_path
from tierproof.conformance.brokers.scenarios import NOT_EXPRESSIBLE, SCENARIOS, Scenario
from tierproof.conformance.brokers.table import as_markdown
from tierproof.model.language.errors import closest
from tierproof.model.language.trace import Trace
from tierproof.spark_explorer.compiler import storage
from tierproof.spark_explorer.question import Question

AT_ONCE = 3
"""Releases that are run side by side; most of the time brokers wait."""

Tell = Callable[[str], None]

DOCUMENT = register.REGISTER.parent / "brokers.md"
"""The committed table; beside it the same as JSON. An installed package has none."""


def chosen(names: Sequence[str]) -> list[Scenario]:
    """The scenarios of these findings, or all. Raises CannotRun for one that cannot be played."""
    if not names:
        return list(SCENARIOS)
    known = {one.finding: one for one in SCENARIOS}
    whys = {name: why for told in NOT_EXPRESSIBLE.values() for name, why in told.items()}
    for name in names:
        closest("finding", name, {*known, *whys})
        if name in whys:
            raise CannotRun(f"{name} is NOT EXPRESSIBLE: it {whys[name]}")
    return [known[name] for name in dict.fromkeys(names)]


def confirmed(
    names: Sequence[str],
    versions: Sequence[str],
    folder: Path,
    *,
    controls: bool = True,
    tell: Tell = lambda line: None,
) -> Generator[Confirmation]:
    """Play findings, each with its control, on releases side by side: results as they come.

    Brokers keep their logs in `folder`. Raises CannotRun. When it is interrupted, all brokers
    are ended.
    """
    scenarios = chosen(names)
    releases = [Release(version) for version in dict.fromkeys(versions)]
    plays = [(one, *_stored(one)) for one in scenarios]
    results: Queue[Confirmation | Exception | None] = Queue()
    running.begin()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        try:
            for release in releases:
                pool.submit(_fill, results, release, plays, folder, controls, tell)
            yield from _until_all_end(results, len(releases))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            running.end_all()


def update(results: Sequence[Confirmation]) -> Path:
    """Write the table findings x releases, with today's date. Returns its path."""
    told = [one.as_dict() for one in results]
    date = datetime.date.today().isoformat()
    kept = {
        "date": date,
        "results": [{k: v for k, v in one.items() if k != "said"} for one in told],
    }
    DOCUMENT.with_suffix(".json").write_text(f"{json.dumps(kept, indent=1)}\n", "utf-8")
    DOCUMENT.write_text(as_markdown(told, date), "utf-8")
    return DOCUMENT


def _until_all_end(
    results: Queue[Confirmation | Exception | None], count: int
) -> Iterator[Confirmation]:
    while count:
        with contextlib.suppress(Empty):  # with a time limit, Ctrl-C is heard
            one = results.get(timeout=0.5)
            if isinstance(one, Exception):
                raise one
            if one is None:
                count -= 1
            else:
                yield one


def _fill(
    results: Queue[Confirmation | Exception | None],
    release: Release,
    plays: Sequence[tuple[Scenario, Trace, str]],
    folder: Path,
    controls: bool,
    tell: Tell,
) -> None:
    """Play all on one release; a result, or what went wrong, into the queue, and None last."""
    try:
        tell(f"{release.version}: resolving jars")
        path = class_path(release, storage.folder() / "kafka")
        with Jvm(path) as jvm:
            bench = Bench(release, path, jvm, folder)
            for scenario, trace, claim in plays:
                for is_control in (False, True) if controls else (False,):
                    found = confirm(scenario, trace, claim, bench, is_control=is_control, tell=tell)
                    results.put(found)
    except Exception as error:
        results.put(error)
    finally:
        results.put(None)


def _stored(one: Scenario) -> tuple[Trace, str]:
    path = register.REGISTER / one.design / f"{one.finding}.json"
    if not path.exists():
        raise CannotRun(f"no stored trace of {one.finding}: run this in a clone of the project")
    kept = json.loads(path.read_text("utf-8"))
    design, _ = Question(design=one.design).resolve()
    return register.stored_trace(design, kept), kept["property"]
