"""What makes a state space big, as one self-contained page: a bar for each field and group.

A bar is the share of the states that would go without the part. What is stale of it is darker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from tierproof.diagrams.palette import variables
from tierproof.diagrams.report import STYLE, environment

MOST_BARS = 20
"""Of fields, and of groups."""
LEAST_FACTOR = 1.005
"""A smaller one rounds to 1.00, and has no bar; `tierproof size --json` has all."""


@dataclass(frozen=True)
class Bar:
    """The factors of a part, and the shares of the states that they are, in percent."""

    name: str
    kind: str
    factor: float
    stale: float | None
    share: float
    stale_share: float


def size_as_page(size: Mapping[str, Any]) -> str:
    """The page of a size, given as `tierproof size --json` prints it."""
    parts = {"field": bars(size["fields"]), "group": bars(size["groups"])}
    return (
        environment()
        .get_template("size.html.j2")
        .render(
            size=size,
            parts=parts,
            most_bars=MOST_BARS,
            style=Markup(variables(":root") + STYLE),
        )
    )


def bars(parts: Sequence[Mapping[str, Any]]) -> list[Bar]:
    """The bars of the parts, in their order, of those that make any difference."""
    found = [
        Bar(
            one["name"],
            one["kind"],
            one["factor"],
            one["stale"],
            _share(one["factor"]),
            _share(one["stale"] or 1.0),
        )
        for one in parts
        if one["factor"] >= LEAST_FACTOR
    ]
    return found[:MOST_BARS]


def _share(factor: float) -> float:
    return round(100 * (1 - 1 / factor), 1)
