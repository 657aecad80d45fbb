"""Options that several commands share, with their `--help` texts."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Engine(StrEnum):
    """The execution of a search."""

    MEMORY = "memory"
    SPARK = "spark"


class Format(StrEnum):
    """The formats that `draw` writes."""

    SVG = "svg"
    MERMAID = "mermaid"
    DOT = "dot"


DesignName = Annotated[
    str, typer.Argument(help="A design by name (see `list`) or import path (my_module:DESIGN).")
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
    Engine | None, typer.Option("--engine", help="Default: chosen for the scope.")
]
Claims = Annotated[
    list[str] | None,
    typer.Option("--property", help="Report on this property, witness or law only. Repeatable."),
]
MaxStates = Annotated[
    int | None, typer.Option(min=1, help="Stop (INCOMPLETE) after this many distinct states.")
]
ResultFolder = Annotated[
    Path | None, typer.Option("--out", help="Write result, traces and drawings to this folder.")
]
