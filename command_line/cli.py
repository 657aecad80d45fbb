"""The command line. Heavy imports happen inside commands, so that `--help` answers at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tierproof.command_line import (
    ablate,
    assumed,
    audit,
    kept,
    mutating,
    nearest,
    new_design,
    querying,
    registering,
    release_commands,
    running,
    serving,
    sizing,
    trace,
    tracing,
    why_not,
)
from tierproof.command_line.displays import show_bars
from tierproof.command_line.exits import (
    BAD_USAGE,
    HOLDS,
    INCOMPLETE,
    STATUSES,
    VIOLATED,
    complain,
    print_json,
    say_warnings,
    silent,
)
from tierproof.command_line.options import (
    AsJson,
    Bounds,
    ChosenEngine,
    ChosenSearch,
    Claims,
    Depth,
    DesignName,
    Explained,
    FindingName,
    Fingerprint,
    First,
    Format,
    Master,
    MaxStates,
    NoSymmetry,
    ResultFolder,
    RunAddress,
    ScopeName,
    Seconds,
    Seed,
    TraceFormats,
    Untaken,
    Variants,
    WalkCount,
    Why,
    Without,
    engine_of,
    question_of,
    reason_for,
    refuse_idle,
    refuse_in_json,
    shown_as,
    walks_of,
)
from tierproof.command_line.strict_command import App

if TYPE_CHECKING:
    pass

app = App(
    name="tierproof",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help="Check designs of Kafka tiered storage: every interleaving within a scope.\n\n"
    "Colours are off if NO_COLOR is set or the output is not a terminal.",
    epilog=f"{STATUSES}\n\n"
    "Start with: tierproof list; then: tierproof explore kip950 --scope smoke",
)


@app.command("list")
def list_designs(
    design: Annotated[str | None, typer.Argument(help="Show one design in full.")] = None,
    source: Annotated[
        bool,
        typer.Option(
            "--source",
            help="What an edit of the design needs: import paths, fields, who calls which helper.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the designs, or the parts of one design: scopes, variants, guards, properties.

    Examples: tierproof list; tierproof list kip950; tierproof list my_module:DESIGN --json;
    tierproof list kip405 --source
    """
    from tierproof.command_line import console, source_table
    from tierproof.register import inventory

    if design is None:
        refuse_idle("one design: name it", source=source)
    if design is not None and source:
        told = inventory.source_of(design)
        print_json(told) if as_json else source_table.show(told)
    elif design is not None:
        found = inventory.of_design(design)
        print_json(found) if as_json else console.show_design(found)
    else:
        designs = inventory.of_all()
        print_json(designs) if as_json else console.show_designs(designs)


@app.command()
def explore(
    design: DesignName,
    scope: ScopeName = None,
    bounds: Bounds = None,
    engine: ChosenEngine = None,
    master: Master = None,
    run: RunAddress = None,
    variant: Variants = None,
    without: Without = None,
    claims: Claims = None,
    finding: FindingName = None,
    max_states: MaxStates = None,
    first: First = False,
    no_symmetry: NoSymmetry = False,
    fingerprint: Fingerprint = None,
    seed: Seed = None,
    walks: WalkCount = None,
    depth: Depth = None,
    seconds: Seconds = None,
    out: ResultFolder = None,
    trace_formats: TraceFormats = None,
    untaken: Untaken = False,
    why: Why = Explained.BRIEF,
    as_json: AsJson = False,
) -> None:
    """Explore every interleaving within a scope; or take random walks, which never say HOLDS.

    Exit status: 0 every property HOLDS, 1 something is VIOLATED, 2 bad usage, 3 INCOMPLETE, 4 a
    fault of the design, of tierproof or of the machine; what was found until then is printed.

    Examples: tierproof explore kip950 --scope smoke

    tierproof explore kip950 --finding deleted_copies_still_count

    tierproof explore my_module:DESIGN --run build/runs/mine

    tierproof explore kip950 --scope deep --set brokers=3 --engine simulate --seconds 30 --seed 7
    """
    formats = tracing.formats_of(trace_formats, out)
    refuse_in_json(as_json, untaken=untaken, why=why is Explained.FULL)
    how: dict[str, Any] = {"symmetry": not no_symmetry, "fingerprint_bits": fingerprint}
    asked = question_of(design, scope, bounds, variant, without, claims, **how)
    question = registering.question_of(asked, finding) if finding else asked
    chosen = engine_of(engine, master)
    searched: dict[str, Any] = {"run": run, "max_states": max_states, "fingerprint": fingerprint}
    told = {"chosen_for": None if engine else reason_for(chosen), **kept.rested(question, run)}
    walked = walks_of(chosen, searched, seed=seed, walks=walks, depth=depth, seconds=seconds)
    options = {"keeping": kept.begun(run, question, chosen), "max_states": max_states}
    result = running.found(question, chosen, not as_json, walked, first, master=master, **options)
    running.end(result, told | shown_as(untaken, why), out, formats, as_json)


