"""`tierproof new`: a first design that explores, in a file of one's own."""

from __future__ import annotations

import keyword
import sys
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from tierproof.command_line.exits import print_json
from tierproof.command_line.options import AsJson

TEMPLATE = "first_design"
"""The module of this package that is copied; its design has the same name."""


def new(
    path: Annotated[Path, typer.Argument(help="The file to write, e.g. tiering.py.")],
    as_json: AsJson = False,
) -> None:
    """Write a first design: a small one that explores, with a comment on each part.

    A file that is there already is never overwritten.

    Examples: tierproof new tiering.py; tierproof new designs/tiering.py
    """
    path = path.with_suffix(path.suffix or ".py")
    _check_name(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(first_design(path.stem))
    except FileExistsError:
        raise typer.BadParameter(f"{path} is there already, and is left as it is") from None
    commands = [f"tierproof explore {path}:DESIGN", f"tierproof ablate {path}:DESIGN"]
    if as_json:
        print_json({"file": str(path), "next": commands})
        return
    typer.echo(f"{path} has a first design. Explore it:\n\n    {commands[0]}\n")
    typer.echo(f"Then see what each of its guards is for:\n\n    {commands[1]}")


def first_design(name: str) -> str:
    """The text of the first design, for a file of this name."""
    text = files(__package__).joinpath(f"{TEMPLATE}.py").read_text(encoding="utf-8")
    return text.replace(f'name="{TEMPLATE}"', f'name="{name}"')


def _check_name(path: Path) -> None:
    """Raise unless Python can import the file by its name, and finds no other module there."""
    if path.suffix != ".py":
        raise typer.BadParameter(f"a design is a Python file, and {path.name} does not end in .py")
    if not path.stem.isidentifier() or keyword.iskeyword(path.stem):
        raise typer.BadParameter(
            f"Python cannot import a file of the name {path.name}: take letters, digits and _"
        )
    if path.stem in {*sys.stdlib_module_names, "tierproof"}:
        raise typer.BadParameter(f"Python has a module {path.stem} already: take another name")
