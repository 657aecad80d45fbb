"""The ledger: what each committed scope of each design is expected to give.

A committed JSON file beside the designs; `tierproof review --update-ledger` writes what
was found into it, and a changed count is explained in the commit that changes it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tierproof.model import designs
from tierproof.model.language.trace import Trace
from tierproof.spark_explorer.results import PropertyResult, Result, Verdict

PATH = Path(designs.__file__).parent / "ledger.json"

Entry = Mapping[str, Any]


def read(path: Path = PATH) -> dict[str, dict[str, Entry]]:
    """Design -> scope -> entry; empty where no ledger is."""
    if not path.exists():
        return {}
    found: dict[str, dict[str, Entry]] = json.loads(path.read_text())
    return found


def entry_of(result: Result) -> Entry:
    """What the ledger holds of a result."""
    return {
        "bounds": dict(result.bounds),
        "distinct_states": result.distinct_states,
        "generated_states": result.generated_states,
        "depth": result.depth,
        "verdict": str(result.verdict),
        "properties": {entry.name: str(entry.verdict) for entry in result.properties},
        "steps": {entry.name: len(trace) for entry, trace in _shortest(result)},
        "witnesses": {entry.name: entry.reached for entry in result.witnesses},
    }


def _shortest(result: Result) -> Iterator[tuple[PropertyResult, Trace]]:
    """The counterexamples that are shortest ones, which a lasso need not be."""
    for entry in result.properties:
        trace = entry.trace if entry.verdict is Verdict.VIOLATED else None
        if trace is not None and trace.cycle_start is None:
            yield entry, trace


def expected(result: Result, ledger: Mapping[str, Mapping[str, Entry]]) -> Entry | None:
    """The entry for the design and scope of `result`, if there is one."""
    return ledger.get(result.design, {}).get(result.scope)


def differences(result: Result, entry: Entry) -> list[str]:
    """A sentence for everything in which the result is not what the entry expects.

    An entry may leave liveness out, where it is too much to judge; a run that could not
    judge it either is as expected.
    """
    found = entry_of(result)
    different = []
    for name, value in entry.items():
        if isinstance(value, Mapping):
            for key in {**value, **found[name]}:
                old, new = value.get(key), found[name].get(key)
                if old != new and (old, new) != (None, Verdict.INCOMPLETE):
                    different.append(f"{name} {key}: expected {_text(old)}, found {_text(new)}")
        elif value != found[name]:
            different.append(f"{name}: expected {_text(value)}, found {_text(found[name])}")
    return different


def record(results: list[Result], path: Path = PATH) -> None:
    """Write complete results into the ledger. Raises ValueError for one that is not complete."""
    ledger = read(path)
    for result in results:
        if result.cut:
            raise ValueError(f"{result.design} in {result.scope} was cut: {result.cut}")
        for entry in result.properties:
            if entry.verdict is Verdict.INCOMPLETE:
                raise ValueError(
                    f"{result.design} in {result.scope}: {entry.name} is INCOMPLETE, "
                    f"as {entry.reason}"
                )
        ledger.setdefault(result.design, {})[result.scope] = entry_of(result)
    path.write_text(json.dumps(ledger, indent=2) + "\n")


def _text(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
