"""How a search or random walks run and end: the result printed, and written where that is asked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from tierproof.command_line import tracing
from tierproof.command_line.exits import EXIT_STATUS, FAULT, INCOMPLETE, complain, print_json
from tierproof.command_line.grounds import Grounds
from tierproof.command_line.options import check_first, refuse_idle
from tierproof.command_line.writing import earlier, written_to

if TYPE_CHECKING:
    from tierproof.spark_explorer.question import Question
    from tierproof.spark_explorer.results import Result


def write(
    result: Result,
    folder: Path,
    formats: Sequence[str] = tracing.DEFAULT,
    grounds: Grounds = (),
) -> str:
    """Write `result.json`, and every counterexample in these formats, into `folder`.

    Returns where it is written, and what is there of an earlier run, in words. Raises NotWritten,
    which names the folder.
    """
    found = {**result.as_dict(), "rests_on": list(grounds)}
    written = [folder / "result.json"]
    with written_to(folder):
        folder.mkdir(parents=True, exist_ok=True)
        is_first = not written[0].exists()
        written[0].write_text(json.dumps(found, indent=2) + "\n", "utf-8")
        for entry, shown in zip(result.properties, found["properties"], strict=True):
            if entry.trace is not None:
                for one in formats:
                    path = folder / f"{entry.name}{tracing.SUFFIXES[one]}"
                    text = tracing.rendered(entry.trace, shown, one, result.resumed)
                    path.write_text(text, "utf-8")
                    written.append(path)
        replaced = "" if is_first else ", in place of an earlier result"
        return f"written to {folder}{replaced}{earlier(folder, written)}"


def end(
    result: Result, told: dict[str, Any], out: Path | None, formats: list[str], as_json: bool
) -> NoReturn:
    """Write a result, then print it; exits with its status, also if this is interrupted.

    It is written first: whoever reads what is printed may stop reading at any line.

    `told` are the options of `show_result`.
    """
    try:
        _tell(result, told, out, formats, as_json)
    except KeyboardInterrupt:
        complain(f"interrupted amid the output; the verdict is {result.verdict}")
    if result.fault is not None:
        complain(result.fault.message)
        raise typer.Exit(FAULT)
    raise typer.Exit(EXIT_STATUS[str(result.verdict)])


def _tell(
    result: Result, told: dict[str, Any], out: Path | None, formats: list[str], as_json: bool
) -> None:
    from tierproof.command_line import result_table

    try:
        where = "" if out is None else write(result, out, formats, told["grounds"])
    finally:  # also a result that a full disk refuses is printed
        if as_json:
            print_json({**result.as_dict(), "rests_on": told["grounds"]})
        else:
            result_table.show_result(result, **told)
    if where:
        typer.echo(where, err=as_json)


def found(
    question: Question,
    engine: str,
    watched: bool,
    walked: dict[str, Any],
    first: bool,
    **options: Any,
) -> Result:
    """The result of a question, until a fault if there is one.

    Exits on Ctrl-C before the search, or the walks, began.
    """
    from tierproof.model.language.errors import DesignError
    from tierproof.spark_explorer import runs
    from tierproof.spark_explorer.results import Result

    check_first(question, first=first)
    if walked:
        refuse_idle("a search, not for --engine simulate", no_symmetry=not question.symmetry)
    try:
        if walked:
            return runs.walk(question, watched=watched, first=first, **walked)
        return runs.run(question, engine=engine, watched=watched, first=first, **options)
    except DesignError as error:
        if isinstance(error.found, Result):
            return error.found
        raise
    except KeyboardInterrupt:
        complain("interrupted before the search began: INCOMPLETE")
        raise typer.Exit(INCOMPLETE) from None
