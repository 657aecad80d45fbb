"""The commands about kept runs: `resume` goes on with one, `runs` lists them, `show` tells one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tierproof.command_line import running, tracing
from tierproof.command_line.exits import HOLDS, print_json
from tierproof.command_line.grounds import grounds_of
from tierproof.command_line.options import (
    AsJson,
    ChosenRun,
    ChosenSearch,
    Explained,
    First,
    Master,
    MaxStates,
    ResultFolder,
    TraceFormats,
    Untaken,
    Why,
    engine_of,
    refuse_idle,
    refuse_in_json,
    shown_as,
)

if TYPE_CHECKING:
    from tierproof.model.language import Trace
    from tierproof.spark_explorer.kept.keeping import Keeping
    from tierproof.spark_explorer.provenance import Resumed
    from tierproof.spark_explorer.question import Question


def begun(address: str | None, question: Question, engine: str) -> Keeping | None:
    """What keeps a search at an address as a new run, or None if it is not to be kept."""
    if address is None:
        return None
    check_installed()
    from tierproof.spark_explorer.kept.keeping import Keeping
    from tierproof.spark_explorer.kept.store import store_at

    if not address:
        raise typer.BadParameter("--run takes a folder, or an address such as s3://bucket/run")
    return Keeping(store_at(address), question, engine)


def check_installed() -> None:
    """Raise NotInstalled if what reads and writes runs is missing."""
    from tierproof.spark_explorer import engines

    engines.check_installed("a run that is kept", "runs", engines.OF_RUNS)


def resume(
    run: ChosenRun,
    engine: ChosenSearch = None,
    master: Master = None,
    max_states: MaxStates = None,
    first: First = False,
    out: ResultFolder = None,
    trace_formats: TraceFormats = None,
    untaken: Untaken = False,
    why: Why = Explained.BRIEF,
    as_json: AsJson = False,
) -> None:
    """Go on with a kept run from its last whole level, whatever ended it, on any engine.

    The design, its scope and its variants are those of the run; if their text has changed since,
    nothing is explored. A run that came to its end is shown.

    Exit status: that of explore.

    Examples: tierproof resume build/runs/kip950; tierproof resume s3://bucket/run --engine spark
    """
    check_installed()
    from tierproof.spark_explorer.kept.keeping import Keeping
    from tierproof.spark_explorer.kept.opening import KeptRun

    formats = tracing.formats_of(trace_formats, out)
    refuse_in_json(as_json, untaken=untaken, why=why is Explained.FULL)
    chosen = engine_of(engine, master)
    opened = KeptRun.open(run)
    told = {"chosen_for": None, **shown_as(untaken, why), **rested(opened.manifest.question)}
    if opened.is_whole:
        needed = "a run that has not come to its end"
        refuse_idle(needed, engine=engine, master=master, max_states=max_states, first=first)
        running.end(opened.result(), told, out, formats, as_json)
    question = opened.manifest.question
    keeping = Keeping(opened.store, question, chosen, is_resumed=True)
    options = {"master": master, "keeping": keeping, "max_states": max_states}
    told["kept_in"] = run
    result = running.found(question, chosen, not as_json, {}, first, **options)
    running.end(result, told, out, formats, as_json)


def show(
    run: ChosenRun,
    out: ResultFolder = None,
    trace_formats: TraceFormats = None,
    untaken: Untaken = False,
    why: Why = Explained.BRIEF,
    as_json: AsJson = False,
) -> None:
    """Show the result of a kept run, as explore printed it.

    Exit status: that of explore.

    Examples: tierproof show build/runs/kip950; tierproof show build/runs/kip950 --json
    """
    check_installed()
    from tierproof.spark_explorer.kept.opening import KeptRun

    formats = tracing.formats_of(trace_formats, out)
    refuse_in_json(as_json, untaken=untaken, why=why is Explained.FULL)
    opened = KeptRun.open(run)
    result = opened.result()
    told = {"chosen_for": None, **shown_as(untaken, why), **rested(opened.manifest.question)}
    running.end(result, told, out, formats, as_json)


def runs(
    folder: Annotated[str, typer.Argument(help="A folder of runs, or s3://...")],
    as_json: AsJson = False,
) -> None:
    """List the kept runs in a folder: what they explore, how far they came, what they found.

    Exit status: 0 they are listed, 2 there is none, 4 one cannot be read.

    Examples: tierproof runs build/runs; tierproof runs s3://bucket --json
    """
    check_installed()
    from tierproof.command_line import runs_table
    from tierproof.spark_explorer.kept.opening import runs_in

    found = [one.summary() for one in runs_in(folder)]
    print_json(found) if as_json else runs_table.show_runs(found)
    raise typer.Exit(HOLDS)


def rested(question: Question, run: str | None = None) -> dict[str, Any]:
    """What the result of a question rests on and is kept in, as options of `show_result`."""
    return {"grounds": grounds_of(question), "called": question.design, "kept_in": run}


def shown_in(run: str, name: str) -> tuple[Trace, dict[str, Any] | None, Resumed | None]:
    """A trace of a kept run, the record of the property that it violates, if it does, and from
    where the run was resumed, if it was.
    """
    check_installed()
    from tierproof.model.language.errors import closest
    from tierproof.spark_explorer.kept.opening import KeptRun

    result = KeptRun.open(run).result()
    traces = result.traces
    closest("property or witness", name, traces)
    if (found := traces[name]) is None:
        raise typer.BadParameter(f"{run} has no trace to {name}: nothing violated or reached it")
    told = result.as_dict()["properties"]
    shown = next((one for one in told if one["name"] == name), None)
    return found, shown, result.resumed


def is_run(words: str) -> bool:
    """Whether the first argument of `trace` is a kept run, and no design."""
    return "://" in words or (Path(words) / "run.json").is_file()
