"""Terminal output of kept runs: a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from tierproof.command_line.console import STYLES, terminal
from tierproof.spark_explorer.quantities import in_time
from tierproof.spark_explorer.results import Verdict


def show_runs(found: Sequence[Mapping[str, Any]]) -> None:
    """A line for each run; a run that has not come to its end can be resumed."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("verdict", "run", "explores"):
        table.add_column(column, overflow="fold")
    for column in ("states", "levels", "time", "resumed"):
        table.add_column(column, justify="right", no_wrap=True)
    for column in ("engine", "begun"):
        table.add_column(column, no_wrap=True)
    for one in found:
        table.add_row(
            Text(one["verdict"], style=STYLES[Verdict(one["verdict"])]),
            one["run"],
            _explored(one),
            f"{one['states']:,}",
            str(one["levels"]),
            in_time(one["seconds"]),
            str(one["resumed"]),
            one["engine"],
            one["begun"],
        )
    terminal().print(table)


def _explored(one: Mapping[str, Any]) -> str:
    changed = [*one["variants"], *(f"without {name}" for name in one["without"])]
    return ", ".join([f"{one['design']} {one['scope']}", *changed])
