"""The commands that run released Kafka: brokers that play findings, classes that are recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tierproof.command_line.exits import HOLDS, VIOLATED, gathered, print_json, silent
from tierproof.command_line.options import AsJson


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
        bool, typer.Option("--update", help="Renew these rows of what is kept.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Play counterexamples on released Kafka brokers, and say what the brokers show.

    Maven resolves the jars; brokers run on the loopback address and are ended with the command.

    Exit status: 0 every finding is CONFIRMED or FIXED and every control CLEAN, 1 otherwise,
    2 bad usage, 3 interrupted, 4 brokers that cannot be run, or a fault.

    Examples: tierproof confirm deleted_copies_still_count; tierproof confirm --kafka 3.9.2
    --kafka 4.4.0 --no-control
    """
    from tierproof.command_line import confirmation_table, confirming, writing
    from tierproof.conformance.brokers import NEWEST

    writing.claim(out)
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
        typer.Option("--update", help="Keep how releases differ; needs several."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Record Kafka's classes again: a release answers what the committed recordings ask.

    Maven resolves the jars; a Java virtual machine runs the classes and is ended with the command.
    What it writes, `conform` reads. It says how many answers differ from the committed ones.

    Exit status: 0 recorded, 2 bad usage, 3 interrupted, 4 classes that cannot be run,
    or a fault.

    Examples: tierproof record build/recordings --kafka 4.4.0; tierproof record build/recordings
    --kafka 3.9.2 --kafka 4.3.1 --kafka 4.4.0 --update
    """
    from tierproof.command_line import confirmation_table, recordings, recordings_table
    from tierproof.conformance.brokers import NEWEST

    versions = tuple(dict.fromkeys(kafka or (NEWEST,)))
    if update and (len(versions) < 2 or file or questions):
        raise typer.BadParameter("--update compares several releases, in all committed recordings")
    quiet = silent if as_json else confirmation_table.show_progress
    asked = questions or recordings.QUESTIONS
    show = silent if as_json else recordings_table.show
    recording = recordings.record(folder, versions, asked, files=file or (), tell=quiet)
    made, status = gathered(recording, show, "files that are whole are kept")
    if as_json:
        print_json({"recorded": [one.as_dict() for one in made]})
    if update and status == HOLDS:
        typer.echo(recordings.update(made), err=as_json)
    raise typer.Exit(status)


def conform(
    folder: Annotated[
        Path | None,
        typer.Argument(help="A folder with files of recordings. Default: those of the package."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare the model with recorded behaviour of the real Kafka classes.

    Exit status: 0 every recorded row agrees, 1 some row does not or cannot be replayed yet,
    2 bad usage, 3 interrupted, 4 a fault.

    Examples: tierproof conform; tierproof conform build/recordings --json
    """
    from tierproof import conformance
    from tierproof.command_line import console

    results = conformance.conform(folder or conformance.RECORDINGS)
    if as_json:
        print_json({"files": [result.as_dict() for result in results]})
    else:
        console.show_conformance(results)
    raise typer.Exit(HOLDS if all(result.agrees for result in results) else VIOLATED)
