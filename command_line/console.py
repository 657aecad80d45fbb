"""Terminal output of designs, of a review and of conformance; the terminal itself."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from tierproof.command_line.grounds import grounds_lines
from tierproof.spark_explorer.results import Result, Verdict

if TYPE_CHECKING:
    from tierproof.command_line.reviewing import Review
    from tierproof.conformance import FileResult
    from tierproof.diagrams import Cell, SideBySide

STYLES = {
    Verdict.HOLDS: "green",
    Verdict.VIOLATED: "bold red",
    Verdict.INCOMPLETE: "yellow",
}


MOST_UNREAD = 20
"""How many unreadable rows of a file are named."""

WIDE = 150
"""The width of output that is not a terminal: a file, or a log of CI."""


def terminal() -> Console:
    """Standard output, as wide as the window; without a window, wide enough for tables."""
    console = Console()
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = WIDE
    return console


def show_designs(designs: Sequence[Mapping[str, Any]]) -> None:
    """The registered designs, one line per scope."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("design", "scope", "bounds", "verdict", "distinct states"):
        table.add_column(column, justify="right" if column == "distinct states" else "left")
    for design in designs:
        name = design["name"]
        for scope, known in design["scopes"].items():
            count = known["distinct_states"]
            table.add_row(
                name,
                scope,
                bounds_as_text({bound: value for bound, value in known["bounds"].items() if value}),
                known["verdict"] or "not in the ledger",
                "" if count is None else f"{count:,}",
            )
            name = ""
    console = terminal()
    for design in designs:
        console.print(f"[bold]{design['name']}[/bold]  {design['title']}  ({design['document']})")
    console.print()
    console.print(table)


def show_design(design: Mapping[str, Any]) -> None:
    """One design in full."""
    console = terminal()
    console.print(f"[bold]{design['name']}[/bold]  {design['title']}")
    console.print(design["document"])
    _section(
        console, "scopes", {n: bounds_as_text(s["bounds"]) for n, s in design["scopes"].items()}
    )
    limits = {n: f"{b['low']} to {b['high']} {b['unit']}" for n, b in design["bounds"].items()}
    _section(console, "bounds", limits)
    fences = {name: _fence(one) for name, one in design["fences"].items()}
    told = {**design, "fences": fences}
    for part, title in PARTS.items():
        _section(console, title, told[part])


PARTS = {
    "variants": "variants",
    "lost_variants": "variants of its base that do not apply",
    "system": "system",
    "environment": "environment",
    "fences": "fences",
    "guards": "guards",
    "properties": "properties",
    "redefined": "helpers of properties that are redefined",
    "witnesses": "witnesses",
}


def _fence(one: Mapping[str, Any]) -> str:
    if one["protects"]:
        return f"{one['says']} Protects {', '.join(one['protects'])} (scope {one['scope']})."
    return f"{one['says']} Stays: {one['stays']}"


def _section(console: Console, title: str, entries: Mapping[str, str]) -> None:
    if not entries:
        return
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 2))
    table.add_column(no_wrap=True, min_width=max(map(len, entries)))
    table.add_column()
    for name, text in entries.items():
        table.add_row(Text(name, style="cyan"), Text(text))
    console.print(f"\n[bold]{title}[/bold]")
    console.print(table)


def show_reviewed(result: Result) -> None:
    """Print what was explored of one design of a review, in a line."""
    console = terminal()
    console.print(f"\n[bold]{result.title}[/bold]", soft_wrap=True)
    broken = sum(entry.verdict is Verdict.VIOLATED for entry in result.properties)
    told = Text(f"{result.verdict} {broken}/{len(result.properties)}", STYLES[result.verdict])
    counts = f" in scope {result.scope}, {result.distinct_states:,} distinct states"
    console.print(told + counts, highlight=False, soft_wrap=True)


