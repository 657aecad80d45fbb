"""The commands about the register: what a design permits, and by which cause."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from tierproof.command_line.exits import BAD_USAGE, HOLDS, INCOMPLETE, VIOLATED, print_json
from tierproof.command_line.options import AsJson, DesignName, MaxStates

if TYPE_CHECKING:
    from tierproof.spark_explorer.question import Question

Result = TypeVar("Result")


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


def findings(
    design: DesignName,
    out: Annotated[Path, typer.Option(help="The folder of the register.")] = Path("docs/findings"),
    only: Annotated[list[str] | None, typer.Option(help="Only this entry. Repeatable.")] = None,
    stored: Annotated[
        bool, typer.Option("--stored", help="Replay the traces stored in the folder; no search.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write the register of a design into a folder of its name: findings, then published bugs.

    Each page has the shortest trace, its cause, and the repair or Kafka's own fix.
    If only the words of a design have changed, --stored writes its pages in a second.

    Examples: tierproof findings kip950; tierproof findings kip405 --out build/findings --json
    """
    from tierproof.command_line import finding_cards, telling
    from tierproof.command_line import findings as registers
    from tierproof.model.designs import DESIGNS
    from tierproof.spark_explorer.question import Question

    found, _ = Question(design=design).resolve()
    if stored:
        entries = registers.rewritten(found, out / found.name, only=only or ())
    else:
        entries = registers.register(found, design, only=only or (), watched=not as_json)
    paths = registers.write(entries, out / found.name)
    if design in DESIGNS:
        (out / "README.md").write_text(finding_cards.index(out), encoding="utf-8")
    if as_json:
        told = [{k: v for k, v in one.items() if k != "panels"} for one in entries]
        print_json({"design": found.name, "findings": told})
        return
    for path in paths:
        typer.echo(path)
    for words in filter(None, map(telling.untold, entries)):
        typer.echo(f"tierproof: {words}", err=True)


