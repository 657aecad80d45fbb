"""How a command ends: its exit status, and JSON for machines."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Generator
from typing import Any, TypeVar

import typer

HOLDS, VIOLATED, BAD_USAGE, INCOMPLETE = 0, 1, 2, 3
EXIT_STATUS = {"HOLDS": HOLDS, "VIOLATED": VIOLATED, "INCOMPLETE": INCOMPLETE}
"""Exit statuses of `explore`, by verdict."""

Result = TypeVar("Result")


def print_json(value: Any) -> None:
    """Print a value as JSON on standard output."""
    typer.echo(json.dumps(value, indent=2))


def silent(told: object) -> None:
    """Say nothing: for machines, which read the JSON in the end."""


def gathered(
    results: Generator[Result], show: Callable[[Result], None], kept: str
) -> tuple[list[Result], int]:
    """Show results as they come, until Ctrl-C or an error; returns them, and the exit status."""
    from tierproof.model.language.errors import TierproofError

    made: list[Result] = []
    try:
        with contextlib.closing(results):
            for one in results:
                made.append(one)
                show(one)
    except KeyboardInterrupt:
        typer.echo(f"tierproof: interrupted; {kept}: INCOMPLETE", err=True)
        return made, INCOMPLETE
    except TierproofError as error:
        typer.echo(f"tierproof: {error}", err=True)
        return made, BAD_USAGE
    return made, HOLDS