def show_review(review: Review) -> None:
    """Print the table of designs, the differences from the ledger, and the report's path."""
    console = terminal()
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    for column in ("design", "scope", "verdict", "ledger"):
        table.add_column(column, no_wrap=True)
    for column in ("distinct", "generated", "depth", "seconds"):
        table.add_column(column, justify="right", no_wrap=True)
    for result in review.results:
        broken = sum(entry.verdict is Verdict.VIOLATED for entry in result.properties)
        table.add_row(
            result.design,
            result.scope,
            Text(f"{result.verdict} {broken}/{len(result.properties)}", STYLES[result.verdict]),
            review.word_for(result),
            f"{result.distinct_states:,}",
            f"{result.generated_states:,}",
            str(result.depth),
            f"{result.seconds:.1f}",
        )
    for comparison in review.comparisons:
        _show_comparison(console, comparison)
    console.print()
    console.width = max(console.width, needed(console, table))
    console.print(table, soft_wrap=True)
    for result in review.results:
        lines = grounds_lines(
            result.design, review.grounds.get(result.design, ()), result.zero_budgets
        )
        if lines:
            told = f"{result.design} {'; '.join(lines)}"
            console.print(told, style="dim", highlight=False, soft_wrap=True)
    for name, sentences in review.differences.items():
        for sentence in sentences:
            console.print(
                f"[bold red]not as expected[/bold red] {name}: {sentence}", highlight=False
            )
    console.print(f"\nreport: {review.report}", highlight=False)
    console.print(f"traces and drawings: below {review.report.parent}", highlight=False)


def _show_comparison(console: Console, it: SideBySide) -> None:
    """A row for each property that some design violates, and one line for all other properties."""
    from tierproof import diagrams

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("property", no_wrap=True)
    for column in it.columns:
        table.add_column(column.design + ("" if column.reviewed else f"\n({column.origin})"))
    for row in it.rows:
        if row.is_violated:
            table.add_row(row.name, *(_cell(diagrams.cell_word(one), one) for one in row.cells))
    kept = sum(not row.is_violated for row in it.rows)
    console.print(f"\n[bold]{it.title}[/bold]")
    if needed(console, table) > console.width:
        console.print("The table is wider than this window: comparison.md has it.")
        return
    console.print(table)
    console.print(
        "✗ fewest steps known, and their scope; ✓ scopes searched to the end; – not stated. "
        f"No design is known to violate the {kept} other properties.",
        style="dim",
        highlight=False,
    )
    if it.guards:
        console.print(_guards(it))


def needed(console: Console, table: Table) -> int:
    """The columns that a table takes if nothing in it is cut or wrapped."""
    options = console.options.update(width=1000, max_width=1000)
    return Measurement.get(console, options, table).maximum


def _guards(it: SideBySide) -> Table:
    """How many violations of each design each guard would prevent."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("guard, and how many of the violations it is needed against", ratio=1)
    for column in it.columns:
        table.add_column(column.design, justify="right")
    for row in it.guards:
        table.add_row(row.guard, *(str(len(names)) if names else "–" for names in row.prevents))
    return table


def _cell(words: str, cell: Cell) -> Text:
    return Text(words, STYLES[Verdict(cell.verdict)] if cell.verdict in list(Verdict) else "dim")


def bounds_as_text(bounds: Mapping[str, int]) -> str:
    """The bounds of a scope, such as `segments=2 failures=1`."""
    return " ".join(f"{name}={value}" for name, value in bounds.items()) or "no bounds"


def show_conformance(results: Sequence[FileResult]) -> None:
    """The number of agreeing rows of each file, its first disagreement, its unreadable rows."""
    console = terminal()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("recordings", "rows", "agree", ""):
        table.add_column(column, justify="right" if column in ("rows", "agree") else "left")
    for result in results:
        words = Text("AGREES", "green") if result.agrees else Text("DISAGREES", "bold red")
        table.add_row(result.file, f"{result.total:,}", f"{result.agreed:,}", words)
    console.print(table)
    for result in results:
        first = result.first_disagreement
        if first is not None and not first.is_unread:
            console.print(f"\n[bold]{result.file}[/bold]: the first row that does not agree")
            for name, value in first.as_dict().items():
                text = value if isinstance(value, str) else json.dumps(value)
                if text:
                    console.print(Text(f"  {name:<9} {text}"), soft_wrap=True, highlight=False)
        if result.unread:
            _show_unread(console, result)


def _show_unread(console: Console, result: FileResult) -> None:
    """A line for each row that cannot be read; of very many, for the first."""
    console.print(
        f"\n[bold]{result.file}[/bold]: {len(result.unread):,} of its rows cannot be read",
        highlight=False,
    )
    for row in result.unread[:MOST_UNREAD]:
        console.print(Text(f"  {row.at}: {row.modelled}"), soft_wrap=True, highlight=False)
    if len(result.unread) > MOST_UNREAD:
        console.print("  ... and so on; --json has them all", highlight=False)
