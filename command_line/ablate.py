"""`tierproof ablate`: each part of a design left out alone, and what breaks without it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
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
    refuse_idle,
)

if TYPE_CHECKING:
    from tierproof.diagrams import AblationMatrix
    from tierproof.model.language.design import Design
    from tierproof.register.ablation import Part


Parts = Annotated[list[str] | None, typer.Option("--part", help="Leave out only this. Repeatable.")]
WithGuards = Annotated[
    bool, typer.Option("--guards", help="Leave out ordinary guards, too, not only fences.")
]
Inherited = Annotated[
    bool, typer.Option("--inherited", help="Those of the design that it changes, too.")
]
Brief = Annotated[
    bool, typer.Option("--first", help="End a search once all that a fence names is violated.")
]
AsMarkdown = Annotated[
    bool, typer.Option("--markdown", help="Print Markdown, to paste into a thread.")
]


def ablate(
    design: DesignName,
    scope: ScopeName = None,
    bounds: Bounds = None,
    variant: Variants = None,
    part: Parts = None,
    guards: WithGuards = False,
    inherited: Inherited = False,
    first: Brief = False,
    max_states: MaxStates = None,
    out: ResultFolder = None,
    as_markdown: AsMarkdown = False,
    as_json: AsJson = False,
) -> None:
    """Leave out each fence, alone: a table of what breaks without it, and in how many steps.

    Every fence is left out in the scope that it names; other guards in --scope, else in the scope
    smoke, if there is one. With --variant the fences of the design so changed are left out and,
    of several repairs, each repair. Ctrl-C ends it, and shows what is known.

    Exit status: 0 every fence protects what it names, 1 one does not, in the scope that it names
    (in another one, chosen with --scope or --set, it may protect nothing), 3 INCOMPLETE, 4 a fault.

    Examples: tierproof ablate kip1266; tierproof ablate my_module:DESIGN --guards --json;
    tierproof ablate kip1266 --variant repair_all --scope smoke --out build/ablation
    """
    from tierproof.command_line import ablation_table, writing
    from tierproof.register.ablation import matrix as ablating

    refuse_idle("a page, not for --json", markdown=as_markdown and as_json)
    writing.check(out)
    writing.claim(out)
    question = question_of(design, scope, bounds, (), (), ())
    found = _with_own(question.resolve()[0], tuple(variant or ()))
    parts = _parts(found, tuple(variant or ()), tuple(part or ()), guards, inherited)
    shown = not (as_json or as_markdown)
    run = ablating.Ablating(found, scope, question.bounds, first, max_states)
    run.tell = (lambda row: typer.echo(ablation_table.line_of(row), err=True)) if shown else silent
    matrix = run.run(parts, watched=shown)
    if out is not None:
        _write(matrix, out)
    _print(matrix, design, as_json=as_json, as_markdown=as_markdown)
    if shown and out is not None:
        typer.echo(f"\nTable, picture and traces: {out}")
    if run.is_interrupted:
        typer.echo("tierproof: interrupted; what is known is shown: INCOMPLETE", err=True)
    raise typer.Exit(_status(matrix))


def _with_own(design: Design, variants: Sequence[str]) -> Design:
    """The design, and beside its variants those of files."""
    from tierproof.spark_explorer.own_variants import with_own_variants

    return with_own_variants(design, variants, Path())


def _parts(
    design: Design, variants: Sequence[str], only: Sequence[str], guards: bool, inherited: bool
) -> tuple[Part, ...]:
    """The parts to leave out. Raises BadParameter for an option that would choose no other ones."""
    from tierproof.register.ablation import matrix as ablating
    from tierproof.register.ablation import parts_of

    known = ablating.known_before(design)
    refuse_idle("all parts, not for a --part", guards=guards and bool(only))
    refuse_idle("a design without --variant", inherited=inherited and bool(variants))
    refuse_idle("a design that changes another one", inherited=inherited and not known)
    known = set() if inherited or variants else known
    return parts_of(design, variants, known=known, with_guards=guards, only=only)


def _print(matrix: AblationMatrix, design: str, *, as_json: bool, as_markdown: bool) -> None:
    from tierproof import diagrams
    from tierproof.command_line import ablation_table

    if as_json:
        print_json(matrix.as_dict())
    elif as_markdown:
        typer.echo(diagrams.ablation_as_markdown(matrix).rstrip())
    else:
        ablation_table.show(matrix, design)


def _status(matrix: AblationMatrix) -> int:
    if not matrix.is_as_declared:
        return VIOLATED
    return HOLDS if matrix.is_whole else INCOMPLETE


def _write(matrix: AblationMatrix, folder: Path) -> None:
    """Write `ablation.json`, `.md` and `.svg`, and every trace as text and drawings."""
    from tierproof import diagrams
    from tierproof.command_line.writing import written_to

    with written_to(folder):
        folder.mkdir(parents=True, exist_ok=True)
        told = json.dumps(matrix.as_dict(), indent=2) + "\n"
        (folder / "ablation.json").write_text(told, encoding="utf-8")
        markdown = diagrams.ablation_as_markdown(matrix)
        (folder / "ablation.md").write_text(markdown, encoding="utf-8")
        (folder / "ablation.svg").write_text(diagrams.ablation_as_svg(matrix), encoding="utf-8")
        for row in matrix.rows:
            for cell in row.broken:
                if cell.trace is not None:
                    diagrams.draw_trace(cell.trace, folder, f"{row.name}-{cell.name}")
