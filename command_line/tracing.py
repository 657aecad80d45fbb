"""The formats of a trace, and the files that it is written to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from tierproof.command_line.options import TraceFormat

if TYPE_CHECKING:
    from tierproof.model.language import Trace

SUFFIXES = {
    "text": ".txt",
    "mermaid": ".mmd",
    "svg": ".svg",
    "markdown": ".md",
    "itf": ".itf.json",
}
"""Format -> the ending of its files."""
DEFAULT = ("text", "mermaid", "svg")
"""The formats that `explore --out` writes unless others are asked for."""


def formats_of(given: Sequence[TraceFormat] | None, out: Path | None) -> list[str]:
    """The formats that are written into `out`.

    Raises BadParameter if there is no such folder, NotWritten if it refuses.
    """
    from tierproof.command_line import writing

    if given and out is None:
        raise typer.BadParameter("--trace-format is for the traces in --out FOLDER")
    writing.check(out)
    writing.claim(out)
    return [str(one) for one in given or DEFAULT]


def rendered(
    trace: Trace, shown: Mapping[str, Any] | None, form: str, resumed: object | None = None
) -> str:
    """A trace in one of the formats; `shown` is the record of the property that it violates.

    `resumed` is what a result says of that.
    """
    from tierproof import diagrams
    from tierproof.model.language.itf import itf_as_text, trace_as_itf
    from tierproof.spark_explorer.results import trace_as_dict

    if form == "itf":
        name = shown["name"] if shown else ""
        return itf_as_text(trace_as_itf(trace, name, str(resumed) if resumed else ""))
    render = {
        "text": diagrams.trace_as_text,
        "markdown": diagrams.trace_as_markdown,
        "mermaid": diagrams.trace_as_mermaid,
        "svg": diagrams.trace_as_svg,
    }[form]
    return render(trace_as_dict(trace), shown).rstrip("\n") + "\n"
