"""Commands that refuse an option given twice, unless it may be: the last would win in silence."""

from __future__ import annotations

from collections import Counter
from typing import Any

import typer
from typer.core import TyperCommand


class GivenOnce(TyperCommand):
    """A command whose options take one value, unless they are declared to take several."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; raises BadParameter for an option that is given again."""
        _, _, given = self.make_parser(ctx).parse_args(list(args))
        for option, count in Counter(given).items():
            if count > 1 and not option.multiple and not getattr(option, "is_flag", False):
                raise typer.BadParameter(f"{option.opts[0]} is given {count} times: give it once")
        return super().parse_args(ctx, args)


class App(typer.Typer):
    """An application all of whose commands are so."""

    def command(self, name: str | None = None, **options: Any) -> Any:
        """As Typer has it, with the class of the command."""
        return super().command(name, cls=GivenOnce, **options)
