"""Commands that refuse what they would ignore or guess: an option given twice, an empty value,
a number in other than decimal digits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import typer
from typer.core import TyperCommand


class StrictCommand(TyperCommand):
    """A command whose options take one value, unless they may be repeated, and none is empty."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments. Raises BadParameter for one that would be ignored or guessed."""
        values, _, given = self.make_parser(ctx).parse_args(list(args))
        counts = Counter(given)
        for parameter in counts:
            _check_values(parameter, values.get(parameter.name))
            may_be_repeated = getattr(parameter, "is_flag", False) or parameter.multiple
            if counts[parameter] > 1 and not may_be_repeated:
                raise typer.BadParameter(
                    f"{_name(parameter)} is given {counts[parameter]} times: give it once"
                )
        return super().parse_args(ctx, args)


def _check_values(parameter: Any, value: Any) -> None:
    """Raise for an empty value, and for a number that is not written in decimal digits."""
    for word in _strings(value):
        if not word.strip():
            raise typer.BadParameter(f"{_name(parameter)} is empty: leave it out, or say what")
        if _type_of(parameter) in (int, float):
            _check_number(parameter, word)


def _check_number(parameter: Any, word: str) -> None:
    from tierproof.model.language.decimals import decimal, whole_number

    try:
        whole_number(word) if _type_of(parameter) is int else decimal(word)
    except ValueError as error:
        raise typer.BadParameter(f"{_name(parameter)}: {error}") from None


def _type_of(parameter: Any) -> type | None:
    """The type of an option's values, which versions of Typer say in two ways."""
    if hasattr(parameter, "type_descriptor"):
        found: type = parameter.type_descriptor.annotation
        return found
    return {"integer": int, "float": float}.get(parameter.type.name.removesuffix(" range"))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _strings(one)


def _name(parameter: Any) -> str:
    """The option as it is written, or the argument as the help names it."""
    first: str = parameter.opts[0]
    return first if first.startswith("-") else first.upper()


class App(typer.Typer):
    """An application all of whose commands are so."""

    def command(self, name: str | None = None, **options: Any) -> Any:
        """As Typer has it, with the class of the command."""
        return super().command(name, cls=StrictCommand, **options)
