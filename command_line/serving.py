"""`tierproof serve` and `tierproof mcp`: walk a state space on a page, or by an assistant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tierproof.command_line import kept
from tierproof.command_line.exits import HOLDS
from tierproof.command_line.options import (
    Bounds,
    ScopeName,
    Variants,
    Without,
    question_of,
    refuse_idle,
)

if TYPE_CHECKING:
    from tierproof.serve.beginnings import Begun
    from tierproof.spark_explorer.question import Question

OF_SERVE = ("starlette", "uvicorn", "mcp")
"""The packages of the extra `serve`."""

What = Annotated[
    str | None,
    typer.Argument(
        metavar="[DESIGN|TRACE|FINDING|RUN]", help="Where to begin. Default: the list of designs."
    ),
]
Of = Annotated[
    str | None,
    typer.Argument(
        metavar="[TRACE|FINDING|PROPERTY]",
        help="Of the design: a trace in ITF, a folder of them, a finding. Of a run: what it has "
        "violated or reached.",
    ),
]
Port = Annotated[int | None, typer.Option(min=1, max=65535, help="Default: a free one.")]
Open = Annotated[bool, typer.Option("--open", help="Open the link in the browser, too.")]


def serve(
    what: What = None,
    of: Of = None,
    scope: ScopeName = None,
    bounds: Bounds = None,
    variant: Variants = None,
    without: Without = None,
    port: Port = None,
    opens: Open = False,
) -> None:
    """Walk a state space on a page: take steps, ask why not, compare branches, find states.

    The page is on this machine alone (127.0.0.1), behind the token in the link that is printed.
    It writes nothing and remembers nothing: a position is a link, which leads there again. Ctrl-C
    ends it. With .json after its path, an address answers JSON.

    Exit status: 0 ended by Ctrl-C, 2 bad usage, 4 a fault.

    Examples:

    tierproof serve

    tierproof serve kip1272 --scope smoke --variant repair_delete_unfinished_copies

    tierproof serve my_file.py:DESIGN build/mine/no_record_lost.itf.json

    tierproof serve copy_meets_the_cleaner

    tierproof serve build/runs/kip950 --port 8000
    """
    check_installed()
    options = {"scope": scope, "set": bounds, "variant": variant, "without": without}
    if what is None or of is not None or _is_no_design(what):
        refuse_idle("a design alone: a trace, a finding and a run have their own", **options)
    question = question_of(what or "", scope, bounds, variant, without, None)
    served, first = _begun(what, of, question)
    from tierproof.serve import server

    def tell(link: str) -> None:
        typer.echo(f"{link}\nCtrl-C ends it.")
        if opens:
            typer.launch(link)

    server.run(served, first, port, tell)
    raise typer.Exit(HOLDS)


def check_installed() -> None:
    """Raise NotInstalled if a package of the extra `serve` is missing."""
    from tierproof.spark_explorer import engines

    engines.check_installed("the page, or the server for assistants,", "serve", OF_SERVE)


def _is_no_design(words: str) -> bool:
    """Whether a first argument is a run, a trace or a finding."""
    from tierproof.spark_explorer.registry import DESIGNS

    is_design = words in DESIGNS or ":" in words or words.endswith(".py")
    return kept.is_run(words) or not is_design


def _begun(what: str | None, of: str | None, question: Question) -> Begun:
    from tierproof.serve import beginnings

    if what is None:
        return beginnings.of_nothing()
    if kept.is_run(what):
        return beginnings.of_run(what, of)
    if of is not None:
        return beginnings.of_trace(what, of)
    if _is_no_design(what):
        return beginnings.of_trace(beginnings.design_of(what), what)
    return beginnings.of_design(question)


def mcp() -> None:
    """Offer tools to an assistant by the Model Context Protocol, on standard input and output.

    Tools: list_designs, explore (bounded in states and seconds), trace, why, why_not, what_if. A
    design of your own is a file below this folder (`my_design.py:DESIGN`), which is read anew
    whenever it was saved. An editor starts the command; you need not.

    Exit status: 0 ended by the assistant, 2 bad usage, 4 a fault.

    Examples:

    tierproof mcp

    claude mcp add tierproof -- tierproof mcp
    """
    check_installed()
    from tierproof.serve import tools

    tools.server().run()
    raise typer.Exit(HOLDS)
