"""`tierproof nearest`: how near states come to what no state reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tierproof.command_line.exits import HOLDS, print_json
from tierproof.command_line.options import (
    AsJson,
    Bounds,
    DesignName,
    Explained,
    ScopeName,
    Variants,
    Why,
    Without,
    question_of,
    refuse_in_json,
)

if TYPE_CHECKING:
    from tierproof.model.language import Design, Scope
    from tierproof.model.language.actions import Predicate


def nearest(
    design: DesignName,
    name: Annotated[
        str,
        typer.Argument(
            metavar="WITNESS|PROPERTY", help="A witness, or a property whose premise is meant."
        ),
    ],
    scope: ScopeName = None,
    bounds: Bounds = None,
    variant: Variants = None,
    without: Without = None,
    steps: Annotated[
        int, typer.Option("--steps", min=1, help="How many steps the walks take in all.")
    ] = 200,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the walks.")] = 0,
    detail: Why = Explained.BRIEF,
    as_json: AsJson = False,
) -> None:
    """Say how near states come to a witness or a premise: which condition is true in how many.

    The states are those that random walks meet in CPython, a sample. A state in which the most
    conditions are true is explained.

    Exit status: 0 it is said, also if a state reaches it, 2 bad usage, 4 a fault.

    Examples:

    tierproof nearest kip1272 deleted_keys_stay_deleted --scope smoke

    tierproof nearest my_module:DESIGN everybody_committed --steps 1000 --seed 7 --json
    """
    from tierproof.diagrams import nearest_lines

    refuse_in_json(as_json, why=detail is Explained.FULL)
    asked = question_of(design, scope, bounds, variant, without, None)
    told = _told(*asked.resolve(), name, steps, seed)
    if as_json:
        print_json(told)
    else:
        for line in nearest_lines(told, is_full=detail is Explained.FULL):
            typer.echo(line)
    raise typer.Exit(HOLDS)


def _told(design: Design, scope: Scope, name: str, steps: int, seed: int) -> dict[str, Any]:
    """The answer, as plain values."""
    from tierproof.model.language.explaining import nearest_to, walked_states

    predicate = _predicate(design, name)
    states = walked_states(design, scope, steps=steps, seed=seed)
    found = nearest_to(design, scope, predicate, states)
    return {
        "asked": name,
        "is_witness": name in {one.name for one in design.witnesses},
        "walked": {"steps": steps, "seed": seed},
        "states": len(states),
        "is_reached": found is None,
        **({} if found is None else found.as_dict()),
    }


def _predicate(design: Design, name: str) -> Predicate:
    """The witness, or the premise of the property. Raises UnknownName and BadParameter."""
    from tierproof.model.language.errors import closest

    witnesses = {one.name: one for one in design.witnesses}
    claims = {one.name: one for one in design.properties}
    closest("witness or property", name, {**witnesses, **claims})
    if name in witnesses:
        return witnesses[name]
    premise = claims[name].premise
    if premise is None:
        raise typer.BadParameter(f"{name} has no premise: it asks something of every state")
    return premise
