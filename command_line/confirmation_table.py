"""Terminal output of `confirm`: what is done and seen, one verdict after the other, a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tierproof.command_line.console import terminal
from tierproof.conformance.brokers import Confirmation, Outcome

STYLES = {
    Outcome.CONFIRMED: "bold red",
    Outcome.NOT_REPRODUCED: "yellow",
    Outcome.FIXED: "green",
    Outcome.CLEAN: "green",
    Outcome.NOT_CLEAN: "bold red",
    Outcome.INCOMPLETE: "yellow",
}


def show_progress(line: str) -> None:
    """A line about what is done now, on standard error."""
    Console(stderr=True).print(Text(line, "dim"), soft_wrap=True)


def show(one: Confirmation) -> None:
    """A verdict, as soon as it is known."""
    kind = " (control)" if one.is_control else ""
    words = Text(f"{one.release} {one.finding}{kind}: ")
    words.append(one.outcome, STYLES[one.outcome])
    if what := one.found or one.why:
        words.append(f", {what}")
    if one.tries > 1:
        words.append(f" (played {one.tries} times)")
    words.append(f"; in the end: {one.seen}" if one.seen else "", "dim")
    terminal().print(words)


def show_table(results: Sequence[Confirmation], folder: Path) -> None:
    """Findings x releases, and where the brokers' logs are."""
    releases = list(dict.fromkeys(one.release for one in results))
    known = {(one.finding, one.release, one.is_control): one.outcome for one in results}
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("finding", *releases, "controls"):
        table.add_column(column)
    for name in dict.fromkeys(one.finding for one in results):
        found = [known.get((name, release, False)) for release in releases]
        controls = {known[name, at, True] for at in releases if (name, at, True) in known}
        cells = [Text(one, STYLES[one]) if one else Text("-") for one in (*found, *controls)]
        table.add_row(name, *cells)
    terminal().print(table)
    terminal().print(f"Logs and data of the brokers: {folder}")
