"""Options that several commands share, with their `--help` texts, and what they ask for."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from enum import StrEnum
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
    list[str] | None, typer.Option("--variant", help="Take a variant of the design. Repeatable.")
]
Without = Annotated[
    list[str] | None, typer.Option("--without", help="Ablate a guard by name. Repeatable.")
]
Master = Annotated[
    str | None, typer.Option(help="Spark master, e.g. spark://host:7077. Default: this machine.")
]
RunFolder = Annotated[
    Path | None,
    typer.Option(help="Folder for a Spark run; on a cluster, storage that executors share."),
]
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
) -> Question:
    """The question that the options ask."""
    from tierproof.spark_explorer.question import Question

    return Question(
        design=design,
        scope=scope,
        bounds=tuple(_bound(words) for words in bounds or ()),
        variants=tuple(variants or ()),
        without=tuple(without or ()),
        properties=tuple(claims or ()),
    )


def _bound(words: str) -> tuple[str, int]:
    name, equals, value = words.partition("=")
    try:
        return name.strip(), int(value)
    except ValueError:
        given = repr(words) if equals else f"{words!r} without '='"
        raise typer.BadParameter(f"--set takes bound=value, a whole number, not {given}") from None


def engine_of(engine: StrEnum | None, master: str | None) -> str:
    """The engine that is asked for, or that suits."""
    if master is not None and engine not in (None, Engine.SPARK):
        raise typer.BadParameter("--master is for --engine spark")
    if engine is None:
        return str(Engine.MEMORY if master is None else Engine.SPARK)
    return str(engine)


def reason_for(engine: str) -> str:
    """Why this engine was chosen."""
    if engine == Engine.MEMORY:
        return "memory, the faster one on a single machine; --engine spark distributes"
    return "spark, as a master was given"


def walks_of(engine: str, searched: dict[str, Any], **walked: Any) -> dict[str, Any]:
    """The given options of random walks, with a seed; none for a search.

    `searched` are the options of a search alone, `walked` those of random walks alone.
    """
    is_walk = engine == Engine.SIMULATE
    for name, value in (searched if is_walk else walked).items():
        if value is not None:
            needed = "a search, not for --engine simulate" if is_walk else "--engine simulate"
            raise typer.BadParameter(f"--{name.replace('_', '-')} is for {needed}")
    if not is_walk:
        return {}
    given = {name: value for name, value in walked.items() if value is not None}
    return {"seed": secrets.randbelow(1 << 32), **given}
