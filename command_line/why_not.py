"""`tierproof why`: why a step is not enabled; `what-if`: what another step would lead to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tierproof.command_line.chosen_trace import Changes, Named, Owner, chosen_trace
from tierproof.command_line.exits import HOLDS, print_json
from tierproof.command_line.options import (
    AsJson,
    Bounds,
    Explained,
    ScopeName,
    Variants,
    Why,
    Without,
    refuse_in_json,
)

if TYPE_CHECKING:
    from tierproof.model.language import Step, Trace

Words = Annotated[
    str,
    typer.Argument(metavar="STEP", help="The step: 'ACTION(parameter=value, ...)'."),
]


def why(
    design: Owner,
    trace: Named,
    step: Words,
    at: Annotated[
        int | None,
        typer.Option("--at", help="In the state after so many steps. Default: after the last."),
    ] = None,
    scope: ScopeName = None,
    bounds: Bounds = None,
    variant: Variants = None,
    without: Without = None,
    detail: Why = Explained.BRIEF,
    as_json: AsJson = False,
) -> None:
    """Say why a step is not enabled on a trace: which guard is false, which part, which values.

    Of each false guard: the step of the trace that made it false, and the one that last made it
    true. The trace is in a file in ITF, or that of a finding, or of a kept run.

    Exit status: 0 it is said, 2 bad usage, 4 a fault.

    Examples:

    tierproof why kip405 deleted_topic_leaks "copy_deletes_object(segment=0)"

    tierproof why kip950 trace.itf.json "broker_restarts(broker=0)" --at 3

    tierproof why build/runs/kip950 fetches_are_answered "broker_restarts(broker=0)" --json
    """
    from tierproof.diagrams import why_not_lines
    from tierproof.model.language.explaining import why_not

    refuse_in_json(as_json, why=detail is Explained.FULL)
    changes = Changes(scope=scope, bounds=bounds, variant=variant, without=without)
    chosen = chosen_trace(design, trace, changes).trace
    found = why_not(chosen, _step(chosen, step), at)
    told = {**_whose(chosen), **found.as_dict()}
    taken = [str(one) for one in chosen.steps]
    _end(told, why_not_lines(told, taken, is_full=detail is Explained.FULL), as_json)


def what_if(
    design: Owner,
    trace: Named,
    step: Words,
    at: Annotated[int, typer.Option("--at", help="In place of this step of the trace, from 1.")],
    insert: Annotated[
        bool, typer.Option("--insert", help="Take it before that step, not in its place.")
    ] = False,
    scope: ScopeName = None,
    bounds: Bounds = None,
    variant: Variants = None,
    without: Without = None,
    detail: Why = Explained.BRIEF,
    as_json: AsJson = False,
) -> None:
    """Take another step of a trace, go on with its other steps, and say where they stop, and why.

    Properties of states and of steps are judged on what is taken; liveness is not.

    Exit status: 0 it is said, also if the step cannot be taken, 2 bad usage, 4 a fault.

    Examples:

    tierproof what-if kip405 deleted_topic_leaks "broker_reads_metadata(broker=0)" --at 9

    tierproof what-if kip950 trace.itf.json "broker_restarts(broker=0)" --at 4 --insert --json
    """
    from tierproof.diagrams import what_if_lines
    from tierproof.model.language.explaining import what_if as taken_instead
    from tierproof.spark_explorer.results import trace_as_dict

    refuse_in_json(as_json, why=detail is Explained.FULL)
    changes = Changes(scope=scope, bounds=bounds, variant=variant, without=without)
    chosen = chosen_trace(design, trace, changes).trace
    found = taken_instead(chosen, at, _step(chosen, step), is_inserted=insert)
    told = {**_whose(chosen), **found.as_dict()}
    if as_json:
        told["trace"] = trace_as_dict(found.trace)
    _end(told, what_if_lines(told, is_full=detail is Explained.FULL), as_json)


def _step(trace: Trace, words: str) -> Step:
    from tierproof.model.language.interpreter import Steps
    from tierproof.model.language.named_steps import step_named

    return step_named(Steps(trace.design, trace.scope), words)


def _whose(trace: Trace) -> dict[str, Any]:
    """The design of the trace, and how it was changed."""
    return {
        "design": trace.design.name,
        "bounds": dict(trace.scope),
        "variants": list(trace.design.chosen_variants),
        "without": sorted(trace.design.dropped_guards),
    }


def _end(told: dict[str, Any], lines: Iterable[str], as_json: bool) -> None:
    if as_json:
        print_json(told)
    else:
        for line in lines:
            typer.echo(line)
    raise typer.Exit(HOLDS)
