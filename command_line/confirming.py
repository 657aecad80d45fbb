"""Findings played on released brokers: which ones, with which traces, and the committed table."""

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
    as_markdown,
    confirm_all,
)
from tierproof.model.language.errors import closest
from tierproof.model.language.trace import Trace
from tierproof.register import json_file, pages
from tierproof.spark_explorer.compiler import storage
from tierproof.spark_explorer.question import Question

DOCUMENT = pages.REGISTER.parent / "brokers.md"
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
    date = datetime.date.today().isoformat()
    rows = [{k: v for k, v in one.items() if k != "said"} for one in rows]
    kept = json.dumps({"date": date, "results": rows}, indent=1)
    DOCUMENT.with_suffix(".json").write_text(f"{kept}\n", "utf-8")
    DOCUMENT.write_text(as_markdown(rows, date), "utf-8")
    return DOCUMENT


def _kept() -> list[dict[str, Any]]:
    """The rows of the committed table, of findings that are still played."""
    if not DOCUMENT.with_suffix(".json").exists():
        return []
    rows = json_file.read(DOCUMENT.with_suffix(".json"))["results"]
    return [one for one in rows if one["finding"] in {known.finding for known in SCENARIOS}]


def _key(one: Mapping[str, Any]) -> tuple[str, str, bool]:
    return one["release"], one["finding"], one["is_control"]


def _stored(one: Scenario) -> tuple[Trace, str]:
    path = pages.REGISTER / one.design / f"{one.finding}.json"
    if not path.exists():
        raise CannotRun(f"no stored trace of {one.finding}: run this in a clone of the project")
    kept = json_file.read(path)
    design, _ = Question(design=one.design).resolve()
    return pages.stored_trace(design, kept), kept["property"]
