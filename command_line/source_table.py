"""Terminal output of where the parts of a design are: a line for each, which `grep` finds whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import typer

SLOTS = {
    "initial": "initial states",
    "system": "system",
    "environment": "environment",
    "guards": "guards",
    "properties": "properties",
    "witnesses": "witnesses",
}
NO_PATH = {
    "guards": "no import: DESIGN.guards[NAME]",
    "system": "no import: DESIGN.action(NAME)",
    "environment": "no import: DESIGN.action(NAME)",
}


def show(told: Mapping[str, Any]) -> None:
    """The import paths of a design, its fields, and the helpers that `define` can replace."""
    typer.echo(f"{told['name']}  {_import(told['import'])}")
    typer.echo(f"state   {_import(told['state']['import'])}")
    typer.echo(f"bounds  {_import(told['scope'])}")
    _section("fields of the state", map(_field, told["state"]["fields"]))
    domains = told["domains"].items()
    _section("domains", (f"{n}: {one['domain']}  {_import(one['import'])}" for n, one in domains))
    for part, title in SLOTS.items():
        _section(title, (_slot(part, name, one) for name, one in told[part].items()))
    _section("helpers, which `define` can replace", map(_helper, told["helpers"]))


def _section(title: str, lines: Iterable[str]) -> None:
    if found := list(lines):
        typer.echo(f"\n{title}")
        for line in found:
            typer.echo(f"  {line}")


def _field(one: Mapping[str, Any]) -> str:
    kind = "" if one["kind"] == "protocol" else f"  ({one['kind']})"
    return f"{one['path']}: {one['domain']}{kind}"


def _slot(part: str, name: str, one: Mapping[str, Any]) -> str:
    takes = f"({', '.join(one['takes'])})" if "takes" in one else ""
    where = _import(one["import"]) if one["import"] else NO_PATH.get(part, "no import")
    of = f"  of {', '.join(one['of'])}" if one.get("of") else ""
    return f"{name}{takes}  {where}{of}"


def _helper(one: Mapping[str, Any]) -> str:
    callers = "; ".join(
        f"{kind} {', '.join(names)}" for kind, names in sorted(one["called_by"].items())
    )
    return f"{one['name']}({', '.join(one['takes'])})  {_import(one['import'])}  by {callers}"


def _import(path: str) -> str:
    """An import path as the line of Python that imports it; a file is named as it is."""
    module, _, name = path.rpartition(":")
    return path if module.endswith(".py") or not module else f"from {module} import {name}"
