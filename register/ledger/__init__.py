"""The ledger: the expected results of each committed scope of each design.

It is a folder beside the designs with one file per design and one line per scope (`ledger_file`
describes a line). `tierproof review --update-ledger` writes new results into it; the commit that
changes a count explains why.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tierproof.model.language.design import Design
from tierproof.model.language.trace import Trace
from tierproof.register import json_file
from tierproof.register.json_file import Unreadable
from tierproof.register.ledger import file as ledger_file
from tierproof.register.ledger.file import Entry
from tierproof.spark_explorer.results import PropertyResult, Result, Verdict

FOLDER = Path(__file__).parent


def read(folder: Path = FOLDER) -> dict[str, dict[str, Entry]]:
    """Design -> scope -> entry; empty if there is no ledger. Raises Unreadable."""
    return {path.stem: _entries(path) for path in sorted(folder.glob("*.json"))}


def _entries(path: Path) -> dict[str, Entry]:
    try:
        return ledger_file.entries_in(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise Unreadable(path, error) from None


def entry_of(result: Result) -> Entry:
    """The ledger entry of a result."""
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
    """The counterexamples that are known to be shortest; a lasso is not."""
    for entry in result.properties:
        trace = entry.trace if entry.verdict is Verdict.VIOLATED else None
        if trace is not None and trace.cycle_start is None:
            yield entry, trace


def expected(result: Result, ledger: Mapping[str, Mapping[str, Entry]]) -> Entry | None:
    """The entry for the design and scope of `result`, if there is one."""
    return ledger.get(result.design, {}).get(result.scope)


def differences(result: Result, entry: Entry) -> list[str]:
    """A sentence for each difference between the result and the entry.

    An entry may leave out liveness that is too large to judge; a run that could not judge it
    either is as expected.
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


def record(results: list[Result], designs: Mapping[str, Design], folder: Path = FOLDER) -> None:
    """Write complete results of these designs into the ledger, stably.

    Scopes and properties come in the order in which the design declares them; other scopes
    keep their lines. Raises ValueError for a result that is not complete.
    """
    for result in results:
        _refuse_incomplete(result)
    known = read(folder)
    for name in dict.fromkeys(result.design for result in results):
        found = {one.scope: entry_of(one) for one in results if one.design == name}
        text = ledger_file.text_of({**known.get(name, {}), **found}, designs[name])
        json_file.write(folder / f"{name}.json", text)


def _refuse_incomplete(result: Result) -> None:
    if result.cut:
        raise ValueError(f"{result.design} in {result.scope} was cut: {result.cut}")
    for entry in result.properties:
        if entry.verdict is Verdict.INCOMPLETE:
            raise ValueError(
                f"{result.design} in {result.scope}: {entry.name} is INCOMPLETE, as {entry.reason}"
            )


def _text(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
