"""`tierproof ablate`: each part of a design left out alone, and what breaks without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tierproof.command_line.exits import HOLDS, INCOMPLETE, VIOLATED, print_json, silent
from tierproof.command_line.options import (
    AsJson,
    Bounds,
    DesignName,
    MaxStates,
    ResultFolder,
    ScopeName,
    Variants,
    question_of,
)

if TYPE_CHECKING:
    from tierproof.diagrams import AblationMatrix


def ablate(
    design: DesignName,
    scope: ScopeName = None,
    bounds: Bounds = None,
    variant: Variants = None,
    part: Annotated[
        list[str] | None, typer.Option("--part", help="Leave out only this. Repeatable.")
    ] = None,
    guards: Annotated[
        bool, typer.Option("--guards", help="Leave out ordinary guards, too, not only fences.")
    ] = False,
    inherited: Annotated[
        bool, typer.Option("--inherited", help="Those of the design that it changes, too.")
    ] = False,
    first: Annotated[
        bool, typer.Option("--first", help="End a search once all that a fence names is violated.")
    ] = False,
    max_states: MaxStates = None,
    out: ResultFolder = None,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print Markdown, to paste into a thread.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Leave out each fence, alone: a table of what breaks without it, and in how many steps.

    Every fence is left out in the scope that it names; other guards in --scope, else in the scope
    smoke, if there is one. With --variant the fences of the design so changed are left out and,
    of several repairs, each repair. Ctrl-C ends it, and shows what is known.

    Exit status: 0 every fence protects what it names, 1 one does not, 2 bad usage, 3 INCOMPLETE.

    Examples:

    tierproof ablate kip1266

    tierproof ablate kip1266 --variant repair_all --scope smoke --out build/ablation

    tierproof ablate my_module:DESIGN --guards --json
    """
    from tierproof import diagrams
    from tierproof.command_line import ablating, ablation_table
    from tierproof.model.language.ablation import parts_of

    question = question_of(design, scope, bounds, (), (), ())
    found, _ = question.resolve()
    known = set() if inherited or variant else ablating.known_before(found)
    parts = parts_of(
        found, tuple(variant or ()), known=known, with_guards=guards, only=tuple(part or ())
    )
    is_for_people = not (as_json or as_markdown)
    run = ablating.Ablating(
        found,
        scope=scope,
        bounds=question.bounds,
        is_brief=first,
        max_states=max_states,
        tell=(lambda row: typer.echo(ablation_table.told(row), err=True))
        if is_for_people
        else silent,
    )
    matrix = run.run(parts, watched=is_for_people)
    if out is not None:
        ablating.write(matrix, out)
    if as_json:
        print_json(matrix.as_dict())
    elif as_markdown:
        typer.echo(diagrams.ablation_as_markdown(matrix).rstrip())
    else:
        ablation_table.show(matrix, design)
        if out is not None:
            typer.echo(f"\nTable, picture and traces: {out}")
    if run.is_interrupted:
        typer.echo("tierproof: interrupted; what is known is shown: INCOMPLETE", err=True)
    raise typer.Exit(_status(matrix))


def _status(matrix: AblationMatrix) -> int:
    if not matrix.is_as_declared:
        return VIOLATED
    return HOLDS if matrix.is_whole else INCOMPLETE
