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
    agreed: Annotated[
        bool, typer.Option("--yes", help="Write outside of the current folder without asking.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write a first design: a small one that explores, with a comment on each part.

    A file that is there already is never overwritten. Outside of the current folder, and into a
    folder that is not there yet, it writes when you agree.

    Examples: tierproof new tiering.py; tierproof new ../designs/tiering.py --yes
    """
    if not path.name:
        raise typer.BadParameter(f"{str(path)!r} names no file: name one, e.g. tiering.py")
    path = path.with_suffix(path.suffix or ".py")
    _check_name(path)
    if not agreed:
        _ask(path)
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


def _ask(path: Path) -> None:
    """Ask before a file is written where nobody may look for it. Raises BadParameter."""
    folder = path.parent.resolve()
    if not folder.is_relative_to(Path.cwd()):
        doubt = f"{folder} is not in the current folder"
    elif not folder.exists():
        doubt = f"there is no folder {path.parent}"
    else:
        return
    if not is_terminal():
        raise typer.BadParameter(f"{doubt}: --yes writes {path.name} there")
    if not typer.confirm(f"{doubt}. Write {path.name} there?"):
        raise typer.BadParameter(f"{doubt}, and nothing is written")


def is_terminal() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin.isatty()


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
