"""The review: explore every design, compare with the ledger, report traces and drawings."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from tierproof.command_line.grounds import Grounds, grounds_of
from tierproof.command_line.writing import written_to
from tierproof.model.designs.comparisons import COMPARISONS
from tierproof.model.language.comparisons import Comparison
from tierproof.model.language.design import Design
from tierproof.model.language.errors import closest
from tierproof.register import ledger, traces
from tierproof.register.ablation import matrix as ablating
from tierproof.register.comparison import compare
from tierproof.register.ledger.file import Entry
from tierproof.register.pages import INDEX, write_pages
from tierproof.register.pages.records import Explored
from tierproof.spark_explorer import runs
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.registry import DESIGNS
from tierproof.spark_explorer.results import Result
from tierproof.spark_explorer.watching import Watching

if TYPE_CHECKING:
    from tierproof.diagrams import AblationMatrix, SideBySide


@dataclass(frozen=True, kw_only=True)
class Review:
    """The results of a review. `differences` lists deviations from the ledger by design.

    `comparisons` are those with at least one reviewed design.
    """

    results: tuple[Result, ...]
    expectations: Mapping[str, Mapping[str, Any] | None]
    differences: Mapping[str, list[str]]
    report: Path
    comparisons: tuple[SideBySide, ...] = ()
    ablations: tuple[AblationMatrix, ...] = ()
    grounds: Mapping[str, Grounds] = field(default_factory=dict)
    """Design -> the assumptions that its verdicts rest on."""

    @property
    def is_as_expected(self) -> bool:
        """True if nothing differs from the ledger."""
        return not any(self.differences.values())

    def word_for(self, result: Result) -> str:
        """How a result compares with the ledger, in a word or two."""
        if self.expectations[result.design] is None:
            return "unknown"
        return "DIFFERS" if self.differences[result.design] else "as expected"

    @property
    def told(self) -> list[dict[str, Any]]:
        """The results as plain values, each with what it rests on."""
        grounds = self.grounds
        return [
            {**one.as_dict(), "rests_on": list(grounds.get(one.design, ()))} for one in self.results
        ]

    def as_dict(self) -> dict[str, Any]:
        """The review as plain values."""
        return {
            "as_expected": self.is_as_expected,
            "report": str(self.report),
            "differences": dict(self.differences),
            "results": self.told,
            "comparisons": [one.as_dict() for one in self.comparisons],
            "ablations": [one.as_dict() for one in self.ablations],
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
    tell: Callable[[Result], None] = lambda result: None,
) -> Review:
    """Explore the named designs (all without a name) in `scope` and write the report to `out`.

    `tell` is called with each result as soon as it is available.
    """
    chosen = [name if ":" in name else closest("design", name, DESIGNS) for name in names]
    chosen = chosen or list(DESIGNS)
    questions = [Question(design=name, scope=scope) for name in chosen]
    designs = {one.name: one for one in (question.resolve()[0] for question in questions)}
    ledger.read()  # one that cannot be read is said now, not when all is explored
    results = explored(
        questions,
        engine=engine,
        master=master,
        watched=watched,
        tell=tell,
    )
    if update:
        ledger.record(list(results), designs)
    known = ledger.read()
    expectations = {result.design: ledger.expected(result, known) for result in results}
    differences = {result.design: _differences(result, expectations) for result in results}
    compared = compared_with(results, known, COMPARISONS)
    ablated = ablating.reviewed(designs.values(), watched=watched)
    made = Review(
        results=results,
        expectations=expectations,
        differences=differences,
        report=out / INDEX,
        comparisons=compared,
        ablations=ablated,
        grounds={
            result.design: grounds_of(question)
            for result, question in zip(results, questions, strict=True)
        },
    )
    with written_to(out):
        _write(made, designs, out)
    return made


def explored(
    questions: Sequence[Question],
    *,
    engine: str,
    master: str | None,
    watched: bool,
    tell: Callable[[Result], None],
) -> tuple[Result, ...]:
    """The results of the questions, in their order: in memory in parallel, else one by one."""
    cores = os.cpu_count() or 1
    beside = min(cores, len(questions)) if engine == "memory" else 1
    telling = Lock()
    with Watching(watched) as watching, ThreadPoolExecutor(beside) as pool:

        def run(question: Question) -> Result:
            result = runs.run_beside(
                question, watching, engine=engine, master=master, threads=max(1, cores // beside)
            )
            with telling:
                tell(result)
            return result

        futures = [pool.submit(run, question) for question in questions]
        try:
            return tuple(future.result() for future in futures)
        except BaseException:
            watching.interrupt()
            pool.shutdown(cancel_futures=True)
            raise


def compared_with(
    results: tuple[Result, ...],
    known: Mapping[str, Mapping[str, Entry]],
    comparisons: tuple[Comparison, ...],
) -> tuple[SideBySide, ...]:
    """The comparisons with a reviewed design; results of other designs come from the ledger."""
    reviewed = {result.design for result in results}
    found = [result.as_dict() for result in results]
    made = []
    for comparison in comparisons:
        if reviewed & set(comparison.designs):
            designs = {name: Question(design=name).resolve()[0] for name in comparison.designs}
            stored = {name: traces.of_design(design) for name, design in designs.items()}
            made.append(compare(comparison, designs, known, found, stored))
    return tuple(made)


def _differences(result: Result, expectations: Mapping[str, Any]) -> list[str]:
    entry = expectations[result.design]
    if entry is None:
        return [f"the ledger has no scope {result.scope!r}: record it with --update-ledger"]
    return ledger.differences(result, entry)


def _write(made: Review, designs: Mapping[str, Design], out: Path) -> None:
    """The pages, the evidence behind them, drawings, and results as JSON."""
    from tierproof import diagrams

    out.mkdir(parents=True, exist_ok=True)
    found = made.told
    _write_json(out / "results.json", found)
    if made.comparisons:
        _write_json(out / "comparison.json", [one.as_dict() for one in made.comparisons])
        pages = [diagrams.comparison_as_markdown(one) for one in made.comparisons]
        (out / "comparison.md").write_text("\n".join(pages), encoding="utf-8")
    if made.ablations:
        _write_json(out / "ablations.json", [one.as_dict() for one in made.ablations])
    for one in made.ablations:
        (out / one.design).mkdir(exist_ok=True)
        picture = out / one.design / "ablation.svg"
        picture.write_text(diagrams.ablation_as_svg(one), encoding="utf-8")
    for result in found:
        folder = out / result["design"]
        diagrams.draw_design(designs[result["design"]], folder)
        for entry in result["properties"]:
            if entry["trace"] is not None:
                diagrams.draw_trace(entry["trace"], folder, entry["name"], entry)
    diagrams.write_report(
        found, designs, out, made.expectations, _facts(), made.comparisons, made.ablations
    )
    explored = [
        Explored(
            design=one.design,
            scope=one.scope,
            verdict=str(one.verdict),
            states=one.distinct_states,
            seconds=one.seconds,
            word=made.word_for(one),
        )
        for one in made.results
    ]
    write_pages(designs.values(), out, explored, _facts())


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")


def _facts() -> dict[str, str]:
    packages = ("tierproof", "pyspark", "numba", "numpy")
    return {name: version(name) for name in packages} | {"python": platform.python_version()}
