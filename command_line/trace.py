"""`tierproof trace`: a trace is read, of a file in ITF or of a run, replayed, and printed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tierproof.command_line import kept, tracing
from tierproof.command_line.options import (
    Bounds,
    Explained,
    ScopeName,
    TraceFormat,
    Variants,
    Why,
    Without,
    question_of,
    refuse_idle,
)

if TYPE_CHECKING:
    from tierproof.model.language import Trace
    from tierproof.spark_explorer.question import Question


def trace(
    design: Annotated[str, typer.Argument(metavar="DESIGN|RUN", help="A design, or a kept run.")],
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|PROPERTY",
            help="A trace in ITF (.itf.json), or what the run has violated or reached.",
        ),
    ],
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
    A trace of another tool has to have the variables of the design.

    Examples:

    tierproof explore kip950 --scope smoke --out build/kip950 --trace-format itf

    tierproof trace kip950 build/kip950/fetches_are_answered.itf.json --format markdown

    tierproof trace build/runs/kip950 fetches_are_answered
    """
    if kept.is_run(design):
        needed = "a trace in a file: a run has its own"
        refuse_idle(needed, scope=scope, set=bounds, variant=variant, without=without)
        is_full = why is Explained.FULL
        typer.echo(kept.trace_in(design, file, str(form), is_why_full=is_full), nl=False)
        return
    from tierproof.model.language.itf import trace_of_itf
    from tierproof.model.language.itf_meta import said_of_trace

    found = _loaded(Path(file))
    ours = said_of_trace(found)
    question = question_of(design, scope, bounds, variant, without, None)
    chosen, sized = _completed(question, ours).resolve()
    replayed = trace_of_itf(found, chosen, sized)
    shown = _broken(replayed, ours)
    words = shown and {**shown, "is_why_full": why is Explained.FULL}
    typer.echo(tracing.rendered(replayed, words, str(form)), nl=False)


def _loaded(file: Path) -> Any:
    from tierproof.register.json_file import decoded

    try:
        return decoded(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise typer.BadParameter(f"{file} cannot be read as JSON: {error}") from None


def _completed(question: Question, ours: Mapping[str, Any]) -> Question:
    """The question, with what the trace says where no option says it."""
    from dataclasses import replace

    is_sized = question.scope is not None or question.bounds
    return replace(
        question,
        bounds=question.bounds if is_sized else tuple(dict(ours.get("scope", {})).items()),
        variants=question.variants or tuple(ours.get("variants", ())),
        without=question.without or tuple(ours.get("without", ())),
    )


def _broken(trace: Trace, ours: Mapping[str, Any]) -> dict[str, Any] | None:
    """The property that the trace says it violates, if it does. Raises UnknownName."""
    from tierproof.model.language.errors import closest
    from tierproof.model.language.explaining import why_of
    from tierproof.model.language.interpreter import Interpreter
    from tierproof.model.language.replaying import replay

    if not (name := ours.get("property")):
        return None
    laws = [law.law_name for _, law in Interpreter(trace.design, trace.scope).lifecycle_leaves]
    closest("property", name, [*laws, *(one.name for one in trace.design.checked)])
    claim = next((one for one in trace.design.properties if one.name == name), None)
    if claim is None:
        return None
    found = replay(
        trace.design,
        trace.scope,
        trace.steps,
        claim.name,
        initial=trace.initial,
        cycle_start=trace.cycle_start,
    )
    shown = {"name": claim.name, "kind": str(claim.kind), "statement": claim.statement}
    if not found.is_violated:
        return None
    why = why_of(trace, claim.name)
    return {**shown, "is_shortest": False, "why": why and why.as_dict()}
