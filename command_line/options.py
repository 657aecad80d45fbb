"""Options that several commands share, with their `--help` texts, and what they ask for."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Sequence
from enum import StrEnum
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from tierproof.spark_explorer.question import Question


class SearchEngine(StrEnum):
    """The execution of a search."""

    MEMORY = "memory"
    SPARK = "spark"


class Engine(StrEnum):
    """The execution of a search, or random walks in its place."""

    MEMORY = "memory"
    SPARK = "spark"
    SIMULATE = "simulate"


class Format(StrEnum):
    """The formats that `draw` writes."""

    SVG = "svg"
    MERMAID = "mermaid"
    DOT = "dot"


class TraceFormat(StrEnum):
    """The formats of a trace."""

    TEXT = "text"
    MARKDOWN = "markdown"
    MERMAID = "mermaid"
    SVG = "svg"
    ITF = "itf"


class Explained(StrEnum):
    """How much of an explanation is printed."""

    BRIEF = "brief"
    FULL = "full"


DesignName = Annotated[
    str,
    typer.Argument(
        help="A design by name (see `list`), import path (my_module:DESIGN) or file "
        "(path/to/file.py:DESIGN)."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object, for machines.")]
ScopeName = Annotated[str | None, typer.Option("--scope", help="A named scope of the design.")]
Bounds = Annotated[
    list[str] | None, typer.Option("--set", help="Change a bound: bound=value. Repeatable.")
]
Variants = Annotated[
    list[str] | None,
    typer.Option(
        "--variant",
        help="Take a variant of the design, or an edit of yours: path/to/file.py:NAME. Repeatable.",
    ),
]
Without = Annotated[
    list[str] | None, typer.Option("--without", help="Ablate a guard by name. Repeatable.")
]
Master = Annotated[
    str | None, typer.Option(help="Spark master, e.g. spark://host:7077. Default: this machine.")
]
RunAddress = Annotated[
    str | None,
    typer.Option(
        "--run",
        help="Keep the run here: a new folder, or s3://, gs://, abfs://, hdfs:// (on a cluster, "
        "storage that executors share).",
    ),
]
ChosenRun = Annotated[str, typer.Argument(metavar="RUN", help="A kept run: a folder, or s3://...")]
ChosenEngine = Annotated[
    Engine | None,
    typer.Option("--engine", help="simulate: random walks, no search. Default: chosen."),
]
ChosenSearch = Annotated[
    SearchEngine | None, typer.Option("--engine", help="Default: chosen for the scope.")
]
Seed = Annotated[
    int | None, typer.Option(help="Of random walks. Default: a new one, which is printed.")
]
WalkCount = Annotated[
    int | None, typer.Option("--walks", help="Take so many random walks. Default: no limit.")
]
Depth = Annotated[int | None, typer.Option(help="The most steps of a random walk. Default: 200.")]
Seconds = Annotated[
    float | None,
    typer.Option(help="Take random walks for so long. Default: 60, with --walks no limit."),
]
Claims = Annotated[
    list[str] | None,
    typer.Option("--property", help="Report on this property, witness or law only. Repeatable."),
]
FindingName = Annotated[
    str | None,
    typer.Option(
        "--finding", help="Explore a finding, isolated: in its scope, without its repair alone."
    ),
]
MaxStates = Annotated[
    int | None, typer.Option(min=1, help="Stop (INCOMPLETE) after this many distinct states.")
]
First = Annotated[
    bool,
    typer.Option(
        "--first",
        help="End (INCOMPLETE) with the level of the first violation, of any or of the named "
        "properties; liveness is judged at the end only.",
    ),
]
NoSymmetry = Annotated[
    bool,
    typer.Option("--no-symmetry", help="Visit all states, also of things that are declared alike."),
]
Fingerprint = Annotated[
    int | None,
    typer.Option(
        "--fingerprint",
        metavar="BITS",
        help="64 or 128: the bits that stand for a state. 128 take 16 bytes a state and not 8, "
        "and leave no chance worth a word that one state hides another.",
    ),
]
Untaken = Annotated[
    bool,
    typer.Option("--untaken", help="Name the actions and lifecycle edges that were never taken."),
]
Why = Annotated[
    Explained,
    typer.Option(
        "--why", help="How much is said of why a property is violated: ten lines, or all of it."
    ),
]
TraceFormats = Annotated[
    list[TraceFormat] | None,
    typer.Option(
        "--trace-format",
        help="The formats of traces in --out. Default: text, mermaid, svg. Repeatable.",
    ),
]
ResultFolder = Annotated[
    Path | None, typer.Option("--out", help="Write result, traces and drawings to this folder.")
]


def question_of(
    design: str,
    scope: str | None,
    bounds: Sequence[str] | None,
    variants: Sequence[str] | None,
    without: Sequence[str] | None,
    claims: Sequence[str] | None,
    *,
    symmetry: bool = True,
    fingerprint_bits: int | None = None,
) -> Question:
    """The question that the options ask."""
    from tierproof.spark_explorer.question import Question

    changed = [_bound(words) for words in bounds or ()]
    for name, values in itertools.groupby(sorted(changed), key=itemgetter(0)):
        if len(given := [str(value) for _, value in values]) > 1:
            raise typer.BadParameter(f"--set gives {name} as {' and as '.join(given)}: choose one")
    return Question(
        design=design,
        scope=scope,
        bounds=tuple(changed),
        variants=tuple(variants or ()),
        without=tuple(without or ()),
        properties=tuple(claims or ()),
        symmetry=symmetry,
        fingerprint_bits=64 if fingerprint_bits is None else fingerprint_bits,
    )


def _bound(words: str) -> tuple[str, int]:
    from tierproof.model.language.decimals import whole_number

    name, equals, value = words.partition("=")
    try:
        return name, whole_number(value)
    except ValueError:
        given = repr(words) if equals else f"{words!r} without '='"
        raise typer.BadParameter(f"--set takes bound=value, a whole number, not {given}") from None


def engine_of(engine: StrEnum | None, master: str | None) -> str:
    """The engine that is asked for, or that suits."""
    if engine is None:
        return str(Engine.MEMORY if master is None else Engine.SPARK)
    if engine != Engine.SPARK:
        refuse_idle("--engine spark", master=master)
    return str(engine)


def refuse_idle(needed: str, **given: object) -> None:
    """Raise BadParameter for an option that is given and would do nothing without `needed`."""
    for name, value in given.items():
        if value is not None and value is not False and value != []:
            raise typer.BadParameter(
                f"--{name.replace('_', '-')} is for {needed}, and would do nothing here"
            )


def refuse_in_json(as_json: bool, **given: bool) -> None:
    """Raise BadParameter for an option of the table's, as JSON has all of what it adds."""
    if as_json:
        refuse_idle("a table, not for --json, which has them", **given)