def isolate(
    design: DesignName,
    scope: Annotated[
        list[str] | None, typer.Option("--scope", help="Only this scope. Repeatable.")
    ] = None,
    finding: Annotated[
        list[str] | None, typer.Option("--finding", help="Only this finding. Repeatable.")
    ] = None,
    max_states: MaxStates = None,
    kept: Annotated[
        bool, typer.Option("--kept", help="Show what is known; explore nothing.")
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option(
            help="Where explorations are kept. Default: beside the ledger; "
            "for a design of your own, the folder `isolation`."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Close a design with all its repairs, then leave out one repair at a time.

    The closed design should violate nothing; what breaks without one repair has one cause.
    Explorations are kept: a run that is interrupted goes on where it was.

    Exit status: 0 closed and all violations accounted for, 1 otherwise, 2 bad usage.

    Examples: tierproof isolate kip950 --scope smoke; tierproof isolate kip950 --kept
    """
    from tierproof.command_line import isolating, isolation_table
    from tierproof.model.language.errors import closest
    from tierproof.spark_explorer import isolation_file
    from tierproof.spark_explorer.question import Question

    found, _ = Question(design=design).resolve()
    scopes = [closest("scope", name, found.scopes) for name in scope or ()]
    names = [closest("finding", n, [one.name for one in found.findings]) for n in finding or ()]
    where = folder or (Path("isolation") if ":" in design else isolation_file.FOLDER)
    if not kept:
        tell = silent if as_json else lambda one: typer.echo(isolation_table.told(one))
        run = isolating.Isolating(found, design, where, max_states=max_states, tell=tell)
        try:
            run.run(scopes, names, watched=not as_json)
        except KeyboardInterrupt:
            typer.echo("tierproof: interrupted; what was explored is kept: INCOMPLETE", err=True)
            raise typer.Exit(INCOMPLETE) from None
    known = isolating.known(found, where)
    print_json(known.as_dict()) if as_json else isolation_table.show(found, known)
    raise typer.Exit(HOLDS if known.is_sound else VIOLATED)


def question_of(question: Question, name: str) -> Question:
    """A question about a finding, isolated; what the question itself asks for comes on top.

    Raises UnknownName for a finding that the design does not have.
    """
    from tierproof.model.language.errors import closest
    from tierproof.model.language.isolation import isolated

    design, _ = question.resolve()
    names = {one.name: one for one in design.findings}
    one = names[closest("finding", name, names)]
    variants = isolated(design, one) if one.story else one.beside
    return replace(
        question,
        scope=question.scope or one.scope,
        variants=tuple(dict.fromkeys((*variants, *question.variants))),
        properties=question.properties or one.claims,
    )


def confirm(
    finding: Annotated[
        list[str] | None, typer.Argument(help="Findings to play. Default: all with a scenario.")
    ] = None,
    kafka: Annotated[
        list[str] | None, typer.Option(help="A release of Kafka, from 3.9 on. Repeatable.")
    ] = None,
    control: Annotated[
        bool, typer.Option(help="Play each finding's control, too: the same without the cause.")
    ] = True,
    out: Annotated[Path, typer.Option(help="Where brokers keep their logs and data.")] = Path(
        ".tierproof/brokers"
    ),
    update: Annotated[
        bool, typer.Option("--update", help="Renew these rows of docs/brokers.md.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Play counterexamples on released Kafka brokers, and say what the brokers show.

    Maven resolves the jars; brokers run on the loopback address and are ended with the command.

    Exit status: 0 every finding is CONFIRMED or FIXED and every control CLEAN, 1 otherwise,
    2 bad usage or brokers that cannot be run, 3 interrupted.

    Examples: tierproof confirm deleted_copies_still_count; tierproof confirm --kafka 3.9.2
    --kafka 4.4.0 --no-control
    """
    from tierproof.command_line import confirmation_table, confirming
    from tierproof.conformance.brokers import NEWEST

    quiet = silent if as_json else confirmation_table.show_progress
    show = silent if as_json else confirmation_table.show
    playing = confirming.confirmed(
        finding or (), kafka or (NEWEST,), out, controls=control, tell=quiet
    )
    results, status = gathered(playing, show, "all brokers are ended")
    if as_json:
        print_json({"results": [one.as_dict() for one in results]})
    else:
        confirmation_table.show_table(results, out)
    if update and results:
        typer.echo(confirming.update(results), err=as_json)
    is_as_expected = all(one.is_as_expected for one in results)
    raise typer.Exit(status or (HOLDS if is_as_expected else VIOLATED))


def record(
    folder: Annotated[Path, typer.Argument(help="The folder to write to.")],
    kafka: Annotated[
        list[str] | None,
        typer.Option(help="A release of Kafka, from 3.9 on. Repeatable: then a folder for each."),
    ] = None,
    file: Annotated[
        list[str] | None, typer.Option("--file", help="Only this recording. Repeatable.")
    ] = None,
    questions: Annotated[
        Path | None, typer.Option(help="The recordings to ask again. Default: the committed ones.")
    ] = None,
    update: Annotated[
        bool,
        typer.Option("--update", help="Write the table docs/releases.md; needs several releases."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Record Kafka's classes again: a release answers what the committed recordings ask.

    Maven resolves the jars; a Java virtual machine runs the classes and is ended with the command.
    What it writes, `conform` reads. It says how many answers differ from the committed ones.

    Exit status: 0 recorded, 2 bad usage or classes that cannot be run, 3 interrupted.

    Examples: tierproof record build/recordings --kafka 4.4.0; tierproof record build/recordings
    --kafka 3.9.2 --kafka 4.3.1 --kafka 4.4.0 --update
    """
    from tierproof.command_line import confirmation_table, recorded, recorded_table
    from tierproof.conformance.brokers import NEWEST

    versions = tuple(dict.fromkeys(kafka or (NEWEST,)))
    if update and (len(versions) < 2 or file or questions):
        raise typer.BadParameter("--update compares several releases, in all committed recordings")
    quiet = silent if as_json else confirmation_table.show_progress
    asked = questions or recorded.QUESTIONS
    show = silent if as_json else recorded_table.show
    recording = recorded.record(folder, versions, asked, files=file or (), tell=quiet)
    made, status = gathered(recording, show, "files that are whole are kept")
    if as_json:
        print_json({"recorded": [one.as_dict() for one in made]})
    if update and status == HOLDS:
        typer.echo(recorded.update(made), err=as_json)
    raise typer.Exit(status)
