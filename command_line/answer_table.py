"""Terminal output of a query: a table, and how many rows it leaves out."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from tierproof.command_line.console import needed, terminal

NUMBERS = ("INT", "FLOAT", "DOUBLE", "DECIMAL")
"""Parts of the names of types whose values are set to the right."""


def show_answer(
    columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[str | None]], more: int
) -> None:
    """Rows of text under the names of their columns; `more` rows are not shown.

    Where the columns do not fit side by side, each row is a block of lines.
    """
    console = terminal()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name, kind in columns:
        is_number = kind.endswith(NUMBERS) or kind.startswith(NUMBERS)
        table.add_column(Text(name), justify="right" if is_number else "left", overflow="fold")
    for row in rows:
        table.add_row(*(_cell(value) for value in row))
    if needed(console, table) > console.width and len(columns) > MOST_SQUEEZED:
        table = _upright(columns, rows)
    console.print(table)
    count = len(rows) + more
    told = f"{count:,} row{'s' if count != 1 else ''}"
    if more:
        told += f", of which {more:,} are not shown: --rows shows more, --out FILE writes all"
    console.print(told, style="dim", highlight=False, soft_wrap=True)


MOST_SQUEEZED = 8
"""Columns whose texts may be folded to fit side by side."""


def _upright(columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[str | None]]) -> Table:
    """A line for each value."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for number, row in enumerate(rows, start=1):
        table.add_row(Text(f"row {number}", style="bold"), "")
        for (name, _), value in zip(columns, row, strict=True):
            table.add_row(Text(name, style="cyan"), _cell(value))
    return table


def _cell(value: str | None) -> Text:
    return Text("NULL", style="dim") if value is None else Text(value)
