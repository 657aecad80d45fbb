"""Findings played on released brokers: which ones, with which traces, and what is kept of it."""

from __future__ import annotations

import datetime
import json
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tierproof.conformance.brokers import (
    NOT_EXPRESSIBLE,
    SCENARIOS,
    CannotRun,
    Confirmation,
    Scenario,
    confirm_all,
)
from tierproof.model.language.errors import closest
from tierproof.model.language.trace import Trace
from tierproof.register import evidence, json_file, traces
from tierproof.spark_explorer.compiler import storage
from tierproof.spark_explorer.question import Question


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


def jars() -> Path:
    """Where the class paths of releases are kept."""
    return storage.folder() / "kafka"


def confirmed(
    names: Sequence[str], versions: Sequence[str], folder: Path, **options: Any
) -> Generator[Confirmation]:
    """Play the stored traces of findings on releases, as `confirm_all` does. Raises CannotRun."""
    plays = [(one, *_stored(one)) for one in chosen(names)]
    yield from confirm_all(plays, versions, folder, jars(), **options)


def update(results: Sequence[Confirmation]) -> Path:
    """Renew these rows of the table findings x releases, with today's date; returns its path.

    A row of which nothing could be seen this time stays as it is.
    """
    known = {_key(one): one for one in _kept()}
    known |= {_key(one): one for one in (result.as_dict() for result in results) if one["seen"]}
    order = [one.finding for one in SCENARIOS]
    rows = sorted(known.values(), key=lambda one: (order.index(one["finding"]), *_key(one)))
    rows = [{k: v for k, v in one.items() if k != "said"} for one in rows]
    found = {"date": datetime.date.today().isoformat(), "results": rows}
    json_file.write(evidence.BROKERS, f"{json.dumps(found, indent=1)}\n")
    return evidence.BROKERS


def _kept() -> list[dict[str, Any]]:
    """The rows of the kept table, of findings that are still played."""
    if not evidence.BROKERS.exists():
        return []
    rows = json_file.read(evidence.BROKERS)["results"]
    return [one for one in rows if one["finding"] in {known.finding for known in SCENARIOS}]


def _key(one: Mapping[str, Any]) -> tuple[str, str, bool]:
    return one["release"], one["finding"], one["is_control"]


def _stored(one: Scenario) -> tuple[Trace, str]:
    design, _ = Question(design=one.design).resolve()
    kept = traces.kept_of(design, one.finding)
    if kept is None:
        raise CannotRun(f"no trace of {one.finding} is kept: tierproof findings {one.design}")
    return kept.trace(design), kept.claim