@app.command()
def draw(
    design: DesignName,
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("build/drawings"),
    formats: Annotated[
        list[Format] | None, typer.Option("--format", help="Default: all. Repeatable.")
    ] = None,
    scope: Annotated[
        list[str] | None,
        typer.Option("--scope", help="Mark edges not taken here. Default: the small scopes."),
    ] = None,
    variant: Variants = None,
    as_json: AsJson = False,
) -> None:
    """Draw the lifecycles of a design from the objects that are checked.

    The edges of a thread are its actions. The small scopes of the design are explored first;
    edges that none of them takes are dashed.

    Examples: tierproof draw kip950; tierproof draw kip950 --format mermaid --out docs
    """
    from tierproof import diagrams
    from tierproof.command_line import drawing
    from tierproof.spark_explorer.question import Question

    question = Question(design=design, variants=tuple(variant or ()))
    found, _ = question.resolve()
    wanted = tuple(str(one) for one in formats or tuple(Format))
    results = drawing.results_for(question, found, scope or (), watched=not as_json)
    paths = diagrams.draw_design(found, out, wanted, results)
    if as_json:
        print_json({"design": found.name, "files": [str(path) for path in paths]})
        return
    for path in paths:
        typer.echo(path)
    if "svg" in wanted and not any(path.suffix == ".svg" for path in paths):
        typer.echo("The `dot` binary (Graphviz) is missing: only DOT and Mermaid text is written.")


@app.command()
def diff(
    old: Annotated[str, typer.Argument(help="The design that is changed: a name or import path.")],
    new: Annotated[
        str | None, typer.Argument(help="The design that changes it. Default: the same design.")
    ] = None,
    variant: Variants = None,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print Markdown, to paste into a thread.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show what a design changes in another design, or a variant in its design.

    Dropped, edited and added: actions, initial states, fences, fields, properties, helpers.

    Examples:

    tierproof diff kip405 kip950

    tierproof diff kip950 --variant repair_raise_log_start_first --markdown
    """
    from tierproof import diagrams
    from tierproof.model.language.difference import difference
    from tierproof.spark_explorer.question import Question

    if new is None and not variant:
        raise typer.BadParameter("name two designs, or a design and a --variant of it")
    refuse_idle("a page, not for --json", markdown=as_markdown and as_json)
    before, _ = Question(design=old).resolve()
    after, _ = Question(design=new or old, variants=tuple(variant or ())).resolve()
    found = difference(before, after)
    if as_json:
        print_json(found.as_dict())
    else:
        show = diagrams.difference_as_markdown if as_markdown else diagrams.difference_as_text
        typer.echo(show(found))


@app.command()
def review(
    scope: Annotated[str, typer.Option("--scope", help="The scope of every design.")] = "default",
    design: Annotated[
        list[str] | None,
        typer.Option("--design", help="Only this design, perhaps one of your own. Repeatable."),
    ] = None,
    engine: ChosenSearch = None,
    master: Master = None,
    out: Annotated[Path, typer.Option(help="Folder of the report.")] = Path("build/review"),
    update_ledger: Annotated[
        bool, typer.Option("--update-ledger", help="Record the results as expected.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Explore every design and write a page for each document, with an index.

    Verdicts are shown as each design finishes: in memory several designs are explored in
    parallel, on Spark (--engine spark, or --master) one after the other.

    Exit status: 0 every verdict and count is as in the ledger (a known violation is
    expected), 1 otherwise, 2 bad usage, 3 interrupted, 4 a fault.

    Examples: tierproof review; tierproof review --scope smoke; tierproof review --engine spark
    """
    from tierproof.command_line import console, reviewing, writing

    of_ones_own = any(":" in name for name in design or ())
    refuse_idle("registered designs", update_ledger=update_ledger and of_ones_own)
    writing.check(out)
    writing.claim(out)
    try:
        found = reviewing.review(
            scope=scope,
            names=tuple(design or ()),
            engine=engine_of(engine, master),
            master=master,
            out=out,
            update=update_ledger,
            watched=not as_json,
            tell=silent if as_json else console.show_reviewed,
        )
    except KeyboardInterrupt:
        complain("interrupted, and no report written: INCOMPLETE")
        raise typer.Exit(INCOMPLETE) from None
    if as_json:
        print_json(found.as_dict())
    else:
        console.show_review(found)
    raise typer.Exit(HOLDS if found.is_as_expected else VIOLATED)


app.command("size")(sizing.size)
app.command("estimate")(sizing.estimate)
app.command("new")(new_design.new)
app.command("ablate")(ablate.ablate)
app.command("assumptions")(assumed.assumptions)
app.command("mutate")(mutating.mutate)
app.command("findings")(registering.findings)
app.command("mail")(registering.mail)
app.command("isolate")(registering.isolate)
app.command("audit")(audit.audit)
app.command("confirm")(release_commands.confirm)
app.command("record")(release_commands.record)
app.command("conform")(release_commands.conform)
app.command("trace")(trace.trace)
app.command("why")(why_not.why)
app.command("what-if")(why_not.what_if)
app.command("nearest")(nearest.nearest)
app.command("resume")(kept.resume)
app.command("runs")(kept.runs)
app.command("show")(kept.show)
app.command("query")(querying.query)
app.command("serve")(serving.serve)
app.command("mcp")(serving.mcp)


def run() -> int:
    """Run the command that the process was called with; returns its exit status.

    Raises what goes wrong in it, but for bad usage, and KeyboardInterrupt.
    """
    from tierproof.model.language.errors import DesignError

    say_warnings()
    show_bars()
    try:
        status = app(standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except SystemExit as ended:
        if isinstance(ended.__context__, OSError):  # so Typer ends where nobody reads the output
            raise BrokenPipeError from None
        raise DesignError(f"a function of the design has called sys.exit({ended.code!r})") from None
    except Exception as error:
        if not hasattr(error, "show") or not hasattr(error, "exit_code"):
            raise
        error.show()
        return BAD_USAGE
    if status == BY_INTERRUPT:
        raise KeyboardInterrupt
    return int(status or HOLDS)


BY_INTERRUPT = 130
"""Typer's own exit status after Ctrl-C."""
