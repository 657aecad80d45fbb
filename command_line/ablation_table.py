"""The ablation matrix as a table in the terminal."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from tierproof.command_line import console
from tierproof.diagrams import READING, AblationCell, AblationMatrix, AblationRow

STYLES = {"needed": "green", "INCOMPLETE": "yellow"}


def line_of(row: AblationRow) -> str:
    """One row in a line, as soon as it is there."""
    broken = ", ".join(f"{cell.name} ({cell.steps})" for cell in row.broken)
    why = row.fault or row.cut or broken or row.stays or "nothing"
    return f"without {row.name} in {row.where}: {row.word}: {why}"


def show(it: AblationMatrix, design: str) -> None:
    """The matrix; `design` is named as the command line takes it."""
    out = console.terminal()
    width = out.width
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    for column in ("left out", "scope", "answer"):
        table.add_column(column, no_wrap=True)
    for number in range(1, len(it.columns) + 1):
        table.add_column(str(number), justify="right", no_wrap=True)
    for row in it.rows:
        answer = Text(row.word, STYLES.get(row.word, "yellow" if row.is_as_declared else "red"))
        table.add_row(row.name, row.where, answer, *(_cell(row.cell(n)) for n in it.columns))
    out.print(f"[bold]{it.title}[/bold]\n")
    out.width = max(out.width, console.needed(out, table))
    out.print(table, soft_wrap=True)
    out.width = width
    out.print()
    for number, name in enumerate(it.columns, 1):
        out.print(f"{number:>3}  [bold]{name}[/bold]: {it.statements[name]}", highlight=False)
    out.print(f"\n{READING}", highlight=False, style="dim")
    for row in it.rows:
        if row.fault or (row.cut and not row.is_needed) or row.stays:
            why = f"it stays: {row.stays}" if row.stays else row.fault or row.cut
            out.print(f"{row.name}: {why}", highlight=False)
    out.print(f"\n{it.headline}", highlight=False)
    if example := _example(it):
        row, cell = example
        chosen = "".join(f" --variant {name}" for name in row.variants)
        out.print(
            f"A trace: tierproof explore {design}{chosen} --scope {row.scope} "
            f"--without {row.name} --property {cell.name}",
            highlight=False,
            soft_wrap=True,
        )


def _example(it: AblationMatrix) -> tuple[AblationRow, AblationCell] | None:
    """The first row of a guard without which something breaks, and what."""
    guards = (
        one for one in it.rows if one.kind != "repair" and one.broken and "=" not in one.scope
    )
    return next(((row, row.broken[0]) for row in guards), None)


def _cell(cell: AblationCell | None) -> Text:
    if cell is None:
        return Text("…", "yellow")
    if cell.is_broken:
        return Text(cell.sign, "bold red" if cell.is_protected else "red")
    return Text(cell.sign, "yellow" if cell.verdict == "INCOMPLETE" else "dim")
