"""Terminal output of `record`: each file as soon as it is written, with its first difference."""

from __future__ import annotations

import json

from rich.text import Text

from tierproof.command_line.console import terminal
from tierproof.conformance.recorders import Recorded


def show(one: Recorded) -> None:
    """Where a file is, and how many of its rows differ from the committed ones."""
    told = one.as_dict()
    differ, unlike = told["differ_from_committed"], told["not_reproduced_by_the_model"]
    words = Text(f"Kafka {one.release}, {one.file}: {told['rows']:,} rows, ")
    words.append(f"{differ:,} differ from the committed ones", "yellow" if differ else "green")
    words.append(", ")
    words.append(f"{unlike:,} differ from the model", "bold red" if unlike else "green")
    words.append(f"; {one.path}", "dim")
    terminal().print(words, soft_wrap=True, highlight=False)
    first = told["first_difference"] or {}
    for name, value in first.items():
        text = value if isinstance(value, str) else json.dumps(value)
        terminal().print(Text(f"  {name:<9} {text}", "dim"), soft_wrap=True, highlight=False)
