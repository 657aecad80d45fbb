"""What a verdict rests on: the assumptions of the design, and the budgets that are 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tierproof.spark_explorer.question import Question

Grounds = Sequence[Mapping[str, Any]]
"""Assumptions as plain values: their id, what they say, which published bugs they hide."""


def grounds_of(question: Question) -> list[dict[str, Any]]:
    """The assumptions of a question's design, with its variants, in its scope.

    Raises as `resolve` does.
    """
    from tierproof.register.assumptions import rests_on

    return [one.as_dict() for one in rests_on(*question.resolve())]


def grounds_lines(design: str, grounds: Grounds, zero_budgets: Sequence[str]) -> list[str]:
    """The same in a line, and in another one the budgets of which the scope leaves nothing.

    `design` is what a command calls it.
    """
    from tierproof.register.assumptions import in_short

    lines = []
    if grounds:
        names = in_short(str(one["id"]) for one in grounds)
        lines.append(f"rests on assumptions {names}: tierproof assumptions {design}")
    if zero_budgets:
        lines.append(f"never happens here, as its budget is 0: {', '.join(zero_budgets)}")
    return lines
