"""`tierproof assumptions`: what the verdicts on a design rest on, and what that hides."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tierproof.command_line.exits import HOLDS, print_json
from tierproof.command_line.options import AsJson, DesignName, Variants, question_of

if TYPE_CHECKING:
    from tierproof.register.assumptions import Assumption


def assumptions(
    design: DesignName,
    name: Annotated[
        list[str] | None, typer.Argument(metavar="[ID]...", help="Only these. Default: all.")
    ] = None,
    variant: Variants = None,
    as_json: AsJson = False,
) -> None:
    """Tell what the verdicts on a design rest on, and which published bugs nothing can show then.

    They are those of the design and of the designs that it is derived of; where a --variant has
    the other reading, that assumption is not among them. A design of your own says what it
    assumes in Design(assumptions={"A1": "..."}).

    Exit status: 0 they are told, 2 bad usage.

    Examples: tierproof assumptions kip405; tierproof assumptions kip950 K1 B3 --json
    """
    from tierproof.model.language.errors import closest
    from tierproof.register.assumptions import rests_on

    found, _ = question_of(design, None, None, variant, None, None).resolve()
    known = {one.name: one for one in rests_on(found)}
    chosen = [known[closest("assumption", one, known)] for one in dict.fromkeys(name or known)]
    if as_json:
        print_json({"design": found.name, "assumptions": [_as_dict(one) for one in chosen]})
    elif not chosen:
        typer.echo(f"{found.name} says nothing of what it assumes: Design(assumptions=...)")
    else:
        typer.echo("\n\n".join(map(_told, chosen)))
    raise typer.Exit(HOLDS)


def _as_dict(one: Assumption) -> dict[str, Any]:
    told = asdict(one)
    return {"id": told.pop("name"), **told, "hides": list(one.hides)}


def _told(one: Assumption) -> str:
    parts = {
        "Kafka, or the text": one.text,
        "here": one.choice,
        "otherwise": one.other,
        "hides": ", ".join(one.hides),
        "open question": one.asks,
    }
    lines = [f"  {title}: {words}" for title, words in parts.items() if words]
    return "\n".join([f"{one.name}  {one.document}", *lines])
