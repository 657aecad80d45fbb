"""The commands about state spaces: `size` measures one, `estimate` says how big one will be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tierproof.command_line.exits import HOLDS, INCOMPLETE, complain, print_json
from tierproof.command_line.options import (
    AsJson,
    Bounds,
    DesignName,
    MaxStates,
    ScopeName,
    Variants,
    Without,
    question_of,
)

if TYPE_CHECKING:
    from tierproof.spark_explorer.question import Question


Stale = Annotated[
    bool,
    typer.Option("--stale", help="Measure which fields hold what nothing reads any more."),
]
ReportFile = Annotated[
    Path | None,
    typer.Option("--report", dir_okay=False, help="Write a page with a picture to this file."),
]


def size(
    design: DesignName,
    scope: ScopeName = None,
    bounds: Bounds = None,
    variant: Variants = None,
    without: Without = None,
    max_states: MaxStates = None,
    stale: Stale = False,
    report: ReportFile = None,
    as_json: AsJson = False,
) -> None:
    """Show what makes the state space of a scope big: fields, actors, budgets, actions, cycles.

    The scope is explored in memory, and no property is judged. A factor says how many times fewer
    the states are if the field, or the group, is left out. With --stale, a second factor says how
    many times fewer they are if the field is forgotten where no behaviour and no property reads it
    before it is written again: reset it there.

    Exit status: 0 the search came to its end, 2 bad usage, 3 INCOMPLETE: the search was cut, and
    the states until then are measured; or measuring was interrupted, or nobody knows what is stale.

    Examples: tierproof size kip950 --scope smoke --stale; tierproof size my.py:DESIGN
    """
    from tierproof.command_line import size_table, writing
    from tierproof.spark_explorer.sizing import size as sizes
    from tierproof.spark_explorer.watching import Watching

    question = question_of(design, scope, bounds, variant, without, None)
    found, resolved = question.resolve()
    title = question.scope_title(found)
    writing.check(report and report.parent)
    try:
        with Watching(not as_json) as watching, watching.search(f"{found.name} {title}") as watch:
            measured = sizes.size(
                found, resolved, scope_name=title, max_states=max_states, stale=stale, watch=watch
            )
    except KeyboardInterrupt:
        complain("interrupted before anything was measured: INCOMPLETE")
        raise typer.Exit(INCOMPLETE) from None
    try:
        print_json(measured.as_dict()) if as_json else size_table.show(measured)
    finally:  # also for whoever reads no more of the output than its beginning
        _write_page(measured.as_dict(), report)
    raise typer.Exit(HOLDS if measured.is_whole else INCOMPLETE)


def _write_page(measured: dict[str, Any], path: Path | None) -> None:
    """Write a page of what was measured, if a file for it is named."""
    if path is None:
        return
    from tierproof import diagrams
    from tierproof.command_line.writing import written_to

    with written_to(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(diagrams.size_as_page(measured), encoding="utf-8")


def estimate(
    design: DesignName,
    scope: ScopeName = None,
    bounds: Bounds = None,
    variant: Variants = None,
    without: Without = None,
    max_states: MaxStates = None,
    as_json: AsJson = False,
) -> None:
    """Estimate states, time and memory of a scope with a larger bound, without exploring it.

    One --set is larger than in the scope. Scopes with smaller values of that bound are explored,
    each up to --max-states (1,000,000), and their growth is continued. Nothing is said where no
    rule fits it.

    Exit status: 0 there is an estimate, 2 bad usage, 3 there is none.

    Examples:

    tierproof estimate log_cleaner --scope smoke --set offsets=6

    tierproof estimate my.py:DESIGN --scope small --set workers=7 --json
    """
    from tierproof.command_line import size_table
    from tierproof.spark_explorer.sizing import larger
    from tierproof.spark_explorer.watching import Watching

    question = question_of(design, scope, bounds, variant, without, None)
    found, resolved = question.resolve()
    bound = _larger_bound(question)
    try:
        with Watching(not as_json) as watching:
            told = larger.of_larger(
                found,
                resolved,
                bound,
                scope_name=question.scope_title(found),
                max_states=max_states or larger.MOST_STATES,
                search=lambda value: watching.search(f"{found.name} {bound}={value}"),
            )
    except KeyboardInterrupt:
        complain("interrupted before there was an estimate: INCOMPLETE")
        raise typer.Exit(INCOMPLETE) from None
    print_json(told.as_dict()) if as_json else size_table.show_estimate(told)
    raise typer.Exit(INCOMPLETE if told.states is None else HOLDS)


def _larger_bound(question: Question) -> str:
    """The one bound that is larger than in the named scope. Raises BadParameter."""
    design, _ = question.resolve()
    before = dict(design.scope(question.scope_name_in(design)))
    found = [name for name, value in question.bounds if value > before[name]]
    if len(found) != 1:
        told = (
            f"--set makes {', '.join(found)} larger" if found else "no --set makes a bound larger"
        )
        raise typer.BadParameter(
            f"{told} than in scope {question.scope_name_in(design)}: give one that does"
        )
    return found[0]
