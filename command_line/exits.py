"""How a command ends: its exit status, and JSON for machines."""

from __future__ import annotations

import json
from typing import Any

import typer

HOLDS, VIOLATED, BAD_USAGE, INCOMPLETE = 0, 1, 2, 3
EXIT_STATUS = {"HOLDS": HOLDS, "VIOLATED": VIOLATED, "INCOMPLETE": INCOMPLETE}
"""Exit statuses of `explore`, by verdict."""


def print_json(value: Any) -> None:
    """Print a value as JSON on standard output."""
    typer.echo(json.dumps(value, indent=2))
