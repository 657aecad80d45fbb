"""`tierproof mutate`: each place of a design changed alone, and which property notices."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tierproof.command_line.exits import (
    HOLDS,
    INCOMPLETE,
    VIOLATED,
    gathered,
    print_json,
)
from tierproof.command_line.options import (
    AsJson,
    Bounds,
    DesignName,
    Variants,
    question_of,
    refuse_idle,
)

if TYPE_CHECKING:
    from tierproof.model.language.mutation import Mutant
    from tierproof.spark_explorer.mutation.fates import Fate
    from tierproof.spark_explorer.mutation.judging import Noticed
    from tierproof.spark_explorer.mutation.request import Request
    from tierproof.spark_explorer.mutation.testing import MutationRun
    from tierproof.spark_explorer.question import Question

Scopes = Annotated[
    list[str] | None,
    typer.Option("--scope", help="Search here. Repeatable. Default: smoke, if there is one."),
]
Only = Annotated[
    list[str] | None,
    typer.Option("--only", help="Mutate this module or function only. Repeatable."),
]
Sample = Annotated[
    int | None, typer.Option(min=1, help="So many mutants, at random by --seed. Default: all.")
]
Seed = Annotated[int | None, typer.Option(help="Of the sample. Default: 0.")]
MutantSeconds = Annotated[
    float,
    typer.Option(
        "--budget", min=0.1, help="Seconds of the processor that a mutant may take in a scope."
    ),
]
Processes = Annotated[
    int | None, typer.Option("--jobs", min=1, help="Processes. Default: one for each core.")
]
Recordings = Annotated[
    bool,
    typer.Option(
        "--recordings",
        help="Replay what Kafka's classes did, with each mutant that no property notices.",
    ),
]
UpdateScores = Annotated[
    bool, typer.Option("--update-scores", help="Record the scores of a registered design.")
]
Folder = Annotated[Path, typer.Option("--out", help="The folder where fates are kept.")]


def mutate(
    design: DesignName,
    scope: Scopes = None,
    bounds: Bounds = None,
    variant: Variants = None,
    only: Only = None,
    sample: Sample = None,
    seed: Seed = None,
    budget: MutantSeconds = 30.0,
    jobs: Processes = None,
    out: Folder = Path("build/mutation"),
    recordings: Recordings = False,
    update_scores: UpdateScores = False,
    as_json: AsJson = False,
) -> None:
    """Change what a design does in one place at a time, and see whether a property notices.

    Conditions are dropped, turned and shifted, constants changed, assignments left out, branches
    always or never taken. Each mutant is explored: killed by what notices it, equivalent if its
    graph is the same in the scopes searched, or a survivor, which is shown with the shortest way to
    where its graph differs. Fates are kept: a run that was ended goes on where it was.

    Exit status: 0 no mutant survives, 1 one does, 2 bad usage, 3 INCOMPLETE: none that is known
    survives, and one was cut or not judged, 4 a fault.

    Examples: tierproof mutate producer_state --scope smoke --only producer_validation

    tierproof mutate my.py:DESIGN --sample 100 --seed 7 --json
    """
    from tierproof.command_line import mutation_table
    from tierproof.spark_explorer.mutation.testing import MutationRun

    is_part = bool(only or bounds)
    _check_registered(design, variant or [], recordings, update_scores, is_part=is_part)
    question = question_of(design, None, bounds, variant, None, None)
    notices = _recordings() if recordings else None
    request = _request(question, scope, only, sample, seed, seconds=budget, notices=notices)
    file = out / f"{_file_name(request)}.jsonl"
    testing = MutationRun.begun(request, file)
    if not as_json:
        mutation_table.show_start(testing, file)
    _, status = gathered(testing.run(jobs), _shown(as_json), f"fates until then: {file}")
    print_json(testing.as_dict()) if as_json else mutation_table.show(testing)
    if update_scores and not status:
        _update(testing, recordings=recordings)
    raise typer.Exit(status or _status(testing))


def _recordings() -> Noticed:
    from tierproof.register.mutation import recordings

    return recordings.noticed


def _request(
    question: Question,
    scopes: list[str] | None,
    only: list[str] | None,
    sample: int | None,
    seed: int | None,
    **limits: Any,
) -> Request:
    from tierproof.spark_explorer.mutation.request import Request

    if sample is None:
        refuse_idle("--sample", seed=seed)
    named: dict[str, Any] = {"scopes": tuple(scopes or ()), "only": tuple(only or ())}
    return Request(question=question, sample=sample, seed=seed or 0, **named, **limits)


def _check_registered(
    design: str, variants: list[str], recordings: bool, update_scores: bool, *, is_part: bool
) -> None:
    """Raise BadParameter for what is of Kafka's designs, and asked of another one."""
    from tierproof.spark_explorer.own_variants import is_own

    is_other = is_own(design) or is_part or any(map(is_own, variants))
    refuse_idle("all of a registered design", update_scores=update_scores and is_other)
    refuse_idle("designs of Kafka", recordings=recordings and is_own(design))


def _update(testing: MutationRun, *, recordings: bool) -> None:
    """Record the scores."""
    from tierproof.register import json_file, mutation

    path = mutation.path_of(testing.design.name)
    json_file.write(path, mutation.text_of(mutation.scores_of(testing, recordings=recordings)))
    typer.echo(f"scores: {path}", err=True)


def _shown(as_json: bool) -> Callable[[tuple[Mutant, Fate]], None]:
    """What is said of each mutant as its fate is found: nothing to a machine."""
    from tierproof.command_line import mutation_table

    def show(found: tuple[Mutant, Fate]) -> None:
        if not as_json and (line := mutation_table.line_of(*found)):
            typer.echo(line, err=True)

    return show


def _file_name(request: Request) -> str:
    """A design's name as that of a file."""
    return re.sub(r"[^\w.-]+", "_", request.design().name)


def _status(testing: MutationRun) -> int:
    if testing.survivors:
        return VIOLATED
    return HOLDS if testing.is_whole else INCOMPLETE
