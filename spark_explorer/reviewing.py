"""The review: every design explored, held against the ledger, reported with traces and drawings."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from model.designs import DESIGNS
from model.language.design import Design
from model.language.errors import closest
from spark_explorer import ledger, running
from spark_explorer.question import Question
from spark_explorer.results import Result


@dataclass(frozen=True, kw_only=True)
class Review:
    """What a review found. `differences` holds, by design, what the ledger did not expect."""

    results: tuple[Result, ...]
    expectations: Mapping[str, Mapping[str, Any] | None]
    differences: Mapping[str, list[str]]
    report: Path

    @property
    def is_as_expected(self) -> bool:
        """True if nothing differs from the ledger."""
        return not any(self.differences.values())

    def word_for(self, result: Result) -> str:
        """How a result compares with the ledger, in a word or two."""
        if self.expectations[result.design] is None:
            return "unknown"
        return "DIFFERS" if self.differences[result.design] else "as expected"

    def as_dict(self) -> dict[str, Any]:
        """The review as plain values."""
        return {
            "as_expected": self.is_as_expected,
            "report": str(self.report),
            "differences": dict(self.differences),
            "results": [result.as_dict() for result in self.results],
        }


def review(
    *,
    scope: str,
    names: tuple[str, ...],
    engine: str,
    master: str | None,
    out: Path,
    update: bool,
    watched: bool,
) -> Review:
    """Explore the named designs (all without a name) in `scope` and write the report to `out`."""
    chosen = [closest("design", name, DESIGNS) for name in names] or list(DESIGNS)
    questions = [Question(design=name, scope=scope) for name in chosen]
    results = tuple(
        running.run(question, engine=engine, master=master, watched=watched)
        for question in questions
    )
    if update:
        ledger.record(list(results))
    known = ledger.read()
    expectations = {result.design: ledger.expected(result, known) for result in results}
    differences = {result.design: _differences(result, expectations) for result in results}
    designs = {question.design: question.resolve()[0] for question in questions}
    report = _write(results, designs, expectations, out)
    return Review(
        results=results, expectations=expectations, differences=differences, report=report
    )


def _differences(result: Result, expectations: Mapping[str, Any]) -> list[str]:
    entry = expectations[result.design]
    if entry is None:
        return [f"the ledger has no scope {result.scope!r}: record it with --update-ledger"]
    return ledger.differences(result, entry)


def _write(
    results: tuple[Result, ...],
    designs: Mapping[str, Design],
    expectations: Mapping[str, Any],
    out: Path,
) -> Path:
    import diagrams

    out.mkdir(parents=True, exist_ok=True)
    found = [result.as_dict() for result in results]
    (out / "results.json").write_text(json.dumps(found, indent=2) + "\n")
    for result in found:
        folder = out / result["design"]
        diagrams.draw_design(designs[result["design"]], folder)
        for entry in result["properties"]:
            if entry["trace"] is not None:
                diagrams.draw_trace(entry["trace"], folder, entry["name"], entry)
    return diagrams.write_report(found, designs, out, expectations, _facts())


def _facts() -> dict[str, str]:
    packages = ("tierproof", "pyspark", "numba", "numpy")
    return {name: version(name) for name in packages} | {"python": platform.python_version()}