def shown_as(untaken: bool, why: Explained) -> dict[str, Any]:
    """The options of `show_result` that say how much of a result is printed."""
    return {"names_untaken": untaken, "is_why_full": why is Explained.FULL}


def reason_for(engine: str) -> str:
    """Why this engine was chosen."""
    if engine == Engine.MEMORY:
        return "memory, the faster one on a single machine; --engine spark distributes"
    return "spark, as a master was given"


def walks_of(engine: str, searched: dict[str, Any], **walked: Any) -> dict[str, Any]:
    """The given options of random walks, with a seed; none for a search.

    `walked` are the options of random walks alone, `searched` those of a search alone.
    """
    if engine != Engine.SIMULATE:
        refuse_idle("--engine simulate", **walked)
        return {}
    refuse_idle("a search, not for --engine simulate", **searched)
    given = {name: value for name, value in walked.items() if value is not None}
    return {"seed": secrets.randbelow(1 << 32), **given}


def check_first(question: Question, *, first: bool = True) -> None:
    """Raise BadParameter if nothing that is asked about can end a search by its first violation."""
    if not first:
        return
    from tierproof.model.language.properties import PropertyKind

    design, _ = question.resolve()
    late = {one.name for one in design.properties if one.kind is PropertyKind.LIVENESS}
    if question.properties and set(question.properties) <= late:
        refuse_idle("what a level can violate, not for liveness alone", first=True)
