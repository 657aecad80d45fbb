"""The result of mutation testing in the terminal: survivors as diffs, and a score a module."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.table import Table

from tierproof.command_line import console
from tierproof.spark_explorer.mutation.fates import Fate, Outcome

if TYPE_CHECKING:
    from tierproof.model.language.mutation import Mutant
    from tierproof.spark_explorer.mutation.testing import MutationRun, Score

READING = (
    "killed: something notices it; survived: its graph differs, and nothing notices; cut: a limit "
    "ended its search; equivalent: the same graph in the scopes searched; not run: no step there "
    "runs it. score: killed of all that differ or may differ, in percent."
)
MOST_STEPS = 12
"""Steps of a way that are shown."""


def show_start(testing: MutationRun, file: Path) -> None:
    """What is going to be done."""
    known = f", {testing.reused:,} of them known from {file}" if testing.reused else ""
    is_part = testing.request.sample is not None
    of = f" (a sample of {testing.of:,}, seed {testing.request.seed})" if is_part else ""
    typer.echo(
        f"{testing.design.name}: {len(testing.mutants):,} mutants{of} in "
        f"{', '.join(testing.scopes)}{known}",
        err=True,
    )


def line_of(mutant: Mutant, fate: Fate) -> str:
    """A mutant in a line as soon as it is judged, if somebody may have to look at it."""
    if fate.outcome not in (Outcome.SURVIVED, Outcome.INCOMPLETE):
        return ""
    return f"{mutant.where} {mutant.place.name}: {mutant.operator}: {fate.in_words}"


def show(testing: MutationRun) -> None:
    """Survivors, what was cut, and the scores."""
    for mutant, fate in testing.survivors:
        _show_survivor(mutant, fate)
    cut = [one for one in testing.found if one[1].outcome is Outcome.INCOMPLETE]
    if cut:
        typer.echo("INCOMPLETE, neither killed nor the same:")
    for mutant, fate in cut:
        typer.echo(f"{mutant.where} {mutant.place.name}: {mutant.operator}: {fate.why}")
        typer.echo(_changed(mutant))
    if cut:
        typer.echo()
    _show_scores(testing)
    left = len(testing.mutants) - len(testing.fates)
    if left:
        typer.echo(f"INCOMPLETE: {left:,} of {len(testing.mutants):,} mutants were not judged")


def _show_survivor(mutant: Mutant, fate: Fate) -> None:
    typer.echo(mutant.diff)
    typer.echo(f"survived in {fate.scope} ({fate.states:,} states)")
    for number, step in list(enumerate(fate.way, 1))[-MOST_STEPS:]:
        typer.echo(f"  {number:>3}. {step}")
    typer.echo("  there:" if fate.way else "  in the initial state:")
    for line in fate.differs:
        typer.echo(f"       {line}")
    typer.echo()


def _changed(mutant: Mutant) -> str:
    return "\n".join(mutant.diff.split("\n")[3:])


def _show_scores(testing: MutationRun) -> None:
    out = console.terminal()
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("module", no_wrap=True)
    for column in ("score", "killed", "survived", "cut", "equivalent", "not run", "refused"):
        table.add_column(column, justify="right", no_wrap=True)
    for module, score in testing.scores.items():
        table.add_row(module, *_cells(score))
    table.add_row("all", *_cells(testing.score), style="bold")
    out.width = max(out.width, console.needed(out, table))
    out.print(table, soft_wrap=True)
    out.print(f"\nscopes: {', '.join(testing.scopes)}", highlight=False)
    out.print(READING, highlight=False, style="dim")


def _cells(score: Score) -> list[str]:
    percent = "-" if score.percent is None else f"{score.percent:g} %"
    counts = (
        score.killed,
        score.survived,
        score.incomplete,
        score.equivalent,
        score.not_covered,
        score.refused,
    )
    return [percent, *(f"{count:,}" if count else "" for count in counts)]
