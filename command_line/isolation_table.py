"""What closed and isolated designs violate, as a table in the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table

from tierproof.command_line import console
from tierproof.model.language.design import Design
from tierproof.register.isolation import causes, closed, proposes_otherwise
from tierproof.register.isolation import file as isolation_file
from tierproof.register.isolation.explorations import Isolation

NOT_EXPLORED = "[yellow]not explored[/yellow]"


def show(design: Design, found: Isolation) -> None:
    """The closed design scope by scope, then what is not accounted for."""
    out = console.terminal()
    out.print(f"[bold]{design.name}[/bold], closed by {', '.join(closed(design)) or 'no repair'}")
    out.print(_scopes(design, found))
    for scope, told in found.accounts.items():
        for name, by in told.items():
            words = ", ".join(by) or "[bold red]no finding breaks it, isolated[/bold red]"
            out.print(f"  {scope}: {name}: {words}")
    for name in found.silent:
        out.print(f"[bold red]{name}[/bold red]: nothing breaks, or it is not explored yet")
    for name, claims in found.unlike.items():
        claimed = _claims(design, name)
        for claim in claims:
            what = "claimed, and holds" if claim in claimed else "broken, and not claimed"
            out.print(f"[bold red]{name}[/bold red]: {claim}: {what}")
    words = "closed and accounted for" if found.is_sound else "not yet closed or accounted for"
    out.print(f"[bold]{design.name}[/bold] is {words}.")


def told(explored: Mapping[str, Any]) -> str:
    """One exploration in a line, as soon as it is made."""
    violated = ", ".join(f"{name} ({n})" for name, n in explored["violated"].items())
    counts = f"{explored['distinct_states']:,} states"
    cut = f", cut: {explored['cut']}" if "cut" in explored else ""
    variants = ", ".join(explored["variants"]) or "as written"
    return f"{explored['scope']} with {variants}: {counts}{cut}: {violated or 'nothing violated'}"


def _claims(design: Design, name: str) -> tuple[str, ...]:
    return next(one.claims for one in causes(design) if one.name == name)


def _scopes(design: Design, found: Isolation) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    proposed = found.proposed if proposes_otherwise(design) else {}
    columns = ["scope", "closed", "distinct", "generated", "depth", "still violated"]
    for column in [*columns, "with all proposals"] if proposed else columns:
        is_number = column in ("distinct", "generated", "depth")
        table.add_column(column, justify="right" if is_number else "left")
    for scope in design.scopes:
        last = [_proposed(proposed.get(scope))] if proposed else []
        table.add_row(scope, *_closed(found.scopes.get(scope)), *last)
    return table


def _closed(explored: Mapping[str, Any] | None) -> list[str]:
    """The columns of the closed design in a scope."""
    if explored is None:
        return [NOT_EXPLORED, "", "", "", ""]
    return [
        _word(explored),
        f"{explored['distinct_states']:,}",
        f"{explored['generated_states']:,}",
        str(explored["depth"]),
        ", ".join(explored["violated"]),
    ]


def _proposed(explored: Mapping[str, Any] | None) -> str:
    if explored is None:
        return NOT_EXPLORED
    violated = ", ".join(explored["violated"])
    return f"{_word(explored)} {explored['distinct_states']:,} {violated}".rstrip()


def _word(explored: Mapping[str, Any]) -> str:
    if explored["violated"]:
        return "[bold red]VIOLATED[/bold red]"
    if isolation_file.unfinished(explored):
        return "[yellow]INCOMPLETE[/yellow]"
    return "[green]HOLDS[/green]"
