"""`tierproof trace`: a trace is read, of a file in ITF, a finding or a run, replayed, printed."""

from __future__ import annotations

from typing import Annotated

import typer

from tierproof.command_line import tracing
from tierproof.command_line.chosen_trace import Changes, Named, Owner, chosen_trace
from tierproof.command_line.options import (
    Bounds,
    Explained,
    ScopeName,
    TraceFormat,
    Variants,
    Why,
    Without,
)


def trace(
    design: Owner,
    file: Named,
    scope: ScopeName = None,
    bounds: Bounds = None,
    variant: Variants = None,
    without: Without = None,
    form: Annotated[TraceFormat, typer.Option("--format", help="What to print.")] = (
        TraceFormat.TEXT
    ),
    why: Why = Explained.BRIEF,
) -> None:
    """Read a trace in ITF, replay it in the design, and print it; or one of a kept run.

    A trace that tierproof wrote says its scope, variants and ablated guards; options come first.
    A trace of another tool has to have the variables of the design. The trace of a finding is
    named by the finding.

    Examples:

    tierproof explore kip950 --scope smoke --out build/kip950 --trace-format itf

    tierproof trace kip950 build/kip950/fetches_are_answered.itf.json --format markdown

    tierproof trace build/runs/kip950 fetches_are_answered

    tierproof trace kip405 deleted_topic_leaks --why full
    """
    changes = Changes(scope=scope, bounds=bounds, variant=variant, without=without)
    found = chosen_trace(design, file, changes)
    shown = found.shown and {**found.shown, "is_why_full": why is Explained.FULL}
    typer.echo(tracing.rendered(found.trace, shown, str(form)), nl=False)
