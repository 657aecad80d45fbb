"""Findings played on several releases side by side, a thread for each."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from queue import Empty, Queue

from tierproof.conformance.brokers import running
from tierproof.conformance.brokers.confirming import Bench, Confirmation, Outcome, confirm
from tierproof.conformance.brokers.jvm import Jvm
from tierproof.conformance.brokers.releases import Release, class_path
from tierproof.conformance.brokers.scenarios import Scenario
from tierproof.model.language.trace import Trace

AT_ONCE = 3
"""Releases that are run side by side; most of the time brokers wait."""

MOST_TRIES = 3
"""So often is a finding played that brokers do not show; the result says at which try they did."""

Playing = tuple[Scenario, Trace, str]
"""A scenario, its trace, and the property that the trace breaks."""

Tell = Callable[[str], None]


def confirm_all(
    plays: Sequence[Playing],
    versions: Sequence[str],
    folder: Path,
    jars: Path,
    *,
    controls: bool = True,
    tell: Tell = lambda line: None,
) -> Generator[Confirmation]:
    """Play findings, each with its control, on releases: results as they come.

    Brokers keep their logs in `folder`; `jars` keeps class paths. Raises CannotRun, once the
    other releases are done. When it is interrupted or closed, all brokers are ended.
    """
    releases = [Release(version) for version in dict.fromkeys(versions)]
    results: Queue[Confirmation | Exception | None] = Queue()
    running.begin()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        try:
            for release in releases:
                pool.submit(_fill, results, release, plays, folder, jars, controls, tell)
            yield from _until_all_end(results, len(releases))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            running.end_all()


def _until_all_end(
    results: Queue[Confirmation | Exception | None], count: int
) -> Iterator[Confirmation]:
    errors = []
    while count:
        with contextlib.suppress(Empty):  # with a time limit, Ctrl-C is heard
            one = results.get(timeout=0.5)
            if isinstance(one, Exception):
                errors.append(one)
            elif one is None:
                count -= 1
            else:
                yield one
    for error in errors:
        raise error


def _tried(play: Callable[[], Confirmation]) -> Confirmation:
    """Play until something is shown, MOST_TRIES times: some steps brokers take at random."""
    missed: list[str] = []
    for number in range(1, MOST_TRIES + 1):
        found = play()
        found.tries, found.missed = number, missed
        if found.outcome not in (Outcome.NOT_REPRODUCED, Outcome.INCOMPLETE):
            break
        missed.append(found.why or "played to its end, and nothing was there")
    return found


def _fill(
    results: Queue[Confirmation | Exception | None],
    release: Release,
    plays: Sequence[Playing],
    folder: Path,
    jars: Path,
    controls: bool,
    tell: Tell,
) -> None:
    """Play all on one release; a result, or what went wrong, into the queue, and None last."""
    try:
        tell(f"{release.version}: resolving jars")
        path = class_path(release, jars)
        with Jvm(path) as jvm:
            bench = Bench(release, path, jvm, folder)
            for scenario, trace, claim in plays:
                for is_control in (False, True) if controls else (False,):
                    playing = partial(confirm, scenario, trace, claim, bench)
                    results.put(_tried(partial(playing, is_control=is_control, tell=tell)))
    except Exception as error:
        results.put(error)
    finally:
        results.put(None)
