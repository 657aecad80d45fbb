"""Tables as data, and as GitHub Markdown: the summary of a review, the verdicts of a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tierproof.diagrams.runs import Counterexample, PropertyRow, Run

_RIGHT = frozenset({"distinct", "generated", "depth", "seconds", "occurrences", "steps"})


@dataclass(frozen=True)
class Table:
    """Column names and rows of text, all of one length."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def summary_table(runs: Iterable[Run]) -> Table:
    """One row per run: its verdict, whether the ledger agrees, and its size."""
    told = ("design", "scope", "verdict", "ledger")
    columns = (*told, "distinct", "generated", "depth", "seconds", "engine")
    return Table(columns, tuple(_summary(run) for run in runs))


def verdict_table(run: Run) -> Table:
    """One row per property and witness of a run."""
    columns = ("property", "kind", "verdict", "occurrences", "steps", "statement")
    checked = [_verdict(row) for row in run.properties]
    reached = [
        (row.name, "witness", row.word, "", _steps(row.counterexample), row.statement)
        for row in run.witnesses
    ]
    return Table(columns, (*checked, *reached))


def as_markdown(table: Table) -> str:
    """The table in GitHub's Markdown."""
    rule = ["---:" if name in _RIGHT else "---" for name in table.columns]
    rows = [table.columns, tuple(rule), *(tuple(map(_escaped, row)) for row in table.rows)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def design_name(run: Run) -> str:
    """The design of a run with its variants, and the guards that are ablated."""
    variants = "".join(f", variant {name}" for name in run.variants)
    return f"{run.design}{variants}{''.join(f', without {name}' for name in run.without)}"


def ledger_word(run: Run) -> str:
    """Whether the run agrees with the ledger."""
    if run.differences is None:
        return "not in the ledger"
    return "DIFFERS" if run.differences else "as expected"


def duration(seconds: float) -> str:
    """Seconds, rounded for reading."""
    return f"{seconds:.3f}" if seconds < 1 else f"{seconds:,.1f}"


def _summary(run: Run) -> tuple[str, ...]:
    return (
        design_name(run),
        run.scope,
        run.verdict,
        ledger_word(run),
        f"{run.distinct_states:,}",
        f"{run.generated_states:,}",
        f"{run.depth:,}",
        duration(run.seconds),
        run.engine,
    )


def _verdict(row: PropertyRow) -> tuple[str, ...]:
    vacuous = " (vacuous: its premise held in no state)" if row.is_vacuous else ""
    expected = f" (the ledger expects {row.expected})" if row.is_surprising else ""
    steps = _steps(row.counterexample)
    reason = f" ({row.reason})" if row.reason else ""
    limited = ""
    if row.limited_states:
        limited = f" ({row.limited_states:,} states not judged: the scope hides their successors)"
    verdict = f"{row.verdict}{expected}{vacuous}{reason}{limited}"
    return (row.name, row.kind, verdict, f"{row.occurrences:,}", steps, row.statement)


def _steps(counterexample: Counterexample | None) -> str:
    return "" if counterexample is None else str(counterexample.length)


def _escaped(cell: str) -> str:
    return " ".join(cell.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").split())
